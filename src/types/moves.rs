//! A move in 16 bits.

use super::{CastlingSide, PieceKind, Square};
use std::fmt;
use std::num::NonZeroU16;

/// The kind of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// None of the others. Captures and double pawn steps are normal moves.
    Normal,
    /// A pawn captures a pawn that has just passed over the target square (FIDE 3.7.3.1).
    EnPassant,
    /// The king castles (FIDE 3.8.2); `to` is the square of the rook.
    Castling,
    /// A pawn reaches the last rank and becomes this piece.
    Promotion(PieceKind),
}

/// A move: origin, target and kind. Whether it is legal depends on the position; see
/// `Position::is_legal`.
///
/// Castling goes from the king's square to the square of its rook, which is unambiguous in Chess960
/// too.
///
/// ```
/// use tabiya::types::{Move, MoveKind, PieceKind, Square};
/// let mv = Move::new(Square::E7, Square::E8, MoveKind::Promotion(PieceKind::Queen));
/// assert_eq!(mv.to_string(), "e7e8q");
/// assert_eq!(size_of::<Option<Move>>(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Move>() == 2 && size_of::<Option<Move>>() == 2);

// Bits 0-5: from. Bits 6-11: to. Bits 12-15: kind, as below. Origin and target differ, except in
// the null move, so the bits are never 0.
const NORMAL: u16 = 0;
const EN_PASSANT: u16 = 1;
const CASTLING: u16 = 2;
/// Promotions are 4 to 7: the index of the promoted piece, counted from the knight, is added.
const PROMOTION: u16 = 4;
/// The bits of the null move, from b1 to b1, which [`Move::from_bits`] refuses.
const NULL: u16 = 1 | 1 << 6;

impl Move {
    /// The null move `0000`, with which a player passes. It is never legal, and functions that
    /// take a legal move may panic on it. Records of games have it; the search has its own way to
    /// pass.
    pub const NULL: Self = Self(NonZeroU16::new(NULL).unwrap());

    /// Whether this is [`NULL`](Self::NULL).
    #[inline(always)]
    pub const fn is_null(self) -> bool {
        self.to_bits() == NULL
    }

    /// Builds a move from its parts.
    ///
    /// # Panics
    /// If `from` and `to` are the same square, or if a pawn promotes to a pawn or king.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        assert!(from as u8 != to as u8);
        let kind = match kind {
            MoveKind::Normal => NORMAL,
            MoveKind::EnPassant => EN_PASSANT,
            MoveKind::Castling => CASTLING,
            MoveKind::Promotion(piece) => {
                assert!(!matches!(piece, PieceKind::Pawn | PieceKind::King));
                PROMOTION + piece as u16 - PieceKind::Knight as u16
            }
        };
        match Self::from_bits(from as u16 | (to as u16) << 6 | kind << 12) {
            Some(mv) => mv,
            None => unreachable!(),
        }
    }

    /// Builds a move of kind [`MoveKind::Normal`].
    ///
    /// # Panics
    /// As [`Self::new`].
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::new(from, to, MoveKind::Normal)
    }

    /// The move as 16 bits, for storage.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits, or `None` if the bits do not encode a move.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let kind = bits >> 12;
        if bits & 63 == bits >> 6 & 63 || kind == 3 || kind > 7 {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The origin: the square that the piece leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.to_bits() as usize)
    }

    /// The target square; for castling the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.to_bits() as usize >> 6)
    }

    /// The square of the captured piece if the move captures: the target, or for en passant the
    /// square of the pawn behind it.
    #[inline(always)]
    pub const fn capture_square(self) -> Square {
        if self.is_en_passant() {
            Square::new(self.to().file(), self.from().rank())
        } else {
            self.to()
        }
    }

    /// The kind of the move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.to_bits() >> 12 {
            NORMAL => MoveKind::Normal,
            EN_PASSANT => MoveKind::EnPassant,
            CASTLING => MoveKind::Castling,
            4 => MoveKind::Promotion(PieceKind::Knight),
            5 => MoveKind::Promotion(PieceKind::Bishop),
            6 => MoveKind::Promotion(PieceKind::Rook),
            _ => MoveKind::Promotion(PieceKind::Queen),
        }
    }

    /// The piece to which the move promotes, if it does.
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::Promotion(piece) => Some(piece),
            _ => None,
        }
    }

    /// Whether the move castles.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.to_bits() >> 12 == CASTLING
    }

    /// Whether the move captures en passant.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.to_bits() >> 12 == EN_PASSANT
    }

    /// The side to which the move castles, if it does.
    pub const fn castling_side(self) -> Option<CastlingSide> {
        if self.is_castling() {
            Some(CastlingSide::of(self.from(), self.to()))
        } else {
            None
        }
    }

    /// The square on which the king ends, if the move castles.
    pub const fn castling_king_target(self) -> Option<Square> {
        match self.castling_side() {
            Some(side) => {
                let file = side.king_target(super::Color::White).file();
                Some(Square::new(file, self.from().rank()))
            }
            None => None,
        }
    }
}

/// Coordinates, with castling as king takes rook: `e2e4`, `e7e8q`, `e1h1`. UCI writes moves in this
/// way in Chess960 mode. The null move is `0000`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{}", piece.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_that_are_a_move_read_back_and_others_are_refused() {
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), mv);
                assert_eq!(mv.to_bits(), bits);
            }
        }
        assert_eq!(
            (0..=u16::MAX).filter_map(Move::from_bits).count(),
            64 * 63 * 7
        );
    }
}
