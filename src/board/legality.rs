//! Legality of a move from elsewhere: a hash table, a book, another position.

use super::{Position, attacks};
use crate::types::{Bitboard, Move, MoveKind, PieceKind, Rank, Square};

impl Position {
    /// Whether the move is legal: whether [`legal_moves`](Self::legal_moves) would contain it.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else {
            return false;
        };
        if piece.color() != us {
            return false;
        }
        match (mv.kind(), piece.kind()) {
            (MoveKind::Castling, PieceKind::King) => {
                !self.in_check()
                    && self.castling.rooks_of(us).contains(to)
                    && self.may_castle(from, to)
            }
            (MoveKind::EnPassant, PieceKind::Pawn) => {
                self.en_passant == Some(to)
                    && self.en_passant_candidates(to).contains(from)
                    && self.en_passant_is_legal(from, to)
            }
            (MoveKind::Castling | MoveKind::EnPassant, _) => false,
            (kind, PieceKind::Pawn) => {
                let promotes = to.rank() == Rank::R8.relative_to(us);
                promotes == (kind != MoveKind::Normal)
                    && self.pawn_reaches(from).contains(to)
                    && self.keeps_king_safe(from, to)
            }
            (MoveKind::Promotion(_), _) => false,
            (MoveKind::Normal, PieceKind::King) => {
                let occupied = self.occupied() - from.into();
                (attacks::king(from) - self.color(us)).contains(to)
                    && self.attackers_of(!us, to, occupied).is_empty()
            }
            (MoveKind::Normal, kind) => {
                (attacks::of(us, kind, from, self.occupied()) - self.color(us)).contains(to)
                    && self.keeps_king_safe(from, to)
            }
        }
    }

    /// The targets of one pawn of the side to move: steps and captures, without en passant.
    fn pawn_reaches(&self, from: Square) -> Bitboard {
        let us = self.side_to_move;
        let empty = !self.occupied();
        let step = Bitboard::from(from).forward(us) & empty;
        let double = (step & Rank::R3.relative_to(us).into()).forward(us) & empty;
        step | double | attacks::pawn(us, from) & self.color(!us)
    }

    /// Whether this move of a piece other than the king answers a check and keeps a pin.
    fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.side_to_move);
        let answers_check = match self.checkers.first() {
            None => true,
            Some(_) if self.checkers.has_many() => false,
            Some(checker) => (attacks::between(king, checker) | checker.into()).contains(to),
        };
        answers_check && (!self.pinned.contains(from) || attacks::line(king, from).contains(to))
    }
}
