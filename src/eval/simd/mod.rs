//! Accumulator update and forward pass, written once for vectors of any width.
//!
//! These loops take most of the time of an evaluation. Each module here implements [`Vector`] for
//! one kind of processor, and [`L3Lanes`], which AVX2 and AVX-512 share (`x86`). Where a function
//! has its instructions enabled, arithmetic is safe in it, and only access to memory needs
//! `unsafe`. [`Kernels::best`] chooses at run time. All kernels give the same results to the last
//! bit: [`Network`](super::Network) makes sure that integers do not overflow, and floating-point
//! sums have one order.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::features::{Changes, Perspective};
use super::layers::{Layers, OutputWeights};
use super::shape::{Accumulator, HIDDEN, InputWeights, L2, L3};
use std::hint::black_box;
use std::sync::LazyLock;

/// A vector of 16-bit lanes.
///
/// # Safety
/// For implementers: `load` and `store` access [`Self::LANES`] lanes from the address on, and
/// `load_bytes` as many bytes; they need no more alignment than that length.
///
/// For callers: the functions may be called only on a machine with the instructions of their
/// module.
unsafe trait Vector: Copy {
    /// Sums of 32 bits.
    type Sums: Copy;
    /// The lanes of L3.
    type L3Lanes: L3Lanes;
    /// Number of lanes; divides [`HIDDEN`].
    const LANES: usize;

    /// Loads from an address aligned to the size of the vector.
    unsafe fn load(from: *const i16) -> Self;
    /// Loads bytes and extends their signs; the address is aligned to [`Self::LANES`] bytes.
    unsafe fn load_bytes(from: *const i8) -> Self;
    /// Stores to an address aligned to the size of the vector.
    unsafe fn store(self, to: *mut i16);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn subtract(self, other: Self) -> Self;
    /// Clips and squares each lane, as [`squared`](super::shape::squared) does.
    unsafe fn squared(self) -> Self;
    unsafe fn no_sums() -> Self::Sums;
    /// Adds the products of 16 by 16 bits to the sums.
    unsafe fn multiply_and_add(self, other: Self, sums: Self::Sums) -> Self::Sums;
    /// The total of the sums.
    unsafe fn total(sums: Self::Sums) -> i32;
    /// The total of each vector of sums.
    #[inline(always)]
    unsafe fn totals(sums: [Self::Sums; L2]) -> [i32; L2] {
        let mut totals = [0; L2];
        for index in 0..L2 {
            // SAFETY: the contract of this function.
            totals[index] = unsafe { Self::total(sums[index]) };
        }
        totals
    }
}

/// The [`L3`] floating-point lanes of the layer L3. Auto-vectorised code takes three times as long.
///
/// # Safety
/// For callers: as in [`Vector`].
unsafe trait L3Lanes: Copy {
    unsafe fn load(from: &[f32; L3]) -> Self;
    unsafe fn splat(value: f32) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn multiply(self, other: Self) -> Self;
    /// Clips each lane to 0..=1.
    unsafe fn clip(self) -> Self;
    /// The sum of the lanes, in the order of [`sum_of`](super::sum_of).
    unsafe fn total(self) -> f32;
}

/// Sets `to` to `from` with these changes, from one perspective.
///
/// # Safety
/// The contract of [`Vector`].
#[inline(always)]
unsafe fn update<V: Vector>(
    from: &Accumulator,
    to: &mut Accumulator,
    weights: &InputWeights,
    perspective: Perspective,
    changes: &Changes,
) {
    /// Number of vectors kept in registers while all weights are applied.
    const TOGETHER: usize = 8;
    const { assert!(HIDDEN.is_multiple_of(TOGETHER * V::LANES)) };
    for begin in (0..HIDDEN).step_by(TOGETHER * V::LANES) {
        // SAFETY: every address is within an accumulator or a column of weights, which are aligned
        // for the widest vectors. The caller guarantees the instructions. Closures are
        // avoided, because they would not be compiled for the same processor.
        unsafe {
            let mut sums = [V::load(from.0.as_ptr().add(begin)); TOGETHER];
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = V::load(from.0.as_ptr().add(begin + index * V::LANES));
            }
            for &feature in changes.added.iter() {
                let weights = weights[perspective.index(feature)].0.as_ptr();
                for (index, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.add(V::load_bytes(weights.add(begin + index * V::LANES)));
                }
            }
            for &feature in changes.removed.iter() {
                let weights = weights[perspective.index(feature)].0.as_ptr();
                for (index, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.subtract(V::load_bytes(weights.add(begin + index * V::LANES)));
                }
            }
            for (index, sum) in sums.iter().enumerate() {
                sum.store(to.0.as_mut_ptr().add(begin + index * V::LANES));
            }
        }
    }
}

/// The result of the forward pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Forward {
    /// Direct path: the sum of each neuron clipped, squared and multiplied by its output weight.
    pub(super) direct: i32,
    /// Output of the layers.
    pub(super) layers: f32,
}

