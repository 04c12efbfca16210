//! `tabiya analyse`: annotates games with evaluations, marks and better moves.
//!
//! Each position of a game is searched. After each move comes `[%eval …]` in pawns from White's
//! point of view, in the form of Lichess. A move that loses much of the expected score gets a mark,
//! and the better line is added as a variation. Existing comments and variations are kept. Each
//! position is kept as soon as it is searched, so an interrupted run can be resumed.

mod output;
mod plot;
mod summary;

use super::files::{named, read_bytes};
use super::number;
use super::progress::{Progress, status};
use crate::board::Position;
use crate::engine::{expected_score, normalized_score};
use crate::game::pgn::{Note, PgnGame, Reader};
use crate::game::{Game, san};
use crate::search::bench::BenchSettings;
use crate::search::{Limits, Report, SearchRequest, Searcher, StopToken, What, on_thread};
use crate::types::{Color, Move, Score};
use clap::Parser;
use output::Output;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use summary::Summary;

/// Analyse games of a PGN file
///
/// Writes the games with an evaluation after each move. A move that loses expected score gets a
/// mark (?! from 0.1 points, ? from 0.2, ?? from 0.3) and the better line as a variation. Existing
/// comments and variations are kept. At the end, prints the accuracy, average loss and marked moves
/// of each player, and writes them into the tags WhiteAnalysis and BlackAnalysis. Ctrl-C or a full
/// disk loses one position at most; --resume continues.
#[derive(Debug, Clone, PartialEq, Parser)]
#[command(name = "analyse")]
pub struct Settings {
    /// File of games; - is standard input.
    #[arg(value_name = "GAMES.pgn")]
    pub file: PathBuf,
    /// Output file; - is standard output [default: GAMES-analysed.pgn, or - for standard input]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Continue after the moves that an earlier run has analysed.
    #[arg(long)]
    pub resume: bool,
    /// Nodes per position.
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = number(1..=1_000_000_000_000_u64))]
    pub nodes: u64,
    /// Seconds per position, instead of nodes.
    #[arg(long, value_name = "SECONDS", value_parser = number(0.001..=86_400.0_f64), conflicts_with = "nodes")]
    pub time: Option<f64>,
    /// Number of search threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=BenchSettings::MAX.threads))]
    pub threads: usize,
    /// Size of the transposition table, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = number(1..=BenchSettings::MAX.hash_mib))]
    pub hash: usize,
    /// Write a graph of the evaluation as SVG; with several games, one numbered file per game.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

/// Maximum length of a better line, in plies.
const SHOWN_PLIES: usize = 8;

/// Marks, and the loss of expected score from which a move gets each.
const MARKS: [(&str, f64); 3] = [("??", 0.3), ("?", 0.2), ("?!", 0.1)];

/// The tags with the summary of each player's moves.
const SUMMARY_TAGS: [(Color, &str); Color::COUNT] = [
    (Color::White, "WhiteAnalysis"),
    (Color::Black, "BlackAnalysis"),
];

/// Result of the search of a position.
#[derive(Debug, Clone)]
struct Found {
    /// Score for the side to move; `None` if the game is over.
    score: Option<Score>,
    /// White's expected score.
    expected: f64,
    /// The best line, up to [`SHOWN_PLIES`].
    line: Vec<Move>,
}

