//! NEON: vectors of 128 bits, on every 64-bit Arm processor.
//!
//! Every processor of this architecture has the instructions.

use super::{Kernels, L3Lanes, Vector, direct, forward, update};
use crate::eval::QA;
use crate::eval::shape::{L3, SQUARE_SHIFT};
use std::arch::aarch64::*;

/// Eight 16-bit lanes.
#[derive(Debug, Clone, Copy)]
struct I16x8(int16x8_t);

// SAFETY: loads and stores have the eight lanes of this vector. Every processor of this
// architecture has the instructions.
unsafe impl Vector for I16x8 {
    type Sums = int32x4_t;
    type L3Lanes = F32x16;
    const LANES: usize = 8;

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn load(from: *const i16) -> Self {
        // SAFETY: the caller passes an address of eight lanes.
        Self(unsafe { vld1q_s16(from) })
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn load_bytes(from: *const i8) -> Self {
        // SAFETY: the caller passes an address of eight bytes.
        Self(unsafe { vmovl_s8(vld1_s8(from)) })
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller passes an address of eight lanes.
        unsafe { vst1q_s16(to, self.0) }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn add(self, other: Self) -> Self {
        Self(vaddq_s16(self.0, other.0))
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn subtract(self, other: Self) -> Self {
        Self(vsubq_s16(self.0, other.0))
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn squared(self) -> Self {
        let positive = vmaxq_s16(self.0, vdupq_n_s16(0));
        let clipped = vminq_s16(positive, vdupq_n_s16(QA as i16));
        let factor = vshlq_n_s16::<{ SQUARE_SHIFT as i32 }>(clipped);
        Self(vqrdmulhq_s16(factor, factor))
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn no_sums() -> Self::Sums {
        vdupq_n_s32(0)
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn multiply_and_add(self, other: Self, sums: Self::Sums) -> Self::Sums {
        let low = vmlal_s16(sums, vget_low_s16(self.0), vget_low_s16(other.0));
        vmlal_high_s16(low, self.0, other.0)
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn total(sums: Self::Sums) -> i32 {
        vaddvq_s32(sums)
    }
}

/// Sixteen floating-point lanes.
#[derive(Debug, Clone, Copy)]
struct F32x16([float32x4_t; 4]);

// SAFETY: every processor of this architecture has the instructions.
unsafe impl L3Lanes for F32x16 {
    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn load(from: &[f32; L3]) -> Self {
        let from = from.as_ptr();
        // SAFETY: the array has sixteen lanes.
        Self(unsafe {
            [
                vld1q_f32(from),
                vld1q_f32(from.add(4)),
                vld1q_f32(from.add(8)),
                vld1q_f32(from.add(12)),
            ]
        })
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn splat(value: f32) -> Self {
        Self([vdupq_n_f32(value); 4])
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn add(mut self, other: Self) -> Self {
        for index in 0..4 {
            self.0[index] = vaddq_f32(self.0[index], other.0[index]);
        }
        self
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn multiply(mut self, other: Self) -> Self {
        for index in 0..4 {
            self.0[index] = vmulq_f32(self.0[index], other.0[index]);
        }
        self
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn clip(mut self) -> Self {
        for index in 0..4 {
            self.0[index] = vminq_f32(vmaxq_f32(self.0[index], vdupq_n_f32(0.0)), vdupq_n_f32(1.0));
        }
        self
    }

    #[target_feature(enable = "neon")]
    #[inline]
    unsafe fn total(self) -> f32 {
        let [a, b, c, d] = self.0;
        let quarter = vaddq_f32(vaddq_f32(a, c), vaddq_f32(b, d));
        let pair = vadd_f32(vget_low_f32(quarter), vget_high_f32(quarter));
        vget_lane_f32::<0>(pair) + vget_lane_f32::<1>(pair)
    }
}

/// The kernels.
pub(super) fn kernels() -> Option<Kernels> {
    Some(Kernels {
        name: "neon",
        update: update::<I16x8>,
        forward: forward::<I16x8>,
        direct: direct::<I16x8>,
    })
}
