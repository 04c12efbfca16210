//! PGN as people and programs really write it: variants, encodings, line ends, results, signs and
//! null moves.

use crate::pgn::{moves, read};
use crate::sources::root;
use std::collections::BTreeSet;
use std::fs;
use tabiya::game::pgn::ReadGame;

/// Text, moves, result, and the number of errors.
type Row<'a> = (&'a str, &'a str, &'a str, usize);

fn check(table: &[Row<'_>]) {
    for &(text, expected, result, errors) in table {
        let games = read(text.as_bytes());
        assert_eq!(games.len(), 1, "{text:?}: {games:?}");
        let ReadGame {
            game,
            errors: found,
            ..
        } = &games[0];
        assert_eq!(moves(game), expected, "{text:?}: {found:?}");
        assert_eq!(game.result().token(), result, "{text:?}");
        assert_eq!(found.len(), errors, "{text:?}: {found:?}");
        // What is written reads back equal.
        let written = game.to_string();
        assert_eq!(read(written.as_bytes())[0].game, *game, "{written}");
    }
}

#[test]
fn files_of_bug_reports_are_read() {
    let table = [
        ("cr_only_percent.pgn", "e2e4 e7e5", "1-0"),
        ("ctrl_z_end_phantom_game.pgn", "e2e4 e7e5", "1-0"),
        ("hyphen_coordinates.pgn", "g1f3 g8f6 e2e4", "*"),
        ("lila12926_castling_from_g8.pgn", "", "*"),
        ("null_move_main_line.pgn", "e2e4 e7e5 g1f3 0000 d2d4", "*"),
        ("result_with_blanks_lost.pgn", "e2e4 e7e5 g1f3 b8c6", "1-0"),
        ("superfluous_x.pgn", "g1f3 d7d5", "*"),
    ];
    let folder = root().join("tests/data/pgn");
    let entries = fs::read_dir(&folder).unwrap();
    let files = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = table.map(|(name, _, _)| name.to_owned());
    assert_eq!(files.collect::<BTreeSet<_>>(), BTreeSet::from(names));
    for (name, expected, result) in table {
        let games = read(&fs::read(folder.join(name)).unwrap());
        assert_eq!(games.len(), 1, "{name}");
        assert_eq!(moves(&games[0].game), expected, "{name}");
        assert_eq!(games[0].game.result().token(), result, "{name}");
    }
}

#[test]
fn line_ends_and_ends_of_files_of_all_systems_are_read() {
    let text =
        "% made by x\n[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 ; best\n1... e5 1-0 {good}\n\n";
    for end in ["\n", "\r\n", "\r", "\r\r\n"] {
        for padding in [
            "",
            "\u{1a}",
            "\u{1a}\u{1a}\r\n",
            "\0\0\0\0",
            "\u{c}",
            "\u{FEFF}",
        ] {
            let text = text.replace('\n', end) + padding;
            let games = read(text.as_bytes());
            assert_eq!(games.len(), 1, "{text:?}");
            assert_eq!(games[0].errors, [], "{text:?}");
            let written = games[0].game.to_string();
            assert!(
                written.ends_with("\n1. e4 {best} 1... e5 {good} 1-0\n"),
                "{written}"
            );
        }
    }
}

#[test]
fn results_are_read_in_all_spellings() {
    check(&[
        ("1. e4 1 - 0", "e2e4", "1-0", 0),
        ("1. e4 0 -1", "e2e4", "0-1", 0),
        ("1. e4 1/2 - 1/2", "e2e4", "1/2-1/2", 0),
        ("1. e4 1/2 -\n1/2", "e2e4", "1/2-1/2", 0),
        ("1. e4 1–0", "e2e4", "1-0", 0),
        ("1. e4 ½-½", "e2e4", "1/2-1/2", 0),
        ("1. e4 ½ – ½", "e2e4", "1/2-1/2", 0),
        ("1. e4 1/2–1/2", "e2e4", "1/2-1/2", 0),
        ("1. e4 0:1", "e2e4", "0-1", 0),
        ("1. e4 0.5-0.5", "e2e4", "1/2-1/2", 0),
        ("1. e4 1/2", "e2e4", "1/2-1/2", 0),
        ("[Result \"½-½\"]\n\n1. e4", "e2e4", "1/2-1/2", 0),
        ("[Result \"1/2\"]\n\n1. e4 1/2-1/2", "e2e4", "1/2-1/2", 0),
        ("[Result \"1–0\"]\n\n1. e4", "e2e4", "1-0", 0),
        ("[Result \" 1 - 0 \"]\n\n1. e4", "e2e4", "1-0", 0),
        ("[Result \"+:-\"]\n\n1. e4", "e2e4", "1-0", 0),
        // What is not a result is reported.
        ("[Result \"draw\"]\n\n1. e4 1/2-1/2", "e2e4", "1/2-1/2", 1),
        ("[Result \"0-0\"]\n\n1. e4 *", "e2e4", "*", 1),
        // Both have lost, or White has castled.
        (
            "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 0-0",
            "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7",
            "*",
            1,
        ),
        (
            "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 *",
            "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1",
            "*",
            1,
        ),
        // Not results: numbers of moves, castling, a variation's end.
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0 - 0 *",
            "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1",
            "*",
            1,
        ),
        ("1. e4 (1. d4 1-0) e5 *", "e2e4 e7e5", "*", 0),
        ("1\ne4 e5 2\nNf3 *", "e2e4 e7e5 g1f3", "*", 0),
    ]);
}

