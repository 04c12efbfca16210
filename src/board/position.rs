//! A legal position.

use super::pieces::Pieces;
use super::{attacks, zobrist};
use crate::types::{
    Bitboard, CastlingRights, Color, Key, Move, MoveKind, Piece, PieceKind, Square,
};

/// A legal position: pieces, side to move, castling rights, en passant and the two clocks.
///
/// [`Setup::validate`](super::Setup::validate) and legal moves create one, so code may rely on
/// these facts (after an illegal move by [`play_unchecked`](Self::play_unchecked), or
/// [`play_null`](Self::play_null) in check, they need not hold):
///
/// - Each side has one king, and the side not to move is not in check.
/// - Castling rights have their king and rook in place.
/// - The en passant square is set only if such a capture is legal.
///
/// Equality compares everything, clocks included. "The same position" of FIDE 9.2.3 is
/// [`same_position`](Self::same_position). Equal [keys](Self::key) may be a collision.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) pieces: Pieces,
    /// The key of everything except the pieces: side to move, castling rights, en passant.
    pub(super) state_key: Key,
    pub(super) castling: CastlingRights,
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    pub(super) side_to_move: Color,
    pub(super) en_passant: Option<Square>,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
}

// The search copies it at every node.
const _: () = assert!(size_of::<Position>() <= 208);

impl Position {
    /// Builds a position from consistent parts, with halfmove clock 0 and move number 1.
    pub(super) fn assemble(
        pieces: Pieces,
        side_to_move: Color,
        castling: CastlingRights,
        en_passant: Option<Square>,
    ) -> Self {
        let mut position = Self {
            pieces,
            state_key: Key::default(),
            castling: CastlingRights::NONE,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            side_to_move: Color::White,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        position.set_castling(castling);
        if side_to_move == Color::Black {
            position.switch_sides();
        }
        if let Some(target) = en_passant {
            position.set_en_passant(target);
        }
        position.find_checkers_and_pins(side_to_move);
        position
    }

    /// The side to move.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The pieces of one kind and both colours.
    #[inline(always)]
    pub const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.pieces.kind(kind)
    }

