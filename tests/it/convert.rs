//! `tabiya convert`: PGN with scores becomes what datagen writes, and bad games are left out.

#![allow(clippy::print_stdout)] // Speed, shown with --nocapture.

use crate::process;
use crate::temporary::Folder;
use clap::Parser;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
#[cfg(unix)]
use std::process::Command;
use std::process::{Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tabiya::game::pgn::{Note, PgnGame};
use tabiya::game::{GameResult, History};
use tabiya::tools::convert::{self, Converted, Settings};
use tabiya::tools::datagen;
use tabiya::tools::viriformat::{EncodedGame, read_games};
use tabiya::types::CastlingMode;

/// A game as OpenBench stores it: one line of moves, own scores after `line=`.
const COMPACT: &str = "[Event \"Fastchess Tournament\"]\n[Site \"?\"]\n[Date \"2026.11.23\"]\n\
    [Round \"1\"]\n[White \"Tabiya-dev\"]\n[Black \"Tabiya-base\"]\n[Result \"1-0\"]\n\
    [FEN \"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2\"]\n[TimeControl \"-\"]\n\
    [ScaleFactor \"1.0\"]\n[SetUp \"1\"]\n\n\
    g4 {-M2/5, line=-31998} a6 {unknown} Bh3 {+1.50/7, line=120} h6 {-2.00/8} \
    g5 {+M5/20, line=31995} 1-0\n\n";

/// The bytes of a game with one change.
fn changed(from: &str, to: &str) -> String {
    assert!(COMPACT.contains(from), "{from}");
    COMPACT.replace(from, to)
}

fn settings(folder: &Folder, pgn: &str, words: &[&str]) -> Settings {
    let file = folder.write("games.pgn", pgn);
    let out = folder.path("games.vf");
    let words = words.iter().map(OsString::from);
    let all = ["convert".into(), file.into(), "--out".into(), out.into()];
    Settings::try_parse_from(all.into_iter().chain(words)).unwrap()
}

fn run(folder: &Folder, pgn: &str, words: &[&str]) -> Converted {
    convert::run(&settings(folder, pgn, words)).unwrap()
}

/// The scores of a game, from White's view.
fn scores(game: &EncodedGame<'_>) -> Vec<Option<i32>> {
    let positions = game.positions().unwrap();
    let score = |scored: &tabiya::tools::viriformat::ScoredPosition| scored.score.map(|s| s.0);
    positions.iter().map(score).collect()
}

/// Its files would refuse the next run.
#[cfg(unix)]
#[test]
fn a_conversion_that_is_interrupted_before_its_first_game_leaves_no_files() {
    use std::io::Write;
    let folder = Folder::new("convert_interrupted");
    let out = folder.path("games.vf");
    let mut child = process::tabiya()
        .args(["convert", "--normalized-by", "100,100", "--out"])
        .arg(&out)
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // A pipe holds 64 KiB, so once all is written the program has begun to read.
    let text = format!("1. e4 {{{}", "x".repeat(200_000));
    input.write_all(text.as_bytes()).unwrap();
    // Not SIGINT, which a shell ignores for what runs in the background.
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn own_scores_come_first_and_others_need_a_model() {
    for (words, expected) in [
        (
            &[][..],
            [Some(-31_998), None, Some(120), None, Some(31_995)],
        ),
        (
            &["--normalized-by", "shipped"],
            [Some(-31_998), None, Some(120), Some(150), Some(31_995)],
        ),
        (
            &["--normalized-by", "100,100"],
            [Some(-31_998), None, Some(120), Some(200), Some(31_995)],
        ),
    ] {
        let folder = Folder::new("convert");
        let converted = run(&folder, COMPACT, words);
        assert_eq!(converted.totals.games, 1);
        assert!(converted.left_out.is_empty());
        let bytes = fs::read(folder.path("games.vf")).unwrap();
        let (_, game) = read_games(&bytes).next().unwrap();
        assert_eq!(scores(&game.unwrap()), expected, "{words:?}");
        let manifest = fs::read_to_string(folder.path("games.jsonl")).unwrap();
        let last: serde_json::Value =
            serde_json::from_str(manifest.lines().last().unwrap()).unwrap();
        let scored = expected.iter().flatten().count();
        assert_eq!(last["totals"]["positions"], scored);
        assert_eq!(last["totals"]["white_wins"], 1);
    }
}

/// Datagen's games, written as PGN and converted back, are the same to the last byte.
#[test]
fn games_of_datagen_survive_the_way_through_pgn() {
    let folder = Folder::new("convert");
    let out = folder.path("a").into_os_string();
    // With this seed every game has a score; a game without one would be left out.
    let words = "--games 16 --nodes 60 --chess960-percent 30 --endgame-percent 30 \
                 --full-percent 60 --seed 6";
    let words = words.split(' ').map(OsString::from);
    let arguments = ["datagen".into(), "--out".into(), out];
    let settings = datagen::Settings::try_parse_from(arguments.into_iter().chain(words)).unwrap();
    let totals = datagen::run(&settings, &AtomicBool::new(false)).unwrap();
    let original = fs::read(folder.path("a-0.vf")).unwrap();
    let mut pgn = String::new();
    for (_, game) in read_games(&original) {
        let game = game.unwrap();
        let positions = game.positions().unwrap();
        let result = game.result().unwrap();
        let mut history = History::new(positions[0].position);
        for scored in &positions {
            history.play(scored.best.unwrap()).unwrap();
        }
        let mode = history.start().to_setup().castling_mode();
        let mut written = PgnGame::new(history, mode, result);
        for (scored, plies) in positions.iter().zip(1..) {
            let text = match scored.score_for_side_to_move() {
                Some(score) => format!("+0.01/7, line={}", score.0),
                None => "unknown".to_owned(),
            };
            written.add_note(plies, Note::Comment(text));
        }
        pgn += &format!("{written}\n");
    }
    for text in [pgn.clone(), pgn.replace('\n', "\r\n")] {
        let folder = Folder::new("convert");
        let converted = run(&folder, &text, &[]);
        assert_eq!(converted.totals, totals);
        assert!(fs::read(folder.path("games.vf")).unwrap() == original);
    }
}

/// Changes that make a game unusable, and the reason reported.
#[test]
fn bad_games_are_left_out_counted_and_located() {
    let no_scores = COMPACT.replace("line=", "x=");
    let table = [
        // Cut off in a comment, in a move, and between moves.
        (
            COMPACT[..COMPACT.len() - 9].to_owned(),
            "the game is cut off",
        ),
        (
            COMPACT.split_once("g5 {").unwrap().0.to_owned() + "O-",
            "'O-' is not a move",
        ),
        (changed(" 1-0\n\n", "\n\n"), "the game is cut off"),
        (changed("Bh3", "Bb3"), "Bb3"),
        (changed("w KQkq", "x KQkq"), "'x'"),
        (changed("[Result \"1-0\"]", "[Result \"0-1\"]"), "0-1"),
        (COMPACT.replace("1-0", "*"), "the result is unknown"),
        (
            changed("[SetUp", "[Termination \"time forfeit\"]\n[SetUp"),
            "the termination is 'time forfeit'",
        ),
        (
            COMPACT.replace("1-0", "0-1"),
            "the last scores do not favour the winner",
        ),
        (no_scores, "no move has a score"),
    ];
    for (bad, reason) in table {
        let folder = Folder::new("convert");
        // The good games around it are not lost.
        let file = folder.write("games.pgn", format!("{COMPACT}{bad}\n\n{COMPACT}"));
        let ran = program(&folder, &[file.to_str().unwrap()], "");
        let (text, errors) = texts(&ran);
        assert_eq!(ran.status.code(), Some(0), "{reason}: {errors}");
        assert!(
            text.starts_with("2 games, 6 positions\n"),
            "{reason}: {text}"
        );
        assert!(text.contains("\nleft out: 1 ("), "{reason}: {text}");
        let place = errors.contains("game 2, line ") && errors.contains(reason);
        assert!(place, "{reason}: {errors}");
        let line = errors.split("line ").nth(1).unwrap();
        let line: usize = line.split(':').next().unwrap().parse().unwrap();
        assert!((15..=29).contains(&line), "{reason}: {errors}");
    }
}

/// Terminations that say nothing against the result, and others.
#[test]
fn only_forfeits_are_left_out() {
    let sound = [
        "normal",
        "adjudication",
        "checkmate",
        "3-fold rep",
        "3-fold repetition",
        "GUI adjudication",
        "stalemate",
        "White mates",
        "fifty-move rule",
        "White resigns",
        "insufficient material",
        "TB position",
        "agreement",
    ];
    let forfeits = [
        "time forfeit",
        "White loses on time",
        "Tal won on time",
        "illegal move",
        "Black's connection stalls",
        "White disconnects",
        "abandoned",
        "rules infraction",
        "unterminated",
        "emergency",
        "engine crash",
        "death",
        "Time forfeit",
    ];
    let with = |termination: &str| {
        changed(
            "[SetUp",
            &format!("[Termination \"{termination}\"]\n[SetUp"),
        )
    };
    for termination in sound {
        let converted = run(&Folder::new("convert"), &with(termination), &[]);
        assert_eq!(converted.totals.games, 1, "{termination}");
    }
    for termination in forfeits {
        let folder = Folder::new("convert");
        let converted = run(&folder, &format!("{COMPACT}{}", with(termination)), &[]);
        assert_eq!(
            (converted.totals.games, converted.left_out["forfeits"]),
            (1, 1),
            "{termination}"
        );
    }
}

/// Games with null moves are left out: training has none.
#[test]
fn games_with_null_moves_are_left_out() {
    let converted = run(
        &Folder::new("convert"),
        &format!("{COMPACT}{}", changed("Bh3", "--")),
        &[],
    );
    let left_out = BTreeMap::from([("errors in the PGN", 1)]);
    assert_eq!((converted.totals.games, converted.left_out), (1, left_out));
}

/// A full disk leaves no empty file that would block the next run, and whole games only.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_whole_games_or_nothing() {
    for blocks in [0, 1] {
        for tool in ["convert", "datagen"] {
            let folder = Folder::new("convert_full");
            let file = folder.write("games.pgn", COMPACT.repeat(100));
            let run = |mut command: Command| {
                command.args([tool, "--out"]).arg(folder.path("games.vf"));
                match tool {
                    "convert" => command.arg(&file),
                    _ => command.args(["--games", "40", "--nodes", "20"]),
                };
                let ran = process::run(&mut command, "");
                (ran.status.code(), texts(&ran).1)
            };
            let (code, errors) = run(process::limited(&format!("-f {blocks}")));
            assert_eq!(code, Some(1), "{tool}: {errors}");
            for name in folder.names() {
                let bytes = fs::read(folder.path(&name)).unwrap();
                assert!(!bytes.is_empty(), "{tool}, {blocks}: {name}");
                if name.ends_with(".vf") {
                    assert!(read_games(&bytes).all(|(_, game)| game.is_ok()), "{name}");
                }
            }
            if blocks == 0 {
                assert_eq!(folder.names(), ["games.pgn"], "{tool}");
                let (code, errors) = run(process::tabiya());
                assert_eq!(code, Some(0), "{tool}: {errors}");
            }
        }
    }
}

#[test]
fn files_that_are_not_regular_are_refused() {
    for file in [
        #[cfg(unix)]
        "/dev/zero",
        "src",
    ] {
        let folder = Folder::new("convert");
        let ran = program(&folder, &[file], "");
        let (_, errors) = texts(&ran);
        assert_eq!(ran.status.code(), Some(1));
        let reason = format!("{file}: not a regular file");
        assert!(errors.contains(&reason), "{errors}");
        assert!(folder.names().is_empty());
    }
}

/// Runs the program, with output to games.vf in the folder.
fn program(folder: &Folder, words: &[&str], input: &str) -> Output {
    let mut command = process::tabiya();
    command
        .args(["convert", "--out"])
        .arg(folder.path("games.vf"))
        .args(words);
    process::run(&mut command, input)
}

fn texts(ran: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&ran.stdout), text(&ran.stderr))
}

