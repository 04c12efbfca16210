//! Positions to learn from, out of files of games. A game that makes no sense is named and skipped.

use super::labels::Labels;
use super::sample::Sample;
use crate::engine::WdlModel;
use crate::tools::files::read_bytes;
use crate::tools::games::{StoredGame, stored_games};
use crate::tools::number;
use std::fmt;
use std::io;
use std::path::Path;

/// Which positions are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, clap::Args)]
pub(super) struct Filter {
    /// Leave out so many half-moves after the start of a game, which is random.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number(0..=1_000_usize))]
    pub(super) skip_plies: usize,
    /// Leave out scores beyond so many centipawns.
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = number(1..=32_000_i32))]
    pub(super) max_score: i32,
    /// Learn from so many positions of a game at most, spread over it: more are too much alike to teach more.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number(1..=1_000_usize))]
    pub(super) per_game: usize,
}

impl Filter {
    /// Takes out of these positions of a game so many that the rest is spread over it; returns how many those are.
    fn thin_out(&self, samples: &mut Vec<Sample>, begin: usize) -> usize {
        let found = samples.len() - begin;
        if found > self.per_game {
            for index in 0..self.per_game {
                samples[begin + index] = samples[begin + index * found / self.per_game];
            }
            samples.truncate(begin + self.per_game);
        }
        found - (samples.len() - begin)
    }
}

/// What became of the positions that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Counts {
    /// Games read.
    pub games: u64,
    /// Lone positions read.
    pub lone_positions: u64,
    /// Kept, to learn from or to be held out.
    pub kept: u64,
    /// Left out: too near the start of the game.
    pub early: u64,
    /// Left out: in check.
    pub in_check: u64,
    /// Left out: the best move is a capture or a promotion.
    pub noisy: u64,
    /// Left out: the score is beyond the limit.
    pub decided: u64,
    /// Left out: there is no score, as the move was found by a fast search.
    pub fast: u64,
    /// Left out: the game has enough others.
    pub alike: u64,
    /// Games that made no sense.
    pub bad_games: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games and {} lone positions: {} positions kept; left out {} early, {} in check, {} with a noisy move, {} \
             decided, {} of fast searches, {} of games with enough others; {} bad games",
            self.games,
            self.lone_positions,
            self.kept,
            self.early,
            self.in_check,
            self.noisy,
            self.decided,
            self.fast,
            self.alike,
            self.bad_games
        )
    }
}

/// Of so many games one is held out.
const HELD_OUT_SHARE: u64 = 100;

/// Positions of many games.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// To learn from, those of a game one after another.
    pub(super) training: Vec<Sample>,
    /// Where in these each game begins.
    pub(super) games: Vec<usize>,
    /// Of other games, to measure what was learned.
    pub(super) held_out: Vec<Sample>,
    pub(super) counts: Counts,
}

impl Samples {
    /// Reads a file, adding to what is there; `complain` hears of what makes no sense.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn read(
        &mut self,
        path: &Path,
        filter: &Filter,
        labels: Labels,
        model: &WdlModel,
        complain: &mut dyn FnMut(&str),
    ) -> io::Result<()> {
        let bytes = read_bytes(path)?;
        // A file that is no file of games has many: one line says so.
        let mut bad_games = 0;
        let mut first_fault = String::new();
        for (begin, game) in stored_games(&bytes) {
            let read = game.and_then(|game| self.read_game(game, filter, labels, model));
            if let Err(reason) = read {
                bad_games += 1;
                if bad_games == 1 {
                    first_fault = format!("at byte {begin}: {reason}");
                }
            }
        }
        self.counts.bad_games += bad_games;
        if bad_games > 0 {
            let (file, games) = (
                path.display(),
                if bad_games == 1 { "game" } else { "games" },
            );
            complain(&format!(
                "{file}: skipped {bad_games} {games}, the first {first_fault}"
            ));
        }
        Ok(())
    }

    fn read_game(
        &mut self,
        game: StoredGame<'_>,
        filter: &Filter,
        labels: Labels,
        model: &WdlModel,
    ) -> Result<(), &'static str> {
        let points = game.points()?;
        let plies = game.plies()?;
        let scores: Vec<_> = plies.iter().map(|ply| (ply.score, ply.pieces())).collect();
        let targets = labels.of_game(model, &scores, points);
        let is_lone = game.is_lone_position();
        // The same games are held out whatever the other files are.
        let is_held_out = (game.hash() >> 32).is_multiple_of(HELD_OUT_SHARE);
        let found = if is_held_out {
            &mut self.held_out
        } else {
            self.games.push(self.training.len());
            &mut self.training
        };
        let begin = found.len();
        let counts = &mut self.counts;
        for (index, (ply, target)) in plies.iter().zip(targets).enumerate() {
            let count = if !is_lone && index < filter.skip_plies {
                &mut counts.early
            } else if ply.position.in_check() {
                &mut counts.in_check
            } else if !ply.is_quiet() {
                &mut counts.noisy
            } else if (ply.score).is_some_and(|score| score.0.abs() > filter.max_score) {
                &mut counts.decided
            } else if let Some(target) = target {
                found.push(Sample::new(&ply.position, target));
                &mut counts.kept
            } else {
                &mut counts.fast
            };
            *count += 1;
        }
        if !is_held_out {
            let alike = filter.thin_out(found, begin) as u64;
            counts.kept -= alike;
            counts.alike += alike;
        }
        *if is_lone {
            &mut counts.lone_positions
        } else {
            &mut counts.games
        } += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn positions_that_are_left_are_spread_over_the_game() {
        let filter = Filter {
            skip_plies: 0,
            max_score: 0,
            per_game: 4,
        };
        for (found, expected) in [(0, vec![]), (3, vec![0, 1, 2]), (10, vec![0, 2, 5, 7])] {
            // Those of a game before it stay as they are.
            let numbers = [99].into_iter().chain(0..found);
            let position = Position::default();
            let mut samples: Vec<_> = numbers
                .map(|number| Sample::new(&position, number as f32 / 100.0))
                .collect();
            let left_out = filter.thin_out(&mut samples, 1);
            assert_eq!(left_out, found - expected.len());
            let left = samples
                .iter()
                .map(|sample| (100.0 * sample.target).round() as usize);
            assert_eq!(left.collect::<Vec<_>>(), [vec![99], expected].concat());
        }
    }
}