/// Passes both accumulators through the weights and layers of a bucket.
///
/// # Safety
/// The contract of [`Vector`].
#[inline(always)]
#[expect(
    clippy::needless_range_loop,
    reason = "iterators of two lists are not compiled for the same processor"
)]
unsafe fn forward<V: Vector>(
    accumulators: [&Accumulator; 2],
    weights: &OutputWeights,
    layers: &Layers,
) -> Forward {
    // SAFETY: LANES divides HIDDEN, so every address is within an accumulator or a column of
    // weights, which are aligned for the widest vectors. The caller guarantees the
    // instructions.
    unsafe {
        let mut direct = V::no_sums();
        let mut l2 = [V::no_sums(); L2];
        // The black box keeps the loop from being unrolled. Unrolled it was slower, because LLVM
        // put the multiply-adds of several steps into chains, where each waits for the one before.
        let end = black_box(HIDDEN);
        let mut begin = 0;
        while begin < end {
            for side in 0..2 {
                let squares = V::load(accumulators[side].0.as_ptr().add(begin)).squared();
                let output = V::load(weights.output[side].0.as_ptr().add(begin));
                direct = squares.multiply_and_add(output, direct);
                for index in 0..L2 {
                    let weights = V::load(weights.l2[index][side].0.as_ptr().add(begin));
                    l2[index] = squares.multiply_and_add(weights, l2[index]);
                }
            }
            begin += V::LANES;
        }
        Forward {
            direct: V::total(direct),
            layers: pass_layers::<V::L3Lanes>(&V::totals(l2), layers),
        }
    }
}

/// The direct path alone, for a bucket whose layers are folded away.
///
/// # Safety
/// The contract of [`Vector`].
#[inline(always)]
unsafe fn direct<V: Vector>(accumulators: [&Accumulator; 2], weights: &[Accumulator; 2]) -> i32 {
    // SAFETY: as in `forward`.
    unsafe {
        let mut sums = [V::no_sums(); 2];
        let end = black_box(HIDDEN);
        let mut begin = 0;
        while begin < end {
            for side in 0..2 {
                let squares = V::load(accumulators[side].0.as_ptr().add(begin)).squared();
                let output = V::load(weights[side].0.as_ptr().add(begin));
                sums[side] = squares.multiply_and_add(output, sums[side]);
            }
            begin += V::LANES;
        }
        V::total(sums[0]) + V::total(sums[1])
    }
}

/// [`Layers::l3`] and [`Layers::output`] in vectors, from the sums of L2.
///
/// # Safety
/// The contract of [`Vector`].
#[inline(always)]
unsafe fn pass_layers<F: L3Lanes>(sums: &[i32; L2], layers: &Layers) -> f32 {
    // The black box puts the activations into memory; else each is extracted from a vector.
    let activations = black_box(Layers::activations(&layers.l2(sums)));
    // SAFETY: the caller guarantees the instructions.
    unsafe {
        let mut clipped = F::load(&layers.l3_bias);
        let mut squared = F::splat(0.0);
        for index in 0..L2 {
            let weights = F::load(&layers.l3_weights[index]);
            clipped = clipped.add(F::splat(activations[index]).multiply(weights));
            let weights = F::load(&layers.l3_weights[L2 + index]);
            squared = squared.add(F::splat(activations[L2 + index]).multiply(weights));
        }
        let weights = F::load(&layers.output_weights);
        clipped.add(squared).clip().multiply(weights).total()
    }
}

/// See [`Kernels::update`].
type UpdateFn = unsafe fn(&Accumulator, &mut Accumulator, &InputWeights, Perspective, &Changes);

/// The loops for one kind of processor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kernels {
    pub(super) name: &'static str,
    update: UpdateFn,
    forward: unsafe fn([&Accumulator; 2], &OutputWeights, &Layers) -> Forward,
    direct: unsafe fn([&Accumulator; 2], &[Accumulator; 2]) -> i32,
}

impl Kernels {
    const PORTABLE: Self = Self {
        name: "portable",
        update: update::<portable::I16x16>,
        forward: forward::<portable::I16x16>,
        direct: direct::<portable::I16x16>,
    };

