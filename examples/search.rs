//! A search: what it tells on its way, and its answer.
//!
//!     cargo run --release --no-default-features --example search

#![allow(clippy::print_stdout)]

use std::time::Duration;
use tabiya::board::Position;
use tabiya::game::san;
use tabiya::search::{Limits, Root, Searcher, StopToken, new_thread};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Lasker against Thomas, 1912: White mates in eight.
    let fen = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 7 11";
    let position = Position::from_fen(std::env::args().nth(1).as_deref().unwrap_or(fen))?;
    let limits = Limits {
        movetime: Some(Duration::from_secs(1)),
        ..Limits::depth(12)
    };
    // A search recurses deeply, so its thread needs a large stack; another thread may stop it by the token.
    let search = new_thread().spawn(move || {
        let mut searcher = Searcher::new(16)?;
        let token = StopToken::new();
        let answer = searcher.search(&Root::new(position), &limits, &token, &mut |info| {
            let Some(line) = info.line() else { return };
            let mut text = String::new();
            let mut position = position;
            for &mv in &line.pv {
                text = text + " " + &san::write(&position, mv);
                position = position.play(mv);
            }
            println!(
                "depth {:2}, {:6} centipawns:{text}",
                line.depth, line.score.0
            );
        });
        Ok::<_, std::io::Error>(answer)
    })?;
    let answer = search.join().map_err(|_| "the search did not end")??;
    let best = answer.best.ok_or("there is no legal move")?;
    println!(
        "{} after {} nodes",
        san::write(&position, best),
        answer.nodes
    );
    Ok(())
}