#[test]
fn signs_dashes_and_coordinates_of_other_programs_are_read() {
    check(&[
        // Reserved text between tags.
        (
            "[White \"A\"]\n<x>\n[Black \"B\"]\n\n1. e4 *",
            "e2e4",
            "*",
            1,
        ),
        ("[White \"A\"]\n\n<diagram>\n\n1. e4 *", "e2e4", "*", 1),
        // Signs of Chess Informant, apart from a move and attached.
        ("1. e4 ± e5 ∓ 2. Nf3 ⩲ *", "e2e4 e7e5 g1f3", "*", 0),
        (
            "1. e4 +– e5 −+ 2. Nf3 = Nc6 □ 3. Bb5 N *",
            "e2e4 e7e5 g1f3 b8c6 f1b5",
            "*",
            0,
        ),
        ("1. e4‼ e5 ⁈ 2. Nf3± *", "e2e4 e7e5 g1f3", "*", 2),
        ("1. e4 ♥ e5 *", "e2e4 e7e5", "*", 1),
        // Numbers.
        ("1…e5 *\n", "", "*", 1),
        (
            "1.e4 1…e5 2.\u{a0}Nf3 2…\u{2009}Nc6 3.\u{200b}Bb5 *",
            "e2e4 e7e5 g1f3 b8c6 f1b5",
            "*",
            0,
        ),
        ("1e4 e5 2Nf3 *", "e2e4 e7e5 g1f3", "*", 0),
        ("1. e4 … e5 *", "e2e4 e7e5", "*", 0),
        // Dashes.
        (
            "1.e4 e5 2.Nf3 Nf6 3.Be2 Be7 4.O–O O—O *",
            "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8",
            "*",
            2,
        ),
        (
            "1.e4 e5 2.Nf3 Nf6 3.Be2 Be7 4.О-О O - O *",
            "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8",
            "*",
            2,
        ),
        (
            "1.e4 e5 2.Nf3 Nf6 3.Be2 Be7 4.O - O 4...O - O 5.1 - 0",
            "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8",
            "1-0",
            2,
        ),
        // Coordinates.
        ("1. e2-e4 e7–e5 2. g1-f3 *", "e2e4 e7e5 g1f3", "*", 3),
        ("1. E2-E4 E7E5 *", "e2e4 e7e5", "*", 1),
        ("1. Ng1-f3 Ng8-f6 *", "g1f3 g8f6", "*", 0),
        (
            "1.e4 e5 2.Nf3 Nf6 3.Be2 Be7 4.e1-g1 Ke8-g8 *",
            "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8",
            "*",
            2,
        ),
        (
            "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a7-a8=Q+ *",
            "a7a8q",
            "*",
            1,
        ),
        // A mark of capture without a capture.
        ("1. Nxf3 d5 2. N:g5 *", "g1f3 d7d5 f3g5", "*", 2),
        ("1. e4 d5 2. exd5 Qxd5 *", "e2e4 d7d5 e4d5 d8d5", "*", 0),
        // A command outside a comment.
        ("1. e4 [%clk 1:00] e5 *", "e2e4 e7e5", "*", 0),
    ]);
    let game = read("1. e4 ± e5 +– 2. Nf3!?⩲ *".as_bytes()).remove(0).game;
    let written = game.to_string();
    assert!(
        written.ends_with("1. e4 $16 e5 $18 2. Nf3 $5 $14 *\n"),
        "{written}"
    );
}

