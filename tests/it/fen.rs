//! Reading and writing FEN: invalid text, illegal positions and their severity, exact round trips.

use crate::random_games::{START, Start, walk};
use proptest::prelude::*;
use tabiya::board::{Defect, Epd, FenError, ParsePositionError, Position, Setup, Severity};
use tabiya::types::{CastlingMode, Rank};

#[test]
fn invalid_fens_are_refused_with_the_reason() {
    let text = |word: &str| word.to_owned();
    #[rustfmt::skip]
    let table = [
        ("", FenError::Empty),
        (" \t ", FenError::Empty),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", FenError::Ranks(7)),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1", FenError::Ranks(9)),
        ("startpos", FenError::Ranks(1)),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FenError::Files(Rank::R7)),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FenError::Files(Rank::R7)),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1", FenError::Files(Rank::R1)),
        ("rnbqkbnr/pppppppp/71/8/8/8/PPPPPPPP/RNBQKBNR1 w KQkq - 0 1", FenError::Files(Rank::R1)),
        ("//////// w - - 0 1", FenError::Ranks(9)),
        ("/////// w - - 0 1", FenError::Files(Rank::R8)),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FenError::Piece('9')),
        ("rnbqkbnr/pppppppp/80/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FenError::Piece('0')),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKXNR w KQkq - 0 1", FenError::Piece('X')),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ♔BNR w KQkq - 0 1", FenError::Piece('♔')),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR white KQkq - 0 1", FenError::Side(text("white"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR - - 0 1", FenError::Side(text("-"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1", FenError::Castling(text("KQxq"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkqK - 0 1", FenError::Castling(text("KQkqK"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ- - 0 1", FenError::Castling(text("KQ-"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", FenError::EnPassant(text("e9"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq E3 0 1", FenError::EnPassant(text("E3"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e 0 1", FenError::EnPassant(text("e"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1", FenError::Counter(text("-1"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1.5", FenError::Counter(text("1.5"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - +1 1", FenError::Counter(text("+1"))),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves", FenError::Trailing(text("moves"))),
    ];
    for (fen, expected) in table {
        assert_eq!(fen.parse::<Setup>(), Err(expected.clone()), "{fen}");
        let error = Position::from_fen(fen).expect_err(fen);
        assert_eq!(error, ParsePositionError::Fen(expected.clone()));
        assert!(error.to_string().starts_with("bad FEN: "), "{error}");
    }
}

#[test]
fn illegal_positions_are_reported_with_every_defect() {
    use Defect::*;
    use Severity::{Fatal, Repairable, Suspicious};
    #[rustfmt::skip]
    let table: &[(&str, &[Defect], Option<Severity>)] = &[
        (START, &[], None),
        // Pieces.
        ("8/8/8/8/8/8/8/8 w - - 0 1", &[Empty, NoWhiteKing, NoBlackKing], Some(Fatal)),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", &[NoBlackKing], Some(Fatal)),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", &[NoWhiteKing], Some(Fatal)),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", &[TooManyKings], Some(Fatal)),
        ("3kk3/8/8/8/8/8/8/8 w - - 0 1", &[NoWhiteKing, TooManyKings], Some(Fatal)),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", &[PawnsOnBackRank], Some(Fatal)),
        ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", &[PawnsOnBackRank], Some(Fatal)),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", &[TooManyWhitePawns], Some(Suspicious)),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", &[TooManyBlackPawns], Some(Suspicious)),
        ("rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1", &[TooManyBlackPieces], Some(Suspicious)),
        ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", &[TooManyWhitePieces], Some(Suspicious)),
        ("rnbqkbnr/pppppppp/8/8/8/5Q2/PPPPPPPP/RNBQKB1R w KQkq - 0 1", &[TooManyWhitePromotions], Some(Suspicious)),
        ("4kb1b/pppppppp/8/8/8/8/8/4K3 w - - 0 1", &[TooManyBlackPromotions], Some(Suspicious)),
        ("4kbb1/ppppppp1/8/8/8/8/8/4K3 w - - 0 1", &[], None), // one bishop on each colour
        ("rqn2rk1/p4pbp/1p1pn1p1/1Q2p3/P2PP3/6P1/1PNQNPBP/R2QBRK1 b - a3 0 12",
            &[TooManyWhitePieces], Some(Suspicious)),
        ("nrnq1rk1/2pp1bbp/pp2ppp1/8/3NPP2/3PB3/PPP1B1PP/1RbQ2K1 w - - 0 9",
            &[TooManyBlackPieces], Some(Suspicious)),
        ("QQQQQQ1k/Q6p/Q7/Q7/Q7/Q7/Q7/KQQQQQ2 w - - 0 1",
            &[OppositeCheck, TooManyMoves, TooManyWhitePieces], Some(Fatal)),
        // Checks.
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", &[OppositeCheck], Some(Fatal)),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", &[OppositeCheck], Some(Fatal)),
        ("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", &[], None),
        ("3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1", &[ImpossibleCheck], Some(Suspicious)),
        ("4k3/8/8/8/8/3n1n2/8/r3K3 w - - 0 1", &[ImpossibleCheck], Some(Suspicious)), // triple
        ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", &[ImpossibleCheck], Some(Suspicious)),
        ("8/8/8/8/1k1Pp3/8/8/B3K3 b - d3 0 1", &[], None),
        ("8/8/8/4k3/3Pp3/8/8/4K3 b - d3 0 1", &[], None), // the pawn gives check
        ("8/8/7k/8/3Pp3/8/8/2B1K3 b - d3 0 1", &[], None), // the pawn uncovers the check
        // The pawn gives check, but before its step the bishop did.
        ("8/8/8/4k3/3Pp3/8/1B6/4K3 b - d3 0 1", &[ImpossibleCheck], Some(Suspicious)),
        // Castling.
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", &[BadCastlingRights], Some(Repairable)),
        ("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", &[BadCastlingRights], Some(Repairable)),
        ("4k3/8/8/8/8/8/8/R3K2R w kq - 0 1", &[BadCastlingRights], Some(Repairable)),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", &[BadCastlingRights], Some(Repairable)),
        ("2r1k2r/2pn1pp1/1p3n1p/p3PP2/4q2B/P1P5/2Q1N1PP/R4RK1 w q - 0 1", &[BadCastlingRights], Some(Repairable)),
        // En passant.
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", &[InvalidEnPassant], Some(Repairable)),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1", &[InvalidEnPassant], Some(Repairable)),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", &[InvalidEnPassant], Some(Repairable)),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", &[InvalidEnPassant], Some(Repairable)),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e5 0 1", &[InvalidEnPassant], Some(Repairable)),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e8 0 1", &[InvalidEnPassant], Some(Repairable)),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", &[], None), // no capture is possible: no defect
        // Clocks.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 0", &[FullmoveZero], Some(Repairable)),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 57 3", &[ClockBeyondGame], Some(Suspicious)),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 4 3", &[], None),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 57 1", &[], None), // move number 1: clocks unknown
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 5 10", &[EnPassantClock], Some(Repairable)),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 99999999999 1", &[ClockOverflow], Some(Repairable)),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 99999999999", &[ClockOverflow], Some(Repairable)),
        // Several defects at once.
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w K e6 0 0",
            &[BadCastlingRights, InvalidEnPassant, FullmoveZero, TooManyWhitePawns], Some(Repairable)),
    ];
    for &(fen, expected, severity) in table {
        let setup: Setup = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let (defects, playable) = match setup.validate(CastlingMode::Standard) {
            Ok(validated) => (validated.defects, true),
            Err(error) => (error.0, false),
        };
        assert_eq!(defects.iter().collect::<Vec<_>>(), expected, "{fen}");
        assert_eq!(defects.severity(), severity, "{fen}");
        assert_eq!(playable, severity != Some(Fatal), "{fen}");
    }
    let untested: Vec<_> = Defect::ALL
        .into_iter()
        .filter(|defect| !table.iter().any(|(_, defects, _)| defects.contains(defect)))
        .collect();
    assert_eq!(untested, []);
}

