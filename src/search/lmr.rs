//! Late move reductions (LMR): the later a move comes in a good order, the less deep it is searched at first.
//!
//! Move ordering is good enough that a late move hardly ever is the best one; a reduced null-window search confirms that
//! at a fraction of the cost, and a move that beats alpha all the same is searched again at full depth. It fails where the
//! refutation lies just beyond the reduced horizon; so moves that history knows as good, checks and killers are reduced
//! less, and nodes on the principal variation too. The logarithmic form goes back to Stockfish (2009), the idea to
//! Heinz's and Donninger's experiments of the nineties.

use super::node::{MoveContext, Node, NodeState};
use super::params;

/// Depths and move numbers from here on are treated alike.
const SIZE: usize = 64;
/// Reductions are in 1/1024 of a ply.
const PLY: i32 = 1024;

/// Reductions by depth and move number, before anything else is known.
pub(super) struct LmrTable {
    quiet: Box<[[i32; SIZE]; SIZE]>,
    noisy: Box<[[i32; SIZE]; SIZE]>,
    /// The state of the parameters that it was made from.
    #[cfg(feature = "tune")]
    made_at: u32,
}

impl LmrTable {
    pub(super) fn new() -> Self {
        Self {
            quiet: table(params::lmr_quiet_base(), params::lmr_quiet_divisor()),
            noisy: table(params::lmr_noisy_base(), params::lmr_noisy_divisor()),
            #[cfg(feature = "tune")]
            made_at: params::changes(),
        }
    }

    /// Recomputes the table if a parameter has changed.
    #[cfg(feature = "tune")]
    pub(super) fn follow_parameters(&mut self) {
        if self.made_at != params::changes() {
            *self = Self::new();
        }
    }

    fn base(&self, quiet: bool, depth: i32, number: usize) -> i32 {
        let table = if quiet { &self.quiet } else { &self.noisy };
        table[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }

    /// The depth that a move is likely to be searched to: what pruning by depth goes by.
    #[inline]
    pub(super) fn reduced_depth(&self, depth: i32, number: usize) -> i32 {
        (depth - self.base(true, depth, number) / PLY).max(0)
    }

    /// By how many plies to reduce a move.
    #[inline]
    pub(super) fn reduction<N: Node>(
        &self,
        node: &NodeState,
        context: &MoveContext,
        gives_check: bool,
        child_cutoffs: i32,
    ) -> i32 {
        let mut reduction = self.base(context.quiet, node.args.depth, context.number);
        // Lines that were or are on the principal variation deserve a second look.
        reduction -= i32::from(N::PV) * params::lmr_pv();
        reduction -= i32::from(node.tt_pv) * params::lmr_tt_pv();
        // Where one move is expected to refute, the late ones are not it.
        reduction += i32::from(node.args.cut_node) * params::lmr_cut_node();
        // Where things are getting worse, few moves help.
        reduction += i32::from(!node.improving) * params::lmr_not_improving();
        // If the best is a capture, quiet moves are likely to miss the point.
        reduction +=
            i32::from(context.noisy_tt_move && context.quiet) * params::lmr_noisy_tt_move();
        // The replies to the moves before this one have nearly always refuted them.
        reduction += i32::from(child_cutoffs > params::lmr_child_cutoffs_min())
            * params::lmr_child_cutoffs();
        reduction -= i32::from(gives_check) * params::lmr_check();
        reduction -= i32::from(context.killer) * params::lmr_killer();
        reduction -= context.history * PLY / params::lmr_history_divisor();
        reduction / PLY
    }
}

fn table(base: i32, divisor: i32) -> Box<[[i32; SIZE]; SIZE]> {
    let mut table = Box::new([[0; SIZE]; SIZE]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (number as f64).ln();
            *reduction = base + (product * f64::from(PLY) * 100.0 / f64::from(divisor)) as i32;
        }
    }
    table
}
