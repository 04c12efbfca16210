//! The shape of the network: sizes of the layers and ranges of the weights.

use crate::types::Square;

/// Size of an accumulator, in neurons.
pub const HIDDEN: usize = 256;
/// Size of the layer after the accumulators; see [`Layers`](super::Layers).
pub const L2: usize = 8;
/// Size of the layer after L2.
pub const L3: usize = 16;

/// Scale of the accumulators: the integer that means 1.0.
pub const QA: i32 = 255;
/// Output 1.0 in centipawns during training. A file may have another scale.
pub const SCALE: i32 = 400;
/// Maximum scale of a file.
pub(super) const MAX_SCALE: i32 = 4_000;

/// Maximum output weight: its product with the largest clipped neuron must fit in 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 128;
/// Maximum scale of the output weights.
pub const MAX_QB: i32 = 256;
/// Scale of the weights of L2: the integer that means 1.0.
pub const QL2: i32 = 512;
/// Maximum weight of L2.
pub const MAX_L2_WEIGHT: i16 = 1014;
/// Number of low bits dropped from the square of a clipped neuron before it is multiplied by a
/// weight of L2.
pub(super) const SQUARE_SHIFT: u32 = 6;
/// Maximum weight of a feature: with a piece on every square, an accumulator still fits in 16 bits.
pub const MAX_FEATURE_WEIGHT: i16 = 504;

const _: () = assert!(MAX_FEATURE_WEIGHT as i32 * (Square::COUNT as i32 + 1) <= i16::MAX as i32);
const _: () = assert!(MAX_OUTPUT_WEIGHT as i32 * QA <= i16::MAX as i32);
const _: () = assert!(
    ((QA * QA) >> SQUARE_SHIFT) as i64 * MAX_L2_WEIGHT as i64 * 2 * HIDDEN as i64
        <= i32::MAX as i64
);

/// The accumulator of one perspective, or the weights that a feature adds to it. Aligned to 64
/// bytes for vector loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Accumulator(pub [i16; HIDDEN]);

impl Accumulator {
    pub(super) const ZERO: Self = Self([0; HIDDEN]);
}
