//! The two sides.

use std::fmt;
use std::ops::Not;

index_enum! {
    /// White or Black.
    pub enum Color {
        /// The side that starts on ranks 1 and 2.
        White,
        /// The side that starts on ranks 7 and 8.
        Black,
    }
}

impl Color {
    /// White if `is_white`, else Black.
    #[inline(always)]
    pub const fn from_white(is_white: bool) -> Self {
        if is_white { Self::White } else { Self::Black }
    }

    /// Whether this is White.
    #[inline(always)]
    #[must_use]
    pub const fn is_white(self) -> bool {
        matches!(self, Self::White)
    }

    /// The first value for White, the second for Black.
    #[inline(always)]
    pub fn select<T>(self, [white, black]: [T; Self::COUNT]) -> T {
        match self {
            Self::White => white,
            Self::Black => black,
        }
    }

    /// The direction in which pawns move, in ranks: 1 or -1.
    #[inline(always)]
    pub const fn forward(self) -> i8 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }

    /// The name in lower case: `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// The FEN letter: `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// The side with this letter of a FEN.
    ///
    /// ```
    /// use tabiya::types::Color;
    /// assert_eq!(Color::from_letter('b'), Some(Color::Black));
    /// assert_eq!(Color::from_letter('B'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'w' => Some(Self::White),
            'b' => Some(Self::Black),
            _ => None,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}
