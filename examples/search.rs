//! A search for the best move.
//!
//!     cargo run --release --no-default-features --example search

#![allow(clippy::print_stdout)]

use std::time::Duration;
use tabiya::board::Position;
use tabiya::game::san;
use tabiya::search::{Limits, Searcher};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Lasker against Thomas, 1912: White mates in eight.
    let fen = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 7 11";
    let position = Position::from_fen(std::env::args().nth(1).as_deref().unwrap_or(fen))?;
    let limits = Limits {
        depth: Some(12),
        ..Limits::movetime(Duration::from_secs(1))
    };
    let mut searcher = Searcher::new(16)?;
    let answer = searcher.best_move(position, limits)?;
    let best = answer.best.ok_or("the game is over")?;
    println!(
        "{} after {} nodes, {} centipawns",
        san::write(&position, best),
        answer.nodes,
        answer.score.0,
    );
    Ok(())
}