#[test]
fn repairs_leave_a_sound_position() {
    #[rustfmt::skip]
    let table = [
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "4k3/4p3/8/4p3/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 0", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 5 10", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 10"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 99999999999 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    ];
    for (fen, expected) in table {
        let setup: Setup = fen.parse().expect(fen);
        let validated = setup.validate(CastlingMode::Standard).expect(fen);
        assert_eq!(validated.position.to_string(), expected, "{fen}");
        let again = validated
            .position
            .to_setup()
            .validate(CastlingMode::Standard)
            .expect(fen);
        assert!(again.defects.is_empty(), "{fen}: {:?}", again.defects);
        assert_eq!(again.position, validated.position);
    }
}

#[test]
fn untidy_text_is_read_and_tidy_text_written() {
    #[rustfmt::skip]
    let table = [
        ("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR \t w  KQkq   -  0 1 \r\n", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 00 01", START),
        ("rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", START),
        ("rnbqkbnr/pppppppp/11111111/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KAhq - 0 1", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", START),
        ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQKQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    ];
    for (untidy, tidy) in table {
        let setup: Setup = untidy
            .parse()
            .unwrap_or_else(|error| panic!("{untidy}: {error}"));
        assert_eq!(setup.to_string(), tidy, "{untidy}");
    }
}

/// X-FEN names the outermost rook `K` or `Q` and an inner one by its file. Shredder names all by
/// file.
#[test]
fn castling_is_read_and_written_in_both_forms() {
    #[rustfmt::skip]
    let table = [
        // Board, castling field as read, as X-FEN, as Shredder-FEN.
        ("4k3/8/8/8/8/8/8/R3K2R", "KQ", "KQ", "HA"),
        ("4k3/8/8/8/8/8/8/R3K2R", "HA", "KQ", "HA"),
        ("4k3/8/8/8/8/8/8/R3KR1R", "K", "K", "H"),
        ("4k3/8/8/8/8/8/8/R3KR1R", "F", "F", "F"),
        ("4k3/8/8/8/8/8/8/RR2K2R", "B", "B", "B"),
        ("4k3/8/8/8/8/8/8/RR2K2R", "Q", "Q", "A"),
        ("4k3/8/8/8/8/8/8/1R3KR1", "KQ", "KQ", "GB"),
        ("rk3r2/8/8/8/8/8/1P3P2/1R3KR1", "KQkq", "KQkq", "GBfa"),
        ("rk3r2/8/8/8/8/8/1P3P2/1R3KR1", "GBfa", "KQkq", "GBfa"),
        ("r1k2r1r/8/8/8/8/8/8/6K1", "fa", "fq", "fa"),
        ("4k3/8/8/8/8/8/8/4K3", "-", "-", "-"),
    ];
    for (board, read, x_fen, shredder) in table {
        let fen = |castling: &str| format!("{board} w {castling} - 0 1");
        let setup: Setup = fen(read).parse().expect(board);
        assert_eq!(setup.to_string(), fen(x_fen));
        assert_eq!(setup.to_shredder_fen(), fen(shredder));
        let validated = setup.validate(CastlingMode::Chess960).expect(board);
        assert!(
            validated.defects.is_empty(),
            "{board} {read}: {:?}",
            validated.defects
        );
        assert_eq!(validated.position.to_string(), fen(x_fen));
    }
}

#[test]
fn of_two_rights_on_one_side_the_outer_one_is_kept() {
    let setup: Setup = "4k3/8/8/8/8/8/8/4KR1R w HF - 0 1".parse().expect("a FEN");
    let validated = setup.validate(CastlingMode::Chess960).expect("repairable");
    assert!(validated.defects.contains(Defect::BadCastlingRights));
    assert_eq!(
        validated.position.to_setup().to_shredder_fen(),
        "4k3/8/8/8/8/8/8/4KR1R w H - 0 1"
    );
}

/// Files of rooks mean Chess960. `KQkq` mean standard chess if one of the rights is possible there,
/// and Chess960 only if all are possible, but none in standard chess.
#[test]
fn the_letters_of_the_castling_field_tell_standard_chess_from_chess960() {
    use CastlingMode::{Chess960, Standard};
    #[rustfmt::skip]
    let table = [
        // Board, castling field, mode, castling field of the repaired position.
        // A right that was lost: the others are standard.
        ("r2k3r/p1ppqpb1/bn2pQp1/3PN3/1p2P3/2N4p/PPPBBPPP/R3K1R1", "Qkq", Standard, "Q"),
        ("r3k2r/8/8/8/8/8/8/R4RK1", "KQkq", Standard, "kq"),
        ("r3k2r/8/8/8/8/8/8/1R2K2R", "KQkq", Standard, "Kkq"),
        ("1r2k3/8/8/8/8/8/8/R3K2R", "KQq", Standard, "KQ"),
        ("rr2k3/8/8/8/8/8/8/R3K3", "Qq", Standard, "Qq"),
        ("4k2r/8/8/8/8/8/8/2KR3R", "KQk", Standard, "k"),
        // No right is possible in standard chess, and one is not possible at all.
        ("6k1/8/8/8/8/8/8/R4RK1", "KQq", Standard, "-"),
        ("r4rk1/8/8/8/8/8/8/R4RK1", "KQkq", Standard, "-"),
        ("4k3/8/8/8/8/8/8/4K3", "KQkq", Standard, "-"),
        // All rights are possible, but none in standard chess.
        ("1r3kr1/8/8/8/8/8/8/1R3KR1", "KQkq", Chess960, "KQkq"),
        ("r4k2/8/8/8/8/8/8/R4K2", "Qq", Chess960, "Qq"),
        ("4k3/8/8/8/8/8/8/R1K4R", "KQ", Chess960, "KQ"),
        // Files.
        ("r3k2r/8/8/8/8/8/8/R3K2R", "HAha", Chess960, "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R", "KAkq", Chess960, "KQkq"),
        ("1r2k2r/8/8/8/8/8/8/1R2K2R", "HBhb", Chess960, "HBhb"),
        ("4k3/8/8/8/8/8/8/R3K3", "HA", Chess960, "Q"),
        // No rook stands on the files.
        ("r3k3/8/8/8/8/8/8/R3K3", "Bq", Standard, "q"),
        ("r3k3/8/8/8/8/8/8/4K3", "HAha", Chess960, "q"),
        ("4k3/8/8/8/8/8/8/4K3", "HAha", Standard, "-"),
    ];
    for (board, letters, mode, kept) in table {
        let fen = |letters: &str| format!("{board} w {letters} - 0 1");
        let text = fen(letters);
        let read = Position::from_fen_repaired(&text, None).expect(&text);
        assert_eq!(read.mode, mode, "{text}");
        assert_eq!(text.parse::<Epd>().map(|epd| epd.mode), Ok(mode), "{text}");
        assert_eq!(read.position.to_string(), fen(kept), "{text}");
        let is_kept = letters.len() == kept.len() && kept != "-";
        assert_eq!(read.repairs().is_empty(), is_kept, "{text}");
        // The strict reader refuses what the other one drops.
        assert_eq!(text.parse::<Position>().is_ok(), is_kept, "{text}");
        // What the user or the protocol says decides.
        for stated in [Standard, Chess960] {
            let read = Position::from_fen_repaired(&text, Some(stated)).expect(&text);
            assert_eq!(read.mode, stated, "{text}");
        }
    }
}

/// The FEN of a game tells its mode as far as castling depends on it.
#[test]
fn a_fen_is_read_in_the_mode_in_which_it_was_written() {
    let table = [
        ("r3k2r/8/8/8/8/8/8/R3K2R", "HAha", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/1R2K2R", "HBha", "Kkq", "HBha"),
        ("1r3kr1/8/8/8/8/8/8/1R3KR1", "GBgb", "-", "KQkq"),
        ("4kr1r/8/8/8/8/8/8/4KR1R", "Ff", "-", "Ff"),
        ("4k3/8/8/8/8/8/8/4K3", "-", "-", "-"),
    ];
    for (board, files, standard, chess960) in table {
        let fen = |letters: &str| format!("{board} w {letters} - 0 1");
        for (mode, expected) in [
            (CastlingMode::Standard, standard),
            (CastlingMode::Chess960, chess960),
        ] {
            let read = Position::from_fen_repaired(&fen(files), Some(mode)).expect(files);
            let written = read.position.to_fen(mode);
            assert_eq!(written, fen(expected), "{mode:?}");
            let again = Position::from_fen_repaired(&written, None).expect(&written);
            assert_eq!(again.position, read.position, "{written}");
            assert_eq!(
                again.mode == mode,
                expected != "-" || mode == CastlingMode::Standard
            );
            // Without a known mode, no right is lost.
            assert_eq!(
                Position::from_fen(&read.position.to_string()),
                Ok(read.position)
            );
        }
    }
}

#[test]
fn the_strict_reader_refuses_every_repair_and_keeps_suspicious_positions() {
    #[rustfmt::skip]
    let table = [
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", false),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 0", false),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 5 10", false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 99999999999 1", false),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", false),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", true),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4K3 w -", true),
    ];
    for (fen, is_accepted) in table {
        assert_eq!(fen.parse::<Position>().is_ok(), is_accepted, "{fen}");
        let repaired = Position::from_fen_repaired(fen, None);
        let is_sound = repaired.is_ok_and(|read| read.repairs().is_empty());
        assert_eq!(is_sound, is_accepted, "{fen}");
    }
}

