//! Fits the win/draw/loss model to self-play games by maximum likelihood: `tabiya-train wdl`.

use crate::bad_games::BadGames;
use std::array;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use tabiya::engine::WdlModel;
use tabiya::tools::files::read_bytes;
use tabiya::tools::progress::status;
use tabiya::tools::viriformat::{EncodedGame, GameError, MAX_PIECES, read_games};

/// Larger scores are left out, in centipawns: such games are adjudicated.
const MAX_SCORE: i32 = 2_000;
/// Width of a bin of scores, in centipawns.
const BIN: i32 = 10;
const BINS: usize = (MAX_SCORE / BIN) as usize + 1;
/// Plies left out at the start of a game; the random moves before it are not stored.
const SKIP_PLIES: usize = 8;
/// Maximum number of games counted; of more games, every n-th is. Four parameters need no more.
const MAX_GAMES: usize = 40_000;

/// Results of games, counted by score and number of pieces.
#[derive(Debug, Clone)]
pub(crate) struct Results {
    /// For each number of pieces and bin of scores: wins, draws and losses of the side with the
    /// positive score.
    cells: Vec<[[u32; 3]; BINS]>,
    pub(crate) games: u64,
}

impl Results {
    pub(crate) fn new() -> Self {
        Self {
            cells: vec![[[0; 3]; BINS]; MAX_PIECES + 1],
            games: 0,
        }
    }

    /// Counts the quiet positions of games in `files`, evenly spread over all of them. Skips bad
    /// games, and calls `report` with one line for those of a file.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn read(
        &mut self,
        files: &[PathBuf],
        report: &mut dyn FnMut(&str),
    ) -> io::Result<()> {
        self.read_at_most(MAX_GAMES, files, report)
    }

    fn read_at_most(
        &mut self,
        max_games: usize,
        files: &[PathBuf],
        report: &mut dyn FnMut(&str),
    ) -> io::Result<()> {
        let mut total = 0;
        for file in files {
            let bytes = read_bytes(file)?;
            let games = read_games(&bytes).filter_map(|(_, game)| game.ok());
            total += games.filter(|game| !game.is_lone_position()).count();
        }
        // An odd step: in self-play every second game has one random move more.
        let step = total.div_ceil(max_games) | 1;
        let mut number = 0;
        for file in files {
            let bytes = read_bytes(file)?;
            let mut bad = BadGames::default();
            for (offset, game) in read_games(&bytes) {
                let read = game.and_then(|game| {
                    if game.is_lone_position() {
                        return Ok(());
                    }
                    let is_chosen = number % step == 0;
                    number += 1;
                    if is_chosen {
                        self.read_game(game)
                    } else {
                        Ok(())
                    }
                });
                if let Err(error) = read {
                    bad.add(offset, error);
                }
            }
            if let Some(line) = bad.line(file) {
                report(&line);
            }
        }
        Ok(())
    }

    /// Counts the quiet positions of a game, if its result is known.
    fn read_game(&mut self, game: EncodedGame<'_>) -> Result<(), GameError> {
        let (result, positions) = (game.result()?, game.positions()?);
        let Some(points) = result.points() else {
            return Ok(());
        };
        self.games += 1;
        let positions = positions.iter().skip(SKIP_PLIES);
        for scored in positions.filter(|scored| scored.is_quiet()) {
            if let Some(score) = scored.score {
                self.count(score.0, scored.pieces(), points);
            }
        }
        Ok(())
    }

    /// Counts a position; `score` and `points` are White's.
    fn count(&mut self, score: i32, pieces: usize, points: f32) {
        let points = if score < 0 { 1.0 - points } else { points };
        let bin = (score.abs() + BIN / 2) / BIN;
        if let Some(cell) = self.cells[pieces.min(MAX_PIECES)].get_mut(bin as usize) {
            cell[(2.0 - 2.0 * points) as usize] += 1;
        }
    }

    /// Number of positions counted.
    pub(crate) fn positions(&self) -> u64 {
        let results = self.cells.as_flattened().as_flattened();
        results.iter().map(|&count| u64::from(count)).sum()
    }

    /// The mean negative logarithm of the probability that the model gives to the result.
    fn log_loss(&self, model: &WdlModel) -> f64 {
        let mut sum = 0.0;
        for (pieces, bins) in self.cells.iter().enumerate() {
            for (bin, results) in bins
                .iter()
                .enumerate()
                .filter(|(_, results)| **results != [0; 3])
            {
                let [win, loss] = model.win_loss(bin as f64 * f64::from(BIN), pieces);
                let chances = [win, 1.0 - win - loss, loss];
                for (&count, chance) in results.iter().zip(chances) {
                    sum -= f64::from(count) * chance.max(1e-9).ln();
                }
            }
        }
        sum / self.positions().max(1) as f64
    }

    /// The model of maximum likelihood, by coordinate descent with shrinking steps.
    ///
    /// # Errors
    /// If a value comes near its limit, because results of some kind are too few.
    pub(crate) fn fit(&self) -> Result<WdlModel, OneSided> {
        const INITIAL: [f64; 4] = [150.0, 150.0, 100.0, 100.0];
        let model = |[a, b, c, d]: [f64; 4]| WdlModel {
            half: [a, b],
            spread: [c, d],
        };
        // First both values of a pair together, then against each other, then one alone.
        const AXES: [[f64; 4]; 6] = [
            [1.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 1.0],
            [1.0, -1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, -1.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ];
        let allowed = |[a, b, c, d]: [f64; 4]| {
            a.min(b) >= 0.0 && c.min(d) >= MIN_SPREAD && a.max(b).max(c).max(d) <= MAX_VALUE
        };
        let mut best = INITIAL;
        let mut least = self.log_loss(&model(best));
        let mut step = 64.0;
        while step >= 0.5 {
            let before = least;
            for axis in AXES {
                for sign in [1.0, -1.0] {
                    loop {
                        let next = array::from_fn(|index| best[index] + sign * step * axis[index]);
                        if !allowed(next) {
                            break;
                        }
                        let log_loss = self.log_loss(&model(next));
                        if log_loss >= least {
                            break;
                        }
                        (best, least) = (next, log_loss);
                    }
                }
            }
            if least >= before {
                step /= 2.0;
            }
        }
        let [a, b, c, d] = best;
        let plausible = 2.0 * MIN_SPREAD..=MAX_VALUE / 2.0;
        if self.positions() == 0
            || a.max(b).max(c).max(d) > *plausible.end()
            || c.min(d) < *plausible.start()
        {
            Err(OneSided)
        } else {
            Ok(model(best))
        }
    }
}

