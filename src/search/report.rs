//! What a search tells: numbers, no text. The front-ends put them into words.
//!
//! A [`Report`] is one line of play after an iteration, or a bound on its score in the middle of one; an [`Answer`] is the end.
//! When something is worth reporting is decided in [`reporting`](super::reporting).

use crate::types::{Move, Score};
use std::time::Duration;

/// What a score says about the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// It is at most the score: no move was good enough (fail low).
    Upper,
    /// It is at least the score: a move was too good to look further (fail high).
    Lower,
    /// It is the score.
    Exact,
}

/// What a search tells on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Info {
    /// What a line has come to.
    Line(Report),
    /// Which root move is being searched. Not told in the first tenth of a second.
    CurrentMove(CurrentMove),
}

impl Info {
    /// The line, if it is one.
    pub fn line(self) -> Option<Report> {
        match self {
            Self::Line(report) => Some(report),
            Self::CurrentMove(_) => None,
        }
    }
}

/// A root move that is being searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentMove {
    /// The iteration, in plies.
    pub depth: u32,
    /// The move.
    pub mv: Move,
    /// Its rank among the root moves, from 1.
    pub number: usize,
    /// How many root moves there are.
    pub total: usize,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
}

/// How far a search has come with one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The rank of the line, 1 for the best.
    pub multi_pv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How often a tablebase has answered.
    pub tablebase_hits: u64,
    /// How full the transposition table is, in permille.
    pub hashfull: u32,
    /// The principal variation; empty only if there is no legal move.
    pub pv: Vec<Move>,
}

/// What a search has come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The move to play; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The reply it expects.
    pub ponder: Option<Move>,
    /// The score of the best move for the side to move; that of the last line reported.
    pub score: Score,
    /// The last iteration that was finished, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}
