//! The WDL model: the chances to win, draw and lose with a score.
//!
//! Winning and losing each follow a logistic curve; the rest is drawn. Two numbers in centipawns
//! set the curve: the score at which half of the games are won, and the spread. Both change
//! linearly with the number of pieces, because an advantage wins less often with less material.
//! `tabiya-train wdl` fits them to self-play games. The shipped numbers come from 922 games of
//! 8,000 nodes per move (`lab/wdl.txt`). Games with more nodes are drawn more often.

use crate::board::Position;
use crate::types::Score;
use serde::{Deserialize, Serialize};

/// Number of pieces in the start position, pawns and kings included. A position set up with more
/// counts as one of so many, because beyond it the lines would change their sign.
const MAX_PIECES: f64 = 32.0;

/// Maps scores to chances.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WdlModel {
    /// Score in centipawns at which half of the games are won, with 0 and with 32 pieces.
    pub half: [f64; 2],
    /// Centipawns that raise the chance to win from 0.5 to 0.73, with 0 and with 32 pieces.
    pub spread: [f64; 2],
}

impl WdlModel {
    /// The model of the shipped network.
    pub const SHIPPED: Self = Self {
        half: [244.0, 75.0],
        spread: [56.0, 82.0],
    };

    /// A model without draws in which a score of `scale` centipawns means an expected score of 0.73
    /// with any number of pieces.
    #[must_use]
    pub const fn logistic(scale: f64) -> Self {
        Self {
            half: [0.0; 2],
            spread: [scale; 2],
        }
    }

    /// Half and spread with this number of pieces.
    #[must_use]
    pub fn at(&self, pieces: usize) -> [f64; 2] {
        let share = (pieces as f64 / MAX_PIECES).min(1.0);
        [self.half, self.spread].map(|[empty, full]| empty + (full - empty) * share)
    }

    /// The chances to win and to lose, 0 to 1, with a score in centipawns and this number of
    /// pieces.
    #[must_use]
    pub fn win_loss(&self, score: f64, pieces: usize) -> [f64; 2] {
        let [half, spread] = self.at(pieces);
        [score, -score].map(|advantage| 1.0 / (1.0 + ((half - advantage) / spread).exp()))
    }

    /// The expected score, 0 to 1, with a score in centipawns and this number of pieces.
    #[must_use]
    pub fn expected(&self, score: f64, pieces: usize) -> f64 {
        expectation(self.win_loss(score, pieces))
    }
}

/// The expected score with these chances to win and to lose; a draw counts one half.
fn expectation([win, loss]: [f64; 2]) -> f64 {
    (1.0 + win - loss) / 2.0
}

/// Expected wins, draws and losses in a thousand games, for the side to move, with a score of the
/// search, not a [normalised](normalized_score) one, in a position.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::engine::win_draw_loss;
/// use tabiya::types::Score;
/// let start = Position::start();
/// let [win, draw, loss] = win_draw_loss(Score::DRAW, &start);
/// assert!(win == loss && draw > win && win + draw + loss == 1000);
/// assert_eq!(win_draw_loss(Score::mate_in(5), &start), [1000, 0, 0]);
/// ```
#[must_use]
pub fn win_draw_loss(score: Score, position: &Position) -> [u32; 3] {
    let [win, loss] = win_loss(score, position).map(|chance| (1000.0 * chance).round() as u32);
    [win, 1000 - win - loss, loss]
}

/// The expected score of the side to move, 0 to 1, with a score in a position.
pub(crate) fn expected_score(score: Score, position: &Position) -> f64 {
    expectation(win_loss(score, position))
}

/// The chances to win and to lose; a decisive score is certain.
fn win_loss(score: Score, position: &Position) -> [f64; 2] {
    if score.is_win() {
        [1.0, 0.0]
    } else if score.is_loss() {
        [0.0, 1.0]
    } else {
        let pieces = position.occupied().len() as usize;
        WdlModel::SHIPPED.win_loss(f64::from(score.0), pieces)
    }
}

