//! PGN: games written here read back equal, and games of other programs are read as far as
//! possible.
//!
//! `TABIYA_PGN_OUT=FILE cargo test written_games` also writes games to a file, which
//! `pgn_python_chess.py` compares with what python-chess reads.

use crate::process;
use crate::random_games::RandomPlayer;
use std::fmt::Write as _;
use std::io;
use tabiya::board::Position;
use tabiya::game::pgn::{Note, PgnGame, ReadGame, Reader, TagError};
use tabiya::game::{Game, GameResult, lan};
use tabiya::types::CastlingMode;

pub(crate) fn read(text: &[u8]) -> Vec<ReadGame> {
    Reader::new(text).map(Result::unwrap).collect()
}

/// The moves in coordinates.
pub(crate) fn moves(game: &PgnGame) -> String {
    let moves: Vec<_> = game
        .history()
        .moves()
        .map(|mv| lan::write(mv, game.mode()))
        .collect();
    moves.join(" ")
}

/// Writes and reads `count` random games; returns the text.
fn round_trip(count: usize) -> String {
    const NAMES: [&str; 5] = ["Tabiya", "O'Kelly \"Bert\"", "back\\slash", "Дебют]", ""];
    let mut random = RandomPlayer::new(5);
    let mut text = String::new();
    let mut games = Vec::new();
    for round in 0..count {
        let plies = random.below(240);
        let game = random.game(plies);
        let mut pgn = PgnGame::from_game(&game);
        pgn.set_tag("White", NAMES[random.below(5)]).unwrap();
        pgn.set_tag("Round", &round.to_string()).unwrap();
        pgn.set_tag("FinalFEN", &game.position().to_string())
            .unwrap();
        writeln!(text, "{pgn}").unwrap();
        games.push(pgn);
    }
    assert!(
        text.lines()
            .all(|line| line.starts_with('[') || line.len() < 80)
    );
    let mut reader = Reader::new(text.as_bytes());
    for written in games {
        let read = reader.next().unwrap().unwrap();
        assert_eq!(read.errors, []);
        assert_eq!(read.game, written);
    }
    assert!(reader.next().is_none());
    text
}

