//! The `tabiya` program.

#![allow(clippy::print_stdout)]

use tabiya::board::{Position, perft};

fn main() {
    let fen = std::env::args()
        .nth(2)
        .unwrap_or_else(|| Position::start().to_string());
    let depth: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let p = Position::from_fen(&fen).unwrap();
    let t = std::time::Instant::now();
    let n = perft::count(&p, depth);
    let s = t.elapsed().as_secs_f64();
    println!("{n} {:.1} Mnps", n as f64 / s / 1e6);
}
