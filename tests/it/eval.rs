//! The evaluation: symmetric in colours and wings, and equal whether updated along a line or
//! computed afresh.

use crate::random_games::{Start, walk};
use crate::sources::root;
use crate::temporary::Folder;
use std::error::Error;
use tabiya::board::{Position, Setup};
use tabiya::engine::normalized_score;
use tabiya::eval::{
    Evaluator, HIDDEN, MAX_INPUT_BIAS, MAX_SQUARE_WEIGHTS, Network, NetworkError, evaluate,
};
use tabiya::types::{CastlingMode, Piece, Square};

/// The position with each square mapped by the mask `flip`, and colours exchanged if ranks are
/// flipped. Castling rights are dropped, since the evaluation ignores them.
fn flipped(position: &Position, flip: usize) -> Position {
    let from = position.to_setup();
    let mut to = Setup::EMPTY;
    let swaps = flip & 56 != 0;
    to.side_to_move = if swaps {
        !from.side_to_move
    } else {
        from.side_to_move
    };
    for square in Square::ALL {
        to.board[square.index() ^ flip] = from.board[square.index()].map(|piece| {
            let color = if swaps { !piece.color() } else { piece.color() };
            Piece::new(color, piece.kind())
        });
    }
    to.validate(CastlingMode::Standard).unwrap().position
}

#[test]
fn colours_and_wings_are_symmetric() {
    let network = Network::embedded();
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, seed as u64, 2_000, |position, _| {
            let score = evaluate(&network, position);
            for flip in [7, 56, 63] {
                assert_eq!(
                    evaluate(&network, &flipped(position, flip)),
                    score,
                    "{position}, flipped by {flip}"
                );
            }
        });
    }
}

/// About 350 games of each kind of start, with castling, en passant, promotions and kings that
/// cross the middle of the board.
#[test]
fn updated_accumulators_equal_fresh_ones_at_every_ply() {
    const POSITIONS: usize = 50_000;
    let network = Network::embedded();
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        // The first evaluates at every ply, the second only sometimes, so that it must catch up.
        let mut lines: Option<[Evaluator; 2]> = None;
        let mut ply = 0_usize;
        walk(start, 10 + seed as u64, POSITIONS, |position, mv| {
            let begin = || [(); 2].map(|()| Evaluator::new(network.clone()));
            let line = lines.get_or_insert_with(begin);
            let fresh = evaluate(&network, position);
            assert_eq!(line[0].evaluate(position), fresh, "{position}");
            if ply % 7 == 3 {
                assert_eq!(line[1].evaluate(position), fresh, "{position}, caught up");
            }
            if ply.is_multiple_of(5) && !position.in_check() {
                for evaluator in line.iter_mut() {
                    let mut passed = *position;
                    evaluator.make_null(&mut passed);
                    assert_eq!(
                        evaluator.evaluate(&passed),
                        evaluate(&network, &passed),
                        "{position}, passed"
                    );
                    evaluator.undo();
                }
            }
            // Plays another move and takes it back.
            if let Some(other) = position
                .legal_moves()
                .into_iter()
                .find(|&other| Some(other) != mv)
            {
                let mut next = *position;
                line[1].make(&mut next, other);
                if ply.is_multiple_of(2) {
                    assert_eq!(
                        line[1].evaluate(&next),
                        evaluate(&network, &next),
                        "{position} {other}"
                    );
                }
                line[1].undo();
            }
            ply += 1;
            match mv {
                Some(mv) => line.iter_mut().for_each(|evaluator| {
                    evaluator.make(&mut position.clone(), mv);
                }),
                // The next position begins another game.
                None => lines = None,
            }
        });
    }
}

/// The more material Black lacks, the better for White, averaged over both sides to move. The
/// values are the centipawns that a user sees, because the scale of the network is arbitrary.
#[test]
fn more_material_is_worth_more() {
    const BOARDS: [(&str, i32); 5] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 0),
        ("rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 60),
        ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 250),
        ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 330),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 600),
    ];
    let network = Network::embedded();
    let values = BOARDS.map(|(board, _)| {
        let [white, black] = ["w", "b"].map(|side| {
            let position = Position::from_fen(&format!("{board} {side} - - 0 1")).unwrap();
            normalized_score(evaluate(&network, &position), &position).0
        });
        (white - black) / 2
    });
    assert_eq!(values[0], 0);
    assert!(values.is_sorted_by(|less, more| less < more), "{values:?}");
    for ((board, min), value) in BOARDS.into_iter().zip(values) {
        assert!(value >= min, "{board} is worth {value}");
    }
}

