// ANCHOR: all
//! Colours, pieces, squares, sets of squares, moves.

use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

// ANCHOR: pieces
/// White or Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Color {
    White,
    Black,
}

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum PieceKind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

/// A piece: whose, and of which kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece(pub Color, pub PieceKind);
// ANCHOR_END: pieces

impl Color {
    /// Both colours, by their index.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl PieceKind {
    /// All kinds, by their index.
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// From 0 for pawns to 5 for kings.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter in FEN and in promotions.
    pub fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self.index()]
    }
}

impl Piece {
    /// Whose piece it is.
    pub fn color(self) -> Color {
        self.0
    }

    /// Its kind.
    pub fn kind(self) -> PieceKind {
        self.1
    }
}

// ANCHOR: square
/// A square by its number: a1 is 0, b1 is 1, a2 is 8, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Square(pub u8);

impl Square {
    /// The number, to index arrays with.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square so many files to the right and ranks up, or `None` off the board.
    pub const fn step(self, files: i8, ranks: i8) -> Option<Self> {
        let (file, rank) = (self.0 as i8 % 8 + files, self.0 as i8 / 8 + ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self((8 * rank + file) as u8))
    }

    /// The rank from this player's side, from 0 to 7.
    pub fn rank_of(self, color: Color) -> u8 {
        self.relative_to(color).0 / 8
    }

    /// The square as `color` sees it: Black counts the ranks from the other end.
    pub fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self(self.0 ^ 56),
        }
    }

    /// Reads a name such as `e4`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Self(8 * (rank - b'1') + file - b'a')),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 8), self.0 / 8 + 1)
    }
}
// ANCHOR_END: square

// ANCHOR: bitboard
/// A set of squares: bit n is 1 if square n is in the set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set of one square.
    pub const fn of(square: Square) -> Self {
        Self(1 << square.0)
    }

    /// Whether the square is in the set.
    pub fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Whether the set has no square.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of squares in the set.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The square with the lowest number. The set must not be empty.
    pub fn lowest(self) -> Square {
        Square(self.0.trailing_zeros() as u8)
    }

    /// The square with the highest number. The set must not be empty.
    pub fn highest(self) -> Square {
        Square(63 - self.0.leading_zeros() as u8)
    }
}

/// Goes through the squares: `for square in set`.
impl Iterator for Bitboard {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.is_empty() {
            return None;
        }
        let square = self.lowest();
        self.0 &= self.0 - 1; // Clears the lowest bit.
        Some(square)
    }
}
// ANCHOR_END: bitboard

impl BitAnd for Bitboard {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

// ANCHOR: move
/// A move. Castling is the king's move of two squares; en passant is a pawn's move to the en
/// passant square. Neither needs a mark of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) promotion: Option<PieceKind>,
}

impl Move {
    /// The square that the piece leaves.
    pub fn from(self) -> Square {
        self.from
    }

    /// The square that the piece reaches.
    pub fn to(self) -> Square {
        self.to
    }

    /// The piece that a pawn becomes on the last rank.
    pub fn promotion(self) -> Option<PieceKind> {
        self.promotion
    }
}
// ANCHOR_END: move
// ANCHOR_END: all
