//! The command line: output, error messages and exit codes.

use crate::process;
use crate::shared;
use crate::temporary::Folder;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn command(words: &str) -> Command {
    let mut command = process::tabiya();
    // ~ stands for a blank within a word.
    command.args(words.split_whitespace().map(|word| word.replace('~', " ")));
    command
}

fn run(words: &str) -> Output {
    command(words).output().unwrap()
}

/// Runs the program with a path after the words.
fn run_on(words: &str, path: &Path) -> Output {
    command(words).arg(path).output().unwrap()
}

/// Command lines that succeed, and parts of their output.
const GOOD: &[(&str, &[&str])] = &[
    ("--help", &["Usage: tabiya", "bench", "Exit codes: 0"]),
    ("help", &["Usage: tabiya", "Exit codes: 0"]),
    ("-h", &["Usage: tabiya"]),
    (
        "--version",
        &[concat!("tabiya ", env!("CARGO_PKG_VERSION"))],
    ),
    (
        "version",
        &[
            concat!("tabiya ", env!("CARGO_PKG_VERSION"), "\ncommit "),
            "\nprocessor  built for ",
            "\nkernels ",
            "\nnetwork ",
        ],
    ),
    ("--version", &["\nkernels ", "\nnetwork "]),
    ("-V", &[concat!("tabiya ", env!("CARGO_PKG_VERSION"), "\n")]),
    ("net", &["shape ", "\nfingerprint ", "\ntrained on "]),
    (
        "net --json",
        &["\"provenance\": {", "\"layers\": [", "\"fingerprint\": \""],
    ),
    ("bench 2 1 4", &[" nodes ", " nps"]),
    ("perft 2", &["a2a3: 20", "Nodes searched: 400"]),
    ("perft 1 8/8/8/8/8/4k3/8/4K2R w K - 0 1", &["e1g1: 1"]),
    ("perft 1 8/8/8/8/8/4k3/8/5K1R w H - 0 1", &["f1h1: 1"]),
    (
        "perft --chess960 1 r2k3r/p1ppqpb1/bn2pQp1/3PN3/1p2P3/2N4p/PPPBBPPP/R3K1R1 b Qkq - 0 1",
        &["Nodes searched: 35\n", "d8a8: 1"],
    ),
    (
        "d --chess960 8/8/8/8/8/4k3/8/4K2R w K - 0 1",
        &["Fen: 8/8/8/8/8/4k3/8/4K2R w H - 0 1"],
    ),
    (
        "eval 8/8/8/8/8/4k3/8/4K2R w K - 0 1 --chess960",
        &["Static evaluation: +"],
    ),
    (
        "go perft 1 --chess960 --fen=8/8/8/8/8/4k3/8/4K2R~w~K~-~0~1",
        &["e1h1: 1"],
    ),
    (
        "d",
        &["Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"],
    ),
    (
        "d 4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        &[
            "the position was repaired: a castling right lacks its king or rook",
            "Fen: 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ],
    ),
    (
        "d 8/8/8/8/8/4k3/8/4K2R w K - 0 1",
        &["Fen: 8/8/8/8/8/4k3/8/4K2R w K - 0 1"],
    ),
    (
        "eval 8/8/8/8/8/4k3/8/4K2Q b - - 0 1",
        &[
            "Static evaluation: +",
            ", Black to move\n",
            " |   Q   | 1\n",
        ],
    ),
    ("go depth 3", &["info depth 3 ", "bestmove "]),
    // The words that UCI has for a position.
    ("go startpos depth 3", &["info depth 3 ", "bestmove "]),
    (
        "go fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 depth 3",
        &["bestmove d1d8"],
    ),
    (
        "d startpos",
        &["Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"],
    ),
    (
        "d fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        &["Fen: 4k3/8/8/8/8/8/8/4K3 w"],
    ),
    ("go perft 2", &["Nodes searched: 400"]),
    (
        "go perft 1 --fen=8/8/8/8/8/4k3/8/5K1R~w~H~-~0~1",
        &["f1h1: 1"],
    ),
    ("go searchmoves a2a3 depth 2", &["bestmove a2a3"]),
    // Every command takes a FEN in every way: words, one argument, `--fen`.
    (
        "go 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 depth 3",
        &["bestmove d1d8"],
    ),
    (
        "go depth 3 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        &["bestmove d1d8"],
    ),
    (
        "go 6k1/5ppp/8/8/8/8/5PPP/3R2K1~w~-~-~0~1 depth 3",
        &["bestmove d1d8"],
    ),
    ("go 6k1/5ppp/8/8/8/8/5PPP/3R2K1 depth 3", &["bestmove d1d8"]),
    (
        "go depth 3 --fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        &["bestmove d1d8"],
    ),
    (
        "go --fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 depth 3",
        &["bestmove d1d8"],
    ),
    ("go --fen startpos depth 3", &["info depth 3 ", "bestmove "]),
    (
        "go 8/8/8/8/8/4k3/8/4K2R w K - 0 1 perft 1 --chess960",
        &["e1h1: 1"],
    ),
    (
        "go 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 searchmoves d1d7 depth 2",
        &["bestmove d1d7"],
    ),
    (
        "d --fen 8/8/8/8/8/4k3/8/4K2R w K - 0 1",
        &["Fen: 8/8/8/8/8/4k3/8/4K2R w K - 0 1"],
    ),
    (
        "d --fen=8/8/8/8/8/4k3/8/4K2R~w~K~-~0~1",
        &["Fen: 8/8/8/8/8/4k3/8/4K2R w K - 0 1"],
    ),
    ("perft 1 --fen 8/8/8/8/8/4k3/8/4K2R w K - 0 1", &["e1g1: 1"]),
    (
        "eval --fen=8/8/8/8/8/4k3/8/4K2Q~b~-~-~0~1",
        &[", Black to move\n"],
    ),
    // A line of EPD is a FEN with operations.
    (
        "d 8/8/8/8/8/4k3/8/4K2R w K - bm O-O;",
        &["Fen: 8/8/8/8/8/4k3/8/4K2R w K - 0 1"],
    ),
    ("help --help", &["Usage: tabiya help [COMMAND]"]),
    ("help -h", &["Usage: tabiya help [COMMAND]"]),
    ("help help", &["Usage: tabiya help [COMMAND]"]),
    ("completions bash", &["_tabiya()", "datagen"]),
    ("man", &[".TH tabiya 1", "datagen"]),
];

