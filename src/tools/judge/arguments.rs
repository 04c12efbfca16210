//! The command lines of `tabiya judge` and `tabiya labels`.

use super::{Settings, labels};
use crate::tools::arguments::{ArgumentError, number, path, rest};
use pico_args::Arguments;
use std::ffi::OsString;
use std::path::PathBuf;

/// What `judge` takes.
pub const HELP: &str = "\
Usage: tabiya judge [OPTIONS] FILE

Compares evaluations with those of a stronger engine: the error of winning chances, and where they are too near to level.
A line of the file is a FEN, a semicolon, and the other engine's score in centipawns for the side to move. Positions
should be quiet; a network must never learn from them.

  --net FILE    judge this network, not the program's own
  --nodes N     judge searches of so many nodes, not static evaluations
  --threads N   threads, for searches                                    [1]
";

/// What `labels` takes.
pub const LABELS_HELP: &str = "\
Usage: tabiya labels [OPTIONS] FILE

Plays a game from each judged position, as datagen would, and compares what a network would learn there with what the
judge says: for each share of the outcome and each lambda, the error of winning chances. FILE is as for 'tabiya judge'.

  --nodes N     after so many nodes no new iteration begins               [500]
  --positions N only the first so many positions                          [all]
  --net FILE    play with this network instead of the built-in one
  --threads N   games at a time                                             [1]
";

/// Reads the arguments that follow `judge`.
///
/// # Errors
/// If one is missing, unknown or out of range.
pub fn parse(arguments: Vec<OsString>) -> Result<Settings, ArgumentError> {
    let command = "judge";
    let mut words = Arguments::from_vec(arguments);
    let arguments = &mut words;
    Ok(Settings {
        net: path(command, arguments, "--net")?,
        nodes: number(command, arguments, "--nodes", 1..=100_000_000)?,
        threads: number(command, arguments, "--threads", 1..=1024)?.unwrap_or(1),
        file: file(command, words)?,
    })
}

/// Reads the arguments that follow `labels`.
///
/// # Errors
/// If one is missing, unknown or out of range.
pub fn parse_labels(arguments: Vec<OsString>) -> Result<labels::Settings, ArgumentError> {
    let command = "labels";
    let mut words = Arguments::from_vec(arguments);
    let arguments = &mut words;
    Ok(labels::Settings {
        net: path(command, arguments, "--net")?,
        nodes: number(command, arguments, "--nodes", 1..=100_000_000)?.unwrap_or(500),
        positions: number(command, arguments, "--positions", 1..=1_000_000_000)?,
        threads: number(command, arguments, "--threads", 1..=1024)?.unwrap_or(1),
        file: file(command, words)?,
    })
}

/// The only word that belongs to no option.
fn file(command: &'static str, words: Arguments) -> Result<PathBuf, ArgumentError> {
    match <[OsString; 1]>::try_from(rest(command, words)?) {
        Ok([file]) => Ok(file.into()),
        Err(_) => Err(ArgumentError::new(command, "it needs the name of one file")),
    }
}
