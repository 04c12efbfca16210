//! What a position is worth, as far as can be seen without searching.
//!
//! [`Evaluator`] is the interface that the search knows. It keeps running sums along the line being searched and
//! hears of each change from the board, so the search only says "play" and "take back". Today the sums are those of
//! [`piece_square`] tables; a network will take their place behind the same interface.

mod piece_square;
mod tapered;
mod terms;

use crate::board::{Observer, Position};
use crate::types::{Move, Piece, Score, Square};
use piece_square::Sum;

/// Evaluates the positions of one line of play.
#[derive(Debug, Clone)]
pub struct Evaluator {
    /// The sums for each position of the line, the present one last.
    sums: Vec<Sum>,
}

/// Keeps the sum of the position that a move leads to.
impl Observer for Sum {
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.add(piece, square);
    }

    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.subtract(piece, square);
    }
}

impl Evaluator {
    /// Begins a line at a position.
    pub fn new(position: &Position) -> Self {
        let mut sum = Sum::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                sum.add(piece, square);
            }
        }
        Self { sums: vec![sum] }
    }

    /// Plays a legal move in the present position, which the caller holds, and returns the next one.
    #[inline]
    pub fn play(&mut self, position: &Position, mv: Move) -> Position {
        let mut sum = self.present();
        let next = position.play_observed(mv, &mut sum);
        self.sums.push(sum);
        next
    }

    /// As [`Self::play`], passing the move.
    #[inline]
    pub fn play_null(&mut self, position: &Position) -> Position {
        self.sums.push(self.present());
        position.play_null()
    }

    /// Takes back the last move, or pass, of the line.
    #[inline]
    pub fn take_back(&mut self) {
        debug_assert!(self.sums.len() > 1);
        self.sums.pop();
    }

    /// The worth of the present position for the side to move.
    ///
    /// It depends on the board and the side to move only, not on the clocks.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Score {
        Score::evaluation(self.present().evaluate(position))
    }

    #[inline(always)]
    fn present(&self) -> Sum {
        self.sums.last().copied().unwrap_or_default()
    }
}

/// The worth of a position that stands alone; see [`Evaluator::evaluate`].
pub fn evaluate(position: &Position) -> Score {
    Evaluator::new(position).evaluate(position)
}