#[test]
fn commands_print_their_output() {
    for (words, expected) in GOOD {
        let ran = run(words);
        let text = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(ran.status.code(), Some(0), "{words}: {text}");
        assert!(ran.stderr.is_empty(), "{words}");
        for part in *expected {
            assert!(text.contains(part), "{words}: {text}");
        }
    }
}

/// What is counted or judged is not what was given.
#[test]
fn perft_and_dead_say_on_standard_error_what_was_repaired() {
    let right = "the position was repaired: a castling right lacks its king or rook\n";
    for (words, count) in [
        ("perft 1 r3k2r/8/8/8/8/8/4K3/8 b KQkq - 0 1", "e8g8: 1"),
        (
            "perft 1 r2k3r/p1ppqpb1/bn2pQp1/3PN3/1p2P3/2N4p/PPPBBPPP/R3K1R1 b Qkq - 0 1",
            "Nodes searched: 33\n",
        ),
        (
            "perft 0 4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "Nodes searched: 1\n",
        ),
    ] {
        let ran = run(words);
        assert_eq!(ran.status.code(), Some(0), "{words}");
        assert_eq!(String::from_utf8(ran.stderr).unwrap(), right, "{words}");
        let output = String::from_utf8(ran.stdout).unwrap();
        assert!(output.contains(count), "{words}: {output}");
    }
    let folder = Folder::new("cli_repaired");
    let fens = "4k3/8/8/8/8/8/8/4K3 w K - 0 1\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n\
                4k3/8/8/8/8/8/8/4K3 w - e6 0 1\n";
    let file = folder.write("fens", fens);
    let ran = run_on("dead", &file);
    let errors = String::from_utf8(ran.stderr).unwrap();
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!(lines.len(), 2, "{errors}");
    for (line, fen) in lines.into_iter().zip(["w K - 0 1", "w - e6 0 1"]) {
        let begin = format!("4k3/8/8/8/8/8/8/4K3 {fen}: the position was repaired: ");
        assert!(line.starts_with(&begin), "{errors}");
    }
    assert_eq!(ran.status.code(), Some(0), "{errors}");
    let positions = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(positions.matches("4k3/").count(), 3, "{positions}");
}

#[test]
fn a_network_is_described_in_five_lines() {
    let text = String::from_utf8(run("net").stdout).unwrap();
    assert_eq!(text.lines().count(), 5, "{text}");
}

