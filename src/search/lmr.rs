//! Late move reductions (LMR): the later a move comes in the order, the less deep it is searched.
//!
//! Move ordering is good enough that a late move is hardly ever the best one. A reduced search with
//! a null window confirms that at a fraction of the cost; a move that beats alpha is searched again
//! at about full depth. It fails where the refutation lies just beyond the reduced horizon. So
//! moves with a good history and checks are reduced less, and so are nodes on the principal
//! variation. The logarithmic form goes back to Stockfish (2009); the idea became common with Fruit
//! and Glaurung in 2005.

use super::node::{MoveContext, Node, NodeState};
use super::params;

/// Size of the tables. Greater depths and move numbers share the last entry.
const SIZE: usize = 64;
/// One ply in the unit of reductions.
const PLY: i32 = 1024;

/// Base reductions by depth and move number.
pub(super) struct LmrTable {
    quiet: Box<[[i32; SIZE]; SIZE]>,
    noisy: Box<[[i32; SIZE]; SIZE]>,
    /// Base and divisor of each table.
    #[cfg(feature = "tune")]
    made_of: [(i32, i32); 2],
}

impl LmrTable {
    pub(super) fn new() -> Self {
        let [quiet, noisy] = parameters();
        Self {
            quiet: table(quiet),
            noisy: table(noisy),
            #[cfg(feature = "tune")]
            made_of: [quiet, noisy],
        }
    }

    /// Computes the tables again if one of their parameters has changed.
    #[cfg(feature = "tune")]
    pub(super) fn follow_parameters(&mut self) {
        if self.made_of != parameters() {
            *self = Self::new();
        }
    }

    fn base(&self, quiet: bool, depth: i32, number: usize) -> i32 {
        let table = if quiet { &self.quiet } else { &self.noisy };
        table[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }

    /// The depth to which a move would probably be reduced. Pruning by depth uses it.
    #[inline]
    pub(super) fn reduced_depth(&self, depth: i32, number: usize) -> i32 {
        (depth - self.base(true, depth, number) / PLY).max(0)
    }

    // ANCHOR: reduction
    /// The reduction of a move, in plies. `child_cutoffs` is the number of nodes one ply below that
    /// have failed high; see [`StackEntry::cutoffs`](super::stack::StackEntry).
    #[inline]
    pub(super) fn reduction<N: Node>(
        &self,
        node: &NodeState,
        context: &MoveContext,
        gives_check: bool,
        child_cutoffs: i32,
    ) -> i32 {
        let mut reduction = self.base(context.quiet, node.args.depth, context.number);
        // Less on the principal variation, present or former.
        reduction -= i32::from(N::PV) * params::lmr_pv();
        reduction -= i32::from(node.tt_pv) * params::lmr_tt_pv();
        // More at cut nodes, where one of the first moves should refute.
        reduction += i32::from(node.args.cut_node) * params::lmr_cut_node();
        // More if the evaluation is not improving.
        reduction += i32::from(!node.improving) * params::lmr_not_improving();
        // More for quiet moves if the TT move is a capture.
        reduction += i32::from(node.noisy_tt_move && context.quiet) * params::lmr_noisy_tt_move();
        // More if many nodes one ply below have failed high, after moves of this node or of its
        // siblings.
        reduction += i32::from(child_cutoffs > params::lmr_child_cutoffs_min())
            * params::lmr_child_cutoffs();
        reduction -= i32::from(gives_check) * params::lmr_check();
        reduction -= context.history * PLY / params::lmr_history_divisor();
        reduction / PLY
    }
    // ANCHOR_END: reduction
}

/// Base and divisor of the reductions of quiet and of noisy moves.
fn parameters() -> [(i32, i32); 2] {
    [
        (params::lmr_quiet_base(), params::lmr_quiet_divisor()),
        (params::lmr_noisy_base(), params::lmr_noisy_divisor()),
    ]
}

fn table((base, divisor): (i32, i32)) -> Box<[[i32; SIZE]; SIZE]> {
    let mut table = Box::new([[0; SIZE]; SIZE]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (number as f64).ln();
            *reduction = base + (product * f64::from(PLY) * 100.0 / f64::from(divisor)) as i32;
        }
    }
    table
}