#[test]
fn written_games_read_back_equal() {
    let text = round_trip(300);
    if let Some(path) = std::env::var_os("TABIYA_PGN_OUT") {
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn a_game_with_moves_taken_back_reads_back_equal() {
    let mut game = Game::default();
    game.push_san("e4").unwrap();
    game.push_san("e5").unwrap();
    game.undo();
    let pgn = PgnGame::from_game(&game);
    assert_eq!(read(pgn.to_string().as_bytes())[0].game, pgn);
}

#[test]
#[ignore = "long"]
fn ten_thousand_games_read_back_equal() {
    round_trip(10_000);
}

#[test]
fn the_export_format_is_written() {
    let mut game = Game::default();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
        let mv = lan::parse(game.position(), text).unwrap();
        game.play(mv).unwrap();
    }
    game.claim_draw(None).unwrap();
    let mut pgn = PgnGame::from_game(&game);
    pgn.set_tag("White", "A \"B\" \\").unwrap();
    pgn.set_tag("Annotator", "nobody").unwrap();
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A \"B\" \\"]
[Black "?"]
[Result "1/2-1/2"]
[Annotator "nobody"]
[Termination "normal"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2
"#;
    assert_eq!(pgn.to_string(), expected);
}

#[test]
fn a_game_from_a_setup_has_the_fen_tags() {
    let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 30\"]\n\n30... Kd7 31. O-O *\n";
    let game = read(text.as_bytes()).remove(0).game;
    assert_eq!(game.tag("SetUp").unwrap(), "1");
    let written = game.to_string();
    assert!(written.contains("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 30\"]\n"));
    assert!(written.ends_with("\n30... Kd7 31. O-O *\n"));
}

/// A note belongs to a position, so it stays as far as the positions are the same.
#[test]
fn notes_are_kept_where_a_game_goes_on_and_not_in_one_from_another_start() {
    let text = b"{before} 1. e4 {first} e5 {second} 2. Nf3 {third} *\n";
    let read = read(text).remove(0).game;
    let odds = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1";
    let odds = Game::new(Position::from_fen(odds).unwrap(), read.mode());
    for (start, moves, kept) in [
        (
            Game::default(),
            "e4 e5 Nf3 Nc6",
            "before first second third",
        ),
        (Game::default(), "e4 e5", "before first second"),
        (Game::default(), "e4 c5 Nf3", "before first"),
        (odds.clone(), "e4 e5", ""),
        (odds, "", ""),
    ] {
        let mut game = start;
        for mv in moves.split_whitespace() {
            game.push_san(mv).unwrap();
        }
        let written = read.continued(&game).to_string();
        let comments = written.split('{').skip(1);
        let comments = comments.map(|rest| rest.split('}').next().unwrap());
        assert_eq!(comments.collect::<Vec<_>>().join(" "), kept, "{written}");
    }
}

#[test]
fn tags_that_cannot_be_written_are_refused() {
    let mut game = PgnGame::from_game(&Game::default());
    for name in ["", "a b", "a\"b", "a]", "%a", "a\u{200B}"] {
        assert_eq!(game.set_tag(name, ""), Err(TagError::Name(name.to_owned())));
    }
    for name in ["Result", "FEN", "SetUp", "Variant"] {
        assert_eq!(
            game.set_tag(name, ""),
            Err(TagError::Derived(name.to_owned()))
        );
    }
    let error = game.set_tag("Event", "two\nlines");
    assert_eq!(error, Err(TagError::Value("Event".to_owned())));
}

#[test]
fn games_of_other_programs_are_read_with_their_errors() {
    // Text, moves, result, errors.
    let table: [(&[u8], &str, &str, &[&str]); 55] = [
        (b"1. e4 e5 1-0", "e2e4 e7e5", "1-0", &[]),
        (b"e4 e5 *", "e2e4 e7e5", "*", &[]),
        (b"1.e4 e5 2.Nf3", "e2e4 e7e5 g1f3", "*", &[]),
        (
            b"1.e4! $1 {good ) ; [} e5?! (1... c5 (1... c6 {deep}) 2. c3 1-0) 2.Nf3 ; rest ) of line\r\n 2...Nc6 0-1",
            "e2e4 e7e5 g1f3 b8c6",
            "0-1",
            &[],
        ),
        (b"\xEF\xBB\xBF[Event \"x\"]\r\n\r\n1. d4 d5 1/2-1/2\r\n", "d2d4 d7d5", "1/2-1/2", &[]),
        (b"% skipped [\n[Event \"x\"]\n%\n1. d4\n% and this\nd5 *", "d2d4 d7d5", "*", &[]),
        (b"1. e4 {over\ntwo (lines\n% and three} e5 *", "e2e4 e7e5", "*", &[]),
        (b"1. e4 d5 2. exd5 c5 3. dxc6 e.p. *", "e2e4 d7d5 e4d5 c7c5 d5c6", "*", &[]),
        (b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.0-0 *", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1", "*", &[]),
        (b"1.e4 += e5 +/- 2.Nf3 ?! *", "e2e4 e7e5 g1f3", "*", &[]),
        (b"1... e5 *", "", "*", &["line 1: e5 is not a legal move here; the rest of the game is kept as a comment"]),
        (b"1. e4 -- 2. d4 *", "e2e4 0000 d2d4", "*", &["line 1: '--' is a null move, which is not legal in chess"]),
        (b"1. e4\ne5\n2. Ke3 d5 1-0", "e2e4 e7e5", "1-0", &["line 3: Ke3 is not a legal move here; the rest of the game is kept as a comment"]),
        (b"1. e4 ) e5 *", "e2e4 e7e5", "*", &["line 1: ')' closes no variation"]),
        (b"1. e4 0000 2. d4 *", "e2e4 0000 d2d4", "*", &["line 1: '0000' is a null move, which is not legal in chess"]),
        (b"[FEN \"4k3/8/8/8/8/8/8/4K3 w K - 0 1\"]\n\n1. Kd1 *", "e1d1", "*", &["line 1: the start position was repaired: a castling right lacks its king or rook"]),
        // The notation of ChessBase and others: read, with an error.
        (b"1. Nf3+= Nf6 *", "g1f3 g8f6", "*", &["line 1: 'Nf3+=' is not standard notation"]),
        (b"1. Nf3+/- Nf6-+ *", "g1f3 g8f6", "*", &["line 1: 'Nf3+/-' is not standard notation", "line 1: 'Nf6-+' is not standard notation"]),
        ("1. ♘f3 ♞f6 2. ♙e4 *".as_bytes(), "g1f3 g8f6 e2e4", "*", &["line 1: '♘f3' is not standard notation", "line 1: '♞f6' is not standard notation", "line 1: '♙e4' is not standard notation"]),
        ("1. e4 e5 2. ♔e2 ♚e7 *".as_bytes(), "e2e4 e7e5 e1e2 e8e7", "*", &["line 1: '♔e2' is not standard notation", "line 1: '♚e7' is not standard notation"]),
        (b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.OO Nf6 *", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 g8f6", "*", &["line 1: 'OO' is not standard notation"]),
        (b"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.00 Nf6 *", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 g8f6", "*", &["line 1: '00' is not standard notation"]),
        (b"[FEN \"7k/P7/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. a8(Q)+ Kh7 2. OOO *", "a7a8q h8h7 e1c1", "*", &["line 3: 'a8(Q)' is not standard notation", "line 3: 'OOO' is not standard notation"]),
        (b"[FEN \"7k/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8/Q+ (1. a8(R)+) 1... Kh7 *", "a7a8q h8h7", "*", &["line 3: 'a8/Q+' is not standard notation"]),
        (b"1. e4 <x> e5 <diagram 3> 2. Nf3 *", "e2e4 e7e5 g1f3", "*", &["line 1: '<x>' is reserved for future use", "line 1: '<diagram 3>' is reserved for future use"]),
        ("1. e4 ~~ e5 ♘ *".as_bytes(), "e2e4 e7e5", "*", &["line 1: '~~' is not standard notation", "line 1: '♘' is not a move such as Nf3, exd5, e8=Q or O-O; the rest of the game is kept as a comment"]),
        (b"1. e4 e5 2. Nf3 Nf6 3. Bb5 Bb4 4. O-O+! O-O!? *", "e2e4 e7e5 g1f3 g8f6 f1b5 f8b4 e1g1 e8g8", "*", &[]),
        (b"1. e4 e5 2. Nf3 Nf6 3. Bb5 Bb4 4. O - O+! 0 - 0 *", "e2e4 e7e5 g1f3 g8f6 f1b5 f8b4 e1g1 e8g8", "*", &["line 1: 'O - O+!' is not standard notation", "line 1: '0 - 0' is not standard notation"]),
        (b"[ %clk \"x\"]\n\n1. e4 *", "e2e4", "*", &["line 1: [ %clk \"x\"] is not a tag such as [White \"Name\"]"]),
        // Results that differ from the board.
        (b"[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0", "f2f3 e7e5 g2g4 d8h4", "1-0", &["line 1: the recorded result is 1-0, the board gives 0-1"]),
        (b"1. f3 e5 2. g4 Qh4# 1/2-1/2", "f2f3 e7e5 g2g4 d8h4", "1/2-1/2", &["line 1: the recorded result is 1/2-1/2, the board gives 0-1"]),
        (b"1. f3 e5 2. g4 Qh4# 3. a3 1/2-1/2", "f2f3 e7e5 g2g4 d8h4", "1/2-1/2", &["line 1: a3 is not a legal move here; the rest of the game is kept as a comment", "line 1: the recorded result is 1/2-1/2, the board gives 0-1"]),
        (b"1. f3 e5 2. g4 Qh4# 0-1", "f2f3 e7e5 g2g4 d8h4", "0-1", &[]),
        (b"1. f3 e5 2. g4 Qh4# *", "f2f3 e7e5 g2g4 d8h4", "*", &[]),
        (b"[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 1-0", "f1f7", "1-0", &["line 3: the recorded result is 1-0, the board gives 1/2-1/2"]),
        (b"[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 1/2-1/2", "f1f7", "1/2-1/2", &[]),
        (b"1. e4 [x] e5 *", "e2e4", "*", &["line 1: '[x] e5 *' is not a move; the rest of the game is kept as a comment"]),
        (b"1. e4\n[A b] e5 *", "e2e4", "*", &["line 2: '[A b] e5 *' is not a move; the rest of the game is kept as a comment"]),
        (b"1. e4 } e5 *", "e2e4", "*", &["line 1: '}' closes nothing; the rest of the game is kept as a comment"]),
        (b"1. e4 (1. d4 e5", "e2e4", "*", &["line 1: a variation begins here and is not closed with ')'; the rest of the game is kept as a comment"]),
        (b"1. e4\n{ e5 *", "e2e4", "*", &["line 2: a comment begins here and is not closed with '}'; the rest of the game is kept in it"]),
        (b"[Result \"1-0\"]\n\n1. e4 1/2-1/2", "e2e4", "1-0", &["line 3: the Result tag is 1-0, the moves end with 1/2-1/2"]),
        (b"[Result \"1-0\"]\n\n1. e4", "e2e4", "1-0", &[]),
        // A second result.
        (b"1. e4 e5 0-1 1-0", "e2e4 e7e5", "0-1", &["line 1: the moves end with two results, 0-1 and 1-0"]),
        (b"1. e4 e5 0-1 {x}\n1-0 *", "e2e4 e7e5", "0-1", &["line 2: the moves end with two results, 0-1 and 1-0", "line 2: the moves end with two results, 0-1 and *"]),
        (b"1. e4 e5 *\n1-0", "e2e4 e7e5", "1-0", &["line 2: the moves end with two results, * and 1-0"]),
        (b"1. e4 e5 1-0 1-0 1-0", "e2e4 e7e5", "1-0", &["line 1: '1-0' is not standard notation"]),
        (b"1. e4 e6 2. Ke4 d5 1-0 0-1", "e2e4 e7e6", "1-0", &["line 1: Ke4 is not a legal move here; the rest of the game is kept as a comment", "line 1: the moves end with two results, 1-0 and 0-1"]),
        // A glyph that is none.
        (b"1. e4 $256 e5 $1000 2. Nf3 $ 1-0", "e2e4 e7e5 g1f3", "1-0", &["line 1: '$256' is not standard notation", "line 1: '$1000' is not standard notation", "line 1: '$' is not standard notation"]),
        (b"[Result \"?\"]\n\n1. e4 0-1", "e2e4", "0-1", &[]),
        (b"[SetUp \"1\"]\n[FEN \"\"]\n\n1. e4 0-1", "e2e4", "0-1", &[]),
        (b"[White \"A\"]\n[White \"B\"]\n\n1. e4 0-1", "e2e4", "0-1", &["line 2: the tag White occurs twice; the first counts"]),
        (b"[White A]\n\n1. e4 0-1", "e2e4", "0-1", &["line 1: [White A] is not a tag such as [White \"Name\"]"]),
        (b"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 0-1", "", "0-1", &["line 1: illegal position: the board is empty; White has no king; Black has no king"]),
        (b"[Variant \"Atomic\"]\n\n1. e4 0-1", "", "0-1", &["line 1: variant 'Atomic' is not played here; the game is kept as it is"]),
    ];
    for (text, expected, result, expected_errors) in table {
        let shown = String::from_utf8_lossy(text);
        let games = read(text);
        assert_eq!(games.len(), 1, "{shown}");
        let ReadGame { game, errors, .. } = &games[0];
        assert_eq!(moves(game), expected, "{shown}");
        // The sentence says so if moves are missing, or why the game is not played.
        let says_so = expected_errors.iter().any(|error| {
            let words = ["the rest of the game", "illegal position", "not played"];
            words.iter().any(|words| error.contains(words))
        });
        assert_eq!(games[0].is_complete, !says_so, "{shown}");
        assert_eq!(game.result().token(), result, "{shown}");
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        let expected: Vec<_> = expected_errors
            .iter()
            .map(|error| format!("game 1, {error}"))
            .collect();
        assert_eq!(errors, expected, "{shown}");
    }
}

#[test]
fn a_result_can_be_corrected() {
    let mut game = read(b"[Termination \"time forfeit\"]\n\n1. e4 0-1")
        .remove(0)
        .game;
    game.set_result(GameResult::BlackWins);
    assert_eq!(game.tag("Termination").unwrap(), "time forfeit");
    game.set_result(GameResult::Drawn);
    assert_eq!(game.tag("Result").unwrap(), "1/2-1/2");
    assert_eq!(game.tag("Termination"), None);
}

#[test]
fn each_figurine_is_its_piece() {
    let figurines = "1. ♙e4 ♟e5 2. ♕f3 ♛f6 3. ♗c4 ♝c5 4. ♘c3 ♞c6 5. ♖b1 ♜b8 6. ♔e2 ♚e7 *";
    let letters = "1. e4 e5 2. Qf3 Qf6 3. Bc4 Bc5 4. Nc3 Nc6 5. Rb1 Rb8 6. Ke2 Ke7 *";
    let read = |text: &str| read(text.as_bytes()).remove(0);
    assert_eq!(moves(&read(figurines).game), moves(&read(letters).game));
    assert_eq!(read(figurines).errors.len(), 12);
    assert_eq!(read(letters).errors, []);
}

#[test]
fn text_that_cannot_be_read_is_a_game_unless_it_is_reserved() {
    let table: [(&str, &[&str]); 6] = [
        ("", &[]),
        ("<x>\n", &[]),
        ("{only a comment}\n", &[]),
        (
            "[]\n",
            &["line 1: [] is not a tag such as [White \"Name\"]"],
        ),
        (
            "]\n",
            &["line 1: ']' closes nothing; the rest of the game is kept as a comment"],
        ),
        (
            "<x>\n]\n",
            &[
                "line 1: '<x>' is reserved for future use",
                "line 2: ']' closes nothing; the rest of the game is kept as a comment",
            ],
        ),
    ];
    for (text, expected) in table {
        let games = read(text.as_bytes());
        assert_eq!(games.len(), usize::from(!expected.is_empty()), "{text}");
        let errors = games.iter().flat_map(|read| &read.errors);
        let errors: Vec<_> = errors.map(ToString::to_string).collect();
        let expected = expected.iter().map(|error| format!("game 1, {error}"));
        assert_eq!(errors, expected.collect::<Vec<_>>(), "{text}");
    }
}

/// Comments, glyphs and variations keep their places and read back equal.
#[test]
fn notes_are_kept() {
    let table: [(&str, &str); 17] = [
        ("{a  game\nbegins} 1. e4 *", "{a game begins} 1. e4 *"),
        ("1. e4 $1 e5?! 2. Nf3!? *", "1. e4 $1 e5 $6 2. Nf3 $5 *"),
        (
            "1. e4 !! e5 ; my } rest\n2. Nf3 *",
            "1. e4 $3 e5 {my ) rest} 2. Nf3 *",
        ),
        ("1. e4 {[%eval 0.3]} e5 *", "1. e4 {[%eval 0.3]} 1... e5 *"),
        (
            "1. e4 e5 (1... c5 {Sicilian\n(open)} 2. Nf3 (2. c3 $14) 2... d6) (1... e6) 2. Nf3 *",
            "1. e4 e5 (1... c5 {Sicilian (open)} 2. Nf3 (2. c3 $14) 2... d6) (1... e6) 2. Nf3 *",
        ),
        (
            "1. e4 (1. d4 ; queen's } pawn\nd5) e5 *",
            "1. e4 (1. d4 {queen's ) pawn} d5) 1... e5 *",
        ),
        ("1. e4 {} e5 { } *", "1. e4 e5 *"),
        (
            "1. e4 (1. d4 } e5) e5 2. Nf3 1-0",
            "1. e4 {(1. d4 ) e5) e5 2. Nf3} 1-0",
        ),
        // What is not closed has the rest of the game.
        (
            "1. e4 e5 (1... c5 2. Nf3 {open} (2. c3 d5\n2. Nf3 1-0",
            "1. e4 e5 {(1... c5 2. Nf3 (open) (2. c3 d5 2. Nf3 1-0} *",
        ),
        ("1. e4 (1. d4\n\n[Event \"next\"]\n\n*", "1. e4 {(1. d4} *"),
        ("1. e4 (1. d4 {d5 e5 1-0", "1. e4 {(1. d4 (d5 e5 1-0} *"),
        ("1. e4 {d5) e5 1-0", "1. e4 {(d5) e5 1-0} *"),
        (
            "1. e4 e5 2. Ke3 {in vain} (2. d4) 1-0 {oh}",
            "1. e4 e5 {2. Ke3 (in vain) (2. d4) (oh)} 1-0",
        ),
        ("1. e4 {x} e5 {y} {z} *", "1. e4 {x} 1... e5 {y z} *"),
        (
            "1. e4 {[%eval 0.3]} {a}{b} ; c\n; d\ne5 *",
            "1. e4 {[%eval 0.3] a b c d} 1... e5 *",
        ),
        // A command that is not closed takes nothing of the comment after it.
        (
            "1. e4 {a [%eval 0.3} {b [%clk 1:00:00] c} {d} *",
            "1. e4 {a [%eval 0.3} {b [%clk 1:00:00] c d} *",
        ),
        ("1. e4 {[%a} {b} {[%c 1]} *", "1. e4 {[%a b} {[%c 1]} *"),
    ];
    for (text, expected) in table {
        let game = read(text.as_bytes()).remove(0).game;
        let written = game.to_string();
        let movetext = written.split_once("\n\n").unwrap().1.replace('\n', " ");
        assert_eq!(movetext.trim_end(), expected, "{text}");
        assert_eq!(read(written.as_bytes())[0].game, game, "{text}");
    }
}

#[test]
fn a_game_with_a_note_or_a_result_is_not_blank() {
    for (text, is_blank) in [
        ("[Event \"?\"]\n\n*", true),
        ("*", true),
        ("[Event \"?\"]\n\n{ } *", true),
        ("[Event \"?\"]\n\n{an idea} *", false),
        ("[Event \"?\"]\n\n$10 *", false),
        ("[Event \"?\"]\n\n(1. e4) *", false),
        ("[Event \"?\"]\n\n1-0", false),
        ("[Result \"0-1\"]\n\n*", false),
        ("1/2-1/2", false),
        ("[Event \"x\"]\n\n*", false),
        // Text in which no game can be read, although it is kept as a comment.
        ("A letter (of 1998) * from *home*", true),
        ("[Event \"?\"]\n\n1. Sf3 d5 1-0", false),
    ] {
        let first = read(text.as_bytes()).remove(0);
        assert_eq!(first.is_blank(), is_blank, "{text}");
    }
}

#[test]
fn notes_that_come_to_stand_side_by_side_read_back_equal() {
    let mut game = read(b"1. e4 {a} $1 {b} (1. d4) {c} *").remove(0).game;
    game.retain_notes(1, |note| matches!(note, Note::Comment(_)));
    assert_eq!(game.notes(1), [Note::Comment("a b c".to_owned())]);
    assert_eq!(read(game.to_string().as_bytes())[0].game, game);
}

/// A caller may add any text as a variation.
#[test]
fn a_variation_that_does_not_end_becomes_a_comment() {
    for text in [
        "1. d4 ; my idea",
        "1. d4 )",
        "1. d4 (1. c4",
        "1. d4 {good",
        "1. d4 } d5",
        "1. d4 [White \"x\"] d5",
        "1. d4 [x",
        "1. d4 [%clk 1",
        "1. d4 ]",
        "1. d4 [%x < 1] d5 > 2",
    ] {
        let mut game = read(b"1. e4 e5 2. Nf3 *").remove(0).game;
        game.add_note(1, Note::Variation(text.to_owned()));
        let again = &read(game.to_string().as_bytes())[0];
        assert_eq!(again.game, game, "{text}");
        assert_eq!(again.game.history().moves().len(), 3, "{text}");
    }
    // A command ends.
    let variation = [Note::Variation("1. d4 [%clk 0:01] d5".to_owned())];
    let text = b"1. e4 (1. d4 [%clk 0:01] d5) *";
    assert_eq!(read(text)[0].game.notes(1), variation);
}

/// Some are found only when the game is complete.
#[test]
fn errors_are_in_the_order_of_the_lines() {
    let text = "[Result \"x\"]\n[Foo x]\n\n1. e4 e5\n2. Ke4 *";
    let errors = read(text.as_bytes()).remove(0).errors;
    let lines: Vec<_> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [1, 2, 5]);
}

#[test]
fn a_game_from_another_start_has_its_own_result() {
    let loaded = read(b"[Termination \"adjudication\"]\n\n1-0")
        .remove(0)
        .game;
    let start = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    let other = loaded.continued(&Game::new(start, CastlingMode::Standard));
    assert_eq!(other.result().token(), "*");
    assert_eq!(other.tag("Termination").unwrap(), "unterminated");
    let same = loaded.continued(&Game::new(Position::start(), CastlingMode::Standard));
    assert_eq!(same, loaded);
}

/// The number that the tag gives is that of all moves.
#[test]
fn a_game_that_is_read_in_part_has_no_ply_count() {
    for (text, expected) in [
        ("[PlyCount \"3\"]\n\n1. e4 e5 2. Nf3 *", Some("3")),
        ("[PlyCount \"3\"]\n\n1. e4 e5 2. Kf3 *", None),
        (
            "[PlyCount \"1\"]\n[Variant \"Antichess\"]\n\n1. e4 *",
            Some("1"),
        ),
    ] {
        let game = read(text.as_bytes()).remove(0).game;
        assert_eq!(game.tag("PlyCount").as_deref(), expected, "{text}");
    }
}

/// Where a line ends too; what is no result is read as before.
#[test]
fn a_result_may_be_broken_before_and_after_its_dash() {
    use GameResult::{BlackWins, Drawn, Unknown, WhiteWins};
    for (text, result, plies) in [
        ("1. e4 1 -0", WhiteWins, 1),
        ("1. e4 1/2 -1/2", Drawn, 1),
        ("1. e4 0 - 1", BlackWins, 1),
        ("1. e4 1\n-0", WhiteWins, 1),
        ("1. e4 1/2\n-1/2", Drawn, 1),
        ("1. e4 0 \n - 1", BlackWins, 1),
        ("1. e4 0\r\n-\r\n1\r\n", BlackWins, 1),
        ("1. e4 (1. d4 1\n-0) 1/2\n-\n1/2", Drawn, 1),
        ("1. e4 1/2-\n1/2", Drawn, 1),
        // Half a point each, and nothing that belongs to it.
        ("1. e4 1/2\n\n{a}", Drawn, 1),
        ("1. e4 1/2\n", Drawn, 1),
        // A number without its dot.
        ("1\ne4 e5 2\nNf3 1\n-0", WhiteWins, 3),
    ] {
        for after in ["", "\n[Event \"b\"]\n\n1. c4 *\n"] {
            let games = read(format!("{text}{after}").as_bytes());
            let game = &games[0].game;
            assert_eq!(games[0].errors, [], "{text:?}");
            assert_eq!(game.result(), result, "{text:?}");
            assert_eq!(game.history().moves().len(), plies, "{text:?}");
            assert_eq!(games.len(), 1 + usize::from(!after.is_empty()), "{text:?}");
            let next = games.get(1).map(|read| read.game.tag("Event").unwrap());
            assert!(next.is_none_or(|event| event == "b"), "{text:?}");
        }
    }
    // Castling is no result, and what follows a blank line does not complete one.
    for (text, result, plies) in [
        ("1. Nf3 d5 2. g3 e6 3. Bg2 c6 4. 0-\n0 *", Unknown, 7),
        ("1. Nf3 d5 2. g3 e6 3. Bg2 c6 4. 0\n- 0 *", Unknown, 7),
        ("1. e4 1/2\n\n-1/2", Drawn, 1),
    ] {
        let game = &read(text.as_bytes())[0].game;
        let found = (game.result(), game.history().moves().len());
        assert_eq!(found, (result, plies), "{text:?}");
    }
}

#[test]
fn tag_values_are_unescaped() {
    // The text between the outer quotes, and its value.
    let table: [(&[u8], &str); 6] = [
        (b"plain", "plain"),
        (br#"esc \"quoted\" \\ back"#, r#"esc "quoted" \ back"#),
        (br#"a "naked" quote"#, r#"a "naked" quote"#),
        (br"C:\games", r"C:\games"),
        (b"M\xFCller", "Müller"),
        ("Müller".as_bytes(), "Müller"),
    ];
    for (written, value) in table {
        let text = [b"[Some_Tag \"", written, b"\" ]\n\n*\n"].concat();
        let games = read(&text);
        assert_eq!(games[0].errors, []);
        assert_eq!(games[0].game.tag("Some_Tag").unwrap(), value);
    }
}

#[test]
fn the_letters_of_castling_rights_make_a_game_chess960() {
    let table = [
        (
            "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. f4 f5 *",
            "f2f4 f7f5",
            "Chess960",
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/5K1R w H - 0 1\"]\n\n1. O-O *",
            "f1h1",
            "Chess960",
        ),
        (
            "[Variant \"\"]\n[FEN \"4k3/8/8/8/8/8/8/5K1R w H - 0 1\"]\n\n1. O-O *",
            "f1h1",
            "Chess960",
        ),
        (
            "[Variant \"?\"]\n[FEN \"4k3/8/8/8/8/8/8/5K1R w H - 0 1\"]\n\n1. O-O *",
            "f1h1",
            "Chess960",
        ),
        (
            "[Variant \"Fischerandom\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *",
            "e1h1",
            "Chess960",
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *",
            "e1g1",
            "",
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w H - 0 1\"]\n\n1. O-O *",
            "e1h1",
            "Chess960",
        ),
    ];
    for (text, expected, variant) in table {
        let games = read(text.as_bytes());
        assert_eq!(games[0].errors, [], "{text}");
        assert_eq!(moves(&games[0].game), expected);
        assert_eq!(games[0].game.tag("Variant").unwrap_or_default(), variant);
        // The mode is the same without the tag, because the FEN tells it.
        let written = games[0]
            .game
            .to_string()
            .replace("[Variant \"Chess960\"]\n", "");
        let again = read(written.as_bytes());
        assert_eq!(again[0].errors, [], "{written}");
        assert_eq!(again[0].game.tag("Variant").unwrap_or_default(), variant);
    }
}

/// A game of standard chess stays one, whatever rights its FEN has: those of a king on another
/// square are dropped and reported, and the king does not castle.
#[test]
fn the_variant_of_the_tag_decides_which_castling_rights_count() {
    let lost = |fen: &str, mv: &str| {
        format!("[Variant \"Standard\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{mv} *\n")
    };
    let games = [
        lost(
            "r5k1/1pp1qb1p/1p1r1p2/2n1pPp1/4P3/P2P1NP1/1PR1Q1BP/1R4K1 b q - 0 1",
            "1... O-O-O",
        ),
        lost("1r3kr1/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1", "1. O-O"),
        lost("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "1. O-O-O"),
        lost("4k3/8/8/8/8/8/8/R5K1 w Q - 0 1", "1. O-O-O"),
        lost("r2k3r/8/8/8/8/8/8/R3K1R1 b Qkq - 0 1", "1... O-O"),
        lost("r2k3r/8/8/8/8/8/8/R3K1R1 b GAha - 0 1", "1... O-O-O")
            .replace("Standard", "From Position"),
    ];
    for text in games {
        let game = &read(text.as_bytes())[0];
        let errors: Vec<_> = game.errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors.len(), 2, "{text}{errors:?}");
        assert!(errors[0].contains("lacks its king or rook"), "{errors:?}");
        assert!(errors[1].contains("is not legal here"), "{errors:?}");
        assert_eq!(game.game.tag("Variant"), None, "{text}");
        assert_eq!(moves(&game.game), "", "{text}");
    }
}

/// The time of each of these grew with the square of the length, to seconds.
#[test]
fn long_tokens_are_read_and_written_in_linear_time() {
    type Text = fn(usize) -> String;
    let texts: [Text; 5] = [
        |count| {
            (0..count)
                .map(|number| format!("[A{number} \"b\"]\n"))
                .collect()
        },
        |count| format!("1. e4 {{[% {}}} *", "a ".repeat(count)),
        |count| format!("1. e4 {{{}}} *", "% ".repeat(count)),
        |count| format!("1. e4 {} {} *", "{a} ".repeat(count), "$1 ".repeat(count)),
        |count| format!("1. e4 {} *", "< ".repeat(count)),
    ];
    for text in texts {
        process::assert_linear(&text(3), 25_000, |count| {
            let game = read(text(count).as_bytes()).remove(0).game;
            let again = read(game.to_string().as_bytes()).remove(0).game;
            assert!(again == game, "{}", text(3));
        });
    }
}

#[test]
fn the_games_around_a_broken_one_are_read() {
    let broken = [
        "[Event \"b\"]\n\n1. e4 e5 2. Qxf7 d5 0-1\n",
        "[Event \"b\"]\n\n1. e4 { never closed\n",
        "[Event \"b\"]\n\n1. e4 (1. d4\n",
        "[Event \"b\n\n1. e4 0-1\n",
        "[Event \"b\"]\n[FEN \"nonsense\"]\n\n1. e4 0-1\n",
        "[Event \"b\"]\n\n1. e4 >>> 0-1\n",
    ];
    for middle in broken {
        let text = format!("[Event \"a\"]\n\n1. d4 1-0\n\n{middle}\n[Event \"c\"]\n\n1. c4 *\n");
        let games = read(text.as_bytes());
        let all: Vec<_> = games.iter().map(|read| moves(&read.game)).collect();
        assert_eq!(games.len(), 3, "{middle}");
        assert_eq!(
            (all[0].as_str(), all[2].as_str()),
            ("d2d4", "c2c4"),
            "{middle}"
        );
        let errors: Vec<_> = games.iter().flat_map(|read| &read.errors).collect();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].game, 2);
        assert!((5..=7).contains(&errors[0].line), "{}", errors[0]);
    }
}

#[test]
fn what_follows_the_result_is_kept() {
    for (text, expected) in [
        ("1. e4 e5 0-1 1-0", "1. e4 e5 {1-0} 0-1\n"),
        ("1. e4 e5 0-1 {x}\n1-0 {y}", "1. e4 e5 {x 1-0 y} 0-1\n"),
        ("1. e4 e5 1-0 1-0", "1. e4 e5 1-0\n"),
        ("1. e4 e5 * 1-0", "1. e4 e5 1-0\n"),
        ("1. e4 Ke4 1-0 0-1", "1. e4 {Ke4 (0-1)} 1-0\n"),
        ("1. e4 e5 1-0 $4 {x}", "1. e4 e5 $4 {x} 1-0\n"),
        ("1. e4 e5 1-0 +-", "1. e4 e5 $18 1-0\n"),
        ("1. e4 Ke4 1-0 $4", "1. e4 {Ke4 $4} 1-0\n"),
        (
            "[Variant \"Atomic\"]\n\n1. e4 e5 1-0 0-1",
            "1. e4 e5 {0-1} 1-0\n",
        ),
        (
            "[Variant \"Atomic\"]\n; x } y\n[Site \"b\"]\n\n1. e4 e5 1-0",
            "{x ) y} 1. e4 e5 1-0\n",
        ),
    ] {
        let games = read(text.as_bytes());
        assert_eq!(games.len(), 1, "{text}");
        let written = games[0].game.to_string();
        assert!(
            written.ends_with(&format!("\n{expected}")),
            "{text}: {written}"
        );
        assert_eq!(read(written.as_bytes())[0].game, games[0].game, "{text}");
    }
    let games = read(b"1. e4 e5 1-0 ??\n\n[Event \"b\"]\n\n1. d4 *");
    assert_eq!(games[0].game.notes(2), [Note::Glyph(4)]);
    assert_eq!((games[1].line, games[1].game.notes(0)), (3, &[][..]));
    // What is no note makes another game, and is reported.
    let games = read(b"1. e4 e5 1-0 (time)\n\n1. d4 *");
    assert_eq!(games[0].errors.len(), 1, "{:?}", games[0].errors);
    assert!(games[1].game.to_string().contains("(time)"));
}

#[test]
fn tags_and_results_separate_games() {
    let table = [
        ("", 0),
        ("\n\n% nothing\n", 0),
        ("*", 1),
        ("1. e4 1-0 1. d4 0-1", 2),
        ("1. e4 1-0\n\n0-1", 2),
        ("[Event \"a\"]\n\n[Event \"b\"]\n\n", 2),
        ("[Event \"a\"]\n\n[Site \"b\"]\n\n1. e4 *", 1),
        ("[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. e4", 2),
        ("; made by x\n[Event \"a\"]\n\n1. e4 *", 1),
        ("[Event \"a\"]\n; x\n; y\n[Site \"b\"]\n\n1. e4 *", 1),
        ("[Event \"a\"]\n{x}\n[Site \"b\"]\n\n1. e4 *", 1),
        ("[Event \"a\"]\n\n{x}\n\n[Event \"b\"]\n\n1. e4 *", 2),
        ("{made by x}\n", 0),
        ("1. e4 1-0 {x} ; y\n\n[Event \"b\"]\n\n1. d4 *", 2),
        ("1. e4 1-0 {x} 1. d4 *", 2),
    ];
    for (text, count) in table {
        assert_eq!(read(text.as_bytes()).len(), count, "{text}");
    }
}

/// A disk that fails.
struct Failing;

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk fails"))
    }
}

