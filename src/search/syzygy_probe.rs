//! Syzygy tablebases at the nodes of the tree: whether WDL is probed, and what becomes of the answer.
//!
//! WDL tables say who wins with best play (de Man, 2013). A probe is expensive, so only positions right after a capture or pawn move
//! are asked for, where the fifty-move rule starts again and a table is exact. A win is a lower bound, since the mate may be
//! nearer than anything the table knows; a loss is an upper bound. On the principal variation the answer only narrows what the
//! search may return, so that a line with moves is found.

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
    /// Probes the tablebases. They decide the node; or, on the principal variation, they narrow the window, and what they
    /// leave possible is returned.
    #[inline]
    pub(super) fn probe_syzygy<N: Node>(
        &mut self,
        position: &Position,
        args: &mut NodeArgs,
    ) -> ControlFlow<Score, Window> {
        match self.prober {
            Some(prober) if !N::ROOT && prober.is_wanted(position, args.depth) => {
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
        ControlFlow::Continue(bounds)
    }
}
