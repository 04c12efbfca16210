//! Files of openings: start positions of games, one FEN or EPD a line.

use super::files::read_text;
use super::progress::status;
use super::viriformat::{GameError, fits};
use crate::board::Position;
use crate::types::CastlingMode;
use std::path::Path;
use std::{fmt, io};

/// A start position.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// The position.
    pub position: Position,
    /// The castling mode of the game.
    pub mode: CastlingMode,
}

impl Start {
    /// The position in FEN, with castling rights in the style of its mode.
    #[must_use]
    pub fn fen(&self) -> String {
        self.position.to_fen(self.mode)
    }
}

/// Reads a file of openings, one FEN or EPD a line. Blank lines are skipped. What was repaired in
/// positions is reported on standard error.
///
/// # Errors
/// If the file cannot be read, has no openings, or a line is not a legal position.
pub fn read_openings(file: &Path) -> io::Result<Vec<Start>> {
    let bad = |place: fmt::Arguments<'_>, reason: &dyn fmt::Display| {
        let reason = format!("{}{place}: {reason}", file.display());
        io::Error::new(io::ErrorKind::InvalidData, reason)
    };
    let text = read_text(file)?;
    let lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    let mut remarks = Vec::new();
    let read = lines.map(|(line, number)| {
        let read = read_opening(line).map_err(|error| bad(format_args!(":{number}"), &error));
        read.map(|(opening, remark)| {
            remarks.extend(remark.map(|remark| (number, remark)));
            opening
        })
    });
    let openings = read.collect::<io::Result<Vec<_>>>()?;
    if openings.is_empty() {
        return Err(bad(format_args!(""), &"the file has no openings"));
    }
    if let [(number, remark), others @ ..] = &remarks[..] {
        let others = match others.len() {
            0 => String::new(),
            others => format!(" (and {others} more)"),
        };
        status(&format!("{}:{number}: {remark}{others}", file.display()));
    }
    Ok(openings)
}

/// Reads an opening, and what was repaired in it.
fn read_opening(line: &str) -> Result<(Start, Option<String>), String> {
    let read = Position::from_epd_repaired(line, None);
    let (validated, _) = read.map_err(|error| error.to_string())?;
    let (position, mode) = (validated.position, validated.mode);
    if !fits(position.occupied()) {
        return Err(GameError::TooManyPieces.to_string());
    }
    Ok((Start { position, mode }, validated.repair_remark()))
}
