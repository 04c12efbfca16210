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
use super::stack::PieceTo;
use crate::board::Position;
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};
use correction::CorrectionHistory;
use entry::HistoryEntry;

/// Plies back at which continuation histories look.
pub(super) const CONTINUATION_PLIES: [usize; CONTINUATIONS] = [1, 2, 4];
pub(super) const CONTINUATIONS: usize = 3;
/// Pawn structures told apart; a power of two.
const PAWN_STRUCTURES: usize = 1024;

/// What the entries of a node's moves depend on besides the move.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryContext {
    side: Color,
    /// The squares that the opponent attacks.
    threats: Bitboard,
    /// The index of the pawn structure.
    pawns: usize,
    /// The indices of the moves that led here, as [`CONTINUATION_PLIES`] says.
    pub(super) moves: [Option<usize>; CONTINUATIONS],
}

impl HistoryContext {
    /// That of a position, with what the opponent attacks and the indices of the moves that led to it.
    #[inline]
    pub(super) fn new(
        position: &Position,
        threats: Bitboard,
        moves: [Option<usize>; CONTINUATIONS],
    ) -> Self {
        Self {
            side: position.side_to_move(),
            threats,
            pawns: position.pawn_key().0 as usize % PAWN_STRUCTURES,
            moves,
        }
    }

    /// Where only captures and promotions are ordered, whose history depends on nothing else.
    pub(super) fn captures_only(position: &Position) -> Self {
        Self::new(position, Bitboard::EMPTY, [None; CONTINUATIONS])
    }
}

/// The index of a move among continuations.
#[inline(always)]
pub(super) fn continuation_index(moved: PieceTo) -> usize {
    moved.piece.index() * Square::COUNT + moved.to.index()
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
    /// Quiet moves by the move one ply before, two plies before: replies and plans.
    continuation: [Box<[PieceToTable]>; CONTINUATIONS],
    /// Quiet moves by pawn structure.
    pawn: Box<[PieceToTable]>,
    /// What the static evaluation was off.
    pub(super) correction: CorrectionHistory,
}

impl Histories {
    pub(super) fn new() -> Self {
        let empty = HistoryEntry::default();
        let continuation =
            || vec![[[empty; Square::COUNT]; Piece::COUNT]; Piece::COUNT * Square::COUNT].into();
        Self {
            butterfly: Box::new([[[[empty; Square::COUNT]; Square::COUNT]; 4]; Color::COUNT]),
            capture: Box::new([[[empty; PieceKind::COUNT]; Square::COUNT]; Piece::COUNT]),
            continuation: std::array::from_fn(|_| continuation()),
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
            Some(moved) => self.quiet(mv, moved, context),
        }
    }

    /// How well a quiet move has done.
    #[inline]
    pub(super) fn quiet(&self, mv: Move, moved: PieceTo, context: &HistoryContext) -> i32 {
        let (piece, to) = (moved.piece.index(), moved.to.index());
        let threat = threat_index(mv, context.threats);
        let butterfly = &self.butterfly[context.side.index()][threat];
        let mut sum = butterfly[mv.from().index()][to].value() * params::butterfly_weight();
        for (ply, table) in self.continuation.iter().enumerate() {
            let weight = continuation_weight(ply);
            if weight != 0
                && let Some(index) = context.moves[ply]
            {
                sum += table[index][piece][to].value() * weight;
            }
        }
        if params::pawn_history_weight() != 0 {
            sum += self.pawn[context.pawns][piece][to].value() * params::pawn_history_weight();
        }
        sum / 100
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
        self.update_continuations(moved, context.moves, bonus);
        if params::pawn_history_weight() != 0 {
            self.pawn[context.pawns][piece][to].update(bonus);
        }
    }

    /// Notes that the move before a node did well: in the butterfly and the continuation histories.
    pub(super) fn update_prior(
        &mut self,
        mv: Move,
        moved: PieceTo,
        threats: Bitboard,
        moves: [Option<usize>; CONTINUATIONS],
        bonus: i32,
    ) {
        self.update_butterfly(mv, moved.piece.color(), threats, bonus);
        self.update_continuations(moved, moves, bonus);
    }

    #[inline]
    fn update_continuations(
        &mut self,
        moved: PieceTo,
        moves: [Option<usize>; CONTINUATIONS],
        bonus: i32,
    ) {
        for (ply, table) in self.continuation.iter_mut().enumerate() {
            if continuation_weight(ply) != 0
                && let Some(index) = moves[ply]
            {
                table[index][moved.piece.index()][moved.to.index()].update(bonus);
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

/// Whether the squares that a move leaves and goes to are attacked.
#[inline(always)]
fn threat_index(mv: Move, threats: Bitboard) -> usize {
    2 * usize::from(threats.contains(mv.from())) + usize::from(threats.contains(mv.to()))
}

/// What a continuation history counts in the sum, in percent.
#[inline(always)]
fn continuation_weight(ply: usize) -> i32 {
    match ply {
        0 => params::continuation_1_weight(),
        1 => params::continuation_2_weight(),
        _ => params::continuation_4_weight(),
    }
}

/// What a noisy move captures; a pawn for en passant and for a promotion without capture.
#[inline]
pub(super) fn victim(position: &Position, mv: Move) -> PieceKind {
    position
        .piece_at(mv.to())
        .map_or(PieceKind::Pawn, |piece| piece.kind())
}