/// The score as shown to users: 100 centipawns win half of the games with any number of pieces, as
/// in Stockfish. Mates and tablebase results stay unchanged.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::engine::{normalized_score, win_draw_loss};
/// use tabiya::types::Score;
/// let start = Position::start();
/// let even = (0..).map(Score).find(|&score| win_draw_loss(score, &start)[0] >= 500).unwrap();
/// assert!((98..=102).contains(&normalized_score(even, &start).0));
/// assert_eq!(normalized_score(Score::mate_in(5), &start), Score::mate_in(5));
/// ```
#[must_use]
pub fn normalized_score(score: Score, position: &Position) -> Score {
    if score.is_decisive() {
        return score;
    }
    let [half, _] = WdlModel::SHIPPED.at(position.occupied().len() as usize);
    Score::evaluation((f64::from(score.0) * 100.0 / half).round() as i32)
}

/// Undoes [`normalized_score`], which used `model`. With [`WdlModel::SHIPPED`], rounding costs at
/// most 1 centipawn.
pub(crate) fn denormalized_score(shown: Score, model: &WdlModel, position: &Position) -> Score {
    if shown.is_decisive() {
        return shown;
    }
    let [half, _] = model.at(position.occupied().len() as usize);
    Score::evaluation((f64::from(shown.0) * half / 100.0).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crowded board is accepted.
    #[test]
    fn more_pieces_than_a_game_has_count_as_so_many() {
        let fen = "knnnnnnn/nnnnnnnn/pppppppp/8/8/PPPPPPPP/NNNNNNNN/KNNNNNNN w - - 0 1";
        let crowded = Position::from_fen(fen).unwrap();
        assert_eq!(crowded.occupied().len(), 48);
        let start = Position::start();
        for score in [-300, -42, 0, 42, 300].map(Score) {
            assert_eq!(win_draw_loss(score, &crowded), win_draw_loss(score, &start));
            assert_eq!(
                normalized_score(score, &crowded),
                normalized_score(score, &start)
            );
        }
    }

    #[test]
    fn normalization_can_be_undone() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for score in (-3_000..3_000).step_by(7).chain([31_900, -31_999]) {
                let score = Score(score);
                let shown = normalized_score(score, &position);
                let back = denormalized_score(shown, &WdlModel::SHIPPED, &position);
                assert!((back.0 - score.0).abs() <= 1, "{fen}: {score} {back}");
                assert!(!score.is_decisive() || back == score);
            }
        }
    }

    #[test]
    fn chances_add_up_and_rise_with_the_score() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut last = 0;
            for score in (-31_000..31_000).step_by(7).map(Score::evaluation) {
                let [win, draw, loss] = win_draw_loss(score, &position);
                assert_eq!(win + draw + loss, 1000, "{score}");
                assert_eq!(
                    win_draw_loss(-score, &position),
                    [loss, draw, win],
                    "{score}"
                );
                assert!(win >= last, "{score}");
                last = win;
            }
            assert!(last > 990);
        }
    }

    #[test]
    fn half_and_spread_set_the_curve() {
        let model = WdlModel {
            half: [100.0, 300.0],
            spread: [50.0; 2],
        };
        let win = |score, pieces| model.win_loss(score, pieces)[0];
        for (pieces, half) in [(0, 100.0), (16, 200.0), (32, 300.0)] {
            assert!((win(half, pieces) - 0.5).abs() < 1e-9);
            assert!((win(half + 50.0, pieces) - 0.7311).abs() < 1e-4);
            assert!((model.expected(0.0, pieces) - 0.5).abs() < 1e-9);
        }
        let logistic = WdlModel::logistic(400.0);
        assert!((logistic.expected(400.0, 7) - 0.7311).abs() < 1e-4);
    }
}
