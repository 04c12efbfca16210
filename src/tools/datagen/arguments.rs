//! The command line of `tabiya datagen`.

use super::Settings;
use crate::tools::arguments::{ArgumentError, number, path, rest};
use pico_args::Arguments;
use std::ffi::OsString;

/// What the command takes.
pub const HELP: &str = "\
Usage: tabiya datagen --out NAME --games N [OPTIONS]

Plays games of the engine against itself and writes them to NAME-0.vf, NAME-1.vf, … (viriformat, a file a thread)
and how they were made to NAME.jsonl. The same options give the same files.

  --out NAME             what the names of the files begin with
  --games N              how many games
  --nodes N              after so many nodes no new iteration begins        [300]
  --seed N               what all that is random follows from               [1]
  --threads N            games at a time                                    [1]
  --random-plies N       random half-moves before a game, or one more       [8]
  --chess960-percent N   games from an array of Chess960                    [0]
  --endgame-percent N    games from a random endgame                        [7]
  --tree-positions N     for each position of a game, so many more from inside the tree,
                         a few random moves off the line, with a shallower score   [0]
  --net FILE             play with this network, not with the program's own
  --openings FILE        begin from these positions, a FEN or EPD a line
";

/// Reads the arguments that follow `datagen`.
///
/// # Errors
/// If one is missing, unknown or out of range.
///
/// ```
/// use tabiya::tools::datagen;
/// let settings = datagen::parse(["--out", "games", "--games", "10"].map(Into::into).to_vec()).unwrap();
/// assert_eq!((settings.games, settings.nodes), (10, 300));
/// let error = datagen::parse(["--out", "games"].map(Into::into).to_vec()).unwrap_err();
/// assert_eq!(error.to_string(), "--games is missing; try 'tabiya datagen --help'");
/// ```
pub fn parse(arguments: Vec<OsString>) -> Result<Settings, ArgumentError> {
    let command = "datagen";
    let fail = |reason: &str| ArgumentError::new(command, reason);
    let mut words = Arguments::from_vec(arguments);
    let arguments = &mut words;
    let settings = Settings {
        out: path(command, arguments, "--out")?.ok_or_else(|| fail("--out is missing"))?,
        games: number(command, arguments, "--games", 1..=1_000_000_000)?
            .ok_or_else(|| fail("--games is missing"))?,
        nodes: number(command, arguments, "--nodes", 1..=100_000_000)?.unwrap_or(300),
        seed: number(command, arguments, "--seed", 0..=u64::MAX)?.unwrap_or(1),
        threads: number(command, arguments, "--threads", 1..=1024)?.unwrap_or(1),
        random_plies: number(command, arguments, "--random-plies", 0..=40)?.unwrap_or(8),
        chess960_percent: number(command, arguments, "--chess960-percent", 0..=100)?.unwrap_or(0),
        endgame_percent: number(command, arguments, "--endgame-percent", 0..=100)?.unwrap_or(7),
        tree_positions: number(command, arguments, "--tree-positions", 0..=100)?.unwrap_or(0),
        net: path(command, arguments, "--net")?,
        openings: path(command, arguments, "--openings")?,
    };
    match rest(command, words)?.first() {
        None => Ok(settings),
        Some(word) => Err(fail(&format!("'{}' is no option", word.to_string_lossy()))),
    }
}