#[test]
fn an_epd_line_is_four_fields_and_the_rest() {
    #[rustfmt::skip]
    let table = [
        ("4k3/8/8/8/8/8/8/4K3 w - - bm e1e2; id \"a b\";", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "bm e1e2; id \"a b\";"),
        ("4k3/8/8/8/8/8/8/4K3 b - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K3 w - - ;D1 5", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", ";D1 5"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 7 42 ;D1 5", "4k3/8/8/8/8/8/8/4K3 w - - 7 42", ";D1 5"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc 7; fmvn 42;", "4k3/8/8/8/8/8/8/4K3 w - - 7 42", "hmvc 7; fmvn 42;"),
        ("4k3/8/8/8/8/8/8/4K3 w - - id \"a\"; hmvc 7;", "4k3/8/8/8/8/8/8/4K3 w - - 7 1", "id \"a\"; hmvc 7;"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3 ; id \"a\";", "4k3/8/8/8/8/8/8/4K3 w - - 3 1", "; id \"a\";"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 7;", "4k3/8/8/8/8/8/8/4K3 w - - 7 1", ""),
        // The counters of a FEN come first.
        ("4k3/8/8/8/8/8/8/4K3 w - - 1 2 hmvc 7;", "4k3/8/8/8/8/8/8/4K3 w - - 1 2", "hmvc 7;"),
    ];
    for (line, fen, operations) in table {
        let epd: Epd = line.parse().expect(line);
        assert_eq!(epd.setup.to_string(), fen, "{line}");
        assert_eq!(epd.operations, operations, "{line}");
    }
    assert_eq!("".parse::<Epd>(), Err(FenError::Empty));
}

#[test]
fn positions_of_games_read_back_equal() {
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, 100 + seed as u64, 20_000, |position, _| {
            let setup = position.to_setup();
            let (x_fen, shredder) = (setup.to_string(), setup.to_shredder_fen());
            assert_eq!(x_fen, position.to_string());
            assert_eq!(x_fen.parse().as_ref(), Ok(&setup));
            assert_eq!(shredder.parse().as_ref(), Ok(&setup));
            assert_eq!(Position::from_fen(&shredder).as_ref(), Ok(position));
            let epd: Epd = x_fen.parse().expect("a FEN begins as an EPD line does");
            assert_eq!((epd.setup, epd.operations.as_str()), (setup, ""));
        });
    }
}

