//! Reading moves in algebraic and in coordinate notation: accepted variants and refused texts.
//! `game.rs` compares writing with shakmaty.

use crate::random_games::START;
use std::fmt::Debug;
use tabiya::board::Position;
use tabiya::game::lan::{self, LanError};
use tabiya::game::san::{self, SanError};
use tabiya::types::{Move, Square};

const CASTLING: &str = "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1";
const PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
const KNIGHTS: &str = "k7/8/8/8/1N3N2/8/1N6/7K w - - 0 1";
const PINNED: &str = "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1";
/// Chess960: the king on f1 may step to g1 or castle with the rook on h1.
const NEAR_CASTLING: &str = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

/// Asserts that `text` has been read as the move with these coordinates.
fn assert_reads<E: Debug + PartialEq>(read: Result<Move, E>, text: &str, expected: &str) {
    let mv = read.map(|mv| mv.to_string());
    assert_eq!(mv, Ok(expected.to_owned()), "{text}");
}

#[test]
fn variants_of_notation_are_read() {
    let table = [
        (START, "Nf3", "g1f3"),
        (START, " e4 ", "e2e4"),
        (START, "e2e4", "e2e4"),
        (START, "e2-e4", "e2e4"),
        (START, "Pe4", "e2e4"),
        (START, "Ng1-f3", "g1f3"),
        (START, "Ngf3", "g1f3"),
        (START, "N1f3!?", "g1f3"),
        (START, "Nf3+", "g1f3"),
        (START, "g1f3", "g1f3"),
        (START, "g1-f3", "g1f3"),
        (START, "e2–e4", "e2e4"),
        (START, "E2-E4", "e2e4"),
        (START, "Nxf3", "g1f3"),
        (START, "N:f3", "g1f3"),
        (START, "exe4", "e2e4"),
        (CASTLING, "e1-g1", "e1h1"),
        (CASTLING, "Ke1-c1", "e1a1"),
        (CASTLING, "O–O", "e1h1"),
        (CASTLING, "b7xa8=N", "b7a8n"),
        (CASTLING, "O-O", "e1h1"),
        (CASTLING, "0-0", "e1h1"),
        (CASTLING, "o-o-o", "e1a1"),
        (CASTLING, "0-0-0+!", "e1a1"),
        (CASTLING, "e1g1", "e1h1"),
        (CASTLING, "e1a1", "e1a1"),
        (CASTLING, "b8=Q+", "b7b8q"),
        (CASTLING, "b8Q", "b7b8q"),
        (CASTLING, "b8(R)", "b7b8r"),
        (CASTLING, "b8/N", "b7b8n"),
        (CASTLING, "bxa8=B", "b7a8b"),
        (CASTLING, "ba8B", "b7a8b"),
        (CASTLING, "b7xa8=n", "b7a8n"),
        (CASTLING, "b7a8Q", "b7a8q"),
        (CASTLING, "Ra8", "a1a8"),
        (CASTLING, "Ra1:a8+", "a1a8"),
        (PASSANT, "exd6", "e5d6"),
        (PASSANT, "exd6e.p.", "e5d6"),
        (PASSANT, "exd6 e.p.", "e5d6"),
        (PASSANT, "exd6+! e.p.", "e5d6"),
        (PASSANT, "ed6ep!", "e5d6"),
        (KNIGHTS, "Nb4d3", "b4d3"),
        (KNIGHTS, "Nfd3", "f4d3"),
        (KNIGHTS, "N2d3", "b2d3"),
    ];
    for (fen, text, expected) in table {
        assert_reads(san::parse(&position(fen), text), text, expected);
    }
}

/// The reader of PGN knew three more.
#[test]
fn every_dash_is_read() {
    for dash in "-‐‑‒–—―−﹘﹣－".chars() {
        let castling = format!("O{dash}O");
        assert_reads(
            san::parse(&position(CASTLING), &castling),
            &castling,
            "e1h1",
        );
        let squares = format!("e2{dash}e4");
        assert_reads(san::parse(&position(START), &squares), &squares, "e2e4");
    }
}