#[test]
fn a_read_error_comes_after_the_whole_games_and_ends_them() {
    let games = "1. e4 e5 1-0\n\n1. d4 *\n\n";
    for (text, whole) in [
        (String::new(), 0),
        (games.to_owned(), 2),
        (format!("{games}1. c4 e5 2. N"), 2),
        (format!("{games}[Event \"cut"), 2),
        (format!("{games}1. c4 {{never closed"), 2),
    ] {
        let input = io::Read::chain(text.as_bytes(), Failing);
        let mut reader = Reader::new(io::BufReader::new(input));
        for first in ["e2e4 e7e5", "d2d4"].into_iter().take(whole) {
            let read = reader.next().unwrap().unwrap();
            assert_eq!(moves(&read.game), first, "{text}");
            assert_eq!(read.errors, [], "{text}");
        }
        let error = reader.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "the disk fails", "{text}");
        assert!(reader.next().is_none() && reader.next().is_none(), "{text}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_reader_never_panics_on_bytes(bytes in proptest::collection::vec(0_u8.., 0..200)) {
        read(&bytes);
    }

    #[test]
    fn whatever_is_read_from_text_reads_back_equal(
        pieces in proptest::collection::vec("[\\[\\](){};%*$<>/!?. \n\"\\\\]|e4|%a|\\$4|e5|1-0|Nf3|Event \"x\"\\]\n|FEN \"|1\\.", 0..60),
    ) {
        let text = pieces.concat();
        for read in read(text.as_bytes()) {
            // Whatever was read is a game, and games read back equal.
            let again = self::read(read.game.to_string().as_bytes()).remove(0);
            proptest::prop_assert_eq!(&again.game, &read.game);
        }
    }
}
