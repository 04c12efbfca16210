//! Which player can still win: known answers, helpmates that are replayed, and the published test
//! vectors.

#![allow(clippy::print_stdout)] // Counts and times, shown with --nocapture.

use crate::process;
use crate::random_games;
use crate::shared;
use crate::temporary::Folder;
use std::fs;
use std::time::Instant;
use tabiya::board::Position;
use tabiya::game::dead::{Analysis, Winnability, analyse, is_dead_quick, quick};
use tabiya::types::{CastlingMode, Color};

pub(crate) fn position(fen: &str) -> Position {
    random_games::position(fen, CastlingMode::Chess960)
}

/// Whether the player can win, if that was decided. Replays a mate, and checks that the proofs of
/// the quick variant are true.
pub(crate) fn can_win(position: &Position, color: Color, nodes: u64) -> Option<bool> {
    let answer = match analyse(position, color, nodes).winnability {
        Winnability::Unwinnable => Some(false),
        Winnability::Unknown => None,
        Winnability::Winnable(line) => {
            let mut end = *position;
            for mv in line {
                assert!(end.is_legal(mv), "{mv} in {end}, from {position}");
                end = end.play(mv).unwrap();
            }
            assert!(
                end.in_check() && !end.has_legal_move(),
                "{end}, from {position}"
            );
            assert_eq!(end.side_to_move(), !color, "{end}, from {position}");
            Some(true)
        }
    };
    if quick(position, color).is_unwinnable() {
        assert_ne!(answer, Some(true), "{position}");
    }
    answer
}

/// Position, whether White can win, whether Black can win.
const KNOWN: [(&str, bool, bool); 14] = [
    ("r7/K1k5/8/8/8/8/8/8 w - - 4 3", false, false),
    ("8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1", false, false),
    ("kb6/2N5/1K6/8/8/8/8/8 b - - 0 50", false, false),
    ("7k/6q1/p4PPK/6PP/8/5P2/8/8 w - - 0 2", true, false),
    // Other analysers call both sides unwinnable here.
    (
        "8/p2p4/Pk1P4/RP1p4/PKpP4/1pP5/1P6/1b6 b - - 0 1",
        true,
        true,
    ),
    ("k7/P1K5/8/8/8/8/8/8 w - - 0 1", true, false),
    ("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", true, true),
    ("8/8/8/3k4/3p4/3P4/3K4/8 w - - 0 1", true, true),
    // The pawn must promote to a knight, next to its own king.
    ("8/8/8/B7/2k5/1p6/1K6/8 b - - 0 1", true, true),
    ("2k5/3p4/8/8/8/8/8/2KB4 w - - 0 1", true, true),
    // Mate and stalemate on the board.
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true, false),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, false),
    // En passant opens a blocked position.
    (
        "8/8/8/1k1pP1p1/p1pP1pP1/P1P2P2/1K6/8 w - d6 0 2",
        true,
        true,
    ),
    ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", false, false),
];

#[test]
fn known_positions_are_decided() {
    for (fen, white, black) in KNOWN {
        let position = position(fen);
        for (color, expected) in [(Color::White, white), (Color::Black, black)] {
            assert_eq!(
                can_win(&position, color, 500_000),
                Some(expected),
                "{fen} {color:?}"
            );
        }
        if is_dead_quick(&position) {
            assert!(!white && !black, "{fen}");
        }
    }
}

pub(crate) fn suite(name: &str) -> Option<String> {
    let path = shared::file(&format!("suites/{name}"))?;
    Some(fs::read_to_string(path).expect("the suite can be read"))
}

/// The test vectors of the Chess Unwinnability Analyzer, with few nodes: none has a wrong answer.
#[test]
fn the_analyzers_vectors_are_never_answered_wrongly() {
    check_vectors(2_000, 2_750);
}

/// As above, with the analyzer's default number of nodes; it decides 3,470.
#[test]
#[ignore = "takes seconds"]
fn the_analyzers_vectors_are_decided_with_many_nodes() {
    check_vectors(500_000, 3_580);
}

/// As above, with the default number of nodes of `tabiya dead`: at most ten are unknown.
#[test]
#[ignore = "takes seconds"]
fn the_analyzers_vectors_are_decided_with_the_default_nodes() {
    check_vectors(1_000_000, 3_596);
}