#[test]
fn invalid_moves_are_refused_with_the_reason() {
    let table = [
        (START, "", "'' is not a move such as Nf3, exd5, e8=Q or O-O"),
        (
            START,
            "Hf3",
            "'Hf3' is not a move such as Nf3, exd5, e8=Q or O-O",
        ),
        (
            START,
            "nf3",
            "'nf3' is not a move such as Nf3, exd5, e8=Q or O-O",
        ),
        (
            START,
            "E4",
            "'E4' is not a move such as Nf3, exd5, e8=Q or O-O",
        ),
        (
            START,
            "Nf3=Q",
            "'Nf3=Q' is not a move such as Nf3, exd5, e8=Q or O-O",
        ),
        (
            START,
            "♘f3",
            "'♘f3' is not a move such as Nf3, exd5, e8=Q or O-O",
        ),
        (
            START,
            "Nb1g1f3",
            "'Nb1g1f3' is not a move such as Nf3, exd5, e8=Q or O-O",
        ),
        (START, "--", "a null move is not legal in chess"),
        (START, "0000", "a null move is not legal in chess"),
        (START, "Nd2", "Nd2 is not a legal move here"),
        (START, "e5", "e5 is not a legal move here"),
        (START, "e2e5", "e2e5 is not a legal move here"),
        (START, "O-O", "O-O is not legal here"),
        (CASTLING, "b8", "b8 promotes a pawn: add =Q, =R, =B or =N"),
        (
            CASTLING,
            "b7b8",
            "b7b8 promotes a pawn: add =Q, =R, =B or =N",
        ),
        (
            CASTLING,
            "b8=K",
            "'b8=K' is not a move such as Nf3, exd5, e8=Q or O-O",
        ),
        (CASTLING, "Kg1", "Kg1 is not a legal move here"),
        (PASSANT, "d6", "d6 is not a legal move here"),
        (
            KNIGHTS,
            "Nbd3",
            "Nbd3 is ambiguous: it may be any of b2d3, b4d3",
        ),
        (
            KNIGHTS,
            "N4d3",
            "N4d3 is ambiguous: it may be any of b4d3, f4d3",
        ),
    ];
    for (fen, text, expected) in table {
        let error = san::parse(&position(fen), text).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_king_that_steps_onto_its_castling_square_does_not_castle() {
    let position = position(NEAR_CASTLING);
    let read = |text| san::parse(&position, text).map(|mv| mv.to_string());
    assert_eq!(read("Kg1"), Ok("f1g1".to_owned()));
    assert_eq!(read("O-O"), Ok("f1h1".to_owned()));
    assert!(matches!(read("O-O-O"), Err(SanError::IllegalCastling(_))));
}

#[test]
fn coordinates_are_read() {
    let table = [
        (START, "e2e4", "e2e4"),
        (START, " g1f3\t", "g1f3"),
        (CASTLING, "b7b8q", "b7b8q"),
        (CASTLING, "b7a8N", "b7a8n"),
        // Castling as the king's move and as king takes rook.
        (CASTLING, "e1g1", "e1h1"),
        (CASTLING, "e1h1", "e1h1"),
        (CASTLING, "e1c1", "e1a1"),
        (CASTLING, "e1a1", "e1a1"),
        (PASSANT, "e5d6", "e5d6"),
        // In Chess960 the step to g1 is another move than castling.
        (NEAR_CASTLING, "f1g1", "f1g1"),
        (NEAR_CASTLING, "f1h1", "f1h1"),
    ];
    for (fen, text, expected) in table {
        assert_reads(lan::parse(&position(fen), text), text, expected);
    }
}

#[test]
fn invalid_coordinates_are_refused_with_the_reason() {
    let syntax = |text: &str| LanError::Syntax(text.to_owned());
    let illegal = |text: &str| LanError::Illegal(text.to_owned());
    let table = [
        (START, "", syntax("")),
        (START, "e2", syntax("e2")),
        (START, "e2e", syntax("e2e")),
        (START, "e2e9", syntax("e2e9")),
        (START, "i2e4", syntax("i2e4")),
        (START, "E2E4", syntax("E2E4")),
        (START, "e2-e4", syntax("e2-e4")),
        (START, "e2e4e6", syntax("e2e4e6")),
        (START, "é2e4", syntax("é2e4")),
        (START, "e2é4", syntax("e2é4")),
        (START, "♙e2e4 and so on", syntax("♙e2e4 and so")),
        (CASTLING, "b7b8k", syntax("b7b8k")),
        (CASTLING, "b7b8p", syntax("b7b8p")),
        (START, "0000", LanError::Null),
        (START, "e4e5", LanError::NoPiece(Square::E4)),
        (START, "e7e5", LanError::NoPiece(Square::E7)),
        (START, "e2e5", illegal("e2e5")),
        (START, "e2e4q", illegal("e2e4q")),
        // No right to castle; and the king does not capture its own rook.
        (START, "e1g1", illegal("e1g1")),
        (START, "e1h1", illegal("e1h1")),
        (PINNED, "e2d3", illegal("e2d3")),
        // Chess960: the king's move that castling would be on a normal board is none here.
        (NEAR_CASTLING, "f1c1", illegal("f1c1")),
        (
            CASTLING,
            "b7b8",
            LanError::MissingPromotion("b7b8".to_owned()),
        ),
    ];
    for (fen, text, expected) in table {
        assert_eq!(lan::parse(&position(fen), text), Err(expected), "{text}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_reader_never_panics(text in "\\PC{0,12}|[KQRBNP]?[a-h]?[1-8]?[x:-]?[a-h][1-8][=(/]?[QRBNKqrbn]?\\)?[+#!?]*") {
        for fen in [START, CASTLING, PASSANT, KNIGHTS] {
            let position = position(fen);
            if let Ok(mv) = san::parse(&position, &text) {
                proptest::prop_assert!(position.is_legal(mv));
            }
        }
    }
}
