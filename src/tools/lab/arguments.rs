//! The command line of `tabiya lab`.

use super::{Factor, Games, Pace, Settings, Side};
use crate::tools::arguments::{ArgumentError, number, path, rest};
use pico_args::Arguments;
use std::ffi::OsString;
use std::num::NonZeroU64;

/// What the command takes.
pub const HELP: &str = "\
Usage: tabiya lab match A B --openings FILE [OPTIONS]
       tabiya lab factorial 'FACTOR;FACTOR;...' --openings FILE --log FILE [OPTIONS]
       tabiya lab effects LOG...

Judges parameters of the search (and networks) by games at a fixed number of nodes a move. A, B and each FACTOR are
NAME=VALUE, several with commas between them; 'base' changes nothing. 'tabiya params' lists the names.
A factorial judges many factors by one set of games and goes on where its log ends; 'effects' prints what each is worth.

  --openings FILE     positions to begin from, a FEN or EPD a line; each is played twice, with colours changed
  --games N           how many games                                    [2000]
  --nodes N           nodes a move                                      [5000]
  --clock S+I         a clock instead, in seconds, that counts nodes
  --node-rate N       so many nodes are a second of that clock          [1000000]
  --seed N            what all that is random follows from              [1]
  --log FILE          where the results of a factorial are appended
  --net-a FILE, --net-b FILE   the network of a side of a match, if not the program's own
";

const COMMAND: &str = "lab";

/// Reads the arguments that follow `lab`.
///
/// # Errors
/// If one is missing, unknown or out of range.
pub fn parse(arguments: Vec<OsString>) -> Result<Settings, ArgumentError> {
    let fail = |reason: String| ArgumentError::new(COMMAND, reason);
    let mut words = Arguments::from_vec(arguments);
    let what = words
        .subcommand()
        .map_err(|_| fail("the arguments cannot be read".to_owned()))?;
    match what.as_deref() {
        Some("effects") => Ok(Settings::Effects {
            logs: rest(COMMAND, words)?.into_iter().map(Into::into).collect(),
        }),
        Some("match") => {
            let games = games(&mut words)?;
            let nets = ["--net-a", "--net-b"].map(|name| path(COMMAND, &mut words, name));
            let [net_a, net_b] = nets;
            let [a, b] = texts::<2>(words, "a match needs two sides")?;
            let side = |text: &str, net| {
                let factor = Factor::parse(text).map_err(fail)?;
                Ok::<_, ArgumentError>(Side { factor, net })
            };
            Ok(Settings::Match {
                sides: [side(&a, net_a?)?, side(&b, net_b?)?],
                games,
            })
        }
        Some("factorial") => {
            let games = games(&mut words)?;
            let log = path(COMMAND, &mut words, "--log")?;
            let [text] = texts::<1>(words, "a factorial needs its factors, in one word")?;
            let factors: Vec<_> = text
                .split(';')
                .map(Factor::parse)
                .collect::<Result<_, _>>()
                .map_err(fail)?;
            if factors.len() > 64 {
                return Err(fail("more than 64 factors".to_owned()));
            }
            Ok(Settings::Factorial {
                factors,
                games,
                log: log.ok_or_else(|| fail("--log is missing".to_owned()))?,
            })
        }
        _ => Err(fail(
            "the lab does 'match', 'factorial' and 'effects'".to_owned(),
        )),
    }
}

fn games(words: &mut Arguments) -> Result<Games, ArgumentError> {
    let openings = path(COMMAND, words, "--openings")?;
    let games = number(COMMAND, words, "--games", 2..=100_000_000_u64)?.unwrap_or(2000);
    let seed = number(COMMAND, words, "--seed", 0..=u64::MAX)?.unwrap_or(1);
    let nodes = number(COMMAND, words, "--nodes", 1..=100_000_000)?.unwrap_or(5000);
    let rate = number(COMMAND, words, "--node-rate", 1..=1_000_000_000_u64)?.unwrap_or(1_000_000);
    let clock: Option<String> = words
        .opt_value_from_str("--clock")
        .map_err(|_| bad_clock())?;
    let pace = match clock {
        None => Pace::Nodes(nodes),
        Some(text) => {
            let (seconds, increment) = text.split_once('+').ok_or_else(bad_clock)?;
            Pace::Clock {
                seconds: seconds.parse().map_err(|_| bad_clock())?,
                increment: increment.parse().map_err(|_| bad_clock())?,
                node_rate: NonZeroU64::new(rate).unwrap_or(NonZeroU64::MIN),
            }
        }
    };
    Ok(Games {
        openings: openings.ok_or_else(|| ArgumentError::new(COMMAND, "--openings is missing"))?,
        pairs: games / 2,
        seed,
        pace,
    })
}

fn bad_clock() -> ArgumentError {
    ArgumentError::new(COMMAND, "--clock needs seconds and increment, like 2+0.02")
}

fn texts<const N: usize>(words: Arguments, reason: &str) -> Result<[String; N], ArgumentError> {
    let words = rest(COMMAND, words)?;
    let texts: Vec<_> = words
        .into_iter()
        .filter_map(|word| word.into_string().ok())
        .collect();
    texts
        .try_into()
        .map_err(|_| ArgumentError::new(COMMAND, reason))
}
