//! The two slots of a key in the cuckoo hash table of reversible moves. `build.rs` fills the table
//! with these functions.

/// Slots in the table, which holds 3,668 moves.
pub(super) const SIZE: usize = 8192;

/// The first slot of a key.
#[inline(always)]
pub(super) const fn first(key: u64) -> usize {
    key as usize % SIZE
}

/// The second slot of a key.
#[inline(always)]
pub(super) const fn second(key: u64) -> usize {
    (key >> 16) as usize % SIZE
}
