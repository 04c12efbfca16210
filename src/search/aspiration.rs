//! Aspiration windows: the score will be near the last one, and a narrow window cuts more.
//!
//! When the score falls outside, the window is opened on that side and the iteration is searched again. After a fail high
//! the search may go less deep: the move is good, and how good it is can wait. The idea is as old as Slate and Atkin's
//! Chess 4.5; it costs time where scores swing, so mates begin with the open window, and a bound beyond a limit is opened fully.

use super::control::Stopped;
use super::node::{NodeArgs, RootNode, Window};
use super::params;
use super::report::Bound;
use super::worker::Worker;
use crate::types::Score;

impl Worker<'_> {
    /// Searches the current line of the root to a depth, and orders the root moves by what it finds.
    pub(super) fn aspiration(&mut self, depth: i32) -> Result<(), Stopped> {
        let mut margin = params::aspiration_margin();
        let mut window = match self.root_moves.expected_score() {
            Some(expected) if depth >= params::aspiration_depth() && !expected.is_decisive() => {
                Window {
                    alpha: expected - margin,
                    beta: expected + margin,
                }
            }
            _ => Window::OPEN,
        };
        let mut fail_highs = 0;
        loop {
            let args = NodeArgs {
                ply: 0,
                depth: (depth - fail_highs).max(1),
                window,
                cut_node: false,
            };
            let root = self.root;
            let outcome = self.negamax::<RootNode>(&root, args);
            self.root_moves.sort_line();
            let score = outcome?;
            let bound = window.bound_of(score);
            match bound {
                Bound::Exact => return Ok(()),
                Bound::Upper => {
                    window.beta = Score(i32::midpoint(window.alpha.0, window.beta.0));
                    window.alpha = within_limit(score - margin).unwrap_or(-Score::INFINITE);
                    fail_highs = 0;
                }
                Bound::Lower => {
                    window.beta = within_limit(score + margin).unwrap_or(Score::INFINITE);
                    fail_highs = (fail_highs + 1).min(params::aspiration_max_fail_highs());
                }
            }
            self.report_failure(bound);
            margin += margin * params::aspiration_growth() / 100;
        }
    }
}

/// A bound that leaves the range of evaluations, on either side, is no bound any more.
fn within_limit(bound: Score) -> Option<Score> {
    (bound.0.abs() <= params::aspiration_limit()).then_some(bound)
}