#[test]
fn one_game_is_counted_as_one() {
    let folder = Folder::new("convert");
    let ran = program(
        &folder,
        &["--normalized-by", "100,100"],
        "1. e4 {+0.25/7} 1/2-1/2\n",
    );
    assert_eq!(texts(&ran).0, "1 game, 1 position\n");
}

#[test]
fn the_games_need_the_name_of_a_file() {
    let folder = Folder::new("convert");
    for words in ["convert --out -", "datagen --games 1 --out -"] {
        let mut command = process::tabiya();
        let command = command.current_dir(folder.path("")).args(words.split(' '));
        let (_, errors) = texts(&process::run(command, COMPACT));
        let reason = "--out needs the name of a file, not -\n";
        assert!(errors.ends_with(reason), "{words}: {errors}");
        assert_eq!(folder.names(), [""; 0], "{words}");
    }
}

/// Files called `.jsonl` and `-0.vf` would be hidden from `ls`, or an option to another program.
#[test]
fn games_are_not_named_after_a_folder_alone() {
    let folder = Folder::new("convert");
    for (out, example) in [("./", "./games"), ("..", "../games"), ("./.", "././games")] {
        let mut command = process::tabiya();
        let command = command.current_dir(folder.path(""));
        let command = command.args(["datagen", "--games", "1", "--out", out]);
        let (_, errors) = texts(&process::run(command, COMPACT));
        let reason = format!("--out {out} needs the beginning of file names, such as {example}\n");
        assert!(errors.ends_with(&reason), "{out}: {errors}");
        assert_eq!(folder.names(), [""; 0], "{out}");
    }
}

