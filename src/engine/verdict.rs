//! What the engine wants when a game may end before mate: policy, by the score of its search.

use crate::types::Score;

/// Up to this a draw is as good as what the game promises.
const CONTENT_WITH_DRAW: Score = Score(10);

/// At this and below a game is lost.
const HOPELESS: Score = Score(-1000);

/// Whether to resign, with that score for the engine now and that one at its last move.
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

/// Whether to claim a draw, or to accept one, with that score for the engine.
///
/// ```
/// use tabiya::engine::verdict::wants_draw;
/// use tabiya::types::Score;
/// assert!(wants_draw(Score::DRAW) && wants_draw(Score(-300)));
/// assert!(!wants_draw(Score(50)) && !wants_draw(Score::mate_in(9)));
/// ```
#[must_use]
pub fn wants_draw(score: Score) -> bool {
    score <= CONTENT_WITH_DRAW
}
