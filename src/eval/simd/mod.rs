//! The two loops that take most of the time of an evaluation, written once for vectors of any width.
//!
//! [`Vector`] is what a kind of processor must offer; each module here is one of them. [`Kernels::best`] looks once what
//! the machine has. All give the same results to the last bit: nothing is rounded and, as
//! [`Network`](super::Network) makes sure, nothing overflows.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

use super::layers::OutputWeights;
use super::shape::{Accumulator, HIDDEN, L2};
use std::sync::LazyLock;

/// Several lanes of 16 bits.
///
/// # Safety
/// The functions may be called only on a machine that has the instructions of their module.
unsafe trait Vector: Copy {
    /// Sums of 32 bits.
    type Sums: Copy;
    /// How many lanes; divides [`HIDDEN`].
    const LANES: usize;

    /// From memory aligned as [`Accumulator`] is.
    unsafe fn load(from: *const i16) -> Self;
    /// To memory aligned as [`Accumulator`] is.
    unsafe fn store(self, to: *mut i16);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn subtract(self, other: Self) -> Self;
    /// Clipped to 0..=[`QA`](super::QA).
    unsafe fn clip(self) -> Self;
    /// The square of a clipped lane, less its last [`SQUARE_SHIFT`](super::shape::SQUARE_SHIFT) bits.
    unsafe fn square(self) -> Self;
    /// The low 16 bits of each product.
    unsafe fn multiply(self, other: Self) -> Self;
    unsafe fn no_sums() -> Self::Sums;
    /// Adds the products of 16 by 16 bits to the sums.
    unsafe fn multiply_and_add(self, other: Self, sums: Self::Sums) -> Self::Sums;
    /// The sum of the sums.
    unsafe fn total(sums: Self::Sums) -> i32;
}

/// `to` becomes `from` with the weights of `added` added and those of `removed` subtracted.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
unsafe fn update<V: Vector>(
    from: &Accumulator,
    to: &mut Accumulator,
    added: &[&Accumulator],
    removed: &[&Accumulator],
) {
    /// Vectors kept in registers while all weights are worked in.
    const TOGETHER: usize = 8;
    const { assert!(HIDDEN.is_multiple_of(TOGETHER * V::LANES)) };
    for begin in (0..HIDDEN).step_by(TOGETHER * V::LANES) {
        // SAFETY: every address is within a weights, and weights are aligned for the widest vectors. The instructions
        // are there, as the caller has promised. No closures: they would not be compiled for the same processor.
        unsafe {
            let mut sums = [V::load(from.0.as_ptr().add(begin)); TOGETHER];
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = V::load(from.0.as_ptr().add(begin + index * V::LANES));
            }
            for weights in added {
                for (index, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.add(V::load(weights.0.as_ptr().add(begin + index * V::LANES)));
                }
            }
            for weights in removed {
                for (index, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.subtract(V::load(weights.0.as_ptr().add(begin + index * V::LANES)));
                }
            }
            for (index, sum) in sums.iter().enumerate() {
                sum.store(to.0.as_mut_ptr().add(begin + index * V::LANES));
            }
        }
    }
}

/// The part of the forward pass that is done in integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Forward {
    /// The sum of each neuron clipped, squared and weighed.
    pub(super) output: i32,
    /// The same for each neuron of L2, the squares less their last bits.
    pub(super) l2: [i32; L2],
}

/// Passes both accumulators through the weights of their bucket.
///
/// For the output the weight is multiplied first: neuron by weight fits 16 bits, the square would not.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
#[expect(
    clippy::needless_range_loop,
    reason = "iterators of two lists are not compiled for the same processor"
)]
unsafe fn forward<V: Vector>(accumulators: [&Accumulator; 2], weights: &OutputWeights) -> Forward {
    // SAFETY: LANES divides HIDDEN, so that every address is within a weights, and weights are aligned for the widest
    // vectors. The instructions are there, as the caller has promised.
    unsafe {
        let mut output = V::no_sums();
        let mut l2 = [V::no_sums(); L2];
        for (side, accumulator) in accumulators.into_iter().enumerate() {
            for begin in (0..HIDDEN).step_by(V::LANES) {
                let clipped = V::load(accumulator.0.as_ptr().add(begin)).clip();
                let weighed = clipped.multiply(V::load(weights.output[side].0.as_ptr().add(begin)));
                output = clipped.multiply_and_add(weighed, output);
                let square = clipped.square();
                for index in 0..L2 {
                    let weights = V::load(weights.l2[index][side].0.as_ptr().add(begin));
                    l2[index] = square.multiply_and_add(weights, l2[index]);
                }
            }
        }
        let mut totals = [0; L2];
        for index in 0..L2 {
            totals[index] = V::total(l2[index]);
        }
        Forward {
            output: V::total(output),
            l2: totals,
        }
    }
}

