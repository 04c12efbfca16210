//! The shape of the network: sizes of the layers, ranges of the weights, and the weights of the
//! inputs.

use super::features::{PIECE_FEATURES, STATE_FEATURES};
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
/// Maximum weight of an input for a piece, and maximum bias: with an attacked piece on every
/// square, an accumulator still fits in 16 bits.
pub const MAX_PIECE_WEIGHT: i16 = 375;
/// Maximum weight of an input for a state.
pub const MAX_STATE_WEIGHT: i8 = i8::MAX;

const _: () = assert!(
    MAX_PIECE_WEIGHT as i32 + (MAX_PIECE_WEIGHT as i32 + 128) * Square::COUNT as i32
        <= i16::MAX as i32
);
const _: () = assert!(MAX_OUTPUT_WEIGHT as i32 * QA <= i16::MAX as i32);
const _: () = assert!(
    ((QA * QA) >> SQUARE_SHIFT) as i64 * MAX_L2_WEIGHT as i64 * 2 * HIDDEN as i64
        <= i32::MAX as i64
);

/// The accumulator of one perspective, or the weights that a piece adds to it. Aligned to 64 bytes
/// for vector loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Accumulator(pub [i16; HIDDEN]);

impl Accumulator {
    pub(super) const ZERO: Self = Self([0; HIDDEN]);
}

/// The weights that a state adds to an accumulator. Bytes: most of an update is to read weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct StateWeights(pub(super) [i8; HIDDEN]);

/// The weights of the inputs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct InputWeights {
    pub(super) pieces: Box<[Accumulator; PIECE_FEATURES]>,
    pub(super) states: Box<[StateWeights; STATE_FEATURES]>,
}

#[cfg(test)]
impl InputWeights {
    pub(super) fn zero() -> Self {
        Self {
            pieces: boxed(|_| Accumulator::ZERO),
            states: boxed(|_| StateWeights([0; HIDDEN])),
        }
    }
}

/// A large array, built on the heap.
pub(super) fn boxed<T, const N: usize>(make: impl FnMut(usize) -> T) -> Box<[T; N]> {
    let items: Box<[T]> = (0..N).map(make).collect();
    items
        .try_into()
        .unwrap_or_else(|_| unreachable!("the slice has N items"))
}
