//! Magic bitboards: a perfect hash from the occupancy of a slider's lines to a table index.
//!
//! Kannan, *Magic Move-Bitboard Generation in Computer Chess*, 2007. `build.rs` uses this file too,
//! to find the magic numbers.

use crate::types::Bitboard;

/// The look-up of one slider on one square in the shared table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Magic {
    /// The squares whose occupancy matters.
    pub mask: Bitboard,
    /// The magic number: it gathers the relevant bits at the top of the product.
    pub factor: u64,
    /// 64 minus the number of bits in the mask.
    pub shift: u32,
    /// Start of this square's part of the table.
    pub offset: u32,
}

impl Magic {
    // ANCHOR: magic
    /// The table index for these occupied squares.
    #[inline(always)]
    pub(crate) const fn index(&self, occupied: Bitboard) -> usize {
        let relevant = occupied.0 & self.mask.0;
        self.offset as usize + (relevant.wrapping_mul(self.factor) >> self.shift) as usize
    }
    // ANCHOR_END: magic
}