/// A random board that has a king of each colour.
fn board_with_kings() -> impl Strategy<Value = String> {
    let pieces: Vec<_> = "pnbrqPNBRQ111111111111111111111111".chars().collect();
    let board = prop::collection::vec(prop::sample::select(pieces), 64);
    // The square of the black king is counted on from that of the white one.
    let kings = (0..64_usize, 1..64_usize);
    (board, kings).prop_map(|(mut board, (white, distance))| {
        board[white] = 'K';
        board[(white + distance) % 64] = 'k';
        let ranks: Vec<_> = board.chunks(8).map(String::from_iter).collect();
        ranks.join("/")
    })
}

/// A board and fields in the alphabet of a FEN, most of them wrong.
fn near_fen() -> impl Strategy<Value = String> {
    let fields =
        "[wbWB-]? [KQkqA-Ha-h]{0,5}-? (-|[a-i][0-9]) -?[0-9]{0,11} [0-9]{0,11}( \\PC{1,5})?";
    (board_with_kings(), fields).prop_map(|(board, fields)| format!("{board} {fields}"))
}

/// A FEN with a random board.
fn any_board() -> impl Strategy<Value = String> {
    let fields = "[wb] ([KQkqA-Ha-h]{1,4}|-) (-|[a-h][1-8]) [0-9]{1,2} [0-9]{1,2}";
    (board_with_kings(), fields).prop_map(|(board, fields)| format!("{board} {fields}"))
}