/// Minimum spread of a fitted model, in centipawns.
const MIN_SPREAD: f64 = 5.0;
/// Maximum of every value of a fitted model, in centipawns.
const MAX_VALUE: f64 = 2_000.0;

/// The results do not determine a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OneSided;

impl fmt::Display for OneSided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the games are too few or too one-sided to fit what scores mean")
    }
}

impl std::error::Error for OneSided {}

impl From<OneSided> for io::Error {
    fn from(error: OneSided) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// Fits a model to the games in `files`, and prints it and how well it agrees with the games.
///
/// # Errors
/// If a file cannot be read, the games do not determine a model, or the output cannot be written.
pub fn run(files: &[PathBuf], mut output: impl Write) -> io::Result<()> {
    let mut results = Results::new();
    results.read(files, &mut status)?;
    if results.games == 0 {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "no game in these files has a result",
        ));
    }
    status(&format!(
        "{} games, {} positions",
        results.games,
        results.positions()
    ));
    let model = results.fit()?;
    let [plain, fitted] = [WdlModel::SHIPPED, model].map(|model| results.log_loss(&model));
    writeln!(
        output,
        "half          {:?} cp (with 0 pieces, with 32 pieces)",
        model.half
    )?;
    writeln!(output, "spread        {:?} cp", model.spread)?;
    writeln!(
        output,
        "log loss      {fitted:.4} nats per position (the built-in model: {plain:.4})"
    )?;
    writeln!(
        output,
        "pieces  score  positions  win found model  draw found model  loss found model"
    )?;
    const BOUNDS: [i32; 8] = [0, 50, 100, 200, 300, 500, 800, MAX_SCORE];
    for pieces in [6..12, 12..18, 18..24, 24..33_usize] {
        for (low, high) in BOUNDS.into_iter().zip(BOUNDS.into_iter().skip(1)) {
            let (mut found, mut expected) = ([0.0; 3], [0.0; 3]);
            for pieces in pieces.clone() {
                for bin in low / BIN..high / BIN {
                    let results = cell(&results, pieces, bin);
                    let count: u32 = results.iter().sum();
                    let [win, loss] = model.win_loss(f64::from(bin * BIN), pieces);
                    for (index, chance) in [win, 1.0 - win - loss, loss].into_iter().enumerate() {
                        found[index] += f64::from(results[index]);
                        expected[index] += f64::from(count) * chance;
                    }
                }
            }
            let count: f64 = found.iter().sum();
            let [win, draw, loss] = array::from_fn(|index| {
                let [found, expected] =
                    [found[index], expected[index]].map(|sum| sum / count.max(1.0));
                format!("{found:9.3} {expected:.3}")
            });
            writeln!(
                output,
                "{:2}..{:2}  {low:5}  {count:9}  {win}  {draw}   {loss}",
                pieces.start,
                pieces.end - 1
            )?;
        }
    }
    Ok(())
}

