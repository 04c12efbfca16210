//! The search stack: what is remembered for each ply of the current line.
//!
//! A node asks about its parent and grandparents: which moves led here (continuation histories), how the static evaluation
//! was two plies ago (*improving*), how often its siblings have failed high, which quiet move refuted one of them (the *killer
//! move*; Akl and Newborn, "The Principal Continuation and the Killer Heuristic", 1977). Some empty entries stand before the
//! root, so that looking back needs no check.

use crate::board::Position;
use crate::types::{Bitboard, MAX_PLY, Move, Piece, Score, Square};
use std::ops::{Index, IndexMut};

/// A piece and the square it moves to: what continuation histories are indexed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceTo {
    pub(super) piece: Piece,
    pub(super) to: Square,
}

impl PieceTo {
    /// That of a move in this position; `None` if no piece stands where it starts.
    #[inline(always)]
    pub(super) fn of(position: &Position, mv: Move) -> Option<Self> {
        position
            .piece_at(mv.from())
            .map(|piece| Self { piece, to: mv.to() })
    }

    /// Its index among all pieces on all squares.
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        self.piece.index() * Square::COUNT + self.to.index()
    }
}

/// The index of moves that were not made: null moves, and those before the root.
pub(super) const NO_CONTINUATION: usize = Piece::COUNT * Square::COUNT;

/// One ply of the current line.
#[derive(Debug, Clone, Copy)]
pub(super) struct StackEntry {
    /// The static evaluation; `None` in check, where standing still is no option.
    pub(super) static_eval: Option<Score>,
    /// The move being searched from here; `None` for the null move.
    pub(super) mv: Option<Move>,
    /// The piece that it moves and where to.
    pub(super) moved: Option<PieceTo>,
    /// The index of that among continuations.
    pub(super) continuation: usize,
    /// It is neither a capture nor a promotion.
    pub(super) quiet: bool,
    /// The squares that the opponent of the side to move attacks, once a move was tried.
    pub(super) threats: Bitboard,
    /// The move that is left out, while it is asked whether it is singular.
    pub(super) excluded: Option<Move>,
    /// How many nodes at this ply, children of one parent, have failed high.
    pub(super) cutoffs: i32,
    /// The quiet move that last refuted a sibling.
    pub(super) killer: Option<Move>,
    /// Plies that a repetition may look back over: since the last irreversible or null move.
    pub(super) reversible: usize,
}

impl StackEntry {
    /// Nothing has happened yet.
    const EMPTY: Self = Self {
        static_eval: None,
        mv: None,
        moved: None,
        continuation: NO_CONTINUATION,
        quiet: false,
        threats: Bitboard::EMPTY,
        excluded: None,
        cutoffs: 0,
        killer: None,
        reversible: 0,
    };
}

/// Entries before the root, so that looking back needs no check.
const BEFORE_ROOT: usize = 6;

/// The entries of the current line, by ply.
pub(super) struct Stack(Box<[StackEntry]>);

impl Stack {
    pub(super) fn new() -> Self {
        Self(vec![StackEntry::EMPTY; BEFORE_ROOT + MAX_PLY + 2].into())
    }

    /// The entry `plies` before the one at `ply`; an empty one from before the root.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize, plies: usize) -> &StackEntry {
        debug_assert!(plies <= BEFORE_ROOT);
        &self.0[ply + BEFORE_ROOT - plies]
    }
}

impl Index<usize> for Stack {
    type Output = StackEntry;

    #[inline(always)]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.0[ply + BEFORE_ROOT]
    }
}

impl IndexMut<usize> for Stack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ply + BEFORE_ROOT]
    }
}
