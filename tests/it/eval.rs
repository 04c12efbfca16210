//! The evaluation: symmetric in colours and wings, and equal whether updated along a line or
//! computed afresh.

use crate::random_games::{Start, walk};
use crate::sources::root;
use crate::temporary::Folder;
use std::error::Error;
use tabiya::board::{Position, Setup, attacks};
use tabiya::engine::normalized_score;
use tabiya::eval::{
    Evaluator, HIDDEN, MAX_INPUT_BIAS, MAX_MOTIF_WEIGHT, MAX_SQUARE_WEIGHTS, MOTIF_INPUTS, Motif,
    Network, NetworkError, PieceStates, evaluate,
};
use tabiya::types::{Bitboard, CastlingMode, Color, Piece, PieceKind, Rank, Square};

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

/// The attackers of a square. The king of the other side does not block them.
fn attackers(position: &Position, by: Color, square: Square) -> Bitboard {
    let occupied = position.occupied() - position.king(!by).into();
    position.attackers_of(by, square, occupied)
}

/// The state of the piece of a colour on a square, if it is attacked and has one.
fn expected_state(position: &Position, color: Color, square: Square) -> Option<usize> {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    let piece = position.piece_at(square)?;
    let [own, enemies] = [color, !color].map(|by| attackers(position, by, square));
    if piece.color() != color || piece.kind() == King || enemies.is_empty() {
        return None;
    }
    let has = |set: Bitboard, kind| set.intersects(position.kind(kind));
    let least = [Pawn, Knight, Bishop, Rook, Queen, King]
        .into_iter()
        .find(|&kind| has(enemies, kind));
    let attacker = match least {
        Some(Pawn) => 0,
        Some(Knight | Bishop) => 3,
        Some(Rook) => 6,
        _ => 9,
    };
    let defence = if has(own, Pawn) {
        2
    } else {
        usize::from(own.any())
    };
    Some(attacker + defence)
}

/// Whether a square has a motif, from the point of view of a side.
fn has_motif(position: &Position, side: Color, motif: Motif, square: Square) -> bool {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    let enemy = !side;
    let occupied = position.occupied();
    let piece = position.piece_at(square);
    let is_own = |kinds: &[PieceKind]| {
        piece.is_some_and(|piece| piece.color() == side && kinds.contains(&piece.kind()))
    };
    let [own, enemies] = [side, enemy].map(|by| attackers(position, by, square));
    let attacked_from_here = |kind, targets: &[PieceKind]| {
        let attacked = attacks::of(enemy, kind, square, occupied);
        let targets = targets
            .iter()
            .map(|&target| position.pieces(side, target) & attacked);
        targets.map(Bitboard::len).sum::<u32>()
    };
    // A square of the same file, so many ranks nearer to the enemy's first rank.
    let behind = |ranks: i8| {
        let forward = if enemy == Color::White { 8 } else { -8 };
        u8::try_from(square.index() as i8 - ranks * forward)
            .ok()
            .and_then(|index| Square::ALL.get(usize::from(index)).copied())
    };
    let enemy_pawn =
        |at: Option<Square>| at.is_some_and(|at| position.pieces(enemy, Pawn).contains(at));
    let is_empty = |at: Option<Square>| at.is_some_and(|at| !occupied.contains(at));
    let steps = piece.is_none()
        && (enemy_pawn(behind(1))
            || square.rank().relative_to(enemy) == Rank::R4
                && is_empty(behind(1))
                && enemy_pawn(behind(2)));
    let is_safe_step =
        steps && !own.intersects(position.kind(Pawn)) && (enemies.any() || own.is_empty());
    let officers = [Knight, Bishop, Rook, Queen];
    let goes_safely = |kind| {
        piece.is_none_or(|piece| piece.color() == side)
            && own.is_empty()
            && enemies.intersects(position.kind(kind))
    };
    let checks = |kind| goes_safely(kind) && attacked_from_here(kind, &[King]) == 1;
    let is_beside_king = attacks::king(position.king(side)).contains(square);
    match motif {
        Motif::KnightCheck => checks(Knight),
        Motif::BishopCheck => checks(Bishop),
        Motif::RookCheck => checks(Rook),
        Motif::QueenCheck => checks(Queen),
        Motif::Fork => goes_safely(Knight) && attacked_from_here(Knight, &[King, Queen, Rook]) >= 2,
        Motif::PawnThreat => is_safe_step && attacked_from_here(Pawn, &officers) > 0,
        Motif::LoosePawnThreat => steps && !is_safe_step && attacked_from_here(Pawn, &officers) > 0,
        Motif::Outnumbered => {
            is_own(&[Pawn, Knight, Bishop, Rook, Queen]) && own.len() == 1 && enemies.len() >= 2
        }
        Motif::FreePassedPawn => {
            let in_front = |at: Square| {
                let [rank, other] = [square, at].map(|it| it.rank().relative_to(side).index());
                other > rank
            };
            let files = |at: Square| at.file().index().abs_diff(square.file().index());
            let is_stopped = position.kind(Pawn).into_iter().any(|at| {
                let is_own = position.pieces(side, Pawn).contains(at);
                in_front(at) && files(at) <= usize::from(!is_own)
            });
            let front = behind(1);
            is_own(&[Pawn])
                && !is_stopped
                && is_empty(front)
                && front.is_some_and(|front| attackers(position, enemy, front).is_empty())
        }
        Motif::WeakKingSquare => is_beside_king && enemies.len() >= 2 && own.len() == 1,
    }
}

#[test]
fn states_and_motifs_match_the_attackers() {
    let mut counts = [0; Motif::COUNT];
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, 60 + seed as u64, 1_000, |position, _| {
            let states = PieceStates::of(position);
            for (color, square) in Color::ALL
                .into_iter()
                .flat_map(|color| Square::ALL.map(|square| (color, square)))
            {
                let state = states
                    .attacked()
                    .contains(square)
                    .then(|| states.at(square));
                if position
                    .piece_at(square)
                    .is_some_and(|piece| piece.color() == color)
                {
                    assert_eq!(state, expected_state(position, color, square), "{square}");
                }
                for motif in Motif::ALL {
                    let expected = has_motif(position, color, motif, square);
                    let found = states.motif(color, motif).contains(square);
                    assert_eq!(
                        found, expected,
                        "{motif:?} of {color:?} on {square}: {position}"
                    );
                    counts[motif.index()] += usize::from(found);
                }
            }
        });
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
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
    let with_motif = |weight| {
        let mut parameters = network.parameters();
        parameters.input_weights[MOTIF_INPUTS.start * HIDDEN] = weight;
        parameters.input_weights[MOTIF_INPUTS.end * HIDDEN - 1] = -weight;
        Network::to_bytes(network.header(), &parameters).map(|_| ())
    };
    assert_eq!(with_motif(MAX_MOTIF_WEIGHT), Ok(()));
    assert_eq!(
        with_motif(MAX_MOTIF_WEIGHT + 1),
        Err(NetworkError::TooLarge)
    );
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
        (changed("network 6", "network 5"), NetworkError::OtherShape),
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
