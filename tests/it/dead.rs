//! Which player can still win: known answers, helpmates replayed, and small positions beside exhaustion.

#![allow(clippy::print_stdout)] // What was skipped, for whoever asks with --nocapture.

use crate::random_games::{self, RandomPlayer};
use crate::shared;
use std::collections::{HashSet, VecDeque};
use std::fs;
use tabiya::board::{Position, Setup};
use tabiya::game::dead::{Winnability, analyse, is_dead_quick, quick};
use tabiya::types::{CastlingMode, Color, Key};

fn position(fen: &str) -> Position {
    random_games::position(fen, CastlingMode::Chess960)
}

/// Whether the player can win, if that was decided; a mate is replayed, and what the quick variant proves must be true.
fn can_win(position: &Position, color: Color, nodes: u64) -> Option<bool> {
    let answer = match analyse(position, color, nodes).winnability {
        Winnability::Unwinnable => Some(false),
        Winnability::Unknown => None,
        Winnability::Winnable(line) => {
            let mut end = *position;
            for mv in line {
                assert!(end.is_legal(mv), "{mv} in {end}, from {position}");
                end = end.play(mv);
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

/// Position, whether White can win, whether Black can.
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
    // The pawn must be promoted to a knight, beside its king.
    ("8/8/8/B7/2k5/1p6/1K6/8 b - - 0 1", true, true),
    ("2k5/3p4/8/8/8/8/8/2KB4 w - - 0 1", true, true),
    // Mate and stalemate on the board.
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true, false),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, false),
    // En passant opens what is blocked otherwise.
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

/// Every position that can be reached, up to so many; `None` if there are more, else whether each player can be mated.
fn exhaust(start: &Position, most: usize) -> Option<[bool; 2]> {
    let mut seen: HashSet<Key> = HashSet::from([start.key()]);
    let mut queue = VecDeque::from([*start]);
    let mut can_win = [false; 2];
    while let Some(position) = queue.pop_front() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.in_check() {
            can_win[(!position.side_to_move()).index()] = true;
        }
        for mv in moves {
            let next = position.play(mv);
            if seen.insert(next.key()) {
                if seen.len() > most {
                    return None;
                }
                queue.push_back(next);
            }
        }
    }
    Some(can_win)
}

/// Random small positions with blocked and free pawns: what is decided is what exhaustion finds.
#[test]
fn small_positions_are_decided_as_exhaustion_does() {
    const WANTED: usize = 30;
    const MOST: usize = 4_000;
    let mut random = RandomPlayer::new(77);
    let (mut compared, mut unwinnable) = (0, 0);
    while compared < WANTED {
        let Some(position) = random_blocked(&mut random) else {
            continue;
        };
        let Some(expected) = exhaust(&position, MOST) else {
            continue;
        };
        compared += 1;
        for color in Color::ALL {
            let expected = expected[color.index()];
            unwinnable += usize::from(!expected);
            assert_eq!(
                can_win(&position, color, 1_000_000),
                Some(expected),
                "{position} {color:?}"
            );
        }
    }
    assert!(unwinnable > WANTED / 2, "{unwinnable}");
}

/// Kings, pawns that stop each other on some files, and a bishop now and then.
fn random_blocked(random: &mut RandomPlayer) -> Option<Position> {
    let mut board = [['.'; 8]; 8];
    for file in [0, 1, 2, 3, 4, 5, 6, 7] {
        let rank = 1 + random.below(5);
        if random.below(3) > 0 {
            board[rank][file] = 'P';
            board[rank + 1][file] = 'p';
        }
    }
    for piece in ['K', 'k', 'B', 'b'] {
        if piece.eq_ignore_ascii_case(&'b') && random.below(2) == 0 {
            continue;
        }
        let (rank, file) = (random.below(8), random.below(8));
        if board[rank][file] != '.' {
            return None;
        }
        board[rank][file] = piece;
    }
    let rows: Vec<String> = board.iter().rev().map(|row| row.iter().collect()).collect();
    let mut placement = rows.join("/");
    for empty in (1..=8).rev() {
        placement = placement.replace(&".".repeat(empty), &empty.to_string());
    }
    let side = if random.below(2) == 0 { 'w' } else { 'b' };
    let setup: Setup = format!("{placement} {side} - - 0 1").parse().ok()?;
    let validated = setup.validate(CastlingMode::Standard).ok()?;
    validated.flaws.is_empty().then_some(validated.position)
}

fn suite(name: &str) -> Option<String> {
    let path = shared::file(&format!("suites/{name}"))?;
    Some(fs::read_to_string(path).expect("the suite can be read"))
}

/// The test vectors of the Chess Unwinnability Analyzer, with few nodes: none is answered wrongly.
#[test]
fn the_analyzers_vectors_are_never_answered_wrongly() {
    check_vectors(2_000, 2_000);
}

/// The same with more; a minute in a build with optimisation.
#[test]
#[ignore = "takes minutes"]
fn the_analyzers_vectors_are_never_answered_wrongly_with_many_nodes() {
    check_vectors(100_000, 3_100);
}

/// Asks each vector with so many nodes; at least so many must be decided.
fn check_vectors(nodes: u64, least: usize) {
    let Some(text) = suite("cha_test-vector.txt") else {
        return;
    };
    let (mut decided, mut questions) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((expected, fen)) = line.split_once(' ') else {
            continue;
        };
        let position = position(fen.trim());
        for (color, letter) in Color::ALL.into_iter().zip(expected.chars()) {
            questions += 1;
            if let Some(can_win) = can_win(&position, color, nodes) {
                decided += 1;
                assert_eq!(can_win, letter != '-', "{line} {color:?}");
            }
        }
    }
    println!("{decided} of {questions} questions decided");
    assert!(decided >= least, "{decided} of {questions}");
}

/// Positions of real games: every twentieth of 30,000; the player who has just moved can win in each of them.
#[test]
fn real_games_are_decided() {
    assert_eq!(unwinnable_games(20), 0);
}

/// All of them: three cannot be won.
#[test]
#[ignore = "takes a minute"]
fn three_of_thirty_thousand_real_games_are_unwinnable() {
    if suite("cha_lichess-30K-games.txt").is_some() {
        assert_eq!(unwinnable_games(1), 3);
    }
}

/// How many of every so many games cannot be won; each must be decided.
fn unwinnable_games(step: usize) -> usize {
    let text = suite("cha_lichess-30K-games.txt").unwrap_or_default();
    let mut unwinnable = 0;
    for line in text.lines().step_by(step) {
        let fen: Vec<_> = line.split(' ').take(6).collect();
        let position = position(&fen.join(" "));
        // The player who has just moved wants to win.
        let winner = !position.side_to_move();
        match can_win(&position, winner, 2_000_000) {
            Some(true) => {}
            Some(false) => unwinnable += 1,
            None => panic!("{line}"),
        }
    }
    unwinnable
}
