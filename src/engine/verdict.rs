//! Policy for games that may end before mate: when to resign, and when to claim or accept a draw.

use super::Opponent;
use crate::types::Score;

/// Maximum score at which a draw is welcome.
const CONTENT_WITH_DRAW: Score = Score(10);

/// Maximum contempt from ratings, either way, in centipawns.
pub const MAX_CONTEMPT: i32 = 50;

/// Maximum score at which a game counts as lost.
const HOPELESS: Score = Score(-1000);

/// Whether to resign, given the engine's score now and at its last move.
///
/// ```
/// use tabiya::engine::verdict::resigns;
/// use tabiya::types::Score;
/// assert!(resigns(Score::mated_in(6), Some(Score(-1200))));
/// assert!(!resigns(Score(-1200), Some(Score(-300))) && !resigns(Score(-1200), None));
/// ```
#[must_use]
pub fn resigns(score: Score, last: Option<Score>) -> bool {
    score <= HOPELESS && last.is_some_and(|last| last <= HOPELESS)
}

/// Whether to claim or accept a draw, given the engine's score.
///
/// Against a stronger opponent a draw is welcome at a higher score, against a weaker one only at a
/// lower score (contempt): one centipawn for every ten points of rating, up to [`MAX_CONTEMPT`].
///
/// ```
/// use tabiya::engine::{Opponent, verdict::wants_draw};
/// use tabiya::types::Score;
/// let unknown = Opponent::default();
/// assert!(wants_draw(Score::DRAW, &unknown) && wants_draw(Score(-300), &unknown));
/// assert!(!wants_draw(Score(50), &unknown) && !wants_draw(Score::mate_in(9), &unknown));
/// let stronger = Opponent { rating: Some(2700), own_rating: Some(2200), ..unknown };
/// assert!(wants_draw(Score(50), &stronger) && !wants_draw(Score(80), &stronger));
/// ```
#[must_use]
pub fn wants_draw(score: Score, opponent: &Opponent) -> bool {
    let contempt = (-opponent.advantage() / 10).clamp(-MAX_CONTEMPT, MAX_CONTEMPT);
    score <= CONTENT_WITH_DRAW - contempt
}