    /// The pieces of one colour.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.pieces.color(color)
    }

    /// The pieces of one colour and kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// The occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.pieces.occupied()
    }

    /// The piece on a square, if any.
    #[inline(always)]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces.at(square)
    }

    /// The piece that a legal move moves; the king if the move castles.
    #[inline(always)]
    pub(crate) const fn moving_piece(&self, mv: Move) -> Piece {
        self.piece_at(mv.from())
            .expect("a legal move moves a piece")
    }

    /// The squares on which the pieces are not the same in the two positions.
    #[inline(always)]
    pub fn differing_squares(&self, other: &Self) -> Bitboard {
        self.pieces.differing_squares(&other.pieces)
    }

    /// Whether the two positions are the same in the sense of FIDE 9.2.3.
    ///
    /// They have the same side to move, pieces, castling rights and legal en passant captures;
    /// clocks do not count. After the keys, the positions themselves are compared, so a collision
    /// of keys cannot make a claim succeed.
    ///
    /// ```
    /// use tabiya::board::Position;
    /// let position = |fen| Position::from_fen(fen).unwrap();
    /// let a = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    /// assert!(a.same_position(&position("4k3/8/8/8/8/8/8/R3K2R w KQ - 9 30")));
    /// assert!(!a.same_position(&position("4k3/8/8/8/8/8/8/R3K2R w K - 0 1")));
    /// ```
    #[must_use]
    pub fn same_position(&self, other: &Self) -> bool {
        self.key() == other.key()
            && self.side_to_move == other.side_to_move
            && self.castling == other.castling
            && self.en_passant == other.en_passant
            && self.differing_squares(other).is_empty()
    }

    /// The square of the king of `color`.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        // A legal position has a king of each colour.
        self.pieces(color, PieceKind::King)
            .first()
            .unwrap_or(Square::A1)
    }

    /// Bishops and queens.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen)
    }

    /// Rooks and queens.
    #[inline(always)]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen)
    }

    /// The enemy pieces that give check.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check (FIDE 3.9.1).
    #[inline(always)]
    #[must_use]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Whether the side to move is checkmated (FIDE 5.1.1).
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Whether the side to move is stalemated (FIDE 5.2.1).
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Whether the legal move captures a piece, en passant included.
    #[inline(always)]
    #[must_use]
    pub fn is_capture(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Normal | MoveKind::Promotion(_) => self.occupied().contains(mv.to()),
            MoveKind::Castling => false,
            MoveKind::EnPassant => true,
        }
    }

    /// The piece that the legal move captures, if any. It stands on [`Move::capture_square`].
    ///
    /// ```
    /// use tabiya::board::Position;
    /// use tabiya::types::{Move, MoveKind, Piece, Square};
    /// let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 2").unwrap();
    /// let en_passant = Move::new(Square::E5, Square::D6, MoveKind::EnPassant);
    /// assert_eq!(position.captured(en_passant), Some(Piece::BlackPawn));
    /// // A king that castles does not capture its rook.
    /// assert_eq!(position.captured(Move::new(Square::E1, Square::H1, MoveKind::Castling)), None);
    /// ```
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        if mv.is_castling() {
            return None;
        }
        self.piece_at(mv.capture_square())
    }

    /// Whether `last`, the move that led to this position, is a double step of a pawn to a square
    /// beside an enemy pawn. The en passant capture may be illegal all the same.
    ///
    /// Polyglot's keys and XBoard's count of repetitions depend on this.
    #[must_use]
    pub fn is_double_step_beside_pawn(&self, last: Move) -> bool {
        let (from, to) = (last.from(), last.to());
        let is_double_step = self.kind(PieceKind::Pawn).contains(to)
            && from.rank().index().abs_diff(to.rank().index()) == 2;
        let pawn = Bitboard::from(to);
        let enemies = self.pieces(self.side_to_move, PieceKind::Pawn);
        is_double_step && (pawn.east() | pawn.west()).intersects(enemies)
    }

    /// The pieces of the side to move that are pinned to their king; they may move only along the
    /// pin's line.
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The castling rights of both sides.
    #[inline(always)]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square that a pawn has just passed over, if the en passant capture is legal now.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move (FIDE 9.3).
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock as u32
    }

    /// The number of the current move: 1 at the start, increased after each move of Black.
    #[inline(always)]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number as u32
    }

    /// The Zobrist key: equal for the same position in the sense of FIDE 9.2.3, and almost never
    /// equal otherwise.
    ///
    /// It covers pieces, side to move, castling rights, and the en passant file if the capture is
    /// legal; not the clocks.
    #[inline(always)]
    pub fn key(&self) -> Key {
        self.pieces.key() ^ self.state_key
    }

    /// The key after a legal move, used to prefetch a table entry before the move is played.
    ///
    /// It is exact unless the move castles, promotes, captures en passant, or changes castling
    /// rights or the en passant square.
    #[inline]
    pub fn key_after(&self, mv: Move) -> Key {
        let mut key = self.key() ^ zobrist::black_to_move();
        if let Some(captured) = self.piece_at(mv.to()) {
            key ^= zobrist::piece(captured, mv.to());
        }
        if let Some(piece) = self.piece_at(mv.from()) {
            key ^= zobrist::piece(piece, mv.from()) ^ zobrist::piece(piece, mv.to());
        }
        key
    }

    /// The key of the pawns of both sides.
    #[inline(always)]
    pub fn pawn_key(&self) -> Key {
        self.pieces.pawn_key()
    }

    /// The key of the pieces of one colour other than pawns.
    #[inline(always)]
    pub fn non_pawn_key(&self, color: Color) -> Key {
        self.pieces.non_pawn_key(color)
    }

    /// The key of kings, knights and bishops.
    #[inline(always)]
    pub fn minor_key(&self) -> Key {
        self.pieces.minor_key()
    }

    /// The pieces of both sides that attack a square; `occupied` squares block sliders.
    #[inline(always)]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.attackers_of(Color::White, square, occupied)
            | self.attackers_of(Color::Black, square, occupied)
    }

    /// The pieces of `color` that attack a square; `occupied` squares block sliders.
    #[inline(always)]
    pub fn attackers_of(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let attackers = attacks::pawn(!color, square) & self.kind(PieceKind::Pawn)
            | attacks::knight(square) & self.kind(PieceKind::Knight)
            | attacks::king(square) & self.kind(PieceKind::King)
            | attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.orthogonal_sliders();
        attackers & self.color(color)
    }

    /// Whether `color` has a piece other than king and pawns.
    #[inline(always)]
    #[must_use]
    pub fn has_non_pawns(&self, color: Color) -> bool {
        (self.color(color) - self.kind(PieceKind::Pawn) - self.kind(PieceKind::King)).any()
    }

    /// The enemy sliders that would attack the king of `side` on an empty board.
    #[inline(always)]
    pub(super) fn sliders_aligned_with_king(&self, side: Color) -> Bitboard {
        let king = self.king(side);
        (attacks::bishop(king, Bitboard::EMPTY) & self.diagonal_sliders()
            | attacks::rook(king, Bitboard::EMPTY) & self.orthogonal_sliders())
            & self.color(!side)
    }

    /// Recomputes checkers and pinned pieces, for the side to move, `us`.
    #[inline(always)]
    pub(super) fn find_checkers_and_pins(&mut self, us: Color) {
        let king = self.king(us);
        let them = self.color(!us);
        self.checkers = (attacks::pawn(us, king) & self.kind(PieceKind::Pawn)
            | attacks::knight(king) & self.kind(PieceKind::Knight))
            & them;
        self.pinned = Bitboard::EMPTY;
        for slider in self.sliders_aligned_with_king(us) {
            let between = attacks::between(king, slider) & self.occupied();
            if between.is_empty() {
                self.checkers |= slider.into();
            } else if !between.has_many() {
                self.pinned |= between & self.color(us);
            }
        }
    }

    // ANCHOR: en_passant
    /// Whether a pawn of the side to move on `from` may capture en passant on `target` without
    /// exposing its king.
    #[inline]
    pub(super) fn en_passant_is_legal(&self, from: Square, target: Square) -> bool {
        let us = self.side_to_move;
        let taken = Bitboard::from(target).forward(!us);
        let occupied = (self.occupied() - from.into() - taken) | target.into();
        (self.attackers_of(!us, self.king(us), occupied) - taken).is_empty()
    }
    // ANCHOR_END: en_passant

    /// The pawns of the side to move that attack `target`, pinned or not.
    #[inline(always)]
    pub(super) fn en_passant_candidates(&self, target: Square) -> Bitboard {
        let us = self.side_to_move;
        attacks::pawn(!us, target) & self.pieces(us, PieceKind::Pawn)
    }

    /// Sets the en passant square after a double step over `target`, if the capture is legal.
    #[inline(always)]
    pub(super) fn set_en_passant(&mut self, target: Square) {
        let mut candidates = self.en_passant_candidates(target).into_iter();
        if candidates.any(|from| self.en_passant_is_legal(from, target)) {
            self.en_passant = Some(target);
            self.state_key ^= zobrist::en_passant(target.file());
        }
    }

    /// Clears the en passant square.
    #[inline(always)]
    pub(super) fn clear_en_passant(&mut self) {
        if let Some(target) = self.en_passant.take() {
            self.state_key ^= zobrist::en_passant(target.file());
        }
    }

    /// Switches the side to move.
    #[inline(always)]
    pub(super) fn switch_sides(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.state_key ^= zobrist::black_to_move();
    }

    /// Replaces the castling rights.
    #[inline(always)]
    pub(super) fn set_castling(&mut self, rights: CastlingRights) {
        self.state_key ^= zobrist::castling(self.castling) ^ zobrist::castling(rights);
        self.castling = rights;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_the_next_position_is_known_before_a_usual_move() {
        let mut captures = 0;
        for fen in [
            "r2q1rk1/pp1bbppp/2np1n2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R w - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for mv in position.legal_moves() {
                let next = position.play_unchecked(mv);
                if mv.kind() == MoveKind::Normal && next.en_passant().is_none() {
                    assert_eq!(position.key_after(mv), next.key(), "{fen} {mv}");
                    captures += usize::from(position.is_capture(mv));
                }
            }
        }
        assert!(captures > 0);
    }
}
