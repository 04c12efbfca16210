//! Compares evaluations with a stronger engine's, the judge's.
//!
//! A file of judged positions has one position a line: a FEN, a semicolon, and the judge's score in
//! centipawns for the side to move. Networks are never trained on these positions.
//!
//! Scores are compared as expected scores (0 to 1), since an error of a pawn matters in a level
//! position and not in a won one. The scale of our own score sigmoid is fitted, so only the order
//! and the proportions of our scores count.

pub mod targets;

use clap::Parser;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};
use tabiya::board::Position;
use tabiya::eval::{Network, evaluate};
use tabiya::search::{Limits, SearchRequest, Searcher, on_threads};
use tabiya::tools::files::{network_or_embedded, read_text};
use tabiya::tools::number;
use tabiya::tools::viriformat::{MAX_PIECES, ScoredPosition};
use tabiya::types::Score;

/// Scale of the judge's score sigmoid: this many centipawns of Stockfish 15.1 mean an expected
/// score of 0.73.
const JUDGE_SCALE: f64 = 120.0;
/// Scales tried for our own scores, in centipawns.
const SCALES: std::ops::RangeInclusive<u32> = 40..=600;
const SCALE_STEP: usize = 5;
/// Width of a bucket of the judge's |score|, in centipawns. The last bucket has no upper bound.
const BUCKET: i32 = 60;
const BUCKETS: usize = 8;
const HASH_MIB: usize = 16;
/// The most pieces of each group of positions, kings and pawns included.
const PIECE_GROUPS: [usize; 7] = [7, 13, 17, 21, 25, 29, MAX_PIECES];

/// Compare evaluations with a stronger engine's
///
/// Prints the root mean square error of the expected score, and how it is made up: for each range
/// of the other engine's score, how much the expected score of the better side is too low, or with
/// '--by pieces' the error for each range of the number of pieces. A line of FILE is a FEN, a
/// semicolon, and the other engine's score in centipawns for the side to move. The positions should
/// be quiet, and no network should be trained on them.
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(name = "judge")]
pub struct Settings {
    /// File of judged positions.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Network to compare [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// Compare searches of N nodes instead of static evaluations.
    #[arg(long, value_name = "N", value_parser = number(1..=100_000_000_u64))]
    pub nodes: Option<u64>,
    /// Number of threads, for searches.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_usize))]
    pub threads: usize,
    /// Groups of positions to list.
    #[arg(long, value_name = "GROUPS", default_value = "score")]
    pub by: Groups,
}

/// How positions are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Groups {
    /// By the other engine's |score|.
    Score,
    /// By the number of pieces on the board.
    Pieces,
}

/// Comparison of an evaluation with the judge's.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Number of positions.
    pub positions: usize,
    /// Root mean square error of the expected score, 0 to 1.
    pub error: f64,
    /// The scale that minimises the error: centipawns for an expected score of 0.73.
    pub scale: f64,
    /// Correlation of the expected scores with the judge's.
    pub correlation: f64,
    /// Mean |score| in centipawns.
    pub mean_score: f64,
    /// Mean |score| of the judge.
    pub mean_judge: f64,
    /// For each bucket of the judge's |score|: number of positions, mean expected score of the
    /// better side, and the judge's mean.
    pub buckets: [(usize, f64, f64); BUCKETS],
    /// For each group of numbers of pieces: number of positions, and root mean square error.
    pub by_pieces: [(usize, f64); PIECE_GROUPS.len()],
    groups: Groups,
}

/// The judge's score for the side to move, in centipawns.
fn judge_score(judged: &ScoredPosition) -> i32 {
    judged.score_for_side_to_move().unwrap_or_default().0
}

/// The judge's expected score for the side to move.
fn judge_expectation(judged: &ScoredPosition) -> f64 {
    expected_score(judge_score(judged).into(), JUDGE_SCALE)
}

