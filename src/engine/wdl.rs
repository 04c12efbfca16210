//! What a score means for the result: the chances to win, draw and lose.
//!
//! A logistic curve each for winning and losing, and the rest is drawn. Both are set by two numbers in centipawns: the
//! advantage with which every other game is won, and how much more makes that certain. With few men on the board an
//! advantage wins less often, as there is less left to win with. The numbers are estimates, not fitted to games.

use crate::board::Position;
use crate::types::{PieceKind, Score};

/// Pawns' worth of men of both sides at the start of a game.
const FULL_MATERIAL: u32 = 78;

/// Wins, draws and losses in a thousand games with that score for the side to move in that position.
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
    if score.is_decisive() {
        return if score.is_win() {
            [1000, 0, 0]
        } else {
            [0, 0, 1000]
        };
    }
    let share = f64::from(material(position).min(FULL_MATERIAL)) / f64::from(FULL_MATERIAL);
    let half = 180.0 - 60.0 * share;
    let spread = 55.0 + 25.0 * share;
    let chance = |advantage: i32| {
        let permille = 1000.0 / (1.0 + ((half - f64::from(advantage)) / spread).exp());
        permille.round() as u32
    };
    let (win, loss) = (chance(score.0), chance(-score.0));
    [win, 1000 - win - loss, loss]
}

/// In pawns: 1, 3, 3, 5, 9.
fn material(position: &Position) -> u32 {
    let worth = [
        (PieceKind::Pawn, 1),
        (PieceKind::Knight, 3),
        (PieceKind::Bishop, 3),
        (PieceKind::Rook, 5),
        (PieceKind::Queen, 9),
    ];
    worth
        .into_iter()
        .map(|(kind, pawns)| position.kind(kind).len() * pawns)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_whole_and_rise_with_the_score() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(material(&Position::start()), FULL_MATERIAL);
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
}
