//! Plain arrays, for any processor; the compiler vectorises them for the baseline of the target.

use super::{L3Lanes, Vector};
use crate::eval::shape::{L3, squared};
use crate::eval::sum_of;

const LANES: usize = 16;

/// Combines two arrays lane by lane.
#[inline(always)]
fn zip<T: Copy, const N: usize>(a: [T; N], b: [T; N], op: impl Fn(T, T) -> T) -> [T; N] {
    std::array::from_fn(|lane| op(a[lane], b[lane]))
}

/// Sixteen 16-bit lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct I16x16([i16; LANES]);

// SAFETY: loads and stores have the lanes of this array. The functions need no special
// instructions.
unsafe impl Vector for I16x16 {
    type Sums = [i32; LANES];
    type L3Lanes = F32Lanes;
    const LANES: usize = LANES;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> Self {
        // SAFETY: the caller passes an address of LANES aligned lanes.
        Self(unsafe { *from.cast() })
    }

    #[inline(always)]
    unsafe fn load_bytes(from: *const i8) -> Self {
        // SAFETY: the caller passes an address of LANES bytes.
        Self(unsafe { *from.cast::<[i8; LANES]>() }.map(i16::from))
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16) {
        // SAFETY: the caller passes an address of LANES aligned lanes.
        unsafe { *to.cast() = self.0 }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Self(zip(self.0, other.0, i16::wrapping_add))
    }

    #[inline(always)]
    unsafe fn subtract(self, other: Self) -> Self {
        Self(zip(self.0, other.0, i16::wrapping_sub))
    }

    #[inline(always)]
    unsafe fn squared(self) -> Self {
        Self(self.0.map(squared))
    }

    #[inline(always)]
    unsafe fn no_sums() -> Self::Sums {
        [0; LANES]
    }

    #[inline(always)]
    unsafe fn multiply_and_add(self, other: Self, sums: Self::Sums) -> Self::Sums {
        std::array::from_fn(|lane| sums[lane] + i32::from(self.0[lane]) * i32::from(other.0[lane]))
    }

    #[inline(always)]
    unsafe fn total(sums: Self::Sums) -> i32 {
        sums.iter().sum()
    }
}

/// The lanes of L3.
#[derive(Debug, Clone, Copy)]
pub(super) struct F32Lanes([f32; L3]);

// SAFETY: the functions need no special instructions.
unsafe impl L3Lanes for F32Lanes {
    #[inline(always)]
    unsafe fn load(from: &[f32; L3]) -> Self {
        Self(*from)
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Self([value; L3])
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Self(zip(self.0, other.0, |a, b| a + b))
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Self) -> Self {
        Self(zip(self.0, other.0, |a, b| a * b))
    }

    #[inline(always)]
    unsafe fn clip(self) -> Self {
        Self(self.0.map(|lane| lane.clamp(0.0, 1.0)))
    }

    #[inline(always)]
    unsafe fn total(self) -> f32 {
        sum_of(self.0)
    }
}
