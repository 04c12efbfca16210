//! WebAssembly: vectors of 128 bits (`simd128`), in every browser since 2023.

use super::{Kernels, L3Lanes, Vector, direct, forward, update};
use crate::eval::QA;
use crate::eval::shape::{L3, SQUARE_SHIFT};
use std::arch::wasm32::*;

/// Eight 16-bit lanes.
#[derive(Debug, Clone, Copy)]
struct I16x8(v128);

// SAFETY: loads and stores have the eight lanes of this vector. A module with these instructions
// loads only where they exist.
unsafe impl Vector for I16x8 {
    type Sums = v128;
    type L3Lanes = F32x16;
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Self {
        // SAFETY: the caller passes an address of eight lanes.
        Self(unsafe { v128_load(from.cast()) })
    }

    #[inline(always)]
    unsafe fn load_bytes(from: *const i8) -> Self {
        // SAFETY: the caller passes an address of eight bytes.
        Self(unsafe { i16x8_load_extend_i8x8(from) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller passes an address of eight lanes.
        unsafe { v128_store(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Self(i16x8_add(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Self) -> Self {
        Self(i16x8_sub(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn squared(self) -> Self {
        let positive = i16x8_max(self.0, i16x8_splat(0));
        let clipped = i16x8_min(positive, i16x8_splat(QA as i16));
        let factor = i16x8_shl(clipped, SQUARE_SHIFT);
        Self(i16x8_q15mulr_sat(factor, factor))
    }

    #[inline(always)]
    unsafe fn no_sums() -> Self::Sums {
        i32x4_splat(0)
    }

    #[inline(always)]
    unsafe fn multiply_and_add(self, other: Self, sums: Self::Sums) -> Self::Sums {
        i32x4_add(sums, i32x4_dot_i16x8(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn total(sums: Self::Sums) -> i32 {
        let pair = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
        i32x4_extract_lane::<0>(pair) + i32x4_extract_lane::<1>(pair)
    }
}

/// Sixteen floating-point lanes.
#[derive(Debug, Clone, Copy)]
struct F32x16([v128; 4]);

impl F32x16 {
    #[inline(always)]
    fn zip(mut self, other: Self, operation: impl Fn(v128, v128) -> v128) -> Self {
        for index in 0..4 {
            self.0[index] = operation(self.0[index], other.0[index]);
        }
        self
    }
}

// SAFETY: a module with these instructions loads only where they exist.
unsafe impl L3Lanes for F32x16 {
    #[inline(always)]
    unsafe fn load(from: &[f32; L3]) -> Self {
        let from = from.as_ptr();
        // SAFETY: the array has sixteen lanes.
        Self(unsafe {
            [
                v128_load(from.cast()),
                v128_load(from.add(4).cast()),
                v128_load(from.add(8).cast()),
                v128_load(from.add(12).cast()),
            ]
        })
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Self([f32x4_splat(value); 4])
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| f32x4_add(a, b))
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Self) -> Self {
        self.zip(other, |a, b| f32x4_mul(a, b))
    }

    #[inline(always)]
    unsafe fn clip(self) -> Self {
        let positive = self.zip(Self([f32x4_splat(0.0); 4]), |a, b| f32x4_max(a, b));
        positive.zip(Self([f32x4_splat(1.0); 4]), |a, b| f32x4_min(a, b))
    }

    #[inline(always)]
    unsafe fn total(self) -> f32 {
        let [a, b, c, d] = self.0;
        let quarter = f32x4_add(f32x4_add(a, c), f32x4_add(b, d));
        let pair = f32x4_add(quarter, i32x4_shuffle::<2, 3, 0, 1>(quarter, quarter));
        f32x4_extract_lane::<0>(pair) + f32x4_extract_lane::<1>(pair)
    }
}

/// The kernels.
pub(super) fn kernels() -> Option<Kernels> {
    Some(Kernels {
        name: "simd128",
        update: update::<I16x8>,
        forward: forward::<I16x8>,
        direct: direct::<I16x8>,
    })
}
