//! A position with what a search must know of the game that led to it.
//!
//! Whether a line repeats a position depends on the game, and so does the score of a game that is
//! drawn already. [`Position`] is `Copy` and knows neither.

use super::Position;
use crate::types::Key;

/// A position, the keys of the positions before it, and whether the game can still be won.
///
/// A position without a game converts into one, and so does a reference to a
/// [`Game`](crate::game::Game).
///
/// ```
/// use tabiya::board::{GamePosition, Position};
/// let start = GamePosition::from(Position::start());
/// assert!(start.previous_keys.is_empty() && !start.is_dead);
/// ```
#[derive(Debug, Clone)]
pub struct GamePosition {
    /// The position.
    pub position: Position,
    /// Keys of the positions since the last irreversible move, oldest first, without the present
    /// one. Older positions cannot come back. Of more than [`Self::MAX_KEYS`] the last are enough:
    /// by the seventy-five-move rule such a game has long been over.
    pub previous_keys: Vec<Key>,
    /// No sequence of legal moves leads to mate, so the game is drawn (FIDE 5.2.2). A search takes
    /// this as given and does not find it out by itself.
    pub is_dead: bool,
}

impl From<Position> for GamePosition {
    fn from(position: Position) -> Self {
        Self {
            position,
            previous_keys: Vec::new(),
            is_dead: false,
        }
    }
}

impl GamePosition {
    /// Maximum number of previous keys that a game gives.
    pub const MAX_KEYS: usize = 1_024;

    /// How often a position with this key has occurred before the present one.
    pub(crate) fn occurrences_before(&self, key: Key) -> usize {
        let same = self.previous_keys.iter().filter(|&&before| before == key);
        same.count()
    }

    /// Whether some position has occurred `times` times since the last irreversible move.
    pub(crate) fn has_repetition(&self, times: usize) -> bool {
        let mut keys = self.previous_keys.clone();
        keys.push(self.position.key());
        keys.sort_unstable_by_key(|key| key.0);
        keys.windows(times).any(|same| same[0] == same[times - 1])
    }
}