/// Compares an evaluation with the judge's.
///
/// # Errors
/// If a file cannot be read or is malformed, or memory or a thread is not available.
pub fn run(settings: &Settings) -> io::Result<Judgement> {
    let judged = read(&settings.file)?;
    let network = network_or_embedded(settings.net.as_deref())?;
    let scores = match settings.nodes {
        None => judged
            .iter()
            .map(|judged| evaluate(&network, &judged.position))
            .collect(),
        Some(nodes) => in_threads(&judged, settings.threads, &network, |judged, searcher| {
            searcher.clear();
            let request = SearchRequest::new(judged.position, Limits::nodes(nodes));
            let answer = searcher.search_silently(&request)?;
            Ok(answer.score)
        })?,
    };
    Ok(Judgement::new(&judged, &scores, settings.by))
}

impl Judgement {
    /// `scores` are ours, for the side to move.
    fn new(judged: &[ScoredPosition], scores: &[Score], groups: Groups) -> Self {
        let ours = |scale: f64| {
            scores
                .iter()
                .map(move |score| expected_score(score.0.into(), scale))
        };
        let judges: Vec<_> = judged.iter().map(judge_expectation).collect();
        let (scale, error) = best_scale(|scale| root_mean_square(ours(scale), &judges));
        let mut sums = [(0, 0.0, 0.0); BUCKETS];
        let mut squares = [(0, 0.0); PIECE_GROUPS.len()];
        for ((judged, own), &judge) in judged.iter().zip(ours(scale)).zip(&judges) {
            let group = PIECE_GROUPS.partition_point(|&most| most < judged.pieces());
            // A position that no game reaches may have more pieces.
            let group = group.min(PIECE_GROUPS.len() - 1);
            let (count, square) = &mut squares[group];
            *count += 1;
            *square += (own - judge).powi(2);
            let score = judge_score(judged);
            let bucket = (score.abs() / BUCKET) as usize;
            let (count, own_sum, judge_sum) = &mut sums[bucket.min(BUCKETS - 1)];
            let better = |expected: f64| {
                if score < 0 { 1.0 - expected } else { expected }
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
                    .map(|judged| u64::from(judge_score(judged).unsigned_abs()))
                    .sum(),
            ),
            buckets: sums.map(|(count, own, judge)| (count, mean(own, count), mean(judge, count))),
            by_pieces: squares.map(|(count, square)| (count, mean(square, count).sqrt())),
            groups,
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tried = [*SCALES.start(), *SCALES.end()].map(f64::from);
        let at_bound = match tried.iter().position(|&bound| bound == self.scale) {
            Some(0) => ", the least tried",
            Some(_) => ", the largest tried",
            None => "",
        };
        writeln!(
            f,
            "error         {:.4} of the expected score, {} positions (scale {} cp{at_bound})",
            self.error, self.positions, self.scale
        )?;
        // Without one, as for a single position, it is not a number.
        if self.correlation.is_finite() {
            writeln!(f, "correlation   {:.4}", self.correlation)?;
        }
        writeln!(
            f,
            "mean |score|  {:.0} cp, judge {:.0} cp",
            self.mean_score, self.mean_judge
        )?;
        if self.groups == Groups::Pieces {
            writeln!(f, "pieces    positions   error")?;
            let mut least = 2;
            for (most, (count, error)) in PIECE_GROUPS.into_iter().zip(self.by_pieces) {
                let error = if count > 0 {
                    format!("{error:6.4}")
                } else {
                    "-".to_owned()
                };
                writeln!(f, "{least:2} to {most:2}  {count:9}  {error:>6}")?;
                least = most + 1;
            }
            return Ok(());
        }
        writeln!(f, "judge's |score|  positions     own   judge  short by")?;
        for (index, (count, own, judge)) in self.buckets.iter().enumerate() {
            let figures = if *count > 0 {
                format!("{own:6.3}  {judge:6.3}  {:8.3}", judge - own)
            } else {
                format!("{0:>6}  {0:>6}  {0:>8}", "-")
            };
            let from = index as i32 * BUCKET;
            writeln!(f, "from {from:3} cp      {count:9}  {figures}")?;
        }
        Ok(())
    }
}

/// Reads a file of judged positions.
fn read(file: &Path) -> io::Result<Vec<ScoredPosition>> {
    let bad = |reason: String| {
        let reason = format!("{}{reason}", file.display());
        io::Error::new(io::ErrorKind::InvalidData, reason)
    };
    let text = read_text(file)?;
    let judged: Vec<_> = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty())
        .map(|(line, number)| read_line(line).map_err(|error| bad(format!(":{number}: {error}"))))
        .collect::<io::Result<_>>()?;
    if judged.is_empty() {
        return Err(bad(": no positions".to_owned()));
    }
    Ok(judged)
}

