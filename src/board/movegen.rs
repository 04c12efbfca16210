//! Move generation.
//!
//! The generator produces sets of target squares and passes them to a [`Sink`], which lists or
//! counts them. All generated moves are legal, so no move has to be tried and taken back (*legal*
//! instead of *pseudo-legal* move generation). The position knows its checkers and pinned pieces,
//! and from them follows what each piece may do:
//!
//! - In check from one piece, the others may only capture it or step between it and the king (the
//!   *check mask*); in check from two, only the king moves.
//! - A pinned piece stays on the line through its king and itself, so a pinned knight never moves.
//! - The king avoids attacked squares. They are computed without the king, because it would hide
//!   the squares behind it from a slider that gives check.
//! - En passant takes two pawns off a rank at once, which pins do not show. So each such capture is
//!   tried on the occupied squares.

use super::{Position, attacks};
use crate::types::{Bitboard, CastlingSide, Color, Move, MoveKind, PieceKind, Rank, Square};
use arrayvec::ArrayVec;

/// Upper bound of the number of moves: fifteen queens with 27 moves each, the king's 8, two
/// castlings.
///
/// The maximum known for a reachable position is 218. [`Setup::validate`](super::Setup::validate)
/// refuses sides of more than 16 pieces that might exceed this bound.
pub const MAX_MOVES: usize = 15 * 27 + 8 + 2;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Receives the generated moves.
trait Sink {
    /// A piece moves from `from` to any square of `to`.
    fn piece(&mut self, from: Square, to: Bitboard);
    /// Pawns arrive on the squares `to`, each from `delta` indices before.
    fn pawns(&mut self, to: Bitboard, delta: i8);
    /// As `pawns`; each pawn promotes to any of the four pieces.
    fn promotions(&mut self, to: Bitboard, delta: i8);
    /// A castling or en passant move.
    fn special(&mut self, mv: Move);
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard) {
        self.extend(to.into_iter().map(|to| Move::normal(from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i8) {
        self.extend(
            to.into_iter()
                .map(|to| Move::normal(to.shifted(-delta), to)),
        );
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i8) {
        for to in to {
            let promote = |kind| Move::new(to.shifted(-delta), to, MoveKind::Promotion(kind));
            self.extend(PieceKind::PROMOTIONS.into_iter().map(promote));
        }
    }

    #[inline(always)]
    fn special(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without building them.
struct Counter(u64);

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, to: Bitboard) {
        self.0 += u64::from(to.len());
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 += u64::from(to.len());
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8) {
        self.0 += u64::from(to.len()) * PieceKind::PROMOTIONS.len() as u64;
    }

    #[inline(always)]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// The part of the legal moves to generate: noisy, quiet or both.
trait Scope {
    const NOISY: bool;
    const QUIET: bool;
}

struct All;
struct Noisy;
struct Quiet;

impl Scope for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Scope for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Scope for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<All>(None, &mut list);
        list
    }

    /// Appends the legal moves that change material: captures, en passant and all promotions.
    pub fn noisy_moves(&self, list: &mut MoveList) {
        self.generate::<Noisy>(None, list);
    }

    /// Appends the other legal moves, castling included.
    ///
    /// `attacked` is the set of squares that the opponent attacks
    /// ([`Threats::all`](super::Threats::all)), which most callers already have.
    pub fn quiet_moves(&self, attacked: Bitboard, list: &mut MoveList) {
        self.generate::<Quiet>(Some(attacked), list);
    }

    /// Appends the legal quiet moves by which the moving piece itself gives check. Moves of pinned
    /// pieces are left out. Not for positions in check.
    pub fn quiet_checks(&self, list: &mut MoveList) {
        use PieceKind::{Bishop, Knight, Queen, Rook};
        debug_assert!(!self.in_check());
        let us = self.side_to_move;
        let free = self.color(us) - self.pinned;
        let checks = self.check_squares();
        let (occupied, empty) = (self.occupied(), !self.occupied());
        for kind in [Knight, Bishop, Rook, Queen] {
            let mask = checks.of(kind) & empty;
            for from in self.kind(kind) & free {
                list.piece(from, attacks::of(us, kind, from, occupied) & mask);
            }
        }
        let pawns = self.kind(PieceKind::Pawn) & free;
        self.generate_some_pawns::<Quiet>(us, pawns, checks.of(PieceKind::Pawn), list);
    }

    /// Number of legal moves.
    pub fn legal_move_count(&self) -> u64 {
        let mut counter = Counter(0);
        self.generate::<All>(None, &mut counter);
        counter.0
    }

    /// Whether the side to move has a legal move; if not, it is checkmated or stalemated.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.legal_move_count() > 0
    }

    /// Whether a legal move changes material; see [`noisy_moves`](Self::noisy_moves).
    #[inline(always)]
    #[must_use]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.promotion().is_some()
    }

    /// `attacked` is the set of squares that the opponent attacks, if known.
    #[inline(always)]
    fn generate<S: Scope>(&self, attacked: Option<Bitboard>, sink: &mut impl Sink) {
        // Each call is compiled for one colour, which is faster.
        match self.side_to_move {
            Color::White => self.generate_for::<S>(Color::White, attacked, sink),
            Color::Black => self.generate_for::<S>(Color::Black, attacked, sink),
        }
    }

    // ANCHOR: generate
    #[inline(always)]
    fn generate_for<S: Scope>(&self, us: Color, attacked: Option<Bitboard>, sink: &mut impl Sink) {
        if !self.checkers.has_many() {
            // In check from one piece, others may only take it or step between.
            let mask = match self.checkers.first() {
                Some(checker) => attacks::between(self.king(us), checker) | self.checkers,
                None => Bitboard::FULL,
            };
            self.generate_pawns::<S>(us, mask, sink);
            self.generate_pieces(us, mask & self.scope::<S>(us), sink);
            if S::QUIET && self.checkers.is_empty() {
                self.generate_castling(us, sink);
            }
        }
        self.generate_king::<S>(us, attacked, sink);
    }
    // ANCHOR_END: generate

    /// The possible targets of a piece other than a pawn in this scope.
    #[inline(always)]
    fn scope<S: Scope>(&self, us: Color) -> Bitboard {
        match (S::NOISY, S::QUIET) {
            (true, false) => self.color(!us),
            (false, true) => !self.occupied(),
            _ => !self.color(us),
        }
    }

    #[inline(always)]
    fn generate_pieces(&self, us: Color, mask: Bitboard, sink: &mut impl Sink) {
        let king = self.king(us);
        let occupied = self.occupied();
        for from in self.pieces(us, PieceKind::Knight) - self.pinned {
            sink.piece(from, attacks::knight(from) & mask);
        }
        let diagonal = self.diagonal_sliders() & self.color(us);
        for from in diagonal - self.pinned {
            sink.piece(from, attacks::bishop(from, occupied) & mask);
        }
        let orthogonal = self.orthogonal_sliders() & self.color(us);
        for from in orthogonal - self.pinned {
            sink.piece(from, attacks::rook(from, occupied) & mask);
        }
        for from in diagonal & self.pinned {
            sink.piece(
                from,
                attacks::bishop(from, occupied) & mask & attacks::line(king, from),
            );
        }
        for from in orthogonal & self.pinned {
            sink.piece(
                from,
                attacks::rook(from, occupied) & mask & attacks::line(king, from),
            );
        }
    }

    #[inline(always)]
    fn generate_pawns<S: Scope>(&self, us: Color, mask: Bitboard, sink: &mut impl Sink) {
        let pawns = self.pieces(us, PieceKind::Pawn);
        self.generate_some_pawns::<S>(us, pawns - self.pinned, mask, sink);
        for from in pawns & self.pinned {
            let line = attacks::line(self.king(us), from);
            self.generate_some_pawns::<S>(us, from.into(), mask & line, sink);
        }
        if S::NOISY
            && let Some(target) = self.en_passant
        {
            for from in self.en_passant_candidates(target) {
                if self.en_passant_is_legal(from, target) {
                    sink.special(Move::new(from, target, MoveKind::EnPassant));
                }
            }
        }
    }

    /// Steps, captures and promotions of some pawns to squares of `mask`.
    #[inline(always)]
    fn generate_some_pawns<S: Scope>(
        &self,
        us: Color,
        pawns: Bitboard,
        mask: Bitboard,
        sink: &mut impl Sink,
    ) {
        let forward = 8 * us.forward();
        let last_rank = Bitboard::from(Rank::R8.relative_to(us));
        let empty = !self.occupied();
        let ahead = pawns.forward(us);
        let step = ahead & empty;
        if S::QUIET {
            let double = (step & Rank::R3.relative_to(us).into()).forward(us) & empty;
            sink.pawns((step & mask) - last_rank, forward);
            sink.pawns(double & mask, 2 * forward);
        }
        if S::NOISY {
            let targets = self.color(!us) & mask;
            let (west, east) = (ahead.west() & targets, ahead.east() & targets);
            sink.pawns(west - last_rank, forward - 1);
            sink.pawns(east - last_rank, forward + 1);
            if ahead.intersects(last_rank) {
                sink.promotions(west & last_rank, forward - 1);
                sink.promotions(east & last_rank, forward + 1);
                sink.promotions(step & mask & last_rank, forward);
            }
        }
    }

    #[inline(always)]
    fn generate_king<S: Scope>(&self, us: Color, attacked: Option<Bitboard>, sink: &mut impl Sink) {
        let king = self.king(us);
        let free = attacks::king(king) & self.scope::<S>(us);
        // Usually the king has nowhere to go, and then the attacked squares do not matter.
        if free.any() {
            sink.piece(
                king,
                free - attacked.unwrap_or_else(|| self.attacked_near_king(!us)),
            );
        }
    }

    #[inline(always)]
    fn generate_castling(&self, us: Color, sink: &mut impl Sink) {
        let rooks = self.castling.rooks_of(us);
        if rooks.any() {
            let king = self.king(us);
            for rook in rooks {
                if self.may_castle(king, rook) {
                    sink.special(Move::new(king, rook, MoveKind::Castling));
                }
            }
        }
    }

    /// Whether the side to move may castle with this rook now (FIDE 3.8.2). The caller has checked
    /// the castling right, and that the king is not in check.
    pub(super) fn may_castle(&self, king: Square, rook: Square) -> bool {
        let us = self.side_to_move;
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
        let castlers = Bitboard::from(king) | rook.into();
        let path = |from, to: Square| attacks::between(from, to) | to.into();
        let king_path = path(king, king_target);
        let others = self.occupied() - castlers;
        if others.intersects(king_path | path(rook, rook_target)) {
            return false;
        }
        // Without the rook: in Chess960 it may shield the square on which the king ends.
        king_path
            .into_iter()
            .all(|square| self.attackers_of(!us, square, others).is_empty())
    }
}
