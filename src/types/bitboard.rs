//! Sets of squares.

use super::{Color, File, Rank, Square};
use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

/// A set of squares: bit `n` stands for the square with index `n`.
///
/// `&` intersection, `|` union, `^` symmetric difference, `-` difference, `!` complement.
///
/// ```
/// use tabiya::types::{Bitboard, File, Rank, Square};
/// let files = Bitboard::from(File::A) | File::H.into();
/// let corners = files & (Bitboard::from(Rank::R1) | Rank::R8.into());
/// assert_eq!(corners.len(), 4);
/// assert!(corners.contains(Square::H8));
/// assert_eq!(corners.into_iter().next(), Some(Square::A1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const FULL: Self = Self(!0);
    /// The light squares; h1 is one.
    pub const LIGHT: Self = Self(0x55AA_55AA_55AA_55AA);

    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const FILE_H: u64 = Self::FILE_A << 7;

    /// Returns the set with just this square.
    #[inline(always)]
    pub const fn from_square(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Returns the squares of a rank.
    #[inline(always)]
    pub const fn from_rank(rank: Rank) -> Self {
        Self(0xFF << (8 * rank.index()))
    }

    /// Returns the squares of a file.
    #[inline(always)]
    pub const fn from_file(file: File) -> Self {
        Self(Self::FILE_A << file.index())
    }

    /// Whether the square is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the set is empty.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set is not empty: the opposite of [`Self::is_empty`].
    #[inline(always)]
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline(always)]
    #[must_use]
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of squares in the set.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the two sets share a square.
    #[inline(always)]
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of this set is in `other`.
    #[inline(always)]
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The square with the lowest index.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(self.0.trailing_zeros() as usize))
        }
    }

    /// The square with the highest index.
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(63 - self.0.leading_zeros() as usize))
        }
    }

    /// Shifts by one rank, towards the opponent of `color`.
    #[inline(always)]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// Shifts by one file, towards the h-file.
    #[inline(always)]
    #[must_use]
    pub const fn east(self) -> Self {
        Self((self.0 & !Self::FILE_H) << 1)
    }

    /// Shifts by one file, towards the a-file.
    #[inline(always)]
    #[must_use]
    pub const fn west(self) -> Self {
        Self((self.0 & !Self::FILE_A) >> 1)
    }

    /// Iterates over all subsets, from the empty set to the set itself (carry-rippler).
    pub const fn subsets(self) -> Subsets {
        Subsets {
            set: self,
            next: Some(Self::EMPTY),
        }
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Self {
        Self::from_square(square)
    }
}

impl From<File> for Bitboard {
    #[inline(always)]
    fn from(file: File) -> Self {
        Self::from_file(file)
    }
}

impl From<Rank> for Bitboard {
    #[inline(always)]
    fn from(rank: Rank) -> Self {
        Self::from_rank(rank)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | square.into())
    }
}

macro_rules! set_operators {
    ($($operator:ident $method:ident, $assign:ident $assign_method:ident: |$a:ident, $b:ident| $result:expr;)+) => {$(
        impl $operator for Bitboard {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($result)
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $operator::$method(*self, other);
            }
        }
    )+};
}

set_operators! {
    BitAnd bitand, BitAndAssign bitand_assign: |a, b| a & b;
    BitOr bitor, BitOrAssign bitor_assign: |a, b| a | b;
    BitXor bitxor, BitXorAssign bitxor_assign: |a, b| a ^ b;
    Sub sub, SubAssign sub_assign: |a, b| a & !b;
}

impl Not for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Iterator over the squares of a set, from a1 to h8.
#[derive(Debug, Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() as usize, Some(self.0.len() as usize))
    }
}

impl ExactSizeIterator for Squares {}

/// Iterator over the subsets of a set; see [`Bitboard::subsets`].
#[derive(Debug, Clone)]
pub struct Subsets {
    set: Bitboard,
    next: Option<Bitboard>,
}

impl Iterator for Subsets {
    type Item = Bitboard;

    fn next(&mut self) -> Option<Bitboard> {
        let subset = self.next?;
        // Subtracting the set counts up within its bits: the borrow ripples through the gaps.
        let after = Bitboard(subset.0.wrapping_sub(self.set.0)) & self.set;
        self.next = after.any().then_some(after);
        Some(subset)
    }
}

/// Draws the board: rank 8 on top, `X` for the squares of the set.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Bitboard({:#018X})", self.0)?;
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                f.write_str(if self.contains(Square::new(file, rank)) {
                    " X"
                } else {
                    " ."
                })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
