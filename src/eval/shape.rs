//! The shape of the network: sizes of the layers, ranges of the weights, and the weights of the
//! inputs.

use super::features::{FEATURES, MAX_MOTIF_FEATURES, MAX_PIECE_FEATURES};

/// Size of an accumulator, in neurons.
pub const HIDDEN: usize = 512;
/// Size of the layer after the accumulators; see [`Layers`](super::Layers).
pub const L2: usize = 8;
/// Size of the layer after L2.
pub const L3: usize = 16;

/// Scale of the accumulators: the integer that means 1.0.
pub const QA: i32 = 256;
/// Scale of the squares of the clipped neurons.
pub(super) const SQUARE_ONE: i32 = 2048;
/// Scale of the output weights.
pub const QB: i32 = 4096;
/// Scale of the weights of L2.
pub const QL2: i32 = 1024;
/// Output 1.0 in centipawns during training. A file may have another scale.
pub const SCALE: i32 = 400;
/// Maximum scale of a file.
pub const MAX_SCALE: i32 = 4_000;

/// Maximum sum of the absolute weights of all neurons in the output or in a neuron of L2: the sum
/// of the products with the squares fits in 32 bits.
pub const MAX_SQUARE_WEIGHTS: u32 = (i32::MAX / SQUARE_ONE) as u32;
/// Maximum bias of an accumulator: with all features that a position can have, the sum still fits
/// in 16 bits.
pub const MAX_INPUT_BIAS: i16 = 2 * QA as i16;
/// Maximum weight of a motif. There can be many of them at once.
pub const MAX_MOTIF_WEIGHT: i8 = 32;

const _: () = {
    let pieces = 128 * MAX_PIECE_FEATURES;
    let motifs = MAX_MOTIF_WEIGHT as usize * MAX_MOTIF_FEATURES;
    assert!(MAX_INPUT_BIAS as usize + pieces + motifs <= i16::MAX as usize);
};

/// Left shift of a clipped neuron before it is squared. Processors have an instruction for
/// (a * b + 2^14) / 2^15, rounded down.
pub(super) const SQUARE_SHIFT: u32 = 5;

const _: () = assert!(((QA << SQUARE_SHIFT) * (QA << SQUARE_SHIFT)) >> 15 == SQUARE_ONE);

// ANCHOR: squared
/// A neuron of the accumulator (in [`QA`]), clipped to 0..=1 and squared (in [`SQUARE_ONE`],
/// rounded).
#[inline(always)]
pub(super) fn squared(neuron: i16) -> i16 {
    let factor = i32::from(neuron).clamp(0, QA) << SQUARE_SHIFT;
    ((factor * factor + (1 << 14)) >> 15) as i16
}
// ANCHOR_END: squared

/// The accumulator of one perspective, or a weight for each of its neurons. Aligned to 64 bytes for
/// vector loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Accumulator(pub [i16; HIDDEN]);

impl Accumulator {
    pub(super) const ZERO: Self = Self([0; HIDDEN]);
}

/// The weights that an input adds to an accumulator. Bytes: most of an update is to read weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct InputColumn(pub(super) [i8; HIDDEN]);

/// The weights of all inputs.
pub(super) type InputWeights = [InputColumn; FEATURES];

/// A large array, built on the heap.
pub(super) fn boxed<T, const N: usize>(make: impl FnMut(usize) -> T) -> Box<[T; N]> {
    let items: Box<[T]> = (0..N).map(make).collect();
    items
        .try_into()
        .unwrap_or_else(|_| unreachable!("the slice has N items"))
}
