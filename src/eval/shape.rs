//! The shape of the network: the sizes of its layers, and how large its weights may be.

use crate::types::Square;

/// The size of an accumulator.
pub const HIDDEN: usize = 256;
/// The size of the layer behind the accumulators; see [`Layers`](super::Layers).
pub const L2: usize = 8;
/// The size of the layer behind that.
pub const L3: usize = 16;

/// The scale of the accumulators: 1.0 is this integer.
pub const QA: i32 = 255;
/// The output 1.0 in centipawns while a network learns; a file may say otherwise.
pub const SCALE: i32 = 400;
/// The greatest that a file may say.
pub(super) const MAX_SCALE: i32 = 4_000;

/// An output weight times the highest clipped value must fit 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 128;
/// The greatest scale of the output weights.
pub const MAX_QB: i32 = 256;
/// The scale of the weights of L2: 1.0 is this integer.
pub const QL2: i32 = 512;
/// The most that a weight of L2 may be.
pub const MAX_L2_WEIGHT: i16 = 1014;
/// The square of a clipped neuron of an accumulator loses so many bits before it is multiplied by weights of L2.
pub(super) const SQUARE_SHIFT: u32 = 6;
/// With a piece on every square and all weights as large as this, the bias too, an accumulator fits 16 bits.
pub const MAX_FEATURE_WEIGHT: i16 = 504;

const _: () = assert!(MAX_FEATURE_WEIGHT as i32 * (Square::COUNT as i32 + 1) <= i16::MAX as i32);
const _: () = assert!(MAX_OUTPUT_WEIGHT as i32 * QA <= i16::MAX as i32);
const _: () = assert!(
    ((QA * QA) >> SQUARE_SHIFT) as i64 * MAX_L2_WEIGHT as i64 * 2 * HIDDEN as i64
        <= i32::MAX as i64
);

/// The accumulator of one perspective; also the weights that a feature adds to it. Aligned to 64 bytes, so that vectors
/// may be loaded at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Accumulator(pub [i16; HIDDEN]);

impl Accumulator {
    pub(super) const ZERO: Self = Self([0; HIDDEN]);
}
