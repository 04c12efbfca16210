//! NEON: vectors of 128 bits, on every 64-bit Arm processor.

use super::{Kernels, L3Lanes, Vector, direct, forward, update};
use crate::eval::QA;
use crate::eval::shape::{L3, SQUARE_SHIFT};
use std::arch::aarch64::*;

/// Eight 16-bit lanes.
#[derive(Debug, Clone, Copy)]
struct I16x8(int16x8_t);

// SAFETY: every processor of this architecture has the instructions.
unsafe impl Vector for I16x8 {
    type Sums = int32x4_t;
    type L3Lanes = F32x16;
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Self {
        // SAFETY: the caller passes an address of eight lanes.
        Self(unsafe { vld1q_s16(from) })
    }

    #[inline(always)]
    unsafe fn load_bytes(from: *const i8) -> Self {
        // SAFETY: the caller passes an address of eight bytes.
        Self(unsafe { vmovl_s8(vld1_s8(from)) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller passes an address of eight lanes.
        unsafe { vst1q_s16(to, self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: every processor of this architecture has the instructions.
        Self(unsafe { vaddq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Self) -> Self {
        // SAFETY: every processor of this architecture has the instructions.
        Self(unsafe { vsubq_s16(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn squared(self) -> Self {
        // SAFETY: every processor of this architecture has the instructions.
        Self(unsafe {
            let positive = vmaxq_s16(self.0, vdupq_n_s16(0));
            let clipped = vminq_s16(positive, vdupq_n_s16(QA as i16));
            let factor = vshlq_n_s16::<{ SQUARE_SHIFT as i32 }>(clipped);
            vqrdmulhq_s16(factor, factor)
        })
    }

    #[inline(always)]
    unsafe fn no_sums() -> Self::Sums {
        // SAFETY: every processor of this architecture has the instructions.
        unsafe { vdupq_n_s32(0) }
    }

    #[inline(always)]
    unsafe fn multiply_and_add(self, other: Self, sums: Self::Sums) -> Self::Sums {
        // SAFETY: every processor of this architecture has the instructions.
        unsafe {
            let low = vmlal_s16(sums, vget_low_s16(self.0), vget_low_s16(other.0));
            vmlal_high_s16(low, self.0, other.0)
        }
    }

    #[inline(always)]
    unsafe fn total(sums: Self::Sums) -> i32 {
        // SAFETY: every processor of this architecture has the instructions.
        unsafe { vaddvq_s32(sums) }
    }
}

/// Sixteen floating-point lanes.
#[derive(Debug, Clone, Copy)]
struct F32x16([float32x4_t; 4]);

// SAFETY: every processor of this architecture has the instructions.
unsafe impl L3Lanes for F32x16 {
    #[inline(always)]
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

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: every processor of this architecture has the instructions.
        Self([unsafe { vdupq_n_f32(value) }; 4])
    }

    #[inline(always)]
    unsafe fn add(mut self, other: Self) -> Self {
        for index in 0..4 {
            // SAFETY: every processor of this architecture has the instructions.
            self.0[index] = unsafe { vaddq_f32(self.0[index], other.0[index]) };
        }
        self
    }

    #[inline(always)]
    unsafe fn multiply(mut self, other: Self) -> Self {
        for index in 0..4 {
            // SAFETY: every processor of this architecture has the instructions.
            self.0[index] = unsafe { vmulq_f32(self.0[index], other.0[index]) };
        }
        self
    }

    #[inline(always)]
    unsafe fn clip(mut self) -> Self {
        for index in 0..4 {
            // SAFETY: every processor of this architecture has the instructions.
            self.0[index] =
                unsafe { vminq_f32(vmaxq_f32(self.0[index], vdupq_n_f32(0.0)), vdupq_n_f32(1.0)) };
        }
        self
    }

    #[inline(always)]
    unsafe fn total(self) -> f32 {
        let [a, b, c, d] = self.0;
        // SAFETY: every processor of this architecture has the instructions.
        unsafe {
            let quarter = vaddq_f32(vaddq_f32(a, c), vaddq_f32(b, d));
            let pair = vadd_f32(vget_low_f32(quarter), vget_high_f32(quarter));
            vget_lane_f32::<0>(pair) + vget_lane_f32::<1>(pair)
        }
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
