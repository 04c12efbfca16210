//! Values that change with the phase of the game.

use std::ops::{AddAssign, Mul, SubAssign};

/// A value for the opening and one for the endgame, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tapered {
    pub(super) opening: i32,
    pub(super) endgame: i32,
}

/// A value for the opening and one for the endgame.
pub(super) const fn tapered(opening: i32, endgame: i32) -> Tapered {
    Tapered { opening, endgame }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.opening += other.opening;
        self.endgame += other.endgame;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.opening -= other.opening;
        self.endgame -= other.endgame;
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline(always)]
    fn mul(self, times: i32) -> Self {
        tapered(self.opening * times, self.endgame * times)
    }
}
