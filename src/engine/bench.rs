//! The engine's fingerprint and its speed: fixed positions searched to a fixed depth.
//!
//! The number of nodes changes whenever play does, and only then; commits are signed with it.

use crate::board::Position;
use crate::search::{Limits, Root, Searcher, StopToken};
use std::time::{Duration, Instant};
use std::{io, thread};

/// The depth of the signature, in plies.
pub const DEPTH: u32 = 12;

const HASH_MIB: usize = 16;
const STACK_BYTES: usize = 64 << 20;

/// Openings, middlegames and endgames; tactics, quiet play, zugzwang, mates, promotions, a blocked position.
const POSITIONS: [&str; 24] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbq1rk1/pp2ppbp/3p1np1/2pP4/2P1P3/2N2N2/PP3PPP/R1BQKB1R w KQ - 0 7",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 b - - 2 9",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NP3/1BN1B3/PPP2PPP/R2Q1RK1 w - - 4 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/5N1P/PPBN1PP1/R1BQR1K1 b - - 4 13",
    "3r1rk1/p1q2ppp/1pn1p3/2p5/4P3/2PB1N2/P1P1QPPP/R4RK1 b - - 1 15",
    "4rrk1/pp1n1pp1/q5p1/P1pP4/2n3P1/7P/1P3PB1/R1BQ1RK1 w - - 3 22",
    "r3r1k1/2p2ppp/p1p1bn2/8/1q2P3/2NPQN2/PPP3PP/R4RK1 b - - 2 15",
    "1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 38",
    "6k1/4pp1p/3p2p1/P1pPb3/R7/1r2P1PP/3B1P2/6K1 w - - 0 31",
    "8/3p3B/5p2/5P2/p7/PP5b/k7/6K1 w - - 0 1",
    "5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90",
    "4k3/3q1r2/1N2r1b1/3ppN2/2nPP3/1B1R2n1/2R1Q3/3K4 w - - 5 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/6pk/1p6/8/PP3p1p/5P2/4KP1q/3Q4 w - - 0 1",
    "8/5p2/3kp3/1p1p2p1/1P1P2P1/3KP3/5P2/8 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
    "7k/8/8/8/8/2B5/1N6/K7 w - - 0 1",
    "3b4/5kp1/1p1p1p1p/pP1PpP1P/P1P1P3/3KN3/8/8 w - - 0 1",
];

/// What a bench came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// All nodes searched: the signature.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

impl Outcome {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches every position to a depth, forgetting everything in between.
///
/// # Errors
/// If there is no memory for the hash table, or no thread to be had.
pub fn run(depth: u32) -> io::Result<Outcome> {
    // The search recurses deeply; its own thread has the stack for it.
    let bench = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        let mut searcher = Searcher::new(HASH_MIB)?;
        let start = Instant::now();
        let mut nodes = 0;
        for fen in POSITIONS {
            let position = Position::from_fen(fen).map_err(io::Error::other)?;
            searcher.clear();
            let answer = searcher.search(&Root::new(position), &Limits::depth(depth), &StopToken::new(), &mut |_| {});
            nodes += answer.nodes;
        }
        Ok(Outcome { nodes, time: start.elapsed() })
    })?;
    bench.join().unwrap_or_else(|_| Err(io::Error::other("the bench did not come to its end")))
}