    /// The kernels that this machine can run, best first.
    fn available() -> Vec<Self> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            kernels.extend(avx512::kernels());
            kernels.extend(avx2::kernels());
        }
        #[cfg(target_arch = "aarch64")]
        kernels.extend(neon::kernels());
        #[cfg(all(target_family = "wasm", target_feature = "simd128"))]
        kernels.extend(wasm::kernels());
        kernels.push(Self::PORTABLE);
        kernels
    }

    /// The best kernels for this machine.
    pub(super) fn best() -> Self {
        static BEST: LazyLock<Kernels> = LazyLock::new(|| Kernels::available()[0]);
        *BEST
    }

    /// Sets `to` to `from` with these changes, from one perspective.
    #[inline(always)]
    pub(super) fn update(
        self,
        from: &Accumulator,
        to: &mut Accumulator,
        weights: &InputWeights,
        perspective: Perspective,
        changes: &Changes,
    ) {
        // SAFETY: only kernels that the machine can run are constructed.
        unsafe { (self.update)(from, to, weights, perspective, changes) }
    }

    /// Passes the accumulators, the side to move first, through the weights and layers of a bucket.
    #[inline(always)]
    pub(super) fn forward(
        self,
        accumulators: [&Accumulator; 2],
        weights: &OutputWeights,
        layers: &Layers,
    ) -> Forward {
        // SAFETY: only kernels that the machine can run are constructed.
        unsafe { (self.forward)(accumulators, weights, layers) }
    }

    /// [`Forward::direct`] alone, from the output weights of a bucket.
    #[inline(always)]
    pub(super) fn direct(self, accumulators: [&Accumulator; 2], weights: &[Accumulator; 2]) -> i32 {
        // SAFETY: only kernels that the machine can run are constructed.
        unsafe { (self.direct)(accumulators, weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::{Feature, FeatureList};
    use super::super::shape::{InputColumn, MAX_INPUT_BIAS, MAX_SQUARE_WEIGHTS, boxed, squared};
    use super::*;
    use crate::types::{Bitboard, Color, Piece, Square};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random_accumulator(random: &mut ChaCha8Rng, max: i16) -> Accumulator {
        Accumulator(std::array::from_fn(|_| random.random_range(-max..=max)))
    }

    #[test]
    fn all_kernels_give_the_same_results() {
        // A round is slow in Miri.
        const ROUNDS: usize = if cfg!(miri) { 3 } else { 2_000 };
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let kernels = Kernels::available();
        let piece = |square| Feature::piece(Piece::WhitePawn, square);
        let state = |square| Feature::state(Piece::WhitePawn, 0, square);
        let perspective = Perspective::new(Color::White, Square::H1);
        let mut inputs: Box<InputWeights> = boxed(|_| InputColumn([0; HIDDEN]));
        for _ in 0..ROUNDS {
            for square in Bitboard::FULL {
                for feature in [piece(square), state(square)] {
                    let column = &mut inputs[perspective.index(feature)].0;
                    column.fill_with(|| random.random_range(i8::MIN..=i8::MAX));
                }
            }
            let mut changes = Changes::NONE;
            for feature in [piece, state] {
                let squares = Bitboard(random.random());
                for square in Bitboard::FULL {
                    let (is_added, feature) = (squares.contains(square), feature(square));
                    changes.added.push_if(is_added, feature);
                    changes.removed.push_if(!is_added, feature);
                }
            }
            let accumulator = random_accumulator(&mut random, MAX_INPUT_BIAS);
            // The absolute weights of a neuron then sum to about the maximum.
            let max_weight = (MAX_SQUARE_WEIGHTS / HIDDEN as u32) as i16;
            let mut pair = || [(); 2].map(|()| random_accumulator(&mut random, max_weight));
            let weights = OutputWeights {
                output: pair(),
                l2: [(); L2].map(|()| pair()),
            };
            let layers = Layers::from_parameters(
                (0..Layers::PARAMETERS).map(|_| random.random_range(-1.0..=1.0)),
            );
            let results: Vec<_> = kernels
                .iter()
                .map(|kernels| {
                    let mut updated = Accumulator::ZERO;
                    kernels.update(&accumulator, &mut updated, &inputs, perspective, &changes);
                    let accumulators = [&accumulator, &updated];
                    let forward = kernels.forward(accumulators, &weights, &layers);
                    let direct = kernels.direct(accumulators, &weights.output);
                    assert_eq!(direct, forward.direct, "{}", kernels.name);
                    (updated, forward)
                })
                .collect();
            // A plain reference.
            let updated = Accumulator(std::array::from_fn(|index| {
                let sum = |features: &FeatureList| {
                    let weights = features
                        .iter()
                        .map(|&feature| inputs[perspective.index(feature)].0[index]);
                    weights.map(i16::from).sum::<i16>()
                };
                accumulator.0[index] + sum(&changes.added) - sum(&changes.removed)
            }));
            let dot = |weights: &[Accumulator; 2]| {
                let sides = [&accumulator, &updated].into_iter().zip(weights);
                sides
                    .flat_map(|(accumulator, weights)| accumulator.0.iter().zip(&weights.0))
                    .map(|(&neuron, &weight)| i32::from(squared(neuron)) * i32::from(weight))
                    .sum::<i32>()
            };
            let l2 = layers.l2(&std::array::from_fn(|index| dot(&weights.l2[index])));
            let expected = Forward {
                direct: dot(&weights.output),
                layers: layers.output(&layers.l3(&Layers::activations(&l2))),
            };
            for (kernels, result) in kernels.iter().zip(results) {
                assert_eq!(result, (updated, expected), "{}", kernels.name);
            }
        }
    }
}
