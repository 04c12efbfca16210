//! `tabiya dead`: which player can still win, for a list of positions.

use super::files::{STANDARD, named, open_input, read_all};
use super::number;
use super::progress::Progress;
use crate::board::{Position, Validated};
use crate::game::dead::{Analysis, RULING_NODES, Winnability, analyse, quick};
use crate::game::lan;
use crate::types::{CastlingMode, Color, Move};
use clap::Parser;
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;

/// Report which player can still win by any series of legal moves
///
/// Reports for each position which player can still checkmate, even if the opponent helps, by any
/// series of legal moves (FIDE 5.1.2, 5.2.2, 6.9 and 7.5.5), and whether the position is dead. For
/// each player who can, prints moves that lead to mate.
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(name = "dead")]
pub struct Settings {
    /// File of positions, one FEN a line; - is standard input.
    #[arg(value_name = "FILE", default_value = STANDARD)]
    pub file: PathBuf,
    /// Print a JSON object a line: fen, white, black (winnable, unwinnable or unknown), dead,
    /// helpmate, nodes, and repaired if something was repaired in the position.
    #[arg(long)]
    pub json: bool,
    /// Limit on the positions searched per player, which may be exceeded by about 1,000; a million
    /// take up to 80 MB.
    #[arg(long, value_name = "N", default_value_t = RULING_NODES, value_parser = number(1..=u64::MAX))]
    pub nodes: u64,
    /// Use only proofs that take microseconds, and search no helpmates.
    #[arg(long)]
    pub quick: bool,
    /// Read all positions as Chess960; otherwise only those whose castling rights say so.
    #[arg(long)]
    pub chess960: bool,
}

/// Writes an answer for each position. What was repaired in one, and a line that is not a position,
/// are reported on standard error; in JSON they are in the answer.
///
/// # Errors
/// If the file cannot be read, the output cannot be written, or, unless the answers are JSON, a
/// line is not a position.
pub fn run(settings: &Settings, output: &mut impl Write) -> io::Result<()> {
    let (input, name) = open_input(&settings.file)?;
    let text = read_all(input).map_err(named(name))?;
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let progress = Progress::new("positions", Some(lines().count() as u64));
    let mut wrong = 0;
    for line in lines() {
        let stated = settings.chess960.then_some(CastlingMode::Chess960);
        match Position::from_epd_repaired(line, stated) {
            Ok((read, _)) => {
                if let Some(remark) = read.repair_remark().filter(|_| !settings.json) {
                    progress.note(&format!("{line}: {remark}"));
                }
                answer(settings, line, &read, output)?;
            }
            Err(error) if settings.json => {
                let error = error.to_string();
                writeln!(output, "{}", json!({ "fen": line, "error": error }))?;
            }
            Err(error) => {
                wrong += 1;
                progress.note(&format!("{line}: {error}"));
            }
        }
        progress.advance(1, "");
    }
    progress.clear();
    match wrong {
        0 => Ok(()),
        1 => Err(io::Error::other("one line is not a position")),
        _ => Err(io::Error::other(format!("{wrong} lines are not positions"))),
    }
}

fn answer(
    settings: &Settings,
    fen: &str,
    read: &Validated,
    output: &mut impl Write,
) -> io::Result<()> {
    let (position, mode) = (&read.position, read.mode);
    let [white, black] = Color::ALL.map(|color| {
        if settings.quick {
            quick(position, color)
        } else {
            analyse(position, color, settings.nodes)
        }
    });
    let is_dead = white.is_unwinnable() && black.is_unwinnable();
    let nodes = white.nodes + black.nodes;
    if settings.json {
        let helpmate = json!({ "white": line(&white, mode), "black": line(&black, mode) });
        let mut answer = json!({
            "fen": fen, "white": word(&white), "black": word(&black), "dead": is_dead,
            "helpmate": helpmate, "nodes": nodes,
        });
        if !read.repairs().is_empty() {
            answer["repaired"] = read.repairs().to_string().into();
        }
        return writeln!(output, "{answer}");
    }
    let dead = if is_dead { ", dead" } else { "" };
    writeln!(
        output,
        "{fen}: White {}, Black {}{dead}, {nodes} nodes",
        word(&white),
        word(&black)
    )?;
    for (name, analysis) in [("White", &white), ("Black", &black)] {
        match line(analysis, mode) {
            Some(line) if line.is_empty() => writeln!(output, "  {name} has mated")?,
            Some(line) => writeln!(output, "  {name} mates: {}", line.join(" "))?,
            None => {}
        }
    }
    Ok(())
}

fn word(analysis: &Analysis) -> &'static str {
    match analysis.winnability {
        Winnability::Unwinnable => "unwinnable",
        Winnability::Winnable(_) => "winnable",
        Winnability::Unknown => "unknown",
    }
}

/// The moves of the helpmate in coordinates; `None` if there is none.
fn line(analysis: &Analysis, mode: CastlingMode) -> Option<Vec<String>> {
    match &analysis.winnability {
        Winnability::Winnable(moves) => {
            let write = |&mv: &Move| lan::write(mv, mode);
            Some(moves.iter().map(write).collect())
        }
        _ => None,
    }
}
