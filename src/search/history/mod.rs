//! The history heuristic: how often a move has refuted positions lately, whatever the position.
//!
//! A move that failed high in one position is likely to do so in its neighbours (Schaeffer, "The History Heuristic and
//! Alpha-Beta Search Enhancements in Practice", 1989). Each table looks at another side of the move: *butterfly* history
//! at from and to and whether the opponent attacks them, *continuation* history at the moves before it, *pawn* history at
//! the pawn structure, *capture* history at what is captured. A move that refutes gets a bonus, those tried before it in
//! vain get a malus. Where a position is unlike those searched lately the
//! entries say nothing; gravity makes them follow soon.
//!
//! To add a table: a field of [`Histories`], what indexes it in [`HistoryContext`], and a line in `score` and in `update`.

mod correction;
mod entry;

use super::params;
use super::stack::{NO_CONTINUATION, PieceTo};
use crate::board::Position;
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};
use correction::CorrectionHistory;
use entry::HistoryEntry;

/// Plies back at which continuation histories look.
pub(super) const CONTINUATION_PLIES: [usize; CONTINUATIONS] = [1, 2, 4];
pub(super) const CONTINUATIONS: usize = 3;
/// Pawn structures told apart; a power of two.
const PAWN_STRUCTURES: usize = 512;

/// What the entries of a node's moves depend on besides the move.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryContext {
    side: Color,
    /// The squares that the opponent attacks.
    threats: Bitboard,
    /// The index of the pawn structure.
    pawns: usize,
    /// The moves that led here, as [`CONTINUATION_PLIES`] says.
    continuations: Continuations,
}

/// The indices of the moves that led to a node, so many plies before it as [`CONTINUATION_PLIES`] says.
pub(super) type Continuations = [usize; CONTINUATIONS];

impl HistoryContext {
    /// That of a position, with what the opponent attacks and the moves that led to it.
    #[inline]
    pub(super) fn new(
        position: &Position,
        threats: Bitboard,
        continuations: Continuations,
    ) -> Self {
        Self {
            side: position.side_to_move(),
            threats,
            pawns: position.pawn_key().0 as usize % PAWN_STRUCTURES,
            continuations,
        }
    }

    /// Where only captures and promotions are ordered, whose history depends on nothing else.
    pub(super) fn captures_only(position: &Position) -> Self {
        Self::new(position, Bitboard::EMPTY, [NO_CONTINUATION; CONTINUATIONS])
    }
}

/// An entry for each pair of squares.
type ButterflyTable = [[HistoryEntry; Square::COUNT]; Square::COUNT];

/// An entry for each piece on each square of arrival.
type PieceToTable = [[HistoryEntry; Square::COUNT]; Piece::COUNT];

/// All histories of one worker.
pub(super) struct Histories {
    /// Quiet moves by side, whether from and to are attacked, from and to.
    butterfly: Box<[[ButterflyTable; 4]; Color::COUNT]>,
    /// Captures by piece, square and victim; a promotion without capture has the pawn as victim.
    capture: Box<[[[HistoryEntry; PieceKind::COUNT]; Square::COUNT]; Piece::COUNT]>,
    /// Quiet moves by a move before, one table for all distances: replies and plans.
    continuation: Box<[PieceToTable]>,
    /// Quiet moves by pawn structure.
    pawn: Box<[PieceToTable]>,
    /// What the static evaluation was off.
    pub(super) correction: CorrectionHistory,
}

impl Histories {
    pub(super) fn new() -> Self {
        let empty = HistoryEntry::default();
        // The last entry, of no move, stays empty.
        let continuation = vec![[[empty; Square::COUNT]; Piece::COUNT]; NO_CONTINUATION + 1];
        Self {
            butterfly: Box::new([[[[empty; Square::COUNT]; Square::COUNT]; 4]; Color::COUNT]),
            capture: Box::new([[[empty; PieceKind::COUNT]; Square::COUNT]; Piece::COUNT]),
            continuation: continuation.into(),
            pawn: vec![[[empty; Square::COUNT]; Piece::COUNT]; PAWN_STRUCTURES].into(),
            correction: CorrectionHistory::new(),
        }
    }

