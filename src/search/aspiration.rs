//! Aspiration windows: the score will be near the last one, and a narrow window cuts more.
//!
//! When the score falls outside, the window is widened on that side and the iteration searched
//! again. After a fail low, beta moves to the middle of the window. After a fail high the depth is
//! reduced: the move is good, and its exact score can wait. The idea goes back to Slate and Atkin's
//! Chess 4.5. Narrow windows cost time where scores swing, so the first iterations and all decisive
//! scores start with the open window, and a bound beyond `aspiration_limit` is opened fully.

use super::control::Stopped;
use super::node::{NodeArgs, RootNode, Window};
use super::params;
use super::report::Bound;
use super::worker::Worker;
use crate::types::Score;

impl Worker<'_> {
    /// Searches the current line of the root to the depth of the iteration, and sorts the root
    /// moves by the results.
    pub(super) fn aspiration(&mut self) -> Result<(), Stopped> {
        let depth = self.depth;
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
                excluded: None,
            };
            let root = self.shared.request.root.position;
            let outcome = self.negamax::<RootNode>(&root, args);
            self.root_moves.sort_pv();
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
            self.report_bound();
            margin += margin * params::aspiration_growth() / 100;
        }
    }
}

/// The bound, or `None` if it lies beyond `aspiration_limit` on either side.
fn within_limit(bound: Score) -> Option<Score> {
    (bound.0.abs() <= params::aspiration_limit()).then_some(bound)
}
