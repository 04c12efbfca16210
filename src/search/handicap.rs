//! Playing worse on purpose (`UCI_Elo`, `Skill Level`): the searched lines are misjudged, and the one that seems best is
//! played.

use super::limits::Handicap;
use super::root_moves::{RootMove, RootMoves};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Uniform draws whose sum is near enough to a normal distribution; its spread is the range of one draw.
const DRAWS: usize = 12;

impl RootMoves {
    /// Chooses among the first lines with errors of judgement; a proven win is seen for what it is.
    pub(super) fn misjudge(&mut self, handicap: Handicap, lines: usize) {
        let mut random = ChaCha8Rng::seed_from_u64(handicap.seed);
        let misjudged = |root: &RootMove| {
            let (score, _) = root.known_score()?;
            if score.is_win() {
                return Some(i64::from(score.0) << 32);
            }
            let error: i32 = (0..DRAWS)
                .map(|_| random.random_range(0..=handicap.error))
                .sum();
            Some(i64::from(score.0 + error))
        };
        let judged: Vec<_> = self.iter().take(lines).map(misjudged).collect();
        // The first of equals.
        let choice = (0..judged.len()).rev().max_by_key(|&line| judged[line]);
        if let Some(line) = choice {
            self.prefer(line);
        }
    }
}
