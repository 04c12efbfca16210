//! Aspiration windows: the score will be near the last one, and a narrow window cuts more.
//!
//! When it is not, the window is opened on the side where it failed and the iteration is searched again.

use super::control::Stopped;
use super::node::{Root, Task, Window};
use super::params::{ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_MARGIN};
use super::report::Bound;
use super::worker::Worker;
use crate::types::Score;

/// Fail-highs for which the search goes a ply less deep: the move is good, and to know how good can wait.
const MAX_FAIL_HIGHS: i32 = 3;

impl Worker<'_> {
    /// Searches the root to a depth, and orders the root moves by what it finds.
    pub(super) fn search_root(&mut self, depth: i32) -> Result<(), Stopped> {
        let expected = self.root_moves[self.line].previous_score;
        let mut margin = ASPIRATION_MARGIN;
        let mut window = Window::OPEN;
        if depth >= ASPIRATION_DEPTH && !expected.is_decisive() {
            window = Window {
                alpha: expected - margin,
                beta: expected + margin,
            };
        }
        let mut fail_highs = 0;
        loop {
            let depth = (depth - fail_highs).max(1);
            let task = Task {
                ply: 0,
                depth,
                window,
                cut_node: false,
            };
            let root = self.root;
            let outcome = self.negamax::<Root>(&root, task);
            self.sort_root_moves();
            let score = outcome?;
            let bound = if score <= window.alpha {
                Bound::Upper
            } else if score >= window.beta {
                Bound::Lower
            } else {
                return Ok(());
            };
            self.report_failure(bound);
            match bound {
                Bound::Upper => {
                    window.beta = Score(i32::midpoint(window.alpha.0, window.beta.0));
                    window.alpha = near(score - margin).unwrap_or(-Score::INFINITE);
                    fail_highs = 0;
                }
                _ => {
                    window.beta = near(score + margin).unwrap_or(Score::INFINITE);
                    fail_highs = (fail_highs + 1).min(MAX_FAIL_HIGHS);
                }
            }
            margin += margin * ASPIRATION_GROWTH / 100;
        }
    }
}

/// A bound that leaves the range of evaluations, on either side, is no bound any more.
fn near(bound: Score) -> Option<Score> {
    const FAR: i32 = 2000;
    (bound.0.abs() <= FAR).then_some(bound)
}
