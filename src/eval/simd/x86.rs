//! Parts shared by AVX2 and AVX-512: 256-bit vectors for the small layers.
//!
//! The kernels of both are used only on machines with AVX2, which AVX-512 includes.

use super::L3Lanes;
use crate::eval::shape::{L2, L3};
use std::arch::x86_64::*;

/// The sum of the lanes of each vector.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn fold(sums: [__m256i; L2]) -> [i32; L2] {
    const { assert!(L2 == 8) };
    // Four sums in each half.
    let first = _mm256_hadd_epi32(
        _mm256_hadd_epi32(sums[0], sums[1]),
        _mm256_hadd_epi32(sums[2], sums[3]),
    );
    let second = _mm256_hadd_epi32(
        _mm256_hadd_epi32(sums[4], sums[5]),
        _mm256_hadd_epi32(sums[6], sums[7]),
    );
    let low = _mm256_permute2x128_si256::<0x20>(first, second);
    let high = _mm256_permute2x128_si256::<0x31>(first, second);
    let mut totals = [0; L2];
    // SAFETY: the array has eight lanes.
    unsafe { _mm256_storeu_si256(totals.as_mut_ptr().cast(), _mm256_add_epi32(low, high)) };
    totals
}

/// Sixteen floating-point lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct F32x16([__m256; 2]);

// SAFETY: only the kernels of AVX2 and AVX-512 call these functions.
unsafe impl L3Lanes for F32x16 {
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn load(from: &[f32; L3]) -> Self {
        const { assert!(L3 == 16) };
        let from = from.as_ptr();
        // SAFETY: the array has sixteen lanes.
        Self(unsafe { [_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))] })
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn splat(value: f32) -> Self {
        Self([_mm256_set1_ps(value); 2])
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn add(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([_mm256_add_ps(a, c), _mm256_add_ps(b, d)])
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn multiply(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([_mm256_mul_ps(a, c), _mm256_mul_ps(b, d)])
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn clip(self) -> Self {
        let [a, b] = self.0;
        let (zero, one) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0));
        Self([
            _mm256_min_ps(_mm256_max_ps(a, zero), one),
            _mm256_min_ps(_mm256_max_ps(b, zero), one),
        ])
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn total(self) -> f32 {
        let [a, b] = self.0;
        let half = _mm256_add_ps(a, b);
        let quarter = _mm_add_ps(
            _mm256_castps256_ps128(half),
            _mm256_extractf128_ps::<1>(half),
        );
        let pair = _mm_add_ps(quarter, _mm_movehl_ps(quarter, quarter));
        _mm_cvtss_f32(_mm_add_ss(pair, _mm_shuffle_ps::<1>(pair, pair)))
    }
}