#[test]
fn input_without_a_usable_game_fails_and_leaves_no_file() {
    for (input, reason) in [
        ("", "standard input: no game can be used"),
        ("1. e4 e5 1-0\n", "--normalized-by uses scores such as"),
        (
            "\0\u{1}\u{2} [[[ {{{ \r\r\n",
            "standard input: no game can be used",
        ),
    ] {
        let folder = Folder::new("convert");
        let ran = program(&folder, &[], input);
        let (_, errors) = texts(&ran);
        assert_eq!(ran.status.code(), Some(1), "{input}: {errors}");
        assert!(errors.contains(reason), "{input}: {errors}");
        assert!(!folder.path("games.vf").exists() && !folder.path("games.jsonl").exists());
    }
}

#[test]
fn a_file_that_cannot_be_read_leaves_no_output() {
    let folder = Folder::new("convert");
    for name in [".", "missing.pgn"] {
        let path = folder.path(name);
        let ran = program(&folder, &[path.to_str().unwrap()], "");
        let (_, errors) = texts(&ran);
        assert_eq!(ran.status.code(), Some(1), "{name}: {errors}");
        assert!(errors.contains(path.to_str().unwrap()), "{errors}");
        assert!(!folder.path("games.vf").exists(), "{name}");
    }
}

/// GAMES.jsonl is the name of the manifest.
#[test]
fn games_and_manifest_have_two_names() {
    for name in ["games.jsonl", "games.JSONL"] {
        let folder = Folder::new("convert");
        let mut settings = settings(&folder, COMPACT, &[]);
        settings.out = folder.path(name);
        let error = convert::run(&settings).unwrap_err().to_string();
        let reason = format!(
            "{name} is the name of the manifest: give the games another one, such as GAMES.vf"
        );
        assert!(error.ends_with(&reason), "{error}");
        assert!(!folder.path(name).exists());
    }
}