#[test]
fn tags_that_are_not_in_the_standards_form_are_read() {
    // The line, the value of the tag White, and the number of errors.
    let table = [
        (r#"[White "C:\games\"]"#, r"C:\games\", 0),
        (r#"[White "C:\"] [Event "x"]"#, r"C:\", 0),
        (r#"[White "a \"b\""]"#, r#"a "b""#, 0),
        ("[White “Tal, M”]", "Tal, M", 1),
        ("[White 'Tal']", "Tal", 1),
        ("[White \"Tal]", "Tal", 1),
        ("[White \"Tal\"", "Tal", 1),
        ("[ White  \"Tal\" ]", "Tal", 0),
        ("[White \"T\u{1b}]0;al\"]", "T ]0;al", 0),
    ];
    for (line, value, errors) in table {
        let text = format!("{line}\n[Black \"B\"]\n\n1. e4 *\n");
        let games = read(text.as_bytes());
        assert_eq!(games.len(), 1, "{line}");
        assert_eq!(games[0].game.tag("White").unwrap(), value, "{line}");
        assert_eq!(games[0].game.tag("Black").unwrap(), "B", "{line}");
        assert_eq!(
            games[0].errors.len(),
            errors,
            "{line}: {:?}",
            games[0].errors
        );
        assert_eq!(moves(&games[0].game), "e2e4", "{line}");
    }
}

#[test]
fn null_moves_are_read_reported_and_written() {
    for null in ["--", "Z0", "<>", "@@@@", "0000", "null", "—", "––", "--!"] {
        let text = format!("1. e4 e5 2. Nf3 {null} 3. d4 {{good}} {null} 4. {null} Nf6 *");
        let read = read(text.as_bytes()).remove(0);
        assert_eq!(
            moves(&read.game),
            "e2e4 e7e5 g1f3 0000 d2d4 0000 0000 g8f6",
            "{text}"
        );
        assert_eq!(read.errors.len(), 3, "{text}");
        assert!(
            read.errors[0].to_string().contains("is a null move"),
            "{}",
            read.errors[0]
        );
        let written = read.game.to_string();
        let expected = "1. e4 e5 2. Nf3 -- 3. d4 {good} 3... -- 4. -- Nf6 *\n";
        assert!(written.ends_with(expected), "{written}");
    }
    // In check a player cannot pass.
    check(&[("1. e4 f5 2. Qh5+ -- 3. d4 *", "e2e4 f7f5 d1h5", "*", 1)]);
}

#[test]
fn a_null_move_counts_as_a_half_move() {
    let text = "1. e4 -- 2. -- Nf6 *";
    let game = read(text.as_bytes()).remove(0).game;
    let fen = game.history().position().to_string();
    assert_eq!(
        fen,
        "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 3 3"
    );
}

#[test]
fn games_of_other_variants_keep_their_tags_and_moves() {
    let fen = "[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R[Qp] w KQkq - 0 1\"]\n";
    for name in [
        "Crazyhouse",
        "Atomic",
        "Horde",
        "Antichess",
        "King of the Hill",
        "Three-check",
        "nocastle",
        "wild/5",
    ] {
        for fen in ["", fen] {
            let text = format!(
                "[Event \"a\"]\n[Variant \"{name}\"]\n{fen}[Result \"1-0\"]\n\n\
                 1. N@f3 {{drop}} e5 (1... d5 2. e4) 2. Qxe5# 1-0\n\n[Event \"b\"]\n\n1. d4 *\n"
            );
            let games = read(text.as_bytes());
            assert_eq!(games.len(), 2, "{text}");
            let game = &games[0].game;
            assert!(game.is_foreign() && !games[1].game.is_foreign());
            assert_eq!(game.tag("Variant").unwrap(), name);
            assert_eq!(game.tag("FEN").is_some(), !fen.is_empty());
            assert_eq!(games[0].errors.len(), 1, "{:?}", games[0].errors);
            let written = game.to_string();
            let end = "\n1. N@f3 {drop} e5 (1... d5 2. e4) 2. Qxe5# 1-0\n";
            assert!(
                written.ends_with(end) && fen.lines().all(|line| written.contains(line)),
                "{written}"
            );
            assert_eq!(read(written.as_bytes())[0].game, *game);
        }
    }
    // A start position that cannot be played, and text that would not read back alone.
    let table = [
        (
            "[FEN \"4k3/8/8/8/8/8/8/K2K4 w - - 0 1\"]\n\n1. Kb2 Ke7 *",
            "1. Kb2 Ke7 *",
        ),
        (
            "[Variant \"Atomic\"]\n\n{a} 1. e4 ; good\n1... e5 *",
            "{a} 1. e4 {good} 1... e5 *",
        ),
        (
            "[Variant \"Atomic\"]\n\n1. e4 e5 2.\n\n[Event \"next\"]\n\n1. d4 *",
            "1. e4 e5 2. *",
        ),
        ("[Variant \"Atomic\"]\n\n1. e4 e5 2. *", "1. e4 e5 2. *"),
        (
            "[Variant \"Atomic\"]\n\n1. e4 (1. d4 *",
            "{1. e4 (1. d4 *} *",
        ),
    ];
    for (text, expected) in table {
        let game = read(text.as_bytes()).remove(0).game;
        let written = game.to_string();
        assert!(written.ends_with(&format!("\n{expected}\n")), "{written}");
        assert_eq!(read(written.as_bytes())[0].game, game, "{written}");
    }
}

#[test]
fn the_two_variants_that_are_played_have_many_names() {
    let standard = [
        "Standard",
        "Classical",
        "Regular",
        "Illegal",
        "normal",
        "chess",
        "From Position",
        "Standard chess",
    ];
    for name in standard {
        let text = format!("[Variant \"{name}\"]\n\n1. e4 *");
        let read = read(text.as_bytes()).remove(0);
        assert_eq!(
            (read.errors.len(), moves(&read.game).as_str()),
            (0, "e2e4"),
            "{name}"
        );
        assert_eq!(read.game.tag("Variant"), None, "{name}");
    }
    let chess960 = [
        "Chess960",
        "chess 960",
        "960",
        "wild/fr",
        "Fischer Random Chess",
        "Fischerandom",
        "Freestyle Chess",
        "Chess 9LX",
        "FRC",
        "fischer-random",
    ];
    for name in chess960 {
        let text = format!("[Variant \"{name}\"]\n\n1. e4 *");
        let read = read(text.as_bytes()).remove(0);
        assert_eq!(
            (read.errors.len(), moves(&read.game).as_str()),
            (0, "e2e4"),
            "{name}"
        );
        assert_eq!(read.game.tag("Variant").unwrap(), "Chess960", "{name}");
    }
}

#[test]
fn names_in_windows_1252_and_utf_16_are_read() {
    let text = "[White \"“Čapek”\"]\n\n1. e4 *\n";
    let utf16 = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<_>>();
    for bytes in [
        text.as_bytes().to_vec(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
    ] {
        let read = read(&bytes).remove(0);
        assert_eq!(read.game.tag("White").unwrap(), "“Čapek”");
        assert_eq!(moves(&read.game), "e2e4");
    }
    let bytes = b"[White \"\x93M\xFCller\x94 \x96 O\x92Kelly\"]\n\n1. e4 {\x85 5 \x80} *\n";
    let game = read(bytes).remove(0).game;
    assert_eq!(game.tag("White").unwrap(), "“Müller” – O’Kelly");
    assert!(game.to_string().contains("{… 5 €}"), "{game}");
}

#[test]
fn messages_have_the_text_of_the_file_without_control_characters() {
    let errors = |text: &str| {
        let errors = read(text.as_bytes()).remove(0).errors;
        errors
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert!(errors("1. e4 a/b *").contains("'a/b' is not a move"));
    assert!(
        errors("1. e4 e4/e5 *").contains("e4/e5 is not"),
        "{}",
        errors("1. e4 e4/e5 *")
    );
    let error = errors("[Variant \"\u{202e}cimotA\"]\n\n1. e4 *");
    assert!(error.contains("'\u{FFFD}cimotA'"), "{error}");
}

/// A line that begins with a percent sign is for other programs: not even a blank line, which would
/// end the comments of a game.
#[test]
fn an_escaped_line_leaves_no_trace() {
    let text = "[Event \"1\"]\n\n1. e4 e5 1-0\n%esc\n{late}\n\n[Event \"2\"]\n\n1. d4 d5 0-1\n";
    let games = read(text.as_bytes());
    let texts: Vec<_> = games.iter().map(|read| read.game.to_string()).collect();
    assert_eq!(texts.len(), 2);
    assert!(
        texts[0].contains("{late}") && !texts[1].contains("{late}"),
        "{texts:?}"
    );
}

/// Also the mark that was read as Latin-1 and written as UTF-8.
#[test]
fn a_byte_order_mark_is_no_move() {
    for mark in ["\u{FEFF}", "ï»¿"] {
        check(&[(&format!("{mark}1. e4 *"), "e2e4", "*", 0)]);
    }
}

/// The moves after something that cannot be read are kept as text, and what is written reads back.
#[test]
fn nothing_is_lost_after_a_fault() {
    let nf3 = "Nf3 Nc6";
    for (tags, moves, kept) in [
        ("", "1. e4 [+0.3] e5 2. Nf3 Nc6 3. Bb5 1-0", nf3),
        ("", "1. e4 [Foo bar] e5 2. Nf3 Nc6\n3. Bb5 1-0", nf3),
        (
            "",
            "1. e4 (1. d4 [+0.3] d5) e5 2. Nf3 Nc6\n3. Bb5 a6 1-0",
            nf3,
        ),
        (
            "[Variant \"Atomic\"]\n",
            "1. e4 [+0.3] e5 2. Nf3 Nc6 1-0",
            "+0.3] e5 2. Nf3",
        ),
        (
            "[Variant \"Atomic\"]\n",
            "1. e4 e5 1-0 {White wins}",
            "White wins",
        ),
        (
            "[Variant \"Atomic\"]\n",
            "1. e4 {50 % of 3 %x} e5 1-0",
            "50 % of 3 %x",
        ),
        ("", "1. e4 Ke5 2. Nf3 1-0 {White wins}", "White wins"),
        (
            "",
            "1. e4 (1. d4 < d5\n2. c4) 1... e5 {a > b} 2. Nf3 Nc6 1-0",
            "2. c4",
        ),
        (
            "",
            "1. e4 (1. d4 < d5\n2. c4) (1. c4 > e5) e5 2. Nf3 Nc6 1-0",
            "2. c4",
        ),
        ("", "1. e4 (1. d4 <x y> d5 {<z}) e5 1-0", "1. d4 d5 {<z}"),
        ("", "1. e4 {first\nï»¿second} e5 1-0", "ï»¿second"),
    ] {
        let text = format!("[Event \"x\"]\n{tags}[Result \"1-0\"]\n\n{moves}\n");
        let game = read(text.as_bytes()).remove(0).game;
        let written = game.to_string();
        let words: Vec<_> = written.split_whitespace().collect();
        assert!(words.join(" ").contains(kept), "{moves}: {written}");
        let again = read(written.as_bytes());
        assert_eq!(again.len(), 1, "{written}");
        assert_eq!(again[0].game, game, "{written}");
    }
}

#[test]
fn a_tag_may_have_quotes_and_brackets() {
    for value in ["a\"] [b", "a\"][b \"c", "a\"] [b\"c", "C:\\", "a\\\"b"] {
        let mut game = read(b"1. e4 *\n").remove(0).game;
        game.set_tag("Event", value).unwrap();
        let read = read(game.to_string().as_bytes()).remove(0);
        assert_eq!(read.game.tag("Event").unwrap(), value);
        assert_eq!(read.errors, [], "{value}");
    }
    let path = "[Event \"C:\\\"] [White \"x\"]\n\n1. e4 *\n";
    let game = read(path.as_bytes()).remove(0).game;
    assert_eq!(game.tag("Event").unwrap(), "C:\\");
    assert_eq!(game.tag("White").unwrap(), "x");
}

/// A result of an arbiter (FIDE 11.7, 11.8) has no place in PGN but a comment.
#[test]
fn a_result_that_pgn_does_not_have_is_kept_as_a_comment() {
    for result in ["1/2-0", "0-0", "draw {"] {
        let text = format!("[Result \"{result}\"]\n\n1. e4 e5 *");
        let game = read(text.as_bytes()).remove(0).game;
        let written = game.to_string();
        let kept = format!("{{Result: {}}}", result.replace('{', "("));
        assert!(written.contains(&kept), "{written}");
        assert_eq!(read(written.as_bytes())[0].game, game);
    }
}
