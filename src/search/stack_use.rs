//! Measures the stack that the recursion of the search takes, for a test in `smp`.

use std::cell::Cell;

thread_local! {
    static ROOT: Cell<usize> = const { Cell::new(0) };
    static BYTES_PER_PLY: Cell<usize> = const { Cell::new(0) };
}

/// Notes that a node at `ply` is being searched.
#[inline(never)]
pub(super) fn note(ply: usize) {
    let here = 0_u8;
    let address = &raw const here as usize;
    if ply == 0 {
        ROOT.set(address);
    } else if let Some(bytes) = ROOT.get().abs_diff(address).checked_div(ply) {
        BYTES_PER_PLY.set(BYTES_PER_PLY.get().max(bytes));
    }
}

/// The most bytes per ply so far.
pub(super) fn bytes_per_ply() -> usize {
    BYTES_PER_PLY.get()
}
