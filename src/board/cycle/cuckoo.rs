//! The two places of a key in the cuckoo hash table of reversible moves; `build.rs` fills it with the same functions.

/// Places in the table; there are 3,668 moves.
pub(super) const SIZE: usize = 8192;

/// The first place of a key.
#[inline(always)]
pub(super) const fn first(key: u64) -> usize {
    key as usize % SIZE
}

/// The second place of a key.
#[inline(always)]
pub(super) const fn second(key: u64) -> usize {
    (key >> 16) as usize % SIZE
}