/// Reads the text and uses the position, if there is one. Nothing may panic.
fn read_and_use(text: &str) {
    let _ = text.parse::<Epd>();
    let Ok(setup) = text.parse::<Setup>() else {
        return;
    };
    assert_eq!(setup.to_string().parse().as_ref(), Ok(&setup), "{text}");
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        if let Ok(validated) = setup.validate(mode) {
            let position = validated.position;
            assert_eq!(
                Position::from_fen(&position.to_string()),
                Ok(position),
                "{text}"
            );
            for mv in position.legal_moves() {
                assert!(position.is_legal(mv));
                let next = position.play(mv).unwrap();
                assert_eq!(next.legal_moves().len() as u64, next.legal_move_count());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_any_text_never_panics(text in "\\PC{0,120}") {
        read_and_use(&text);
    }

    #[test]
    fn reading_a_near_fen_never_panics(text in near_fen()) {
        read_and_use(&text);
    }

    #[test]
    fn reading_any_board_never_panics(text in any_board()) {
        text.parse::<Setup>().expect("a FEN");
        read_and_use(&text);
    }

    /// The likeliest error: a FEN with one character changed.
    #[test]
    fn reading_a_damaged_fen_never_panics(at in 0..START.len(), with in "\\PC") {
        let mut text = START.to_owned();
        text.replace_range(at..=at, &with);
        read_and_use(&text);
    }
}
