//! The history heuristic: how often a move has recently failed high in other positions.
//!
//! A move that failed high in one position is likely to do so in similar ones (Schaeffer, "The
//! History Heuristic and Alpha-Beta Search Enhancements in Practice", 1989). Each table has its own
//! index. *Butterfly* history uses the from and to squares and whether the opponent attacks them,
//! *continuation* history the moves before, *pawn* history the pawn structure, and *capture*
//! history the captured piece. A move that fails high gets a bonus; the moves searched before it
//! get a malus, quiet ones only if it is quiet too. In positions unlike the recent ones the entries
//! are wrong at first, but gravity adapts them soon.
//!
//! To add a table for quiet moves, add a field of [`Histories`], its index in [`HistoryContext`], a
//! field of [`QuietHistory`] with a term in its `score`, a line in `update`, and a weight in
//! [`params`].

mod correction;
mod entry;

use super::params;
use super::stack::{NO_CONTINUATION, PieceTo};
use crate::board::Position;
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};
use correction::CorrectionHistory;
use entry::HistoryEntry;

/// Distances, in plies, of the earlier moves that continuation history uses.
pub(super) const CONTINUATION_PLIES: [usize; CONTINUATIONS] = [1, 2, 4];
pub(super) const CONTINUATIONS: usize = 3;
/// Number of pawn structures; a power of two.
const PAWN_STRUCTURES: usize = 512;

/// The indices of a node's history entries, apart from the move.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryContext {
    side: Color,
    /// Squares attacked by the opponent.
    threats: Bitboard,
    /// Index of the pawn structure.
    pawns: usize,
    /// Indices of the moves that led to the node.
    continuations: Continuations,
}

/// Indices of the moves played [`CONTINUATION_PLIES`] before a node.
pub(super) type Continuations = [usize; CONTINUATIONS];

impl HistoryContext {
    /// The context of a position, with the squares that the opponent attacks and the moves that led
    /// to it.
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
}

/// An entry for each pair of squares.
type ButterflyTable = [[HistoryEntry; Square::COUNT]; Square::COUNT];

/// An entry for each piece on each target square.
type PieceToTable = [[HistoryEntry; Square::COUNT]; Piece::COUNT];

/// The histories of one worker.
pub(super) struct Histories {
    /// Quiet moves by side, attacks on from and to, from and to.
    butterfly: Box<[[ButterflyTable; 4]; Color::COUNT]>,
    /// Captures by piece, target square and victim. A promotion without capture has a pawn as
    /// victim.
    capture: Box<[[[HistoryEntry; PieceKind::COUNT]; Square::COUNT]; Piece::COUNT]>,
    /// Quiet moves by an earlier move; all distances share one table.
    continuation: Box<[PieceToTable]>,
    /// Quiet moves by pawn structure.
    pawn: Box<[PieceToTable]>,
    /// Errors of the static evaluation.
    pub(super) correction: CorrectionHistory,
}

impl Histories {
    pub(super) fn new() -> Self {
        let empty = HistoryEntry::default();
        // The last entry stands for no move and stays empty.
        let continuation = vec![[[empty; Square::COUNT]; Piece::COUNT]; NO_CONTINUATION + 1];
        Self {
            butterfly: Box::new([[[[empty; Square::COUNT]; Square::COUNT]; 4]; Color::COUNT]),
            capture: Box::new([[[empty; PieceKind::COUNT]; Square::COUNT]; Piece::COUNT]),
            continuation: continuation.into(),
            pawn: vec![[[empty; Square::COUNT]; Piece::COUNT]; PAWN_STRUCTURES].into(),
            correction: CorrectionHistory::new(),
        }
    }

    /// The entries of all tables but the corrections. All fields are named, so that a new table
    /// cannot be forgotten.
    fn entries(&mut self) -> [&mut [HistoryEntry]; 4] {
        let Self {
            butterfly,
            capture,
            continuation,
            pawn,
            correction: _,
        } = self;
        let butterfly = butterfly.as_flattened_mut().as_flattened_mut();
        [
            butterfly.as_flattened_mut(),
            capture.as_flattened_mut().as_flattened_mut(),
            continuation.as_flattened_mut().as_flattened_mut(),
            pawn.as_flattened_mut().as_flattened_mut(),
        ]
    }

    /// Size of the tables, in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&mut self) -> usize {
        let entries: usize = self
            .entries()
            .into_iter()
            .map(|table| size_of_val(table))
            .sum();
        entries + self.correction.bytes()
    }

    /// Forgets everything. Takes no memory, which may be short.
    pub(super) fn clear(&mut self) {
        for table in self.entries() {
            table.fill(HistoryEntry::default());
        }
        self.correction.clear();
    }

    /// History score of a legal move.
    #[inline]
    pub(super) fn score(&self, position: &Position, mv: Move, context: &HistoryContext) -> i32 {
        let moved = PieceTo::of(position, mv);
        if position.is_noisy(mv) {
            self.capture(moved, victim(position, mv))
        } else {
            self.quiet(context).score(mv, moved)
        }
    }

    /// The tables for the quiet moves of a node.
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

    /// History score of a capture or promotion.
    #[inline]
    pub(super) fn capture(&self, moved: PieceTo, victim: PieceKind) -> i32 {
        self.capture[moved.piece.index()][moved.to.index()][victim.index()].value()
    }

    /// Adds a bonus, or a malus if negative, to the entries of a legal move.
    #[inline]
    pub(super) fn update(
        &mut self,
        position: &Position,
        mv: Move,
        context: &HistoryContext,
        bonus: i32,
    ) {
        let moved = PieceTo::of(position, mv);
        let (piece, to) = (moved.piece.index(), moved.to.index());
        if position.is_noisy(mv) {
            self.capture[piece][to][victim(position, mv).index()].update(bonus);
            return;
        }
        self.update_butterfly(mv, context.side, context.threats, bonus);
        self.update_continuations(moved, context.continuations, bonus);
        self.pawn[context.pawns][piece][to].update(bonus);
    }

    /// Adds a bonus to the butterfly and continuation entries of the quiet move before a node.
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

    /// Adds a bonus to the butterfly entry of a quiet move of `side`. `threats` are the squares
    /// that the opponent attacked before it.
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

/// The tables for the quiet moves of one node.
pub(super) struct QuietHistory<'a> {
    threats: Bitboard,
    butterfly: &'a [ButterflyTable; 4],
    continuation: [&'a PieceToTable; CONTINUATIONS],
    pawn: &'a PieceToTable,
}

impl QuietHistory<'_> {
    // ANCHOR: score
    /// History score of a quiet move.
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
    // ANCHOR_END: score
}

/// Index for the attacks on the from and to squares of a move.
#[inline(always)]
fn threat_index(mv: Move, threats: Bitboard) -> usize {
    2 * usize::from(threats.contains(mv.from())) + usize::from(threats.contains(mv.to()))
}

/// The piece that a noisy move captures; a pawn for en passant and for a promotion without capture.
#[inline]
pub(super) fn victim(position: &Position, mv: Move) -> PieceKind {
    position
        .piece_at(mv.to())
        .map_or(PieceKind::Pawn, |piece| piece.kind())
}