/// As above, with the number of nodes of the analyzer's own test; it decides 3,586.
#[test]
#[ignore = "takes minutes"]
fn all_of_the_analyzers_vectors_are_decided() {
    check_vectors(10_000_000, 3_606);
}

/// The test vectors: position, player, and whether the player can win.
fn vectors() -> Vec<(Position, Color, bool)> {
    let text = suite("cha_test-vector.txt").unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.filter_map(|line| line.split_once(' '));
    let questions = lines.flat_map(|(expected, fen)| {
        let position = position(fen.trim());
        let players = Color::ALL.into_iter().zip(expected.chars());
        players.map(move |(color, letter)| (position, color, letter != '-'))
    });
    questions.collect()
}

/// Analyses all vectors with `nodes` nodes; at least `least` must be decided.
fn check_vectors(nodes: u64, least: usize) {
    let questions = vectors();
    let mut decided = 0;
    for &(position, color, expected) in &questions {
        if let Some(can_win) = can_win(&position, color, nodes) {
            decided += 1;
            assert_eq!(can_win, expected, "{position} {color:?}");
        }
    }
    println!("{decided} of {} questions decided", questions.len());
    assert!(questions.is_empty() || decided >= least, "{decided}");
}

/// Every twentieth of 30,000 positions of real games. The player who has just moved can win in
/// each.
#[test]
fn real_games_are_decided() {
    assert_eq!(unwinnable_games(20), 0);
}

/// All 30,000 positions: three are unwinnable.
#[test]
#[ignore = "takes a minute"]
fn three_of_thirty_thousand_real_games_are_unwinnable() {
    if suite("cha_lichess-30K-games.txt").is_some() {
        assert_eq!(unwinnable_games(1), 3);
    }
}

/// The positions of real games, each with the player who has just moved and wants to win.
fn games() -> Vec<(Position, Color)> {
    let text = suite("cha_lichess-30K-games.txt").unwrap_or_default();
    let positions = text.lines().map(|line| {
        let fen: Vec<_> = line.split(' ').take(6).collect();
        position(&fen.join(" "))
    });
    positions
        .map(|position| (position, !position.side_to_move()))
        .collect()
}

/// Number of unwinnable positions among every `step`th one; each must be decided.
fn unwinnable_games(step: usize) -> usize {
    let mut unwinnable = 0;
    for (position, winner) in games().into_iter().step_by(step) {
        match can_win(&position, winner, 2_000_000) {
            Some(true) => {}
            Some(false) => unwinnable += 1,
            None => panic!("{position}"),
        }
    }
    unwinnable
}

/// Prints the table of `docs/dead.md`. Each question is timed three times; the shortest time
/// counts.
#[test]
#[ignore = "takes minutes"]
fn suites_are_measured() {
    let vectors: Vec<_> = vectors()
        .into_iter()
        .map(|(position, color, _)| (position, color))
        .collect();
    let games = games();
    for nodes in [1_000_000, 500_000, 2_000] {
        measure(
            &format!("vectors, {nodes} nodes"),
            &vectors,
            |position, color| analyse(position, color, nodes),
        );
    }
    measure("vectors, quick", &vectors, quick);
    measure("games, 1000000 nodes", &games, |position, color| {
        analyse(position, color, 1_000_000)
    });
    measure("games, quick", &games, quick);
}

fn measure(
    name: &str,
    questions: &[(Position, Color)],
    answer: impl Fn(&Position, Color) -> Analysis,
) {
    if questions.is_empty() {
        return;
    }
    let (mut winnable, mut unwinnable) = (0, 0);
    let (mut times, mut nodes) = (Vec::new(), Vec::new());
    for (position, color) in questions {
        let (mut least, mut last) = (f64::MAX, None);
        for _ in 0..3 {
            let start = Instant::now();
            let analysis = answer(position, *color);
            least = least.min(start.elapsed().as_secs_f64() * 1e6);
            last = Some(analysis);
        }
        let analysis = last.expect("it was asked");
        match analysis.winnability {
            Winnability::Winnable(_) => winnable += 1,
            Winnability::Unwinnable => unwinnable += 1,
            Winnability::Unknown => {}
        }
        nodes.push(analysis.nodes);
        times.push(least);
    }
    times.sort_by(f64::total_cmp);
    nodes.sort_unstable();
    let count = questions.len();
    let mean = times.iter().sum::<f64>() / count as f64;
    println!(
        "{name}: {count} questions, {winnable} winnable, {unwinnable} unwinnable, {} unknown; microseconds: mean {mean:.1}, \
         median {:.1}, most {:.0}; nodes: median {}, most {}",
        count - winnable - unwinnable,
        times[count / 2],
        times[count - 1],
        nodes[count / 2],
        nodes[count - 1],
    );
}

