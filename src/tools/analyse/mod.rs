//! `tabiya analyse`: games with evaluations, marks and better moves, as other chess programs read them.
//!
//! Each position of a game is searched. After each move stands `[%eval …]`, in pawns as White counts, as Lichess writes it. A
//! move that gives away a good part of a point gets a mark, and the line that was better stands beside it as a variation.
//! What others have said of the game is kept. Games are appended to the output one by one, so that a run that is cut off
//! can go on.

mod plot;

use super::files::{named, read_bytes};
use super::number;
use super::progress::{Progress, status};
use crate::board::Position;
use crate::engine::{expected_score, normalized_score};
use crate::game::pgn::{Note, PgnGame, Reader};
use crate::game::{Game, san};
use crate::search::bench::BenchSettings;
use crate::search::{Info, Limits, Report, SearchRequest, Searcher, StopToken, new_thread};
use crate::types::{Color, Move, Score};
use clap::Parser;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Analyse games of a PGN file
///
/// Writes the games back with an evaluation after each move, marks for moves that give something away (?! a tenth of a
/// point, ? a fifth, ?? three tenths), and the better line. What others have said of the games is kept. Ctrl-C ends it
/// after the games that are done; --resume goes on.
#[derive(Debug, Clone, PartialEq, Parser)]
#[command(name = "analyse")]
pub struct Settings {
    /// The games.
    #[arg(value_name = "GAMES.pgn")]
    pub file: PathBuf,
    /// Where they are written; without it GAMES-analysed.pgn.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Go on after the games that the output has already.
    #[arg(long)]
    pub resume: bool,
    /// So many nodes for each position.
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = number(1..=1_000_000_000_000_u64))]
    pub nodes: u64,
    /// So many seconds for each position instead.
    #[arg(long, value_name = "S", value_parser = number(0.001..=86_400.0_f64), conflicts_with = "nodes")]
    pub time: Option<f64>,
    /// Number of search threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=BenchSettings::MAX.threads))]
    pub threads: usize,
    /// The size of the transposition table, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = number(1..=BenchSettings::MAX.hash_mib))]
    pub hash: usize,
    /// Draw the evaluation over the game, as SVG; of several games each gets a number before the name's end.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

/// Half-moves of a better line that are shown.
const SHOWN_PLIES: usize = 8;

/// Marks, and the share of a point that a move gives away to get each.
const MARKS: [(&str, f64); 3] = [("??", 0.3), ("?", 0.2), ("?!", 0.1)];

/// What a search found in a position.
#[derive(Debug, Clone)]
struct Found {
    /// For the side to move; `None` if the game is over there.
    score: Option<Score>,
    /// White's expected share of the point.
    expected: f64,
    line: Vec<Move>,
}

