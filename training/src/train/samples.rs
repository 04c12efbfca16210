//! Reads training and validation positions from files of games. Bad games are counted and skipped.

use super::Settings;
use super::sample::Sample;
use crate::bad_games::BadGames;
use crate::targets::Targets;
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::Path;
use tabiya::engine::WdlModel;
use tabiya::tools::files::read_bytes;
use tabiya::tools::number;
use tabiya::tools::progress::status;
use tabiya::tools::viriformat::{EncodedGame, GameError, read_games};

/// Which positions are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, clap::Args)]
pub(super) struct Filter {
    /// Leave out this many plies at the start of a game; the random moves before it are not stored.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number(0..=1_000_usize))]
    pub(super) skip_plies: usize,
    /// Leave out positions with a larger |score|.
    #[arg(long, value_name = "CP", default_value_t = 3_000, value_parser = number(1..=32_000_i32))]
    pub(super) max_score: i32,
    /// Maximum number of training positions per game, evenly spaced; more of them are too much
    /// alike. Validation keeps all.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number(1..=1_000_usize))]
    pub(super) per_game: usize,
}

impl Filter {
    /// Thins the samples from index `begin` on to at most `per_game`, evenly spaced. Returns the
    /// number removed.
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

/// Counts of the games and positions read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Counts {
    /// Games read.
    pub games: u64,
    /// Lone positions read.
    pub lone_positions: u64,
    /// Positions kept for training or validation.
    pub kept: u64,
    /// Left out: too near the start of the game.
    pub early: u64,
    /// Left out: in check.
    pub in_check: u64,
    /// Left out: the best move is a capture or a promotion.
    pub noisy: u64,
    /// Left out: |score| above the limit.
    pub decided: u64,
    /// Left out: no score, because the search was a fast one.
    pub fast: u64,
    /// Left out: more than the maximum per game.
    pub alike: u64,
    /// Left out if the outcome has a weight: games that were cut off, with their positions.
    pub cut_games: u64,
    /// Games that could not be read.
    pub bad_games: u64,
    /// Left out: games and lone positions that were read before.
    pub repeated: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games, {} lone positions, {} bad games, {} cut off and left out; {} positions kept; left out: {} early, {} in check, \
             {} with a noisy move, {} decided, {} from fast searches, {} above the maximum per game",
            self.games,
            self.lone_positions,
            self.bad_games,
            self.cut_games,
            self.kept,
            self.early,
            self.in_check,
            self.noisy,
            self.decided,
            self.fast,
            self.alike
        )?;
        if self.repeated > 0 {
            write!(
                f,
                ", {} games and lone positions read before",
                self.repeated
            )?;
        }
        Ok(())
    }
}

/// One game in this many is held out for validation.
const VALIDATION_SHARE: u64 = 100;

/// Positions of many games.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// Training positions, game by game.
    pub(super) training: Vec<Sample>,
    /// The index of each game's first training position.
    pub(super) games: Vec<usize>,
    /// Positions of the games held out for validation.
    pub(super) validation: Vec<Sample>,
    pub(super) counts: Counts,
}

impl Samples {
    /// Reads the files of a training. Bad games are reported on standard error, in one line for
    /// each file.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn read(settings: &Settings, model: &WdlModel) -> io::Result<Self> {
        let mut reading = Reading::default();
        for file in &settings.files {
            reading.read_file(file, settings, model)?;
        }
        Ok(reading.samples)
    }
}

/// Samples while they are read.
#[derive(Default)]
struct Reading {
    samples: Samples,
    /// Whether the last game read is held out.
    is_held_out: bool,
    /// Hashes of the games and lone positions read.
    seen: HashSet<u64>,
}

impl Reading {
    fn read_file(&mut self, path: &Path, settings: &Settings, model: &WdlModel) -> io::Result<()> {
        let bytes = read_bytes(path)?;
        self.is_held_out = false;
        let (filter, targets) = (&settings.filter, settings.targets);
        let mut bad = BadGames::default();
        for (offset, game) in read_games(&bytes) {
            let read = game.and_then(|game| self.read_game(game, filter, targets, model));
            if let Err(error) = read {
                bad.add(offset, error);
            }
        }
        self.samples.counts.bad_games += bad.count;
        if let Some(line) = bad.line(path) {
            status(&line);
        }
        Ok(())
    }

