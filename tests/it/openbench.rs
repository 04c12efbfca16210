//! The calls of OpenBench: `bench`, and `genfens` in one argument.

use crate::process;
use crate::session::{Peer, Program};
use crate::temporary::Folder;
use std::collections::HashSet;
use std::process::Command;
use tabiya::board::Position;
use tabiya::search::{Limits, Searcher};

/// The output of the program, which must succeed.
fn output(arguments: &[&str]) -> String {
    output_of(process::tabiya().args(arguments))
}

fn output_of(command: &mut Command) -> String {
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{command:?}: {ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// The program in a folder, so that a book there can be named in a request, which blanks divide.
fn program_in(folder: &Folder) -> Command {
    let mut program = process::tabiya();
    program.current_dir(folder.path(""));
    program
}

fn fens(request: &str) -> Vec<String> {
    fens_in(&output(&[request, "quit"]))
}

fn fens_in(text: &str) -> Vec<String> {
    let fen = |line: &str| line.strip_prefix("info string genfens ").map(str::to_owned);
    text.lines()
        .map(|line| fen(line).unwrap_or_else(|| panic!("unexpected line '{line}'")))
        .collect()
}

#[test]
fn genfens_gives_the_same_positions_for_the_same_seed() {
    let first = fens("genfens 12 seed 7 book None");
    assert_eq!(first, fens("genfens 12 seed 7 book None extra words"));
    assert_ne!(first, fens("genfens 12 seed 8 book None"));
    let different: HashSet<_> = first.iter().collect();
    assert!(first.len() == 12 && different.len() > 8, "{first:?}");
    for fen in &first {
        let position = Position::from_fen(fen).unwrap();
        assert!(position.has_legal_move());
    }
}

/// Every second position has one random half-move more.
#[test]
fn genfens_takes_the_number_of_random_moves() {
    let start = Position::start().to_string();
    let found = fens("genfens 2 seed 7 book None plies=0");
    assert_eq!(found[0], start);
    assert!(found[1].contains(" b "), "{found:?}");
    let ran = process::tabiya()
        .arg("genfens 1 seed 1 book None plies=x")
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
}

#[test]
fn genfens_plays_random_moves_from_a_book() {
    let folder = Folder::new("genfens");
    // Nine half-moves on, the pawns of this one are still locked.
    folder.write("book.epd", "4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1\n");
    let found = fens_in(&output_of(
        program_in(&folder).arg("genfens 3 seed 1 book book.epd"),
    ));
    assert_eq!(found.len(), 3);
    assert!(
        found.iter().all(|fen| fen.contains("p1p1p3/P1P1P3")),
        "{found:?}"
    );
}

/// As every other command does; the rest of the line was dropped, and the repairs were not told.
#[test]
fn a_book_is_read_as_positions_are_elsewhere() {
    let folder = Folder::new("genfens");
    let start = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w";
    let genfens = |text: &str| {
        folder.write("book.epd", text);
        let request = "genfens 1 seed 1 book book.epd plies=0";
        let ran = program_in(&folder).arg(request).output().unwrap();
        let [output, errors] =
            [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
        (ran.status.code(), output, errors)
    };
    let (code, output, errors) = genfens(&format!("{start} - - 0 1 moves a2a3\n"));
    assert_eq!((code, output.as_str()), (Some(1), ""), "{errors}");
    let reason = "book.epd:1: bad FEN: 'moves' follows the last field\n";
    assert!(errors.ends_with(reason), "{errors}");
    let wrong = format!("{start} KQkq e3 0 1\n");
    for (book, number, others) in [
        (format!("{start} - - 0 1\n{wrong}"), 2, ""),
        (wrong.repeat(3), 1, " (and 2 more)"),
    ] {
        let (code, output, errors) = genfens(&book);
        assert_eq!(code, Some(0), "{errors}");
        assert_eq!(output, format!("info string genfens {start} - - 0 1\n"));
        let told = format!("book.epd:{number}: the position was repaired: ");
        assert!(errors.contains(&told), "{errors}");
        assert!(errors.ends_with(&format!("{others}\n")), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    let (_, output, errors) = genfens(&format!("{start} - - c0 \"an EPD\";\n"));
    assert_eq!((output.is_empty(), errors.as_str()), (false, ""));
}

/// White has four queens, or Black is stalemated; nobody can mate, or the game is drawn by its
/// moves.
#[test]
fn a_book_without_a_balanced_position_is_refused() {
    let folder = Folder::new("genfens");
    for (fen, plies) in [
        ("4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1", 8),
        ("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", 8),
        ("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", 0),
        ("8/8/8/3k4/8/3K4/8/8 w - - 0 1", 2),
        ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 150 90", 0),
    ] {
        let book = folder.write("book.epd", format!("{fen}\n"));
        let genfens = format!("genfens 2 seed 1 book book.epd plies={plies}");
        let mut datagen = process::tabiya();
        datagen
            .args(["datagen", "--games", "2", "--endgame-percent", "0", "--out"])
            .arg(folder.path("games"))
            .args(["--random-plies", &plies.to_string(), "--openings"])
            .arg(&book);
        let mut calls = [program_in(&folder), datagen];
        calls[0].arg(genfens);
        for call in &mut calls {
            let ran = call.output().unwrap();
            let text = String::from_utf8_lossy(&ran.stderr);
            assert_eq!(ran.status.code(), Some(1), "{fen}: {text}");
            let sentence = "start positions in a row the game was unbalanced or over";
            assert!(text.contains(sentence), "{fen}: {text}");
            assert!(ran.stdout.is_empty(), "{fen}");
        }
        assert!(!folder.path("games-0.vf").exists(), "{fen}");
    }
}

#[test]
fn a_bad_request_is_wrong_usage() {
    for request in [
        "genfens ",
        "genfens x seed 1 book None",
        "genfens 1 seed 1 book",
    ] {
        let ran = process::tabiya().arg(request).output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{request}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains("genfens N seed S book None|PATH"));
    }
}

/// OpenBench reads the number before `nodes` and the number before `nps` in the last line.
#[test]
fn bench_prints_nodes_and_speed() {
    let text = output(&["bench", "4"]);
    let (calls, last) = text.trim_end().split_once('\n').expect("two lines");
    assert!(calls.ends_with(" ns"), "{text}");
    let words: Vec<_> = last.split_ascii_whitespace().collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{text}");
    assert!(
        words[0].parse::<u64>().is_ok() && words[2].parse::<u64>().is_ok(),
        "{text}"
    );
}

/// Sends lines to the program and returns its output up to the best move.
fn session(lines: &[&str]) -> Vec<String> {
    let mut program = Program::start();
    for line in lines {
        program.send(line);
    }
    let mut output = Vec::new();
    while !output
        .last()
        .is_some_and(|line: &String| line.starts_with("bestmove"))
    {
        output.push(program.receive().expect("a line"));
    }
    program.finish();
    output
}

/// The number after a word, in the last line that has the word.
fn number_after(lines: &[String], word: &str) -> i64 {
    let line = lines.iter().rfind(|line| line.contains(word)).unwrap();
    let after = line.split(word).nth(1).unwrap();
    after.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn soft_nodes_lets_an_iteration_finish() {
    for (soft, range) in [("false", 1..=1_000), ("true", 1_001..=8_000)] {
        let option = format!("setoption name SoftNodes value {soft}");
        let lines = session(&[&option, "go nodes 1000"]);
        let nodes = number_after(&lines, " nodes ");
        assert!(range.contains(&nodes), "{soft}: {nodes}");
    }
}

#[test]
fn pgn_comments_are_the_scores_that_datagen_stores() {
    const FEN: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/4P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 0 1";
    let lines = session(&[
        "setoption name Hash value 4",
        "setoption name SoftNodes value true",
        "setoption name PgnComment value true",
        &format!("position fen {FEN}"),
        "go nodes 3000",
    ]);
    let comments = lines.iter().filter(|line| line.contains("pgncomment"));
    assert_eq!(comments.count(), 1);
    let position = Position::from_fen(FEN).unwrap();
    let limits = Limits::nodes(3_000).with_soft_nodes();
    let mut searcher = Searcher::new(4).unwrap();
    let score = searcher.best_move(position, limits).unwrap().score;
    assert_eq!(number_after(&lines, "pgncomment "), i64::from(score.0));
    assert_ne!(number_after(&lines, " cp "), i64::from(score.0));
}
