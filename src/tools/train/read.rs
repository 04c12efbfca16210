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
    /// Games that made no sense.
    pub bad_games: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games and {} lone positions: {} positions kept; left out {} early, {} in check, {} with a noisy move, {} \
             decided; {} bad games",
            self.games,
            self.lone_positions,
            self.kept,
            self.early,
            self.in_check,
            self.noisy,
            self.decided,
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
        let counts = &mut self.counts;
        for (index, (ply, target)) in plies.iter().zip(targets).enumerate() {
            let count = if !is_lone && index < filter.skip_plies {
                &mut counts.early
            } else if ply.position.in_check() {
                &mut counts.in_check
            } else if !ply.is_quiet() {
                &mut counts.noisy
            } else if ply.score.0.abs() > filter.max_score {
                &mut counts.decided
            } else {
                found.push(Sample::new(&ply.position, target));
                &mut counts.kept
            };
            *count += 1;
        }
        *if is_lone {
            &mut counts.lone_positions
        } else {
            &mut counts.games
        } += 1;
        Ok(())
    }
}
