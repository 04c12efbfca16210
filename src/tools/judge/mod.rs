//! How good evaluations and labels are, beside positions that a stronger engine has judged.
//!
//! A file of judged positions has a line each: a FEN, a semicolon, the judge's score in centipawns for the side to move.
//! Nothing is ever learned from them. All is compared as winning chances, since an error of a pawn says much in a level
//! position and nothing in a won one. The scale on which this program's centipawns become winning chances is fitted,
//! so only the order and the proportions of its scores are judged.

pub mod labels;

use crate::board::Position;
use crate::engine::load_network;
use crate::eval::{Network, evaluate};
use crate::search::{Limits, SearchRequest, Searcher, StopToken, new_thread};
use crate::tools::files::read_text;
use crate::tools::number;
use crate::types::Score;
use clap::Parser;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{io, thread};

/// Centipawns of Stockfish 15.1, the judge, for which it expects 0.73 of a point.
const JUDGE_SCALE: f64 = 120.0;
/// Scales of our own that are tried, in centipawns.
const SCALES: std::ops::RangeInclusive<u32> = 40..=600;
const SCALE_STEP: usize = 5;
/// The judge's advantages are told apart by so many centipawns, up to the last bucket.
const BUCKET: i32 = 60;
const BUCKETS: usize = 8;
const HASH_MIB: usize = 16;

/// Compare evaluations with those of a stronger engine
///
/// Tells the error of winning chances, and where they are too near to level. A line of the file is a FEN, a semicolon, and
/// the other engine's score in centipawns for the side to move. Positions should be quiet; a network must never learn
/// from them.
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(name = "judge")]
pub struct Settings {
    /// The judged positions.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Another network than the program's own.
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// Judge searches of so many nodes, not static evaluations.
    #[arg(long, value_name = "N", value_parser = number(1..=100_000_000_u64))]
    pub nodes: Option<u64>,
    /// Threads, for searches.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_usize))]
    pub threads: usize,
}

/// How an evaluation compares with the judge's.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// How many positions were judged.
    pub positions: usize,
    /// The root mean square error of winning chances, 0 to 1.
    pub error: f64,
    /// The scale that makes it smallest: centipawns for 0.73 of a point.
    pub scale: f64,
    /// The correlation of winning chances with the judge's.
    pub correlation: f64,
    /// The mean of |score| in centipawns.
    pub mean_score: f64,
    /// The mean |score| of the judge.
    pub mean_judge: f64,
    /// For each bucket of the judge's advantage: positions, mean winning chances of the better side, and the judge's.
    pub buckets: [(usize, f64, f64); BUCKETS],
}

/// A position and the judge's score of it, in centipawns for the side to move.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) position: Position,
    pub(crate) score: i32,
}

impl Judged {
    /// What the judge expects for the side to move.
    fn chances(&self) -> f64 {
        chances(f64::from(self.score), JUDGE_SCALE)
    }
}

/// Judges an evaluation.
///
/// # Errors
/// If a file cannot be read or makes no sense, or the system gives no memory or thread.
pub fn run(settings: &Settings) -> io::Result<Judgement> {
    let judged = read(&settings.file)?;
    let network = network(settings.net.as_deref())?;
    let scores = match settings.nodes {
        None => judged
            .iter()
            .map(|judged| evaluate(&network, &judged.position))
            .collect(),
        Some(nodes) => in_threads(&judged, settings.threads, &network, |judged, searcher| {
            searcher.clear();
            let request = SearchRequest::new(judged.position, Limits::nodes(nodes));
            let answer = searcher.search(&request, &StopToken::new(), &mut |_| {});
            answer.score
        })?,
    };
    Ok(Judgement::new(&judged, &scores))
}

impl Judgement {
    fn new(judged: &[Judged], scores: &[Score]) -> Self {
        let ours = |scale: f64| {
            scores
                .iter()
                .map(move |score| chances(f64::from(score.0), scale))
        };
        let judges: Vec<_> = judged.iter().map(Judged::chances).collect();
        let (scale, error) = best_scale(|scale| root_mean_square(ours(scale), &judges));
        let mut sums = [(0, 0.0, 0.0); BUCKETS];
        for ((judged, own), &judge) in judged.iter().zip(ours(scale)).zip(&judges) {
            let bucket = (judged.score.abs() / BUCKET) as usize;
            let (count, own_sum, judge_sum) = &mut sums[bucket.min(BUCKETS - 1)];
            let better = |chances: f64| {
                if judged.score < 0 {
                    1.0 - chances
                } else {
                    chances
                }
            };
            *count += 1;
            *own_sum += better(own);
            *judge_sum += better(judge);
        }
        let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
        let mean_of = |sum: u64| sum as f64 / judged.len().max(1) as f64;
        Self {
            positions: judged.len(),
            error,
            scale,
            correlation: correlation(ours(scale), &judges),
            mean_score: mean_of(
                scores
                    .iter()
                    .map(|score| u64::from(score.0.unsigned_abs()))
                    .sum(),
            ),
            mean_judge: mean_of(
                judged
                    .iter()
                    .map(|judged| u64::from(judged.score.unsigned_abs()))
                    .sum(),
            ),
            buckets: sums.map(|(count, own, judge)| (count, mean(own, count), mean(judge, count))),
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "error         {:.4} of winning chances over {} positions (scale {} cp)",
            self.error, self.positions, self.scale
        )?;
        writeln!(f, "correlation   {:.4}", self.correlation)?;
        writeln!(
            f,
            "mean |score|  {:.0} cp, the judge's {:.0}",
            self.mean_score, self.mean_judge
        )?;
        writeln!(f, "judge's score positions  chances  judge's  short by")?;
        for (index, (count, own, judge)) in self.buckets.iter().enumerate() {
            writeln!(
                f,
                "from {:3} cp   {count:9}  {own:7.3}  {judge:7.3}  {:8.3}",
                index as i32 * BUCKET,
                judge - own
            )?;
        }
        Ok(())
    }
}

