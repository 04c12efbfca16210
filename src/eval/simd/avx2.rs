//! AVX2: vectors of 256 bits, on most x86-64 processors since 2013.
//!
//! [`kernels`] gives the functions to others only if the machine has the instructions.

use super::x86::{F32x16, fold};
use super::{Forward, Kernels, Vector, direct, forward, update};
use crate::eval::features::{Changes, Perspective};
use crate::eval::layers::{Layers, OutputWeights};
use crate::eval::shape::{InputWeights, L2, SQUARE_SHIFT};
use crate::eval::{Accumulator, QA};
use std::arch::x86_64::*;

/// Sixteen 16-bit lanes.
#[derive(Debug, Clone, Copy)]
struct I16x16(__m256i);

// SAFETY: loads and stores have the sixteen lanes of this vector. `kernels` is the only way to
// these functions.
unsafe impl Vector for I16x16 {
    type Sums = __m256i;
    type L3Lanes = F32x16;
    const LANES: usize = 16;

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn load(from: *const i16) -> Self {
        // SAFETY: the contract of the trait.
        Self(unsafe { _mm256_load_si256(from.cast()) })
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn load_bytes(from: *const i8) -> Self {
        // SAFETY: the contract of the trait.
        Self(unsafe { _mm256_cvtepi8_epi16(_mm_load_si128(from.cast())) })
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the contract of the trait.
        unsafe { _mm256_store_si256(to.cast(), self.0) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn add(self, other: Self) -> Self {
        Self(_mm256_add_epi16(self.0, other.0))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn subtract(self, other: Self) -> Self {
        Self(_mm256_sub_epi16(self.0, other.0))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn squared(self) -> Self {
        let positive = _mm256_max_epi16(self.0, _mm256_setzero_si256());
        let clipped = _mm256_min_epi16(positive, _mm256_set1_epi16(QA as i16));
        let factor = _mm256_slli_epi16::<{ SQUARE_SHIFT as i32 }>(clipped);
        Self(_mm256_mulhrs_epi16(factor, factor))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn no_sums() -> Self::Sums {
        _mm256_setzero_si256()
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn multiply_and_add(self, other: Self, sums: Self::Sums) -> Self::Sums {
        _mm256_add_epi32(sums, _mm256_madd_epi16(self.0, other.0))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn total(sums: Self::Sums) -> i32 {
        let half = _mm_add_epi32(
            _mm256_castsi256_si128(sums),
            _mm256_extracti128_si256::<1>(sums),
        );
        let quarter = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
        _mm_cvtsi128_si32(_mm_add_epi32(
            quarter,
            _mm_shuffle_epi32::<0b10_11_00_01>(quarter),
        ))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn totals(sums: [Self::Sums; L2]) -> [i32; L2] {
        fold(sums)
    }
}

/// The kernels, if this machine can run them.
pub(super) fn kernels() -> Option<Kernels> {
    is_x86_feature_detected!("avx2").then_some(Kernels {
        name: "avx2",
        update: update_columns,
        forward: pass_forward,
        direct: pass_direct,
    })
}

#[target_feature(enable = "avx2")]
unsafe fn update_columns(
    from: &Accumulator,
    to: &mut Accumulator,
    weights: &InputWeights,
    perspective: Perspective,
    changes: &Changes,
) {
    // SAFETY: `kernels` has checked the instructions.
    unsafe { update::<I16x16>(from, to, weights, perspective, changes) }
}

#[target_feature(enable = "avx2")]
unsafe fn pass_forward(
    accumulators: [&Accumulator; 2],
    weights: &OutputWeights,
    layers: &Layers,
) -> Forward {
    // SAFETY: `kernels` has checked the instructions.
    unsafe { forward::<I16x16>(accumulators, weights, layers) }
}

#[target_feature(enable = "avx2")]
unsafe fn pass_direct(accumulators: [&Accumulator; 2], weights: &[Accumulator; 2]) -> i32 {
    // SAFETY: `kernels` has checked the instructions.
    unsafe { direct::<I16x16>(accumulators, weights) }
}
