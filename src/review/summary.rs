//! What a review says about each player: accuracy, average loss, and the number of marked moves.

use super::{Evaluation, Mark, MoveReview, moves};
use crate::game::History;
use crate::types::{Color, Score};
use std::fmt;

/// Limit of scores in the average loss, in centipawns. A position with more is won, whatever is
/// added: a move that keeps it won loses next to nothing, as the accuracy says.
const MAX_CENTIPAWNS: f64 = 500.0;

/// A player's moves in one game.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Summary {
    moves: usize,
    /// Sum of the accuracies of the moves, in percent.
    accuracy: f64,
    /// Sum of the losses, in centipawns.
    loss: f64,
    /// Number of moves with each of [`Mark::ALL`].
    marked: [usize; Mark::ALL.len()],
}

impl Summary {
    /// The summary of a player's moves.
    #[must_use]
    pub fn of(player: Color, history: &History, evaluations: &[Evaluation]) -> Self {
        let mut summary = Self::default();
        for review in moves(history, evaluations) {
            if review.mover() == player && !review.played.is_null() {
                summary.add(&review);
            }
        }
        summary
    }

    fn add(&mut self, review: &MoveReview<'_>) {
        let player = review.mover();
        self.moves += 1;
        self.accuracy += review.accuracy();
        if !review.is_best() {
            let loss = centipawns(review.before, player, player)
                - centipawns(review.after, !player, player);
            self.loss += loss.max(0.0);
        }
        let mark = review.mark();
        for (count, of) in self.marked.iter_mut().zip(Mark::ALL) {
            *count += usize::from(mark == Some(of));
        }
    }

    /// Number of moves.
    #[must_use]
    pub const fn moves(&self) -> usize {
        self.moves
    }

    /// Mean accuracy in percent; `None` without a move.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        self.mean(self.accuracy)
    }

    /// Mean loss in centipawns; `None` without a move.
    #[must_use]
    pub fn loss(&self) -> Option<f64> {
        self.mean(self.loss)
    }

    /// Number of moves with a mark.
    #[must_use]
    pub fn count(&self, mark: Mark) -> usize {
        let counts = Mark::ALL.into_iter().zip(self.marked);
        counts
            .filter(|&(of, _)| of == mark)
            .map(|(_, count)| count)
            .sum()
    }

    fn mean(&self, sum: f64) -> Option<f64> {
        (self.moves > 0).then(|| sum / self.moves as f64)
    }
}

/// The score of a position for a player, in centipawns. After the end of the game it is the result.
fn centipawns(found: &Evaluation, side_to_move: Color, player: Color) -> f64 {
    let for_white = match found.score {
        Some(score) => score.for_white(side_to_move),
        None => Score(((found.expected - 0.5) * 2.0 * MAX_CENTIPAWNS) as i32),
    };
    f64::from(for_white.relative_to(player).0).clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(accuracy), Some(loss)) = (self.accuracy(), self.loss()) else {
            return f.write_str("no moves");
        };
        let [blunders, mistakes, inaccuracies] = self.marked;
        let count = |count, one, many| format!("{count} {}", if count == 1 { one } else { many });
        write!(
            f,
            "accuracy {accuracy:.0} %, average loss {}, {}, {}, {}",
            count(loss.round() as usize, "centipawn", "centipawns"),
            count(inaccuracies, "inaccuracy", "inaccuracies"),
            count(mistakes, "mistake", "mistakes"),
            count(blunders, "blunder", "blunders"),
        )
    }
}
