//! The search stack: one entry for each ply of the path from the root to the present node.
//!
//! A node reads the entries of its ancestors: the moves that led here (continuation histories) and
//! their static evaluations (*improving*, eval-difference history). From the entry one ply below it
//! learns how many nodes there have failed high (late move reductions).

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
    /// The piece and target square of a legal move.
    #[inline(always)]
    pub(super) const fn of(position: &Position, mv: Move) -> Self {
        Self {
            piece: position.moving_piece(mv),
            to: mv.to(),
        }
    }

    /// Index among all pieces on all squares.
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        self.piece.index() * Square::COUNT + self.to.index()
    }
}

/// The index that stands for no move: a null move, or a move before the root.
pub(super) const NO_CONTINUATION: usize = Piece::COUNT * Square::COUNT;

/// A move of the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlayedMove {
    pub(super) mv: Move,
    pub(super) moved: PieceTo,
    /// Neither a capture nor a promotion.
    pub(super) quiet: bool,
}

impl PlayedMove {
    /// A legal move of a position.
    #[inline(always)]
    pub(super) fn of(position: &Position, mv: Move) -> Self {
        Self {
            mv,
            moved: PieceTo::of(position, mv),
            quiet: !position.is_noisy(mv),
        }
    }
}

/// One ply of the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct StackEntry {
    /// Static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// Move being searched; `None` for a null move, and before the root.
    pub(super) played: Option<PlayedMove>,
    /// Squares attacked by the opponent of the side to move. Set by `search_moves`, so it is out of
    /// date in null move pruning, in ProbCut and in the quiescence search.
    pub(super) threats: Bitboard,
    /// Number of nodes at this ply that have failed high since their grandparent was entered; of
    /// the root's children, since the search began.
    pub(super) cutoffs: i32,
    /// Plies since the last irreversible or null move, over which a repetition is possible.
    pub(super) reversible: usize,
}

impl StackEntry {
    /// Index of the move in continuation histories.
    #[inline(always)]
    pub(super) fn continuation(&self) -> usize {
        self.played
            .map_or(NO_CONTINUATION, |played| played.moved.index())
    }

    /// An entry before any move.
    const EMPTY: Self = Self {
        static_eval: None,
        played: None,
        threats: Bitboard::EMPTY,
        cutoffs: 0,
        reversible: 0,
    };
}

/// Number of empty entries before the root, so that reading ancestors needs no check.
const BEFORE_ROOT: usize = 6;

/// The entries of the path, by ply.
pub(super) struct Stack(Box<[StackEntry]>);

impl Stack {
    pub(super) fn new() -> Self {
        Self(vec![StackEntry::EMPTY; BEFORE_ROOT + MAX_PLY + 2].into())
    }

    /// Empties all entries.
    pub(super) fn clear(&mut self) {
        self.0.fill(StackEntry::EMPTY);
    }

    /// The entry `plies` before `ply`; an empty one if that is before the root.
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
