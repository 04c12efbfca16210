//! Castling rights, for standard chess and Chess960 alike.

use super::{Bitboard, Color, File, Rank, Square};
use std::fmt;

index_enum! {
    /// The two ways to castle, named after the side to which the king goes.
    pub enum CastlingSide {
        /// The king ends on the g-file, the rook on the f-file: O-O.
        KingSide,
        /// The king ends on the c-file, the rook on the d-file: O-O-O.
        QueenSide,
    }
}

impl CastlingSide {
    /// The side of a rook, relative to the king on the same rank.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook.index() > king.index() {
            Self::KingSide
        } else {
            Self::QueenSide
        }
    }

    /// The square on which the king of `color` ends.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::KingSide => File::G,
            Self::QueenSide => File::C,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }

    /// The square on which the rook of `color` ends.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::KingSide => File::F,
            Self::QueenSide => File::D,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }

    /// The file on which the rook starts in standard chess.
    pub const fn standard_rook_file(self) -> File {
        match self {
            Self::KingSide => File::H,
            Self::QueenSide => File::A,
        }
    }
}

/// The move in algebraic notation: `O-O` or `O-O-O`.
impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KingSide => "O-O",
            Self::QueenSide => "O-O-O",
        })
    }
}

/// The rules for castling: where king and rooks start, and how the move is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CastlingMode {
    /// Kings start on e1 and e8, rooks in the corners. Castling is written as the king's move:
    /// `e1g1`.
    #[default]
    Standard,
    /// King and rooks start anywhere, the king between the rooks (FIDE Guidelines II). Castling is
    /// written as king takes rook: `e1h1`.
    Chess960,
}

impl CastlingMode {
    /// Chess960 if `is_chess960`, else standard chess.
    pub const fn from_chess960(is_chess960: bool) -> Self {
        if is_chess960 {
            Self::Chess960
        } else {
            Self::Standard
        }
    }

    /// Whether this is Chess960.
    #[must_use]
    pub const fn is_chess960(self) -> bool {
        matches!(self, Self::Chess960)
    }
}

/// Castling rights of both sides: the set of the rooks that may still castle.
///
/// A right means that neither king nor rook has moved. Castling may still be illegal at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// No right for either side.
    pub const NONE: Self = Self(Bitboard::EMPTY);

    /// The rights of these rooks.
    #[inline(always)]
    pub const fn from_rooks(rooks: Bitboard) -> Self {
        Self(rooks)
    }

    /// The rooks of both sides that may castle.
    #[inline(always)]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// The rooks of `color` that may castle.
    #[inline(always)]
    pub fn rooks_of(self, color: Color) -> Bitboard {
        self.0 & Rank::R1.relative_to(color).into()
    }

    /// The rook with which the king of `color` may castle on that side, if any.
    #[inline(always)]
    pub fn rook(self, king: Square, color: Color, side: CastlingSide) -> Option<Square> {
        self.rooks_of(color)
            .into_iter()
            .find(|&rook| CastlingSide::of(king, rook) == side)
    }
}