/// Analyses the games until all are done or `interrupted` is set. Shows progress on standard error.
///
/// # Errors
/// If a file cannot be read or written, the file has no games, or memory or a thread is not
/// available.
pub fn run(settings: &Settings, interrupted: &AtomicBool) -> io::Result<()> {
    let games = read_games(&settings.file)?;
    let mut output = Output::open(out_file(settings), settings.resume)?;
    let left = games.get(output.done..).unwrap_or_default();
    let positions = left.iter().map(|game| game.history().moves().len() + 1);
    let total = positions.sum::<usize>() as u64;
    let work = || {
        let progress = Progress::new(
            total,
            "{bar:24} {pos}/{len} positions, {per_sec}, {msg}, {eta} left",
        );
        let mut summaries = Vec::new();
        let mut searcher = Searcher::new(settings.hash)?;
        searcher
            .set_threads(settings.threads)
            .map_err(io::Error::other)?;
        for (number, game) in (output.done + 1..).zip(left) {
            let message = format!("game {number} of {}", games.len());
            let mut found = output.kept(game);
            progress.advance(found.len() as u64, "positions", message.clone());
            let report = |found: &[Found]| {
                progress.advance(1, "positions", message.clone());
                output.keep(game, found)
            };
            search_game(
                game,
                settings,
                &mut searcher,
                interrupted,
                &mut found,
                report,
            )?;
            if found.len() <= game.history().moves().len() {
                summaries.push(format!("{message} is not finished: --resume continues"));
                break;
            }
            let annotated = annotated(game, &found);
            for (color, tag) in SUMMARY_TAGS {
                let name = annotated.tag(&color.to_string()).unwrap_or_default();
                let summary = annotated.tag(tag).unwrap_or_default();
                summaries.push(format!("{message}, {color} ({name}): {summary}"));
            }
            output.finish(&annotated)?;
            if let Some(plot) = &settings.plot {
                let path = numbered(plot, number, games.len());
                fs::write(&path, plot::draw(game, &found)).map_err(named(&path))?;
            }
        }
        progress.clear();
        Ok::<_, io::Error>(summaries)
    };
    let summaries = on_thread(work)??;
    summaries.iter().for_each(|line| status(line));
    status(&format!("the games are in {}", output.name()));
    Ok(())
}

/// The name that stands for standard input or output.
const STANDARD: &str = "-";

/// The output file; `None` for standard output.
fn out_file(settings: &Settings) -> Option<PathBuf> {
    let input = &settings.file;
    let out = settings.out.clone().unwrap_or_else(|| {
        if input.as_os_str() == STANDARD {
            return STANDARD.into();
        }
        let mut name = input.file_stem().unwrap_or_default().to_owned();
        name.push("-analysed.pgn");
        input.with_file_name(name)
    });
    (out.as_os_str() != STANDARD).then_some(out)
}

/// Reads the games of a file, and reports errors in them on standard error.
fn read_games(path: &Path) -> io::Result<Vec<PgnGame>> {
    let (name, bytes) = if path.as_os_str() == STANDARD {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        ("standard input".to_owned(), bytes)
    } else {
        (path.display().to_string(), read_bytes(path)?)
    };
    let mut games = Vec::new();
    for read in Reader::new(bytes.as_slice()) {
        let read = read?;
        for error in &read.errors {
            status(&format!("{name}: {error}"));
        }
        games.push(read.game);
    }
    if games.iter().all(PgnGame::is_blank) {
        let reason = format!("{name}: no games");
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(games)
}

/// Inserts a number before the extension if there are several games.
fn numbered(path: &Path, number: usize, count: usize) -> PathBuf {
    if count < 2 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}."));
    name.push(path.extension().unwrap_or("svg".as_ref()));
    path.with_file_name(name)
}

/// Searches the positions of a game that `found` lacks, until all are done or `interrupted` is set.
/// Calls `report` after each.
fn search_game(
    pgn: &PgnGame,
    settings: &Settings,
    searcher: &mut Searcher,
    interrupted: &AtomicBool,
    found: &mut Vec<Found>,
    mut report: impl FnMut(&[Found]) -> io::Result<()>,
) -> io::Result<()> {
    let limits = match settings.time {
        Some(seconds) => Limits {
            movetime: Some(Duration::from_secs_f64(seconds)),
            ..Limits::default()
        },
        None => Limits::nodes(settings.nodes),
    };
    searcher.clear();
    let plies = pgn.history().moves().len();
    for plies in found.len()..=plies {
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
        let game = Game::resume(pgn.history().until(plies), pgn.mode());
        found.push(search(&game, &limits, searcher));
        report(found)?;
    }
    Ok(())
}

