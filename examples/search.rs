//! A search for the two best moves, with their lines.
//!
//!     cargo run --release --no-default-features --example search
//!
//! It prints:
//!
//!     #3: 15. g3+ Kf3 16. Kf1 gxf6 17. Nh2#
//!     #5: 15. Ne5 Qb4+ 16. c3 Qxc3+ 17. bxc3 Be4 18. Nh5+ Kf5 19. g4#

#![allow(clippy::print_stdout)]

use tabiya::board::Position;
use tabiya::engine::normalized_score;
use tabiya::game::san;
use tabiya::search::{Limits, SearchRequest, SearchSettings, Searcher};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Lasker against Thomas, 1912, after Black's fourteenth move.
    let fen = "rn3r2/pbppq1p1/1p2pN2/8/3P1kNP/3B4/PPP2PP1/R3K2R w KQ - 1 15";
    let position = Position::from_fen(std::env::args().nth(1).as_deref().unwrap_or(fen))?;
    let request = SearchRequest {
        settings: SearchSettings {
            multi_pv: 2,
            ..SearchSettings::default()
        },
        ..SearchRequest::new(position, Limits::depth(22))
    };
    let mut searcher = Searcher::new(16)?;
    let answer = searcher.search_silently(&request)?;
    for line in &answer.lines {
        let moves = san::write_line(&position, &line.pv);
        let score = normalized_score(line.score, &position).in_pawns();
        println!("{score}: {moves}");
    }
    Ok(())
}
