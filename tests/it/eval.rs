//! The evaluation: the same for both colours and both wings, and the same whether it is kept up along a line or made anew.

use crate::random_games::{Start, walk};
use tabiya::board::{Position, Setup};
use tabiya::eval::{Evaluator, MAX_L2_WEIGHT, Network, NetworkError, evaluate};
use tabiya::types::{CastlingMode, Piece, Square};

/// The position with each square turned as said, and colours exchanged with the ranks; without castling rights, which
/// the evaluation does not see.
fn turned(position: &Position, turn: usize) -> Position {
    let from = position.to_setup();
    let mut to = Setup::EMPTY;
    let swaps = turn & 56 != 0;
    to.side_to_move = if swaps {
        !from.side_to_move
    } else {
        from.side_to_move
    };
    for square in Square::ALL {
        to.board[square.index() ^ turn] = from.board[square.index()].map(|piece| {
            let color = if swaps { !piece.color() } else { piece.color() };
            Piece::new(color, piece.kind())
        });
    }
    to.validate(CastlingMode::Standard).unwrap().position
}

#[test]
fn colours_and_wings_are_treated_alike() {
    let network = Network::embedded();
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, seed as u64, 2_000, |position, _| {
            let score = evaluate(&network, position);
            for turn in [7, 56, 63] {
                assert_eq!(
                    evaluate(&network, &turned(position, turn)),
                    score,
                    "{position}, turned by {turn}"
                );
            }
        });
    }
}

/// Some 350 games of each kind of start: castling of all kinds, en passant, promotions, kings that cross the board.
#[test]
fn a_line_kept_up_equals_one_made_anew_at_every_ply() {
    const POSITIONS: usize = 50_000;
    let network = Network::embedded();
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        // One is asked at every ply, the other only now and then, so that it must catch up.
        let mut lines: Option<[Evaluator; 2]> = None;
        let mut ply = 0_usize;
        walk(start, 10 + seed as u64, POSITIONS, |position, mv| {
            let begin = || [(); 2].map(|()| Evaluator::new(&network, position));
            let line = lines.get_or_insert_with(begin);
            let anew = evaluate(&network, position);
            assert_eq!(line[0].evaluate(position), anew, "{position}");
            if ply % 7 == 3 {
                assert_eq!(line[1].evaluate(position), anew, "{position}, caught up");
            }
            if ply.is_multiple_of(5) && !position.in_check() {
                for evaluator in line.iter_mut() {
                    let passed = evaluator.play_null(position);
                    assert_eq!(
                        evaluator.evaluate(&passed),
                        evaluate(&network, &passed),
                        "{position}, passed"
                    );
                    evaluator.take_back();
                }
            }
            // Down another way and back.
            if let Some(other) = position
                .legal_moves()
                .into_iter()
                .find(|&other| Some(other) != mv)
            {
                let next = line[1].play(position, other);
                if ply.is_multiple_of(2) {
                    assert_eq!(
                        line[1].evaluate(&next),
                        evaluate(&network, &next),
                        "{position} {other}"
                    );
                }
                line[1].take_back();
            }
            ply += 1;
            match mv {
                Some(mv) => line.iter_mut().for_each(|evaluator| {
                    evaluator.play(position, mv);
                }),
                // The next position begins another game.
                None => lines = None,
            }
        });
    }
}

/// The more pieces Black lacks from the start, the better for White, the move aside.
#[test]
fn more_pieces_are_worth_more() {
    const BOARDS: [(&str, i32); 5] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 0),
        ("rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 30),
        ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 200),
        ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 300),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 600),
    ];
    let network = Network::embedded();
    let worth = BOARDS.map(|(board, _)| {
        let [white, black] = ["w", "b"].map(|side| {
            let position = Position::from_fen(&format!("{board} {side} - - 0 1")).unwrap();
            evaluate(&network, &position).0
        });
        (white - black) / 2
    });
    assert_eq!(worth[0], 0);
    assert!(worth.is_sorted_by(|less, more| less < more), "{worth:?}");
    for ((board, least), worth) in BOARDS.into_iter().zip(worth) {
        assert!(worth >= least, "{board} is worth {worth}");
    }
}

#[test]
fn bad_files_are_refused() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/tabiya.net")).unwrap();
    let body = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let network = Network::from_bytes(&bytes).unwrap();
    assert_eq!(network, *Network::embedded());

    let changed = |from: &str, to: &str| {
        let header = String::from_utf8(bytes[..body].to_vec()).unwrap();
        assert!(header.contains(from), "{header}");
        [
            header.replacen(from, to, 1).into_bytes(),
            bytes[body..].to_vec(),
        ]
        .concat()
    };
    let with_word = |word: i16| {
        let mut bytes = bytes.clone();
        bytes[body..body + 2].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    let with_l2_weight = |weight: i16| {
        let mut parameters = network.parameters();
        *parameters.words.last_mut().unwrap() = weight;
        Network::to_bytes(network.header(), &parameters).map(|_| ())
    };
    assert_eq!(with_l2_weight(-MAX_L2_WEIGHT), Ok(()));
    assert_eq!(
        with_l2_weight(-MAX_L2_WEIGHT - 1),
        Err(NetworkError::TooLarge)
    );
    let with_last = |number: f32| [&bytes[..bytes.len() - 4], &number.to_le_bytes()].concat();
    let cases = [
        (Vec::new(), NetworkError::NoHeader),
        (b"\x00\xff\n\xfe".to_vec(), NetworkError::NoHeader),
        (b"{}\n".to_vec(), NetworkError::NoHeader),
        (bytes[..body - 1].to_vec(), NetworkError::NoHeader),
        (changed("network 2", "network 1"), NetworkError::OtherShape),
        // As networks said before there was such a layer.
        (changed("\"l2\":8,", ""), NetworkError::OtherShape),
        (
            changed("\"output_buckets\":8", "\"output_buckets\":4"),
            NetworkError::OtherShape,
        ),
        (changed("\"qb\":", "\"qb\":100"), NetworkError::TooLarge),
        (changed("\"qb\":", "\"qb\":-"), NetworkError::TooLarge),
        (
            bytes[..bytes.len() - 1].to_vec(),
            NetworkError::Length(bytes.len() - body - 1),
        ),
        (
            [&bytes[..], &[0]].concat(),
            NetworkError::Length(bytes.len() - body + 1),
        ),
        (with_word(i16::MIN), NetworkError::TooLarge),
        (with_word(i16::MAX), NetworkError::TooLarge),
        (with_last(65.0), NetworkError::TooLarge),
        (with_last(f32::NAN), NetworkError::TooLarge),
    ];
    for (bytes, error) in cases {
        assert_eq!(Network::from_bytes(&bytes).unwrap_err(), error);
    }
}
