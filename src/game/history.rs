//! The moves of a game and the positions they led to.
//!
//! Only legality counts here; whether the game should have ended is for [`Game`](super::Game) to say. Nothing looks
//! behind the start position: what came before it is not known, whatever its clock says.

use crate::board::Position;
use crate::types::{Key, Move, PieceKind};
use std::fmt;

/// A start position, the moves played from it, and those taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    start: Position,
    played: Vec<PlayedMove>,
    /// Moves taken back, the last one to be played again first.
    undone: Vec<PlayedMove>,
}

/// A move and the position after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PlayedMove {
    mv: Move,
    position: Position,
}

/// The move is not legal in the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the move {} is not legal here", self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// No position comes back sooner: each side has to go and return.
const SHORTEST_CYCLE: usize = 4;

impl History {
    /// No moves yet.
    pub const fn new(start: Position) -> Self {
        Self {
            start,
            played: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// The position before the first move.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position after the last move.
    pub fn position(&self) -> &Position {
        self.played.last().map_or(&self.start, |ply| &ply.position)
    }

    /// The moves, from the first to the last.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator + '_ {
        self.played.iter().map(|ply| ply.mv)
    }

    /// Each move with the position it was played in.
    pub fn steps(&self) -> impl Iterator<Item = (&Position, Move)> {
        let before =
            std::iter::once(&self.start).chain(self.played.iter().map(|ply| &ply.position));
        before.zip(self.moves())
    }

    /// The same up to so many moves.
    #[must_use]
    pub fn until(&self, plies: usize) -> Self {
        let mut earlier = self.clone();
        earlier.played.truncate(plies);
        earlier.undone.clear();
        earlier
    }

    /// Plays a move; what was taken back cannot be played again after that.
    ///
    /// # Errors
    /// If the move is not legal; then nothing has changed.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let position = self.position();
        if !position.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let position = position.play(mv);
        self.played.push(PlayedMove { mv, position });
        self.undone.clear();
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let ply = self.played.pop()?;
        self.undone.push(ply);
        Some(ply.mv)
    }

    /// Plays the move again that was taken back last, and returns it.
    pub fn redo(&mut self) -> Option<Move> {
        let ply = self.undone.pop()?;
        self.played.push(ply);
        Some(ply.mv)
    }

    /// Forgets the moves taken back.
    pub fn forget_undone(&mut self) {
        self.undone.clear();
    }

    /// The keys of the positions before the present one since the last capture or pawn move, the oldest first.
    ///
    /// These are the positions that may still come back. None lies before the start position.
    pub fn keys_since_irreversible(
        &self,
    ) -> impl ExactSizeIterator<Item = Key> + DoubleEndedIterator + '_ {
        let present = self.played.len();
        let first = present - reach(self.position(), present);
        (first..present).map(|index| self.at(index).key())
    }

    /// How often the present position has been on the board, this time included (FIDE 9.2.3).
    pub fn occurrences(&self) -> u32 {
        1 + self.earlier_occurrences(self.position(), self.played.len())
    }

    /// How often the position after a legal move would then have been on the board (FIDE 9.2.1).
    pub fn occurrences_with(&self, mv: Move) -> u32 {
        1 + self.earlier_occurrences(&self.position().play(mv), self.played.len() + 1)
    }

    /// How often a position that is the one after `index` moves was there before.
    fn earlier_occurrences(&self, position: &Position, index: usize) -> u32 {
        let distances = (SHORTEST_CYCLE..=reach(position, index)).step_by(2);
        distances
            .filter(|distance| same_position(self.at(index - distance), position))
            .count() as u32
    }

    /// The position after `index` moves.
    fn at(&self, index: usize) -> &Position {
        match index.checked_sub(1) {
            None => &self.start,
            Some(ply) => &self.played[ply].position,
        }
    }
}

/// How many half-moves one can look back from a position after `index` moves until nothing can be the same.
fn reach(position: &Position, index: usize) -> usize {
    index.min(position.halfmove_clock() as usize)
}

/// Whether two positions are the same in the sense of FIDE 9.2.3: same side to move, same pieces on the same squares,
/// same castling rights, same legal captures en passant. Clocks do not count.
///
/// The keys are compared first, but two positions with one key are told apart, so no claim rests on a collision.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::game::same_position;
/// let position = |fen| Position::from_fen(fen).unwrap();
/// let a = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
/// assert!(same_position(&a, &position("4k3/8/8/8/8/8/8/R3K2R w KQ - 9 30")));
/// assert!(!same_position(&a, &position("4k3/8/8/8/8/8/8/R3K2R w K - 0 1")));
/// ```
#[must_use]
pub fn same_position(a: &Position, b: &Position) -> bool {
    a.key() == b.key()
        && a.side_to_move() == b.side_to_move()
        && a.castling() == b.castling()
        && a.en_passant() == b.en_passant()
        && a.color(a.side_to_move()) == b.color(b.side_to_move())
        && PieceKind::ALL
            .into_iter()
            .all(|kind| a.kind(kind) == b.kind(kind))
}
