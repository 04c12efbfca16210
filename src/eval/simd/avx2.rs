//! AVX2: vectors of 256 bits, on most x86-64 machines since 2013.

use super::x86::{F32x16, fold};
use super::{Forward, Kernels, Vector, forward, update};
use crate::eval::layers::{Layers, OutputWeights};
use crate::eval::shape::{L2, SQUARE_SHIFT};
use crate::eval::{Accumulator, QA};
use std::arch::x86_64::*;

/// Sixteen lanes of 16 bits.
#[derive(Debug, Clone, Copy)]
struct I16x16(__m256i);

// SAFETY: the functions are called from those below only, which run only where the instructions are.
unsafe impl Vector for I16x16 {
    type Sums = __m256i;
    type L3Lanes = F32x16;
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Self {
        // SAFETY: see the trait.
        Self(unsafe { _mm256_load_si256(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: see the trait.
        unsafe { _mm256_store_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Self(unsafe { _mm256_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Self(unsafe { _mm256_sub_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn clip(self) -> Self {
        // SAFETY: see the trait.
        Self(unsafe {
            _mm256_min_epi16(
                _mm256_max_epi16(self.0, _mm256_setzero_si256()),
                _mm256_set1_epi16(QA as i16),
            )
        })
    }

    #[inline(always)]
    unsafe fn square(self) -> Self {
        // SAFETY: see the trait.
        Self(unsafe {
            _mm256_srli_epi16::<{ SQUARE_SHIFT as i32 }>(_mm256_mullo_epi16(self.0, self.0))
        })
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Self) -> Self {
        // SAFETY: see the trait.
        Self(unsafe { _mm256_mullo_epi16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn no_sums() -> Self::Sums {
        // SAFETY: see the trait.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    unsafe fn multiply_and_add(self, other: Self, sums: Self::Sums) -> Self::Sums {
        // SAFETY: see the trait.
        unsafe { _mm256_add_epi32(sums, _mm256_madd_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn total(sums: Self::Sums) -> i32 {
        // SAFETY: see the trait.
        unsafe {
            let accumulator = _mm_add_epi32(
                _mm256_castsi256_si128(sums),
                _mm256_extracti128_si256::<1>(sums),
            );
            let quarter =
                _mm_add_epi32(accumulator, _mm_shuffle_epi32::<0b01_00_11_10>(accumulator));
            _mm_cvtsi128_si32(_mm_add_epi32(
                quarter,
                _mm_shuffle_epi32::<0b10_11_00_01>(quarter),
            ))
        }
    }

    #[inline(always)]
    unsafe fn totals(sums: [Self::Sums; L2]) -> [i32; L2] {
        // SAFETY: see the trait.
        unsafe { fold(sums) }
    }
}

/// The loops, if this machine can run them.
pub(super) fn kernels() -> Option<Kernels> {
    is_x86_feature_detected!("avx2").then_some(Kernels {
        name: "avx2",
        update: update_columns,
        forward: pass_forward,
    })
}

#[target_feature(enable = "avx2")]
unsafe fn update_columns(
    from: &Accumulator,
    to: &mut Accumulator,
    added: &[&Accumulator],
    removed: &[&Accumulator],
) {
    // SAFETY: the instructions are there.
    unsafe { update::<I16x16>(from, to, added, removed) }
}

#[target_feature(enable = "avx2")]
unsafe fn pass_forward(
    accumulators: [&Accumulator; 2],
    weights: &OutputWeights,
    layers: &Layers,
) -> Forward {
    // SAFETY: the instructions are there.
    unsafe { forward::<I16x16>(accumulators, weights, layers) }
}
