//! `tabiya dead`: which player can still win, for any number of positions.

use super::files::read_text;
use super::number;
use super::progress::Progress;
use crate::board::Position;
use crate::game::dead::{Analysis, Winnability, analyse, quick};
use crate::game::lan;
use crate::types::{CastlingMode, Color, Move};
use clap::Parser;
use serde_json::json;
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// Say which player can still win, by any series of legal moves
///
/// Says of each position which player can still mate if the opponent helps, by any series of legal moves (FIDE 5.2.2 and
/// 6.9), and whether the position is dead. A player who can gets a line that mates.
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(name = "dead")]
pub struct Settings {
    /// Where the positions are, a FEN a line; standard input if there is no file.
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// An object a line instead of text: fen, white, black (winnable, unwinnable, unknown), dead, helpmate, nodes.
    #[arg(long)]
    pub json: bool,
    /// Positions to look at for each player, at most; a million take up to 80 MB.
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = number(1..=u64::MAX))]
    pub nodes: u64,
    /// Only proofs that take microseconds; no helpmates.
    #[arg(long)]
    pub quick: bool,
}

/// Answers for each position.
///
/// # Errors
/// If the file cannot be read, or nobody reads the output. A line that is no position is answered with a sentence.
pub fn run(settings: &Settings, output: &mut impl Write) -> io::Result<()> {
    let text = match &settings.file {
        Some(file) => read_text(file)?,
        None => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text)?;
            text
        }
    };
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let template = "{bar:24} {pos}/{len} positions, {per_sec}, {eta} left";
    let progress = Progress::new(lines().count() as u64, template);
    for line in lines() {
        match read(line) {
            Ok((position, mode)) => answer(settings, line, &position, mode, output)?,
            Err(reason) if settings.json => {
                writeln!(output, "{}", json!({ "fen": line, "error": reason }))?;
            }
            Err(reason) => writeln!(output, "{line}: {reason}")?,
        }
        progress.advance(1, "positions", String::new());
    }
    progress.clear();
    Ok(())
}

fn read(line: &str) -> Result<(Position, CastlingMode), String> {
    let (validated, mode) = Position::read(line, None).map_err(|error| error.to_string())?;
    Ok((validated.position, mode))
}

fn answer(
    settings: &Settings,
    fen: &str,
    position: &Position,
    mode: CastlingMode,
    output: &mut impl Write,
) -> io::Result<()> {
    let [white, black] = Color::ALL.map(|color| match settings.quick {
        true => quick(position, color),
        false => analyse(position, color, settings.nodes),
    });
    let is_dead = white.is_unwinnable() && black.is_unwinnable();
    let nodes = white.nodes + black.nodes;
    if settings.json {
        let helpmate = json!({ "white": line(&white, mode), "black": line(&black, mode) });
        return writeln!(
            output,
            "{}",
            json!({
                "fen": fen, "white": word(&white), "black": word(&black), "dead": is_dead,
                "helpmate": helpmate, "nodes": nodes,
            })
        );
    }
    let dead = if is_dead { ", dead" } else { "" };
    writeln!(
        output,
        "{fen}: White {}, Black {}{dead}, {nodes} nodes",
        word(&white),
        word(&black)
    )?;
    for (name, analysis) in [("White", &white), ("Black", &black)] {
        if let Some(line) = line(analysis, mode) {
            writeln!(output, "  {name} mates: {}", line.join(" "))?;
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

/// The moves of a helpmate in coordinates; `None` if there is none.
fn line(analysis: &Analysis, mode: CastlingMode) -> Option<Vec<String>> {
    match &analysis.winnability {
        Winnability::Winnable(moves) => {
            let write = |&mv: &Move| lan::write(mv, mode).to_string();
            Some(moves.iter().map(write).collect())
        }
        _ => None,
    }
}
