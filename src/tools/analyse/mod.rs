//! `tabiya analyse`: annotates games with evaluations, marks and better moves.
//!
//! Each position of a game is searched. After each move comes `[%eval …]` in pawns from White's
//! point of view, in the form of Lichess. A move that loses much of the expected score gets a mark,
//! and the better line is added as a variation. Comments and variations that others put into the
//! game are kept, without their `[%eval]`; those of an earlier analysis are replaced.
//!
//! The games are read one at a time and appended to the output, so a database of any size needs the
//! memory of one game. The game in progress is kept, so an interrupted run can be resumed.

mod input;
mod note;
mod output;
mod plot;

use super::files::{
    STANDARD, read_text, refuse_standard, refuse_to_replace, try_to_write, write_whole,
};
use super::interrupt::interruption;
use super::number;
use super::progress::{Progress, status};
use crate::game::Game;
use crate::game::pgn::PgnGame;
use crate::review::{Evaluation, SHOWN_PLIES};
use crate::search::bench::BenchSettings;
use crate::search::{Limits, SearchRequest, Searcher, on_thread};
use clap::Parser;
use input::Games;
use note::{SUMMARY_TAGS, annotated};
use output::{Output, kept_file};
use std::io;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Analyse games of a PGN file
///
/// Writes the games with an evaluation after each move. A move that loses expected score gets a
/// mark (?! from 0.1 points, ? from 0.2, ?? from 0.3) and the better line as a variation. Existing
/// comments and variations are kept, without their evaluations ([%eval]); those of an earlier
/// analysis are replaced. Prints the accuracy, average loss and marked moves of each player, and
/// writes them into the tags WhiteAnalysis and BlackAnalysis. Games of variants that are not played
/// here are copied. Ctrl-C loses nothing, and a crash at most half a second and the position being
/// searched; --resume continues.
#[derive(Debug, Clone, PartialEq, Parser)]
#[command(name = "analyse")]
pub struct Settings {
    /// File of games; - is standard input.
    #[arg(value_name = "GAMES.pgn")]
    pub file: PathBuf,
    /// Output file; - is standard output [default: GAMES-analysed.pgn, or - for standard input]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Continue after the moves that an earlier run has analysed. The games of the output must be
    /// the first ones of the input. The rest of an interrupted game is searched without what was
    /// learned from its first moves, so its evaluations may differ a little.
    #[arg(long)]
    pub resume: bool,
    /// Start anew, and replace the output file and graphs that exist. With --resume, continue, and
    /// append to an output that has other games.
    #[arg(long)]
    pub force: bool,
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
    /// Existing files are replaced only with --force.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

/// Analyses the games until all are done or `interrupted` is set. Shows progress on standard error.
///
/// # Errors
/// If a file cannot be read or written, or would be replaced; if the file has no games; if memory
/// or a thread is not available. After an interruption the kind is [`io::ErrorKind::Interrupted`].
pub fn run(settings: &Settings, interrupted: &AtomicBool) -> io::Result<()> {
    let out = out_file(settings);
    refuse_conflicts(settings, out.as_deref())?;
    let output = Output::open(out, settings.resume, settings.force)?;
    on_thread(|| analyse(settings, output, interrupted))?
}

fn analyse(settings: &Settings, mut output: Output, interrupted: &AtomicBool) -> io::Result<()> {
    let progress = Progress::new("positions", None);
    let report = |line: &str| progress.note(line);
    let (games, share) = Games::open(&settings.file, &report)?;
    // Found out now, not after hours.
    for path in output.path().into_iter().chain(settings.plot.as_deref()) {
        try_to_write(path)?;
    }
    let name = games.name.clone();
    let mut games = games.peekable();
    if settings.resume {
        output.resume(&mut games)?;
    }
    // Where nothing can be analysed, the old output must stay.
    games.next_if(Result::is_err).transpose()?;
    if games.peek().is_none() && output.done == 0 {
        let reason = format!("{name}: no games");
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    let mut searcher = Searcher::new(settings.hash)?;
    searcher
        .set_threads(settings.threads)
        .map_err(io::Error::other)?;
    if !settings.resume {
        output.start_anew()?;
    }
    while let Some(game) = games.next() {
        let game = game?;
        let number = output.done + 1;
        if game.is_foreign() {
            report(&format!(
                "game {number} is not analysed: its variant or its start position is not played here"
            ));
            output.finish(&game)?;
            continue;
        }
        let message = match share.percent() {
            Some(percent) => format!("game {number}, {percent} % of the file"),
            None => format!("game {number}"),
        };
        let graph = graph_of(settings, number, &mut games, output.path())?;
        let mut found = output.kept(&game);
        progress.advance(found.len() as u64, &message);
        let is_done = search_game(
            &game,
            settings,
            &mut searcher,
            interrupted,
            &mut found,
            |found| {
                progress.advance(1, &message);
                output.keep(&game, found)
            },
        )?;
        if !is_done {
            output.keep_now(&game, &found)?;
            output.sync()?;
            progress.finish();
            let reason = match output.path() {
                Some(_) => format!("game {number} is not finished: --resume continues"),
                None => format!("game {number} is not finished"),
            };
            return Err(interruption(reason));
        }
        let annotated = annotated(&game, &found);
        for (color, tag) in SUMMARY_TAGS {
            let name = annotated.tag(&color.to_string()).unwrap_or_default();
            let summary = annotated.tag(tag).unwrap_or_default();
            report(&format!("game {number}, {color} ({name}): {summary}"));
        }
        if let Some(path) = graph {
            output.keep_now(&game, &found)?;
            write_whole(&path, plot::draw(&game, &found).as_bytes())?;
        }
        output.finish(&annotated)?;
    }
    output.sync()?;
    progress.clear();
    status(&format!("the games are in {}", output.name()));
    Ok(())
}

/// The file for the graph of a game, if one is wanted. `others` are the games after it.
///
/// # Errors
/// If the next game cannot be read, or the graph would replace another file.
fn graph_of(
    settings: &Settings,
    number: usize,
    others: &mut Peekable<Games<'_>>,
    out: Option<&Path>,
) -> io::Result<Option<PathBuf>> {
    let Some(plot) = &settings.plot else {
        return Ok(None);
    };
    let is_only = number == 1 && others.peek().is_none();
    let path = if is_only {
        plot.clone()
    } else {
        numbered(plot, number)
    };
    refuse_plot(settings, &path, number, out)?;
    Ok(Some(path))
}

/// Refuses an output or a file of the game in progress that is the input, and a graph in the place
/// of one of them.
fn refuse_conflicts(settings: &Settings, out: Option<&Path>) -> io::Result<()> {
    if let Some(out) = out {
        for path in [out, &kept_file(out)] {
            refuse_to_replace(path, &[&settings.file], true)?;
        }
    }
    if let Some(plot) = &settings.plot {
        refuse_standard(plot, "--plot")?;
        for path in [plot, &numbered(plot, 1)] {
            refuse_in_use(settings, path, out)?;
        }
    }
    Ok(())
}

/// Refuses a graph in the place of the input or the output.
fn refuse_in_use(settings: &Settings, path: &Path, out: Option<&Path>) -> io::Result<()> {
    let kept = out.map(kept_file);
    let inputs = [Some(settings.file.as_path()), out, kept.as_deref()];
    let inputs: Vec<_> = inputs.into_iter().flatten().collect();
    refuse_to_replace(path, &inputs, true)
}

/// Refuses the graph of a game in the place of another file. A resumed run replaces its own graphs.
fn refuse_plot(
    settings: &Settings,
    path: &Path,
    number: usize,
    out: Option<&Path>,
) -> io::Result<()> {
    let is_own = || read_text(path).is_ok_and(|text| plot::is_own(&text));
    let is_free = settings.force || settings.resume && path.is_file() && is_own();
    refuse_in_use(settings, path, out)?;
    if !is_free && path.exists() {
        // --force alone would begin the analysis anew.
        let options = if number == 1 {
            "--force"
        } else {
            "--resume --force, which keeps the games that are done"
        };
        let path = path.display();
        let reason = format!("{path} exists: move it away, or replace it by {options}");
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
    }
    Ok(())
}

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

/// Inserts a number before the extension.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}."));
    name.push(path.extension().unwrap_or("svg".as_ref()));
    path.with_file_name(name)
}

/// Searches the positions of a game that `found` lacks, until all are done or `interrupted` is set.
/// Calls `report` after each. Returns whether all are done.
fn search_game(
    pgn: &PgnGame,
    settings: &Settings,
    searcher: &mut Searcher,
    interrupted: &AtomicBool,
    found: &mut Vec<Evaluation>,
    mut report: impl FnMut(&[Evaluation]) -> io::Result<()>,
) -> io::Result<bool> {
    let limits = match settings.time {
        Some(seconds) => Limits {
            movetime: Some(Duration::from_secs_f64(seconds)),
            ..Limits::default()
        },
        None => Limits::nodes(settings.nodes),
    };
    searcher.clear();
    let history = pgn.history();
    let mut game = Game::resume(history.until(found.len()), pgn.mode());
    let mut moves = history.moves().skip(found.len());
    while found.len() <= history.moves().len() {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(false);
        }
        found.push(search(&game, &limits, searcher));
        report(found)?;
        if let Some(mv) = moves.next() {
            game.replay(mv).map_err(io::Error::other)?;
        }
    }
    Ok(true)
}

fn search(game: &Game, limits: &Limits, searcher: &mut Searcher) -> Evaluation {
    let position = game.position();
    if !position.has_legal_move() {
        return Evaluation::of_end(position);
    }
    let request = SearchRequest::new(game, limits.clone());
    let answer = searcher.run(&request, None);
    let mut line = answer.pv().to_vec();
    line.truncate(SHOWN_PLIES);
    Evaluation::new(position, answer.score, line)
}