/// Each piece but the kings has a value, and the values have the signs of their colours.
#[test]
fn eval_shows_what_each_piece_is_worth() {
    let text = String::from_utf8(run("eval").stdout).unwrap();
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with(" |")).collect();
    assert_eq!(rows.len(), 16, "{text}");
    let cells = |row: usize| rows[row].split('|').map(str::trim).collect::<Vec<_>>();
    for (row, file, piece) in [
        (0, 1, "r"),
        (0, 2, "n"),
        (2, 4, "p"),
        (14, 4, "Q"),
        (14, 8, "R"),
    ] {
        assert_eq!(cells(row)[file], piece, "{text}");
        let worth: f64 = cells(row + 1)[file].parse().unwrap();
        assert_eq!(
            worth > 0.0,
            piece == piece.to_uppercase(),
            "{piece}: {text}"
        );
        assert!(worth.abs() > 0.5, "{piece}: {text}");
    }
    assert_eq!((cells(1)[5], cells(15)[5]), ("", ""), "{text}");
    assert!(
        text.starts_with("Static evaluation: +") && text.contains(", White to move\n"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
}

/// The subcommands, from the help of the program.
fn commands() -> Vec<String> {
    let help = String::from_utf8(run("--help").stdout).unwrap();
    let commands = help.lines().filter_map(|line| {
        let line = line
            .strip_prefix("  ")
            .filter(|line| !line.starts_with([' ', '-']))?;
        line.split_whitespace().next().map(str::to_owned)
    });
    let commands: Vec<_> = commands.collect();
    assert!(commands.len() > 15, "{help}");
    commands
}

#[test]
fn every_command_has_help() {
    for command in commands() {
        for words in [format!("{command} --help"), format!("help {command}")] {
            if words == "help help" || words == "help --help" {
                continue;
            }
            let ran = run(&words);
            let text = String::from_utf8_lossy(&ran.stdout);
            assert_eq!(ran.status.code(), Some(0), "{words}");
            assert!(
                text.contains(&format!("Usage: tabiya {command}")) || command == "genfens",
                "{text}"
            );
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new("man");
    let ran = run_on("man", &folder.path(""));
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let commands = commands();
    let mut names: Vec<_> = commands
        .iter()
        .map(|command| match command.as_str() {
            // The page of the program has the list of commands.
            "help" => "tabiya.1".to_owned(),
            command => format!("tabiya-{command}.1"),
        })
        .collect();
    names.sort();
    let mut pages = folder.names();
    pages.sort();
    assert_eq!(pages, names);
    for name in names {
        let page = fs::read_to_string(folder.path(&name)).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}: {page}");
    }
}

#[test]
fn a_folder_that_cannot_have_manual_pages_is_named() {
    let folder = Folder::new("man");
    let file = folder.write("file", "");
    for path in [file.clone(), file.join("folder")] {
        let ran = run_on("man", &path);
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
        let text = String::from_utf8(ran.stderr).unwrap();
        let named = format!("tabiya: {}: ", path.display());
        assert!(text.starts_with(&named), "{text}");
    }
}

/// Wrong command lines, and the beginning of the error message.
const BAD: &[(&str, &str)] = &[
    (
        "bnech",
        "unrecognized subcommand 'bnech'\n\n  tip: a similar subcommand exists: 'bench'",
    ),
    (
        "bench deep",
        "invalid value 'deep' for '[DEPTH]': expected a number from 1 to 239",
    ),
    (
        "bench -5",
        "invalid value '-5' for '[DEPTH]': expected a number from 1 to 239",
    ),
    (
        "bench 4 0",
        "invalid value '0' for '[THREADS]': expected a number from 1 to 512",
    ),
    (
        "bench 4 99999999999999999999",
        "invalid value '99999999999999999999' for '[THREADS]'",
    ),
    (
        "bench 4 1 0",
        "invalid value '0' for '[HASH]': expected a number from 1 to 33554432",
    ),
    ("bench 4 1 4 4", "unexpected argument '4' found"),
    (
        "perft",
        "the following required arguments were not provided:\n  <DEPTH>",
    ),
    (
        "perft 3 8/8/8/8 w - - 0 1",
        "bad FEN: the board needs 8 ranks, not 4",
    ),
    ("eval nonsense", "bad FEN: "),
    ("go --fen= depth 3", "bad FEN: the text is empty"),
    (
        "go --fen nonsense depth 3",
        "bad FEN: the board needs 8 ranks, not 1",
    ),
    ("go dept 10", "unknown word 'dept' after go"),
    ("go depth", "depth needs a whole number after it"),
    ("go perft 241", "perft counts to depth 240 at most"),
    ("go perft 4000000000", "perft counts to depth 240 at most"),
    (
        "go perft 99999999999999999999",
        "perft counts to depth 240 at most",
    ),
    (
        "perft 241",
        "invalid value '241' for '<DEPTH>': expected a number from 0 to 240",
    ),
    (
        "go depth -5",
        "invalid value '-5' for '[FEN or LIMIT]...': a limit cannot be negative",
    ),
    (
        "go depth 5 8/8/8/8 w - - 0 1",
        "bad FEN: the board needs 8 ranks, not 4",
    ),
    (
        "d --fen=8/8/8/4k3/8/8/4K3/R7~w~-~-~0~1 8/8/8/4k3/8/8/4K3/R7 w - - 0 1",
        "the position is given twice",
    ),
    (
        "go depth 5 --fen=8/8/8/4k3/8/8/4K3/R7~w~-~-~0~1 8/8/8/4k3/8/8/4K3/R7 b - - 0 1",
        "the position is given twice",
    ),
    (
        "play --asci",
        "unexpected argument '--asci' found\n\n  tip: a similar argument exists: '--ascii'",
    ),
    (
        "play --ascii --ascii",
        "the argument '--ascii' cannot be used multiple times",
    ),
    (
        "datagen --out x --games -3",
        "invalid value '-3' for '--games <N>': expected a number from 1 to 1000000000",
    ),
    ("datagen --bogus", "unexpected argument '--bogus' found"),
    (
        "datagen --games 1 --games 2",
        "the argument '--games <N>' cannot be used multiple times",
    ),
    (
        "go searchmoves e2e4 e2e5 depth 2",
        "e2e5 is not a legal move here",
    ),
    ("net a b", "unexpected argument 'b' found"),
    ("completions tcsh", "invalid value 'tcsh' for '<SHELL>'"),
];

#[test]
fn wrong_usage_has_an_error_message_and_exit_code_2() {
    for (words, sentence) in BAD {
        let ran = run(words);
        let text = String::from_utf8(ran.stderr).unwrap();
        assert!(
            text.starts_with(&format!("error: {sentence}")),
            "{words}: {text}"
        );
        assert_eq!(ran.status.code(), Some(2), "{words}");
        assert!(ran.stdout.is_empty(), "{words}");
    }
}

#[test]
fn a_failure_has_an_error_message_and_exit_code_1() {
    let ran = run("net no/such/file");
    let text = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{text}");
    assert!(text.starts_with("tabiya: no/such/file: "), "{text}");
}

/// With several files and no name, one would not know what is incomplete.
#[cfg(target_os = "linux")]
#[test]
fn an_error_of_standard_output_says_so() {
    let folder = Folder::new("full");
    folder.write("game.pgn", "1. e4 1-0\n");
    for words in [
        "net --json",
        "perft 1",
        "analyse --nodes 1 --out - game.pgn",
        "--help",
        "help dead",
        "-V",
    ] {
        let full = fs::File::options().write(true).open("/dev/full");
        let mut program = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        let program = program.current_dir(folder.path("")).args(words.split(' '));
        let ran = program.stdout(full.unwrap()).output().unwrap();
        let errors = String::from_utf8(ran.stderr).unwrap();
        assert!(
            errors.contains("tabiya: standard output: "),
            "{words}: {errors}"
        );
    }
}

/// A full log must not end hours of work.
#[cfg(target_os = "linux")]
#[test]
fn a_message_that_cannot_be_written_ends_nothing() {
    let full = fs::File::options().write(true).open("/dev/full");
    let mut program = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    program.args(["net", "no/such/file"]).stderr(full.unwrap());
    assert_eq!(program.status().unwrap().code(), Some(1));
}

/// Emulated by `qemu-x86_64`, which Debian has in `qemu-user`; without it the test is skipped.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_processor_without_a_needed_feature_gets_one_sentence() {
    let mut emulator = Command::new("qemu-x86_64");
    emulator.args(["-cpu", "Conroe", env!("CARGO_BIN_EXE_tabiya"), "version"]);
    let Ok(ran) = emulator.output() else {
        return shared::skipped("there is no qemu-x86_64");
    };
    if tabiya::tools::processor::level() == "x86-64" {
        assert!(ran.status.success(), "{ran:?}");
        return;
    }
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    let message = String::from_utf8(ran.stderr).unwrap();
    // The emulator prints warnings about the processor.
    let last = message.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("tabiya: this processor lacks sse4.1"),
        "{message}"
    );
}
