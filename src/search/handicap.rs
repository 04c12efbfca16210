//! Limited playing strength (`UCI_Elo`, `Skill Level`): each line gets a random error, and the line
//! that then seems best is played.

use super::root_moves::{RootMove, RootMoves};
use super::settings::Handicap;
use crate::board::Position;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Number of uniform samples added up to approximate a normal distribution. With 12 of them its
/// standard deviation is the range of one.
const SAMPLES: usize = 12;

/// The number of nodes with which a search mates a bare king, if its side can. Bishop and knight
/// need half of them.
pub const NODES_AGAINST_BARE_KING: u64 = 20_000;

impl Handicap {
    /// The handicap of one search. Against a bare king nothing is left to misjudge: without errors
    /// and with enough nodes, every level that can mate does. Otherwise a random number decides
    /// whether the search is a glance.
    pub(super) fn of_search(self, position: &Position, search_number: u64) -> Self {
        if !position.color(!position.side_to_move()).has_many() {
            return Self {
                nodes: self.nodes.max(NODES_AGAINST_BARE_KING),
                error: 0,
                glances: 0,
                ..self
            };
        }
        let is_glance = self.random(!search_number).random_range(0..1000) < self.glances;
        Self {
            nodes: if is_glance { 0 } else { self.nodes },
            ..self
        }
    }

    /// Number of lines to choose among. A glance sees all moves; else, the smaller the errors, the
    /// fewer lines can seem best.
    pub(super) fn lines(self) -> usize {
        const MAX_LINES: usize = 5;
        const ERROR_PER_LINE: usize = 25;
        if self.nodes == 0 {
            return usize::MAX;
        }
        (1 + usize::from(self.error).div_ceil(ERROR_PER_LINE)).min(MAX_LINES)
    }

    /// Random numbers, others for each stream.
    fn random(self, stream: u64) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(stream);
        random
    }
}

impl RootMoves {
    /// Chooses among the first `lines` lines after adding random errors to their scores. A proven
    /// win gets no error, nor does stalemate, which is a draw for everybody. Each search of the
    /// same seed draws other errors.
    pub(super) fn choose_with_errors(
        &mut self,
        position: &Position,
        handicap: Handicap,
        search_number: u64,
        lines: usize,
    ) {
        let mut random = handicap.random(search_number);
        let max_sample = i32::from(handicap.error);
        let with_error = |root: &RootMove| {
            let score = root.best_result()?.score;
            if score.is_win() {
                return Some(i64::from(score.0) << 32);
            }
            let mut error: i32 = (0..SAMPLES)
                .map(|_| random.random_range(0..=max_sample))
                .sum();
            if position.play_unchecked(root.mv).is_stalemate() {
                // The mean of the errors, which are not centred on 0.
                error = SAMPLES as i32 * max_sample / 2;
            }
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
