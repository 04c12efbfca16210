//! Attacked squares, and the squares from which a piece gives check.

use super::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Square};

/// The squares that one side attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threats {
    /// Attacked by pawns.
    pub by_pawns: Bitboard,
    /// Attacked by knights.
    pub by_knights: Bitboard,
    /// Attacked by bishops.
    pub by_bishops: Bitboard,
    /// Attacked by rooks.
    pub by_rooks: Bitboard,
    /// Attacked by queens.
    pub by_queens: Bitboard,
    /// Attacked by any piece.
    pub all: Bitboard,
    /// Attacked twice or more.
    pub twice: Bitboard,
}

impl Threats {
    /// The squares that `color` attacks on a board with these `pieces` of each colour and kind.
    ///
    /// The enemy king does not block sliders: the squares behind it count as attacked, since it
    /// cannot flee there.
    #[inline(always)]
    pub fn new(
        color: Color,
        occupied: Bitboard,
        pieces: impl Fn(Color, PieceKind) -> Bitboard,
    ) -> Self {
        let occupied = occupied - pieces(!color, PieceKind::King);
        let (mut all, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut add = |attacked: Bitboard| {
            twice |= all & attacked;
            all |= attacked;
            attacked
        };
        let ahead = pieces(color, PieceKind::Pawn).forward(color);
        let by_pawns = add(ahead.east()) | add(ahead.west());
        let mut attacked_by = |kind, attacks: fn(Square, Bitboard) -> Bitboard| {
            (pieces(color, kind).into_iter()).fold(Bitboard::EMPTY, |set, from| {
                set | add(attacks(from, occupied))
            })
        };
        let by_knights = attacked_by(PieceKind::Knight, |from, _| attacks::knight(from));
        let by_bishops = attacked_by(PieceKind::Bishop, attacks::bishop);
        let by_rooks = attacked_by(PieceKind::Rook, attacks::rook);
        let by_queens = attacked_by(PieceKind::Queen, attacks::queen);
        attacked_by(PieceKind::King, |from, _| attacks::king(from));
        Self {
            by_pawns,
            by_knights,
            by_bishops,
            by_rooks,
            by_queens,
            all,
            twice,
        }
    }

    /// The squares that pawns, knights or bishops attack.
    #[inline(always)]
    pub fn by_minors(&self) -> Bitboard {
        self.by_pawns | self.by_knights | self.by_bishops
    }

    /// The squares on which a less valuable piece attacks a piece of this kind.
    #[inline(always)]
    pub fn by_lesser(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Pawn | PieceKind::King => Bitboard::EMPTY,
            PieceKind::Knight | PieceKind::Bishop => self.by_pawns,
            PieceKind::Rook => self.by_minors(),
            PieceKind::Queen => self.by_minors() | self.by_rooks,
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

    // ANCHOR: near_king
    /// As [`Threats::all`], but complete only for the neighbours of the enemy king, and faster.
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

    /// The squares that the pieces of `color` attack, by the value of the attackers.
    pub fn threats(&self, color: Color) -> Threats {
        Threats::new(color, self.occupied(), |color, kind| {
            self.pieces(color, kind)
        })
    }
}
