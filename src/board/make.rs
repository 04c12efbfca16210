//! Playing a move. Positions are copied, so moves are never unmade.

use super::Position;
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, Move, MoveKind, Piece, PieceKind, Rank, Square,
};
use std::fmt;

/// A move that is not legal in the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the move {} is not legal here", self.0)
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// Returns the position after the move.
    ///
    /// # Errors
    /// If the move is not legal.
    ///
    /// ```
    /// use tabiya::board::{IllegalMove, Position};
    /// use tabiya::types::{Move, Square};
    /// let start = Position::start();
    /// let e4 = Move::normal(Square::E2, Square::E4);
    /// let next = start.play(e4).unwrap();
    /// assert_eq!(next.play(e4), Err(IllegalMove(e4)));
    /// ```
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) {
            Ok(self.play_unchecked(mv))
        } else {
            Err(IllegalMove(mv))
        }
    }

    /// Returns the position after a move that is known to be legal, such as one from
    /// [`legal_moves`](Self::legal_moves).
    ///
    /// After an illegal move the result is not a legal position.
    ///
    /// # Panics
    /// Perhaps, if the move is not legal.
    #[inline]
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        let mut next = *self;
        next.make_unchecked(mv);
        next
    }

    /// Returns the position after a null move, with the number of the next move. The halfmove clock
    /// goes on.
    ///
    /// The side to move must not be in check: the result would not be a legal position.
    ///
    /// # Panics
    /// In check, in a build with debug assertions.
    #[must_use]
    pub fn play_null(&self) -> Self {
        let mut next = *self;
        next.make_null();
        if self.side_to_move == Color::Black {
            next.fullmove_number = next.fullmove_number.saturating_add(1);
        }
        next
    }

    /// Makes a null move in place, for the search: the move number stays.
    pub(crate) fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.switch_sides();
        self.find_checkers_and_pins(self.side_to_move);
    }

    /// [`Self::play_unchecked`] in place.
    ///
    /// The search and perft copy a position and then make the move. A function that returns the new
    /// position is slower: the compiler builds it in one place and copies it to another.
    #[inline(always)]
    pub(crate) fn make_unchecked(&mut self, mv: Move) {
        // Each call is compiled for one colour, which is faster.
        match self.side_to_move {
            Color::White => self.make_for(Color::White, mv),
            Color::Black => self.make_for(Color::Black, mv),
        }
    }

    #[inline(always)]
    fn make_for(&mut self, us: Color, mv: Move) {
        // The clocks come first. They are loaded together with the en passant square, and a store
        // to that square would delay the load.
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if us == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.clear_en_passant();
        let passed = if mv.is_castling() {
            self.castle(us, mv);
            None
        } else {
            self.displace(us, mv)
        };
        self.switch_sides();
        if let Some(target) = passed {
            self.set_en_passant(target);
        }
        self.find_checkers_and_pins(!us);
    }

    fn castle(&mut self, us: Color, mv: Move) {
        let (king, rook) = (
            Piece::new(us, PieceKind::King),
            Piece::new(us, PieceKind::Rook),
        );
        let side = CastlingSide::of(mv.from(), mv.to());
        // King and rook may land on each other's square: remove both first, then put both.
        self.pieces.remove(king, mv.from());
        self.pieces.remove(rook, mv.to());
        self.pieces.put(king, side.king_target(us));
        self.pieces.put(rook, side.rook_target(us));
        self.lose_castling(Rank::R1.relative_to(us).into());
    }

    /// Moves one piece and removes a captured one. Returns the square that a double step passed
    /// over.
    #[inline(always)]
    fn displace(&mut self, us: Color, mv: Move) -> Option<Square> {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.moving_piece(mv);
        self.pieces.remove(piece, from);
        if let Some(victim) = self.pieces.at(to) {
            self.pieces.remove(victim, to);
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
                        let victim = Piece::new(!us, PieceKind::Pawn);
                        self.pieces.remove(victim, mv.capture_square());
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
        self.pieces.put(arriving, to);
        self.lose_castling(touched);
        passed
    }

    // ANCHOR: lose_castling
    /// Drops the rights of rooks on the `touched` squares: they moved, were captured, or their king
    /// moved.
    #[inline(always)]
    fn lose_castling(&mut self, touched: Bitboard) {
        let rooks = self.castling.rooks();
        if rooks.intersects(touched) {
            self.set_castling(CastlingRights::from_rooks(rooks - touched));
        }
    }
    // ANCHOR_END: lose_castling
}