/// Reads a line, whose score is for the side to move.
fn read_line(line: &str) -> Result<ScoredPosition, String> {
    let parts = line.split_once(';');
    let (fen, score) = parts.ok_or("no semicolon: expected a FEN, a semicolon, a score")?;
    let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
    let score = score.trim();
    let bad_score = |_| format!("bad score '{score}': expected whole centipawns");
    let score = Score(score.parse().map_err(bad_score)?);
    Ok(ScoredPosition {
        position,
        best: None,
        score: Some(score.for_white(position.side_to_move())),
    })
}

/// Calls `answer` for each position and returns the results in order. Each thread has its own
/// searcher.
fn in_threads<T: Send>(
    judged: &[ScoredPosition],
    threads: usize,
    network: &Arc<Network>,
    answer: impl Fn(&ScoredPosition, &mut Searcher) -> io::Result<T> + Sync,
) -> io::Result<Vec<T>> {
    let share = judged.len().div_ceil(threads).max(1);
    let parts = on_threads(judged.chunks(share), |part| {
        let mut searcher = Searcher::new(HASH_MIB)?;
        searcher.set_network(network.clone());
        part.iter()
            .map(|judged| answer(judged, &mut searcher))
            .collect()
    })?;
    let answers: Vec<Vec<T>> = parts.into_iter().collect::<io::Result<_>>()?;
    Ok(answers.into_iter().flatten().collect())
}

/// The expected score for a score and a sigmoid scale, both in centipawns.
fn expected_score(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// The scale with the smallest error, and the error.
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

/// Pearson's correlation coefficient.
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

    fn judged(scores: &[i32]) -> Vec<ScoredPosition> {
        let judged = |&score| ScoredPosition {
            position: Position::start(),
            best: None,
            score: Some(Score(score)),
        };
        scores.iter().map(judged).collect()
    }

    /// The scale is fitted.
    #[test]
    fn halving_every_score_changes_no_error() {
        let judged = judged(&[-500, -130, 0, 60, 240]);
        let scores = [-250, -65, 0, 30, 120].map(Score);
        let found = Judgement::new(&judged, &scores, Groups::Score);
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

    /// The first position has 3 pieces, the second 32; only the second is misjudged.
    #[test]
    fn errors_are_listed_by_the_number_of_pieces() {
        // The last one is from no game, and counts among those with the most pieces.
        let many = "k7/pppppppp/nnnnnnnn/8/8/NNNNNNNN/PPPPPPPP/7K w - - 0 1;0";
        let judged = ["4k3/8/8/8/8/8/8/Q3K3 w - - 0 1;600", "START;0", many].map(|line| {
            let start = Position::start().to_string();
            read_line(&line.replace("START", &start)).unwrap()
        });
        let scores = [3_000, 200, 200].map(Score);
        let found = Judgement::new(&judged, &scores, Groups::Pieces);
        let errors = found.by_pieces.map(|(count, error)| (count, error > 0.02));
        let none = (0, false);
        let expected = [(1, false), none, none, none, none, none, (2, true)];
        assert_eq!(errors, expected, "{found:?}");
        let text = found.to_string();
        assert!(text.contains("\n30 to 32          2  "), "{text}");
    }

    #[test]
    fn a_line_needs_a_fen_and_a_score_for_the_side_to_move() {
        let judged = read_line("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1; -900").unwrap();
        assert_eq!(judged.score, Some(Score(900)));
        assert_eq!(judge_score(&judged), -900);
        for (line, expected) in [
            ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", "no semicolon"),
            ("nonsense; 1", "bad FEN"),
            ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1; +-", "bad score"),
        ] {
            let error = read_line(line).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn errors_are_of_expected_scores() {
        let judged = judged(&[0, 0, 0, 0]);
        let scores = [10_000, -10_000, 0, 0].map(Score);
        let found = Judgement::new(&judged, &scores, Groups::Score);
        assert!((found.error - 0.5_f64.powf(1.5)).abs() < 1e-6, "{found}");
    }
}
