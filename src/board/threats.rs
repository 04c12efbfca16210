//! Attacked squares, and the squares from which a piece gives check.

use super::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Square};

/// The squares that one side attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Threats {
    /// Attacked by pawns.
    pub by_pawns: Bitboard,
    /// Attacked by pawns, knights or bishops.
    pub by_minors: Bitboard,
    /// Attacked by pawns, knights, bishops or rooks.
    pub by_rooks: Bitboard,
    /// Attacked by any piece.
    pub all: Bitboard,
}

impl Threats {
    /// The squares on which a less valuable piece attacks a piece of this kind.
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

/// For each kind of piece, the squares from which it gives check to the side not to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckSquares {
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
}

impl CheckSquares {
    /// The squares for pieces of this kind; empty for the king.
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
    /// The squares from which the side to move can give check.
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

    /// All squares that the pieces of `color` attack, as if the enemy king were not on the board.
    ///
    /// Without the king, the squares behind it on a slider's line count as attacked: it cannot flee
    /// there.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.threats(color).all
    }

    // ANCHOR: near_king
    /// As [`attacked_by`](Self::attacked_by), but complete only for the neighbours of the enemy
    /// king, and faster.
    #[inline(always)]
    pub(super) fn attacked_near_king(&self, color: Color) -> Bitboard {
        let king = self.king(!color);
        let occupied = self.occupied() - king.into();
        let us = self.color(color);
        let mut attacked = attacks::king(self.king(color))
            | attacks::pawns(color, us & self.kind(PieceKind::Pawn));
        for from in us & self.kind(PieceKind::Knight) {
            attacked |= attacks::knight(from);
        }
        for from in us & self.diagonal_sliders() & attacks::bishops_near(king) {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in us & self.orthogonal_sliders() & attacks::rooks_near(king) {
            attacked |= attacks::rook(from, occupied);
        }
        attacked
    }
    // ANCHOR_END: near_king

    /// As [`attacked_by`](Self::attacked_by), split by the value of the attackers.
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
