//! The moves of a game and the positions after them.
//!
//! Only legality is checked here (a null move of a record counts as legal unless in check);
//! [`Game`](super::Game) decides when a game has ended. The moves before the start position are
//! unknown, so nothing looks behind it, even if its clock is not 0.

use crate::board::{IllegalMove, Position};
use crate::types::{Key, Move};

/// A start position, the moves played from it, and the moves taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    start: Position,
    played: Vec<PlayedMove>,
    /// Moves taken back; the last one is the first to be played again.
    undone: Vec<PlayedMove>,
}

/// A move and the position after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PlayedMove {
    mv: Move,
    position: Position,
}

/// The position after a legal move, or after a null move, which records of games have.
pub(super) fn after(position: &Position, mv: Move) -> Position {
    if mv.is_null() {
        position.play_null()
    } else {
        position.play_unchecked(mv)
    }
}

/// The highest halfmove clock that a position counts to.
const MAX_CLOCK: u32 = u16::MAX as u32;

/// Plies until a position can occur again with the same side to move: two null moves. Other moves
/// need four, since each side must move a piece and move it back.
const SHORTEST_CYCLE: usize = 2;

impl History {
    /// A history without moves.
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

    /// The moves, from the first to the last. A game read from a record may have null moves.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator + '_ {
        self.played.iter().map(|ply| ply.mv)
    }

    /// The moves, each with the position before it.
    ///
    /// A game read from a record may have null moves ([`Move::is_null`]), which the functions of
    /// [`Position`] for legal moves do not take. The position after each move is the next of
    /// [`positions`](Self::positions), so nobody has to play it again.
    pub fn steps(&self) -> impl Iterator<Item = (&Position, Move)> {
        self.positions().zip(self.moves())
    }

    /// All positions, from the start position to the present one.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        (0..=self.played.len()).map(|index| self.at(index))
    }

    /// The history of the first `plies` moves, or of all if it has fewer, without moves taken back.
    #[must_use]
    pub fn until(&self, plies: usize) -> Self {
        Self {
            start: self.start,
            played: self.played.iter().take(plies).copied().collect(),
            undone: Vec::new(),
        }
    }

    /// Plays a move. Moves taken back are forgotten.
    ///
    /// # Errors
    /// If the move is not legal; the history is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let position = self.position().play(mv)?;
        self.played.push(PlayedMove { mv, position });
        self.undone.clear();
        Ok(())
    }

    /// Passes: plays [`Move::NULL`], which records of games have. Moves taken back are forgotten.
    ///
    /// # Errors
    /// If the side to move is in check; the history is then unchanged.
    pub fn pass(&mut self) -> Result<(), IllegalMove> {
        if self.position().in_check() {
            return Err(IllegalMove(Move::NULL));
        }
        let (mv, position) = (Move::NULL, self.position().play_null());
        self.played.push(PlayedMove { mv, position });
        self.undone.clear();
        Ok(())
    }

    /// Plays a move of a record, or passes if it is [`Move::NULL`].
    ///
    /// # Errors
    /// As for [`play`](Self::play) and [`pass`](Self::pass).
    pub fn replay(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if mv.is_null() {
            self.pass()
        } else {
            self.play(mv)
        }
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let ply = self.played.pop()?;
        self.undone.push(ply);
        Some(ply.mv)
    }

    /// Plays again the move last taken back, and returns it.
    pub fn redo(&mut self) -> Option<Move> {
        let ply = self.undone.pop()?;
        self.played.push(ply);
        Some(ply.mv)
    }

    /// Forgets the moves taken back.
    pub fn forget_undone(&mut self) {
        self.undone.clear();
    }

    /// The keys of the positions before the present one, back to the last capture or pawn move or
    /// to the start; the oldest first.
    ///
    /// Of the earlier positions, only these can occur again.
    pub fn keys_since_irreversible(
        &self,
    ) -> impl ExactSizeIterator<Item = Key> + DoubleEndedIterator + '_ {
        let present = self.played.len();
        let first = present - reversible_plies(self.position(), present);
        (first..present).map(|index| self.at(index).key())
    }

    /// Occurrences of the present position, including the present one (FIDE 9.2.3).
    pub fn occurrences(&self) -> u32 {
        1 + self.previous_occurrences(self.position(), self.played.len())
    }

    /// Occurrences of the position after a legal move, including that one (FIDE 9.2.1).
    ///
    /// # Panics
    /// Perhaps, if the move is not legal.
    pub fn occurrences_with(&self, mv: Move) -> u32 {
        1 + self.previous_occurrences(&self.position().play_unchecked(mv), self.played.len() + 1)
    }

    /// Occurrences of `position`, which arises after `index` moves, before that point.
    fn previous_occurrences(&self, position: &Position, index: usize) -> u32 {
        let distances = (SHORTEST_CYCLE..=reversible_plies(position, index)).step_by(2);
        distances
            .filter(|distance| self.at(index - distance).same_position(position))
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

/// Number of plies that one can look back from a position after `index` moves for the same
/// position.
///
/// The clock stops at [`MAX_CLOCK`], so from there on it says nothing.
fn reversible_plies(position: &Position, index: usize) -> usize {
    match position.halfmove_clock() {
        MAX_CLOCK => index,
        clock => index.min(clock as usize),
    }
}
