//! The command line of `tabiya datagen`.

use super::Settings;
use pico_args::Arguments;
use std::ffi::OsString;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

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
  --openings FILE        begin from these positions, a FEN or EPD a line
";

/// The arguments make no sense; the sentence says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentError(String);

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; try 'tabiya datagen --help'", self.0)
    }
}

impl std::error::Error for ArgumentError {}

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
    let mut arguments = Arguments::from_vec(arguments);
    let out = path(&mut arguments, "--out")?.ok_or_else(|| missing("--out"))?;
    let settings = Settings {
        out,
        games: number(&mut arguments, "--games", 1..=1_000_000_000)?
            .ok_or_else(|| missing("--games"))?,
        nodes: number(&mut arguments, "--nodes", 1..=100_000_000)?.unwrap_or(300),
        seed: number(&mut arguments, "--seed", 0..=u64::MAX)?.unwrap_or(1),
        threads: number(&mut arguments, "--threads", 1..=1024)?.unwrap_or(1),
        random_plies: number(&mut arguments, "--random-plies", 0..=40)?.unwrap_or(8),
        chess960_percent: number(&mut arguments, "--chess960-percent", 0..=100)?.unwrap_or(0),
        endgame_percent: number(&mut arguments, "--endgame-percent", 0..=100)?.unwrap_or(7),
        openings: path(&mut arguments, "--openings")?,
    };
    match arguments.finish().first() {
        None => Ok(settings),
        Some(word) => Err(ArgumentError(format!(
            "'{}' is no option",
            word.to_string_lossy()
        ))),
    }
}

fn missing(name: &str) -> ArgumentError {
    ArgumentError(format!("{name} is missing"))
}

fn path(arguments: &mut Arguments, name: &'static str) -> Result<Option<PathBuf>, ArgumentError> {
    let path = arguments.opt_value_from_os_str(name, |text| Ok::<_, String>(PathBuf::from(text)));
    path.map_err(|_| ArgumentError(format!("{name} needs the name of a file")))
}

fn number<T: FromStr + PartialOrd + fmt::Display>(
    arguments: &mut Arguments,
    name: &'static str,
    range: RangeInclusive<T>,
) -> Result<Option<T>, ArgumentError> {
    let wanted = || {
        ArgumentError(format!(
            "{name} needs a number from {} to {}",
            range.start(),
            range.end()
        ))
    };
    let value: Option<String> = arguments.opt_value_from_str(name).map_err(|_| wanted())?;
    match value.map(|text| text.parse()) {
        None => Ok(None),
        Some(Ok(number)) if range.contains(&number) => Ok(Some(number)),
        Some(_) => Err(wanted()),
    }
}
