//! Compares training targets with a stronger engine: plays a game from each judged position and
//! compares the target of that position with the judge's score.
//!
//! So a way to compute targets, or a number of nodes, can be chosen in minutes and without
//! training.
//!
//! As with evaluations only order and proportions count: a factor on all targets, in logits, is
//! fitted. *Bias* is the part of the error that is left when targets are averaged over positions
//! with like advantages. A network trained on many games averages out the rest.

use super::{
    BUCKET, BUCKETS, JUDGE_SCALE, expected_score, in_threads, judge_expectation, read,
    root_mean_square,
};
use crate::targets::{Targets, logit};
use clap::Parser;
use std::path::PathBuf;
use std::{fmt, io};
use tabiya::engine::WdlModel;
use tabiya::tools::files::network_or_embedded;
use tabiya::tools::viriformat::{ScoredPosition, TrainingGame};
use tabiya::tools::{datagen, number};
use tabiya::types::Color;

const LAMBDAS: [f32; 7] = [0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98];
/// Weights of the outcome in the target.
const OUTCOME_WEIGHTS: [f32; 7] = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0];
/// Meanings of scores to compare.
const MODELS: [(&str, WdlModel); 4] = [
    ("sigmoid, scale 400 cp", WdlModel::logistic(400.0)),
    ("sigmoid, scale 180 cp", WdlModel::logistic(180.0)),
    ("sigmoid, scale 200 cp", WdlModel::logistic(200.0)),
    ("fitted to games", WdlModel::SHIPPED),
];
/// Factors tried for the logits of the targets, in units of `FACTOR`.
const FACTORS: std::ops::RangeInclusive<u32> = 4..=60;
const FACTOR: f64 = 0.05;

/// Compare training targets with a stronger engine
///
/// Plays a game from each judged position, as 'tabiya datagen' would, and compares the training
/// target of that position with the judge's score. Prints the error of the expected score for
/// several meanings of scores, weights of the outcome and values of lambda. FILE is as for
/// 'tabiya-train judge'.
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(name = "targets")]
pub struct Settings {
    /// File of judged positions.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Network to play with [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// Soft node limit per move.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = number(1..=100_000_000_u64))]
    pub nodes: u64,
    /// Use only the first N positions.
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_000_usize))]
    pub positions: Option<usize>,
    /// Number of threads, each of which plays one game at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_usize))]
    pub threads: usize,
}

/// Comparison of targets with the judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Number of games played.
    pub games: usize,
    /// For each meaning of scores, weight of the outcome and lambda: root mean square error of the
    /// expected score, and its bias.
    pub errors: [[[(f64, f64); LAMBDAS.len()]; OUTCOME_WEIGHTS.len()]; MODELS.len()],
}

/// A game from a judged position.
struct JudgedGame {
    game: TrainingGame,
    /// The judge's expected score for White.
    judge: f64,
}

/// Compares targets with the judge.
///
/// # Errors
/// If a file cannot be read or is malformed, or memory or a thread is not available.
pub fn run(settings: &Settings) -> io::Result<Judgement> {
    let mut judged = read(&settings.file)?;
    judged.truncate(settings.positions.unwrap_or(usize::MAX));
    let network = network_or_embedded(settings.net.as_deref())?;
    let games = in_threads(&judged, settings.threads, &network, |judged, searcher| {
        let game = datagen::play_from(judged.position, settings.nodes, searcher)?;
        // None if the game is over at once.
        Ok((!game.positions.is_empty()).then(|| JudgedGame {
            game,
            judge: white_expectation(judged),
        }))
    })?;
    Ok(Judgement::new(games.into_iter().flatten().collect()))
}

/// The judge's expected score for White.
fn white_expectation(judged: &ScoredPosition) -> f64 {
    match judged.position.side_to_move() {
        Color::White => judge_expectation(judged),
        Color::Black => 1.0 - judge_expectation(judged),
    }
}