fn search(game: &Game, limits: &Limits, searcher: &mut Searcher) -> Found {
    let position = *game.position();
    let for_white = |expected: f64| match position.side_to_move() {
        Color::White => expected,
        Color::Black => 1.0 - expected,
    };
    if !position.has_legal_move() {
        let expected = if position.in_check() { 0.0 } else { 0.5 };
        let (score, expected, line) = (None, for_white(expected), Vec::new());
        return Found {
            score,
            expected,
            line,
        };
    }
    let request = SearchRequest::new(game, limits.clone());
    let mut best: Option<Report> = None;
    let mut report = |what| {
        if let What::Line(report) = what {
            best = Some(report);
        }
    };
    let answer = searcher.run(&request, &StopToken::new(), Some(&mut report));
    let mut line = best.map_or_else(|| answer.best.into_iter().collect(), |report| report.pv);
    line.truncate(SHOWN_PLIES);
    Found {
        score: Some(normalized_score(answer.score, &position)),
        expected: for_white(expected_score(answer.score, &position)),
        line,
    }
}

/// The mark of a move, from the search results before and after it. The engine's own choice gets
/// none.
fn mark(mover: Color, played: Move, before: &Found, after: &Found) -> Option<&'static str> {
    let loss = loss(mover, before, after);
    let is_best = before.line.first() == Some(&played);
    let (mark, _) = MARKS
        .into_iter()
        .find(|&(_, threshold)| loss >= threshold)?;
    (!is_best).then_some(mark)
}

/// The loss of expected score by a move.
fn loss(mover: Color, before: &Found, after: &Found) -> f64 {
    match mover {
        Color::White => before.expected - after.expected,
        Color::Black => after.expected - before.expected,
    }
}

/// The moves of a game with their positions, and the search results before and after each.
fn moves<'a>(
    pgn: &'a PgnGame,
    found: &'a [Found],
) -> impl Iterator<Item = ((&'a Position, Move), (&'a Found, &'a Found))> {
    pgn.history()
        .steps()
        .zip(found.iter().zip(found.iter().skip(1)))
}

/// Adds the search results to the game.
fn annotated(pgn: &PgnGame, found: &[Found]) -> PgnGame {
    let mut annotated = pgn.clone();
    if pgn.tag("Annotator").is_none() {
        // The value is a valid tag.
        let _ = annotated.set_tag("Annotator", concat!("Tabiya ", env!("CARGO_PKG_VERSION")));
    }
    for (color, tag) in SUMMARY_TAGS {
        let summary = Summary::of(color, pgn, found).to_string();
        // The value is a valid tag.
        let _ = annotated.set_tag(tag, &summary);
    }
    for (plies, ((position, played), (before, after))) in (1..).zip(moves(pgn, found)) {
        let old = annotated.notes(plies).to_vec();
        annotated.retain_notes(plies, |_| false);
        let has_mark = old.iter().any(|note| matches!(note, Note::Glyph(1..=6)));
        let (glyphs, others): (Vec<_>, Vec<_>) = old
            .into_iter()
            .partition(|note| matches!(note, Note::Glyph(_)));
        let has_variation = others.iter().any(|note| matches!(note, Note::Variation(_)));
        let mark = mark(position.side_to_move(), played, before, after);
        let glyph = mark.and_then(Note::mark).filter(|_| !has_mark);
        let eval = after.score.map(|score| {
            let shown = score.for_white(!position.side_to_move()).in_pawns();
            Note::Comment(format!("[%eval {}]", shown.trim_start_matches('+')))
        });
        // A move that already has a mark and a variation needs no other variation.
        let better = mark
            .filter(|_| !(has_mark && has_variation))
            .map(|_| Note::Variation(san::write_line(position, &before.line)));
        let new = glyphs.into_iter().chain(glyph).chain(eval);
        for note in new
            .chain(others.into_iter().map(without_eval))
            .chain(better)
        {
            annotated.add_note(plies, note);
        }
    }
    annotated
}

/// Removes an older evaluation from a comment.
fn without_eval(note: Note) -> Note {
    match note {
        Note::Comment(text) => match text.split_once("[%eval") {
            Some((before, rest)) => {
                let after = rest.split_once(']').map_or("", |(_, after)| after);
                Note::Comment(format!("{before} {after}"))
            }
            None => Note::Comment(text),
        },
        other => other,
    }
}