fn cell(results: &Results, pieces: usize, bin: i32) -> [u32; 3] {
    results.cells[pieces][bin as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{env, fs, process};
    use tabiya::board::Position;
    use tabiya::game::GameResult;
    use tabiya::tools::viriformat::{ScoredPosition, TrainingGame, write_game};
    use tabiya::types::Score;

    /// Up to 2 centipawns.
    #[test]
    fn fitting_recovers_the_model_of_the_results() {
        let model = WdlModel {
            half: [210.0, 90.0],
            spread: [60.0, 110.0],
        };
        let mut results = Results::new();
        for (pieces, bins) in results.cells.iter_mut().enumerate().skip(4) {
            for (bin, cell) in bins.iter_mut().enumerate() {
                let [win, loss] = model.win_loss(bin as f64 * f64::from(BIN), pieces);
                *cell = [win, 1.0 - win - loss, loss].map(|chance| (chance * 1e4).round() as u32);
            }
        }
        let found = results.fit().unwrap();
        for (found, expected) in [(found.half, model.half), (found.spread, model.spread)] {
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 2.0, "{found} {expected}");
            }
        }
    }

    /// A small file counts no more than its share.
    #[test]
    fn games_are_read_evenly_from_all_files() {
        let game = |number: u32| {
            let start = Position::from_fen(&format!("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 {number}"));
            let position = start.unwrap();
            TrainingGame {
                start: position,
                positions: vec![ScoredPosition {
                    position,
                    best: position.legal_moves().first().copied(),
                    score: Some(Score(10)),
                }],
                result: GameResult::Drawn,
                tree: Vec::new(),
            }
        };
        let folder = env::temp_dir().join(format!("tabiya-wdl-{}", process::id()));
        fs::create_dir(&folder).unwrap();
        let files = [("a.vf", 1..901), ("b.vf", 901..1_001)].map(|(name, numbers)| {
            let mut bytes = Vec::new();
            numbers.for_each(|number| write_game(&game(number), &mut bytes));
            let file = folder.join(name);
            fs::write(&file, bytes).unwrap();
            file
        });
        let games = |max_games, files: &[PathBuf]| {
            let mut results = Results::new();
            (results.read_at_most(max_games, files, &mut |line| panic!("{line}"))).unwrap();
            results.games
        };
        assert_eq!(games(1_000, &files), 1_000);
        assert_eq!(games(200, &files), 200);
        // Every seventh.
        assert_eq!(games(180, &files), 143);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn one_sided_results_are_refused() {
        for points in [0.0, 0.5, 1.0] {
            let mut results = Results::new();
            for score in (0..600).step_by(10) {
                results.count(score, 20, points);
            }
            assert_eq!(results.fit(), Err(OneSided), "{points}");
        }
        assert_eq!(Results::new().fit(), Err(OneSided));
    }

    #[test]
    fn results_are_counted_for_the_side_with_the_positive_score() {
        let mut results = Results::new();
        results.count(100, 20, 1.0);
        results.count(-100, 20, 0.0);
        results.count(-100, 20, 0.5);
        results.count(104, 20, 0.0);
        results.count(9_000, 20, 1.0);
        assert_eq!(cell(&results, 20, 10), [2, 1, 1]);
        assert_eq!(results.positions(), 4);
    }
}