#[test]
fn existing_files_are_kept() {
    for name in ["games.vf", "games.jsonl"] {
        let folder = Folder::new("convert");
        folder.write(name, "kept");
        let ran = program(&folder, &[], COMPACT);
        assert_eq!(ran.status.code(), Some(1));
        let (_, error) = texts(&ran);
        let hint = format!("{name} exists: choose another name for --out\n");
        assert!(error.ends_with(&hint), "{error}");
        assert_eq!(fs::read_to_string(folder.path(name)).unwrap(), "kept");
        assert_eq!(folder.names(), [name]);
    }
}

#[test]
fn many_games_need_the_memory_of_one() {
    convert_many(3_000);
}

#[test]
#[ignore = "takes a minute"]
fn a_hundred_thousand_games_need_the_memory_of_one() {
    convert_many(100_000);
}

/// Sends games to the program, half of them bad.
fn convert_many(count: usize) {
    let folder = Folder::new("convert");
    let game = long_game();
    let bad = game
        .replacen("line=", "x", 1)
        .replace(" 1/2-1/2\n", " 1-0\n");
    let mut child = process::tabiya()
        .args(["convert", "-", "--out"])
        .arg(folder.path("games.vf"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let games = [&game, &bad].map(String::as_str);
    process::feed_games(&mut child, games.into_iter().cycle(), count, 512);
    let ran = child.wait_with_output().unwrap();
    let speed = count as f64 / started.elapsed().as_secs_f64();
    println!("{count} games of {} bytes, {speed:.0}/s", game.len());
    let half = count / 2;
    let (text, _) = texts(&ran);
    assert!(text.starts_with(&format!("{half} games, ")), "{text}");
    assert!(text.contains(&format!("left out: {half} ")), "{text}");
}

/// A drawn game of 100 plies.
fn long_game() -> String {
    let mut history = History::new(tabiya::board::Position::start());
    for index in 0..100_usize {
        let moves = history.position().legal_moves();
        let quiet = |mv: &&tabiya::types::Move| !history.position().is_noisy(**mv);
        let quiet: Vec<_> = moves.iter().filter(quiet).copied().collect();
        history.play(quiet[index * 7 % quiet.len()]).unwrap();
    }
    let mut game = PgnGame::new(history, CastlingMode::Standard, GameResult::Drawn);
    for plies in 1..=100 {
        game.add_note(plies, Note::Comment(format!("+0.01/7, line={plies}")));
    }
    format!("{game}\n")
}
