//! The history heuristic: how often a move has refuted positions lately, whatever the position.
//!
//! A move that failed high in one position is likely to do so in its neighbours (Schaeffer, "The History Heuristic and
//! Alpha-Beta Search Enhancements in Practice", 1989). Each table looks at another side of the move: *butterfly* history
//! at from and to, *continuation* history at the moves before it, *capture* history at what is captured. A move that
//! refutes gets a bonus, those tried before it in vain get a malus. Where a position is unlike those searched lately the
//! entries say nothing; gravity makes them follow soon.
//!
//! To add a table: a field of [`Histories`], what indexes it in [`HistoryContext`], and a line in `score` and in `update`.

mod entry;

use super::stack::PieceTo;
use crate::board::Position;
use crate::types::{Color, Move, Piece, PieceKind, Square};
use entry::HistoryEntry;

/// Plies back at which continuation histories look.
pub(super) const CONTINUATIONS: usize = 2;

/// What the entries of a node's moves depend on besides the move.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryContext {
    side: Color,
    /// The index of the move so many plies before, the latest first.
    continuations: [Option<usize>; CONTINUATIONS],
}

impl HistoryContext {
    /// That of a position, with the moves that led to it, the latest first.
    #[inline]
    pub(super) fn new(position: &Position, before: [Option<PieceTo>; CONTINUATIONS]) -> Self {
        let index = |moved: PieceTo| moved.piece.index() * Square::COUNT + moved.to.index();
        Self {
            side: position.side_to_move(),
            continuations: before.map(|moved| moved.map(index)),
        }
    }
}

/// An entry for each piece on each square of arrival.
type PieceToTable = [[HistoryEntry; Square::COUNT]; Piece::COUNT];

/// All histories of one worker.
pub(super) struct Histories {
    /// Quiet moves by side, from and to.
    butterfly: Box<[[[HistoryEntry; Square::COUNT]; Square::COUNT]; Color::COUNT]>,
    /// Captures by piece, square and victim; a promotion without capture has the pawn as victim.
    capture: Box<[[[HistoryEntry; PieceKind::COUNT]; Square::COUNT]; Piece::COUNT]>,
    /// Quiet moves by the move one ply before, two plies before: replies and plans.
    continuation: [Box<[PieceToTable]>; CONTINUATIONS],
}

impl Histories {
    pub(super) fn new() -> Self {
        let empty = HistoryEntry::default();
        let continuation =
            || vec![[[empty; Square::COUNT]; Piece::COUNT]; Piece::COUNT * Square::COUNT].into();
        Self {
            butterfly: Box::new([[[empty; Square::COUNT]; Square::COUNT]; Color::COUNT]),
            capture: Box::new([[[empty; PieceKind::COUNT]; Square::COUNT]; Piece::COUNT]),
            continuation: std::array::from_fn(|_| continuation()),
        }
    }

    /// How well a move has done.
    #[inline]
    pub(super) fn score(&self, position: &Position, mv: Move, context: &HistoryContext) -> i32 {
        match PieceTo::of(position, mv) {
            None => 0,
            Some(moved) if position.is_noisy(mv) => self.capture(moved, victim(position, mv)),
            Some(moved) => self.quiet(mv, moved, context),
        }
    }

    /// How well a quiet move has done.
    #[inline]
    pub(super) fn quiet(&self, mv: Move, moved: PieceTo, context: &HistoryContext) -> i32 {
        let (piece, to) = (moved.piece.index(), moved.to.index());
        let mut sum = self.butterfly[context.side.index()][mv.from().index()][to].value();
        for (table, index) in self.continuation.iter().zip(context.continuations) {
            if let Some(index) = index {
                sum += table[index][piece][to].value();
            }
        }
        sum
    }

    /// How well a capture or promotion has done.
    #[inline]
    pub(super) fn capture(&self, moved: PieceTo, victim: PieceKind) -> i32 {
        self.capture[moved.piece.index()][moved.to.index()][victim.index()].value()
    }

    /// Notes that a move did well or badly.
    #[inline]
    pub(super) fn update(
        &mut self,
        position: &Position,
        mv: Move,
        context: &HistoryContext,
        bonus: i32,
    ) {
        let Some(moved) = PieceTo::of(position, mv) else {
            return;
        };
        let (piece, to) = (moved.piece.index(), moved.to.index());
        if position.is_noisy(mv) {
            self.capture[piece][to][victim(position, mv).index()].update(bonus);
            return;
        }
        self.butterfly[context.side.index()][mv.from().index()][to].update(bonus);
        for (table, index) in self.continuation.iter_mut().zip(context.continuations) {
            if let Some(index) = index {
                table[index][piece][to].update(bonus);
            }
        }
    }
}

/// What a noisy move captures; a pawn for en passant and for a promotion without capture.
#[inline]
pub(super) fn victim(position: &Position, mv: Move) -> PieceKind {
    position
        .piece_at(mv.to())
        .map_or(PieceKind::Pawn, |piece| piece.kind())
}