    /// How well a move has done.
    #[inline]
    pub(super) fn score(&self, position: &Position, mv: Move, context: &HistoryContext) -> i32 {
        match PieceTo::of(position, mv) {
            None => 0,
            Some(moved) if position.is_noisy(mv) => self.capture(moved, victim(position, mv)),
            Some(moved) => self.quiet(context).score(mv, moved),
        }
    }

    /// The tables of a node's quiet moves.
    #[inline]
    pub(super) fn quiet(&self, context: &HistoryContext) -> QuietHistory<'_> {
        let table = &self.continuation;
        let [last, before, long_before] = context.continuations;
        QuietHistory {
            threats: context.threats,
            butterfly: &self.butterfly[context.side.index()],
            continuation: [&table[last], &table[before], &table[long_before]],
            pawn: &self.pawn[context.pawns],
        }
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
        self.update_butterfly(mv, context.side, context.threats, bonus);
        self.update_continuations(moved, context.continuations, bonus);
        self.pawn[context.pawns][piece][to].update(bonus);
    }

    /// Notes that the move before a node did well: in the butterfly and the continuation histories.
    pub(super) fn update_prior(
        &mut self,
        mv: Move,
        moved: PieceTo,
        threats: Bitboard,
        continuations: Continuations,
        bonus: i32,
    ) {
        self.update_butterfly(mv, moved.piece.color(), threats, bonus);
        self.update_continuations(moved, continuations, bonus);
    }

    #[inline]
    fn update_continuations(&mut self, moved: PieceTo, continuations: Continuations, bonus: i32) {
        for index in continuations {
            if index != NO_CONTINUATION {
                self.continuation[index][moved.piece.index()][moved.to.index()].update(bonus);
            }
        }
    }

    /// Notes in the butterfly history alone that a quiet move of a side did well or badly, where the opponent attacked
    /// these squares.
    #[inline]
    pub(super) fn update_butterfly(
        &mut self,
        mv: Move,
        side: Color,
        threats: Bitboard,
        bonus: i32,
    ) {
        let table = &mut self.butterfly[side.index()][threat_index(mv, threats)];
        table[mv.from().index()][mv.to().index()].update(bonus);
    }
}

/// The tables that say how well the quiet moves of one node have done.
pub(super) struct QuietHistory<'a> {
    threats: Bitboard,
    butterfly: &'a [ButterflyTable; 4],
    continuation: [&'a PieceToTable; CONTINUATIONS],
    pawn: &'a PieceToTable,
}

impl QuietHistory<'_> {
    /// How well a quiet move has done.
    #[inline(always)]
    pub(super) fn score(&self, mv: Move, moved: PieceTo) -> i32 {
        let (piece, to) = (moved.piece.index(), moved.to.index());
        let butterfly = &self.butterfly[threat_index(mv, self.threats)];
        let [one, two, four] = self.continuation;
        let sum = butterfly[mv.from().index()][to].value() * params::butterfly_weight()
            + one[piece][to].value() * params::continuation_1_weight()
            + two[piece][to].value() * params::continuation_2_weight()
            + four[piece][to].value() * params::continuation_4_weight()
            + self.pawn[piece][to].value() * params::pawn_history_weight();
        sum / 100
    }
}

/// Whether the squares that a move leaves and goes to are attacked.
#[inline(always)]
fn threat_index(mv: Move, threats: Bitboard) -> usize {
    2 * usize::from(threats.contains(mv.from())) + usize::from(threats.contains(mv.to()))
}

/// What a noisy move captures; a pawn for en passant and for a promotion without capture.
#[inline]
pub(super) fn victim(position: &Position, mv: Move) -> PieceKind {
    position
        .piece_at(mv.to())
        .map_or(PieceKind::Pawn, |piece| piece.kind())
}
