//! Playing a move gives a new position; there is nothing to take back.

use super::{Observer, Position};
use crate::types::{
    Bitboard, CastlingRights, Color, Move, MoveKind, Piece, PieceKind, Rank, Square, Wing,
};

impl Position {
    /// The position after a legal move.
    ///
    /// The move must be legal here, as generated or as [`is_legal`](Self::is_legal) says. After any other move the
    /// result means nothing, and the call may panic.
    #[inline]
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        self.play_observed(mv, &mut ())
    }

    /// As [`play`](Self::play), telling the observer of each piece added or removed.
    #[inline]
    #[must_use]
    pub fn play_observed(&self, mv: Move, observer: &mut impl Observer) -> Self {
        let mut next = *self;
        next.make(mv, observer);
        next
    }

    /// The position after passing the move to the opponent, who must not be in check then.
    ///
    /// The clock goes on, but what came before cannot be repeated by what comes after.
    #[must_use]
    pub fn play_null(&self) -> Self {
        debug_assert!(!self.in_check());
        let mut next = *self;
        next.clear_en_passant();
        next.halfmove_clock = next.halfmove_clock.saturating_add(1);
        next.switch_sides();
        next.find_checkers_and_pins();
        next
    }

    #[inline(always)]
    fn make(&mut self, mv: Move, observer: &mut impl Observer) {
        let us = self.side_to_move;
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if us == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        let passed = if mv.is_castling() {
            self.castle(mv, observer);
            None
        } else {
            self.displace(mv, observer)
        };
        self.switch_sides();
        if let Some(target) = passed {
            self.set_en_passant(target);
        }
        self.find_checkers_and_pins();
    }

    fn castle(&mut self, mv: Move, observer: &mut impl Observer) {
        let us = self.side_to_move;
        let (king, rook) = (
            Piece::new(us, PieceKind::King),
            Piece::new(us, PieceKind::Rook),
        );
        let wing = Wing::of(mv.from(), mv.to());
        // Either piece may arrive where the other stood: lift both, then put both down.
        self.remove(king, mv.from(), observer);
        self.remove(rook, mv.to(), observer);
        self.put(king, wing.king_target(us), observer);
        self.put(rook, wing.rook_target(us), observer);
        self.lose_castling(Rank::R1.relative_to(us).into());
    }

    /// Moves one piece, takes what is to be taken; returns the square that a pawn passed with a double step.
    #[inline(always)]
    fn displace(&mut self, mv: Move, observer: &mut impl Observer) -> Option<Square> {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let piece = self.pieces.at(from).expect("a legal move moves a piece");
        self.remove(piece, from, observer);
        if let Some(victim) = self.pieces.at(to) {
            self.remove(victim, to, observer);
            self.halfmove_clock = 0;
        }

        let mut touched = Bitboard::from(from) | to.into();
        let mut passed = None;
        let mut arriving = piece;
        match piece.kind() {
            PieceKind::Pawn => {
                self.halfmove_clock = 0;
                match mv.kind() {
                    MoveKind::EnPassant => {
                        let victim = Square::new(to.file(), from.rank());
                        self.remove(Piece::new(!us, PieceKind::Pawn), victim, observer);
                    }
                    MoveKind::Promotion(kind) => arriving = Piece::new(us, kind),
                    _ if from.index().abs_diff(to.index()) == 16 => {
                        passed = Some(Square::from_low_bits((from.index() + to.index()) / 2));
                    }
                    _ => {}
                }
            }
            PieceKind::King => touched |= Rank::R1.relative_to(us).into(),
            _ => {}
        }
        self.put(arriving, to, observer);
        self.lose_castling(touched);
        passed
    }

    /// A right is lost when its rook moves or is taken on its square, and both with a move of the king.
    #[inline(always)]
    fn lose_castling(&mut self, touched: Bitboard) {
        let rooks = self.castling.rooks();
        if rooks.intersects(touched) {
            self.set_castling(CastlingRights::from_rooks(rooks - touched));
        }
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.pieces.put(piece, square);
        observer.added(piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.pieces.remove(piece, square);
        observer.removed(piece, square);
    }
}