    fn read_game(
        &mut self,
        game: EncodedGame<'_>,
        filter: &Filter,
        targets: Targets,
        model: &WdlModel,
    ) -> Result<(), GameError> {
        let is_lone = game.is_lone_position();
        // A hash decides, so a game is always on the same side, whatever the other files are. The
        // lone positions after a game are from its searches and go with it.
        let hash = game.hash();
        if !is_lone {
            self.is_held_out = (hash >> 32).is_multiple_of(VALIDATION_SHARE);
        }
        let points = game.result()?.points();
        if targets.wdl > 0.0 && points.is_none() && !is_lone {
            self.samples.counts.cut_games += 1;
            return Ok(());
        }
        let positions = game.positions()?;
        if !self.seen.insert(hash) {
            self.samples.counts.repeated += 1;
            return Ok(());
        }
        let targets = targets.of_game(model, &positions, points);
        let is_validation = self.is_held_out;
        let Samples {
            training,
            games,
            validation,
            counts,
        } = &mut self.samples;
        let samples = if is_validation {
            validation
        } else {
            games.push(training.len());
            training
        };
        let begin = samples.len();
        for (index, (scored, target)) in positions.iter().zip(targets).enumerate() {
            // ANCHOR: filter
            let count = if !is_lone && index < filter.skip_plies {
                &mut counts.early
            } else if scored.position.in_check() {
                &mut counts.in_check
            } else if !scored.is_quiet() {
                &mut counts.noisy
            } else if (scored.score).is_some_and(|score| score.0.abs() > filter.max_score) {
                &mut counts.decided
            } else if let Some(target) = target {
                samples.push(Sample::new(&scored.position, target));
                &mut counts.kept
            } else {
                &mut counts.fast
            };
            *count += 1;
            // ANCHOR_END: filter
        }
        if !is_validation {
            let alike = filter.thin_out(samples, begin) as u64;
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
    use tabiya::board::Position;
    use tabiya::game::GameResult;
    use tabiya::tools::viriformat::{ScoredPosition, TrainingGame, write_game};
    use tabiya::types::Score;

    #[test]
    fn lone_positions_are_held_out_with_their_game() {
        let scored = |position: Position, score| ScoredPosition {
            position,
            best: position.legal_moves().first().copied(),
            score: Some(Score(score)),
        };
        let mut bytes = Vec::new();
        for number in 1..=1_000 {
            let start = Position::from_fen(&format!("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 {number}"));
            let start = start.unwrap();
            let positions = vec![scored(start, 0)];
            let after = start.play_unchecked(positions[0].best.unwrap());
            let tree = vec![scored(after, 0)];
            let game = TrainingGame {
                start,
                positions,
                result: GameResult::Drawn,
                tree,
            };
            write_game(&game, &mut bytes);
        }
        let filter = Filter {
            skip_plies: 0,
            max_score: 32_000,
            per_game: 400,
        };
        let targets = Targets {
            lambda: 0.5,
            wdl: 0.0,
        };
        let mut reading = Reading::default();
        for (_, game) in read_games(&bytes) {
            let held_out = reading.samples.validation.len();
            let is_lone = game.as_ref().unwrap().is_lone_position();
            (reading.read_game(game.unwrap(), &filter, targets, &WdlModel::SHIPPED)).unwrap();
            // A game and its lone position follow each other.
            let is_held_out = reading.samples.validation.len() > held_out;
            assert!(!is_lone || is_held_out == (held_out % 2 == 1));
        }
        let is_complete =
            |samples: &Samples| samples.training.len() + samples.validation.len() == 2_000;
        assert!(!reading.samples.validation.is_empty());
        assert!(is_complete(&reading.samples));
        // What is given twice is learned once.
        let counts = reading.samples.counts;
        for (_, game) in read_games(&bytes) {
            (reading.read_game(game.unwrap(), &filter, targets, &WdlModel::SHIPPED)).unwrap();
        }
        let repeated = Counts {
            repeated: 2_000,
            ..counts
        };
        assert_eq!(reading.samples.counts, repeated);
        assert!(is_complete(&reading.samples));
    }

    #[test]
    fn thinned_positions_are_spread_over_the_game() {
        let filter = Filter {
            skip_plies: 0,
            max_score: 0,
            per_game: 4,
        };
        for (found, expected) in [(0, vec![]), (3, vec![0, 1, 2]), (10, vec![0, 2, 5, 7])] {
            // The sample of an earlier game stays.
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
