//! AVX-512: vectors of 512 bits, on many x86-64 servers and since Zen 4.
//!
//! [`kernels`] gives the functions to others only if the machine has the instructions.

use super::x86::{F32x16, fold};
use super::{Forward, Kernels, Vector, direct, forward, update};
use crate::eval::features::{Changes, Perspective};
use crate::eval::layers::{Layers, OutputWeights};
use crate::eval::shape::{InputWeights, L2, SQUARE_SHIFT};
use crate::eval::{Accumulator, QA};
use std::arch::x86_64::*;

/// Thirty-two 16-bit lanes.
#[derive(Debug, Clone, Copy)]
struct I16x32(__m512i);

// SAFETY: loads and stores have the thirty-two lanes of this vector. `kernels` is the only way to
// these functions.
unsafe impl Vector for I16x32 {
    type Sums = __m512i;
    type L3Lanes = F32x16;
    const LANES: usize = 32;

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn load(from: *const i16) -> Self {
        // SAFETY: the contract of the trait.
        Self(unsafe { _mm512_load_si512(from.cast()) })
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn load_bytes(from: *const i8) -> Self {
        // SAFETY: the contract of the trait.
        Self(unsafe { _mm512_cvtepi8_epi16(_mm256_load_si256(from.cast())) })
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the contract of the trait.
        unsafe { _mm512_store_si512(to.cast(), self.0) }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn add(self, other: Self) -> Self {
        Self(_mm512_add_epi16(self.0, other.0))
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn subtract(self, other: Self) -> Self {
        Self(_mm512_sub_epi16(self.0, other.0))
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn squared(self) -> Self {
        let positive = _mm512_max_epi16(self.0, _mm512_setzero_si512());
        let clipped = _mm512_min_epi16(positive, _mm512_set1_epi16(QA as i16));
        let factor = _mm512_slli_epi16::<SQUARE_SHIFT>(clipped);
        Self(_mm512_mulhrs_epi16(factor, factor))
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn no_sums() -> Self::Sums {
        _mm512_setzero_si512()
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn multiply_and_add(self, other: Self, sums: Self::Sums) -> Self::Sums {
        _mm512_add_epi32(sums, _mm512_madd_epi16(self.0, other.0))
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn total(sums: Self::Sums) -> i32 {
        _mm512_reduce_add_epi32(sums)
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    unsafe fn totals(sums: [Self::Sums; L2]) -> [i32; L2] {
        let mut halves = [_mm256_setzero_si256(); L2];
        for index in 0..L2 {
            let sums = sums[index];
            let high = _mm512_extracti64x4_epi64::<1>(sums);
            halves[index] = _mm256_add_epi32(_mm512_castsi512_si256(sums), high);
        }
        fold(halves)
    }
}

/// The kernels, if this machine can run them.
pub(super) fn kernels() -> Option<Kernels> {
    (is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")).then_some(
        Kernels {
            name: "avx512",
            update: update_columns,
            forward: pass_forward,
            direct: pass_direct,
        },
    )
}

#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn update_columns(
    from: &Accumulator,
    to: &mut Accumulator,
    weights: &InputWeights,
    perspective: Perspective,
    changes: &Changes,
) {
    // SAFETY: `kernels` has checked the instructions.
    unsafe { update::<I16x32>(from, to, weights, perspective, changes) }
}

#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn pass_forward(
    accumulators: [&Accumulator; 2],
    weights: &OutputWeights,
    layers: &Layers,
) -> Forward {
    // SAFETY: `kernels` has checked the instructions.
    unsafe { forward::<I16x32>(accumulators, weights, layers) }
}

#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn pass_direct(accumulators: [&Accumulator; 2], weights: &[Accumulator; 2]) -> i32 {
    // SAFETY: `kernels` has checked the instructions.
    unsafe { direct::<I16x32>(accumulators, weights) }
}