/// Reads judged positions.
pub(crate) fn read(file: &Path) -> io::Result<Vec<Judged>> {
    let fail = |kind, line: usize, reason: &dyn fmt::Display| {
        io::Error::new(kind, format!("{}:{line}: {reason}", file.display()))
    };
    let text = read_text(file)?;
    let judged: Vec<_> = text
        .lines()
        .zip(1..)
        .map(|(line, number)| {
            let bad = |reason: &dyn fmt::Display| fail(io::ErrorKind::InvalidData, number, reason);
            let (fen, score) = line
                .split_once(';')
                .ok_or_else(|| bad(&"there is no semicolon"))?;
            Ok(Judged {
                position: Position::from_fen(fen).map_err(|error| bad(&error))?,
                score: score.trim().parse().map_err(|error| bad(&error))?,
            })
        })
        .collect::<io::Result<_>>()?;
    if judged.is_empty() {
        return Err(fail(
            io::ErrorKind::InvalidData,
            1,
            &"there are no positions",
        ));
    }
    Ok(judged)
}

/// The network in the file, or the program's own.
fn network(file: Option<&Path>) -> io::Result<Arc<Network>> {
    Ok(match file {
        Some(file) => Arc::new(load_network(file)?),
        None => Network::embedded(),
    })
}

/// The answers of a function about each position, in their order; each thread has a searcher of its own.
fn in_threads<T: Send>(
    judged: &[Judged],
    threads: usize,
    network: &Arc<Network>,
    answer: impl Fn(&Judged, &mut Searcher) -> T + Sync,
) -> io::Result<Vec<T>> {
    let share = judged.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = judged
            .chunks(share)
            .map(|part| {
                let (answer, network) = (&answer, network.clone());
                new_thread().spawn_scoped(scope, move || {
                    let mut searcher = Searcher::new(HASH_MIB)?;
                    searcher.set_network(network);
                    Ok::<_, io::Error>(
                        part.iter()
                            .map(|judged| answer(judged, &mut searcher))
                            .collect::<Vec<_>>(),
                    )
                })
            })
            .collect::<io::Result<_>>()?;
        let mut answers = Vec::with_capacity(judged.len());
        for worker in workers {
            let part = worker
                .join()
                .map_err(|_| io::Error::other("a search was broken off by a fault"))?;
            answers.append(&mut part?);
        }
        Ok(answers)
    })
}

/// The share of a point that a score promises on a scale, both in centipawns.
fn chances(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// The scale with the smallest error, and that error.
fn best_scale(error: impl Fn(f64) -> f64) -> (f64, f64) {
    SCALES
        .step_by(SCALE_STEP)
        .map(|scale| (f64::from(scale), error(f64::from(scale))))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((JUDGE_SCALE, f64::NAN))
}

fn root_mean_square(ours: impl Iterator<Item = f64>, judges: &[f64]) -> f64 {
    let sum: f64 = ours.zip(judges).map(|(a, b)| (a - b).powi(2)).sum();
    (sum / judges.len().max(1) as f64).sqrt()
}

/// Pearson's coefficient.
fn correlation(ours: impl Iterator<Item = f64> + Clone, judges: &[f64]) -> f64 {
    let count = judges.len().max(1) as f64;
    let mean = ours.clone().sum::<f64>() / count;
    let judges_mean = judges.iter().sum::<f64>() / count;
    let (mut product, mut square, mut judges_square) = (0.0, 0.0, 0.0);
    for (own, judge) in ours.zip(judges) {
        let (own, judge) = (own - mean, judge - judges_mean);
        product += own * judge;
        square += own * own;
        judges_square += judge * judge;
    }
    product / (square * judges_square).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(scores: &[i32]) -> Vec<Judged> {
        let judged = |&score| Judged {
            position: Position::start(),
            score,
        };
        scores.iter().map(judged).collect()
    }

    /// Half as large everywhere is as good: the scale is fitted.
    #[test]
    fn proportions_are_judged() {
        let judged = judged(&[-500, -130, 0, 60, 240]);
        let scores = [-250, -65, 0, 30, 120].map(Score);
        let found = Judgement::new(&judged, &scores);
        assert!(
            found.error < 1e-9 && found.correlation > 0.999_999,
            "{found}"
        );
        assert_eq!((found.scale, found.positions), (60.0, 5));
        assert_eq!((found.mean_score, found.mean_judge), (93.0, 186.0));
        assert_eq!(
            found.buckets.map(|bucket| bucket.0),
            [1, 1, 1, 0, 1, 0, 0, 1]
        );
        let (_, own, judge) = found.buckets[7];
        assert!((own - judge).abs() < 1e-9 && judge > 0.98, "{found}");
    }

    #[test]
    fn errors_are_of_winning_chances() {
        let judged = judged(&[0, 0, 0, 0]);
        let found = Judgement::new(&judged, &[10_000, -10_000, 0, 0].map(Score));
        assert!((found.error - 0.5_f64.powf(1.5)).abs() < 1e-6, "{found}");
    }
}
