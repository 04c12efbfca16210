//! How good labels are: games are played from judged positions, and what a network would learn there is held against the
//! judge. So a target, or the nodes a move, can be chosen in minutes and without training anything.
//!
//! As with evaluations only order and proportions are judged: how far from level all labels are together is fitted. What
//! is left of the error when it is averaged over all positions with like advantages is *bias*: a network that learns from
//! many games gets rid of the rest.

use super::{
    BUCKET, BUCKETS, JUDGE_SCALE, Judged, chances, in_threads, network, read, root_mean_square,
};
use crate::engine::WdlModel;
use crate::tools::datagen::ScoredPly;
use crate::tools::train::Labels;
use crate::tools::{datagen, number};
use crate::types::Color;
use clap::Parser;
use std::fmt;
use std::io;
use std::path::PathBuf;

const LAMBDAS: [f32; 7] = [0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98];
const OUTCOME_SHARES: [f32; 7] = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0];
/// What scores may be taken to mean before they are averaged.
const MODELS: [(&str, WdlModel); 4] = [
    ("400 cp promise 0.73", WdlModel::logistic(400.0)),
    ("180 cp promise 0.73", WdlModel::logistic(180.0)),
    ("200 cp promise 0.73", WdlModel::logistic(200.0)),
    ("as fitted to games", WdlModel::SHIPPED),
];
/// Labels are moved from level, or towards it, by these factors, in logits.
const FACTORS: std::ops::RangeInclusive<u32> = 4..=60;
const FACTOR: f64 = 0.05;

/// Compare what networks would learn with a stronger engine
///
/// Plays a game from each judged position, as datagen would, and compares what a network would learn there with what the
/// judge says: for each share of the outcome and each lambda, the error of winning chances. FILE is as for 'tabiya judge'.
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(name = "labels")]
pub struct Settings {
    /// The judged positions.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Another network than the program's own, to play with.
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// After so many nodes no new iteration begins.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = number(1..=100_000_000_u64))]
    pub nodes: u64,
    /// Only the first so many positions.
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_000_usize))]
    pub positions: Option<usize>,
    /// Games at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_usize))]
    pub threads: usize,
}

/// How far labels are from the judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Games played.
    pub games: usize,
    /// For each meaning of scores, outcome share and lambda the root mean square error of winning chances, and
    /// that of their means over positions with like advantages.
    pub errors: [[[(f64, f64); LAMBDAS.len()]; OUTCOME_SHARES.len()]; MODELS.len()],
}

/// A game from a judged position.
struct Played {
    /// What White's search found at each half-move, and the pieces on the board.
    plies: Vec<ScoredPly>,
    /// What it brought White.
    points: f32,
    /// What the judge expected for White.
    judge: f64,
}

/// Judges labels.
///
/// # Errors
/// If a file cannot be read or makes no sense, or the system gives no memory or thread.
pub fn run(settings: &Settings) -> io::Result<Judgement> {
    let mut judged = read(&settings.file)?;
    judged.truncate(settings.positions.unwrap_or(usize::MAX));
    let network = network(settings.net.as_deref())?;
    let games = in_threads(&judged, settings.threads, &network, |judged, searcher| {
        let (plies, points) = datagen::play_from(judged.position, settings.nodes, searcher)?;
        (!plies.is_empty()).then(|| Played {
            plies,
            points,
            judge: for_white(judged),
        })
    })?;
    Ok(Judgement::new(games.into_iter().flatten().collect()))
}

fn for_white(judged: &Judged) -> f64 {
    match judged.position.side_to_move() {
        Color::White => judged.chances(),
        Color::Black => 1.0 - judged.chances(),
    }
}

impl Judgement {
    fn new(games: Vec<Played>) -> Self {
        let judges: Vec<_> = games.iter().map(|game| game.judge).collect();
        let error = |model: &WdlModel, labels: Labels| {
            let label = |game: &Played| {
                let targets = labels.of_game(model, &game.plies, Some(game.points));
                let target = targets[0].expect("every move was searched in full");
                let label = f64::from(target).clamp(1e-6, 1.0 - 1e-6);
                (label / (1.0 - label)).ln()
            };
            let logits: Vec<_> = games.iter().map(label).collect();
            let errors = FACTORS.map(|factor| {
                let factor = f64::from(factor) * FACTOR;
                let labels = logits.iter().map(|logit| chances(logit * factor, 1.0));
                (
                    root_mean_square(labels.clone(), &judges),
                    bias(labels, &judges),
                )
            });
            errors
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .unwrap_or((f64::NAN, f64::NAN))
        };
        Self {
            games: games.len(),
            errors: MODELS.map(|(_, model)| {
                OUTCOME_SHARES
                    .map(|wdl| LAMBDAS.map(|lambda| error(&model, Labels { lambda, wdl })))
            }),
        }
    }
}

/// The root mean square error of the means over the judge's buckets, a position a vote.
fn bias(labels: impl Iterator<Item = f64>, judges: &[f64]) -> f64 {
    let mut sums = [(0.0, 0.0); BUCKETS];
    for (label, judge) in labels.zip(judges) {
        let advantage = (judge / (1.0 - judge)).ln() * JUDGE_SCALE;
        let bucket = (advantage.abs() / f64::from(BUCKET)) as usize;
        let (count, sum) = &mut sums[bucket.min(BUCKETS - 1)];
        *count += 1.0;
        *sum += (label - judge).copysign((label - judge) * advantage);
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
            "{} games; error of winning chances (of which bias), by meaning of scores, outcome share and lambda",
            self.games
        )?;
        for ((name, _), errors) in MODELS.iter().zip(&self.errors) {
            write!(f, "{name}\noutcome")?;
            for lambda in LAMBDAS {
                write!(f, "  {lambda:<13}")?;
            }
            for (share, errors) in OUTCOME_SHARES.iter().zip(errors) {
                write!(f, "\n{share:<7}")?;
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
    use crate::types::Score;

    #[test]
    fn labels_that_say_what_the_judge_says_have_no_error() {
        let game = |score: i32, points: f32| Played {
            plies: vec![(Some(Score(score)), 20), (Some(Score(score)), 19)],
            points,
            judge: WdlModel::logistic(200.0).expected(score.into(), 20),
        };
        let found = Judgement::new(vec![game(120, 1.0), game(-300, 0.0), game(10, 0.5)]);
        assert_eq!(found.games, 3);
        // Only proportions count: 400 centipawns may promise what 200 promise the judge.
        for errors in &found.errors[..3] {
            assert!(
                errors[0]
                    .into_iter()
                    .all(|(error, bias)| error.max(bias) < 1e-3),
                "{found}"
            );
        }
        let (outcome_alone, _) = found.errors[0][OUTCOME_SHARES.len() - 1][0];
        assert!(outcome_alone > 0.1, "{found}");
    }
}
