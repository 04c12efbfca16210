//! Perft suites: every line `FEN ;D1 n ;D2 n …`, standard chess and Chess960.
//!
//! The ordinary run limits the nodes of a line. `cargo test perft -- --ignored --nocapture` counts
//! the whole suites.

#![allow(clippy::print_stdout)] // Totals, shown with --nocapture.

use crate::random_games::{KIWIPETE, START};
use crate::shared;
use crate::sources::root;
use std::fs;
use std::path::{Path, PathBuf};
use tabiya::board::{Position, Setup, Severity, perft};
use tabiya::types::CastlingMode;

/// The ordinary run skips depths with more nodes.
const ORDINARY: u64 = 1_000_000;
const WHOLE: u64 = u64::MAX;

/// Suites of this project, and suites of other projects, which are not in the repository.
const OURS: &[&str] = &[
    "own_standard.epd",
    "own_chess960.epd",
    "chess960_start_d4.epd",
    "impossible_alignment.epd",
];
const OTHERS: &[&str] = &["standard.epd", "chess960.epd"];

#[test]
fn our_suites_agree() {
    for name in OURS {
        count(&ours(name), ORDINARY);
    }
}

#[test]
fn suites_of_others_agree() {
    each_of_others(ORDINARY);
}

#[test]
#[ignore = "minutes"]
fn our_whole_suites_agree() {
    for name in OURS {
        count(&ours(name), WHOLE);
    }
}

#[test]
#[ignore = "hours"]
fn whole_suites_of_others_agree() {
    each_of_others(WHOLE);
}

/// A compromise that takes minutes.
#[test]
#[ignore = "minutes"]
fn suites_of_others_agree_up_to_thirty_million_nodes_a_line() {
    each_of_others(30_000_000);
}

fn each_of_others(limit: u64) {
    for name in OTHERS {
        if let Some(path) = shared::file(&format!("perft/{name}")) {
            count(&path, limit);
        }
    }
}

fn ours(name: &str) -> PathBuf {
    root().join("tests/data/perft").join(name)
}

fn count(path: &Path, limit: u64) {
    let text = fs::read_to_string(path).expect("the suite can be read");
    let (mut lines, mut depths, mut nodes) = (0, 0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (fen, counts) = line.split_once(';').expect("a line has counts");
        // The letters of a suite are not always those of its mode.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mode = CastlingMode::from_chess960(name.contains("chess960"));
        let position = Position::from_fen_repaired(fen, Some(mode))
            .unwrap_or_else(|error| panic!("{fen}: {error}"))
            .position;
        for entry in counts.split(';') {
            let mut words = entry.trim().trim_start_matches('D').split_whitespace();
            let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
            let (Some(depth), Some(expected)) = (number(), number()) else {
                panic!("not a depth and a count: {entry}");
            };
            if expected > limit {
                break;
            }
            let found = perft::count(&position, depth as u32);
            assert_eq!(found, expected, "depth {depth} of {fen}");
            depths += 1;
            nodes += found;
        }
        lines += 1;
    }
    assert!(lines > 0 && depths >= lines, "{} is empty", path.display());
    println!(
        "{}: {lines} lines, {depths} counts, {nodes} nodes",
        path.file_name().unwrap_or_default().to_string_lossy()
    );
}

/// Rights that were lost count only for a reader who knows that the game is Chess960. The numbers
/// are python-chess's.
#[test]
fn castling_rights_count_by_the_rules_of_the_mode() {
    let lost = "r2k3r/p1ppqpb1/bn2pQp1/3PN3/1p2P3/2N4p/PPPBBPPP/R3K1R1 b Qkq - 0 1";
    let mixed = "r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq - 0 1";
    for (fen, standard, chess960) in [
        (lost, [33, 1_748, 56_521], [35, 1_856, 62_777]),
        (mixed, [14, 206, 3_660], [14, 206, 3_672]),
    ] {
        for (mode, counts) in [
            (None, standard),
            (Some(CastlingMode::Standard), standard),
            (Some(CastlingMode::Chess960), chess960),
        ] {
            let read = Position::from_fen_repaired(fen, mode).expect(fen);
            let found = [1, 2, 3].map(|depth| perft::count(&read.position, depth));
            assert_eq!(found, counts, "{fen}: {mode:?}");
        }
    }
}

#[test]
fn divide_adds_up_to_count() {
    for fen in [START, KIWIPETE] {
        let position = Position::from_fen(fen).expect("legal");
        for depth in 1..4 {
            let sum: u64 = perft::divide(&position, depth)
                .map(|(_, count)| count)
                .sum();
            assert_eq!(sum, perft::count(&position, depth));
        }
        assert_eq!(perft::divide(&position, 0).count(), 0);
        assert_eq!(perft::count(&position, 0), 1);
    }
}

/// Ten thousand valid Shredder-FENs, which are written as they were read.
#[test]
fn valid_fens_of_others_have_no_defects() {
    let Some(path) = shared::file("perft/cozy_valid.sfens") else {
        return;
    };
    let text = fs::read_to_string(path).expect("the file can be read");
    let mut seen = 0;
    for fen in text.lines() {
        let setup: Setup = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(setup.to_shredder_fen(), fen);
        let validated = setup
            .validate(CastlingMode::Chess960)
            .unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert!(
            validated.defects.is_empty(),
            "{fen}: {:?}",
            validated.defects
        );
        // A position keeps the en passant square only if the capture is legal.
        let mut kept = setup;
        kept.en_passant = validated.position.en_passant();
        assert_eq!(
            validated.position.to_setup().to_shredder_fen(),
            kept.to_shredder_fen()
        );
        seen += 1;
    }
    println!("cozy_valid.sfens: {seen} lines");
    assert!(seen > 0);
}

/// Ten thousand Shredder-FENs, each with a defect.
#[test]
fn invalid_fens_of_others_have_a_defect() {
    let Some(path) = shared::file("perft/cozy_invalid.sfens") else {
        return;
    };
    let text = fs::read_to_string(path).expect("the file can be read");
    let mut seen = [0; 3];
    let mut missed = Vec::new();
    for fen in text.lines() {
        let severity = match fen.parse::<Setup>() {
            Err(_) => Some(Severity::Fatal),
            Ok(setup) => match setup.validate(CastlingMode::Chess960) {
                Err(error) => error.0.severity(),
                Ok(validated) => validated.defects.severity(),
            },
        };
        match severity {
            Some(severity) => seen[severity as usize] += 1,
            None => missed.push(fen),
        }
    }
    println!(
        "cozy_invalid.sfens: suspicious, repairable, fatal: {:?}",
        seen
    );
    assert!(missed.is_empty(), "{} missed: {missed:#?}", missed.len());
    assert!(seen.iter().sum::<i32>() > 0);
}
