//! Policy for games that may end before mate: when to resign, and when to claim or accept a draw.
//!
//! A single score decides little: in the opening every sound position is near 0, and a lost one may
//! hold a surprise. So a game is resigned, and a draw accepted in a level position, only after
//! several own moves with such scores. One score is enough in a clearly worse position, and where
//! the draw is there already, by a claim or by the material.
//!
//! All scores here are those of the search, not [normalised](super::normalized_score) ones.

use super::Opponent;
use crate::eval::is_drawn_ending;
use crate::game::History;
use crate::game::draw::Claim;
use crate::types::{Color, Score};

/// Maximum score at which a draw is welcome.
const CONTENT_WITH_DRAW: Score = Score(10);

/// Maximum contempt from ratings, either way, in centipawns.
const MAX_CONTEMPT: i32 = 50;

/// Maximum score at which a draw is welcome at any time.
const WORSE: Score = Score(-100);

/// Maximum score at which a game counts as lost.
const HOPELESS: Score = Score(-1000);

/// Number of own moves, the present one included, whose scores must agree.
const SETTLED_MOVES: usize = 4;

/// Move number from which a draw is accepted in a level position.
const FIRST_MOVE: u32 = 20;

/// Half-moves without capture or pawn move after which a level position counts as quiet.
const QUIET_PLIES: u32 = 10;

/// The engine's scores at its own moves in a game, for each side that it played.
#[derive(Debug, Clone, Default)]
pub struct Scores([Vec<Score>; Color::COUNT]);

impl Scores {
    /// Adds the score of a move by `side`.
    pub fn record(&mut self, side: Color, score: Score) {
        self.0[side.index()].push(score);
    }

    /// The scores of the moves by `side`, oldest first.
    #[must_use]
    pub fn of(&self, side: Color) -> &[Score] {
        &self.0[side.index()]
    }
}

/// Whether to resign, given the engine's score now and its scores at its earlier moves.
///
/// ```
/// use tabiya::engine::verdict::resigns;
/// use tabiya::types::Score;
/// assert!(resigns(Score::mated_in(6), &[Score(-1200); 3]));
/// assert!(!resigns(Score(-1200), &[Score(-300), Score(-1200), Score(-1200)]));
/// ```
#[must_use]
pub fn resigns(score: Score, earlier: &[Score]) -> bool {
    is_settled(score, earlier, HOPELESS)
}

/// Whether to claim a draw, given the engine's score.
///
/// Against a stronger opponent a draw is welcome at a higher score, against a weaker one only at a
/// lower score (contempt): one centipawn for every ten points of rating, at most 50.
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
    score <= limit(opponent)
}

/// Whether to accept a draw offer, given the engine's score now and its scores at its earlier
/// moves.
///
/// A clearly worse position is accepted at once, and so is a known draw unless the engine's score
/// is above 10 centipawns. A level position is accepted from move 20 on, without recent captures
/// and pawn moves, and after several own moves with such scores. [`wants_draw`] describes the
/// contempt, which counts in level positions only.
#[must_use]
pub fn accepts_draw(
    history: &History,
    score: Score,
    earlier: &[Score],
    opponent: &Opponent,
) -> bool {
    let position = history.position();
    if is_drawn_ending(position) || Claim::find(history, None).is_some() {
        return score <= CONTENT_WITH_DRAW;
    }
    let limit = limit(opponent);
    let is_level_for_long = position.fullmove_number() >= FIRST_MOVE
        && position.halfmove_clock() >= QUIET_PLIES
        && is_settled(score, earlier, limit);
    score <= WORSE || is_level_for_long
}

/// The maximum score at which a draw against this opponent is welcome.
fn limit(opponent: &Opponent) -> Score {
    CONTENT_WITH_DRAW + (opponent.advantage() / 10).clamp(-MAX_CONTEMPT, MAX_CONTEMPT)
}

/// Whether the scores of the last [`SETTLED_MOVES`] own moves are at most `limit`.
fn is_settled(score: Score, earlier: &[Score], limit: Score) -> bool {
    let mut scores = [score].into_iter().chain(earlier.iter().rev().copied());
    (0..SETTLED_MOVES).all(|_| scores.next().is_some_and(|score| score <= limit))
}
