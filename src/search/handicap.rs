//! Limited playing strength (`UCI_Elo`, `Skill Level`): each line gets a random error, and the line
//! that then seems best is played.

use super::root_moves::{RootMove, RootMoves};
use super::settings::Handicap;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Number of uniform draws added up to approximate a normal distribution. With 12 draws its
/// standard deviation is the range of one draw.
const DRAWS: usize = 12;

impl RootMoves {
    /// Chooses among the first `lines` lines after adding random errors to their scores. A proven
    /// win gets no error. Each search of the same seed draws other errors.
    pub(super) fn choose_with_errors(
        &mut self,
        handicap: Handicap,
        search_number: u64,
        lines: usize,
    ) {
        let mut random = ChaCha8Rng::seed_from_u64(handicap.seed);
        random.set_stream(search_number);
        let with_error = |root: &RootMove| {
            let score = root.known()?.score;
            if score.is_win() {
                return Some(i64::from(score.0) << 32);
            }
            let error: i32 = (0..DRAWS)
                .map(|_| random.random_range(0..=handicap.error))
                .sum();
            Some(i64::from(score.0 + error))
        };
        let scores: Vec<_> = self.iter().take(lines).map(with_error).collect();
        // The first among equals.
        let choice = (0..scores.len()).rev().max_by_key(|&line| scores[line]);
        if let Some(line) = choice {
            self.prefer(line);
        }
    }
}
