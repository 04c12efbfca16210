//! The layers after the accumulators: their weights in the output and in L2, and the layers L2 and
//! L3.
//!
//! The largest part, from the accumulators to the sums of [`L2`], uses integers. The rest uses
//! floating point; all sums have a fixed order, so every machine gets the same result. This module
//! defines the layers and serves the trainer; `simd` computes the same in vectors.

use super::shape::{Accumulator, L2, L3, QL2, SQUARE_ONE};
use std::hint::black_box;

/// The scale of the sums of L2: 1.0 is this integer.
const L2_ONE: f32 = (SQUARE_ONE * QL2) as f32;

/// The weights of the squared accumulators in one bucket, the side to move first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OutputWeights {
    /// Weights in the output (the direct path).
    pub(super) output: [Accumulator; 2],
    /// Weights in each neuron of L2.
    pub(super) l2: [[Accumulator; 2]; L2],
}

impl OutputWeights {
    pub(super) const ZERO: Self = Self {
        output: [Accumulator::ZERO; 2],
        l2: [[Accumulator::ZERO; 2]; L2],
    };

    /// The weights in the output, then those in each neuron of L2.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[Accumulator; 2]> {
        [&self.output].into_iter().chain(&self.l2)
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = &Accumulator> {
        self.rows().flatten()
    }

    pub(super) fn columns_mut(&mut self) -> impl Iterator<Item = &mut Accumulator> {
        (self.output.iter_mut()).chain(self.l2.as_flattened_mut())
    }
}

/// The layers L2 and L3 of one bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// Biases of L2.
    pub l2_bias: [f32; L2],
    /// Weights in L3, for each of the [`activations`](Self::activations).
    pub l3_weights: [[f32; L3]; 2 * L2],
    /// Biases of L3.
    pub l3_bias: [f32; L3],
    /// Weights of L3 in the output.
    pub output_weights: [f32; L3],
}

impl Layers {
    /// Number of weights and biases.
    pub const PARAMETERS: usize = L2 + 2 * L2 * L3 + L3 + L3;
    /// Maximum absolute value of a parameter in a file.
    pub const MAX: f32 = 64.0;

    /// All parameters zero.
    pub const ZERO: Self = Self {
        l2_bias: [0.0; L2],
        l3_weights: [[0.0; L3]; 2 * L2],
        l3_bias: [0.0; L3],
        output_weights: [0.0; L3],
    };

    /// Layers with these parameters, in the order of [`parameters`](Self::parameters).
    pub fn from_parameters(parameters: impl IntoIterator<Item = f32>) -> Self {
        let mut layers = Self::ZERO;
        for (place, parameter) in layers.parameters_mut().zip(parameters) {
            *place = parameter;
        }
        layers
    }

    /// All weights and biases.
    pub fn parameters(&self) -> impl Iterator<Item = &f32> {
        (self.l2_bias.iter())
            .chain(self.l3_weights.as_flattened())
            .chain(&self.l3_bias)
            .chain(&self.output_weights)
    }

    /// All weights and biases, mutable.
    pub fn parameters_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        (self.l2_bias.iter_mut())
            .chain(self.l3_weights.as_flattened_mut())
            .chain(&mut self.l3_bias)
            .chain(&mut self.output_weights)
    }

    /// L2 before clipping, from its integer sums.
    #[inline(always)]
    pub(super) fn l2(&self, sums: &[i32; L2]) -> [f32; L2] {
        let mut l2 = self.l2_bias;
        for lane in 0..L2 {
            l2[lane] += sums[lane] as f32 / L2_ONE;
        }
        l2
    }

    // ANCHOR: activations
    /// The inputs of L3: each neuron of L2 clipped to 0..=1, then its square, clipped to 1.
    #[inline(always)]
    pub fn activations(l2: &[f32; L2]) -> [f32; 2 * L2] {
        let mut activations = [0.0; 2 * L2];
        for lane in 0..L2 {
            activations[lane] = l2[lane].clamp(0.0, 1.0);
            activations[L2 + lane] = (l2[lane] * l2[lane]).min(1.0);
        }
        activations
    }
    // ANCHOR_END: activations

    /// L3 before clipping.
    #[inline(always)]
    pub fn l3(&self, activations: &[f32; 2 * L2]) -> [f32; L3] {
        let (mut clipped, mut squared) = (self.l3_bias, [0.0; L3]);
        // The black box keeps the loop from being unrolled, which would give short vectors and take
        // twice as long.
        for index in 0..black_box(L2) {
            for lane in 0..L3 {
                clipped[lane] += activations[index] * self.l3_weights[index][lane];
                squared[lane] += activations[L2 + index] * self.l3_weights[L2 + index][lane];
            }
        }
        for lane in 0..L3 {
            clipped[lane] += squared[lane];
        }
        clipped
    }

    /// The part of the output that comes from L3, given before clipping.
    #[inline(always)]
    pub fn output(&self, l3: &[f32; L3]) -> f32 {
        sum_of(std::array::from_fn::<_, L3, _>(|lane| {
            l3[lane].clamp(0.0, 1.0) * self.output_weights[lane]
        }))
    }
}

/// The parts of the network's output for one position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inspection {
    /// Output bucket.
    pub bucket: usize,
    /// Output of the direct path, in centipawns for the side to move.
    pub direct: f32,
    /// Output of the layers, in centipawns for the side to move.
    pub layers: f32,
    /// Inputs of L3: two values for each neuron of L2, see [`Layers::activations`].
    pub activations: [f32; 2 * L2],
    /// Neurons of L3, clipped to 0..=1.
    pub l3: [f32; L3],
}

/// The sum of all lanes, by halves, which is much faster than one after another. `N` must be a
/// power of two.
#[inline(always)]
pub fn sum_of<const N: usize>(mut lanes: [f32; N]) -> f32 {
    const { assert!(N.is_power_of_two()) };
    let mut width = N;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
    }
    lanes[0]
}
