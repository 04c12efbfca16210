//! Late move reductions: the later a move comes in a good order, the less deep it is searched at first.

use super::node::{Node, NodeState};
use super::params::{
    REDUCTION_CHECK, REDUCTION_CUT_NODE, REDUCTION_HISTORY, REDUCTION_KILLER, REDUCTION_NOISY_BASE,
    REDUCTION_NOISY_DIVISOR, REDUCTION_NOISY_TT_MOVE, REDUCTION_NOT_IMPROVING, REDUCTION_PV,
    REDUCTION_QUIET_BASE, REDUCTION_QUIET_DIVISOR, REDUCTION_TT_PV,
};

/// Depths and move numbers from here on are treated alike.
const SIZE: usize = 64;
/// Reductions are in 1/1024 of a ply.
const PLY: i32 = 1024;

/// What a move is, as far as its reduction is concerned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Late {
    /// 1 for the first move of the node.
    pub(super) number: usize,
    pub(super) quiet: bool,
    pub(super) killer: bool,
    pub(super) gives_check: bool,
    pub(super) history: i32,
    /// The table's move takes something.
    pub(super) noisy_tt_move: bool,
}

/// Reductions by depth and move number, before anything else is known.
pub(super) struct Reductions {
    quiet: Box<[[i32; SIZE]; SIZE]>,
    noisy: Box<[[i32; SIZE]; SIZE]>,
}

impl Reductions {
    pub(super) fn new() -> Self {
        Self {
            quiet: table(REDUCTION_QUIET_BASE, REDUCTION_QUIET_DIVISOR),
            noisy: table(REDUCTION_NOISY_BASE, REDUCTION_NOISY_DIVISOR),
        }
    }

    fn base(&self, quiet: bool, depth: i32, number: usize) -> i32 {
        let table = if quiet { &self.quiet } else { &self.noisy };
        table[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }

    /// By how many plies a move is likely to be reduced: what pruning by depth goes by.
    #[inline]
    pub(super) fn expected(&self, depth: i32, number: usize) -> i32 {
        self.base(true, depth, number) / PLY
    }

    /// By how many plies to reduce a move.
    #[inline]
    pub(super) fn of<N: Node>(&self, node: &NodeState, late: Late) -> i32 {
        let mut reduction = self.base(late.quiet, node.task.depth, late.number);
        // Lines that were or are on the principal variation deserve a second look.
        reduction -= i32::from(N::PV) * REDUCTION_PV;
        reduction -= i32::from(node.tt_pv) * REDUCTION_TT_PV;
        // Where one move is expected to refute, the late ones are not it.
        reduction += i32::from(node.task.cut_node) * REDUCTION_CUT_NODE;
        // Where things are getting worse, few moves help.
        reduction += i32::from(!node.improving) * REDUCTION_NOT_IMPROVING;
        // If the best is a capture, quiet moves are likely to miss the point.
        reduction += i32::from(late.noisy_tt_move && late.quiet) * REDUCTION_NOISY_TT_MOVE;
        reduction -= i32::from(late.gives_check) * REDUCTION_CHECK;
        reduction -= i32::from(late.killer) * REDUCTION_KILLER;
        reduction -= late.history * PLY / REDUCTION_HISTORY;
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