impl Judgement {
    fn new(games: Vec<JudgedGame>) -> Self {
        let judges: Vec<_> = games.iter().map(|game| game.judge).collect();
        let error = |model: &WdlModel, targets: Targets| {
            let of_game = |JudgedGame { game, .. }: &JudgedGame| {
                let targets = targets.of_game(model, &game.positions, game.result.points());
                let target = targets[0].expect("every move is searched in full");
                logit(f64::from(target).clamp(1e-6, 1.0 - 1e-6))
            };
            let logits: Vec<_> = games.iter().map(of_game).collect();
            let errors = FACTORS.map(|factor| {
                let factor = f64::from(factor) * FACTOR;
                let targets = logits
                    .iter()
                    .map(|logit| expected_score(logit * factor, 1.0));
                (
                    root_mean_square(targets.clone(), &judges),
                    bias(targets, &judges),
                )
            });
            errors
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .unwrap_or((f64::NAN, f64::NAN))
        };
        Self {
            games: games.len(),
            errors: MODELS.map(|(_, model)| {
                OUTCOME_WEIGHTS
                    .map(|wdl| LAMBDAS.map(|lambda| error(&model, Targets { lambda, wdl })))
            }),
        }
    }
}

/// Root mean square of the mean error in each bucket of the judge's |score|, weighted by positions.
fn bias(targets: impl Iterator<Item = f64>, judges: &[f64]) -> f64 {
    let mut sums = [(0.0, 0.0); BUCKETS];
    for (target, judge) in targets.zip(judges) {
        let advantage = logit(*judge) * JUDGE_SCALE;
        let bucket = (advantage.abs() / f64::from(BUCKET)) as usize;
        let (count, sum) = &mut sums[bucket.min(BUCKETS - 1)];
        *count += 1.0;
        // Errors towards the side that the judge prefers are positive.
        *sum += (target - judge).copysign((target - judge) * advantage);
    }
    let squares = sums
        .iter()
        .map(|(count, sum)| sum * sum / f64::max(*count, 1.0));
    (squares.sum::<f64>() / judges.len().max(1) as f64).sqrt()
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} games; error of the expected score (its bias), by meaning of scores, weight of the outcome, and lambda",
            self.games
        )?;
        for ((name, _), errors) in MODELS.iter().zip(&self.errors) {
            write!(f, "{name}\noutcome")?;
            for lambda in LAMBDAS {
                write!(f, "  {lambda:<13}")?;
            }
            for (weight, errors) in OUTCOME_WEIGHTS.iter().zip(errors) {
                write!(f, "\n{weight:<7}")?;
                for (error, bias) in errors {
                    write!(f, "  {error:.3} ({bias:.3})")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::board::Position;
    use tabiya::game::GameResult;
    use tabiya::types::Score;

    #[test]
    fn targets_that_agree_with_the_judge_have_no_error() {
        let game = |score: i32, result: GameResult| JudgedGame {
            game: TrainingGame {
                start: Position::start(),
                positions: vec![
                    ScoredPosition {
                        position: Position::start(),
                        best: None,
                        score: Some(Score(score)),
                    };
                    2
                ],
                result,
                tree: Vec::new(),
            },
            judge: WdlModel::logistic(200.0).expected(score.into(), 32),
        };
        let found = Judgement::new(vec![
            game(120, GameResult::WhiteWins),
            game(-300, GameResult::BlackWins),
            game(10, GameResult::Drawn),
        ]);
        assert_eq!(found.games, 3);
        // Only proportions count: the scale may differ from the judge's.
        for errors in &found.errors[..3] {
            assert!(
                errors[0]
                    .into_iter()
                    .all(|(error, bias)| error.max(bias) < 1e-3),
                "{found}"
            );
        }
        let (outcome_alone, _) = found.errors[0][OUTCOME_WEIGHTS.len() - 1][0];
        assert!(outcome_alone > 0.1, "{found}");
    }
}