/// Exit code, output and errors of `tabiya dead` with these words and this input.
fn run(words: &[&str], input: &str) -> (Option<i32>, String, String) {
    let ran = process::run(process::tabiya().arg("dead").args(words), input);
    let [output, errors] = [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
    (ran.status.code(), output, errors)
}

const NOT_POSITIONS: &str =
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1\nnonsense \u{1b}[2J\n8/8/8/8/8/8/8/8 w - - 0 1\n";

#[test]
fn lines_that_are_not_positions_are_reported_on_standard_error() {
    let (code, output, errors) = run(&[], NOT_POSITIONS);
    assert_eq!((code, output.lines().count()), (Some(1), 1), "{output}");
    assert!(
        errors.contains("nonsense") && !errors.contains('\u{1b}'),
        "{errors}"
    );
    assert!(errors.ends_with("2 lines are not positions\n"), "{errors}");
}

#[test]
fn a_dash_is_standard_input() {
    let position = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";
    let (code, output, errors) = run(&["-"], position);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert_eq!(output, run(&[], position).1);
}

#[test]
fn input_that_is_not_text_is_named_with_its_line() {
    let folder = Folder::new("dead");
    let file = folder.write("bytes", b"4k3/8/8/8/8/8/8/4K3 w - - 0 1\n\xFF\n");
    let reason = "line 2 is not text in UTF-8 or UTF-16\n";
    let mut command = process::tabiya();
    command.arg("dead").stdin(fs::File::open(&file).unwrap());
    let ran = command.output().unwrap();
    let errors = String::from_utf8(ran.stderr).unwrap();
    assert!(
        errors.ends_with(&format!(": standard input: {reason}")),
        "{errors}"
    );
    let (_, _, errors) = run(&[file.to_str().unwrap()], "");
    assert!(errors.ends_with(&format!("bytes: {reason}")), "{errors}");
}

#[test]
fn mate_on_the_board_is_told() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n";
    for words in [&[][..], &["--quick"]] {
        let (_, output, _) = run(words, mated);
        assert!(output.contains("\n  Black has mated\n"), "{output}");
        assert!(!output.lines().any(|line| line.ends_with(' ')), "{output}");
    }
}

/// A program that reads the answers does not read standard error beside them.
#[test]
fn in_json_errors_and_repairs_are_in_the_answers() {
    let repaired = "4k3/8/8/8/8/8/8/4K3 w K e6 0 1\n";
    let (code, output, errors) = run(&["--json"], &format!("{NOT_POSITIONS}{repaired}"));
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let answers: Vec<serde_json::Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let has = |name: &str| {
        answers
            .iter()
            .map(|answer| answer.get(name).is_some())
            .collect::<Vec<_>>()
    };
    assert_eq!(has("error"), [false, true, true, false], "{output}");
    assert_eq!(has("dead"), [true, false, false, true], "{output}");
    assert_eq!(has("repaired"), [false, false, false, true], "{output}");
    let lost = ["a castling right lacks its king or rook", "en passant"];
    let told = answers[3]["repaired"].as_str().unwrap();
    assert!(lost.iter().all(|part| told.contains(part)), "{told}");
}

/// Minor pieces against minor pieces, where short mates in the middle of the board count most.
#[test]
fn helpmates_among_minor_pieces_are_found() {
    let table = [
        ("8/b3k3/8/3B2b1/8/1Kbb4/B7/8 b - - 0 1", Color::Black),
        ("1B1K4/6k1/8/1p6/8/8/3n4/5B2 b - - 0 1", Color::Black),
        ("1K5B/8/7n/3B4/8/3k4/8/8 w - - 0 1", Color::Black),
        ("1N6/8/8/8/1bK5/3b4/4B3/4k3 w - - 0 1", Color::Black),
        ("1k2B3/8/5N2/B7/4b1K1/8/8/6b1 w - - 0 1", Color::Black),
    ];
    for (fen, color) in table {
        assert_eq!(can_win(&position(fen), color, 500_000), Some(true), "{fen}");
    }
}
