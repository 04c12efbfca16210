//! Syzygy tablebases in the tree: when WDL tables are probed, and how the node uses the result.
//!
//! WDL tables give the result of best play (de Man, 2013). A probe is expensive, so only positions
//! right after a capture or pawn move are probed; there the halfmove clock is 0 and the table is
//! exact. A win is a lower bound, since a mate may be near; a loss is an upper bound. On the
//! principal variation these only bound the score, so that the search still finds a line.

use super::node::{Node, NodeArgs, Window, tt_cutoff};
use super::params;
use super::report::Bound;
use super::syzygy_root::Prober;
use super::tt::TtEntry;
use super::worker::Worker;
use crate::board::Position;
use crate::types::Score;
use std::ops::ControlFlow;

/// How the score of a searched node relates to the true one. The node has this `window`, and the
/// tables say that the score lies within `bounds`. If no move does better than a tablebase win, it
/// is only known that the score is at least that, although the window looks like that of a fail
/// low.
#[inline]
pub(super) fn bound_with_tables(score: Score, window: Window, bounds: Window) -> Bound {
    if score == bounds.alpha {
        Bound::Lower
    } else if score == bounds.beta {
        Bound::Upper
    } else {
        window.bound_of(score)
    }
}

impl Worker<'_> {
    /// Probes the tablebases. Breaks with the score of a node that they decide, else continues with
    /// the bounds of its score, which are open off the principal variation. On it, a win raises
    /// alpha too.
    #[inline]
    pub(super) fn probe_syzygy<N: Node>(
        &mut self,
        position: &Position,
        args: &mut NodeArgs,
    ) -> ControlFlow<Score, Window> {
        match self.shared.choice.prober {
            Some(prober) if !N::ROOT && prober.should_probe(position, args.depth) => {
                self.probe_syzygy_wdl::<N>(prober, position, args)
            }
            _ => ControlFlow::Continue(Window::OPEN),
        }
    }

    #[cold]
    fn probe_syzygy_wdl<N: Node>(
        &mut self,
        prober: Prober<'_>,
        position: &Position,
        args: &mut NodeArgs,
    ) -> ControlFlow<Score, Window> {
        let mut bounds = Window::OPEN;
        let Some((score, bound)) = prober.score(position, args.ply) else {
            return ControlFlow::Continue(bounds);
        };
        self.tablebase_hits += 1;
        let entry = TtEntry {
            mv: None,
            score: Some((score, bound)),
            static_eval: None,
            depth: args.depth + params::syzygy_depth_bonus(),
            pv: N::PV,
        };
        // ANCHOR: decide
        if let Some(score) = tt_cutoff(&entry, args.window) {
            self.tt_store(position, args.ply, entry);
            return ControlFlow::Break(score);
        }
        if N::PV {
            match bound {
                Bound::Lower => {
                    bounds.alpha = score;
                    args.window.alpha = args.window.alpha.max(score);
                }
                _ => bounds.beta = score,
            }
        }
        // ANCHOR_END: decide
        ControlFlow::Continue(bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_the_tables_is_a_bound_in_every_window() {
        let win = Score::TABLEBASE_WIN - 5;
        let mate = Score::mate_in(9);
        let wide = Window {
            alpha: Score(-50),
            beta: Score::INFINITE,
        };
        let at_least_win = Window {
            alpha: win,
            ..Window::OPEN
        };
        // The win has raised alpha, and no move beats it.
        let raised = Window { alpha: win, ..wide };
        assert_eq!(bound_with_tables(win, raised, at_least_win), Bound::Lower);
        assert_eq!(bound_with_tables(mate, raised, at_least_win), Bound::Exact);
        let at_most_loss = Window {
            beta: -win,
            ..Window::OPEN
        };
        let low = Window {
            alpha: -Score::INFINITE,
            beta: Score(50),
        };
        assert_eq!(bound_with_tables(-win, low, at_most_loss), Bound::Upper);
        assert_eq!(bound_with_tables(-mate, low, at_most_loss), Bound::Exact);
        // Without tables the window decides.
        for (score, bound) in [(-60, Bound::Upper), (10, Bound::Exact)] {
            assert_eq!(bound_with_tables(Score(score), wide, Window::OPEN), bound);
        }
    }
}
