//! Where a worker's reports go: what was reported last, and what is worth reporting again.

use super::report::{CurrentMove, Info, Report};
use crate::types::{Move, Score};
use std::time::Duration;

/// Root moves are reported no more often than anybody can read.
const BETWEEN_ROOT_MOVES: Duration = Duration::from_millis(50);

/// Passes reports on.
pub(super) struct Reporter<'a> {
    listener: &'a mut dyn FnMut(Info),
    /// The best move and its score, as they were last reported.
    last_best: Option<(Option<Move>, Score)>,
    /// When a root move was last reported.
    last_root_move: Duration,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(listener: &'a mut dyn FnMut(Info)) -> Self {
        Self {
            listener,
            last_best: None,
            last_root_move: BETWEEN_ROOT_MOVES,
        }
    }

    /// Reports a line.
    pub(super) fn line(&mut self, report: Report) {
        if report.multi_pv == 1 {
            self.last_best = Some((report.pv.first().copied(), report.score));
        }
        (self.listener)(Info::Line(report));
    }

    /// Reports the line of the answer, unless the same was reported last.
    pub(super) fn answer(&mut self, report: &Report) {
        if self.last_best != Some((report.pv.first().copied(), report.score)) {
            self.line(report.clone());
        }
    }

    /// Whether it is time for the next root move.
    pub(super) fn wants_root_move(&self, now: Duration) -> bool {
        now >= self.last_root_move + BETWEEN_ROOT_MOVES
    }

    /// Reports which root move is being searched.
    pub(super) fn root_move(&mut self, current: CurrentMove) {
        self.last_root_move = current.time;
        (self.listener)(Info::CurrentMove(current));
    }
}
