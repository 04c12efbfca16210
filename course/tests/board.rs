//! The board of the course against known counts and against Tabiya's board.

use course::{board, rules};

/// Known counts of perft: positions of the Chess Programming Wiki.
const PERFT: &[(&str, u32, u64)] = &[
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        4,
        197_281,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        3,
        97_862,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        4,
        422_333,
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        3,
        62_379,
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        3,
        89_890,
    ),
];

#[test]
fn perft_counts_what_is_known() {
    for &(fen, depth, count) in PERFT {
        let position = board::read_fen(fen).expect("a legal position");
        assert_eq!(board::perft(&position, depth), count, "{fen}");
        let divided = board::divide(&position, depth);
        assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), count);
    }
}

/// The moves of both boards with what they capture, sorted.
fn moves(own: &board::Position, theirs: &rules::Position) -> [Vec<(String, Option<usize>)>; 2] {
    let own = own.legal_moves().into_iter().map(|mv| {
        let victim = board::captured(own, mv).map(board::PieceKind::index);
        (board::move_text(mv), victim)
    });
    let theirs = theirs.legal_moves().into_iter().map(|mv| {
        let victim = rules::captured(theirs, mv).map(rules::PieceKind::index);
        (rules::move_text(mv), victim)
    });
    let mut lists = [own.collect::<Vec<_>>(), theirs.collect()];
    lists.iter_mut().for_each(|list| list.sort());
    lists
}

#[test]
fn random_games_agree_with_tabiya() {
    let mut random = 88_172_645_463_325_252_u64;
    let mut castled = 0;
    for _ in 0..60 {
        let mut own = board::Position::start();
        let mut theirs = rules::Position::start();
        for _ in 0..200 {
            let [a, b] = moves(&own, &theirs);
            assert_eq!(a, b, "{theirs}");
            assert_eq!(own.in_check(), theirs.in_check());
            assert_eq!(own.halfmove_clock(), theirs.halfmove_clock());
            if a.is_empty() {
                break;
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let text = &a[(random % a.len() as u64) as usize].0;
            castled += u32::from(["e1g1", "e1c1", "e8g8", "e8c8"].contains(&text.as_str()));
            let mv = own
                .legal_moves()
                .into_iter()
                .find(|&mv| board::move_text(mv) == *text);
            own = own.play_unchecked(mv.expect("listed"));
            let mv = theirs
                .legal_moves()
                .into_iter()
                .find(|&mv| rules::move_text(mv) == *text);
            theirs = theirs.play_unchecked(mv.expect("listed"));
            let [text, expected] = [own.to_string(), theirs.to_string()];
            let fields = |fen: &str| {
                fen.split(' ')
                    .take(3)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            assert_eq!(fields(&text), fields(&expected));
            // The same position from its FEN has the same key, unless a pin forbids the capture en
            // passant, which the FEN then leaves out.
            let read = board::read_fen(&expected).expect("a legal position");
            let en_passant = |fen: &str| fen.split(' ').nth(3).map(str::to_owned);
            assert_eq!(
                read.key() == own.key(),
                en_passant(&text) == en_passant(&expected),
                "{text}"
            );
        }
    }
    assert!(castled > 20, "{castled}");
}

/// Positions that differ in one fact only.
#[test]
fn every_fact_of_a_position_changes_its_key() {
    let key = |fields: &str| {
        let fen = format!("r3k2r/8/8/3pP3/8/8/8/R3K2R {fields}");
        board::read_fen(&fen).expect("a legal position").key().0
    };
    let mut keys = [
        "w KQkq - 0 1",
        "b KQkq - 0 1",
        "w Qkq - 0 1",
        "w Kkq - 0 1",
        "w KQq - 0 1",
        "w KQk - 0 1",
        "w KQkq d6 0 1",
    ]
    .map(key);
    keys.sort_unstable();
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "{keys:?}");
    // The clocks are no part of the position.
    assert_eq!(key("w KQkq - 7 9"), key("w KQkq - 0 1"));
}

#[test]
fn texts_that_are_no_position_are_refused() {
    for fen in [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w Z - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - x 1",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2é w - - 0 1",
        // The files of these ranks overflow eight bits.
        "88888888888888888888888888888888/4k3/8/8/8/8/8/4K3 w - - 0 1",
        "888888888888888888888888888888888/4k3/8/8/8/8/8/4K3 w - - 0 1",
        // More pieces than a game can have.
        "7k/8/8/NNNNNNNN/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQK b - - 0 1",
    ] {
        assert!(board::read_fen(fen).is_none(), "{fen}");
    }
    // A right without its rook, and an en passant square without its pawn, are dropped.
    let position = board::read_fen("4k3/8/8/8/8/8/8/4K3 w KQ e6 0 1").expect("a position");
    assert_eq!(position.legal_moves().len(), 5);
}