/// The loops for one kind of processor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kernels {
    #[cfg_attr(not(test), allow(dead_code))]
    name: &'static str,
    update: unsafe fn(&Accumulator, &mut Accumulator, &[&Accumulator], &[&Accumulator]),
    forward: unsafe fn([&Accumulator; 2], &OutputWeights) -> Forward,
}

impl Kernels {
    const PORTABLE: Self = Self {
        name: "portable",
        update: update::<portable::I16x16>,
        forward: forward::<portable::I16x16>,
    };

    /// Those that this machine can run, the best first.
    fn available() -> Vec<Self> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            kernels.extend(avx512::kernels());
            kernels.extend(avx2::kernels());
        }
        #[cfg(target_arch = "aarch64")]
        kernels.extend(neon::kernels());
        kernels.push(Self::PORTABLE);
        kernels
    }

    /// The best for this machine.
    pub(super) fn best() -> Self {
        static BEST: LazyLock<Kernels> = LazyLock::new(|| Kernels::available()[0]);
        *BEST
    }

    /// `to` becomes `from` with the weights of `added` added and those of `removed` subtracted.
    #[inline(always)]
    pub(super) fn update(
        self,
        from: &Accumulator,
        to: &mut Accumulator,
        added: &[&Accumulator],
        removed: &[&Accumulator],
    ) {
        // SAFETY: only kernels that the machine can run are ever made.
        unsafe { (self.update)(from, to, added, removed) }
    }

    /// Passes the accumulators, that of the side to move first, through the weights of their bucket.
    #[inline(always)]
    pub(super) fn forward(
        self,
        accumulators: [&Accumulator; 2],
        weights: &OutputWeights,
    ) -> Forward {
        // SAFETY: only kernels that the machine can run are ever made.
        unsafe { (self.forward)(accumulators, weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::{MAX_FEATURE_WEIGHT, MAX_L2_WEIGHT, MAX_OUTPUT_WEIGHT, SQUARE_SHIFT};
    use super::*;
    use crate::types::Square;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random_accumulator(random: &mut ChaCha8Rng, most: i16) -> Accumulator {
        Accumulator(std::array::from_fn(|_| random.random_range(-most..=most)))
    }

    #[test]
    fn all_kernels_give_the_same_results() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let kernels = Kernels::available();
        for round in 0..2_000 {
            let weights: Vec<_> = (0..Square::COUNT)
                .map(|_| random_accumulator(&mut random, MAX_FEATURE_WEIGHT))
                .collect();
            let references: Vec<_> = weights.iter().collect();
            let (added, removed) = references.split_at(round % (Square::COUNT + 1));
            let accumulator = random_accumulator(&mut random, MAX_FEATURE_WEIGHT);
            let mut pair = |most: i16| [(); 2].map(|()| random_accumulator(&mut random, most));
            let weights = OutputWeights {
                output: pair(MAX_OUTPUT_WEIGHT),
                l2: [(); L2].map(|()| pair(MAX_L2_WEIGHT)),
            };
            let results: Vec<_> = kernels
                .iter()
                .map(|kernels| {
                    let mut updated = Accumulator::ZERO;
                    kernels.update(&accumulator, &mut updated, added, removed);
                    (updated, kernels.forward([&accumulator, &updated], &weights))
                })
                .collect();
            // The meaning, spelled out.
            let updated = Accumulator(std::array::from_fn(|index| {
                let sum = |weights: &[&Accumulator]| {
                    weights.iter().map(|weights| weights.0[index]).sum::<i16>()
                };
                accumulator.0[index] + sum(added) - sum(removed)
            }));
            let weighed = |weights: &[Accumulator; 2], shift: u32| {
                let sides = [&accumulator, &updated].into_iter().zip(weights);
                sides
                    .flat_map(|(accumulator, weights)| accumulator.0.iter().zip(&weights.0))
                    .map(|(&neuron, &weight)| {
                        (i32::from(neuron.clamp(0, 255)).pow(2) >> shift) * i32::from(weight)
                    })
                    .sum::<i32>()
            };
            let sums = Forward {
                output: weighed(&weights.output, 0),
                l2: std::array::from_fn(|index| weighed(&weights.l2[index], SQUARE_SHIFT)),
            };
            for (kernels, result) in kernels.iter().zip(results) {
                assert_eq!(result, (updated, sums), "{}", kernels.name);
            }
        }
    }
}
