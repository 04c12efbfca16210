//! Principal variations (PV): the best line from each ply of the path to the present node.
//!
//! This is a *triangular table*. When a move raises alpha at a ply, the best line from there is
//! that move followed by the best line of the next ply. So the whole line is at the root when the
//! search returns. It costs a copy at PV nodes only. Unlike a line read from the transposition
//! table, it is the line that was searched, to its end.

use crate::types::{MAX_PLY, Move};
use arrayvec::ArrayVec;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The best line from each ply.
pub(super) struct PvTable(Vec<Line>);

impl PvTable {
    pub(super) fn new() -> Self {
        Self(vec![Line::new(); MAX_PLY + 2])
    }

    /// Clears the line from `ply`.
    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    // ANCHOR: set
    /// Sets the line from `ply` to `mv` followed by the line from the next ply.
    #[inline]
    pub(super) fn set(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut here[ply], &below[0]);
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(MAX_PLY - 1));
    }
    // ANCHOR_END: set

    /// The best line from `ply`.
    pub(super) fn from(&self, ply: usize) -> &Line {
        &self.0[ply]
    }
}
