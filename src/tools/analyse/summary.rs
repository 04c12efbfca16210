//! What an analysis says about each player: accuracy, average loss, and the number of marked moves.

use super::{Found, MARKS, loss, mark, moves};
use crate::game::pgn::PgnGame;
use crate::types::Color;
use std::fmt;

/// Limit of scores in the average loss, in centipawns. A position with more is won, whatever is
/// added: a move that keeps it won loses next to nothing, as the accuracy says.
const MAX_CENTIPAWNS: f64 = 500.0;

/// A player's moves in one game.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Summary {
    moves: usize,
    /// Sum of the accuracies of the moves, in percent.
    accuracy: f64,
    /// Sum of the losses, in centipawns.
    loss: f64,
    /// Number of moves with each of [`MARKS`].
    marked: [usize; MARKS.len()],
}

impl Summary {
    /// The summary of a player's moves.
    pub(super) fn of(player: Color, pgn: &PgnGame, found: &[Found]) -> Self {
        let mut summary = Self::default();
        for ((position, played), (before, after)) in moves(pgn, found) {
            if position.side_to_move() != player {
                continue;
            }
            if played.is_null() {
                continue;
            }
            let is_best = before.line.first() == Some(&played);
            summary.moves += 1;
            summary.accuracy += 100.0;
            if !is_best {
                let loss = loss(player, before, after).max(0.0);
                summary.accuracy += accuracy(loss) - 100.0;
                let loss = centipawns(before, player, player) - centipawns(after, !player, player);
                summary.loss += loss.max(0.0);
            }
            let mark = mark(player, played, before, after);
            for (count, (name, _)) in summary.marked.iter_mut().zip(MARKS) {
                *count += usize::from(mark == Some(name));
            }
        }
        summary
    }
}

/// The accuracy of a move in percent, given its loss of expected score.
///
/// The curve is Lichess's (<https://lichess.org/page/accuracy>): 100 without a loss, 64 for a tenth
/// of a point, 26 for three tenths.
fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The score of a position for a player, in centipawns. After the end of the game it is the result.
fn centipawns(found: &Found, side_to_move: Color, player: Color) -> f64 {
    let for_white = match found.score {
        Some(score) => f64::from(score.0) * sign(side_to_move),
        None => (found.expected - 0.5) * 2.0 * MAX_CENTIPAWNS,
    };
    (for_white * sign(player)).clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)
}

const fn sign(color: Color) -> f64 {
    match color {
        Color::White => 1.0,
        Color::Black => -1.0,
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moves == 0 {
            return f.write_str("no moves");
        }
        let mean = |sum| sum / self.moves as f64;
        let [blunders, mistakes, inaccuracies] = self.marked;
        let count = |count, one, many| format!("{count} {}", if count == 1 { one } else { many });
        write!(
            f,
            "accuracy {:.0} %, average loss {:.0} centipawns, {}, {}, {}",
            mean(self.accuracy),
            mean(self.loss),
            count(inaccuracies, "inaccuracy", "inaccuracies"),
            count(mistakes, "mistake", "mistakes"),
            count(blunders, "blunder", "blunders"),
        )
    }
}
