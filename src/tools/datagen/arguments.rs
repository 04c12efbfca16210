//! The command line of `tabiya datagen`.

use super::Settings;
use crate::tools::arguments::{ArgumentError, number, path, rest};
use pico_args::Arguments;
use std::ffi::OsString;

/// What the command takes.
pub const HELP: &str = "\
Usage: tabiya datagen --out NAME --games N [OPTIONS]

Generates self-play games and writes them to NAME-0.vf, NAME-1.vf, … (viriformat, one file per thread),
and their settings to NAME.jsonl. The same options give the same files.

  --out NAME             start of the file names
  --games N              number of games
  --nodes N              soft node limit: no new iteration begins after it  [300]
  --seed N               seed of all random choices                         [1]
  --threads N            number of threads, each playing its own game       [1]
  --random-plies N       random plies before a game, or one more            [8]
  --chess960-percent N   percentage of games from Chess960 start positions  [0]
  --endgame-percent N    percentage of games from random endgames           [7]
  --tree-positions N     for each position of a game, this many more from the search tree,
                         a few random moves off the game, with a shallower score   [0]
  --net FILE             play with this network instead of the built-in one
  --openings FILE        start from these positions, one FEN or EPD per line
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
