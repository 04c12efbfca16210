// ANCHOR: all
//! Counts the move sequences of a position with the board of this course, by first move.
//!
//! `perft DEPTH [FEN]`

use course::board::{Position, divide, move_text, read_fen};
use std::process::ExitCode;

// ANCHOR: perft
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let depth = words.first().and_then(|word| word.parse().ok());
    let position = match words.get(1..) {
        Some([]) => Some(Position::start()),
        Some(fen) => read_fen(&fen.join(" ")),
        None => None,
    };
    let (Some(depth @ 1..=12), Some(position)) = (depth, position) else {
        eprintln!("perft DEPTH [FEN], with a depth from 1 to 12");
        return ExitCode::FAILURE;
    };
    let mut total = 0;
    for (mv, count) in divide(&position, depth) {
        println!("{}: {count}", move_text(mv));
        total += count;
    }
    println!("{total} in all");
    ExitCode::SUCCESS
}
// ANCHOR_END: perft
// ANCHOR_END: all
