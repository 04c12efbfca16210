//! A clock for the programs of the course, which knows a depth and nothing of time.

pub(crate) use course::uci::{MATE, MATE_BOUND};

use tabiya::board::Position;
use tabiya::types::Move;

/// What a program of the course is, as in `course::uci`.
#[allow(dead_code)] // The names, and the table that is made anew, are for UCI.
pub(crate) trait Engine {
    const NAME: &'static str;

    fn new_game(&mut self) {}

    fn best_move(&mut self, game: &[Position], clock: &mut Clock) -> Move;
}

/// The limits of one search.
pub(crate) struct Clock {
    depth: i32,
    max_nodes: u64,
    /// Whether the search was stopped before its depth was reached.
    pub(crate) is_stopped: bool,
}

impl Clock {
    pub(crate) fn new(depth: i32, max_nodes: u64) -> Self {
        Self {
            depth,
            max_nodes,
            is_stopped: false,
        }
    }

    pub(crate) fn depth_or(&self, _default: i32) -> i32 {
        self.depth
    }

    pub(crate) fn is_up(&mut self, nodes: u64) -> bool {
        self.is_stopped |= nodes >= self.max_nodes;
        self.is_stopped
    }

    pub(crate) fn is_late(&self) -> bool {
        self.is_stopped
    }

    pub(crate) fn report(&self, _depth: i32, _score: i32, _nodes: u64, _best: Move) {}
}

/// A score of the course in words: centipawns, or the moves to a mate.
pub(crate) fn score_text(score: i32) -> String {
    match score {
        _ if score > MATE => "∞".to_owned(),
        _ if score < -MATE => "−∞".to_owned(),
        _ if score >= MATE_BOUND => format!("mate in {}", (MATE - score + 1) / 2),
        _ if score <= -MATE_BOUND => format!("mated in {}", (MATE + score) / 2),
        _ if score < 0 => format!("−{}", -score),
        _ => score.to_string(),
    }
}