/// Analyses the games, until all are done or `interrupted` is set; tells how it goes on standard error.
///
/// # Errors
/// If a file cannot be read or written, there are no games, or there is no memory or thread to be had.
pub fn run(settings: &Settings, interrupted: &AtomicBool) -> io::Result<()> {
    let games = read_games(&settings.file)?;
    let out = settings.out.clone().unwrap_or_else(|| {
        let stem = settings.file.file_stem().unwrap_or_default();
        let mut name = stem.to_owned();
        name.push("-analysed.pgn");
        settings.file.with_file_name(name)
    });
    let done = match fs::metadata(&out) {
        Ok(_) if settings.resume => read_games(&out)?.len(),
        Ok(_) => {
            let reason = format!(
                "{} is there already: --resume goes on after its games",
                out.display()
            );
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        Err(_) => 0,
    };
    let options = OpenOptions::new().append(true).create(true).clone();
    let mut file = options.open(&out).map_err(named(&out))?;
    let positions = |games: &[PgnGame]| {
        games
            .iter()
            .map(|game| game.history().moves().len() + 1)
            .sum::<usize>()
    };
    let left = games.get(done..).unwrap_or_default();
    thread::scope(|scope| {
        let work = || {
            let progress = Progress::new(
                positions(left) as u64,
                "{bar:24} {pos}/{len} positions, {per_sec}, {msg}, {eta} left",
            );
            let mut searcher = Searcher::new(settings.hash)?;
            searcher.set_threads(settings.threads);
            for (number, game) in (done + 1..).zip(left) {
                let message = format!("game {number} of {}", games.len());
                let tell_position = || progress.advance(1, "positions", message.clone());
                let Some(found) =
                    search_game(game, settings, &mut searcher, interrupted, &tell_position)
                else {
                    break;
                };
                let separator = if number > 1 { "\n" } else { "" };
                // In one piece: a game is there as a whole, or not at all.
                let text = format!("{separator}{}", annotated(game, &found));
                file.write_all(text.as_bytes()).map_err(named(&out))?;
                if let Some(plot) = &settings.plot {
                    let path = numbered(plot, number, games.len());
                    fs::write(&path, plot::draw(game, &found)).map_err(named(&path))?;
                }
            }
            progress.clear();
            Ok::<_, io::Error>(())
        };
        let worker = new_thread().spawn_scoped(scope, work)?;
        worker
            .join()
            .map_err(|_| io::Error::other("the analysis was broken off by a fault of the engine"))?
    })?;
    status(&format!("the games are in {}", out.display()));
    Ok(())
}

/// The games of a file; what is wrong with them is told.
fn read_games(path: &Path) -> io::Result<Vec<PgnGame>> {
    let bytes = read_bytes(path)?;
    let mut games = Vec::new();
    for read in Reader::new(bytes.as_slice()) {
        let read = read.map_err(named(path))?;
        for error in &read.errors {
            status(&format!("{}: {error}", path.display()));
        }
        games.push(read.game);
    }
    if games.iter().all(PgnGame::is_blank) {
        let reason = format!("{}: there is no game in it", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(games)
}

/// The name with a number before its ending, if there are several.
fn numbered(path: &Path, number: usize, count: usize) -> PathBuf {
    if count < 2 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}."));
    name.push(path.extension().unwrap_or("svg".as_ref()));
    path.with_file_name(name)
}

/// What is found in each position of a game, the first before its first move; `None` if it was broken off.
fn search_game(
    pgn: &PgnGame,
    settings: &Settings,
    searcher: &mut Searcher,
    interrupted: &AtomicBool,
    tell_position: &dyn Fn(),
) -> Option<Vec<Found>> {
    let limits = match settings.time {
        Some(seconds) => Limits {
            movetime: Some(Duration::from_secs_f64(seconds)),
            ..Limits::default()
        },
        None => Limits::nodes(settings.nodes),
    };
    searcher.clear();
    let mut game = Game::new(*pgn.history().start(), pgn.mode());
    let mut found = vec![search(&game, &limits, searcher)];
    tell_position();
    for mv in pgn.history().moves() {
        if interrupted.load(Ordering::Relaxed) {
            return None;
        }
        // What was read is legal.
        let _ = game.replay(mv);
        found.push(search(&game, &limits, searcher));
        tell_position();
    }
    Some(found)
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
    let answer = searcher.search(&request, &StopToken::new(), &mut |info| {
        if let Info::Line(report) = info {
            best = Some(report);
        }
    });
    let line = best.map_or_else(|| answer.best.into_iter().collect(), |report| report.pv);
    Found {
        score: Some(normalized_score(answer.score, &position)),
        expected: for_white(expected_score(answer.score, &position)),
        line,
    }
}

/// The mark of the move that leads from one position to the next; none if it was the engine's own choice.
fn mark(mover: Color, played: Move, before: &Found, after: &Found) -> Option<&'static str> {
    let given = match mover {
        Color::White => before.expected - after.expected,
        Color::Black => after.expected - before.expected,
    };
    let is_best = before.line.first() == Some(&played);
    let (mark, _) = MARKS.into_iter().find(|&(_, least)| given >= least)?;
    (!is_best).then_some(mark)
}

/// The moves of a game with the positions they are played in, and what was found before and after each.
fn moves<'a>(
    pgn: &'a PgnGame,
    found: &'a [Found],
) -> impl Iterator<Item = ((&'a Position, Move), (&'a Found, &'a Found))> {
    pgn.history()
        .steps()
        .zip(found.iter().zip(found.iter().skip(1)))
}

/// The game with what was found.
fn annotated(pgn: &PgnGame, found: &[Found]) -> PgnGame {
    let mut annotated = pgn.clone();
    if pgn.tag("Annotator").is_none() {
        // It can be written.
        let _ = annotated.set_tag("Annotator", concat!("Tabiya ", env!("CARGO_PKG_VERSION")));
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
            let side = !position.side_to_move();
            Note::Comment(format!(
                "[%eval {}]",
                score.for_white(side).trim_start_matches('+')
            ))
        });
        // Who has marked the move and shown another has said it all.
        let better = mark
            .filter(|_| !(has_mark && has_variation))
            .map(|_| Note::Variation(better_line(position, before)));
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

fn better_line(position: &Position, before: &Found) -> String {
    let shown = before.line.len().min(SHOWN_PLIES);
    san::write_line(position, &before.line[..shown])
}

/// The note without an older evaluation.
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
