//! What is attacked, and from where check can be given.

use super::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Square};

/// The squares that one side attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Threats {
    /// By pawns.
    pub by_pawns: Bitboard,
    /// By pawns, knights and bishops.
    pub by_minors: Bitboard,
    /// By pawns, knights, bishops and rooks.
    pub by_rooks: Bitboard,
    /// By any piece.
    pub all: Bitboard,
}

impl Threats {
    /// The squares on which a piece of this kind is attacked by a less valuable one.
    #[inline(always)]
    pub const fn to(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Pawn | PieceKind::King => Bitboard::EMPTY,
            PieceKind::Knight | PieceKind::Bishop => self.by_pawns,
            PieceKind::Rook => self.by_minors,
            PieceKind::Queen => self.by_rooks,
        }
    }
}

/// The squares from which a piece of each kind would give check to the side that is not to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckSquares {
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
}

impl CheckSquares {
    /// Those of a kind; none for the king.
    #[inline(always)]
    pub fn of(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Pawn => self.pawn,
            PieceKind::Knight => self.knight,
            PieceKind::Bishop => self.bishop,
            PieceKind::Rook => self.rook,
            PieceKind::Queen => self.bishop | self.rook,
            PieceKind::King => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// From where the side to move can give check.
    #[inline]
    pub fn check_squares(&self) -> CheckSquares {
        let them = !self.side_to_move();
        let king = self.king(them);
        let occupied = self.occupied();
        CheckSquares {
            pawn: attacks::pawn(them, king),
            knight: attacks::knight(king),
            bishop: attacks::bishop(king, occupied),
            rook: attacks::rook(king, occupied),
        }
    }

    /// Every square that the pieces of `color` attack, looking through the other side's king.
    ///
    /// Looking through it shows where the king cannot flee to.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.threats(color).all
    }

    /// As [`attacked_by`](Self::attacked_by), with the squares that the less valuable pieces attack told apart.
    pub fn threats(&self, color: Color) -> Threats {
        let occupied = self.occupied() - self.king(!color).into();
        let attacked_by = |pieces: Bitboard, attacks: fn(Square, Bitboard) -> Bitboard| {
            pieces
                .into_iter()
                .fold(Bitboard::EMPTY, |set, from| set | attacks(from, occupied))
        };
        let us = self.color(color);
        let of = |kind| us & self.kind(kind);
        let by_pawns = attacks::pawns(color, of(PieceKind::Pawn));
        let by_minors = by_pawns
            | attacked_by(of(PieceKind::Knight), |from, _| attacks::knight(from))
            | attacked_by(of(PieceKind::Bishop), attacks::bishop);
        let by_rooks = by_minors | attacked_by(of(PieceKind::Rook), attacks::rook);
        let by_queens = attacked_by(of(PieceKind::Queen), |from, occupied| {
            attacks::bishop(from, occupied) | attacks::rook(from, occupied)
        });
        Threats {
            by_pawns,
            by_minors,
            by_rooks,
            all: by_rooks | by_queens | attacks::king(self.king(color)),
        }
    }
}
