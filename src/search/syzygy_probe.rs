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