#[test]
fn the_fuzz_targets_header_is_that_of_a_network() {
    let read = |name: &str| std::fs::read(root().join(name)).unwrap();
    let network = read("assets/tabiya.net");
    let body = network.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let file = [read("fuzz/seeds/network/header"), network[body..].to_vec()].concat();
    assert!(Network::from_bytes(&file).is_ok());
}

#[test]
fn bad_files_are_refused() {
    let bytes = std::fs::read(root().join("assets/tabiya.net")).unwrap();
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
    let with_words = |change: &dyn Fn(&mut [i16])| {
        let mut parameters = network.parameters();
        change(&mut parameters.words);
        Network::to_bytes(network.header(), &parameters).map(|_| ())
    };
    // The first word is a bias of the accumulator.
    let with_bias = |bias| with_words(&|words| words[0] = bias);
    assert_eq!(with_bias(-MAX_INPUT_BIAS), Ok(()));
    assert_eq!(with_bias(-MAX_INPUT_BIAS - 1), Err(NetworkError::TooLarge));
    // The biases are followed by the output weights of the first bucket. The last words are the
    // weights of a neuron of L2. The sum of each is limited.
    let weights = 2 * HIDDEN as u32;
    let share = (MAX_SQUARE_WEIGHTS / weights) as i16;
    let rest = (MAX_SQUARE_WEIGHTS % weights) as i16;
    for begin in [HIDDEN, network.parameters().words.len() - 2 * HIDDEN] {
        let with_weight = |weight| {
            with_words(&|words| {
                words[begin..][..2 * HIDDEN].fill(-share);
                words[begin] = weight;
            })
        };
        assert_eq!(with_weight(-share - rest), Ok(()), "{begin}");
        let error = Err(NetworkError::TooLarge);
        assert_eq!(with_weight(-share - rest - 1), error, "{begin}");
    }
    // A whole file, but of one neuron.
    let mut narrow = changed(&format!("\"hidden\":{HIDDEN}"), "\"hidden\":1");
    let parameters = network.parameters();
    let of_neurons = parameters.input_weights.len() + 2 * parameters.words.len();
    let begin = body - format!("{HIDDEN}").len() + 1;
    narrow.drain(begin..begin + of_neurons - of_neurons / HIDDEN);
    let with_last = |number: f32| [&bytes[..bytes.len() - 4], &number.to_le_bytes()].concat();
    let cases = [
        (Vec::new(), NetworkError::NoHeader),
        (b"\x00\xff\n\xfe".to_vec(), NetworkError::NoHeader),
        (b"{}\n".to_vec(), NetworkError::NoHeader),
        (bytes[..body - 1].to_vec(), NetworkError::NoHeader),
        (changed("network 5", "network 4"), NetworkError::OtherShape),
        // The header of networks before the layers.
        (changed("\"l2\":8,", ""), NetworkError::OtherShape),
        (
            changed("\"output_buckets\":8", "\"output_buckets\":4"),
            NetworkError::OtherShape,
        ),
        (changed("\"qb\":", "\"qb\":1"), NetworkError::OtherShape),
        (narrow, NetworkError::OtherShape),
        (
            changed("\"scale\":", "\"scale\":-"),
            NetworkError::Scale(-network.header().scale),
        ),
        // The header is judged before the body.
        (
            changed("\"scale\":", "\"scale\":-")[..body + 1].to_vec(),
            NetworkError::Scale(-network.header().scale),
        ),
        (
            bytes[..bytes.len() - 1].to_vec(),
            NetworkError::Length(bytes.len() - body - 1),
        ),
        (
            [&bytes[..], &[0]].concat(),
            NetworkError::Length(bytes.len() - body + 1),
        ),
        (with_last(65.0), NetworkError::TooLarge),
        (with_last(f32::NAN), NetworkError::TooLarge),
    ];
    for (bytes, error) in cases {
        assert_eq!(Network::from_bytes(&bytes).unwrap_err(), error);
    }
}

#[test]
fn the_error_of_a_file_says_why_it_is_not_a_network() {
    let folder = Folder::new("no-network");
    let file = folder.write("text.net", b"no network");
    let error = Network::load(&file).unwrap_err();
    let shown = error.to_string();
    assert!(shown.ends_with("text.net: not a Tabiya network"), "{shown}");
    let reason = error.source().and_then(|source| source.downcast_ref());
    assert_eq!(reason, Some(&NetworkError::NoHeader));
}
