//! Magic bitboards: a perfect hash from the pieces in a slider's way to a table index.
//!
//! Kannan, *Magic Move-Bitboard Generation in Computer Chess*, 2007. Shared with `build.rs`, which finds the numbers.

use crate::types::Bitboard;

/// How one slider on one square finds its attacks in the common table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Magic {
    /// The squares whose occupation matters.
    pub mask: Bitboard,
    /// The multiplier that gathers their bits at the top.
    pub factor: u64,
    /// 64 less the number of bits in the mask.
    pub shift: u32,
    /// Where this square's part of the table starts.
    pub offset: u32,
}

impl Magic {
    /// The table index for these occupied squares.
    #[inline(always)]
    pub(crate) const fn index(&self, occupied: Bitboard) -> usize {
        let relevant = occupied.0 & self.mask.0;
        self.offset as usize + (relevant.wrapping_mul(self.factor) >> self.shift) as usize
    }
}
