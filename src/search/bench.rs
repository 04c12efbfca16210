//! The bench: fixed positions searched to a fixed depth, which gives a signature and a speed.
//!
//! Nearly every change of play changes the number of nodes, and nothing else does. Commits are
//! signed with it.

use super::clock::Instant;
use super::control::StopToken;
use super::limits::Limits;
pub use super::report::{BenchError, BenchResult};
use super::request::SearchRequest;
use super::smp::{MAX_THREADS, Searcher, on_thread};
use super::tt::TranspositionTable;
use crate::board::Position;
use crate::eval::Network;
use std::sync::Arc;

/// How to search the positions. The default gives the signature; with more than one thread the node
/// count differs from run to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchSettings {
    /// Depth of each search, in plies.
    pub depth: u32,
    /// Number of search threads.
    pub threads: usize,
    /// Size of the transposition table, in MiB.
    pub hash_mib: usize,
}

impl BenchSettings {
    /// The settings of the signature.
    pub const DEFAULT: Self = Self {
        depth: 12,
        threads: 1,
        hash_mib: 16,
    };
    /// The maximum of each setting.
    pub const MAX: Self = Self {
        depth: Limits::MAX_DEPTH,
        threads: MAX_THREADS,
        hash_mib: TranspositionTable::MAX_MIB,
    };
}

impl Default for BenchSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Positions from Tabiya's own games, from the opening to a win against a bare king near the
/// fifty-move rule, and two composed ones: a mutual zugzwang and a pawn race.
const POSITIONS: [&str; 24] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/p1pppp1p/1pn2np1/1P6/8/N1P5/P1QPPPPP/R1B1KBNR b KQkq - 0 1",
    "r1b1kbnr/pp1q1p1p/2np2p1/1Bp1pP2/4P1PP/2N5/PPPP4/R1BQK1NR w KQkq - 0 5",
    "r1bq1rk1/5p2/1pnbpn1p/pNpp2p1/2P5/3P2P1/PP1NPPBP/R1BQ1RK1 w - - 2 8",
    "r2q1b2/pp3k1r/3p1n1p/2p1n2P/P3NNb1/8/1PP2PB1/R1BQ1RK1 w - - 1 11",
    "r2q2kr/1p1bn1bp/5p2/pNp1p2Q/2PpPP2/P2Pn2N/1P2BKPP/1RB4R w - - 5 13",
    "1rb1kb1r/1p1p4/pN3p1p/P1p1p1p1/3nP3/2B2PPP/P1P1N3/2KR1B1R w k - 2 15",
    "r4rk1/p3np1p/1q2p3/3p4/1P1Nn1P1/P3P3/1BP4P/R2Q1RK1 w - - 3 17",
    "r2k3r/1p1bn2p/p7/nP2p3/2PpN3/P2B2P1/1B6/1K1R3R w - - 0 19",
    "3nrrk1/3bq1bp/4p1n1/1p1pPp1B/pP1P1P2/P1NR4/4NB1P/2QR2K1 w - - 8 21",
    "4k3/1p2p2p/4nr2/1pp5/8/5r1P/PPP5/R1KN3R w - - 4 23",
    "2k1r3/p5p1/2b1n2p/3pPp1P/pB3P1R/2P1P1n1/P1B3P1/3RK3 w - - 4 25",
    "3r2k1/1Q1bb3/1Np1rnp1/2P1pp1p/1P4qP/3P3R/PR1B2P1/2K2B2 w - - 0 28",
    "4k3/3p4/1pbPr3/p1p1Bp1p/P1P2PpP/1P1n2P1/3N4/3R1K2 w - - 6 31",
    "8/p3k3/1p5p/1P4rP/2p5/3n1B2/P7/5K1R w - - 0 34",
    "6k1/5pp1/1p3n2/7p/4b3/2r2N1P/B5P1/6KR w - - 1 37",
    "1k2b3/5p2/pb6/3P4/2r2N2/8/P7/1K3R2 w - - 0 41",
    "8/8/2k2p2/3p4/6p1/PNP2r1p/1RK1r2P/8 w - - 8 45",
    "8/4R3/P7/8/8/3k4/r4p2/5K2 w - - 2 49",
    "8/8/5k2/4p1p1/3pB1Kp/8/8/8 w - - 4 57",
    "8/r2r1k2/2R2p2/3Pp3/PR2P1p1/7p/7P/5K2 w - - 13 61",
    "8/8/8/8/4k3/8/r7/4K3 w - - 90 71",
    "8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1",
];

/// Searches every position with `network` on a thread of its own. All tables are cleared before
/// each position.
///
/// # Errors
/// If the system refuses the memory of the table or the thread.
pub fn run(settings: BenchSettings, network: Arc<Network>) -> Result<BenchResult, BenchError> {
    on_thread(|| search_positions(settings, &network, &StopToken::new()))
        .unwrap_or(Err(BenchError::NoThread))
}

/// Does the same on the calling thread, which must be a search thread.
pub(super) fn search_positions(
    settings: BenchSettings,
    network: &Arc<Network>,
    token: &StopToken,
) -> Result<BenchResult, BenchError> {
    let no_memory = |_| BenchError::NoMemory(settings.hash_mib);
    let mut searcher = Searcher::new(settings.hash_mib).map_err(no_memory)?;
    let no_threads = |_| BenchError::NoThreads(settings.threads);
    searcher.set_threads(settings.threads).map_err(no_threads)?;
    searcher.set_network(network.clone());
    let start = Instant::now();
    let (mut nodes, mut calls) = (0, 0);
    for position in POSITIONS
        .iter()
        .filter_map(|fen| Position::from_fen(fen).ok())
    {
        let request = SearchRequest {
            token: token.clone(),
            ..SearchRequest::new(position, Limits::depth(settings.depth))
        };
        searcher.clear();
        let answer = searcher.run(&request, None);
        nodes += answer.nodes;
        calls += answer.calls;
        if token.is_stopped() {
            return Err(BenchError::Stopped);
        }
    }
    let time = start.elapsed();
    Ok(BenchResult { nodes, calls, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_the_bench_is_legal() {
        for fen in POSITIONS {
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
        }
    }
}
