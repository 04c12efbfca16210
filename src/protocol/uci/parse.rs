//! Parses UCI lines into commands. Positions and moves stay text here, because their meaning
//! depends on the options.
//!
//! Stefan Meyer-Kahlen, *Description of the universal chess interface*, 2006. As it requires,
//! unknown words before a command are skipped.

use crate::protocol::shortened;
use crate::search::bench::BenchSettings;
use crate::search::{Limits, TimeControl};
use crate::types::{Color, MAX_PLY};
use std::fmt;
use std::time::Duration;

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UciCommand {
    /// `uci`: asks for the name and the options.
    Uci,
    /// `isready`: asks for `readyok`.
    IsReady,
    /// `ucinewgame`: clears all tables.
    NewGame,
    /// `position`: sets the game.
    Position {
        /// FEN of the first position; `None` for the start position.
        fen: Option<String>,
        /// The moves from there.
        moves: Vec<String>,
    },
    /// `position` with wrong words.
    BadPosition(UciError),
    /// `go`: searches.
    Go(Box<Go>),
    /// `go perft`: counts the leaves of the tree of legal moves, this many plies deep.
    Perft(u32),
    /// `stop`: ends the search.
    Stop,
    /// `ponderhit`: the opponent has played the expected move.
    PonderHit,
    /// `quit`: ends the session.
    Quit,
    /// `setoption`: sets an option.
    SetOption {
        /// Name of the option.
        name: String,
        /// Its value; empty for a button.
        value: String,
    },
    /// `d`: prints the position.
    Display,
    /// `eval`: prints the static evaluation.
    Eval,
    /// `help`: lists the commands.
    Help,
    /// `bench`: searches fixed positions.
    Bench(BenchSettings),
    /// A known command without effect.
    Ignored,
}

impl UciCommand {
    /// Whether the command begins a search, a perft or a bench.
    pub(super) const fn is_search(&self) -> bool {
        matches!(self, Self::Go(_) | Self::Perft(_) | Self::Bench(_))
    }
}

/// The arguments of `go`.
///
/// ```
/// use std::time::Duration;
/// use tabiya::protocol::{UciCommand, parse_uci};
/// let Some(UciCommand::Go(go)) = parse_uci("go movetime 100 searchmoves e2e4").0 else {
///     unreachable!();
/// };
/// assert_eq!(go.limits().movetime, Some(Duration::from_millis(100)));
/// assert_eq!((go.clocks(), go.searchmoves()), (None, &["e2e4".to_owned()][..]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// The limits, without clock and root moves.
    pub(super) limits: Limits,
    /// The clocks of White and Black.
    pub(super) clocks: Option<[TimeControl; Color::COUNT]>,
    /// Root moves as text.
    pub(super) searchmoves: Vec<String>,
}

impl Go {
    /// The root moves to search, as text.
    pub fn searchmoves(&self) -> &[String] {
        &self.searchmoves
    }

    /// The limits, without clock and root moves.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The clocks of White and Black.
    pub const fn clocks(&self) -> Option<&[TimeControl; Color::COUNT]> {
        self.clocks.as_ref()
    }

    /// The clocks to set. An increment without a time means an empty clock.
    fn clocks_mut(&mut self) -> &mut [TimeControl; Color::COUNT] {
        self.clocks.get_or_insert_default()
    }

    fn has_limit(&self) -> bool {
        let Limits {
            depth,
            nodes,
            mate,
            movetime,
            infinite,
            ..
        } = self.limits;
        let has_time = self.clocks.is_some() || movetime.is_some();
        has_time || depth.is_some() || nodes.is_some() || mate.is_some() || infinite
    }
}

/// An error in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UciError {
    /// No word of the line is a command.
    UnknownCommand(String),
    /// `position` without `startpos` or `fen`.
    NoPosition,
    /// Another word of `position` in place of `moves`.
    ExpectedMoves(String),
    /// A word of `go` without a valid number.
    BadNumber {
        /// The word.
        word: String,
        /// What follows it.
        value: String,
    },
    /// A depth of `go perft` that is too large.
    TooDeep,
    /// An unknown word of `go`.
    UnknownLimit(String),
    /// `setoption` without `name`.
    NoOptionName,
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(text) => write!(f, "unknown command '{text}'"),
            Self::NoPosition => write!(f, "position needs 'startpos' or 'fen' and a FEN"),
            Self::ExpectedMoves(word) => {
                write!(f, "position needs 'moves' before the moves, not '{word}'")
            }
            Self::BadNumber { word, value } if value.is_empty() => {
                write!(f, "{word} needs a whole number after it")
            }
            Self::BadNumber { word, value } => {
                write!(f, "{word} needs a whole number, not '{value}'")
            }
            Self::TooDeep => write!(f, "perft counts to depth {MAX_PLY} at most"),
            Self::UnknownLimit(word) => write!(f, "unknown word '{word}' after go"),
            Self::NoOptionName => write!(f, "setoption needs 'name' and the name of an option"),
        }
    }
}

impl std::error::Error for UciError {}

/// The words of a line, separated by ASCII whitespace.
struct Words<'a> {
    /// The text after the last word that was read.
    rest: &'a str,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_ascii_start();
        let is_space = |letter: char| letter.is_ascii_whitespace();
        let (word, rest) = text.split_once(is_space).unwrap_or((text, ""));
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Parses a line of UCI into a command and an error. A blank line gives neither.
///
/// A bad argument of `go` is reported and dropped, but the search still begins, except for `perft`.
/// That is why a line can have both.
///
/// ```
/// use tabiya::protocol::parse_uci;
/// assert!(matches!(parse_uci("go depth 10"), (Some(_), None)));
/// let (_, error) = parse_uci("go dept 10");
/// assert_eq!(error.unwrap().to_string(), "unknown word 'dept' after go");
/// ```
#[must_use]
pub fn parse(line: &str) -> (Option<UciCommand>, Option<UciError>) {
    let mut words = Words { rest: line };
    while let Some(word) = words.next() {
        let command = match word {
            "uci" => UciCommand::Uci,
            "isready" => UciCommand::IsReady,
            "ucinewgame" => UciCommand::NewGame,
            "position" => parse_position(words),
            "go" => return parse_go(words),
            "stop" => UciCommand::Stop,
            "quit" => UciCommand::Quit,
            "setoption" => return parse_option(words),
            "d" => UciCommand::Display,
            "eval" => UciCommand::Eval,
            "help" => UciCommand::Help,
            "bench" => UciCommand::Bench(read_bench(words)),
            "ponderhit" => UciCommand::PonderHit,
            "debug" | "register" => UciCommand::Ignored,
            _ => continue,
        };
        return (Some(command), None);
    }
    let error = (!line.trim().is_empty()).then(|| UciError::UnknownCommand(shortened(line)));
    (None, error)
}

// ANCHOR: position
fn parse_position(mut words: Words<'_>) -> UciCommand {
    let fen = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => None,
            Some(word) => {
                return UciCommand::BadPosition(UciError::ExpectedMoves(shortened(word)));
            }
        },
        Some("fen") => Some(fen_words(&mut words)),
        _ => return UciCommand::BadPosition(UciError::NoPosition),
    };
    let moves = words.map(str::to_owned).collect();
    UciCommand::Position { fen, moves }
}
// ANCHOR_END: position

/// The words before `moves`, separated by single blanks. Skips `moves`. In the quotes of an EPD's
/// operation it is a word like others.
fn fen_words(words: &mut Words<'_>) -> String {
    let mut is_quoted = false;
    let mut is_before = |word: &&str| {
        let is_end = *word == "moves" && !is_quoted;
        is_quoted ^= word.matches('"').count() % 2 == 1;
        !is_end
    };
    let words: Vec<_> = words.take_while(|word| is_before(word)).collect();
    words.join(" ")
}

/// Reads depth, threads and hash size. From the first bad number on, the defaults apply.
fn read_bench(words: Words<'_>) -> BenchSettings {
    let number = |word: &str| word.parse().ok().filter(|&number: &u32| number > 0);
    // Without `fuse` the words after a bad one would count.
    let mut numbers = words.map_while(number).fuse();
    let (default, max) = (BenchSettings::DEFAULT, BenchSettings::MAX);
    let mut next = |default: usize, max: usize| {
        let number = numbers.next();
        number.map_or(default, |number| max.min(number as usize))
    };
    BenchSettings {
        depth: next(default.depth as usize, max.depth as usize) as u32,
        threads: next(default.threads, max.threads),
        hash_mib: next(default.hash_mib, max.hash_mib),
    }
}

/// Parses `name NAME value VALUE`. The value keeps its blanks, because a file name may have several
/// in a row.
fn parse_option(mut words: Words<'_>) -> (Option<UciCommand>, Option<UciError>) {
    if words.next() != Some("name") {
        return (None, Some(UciError::NoOptionName));
    }
    let name: Vec<_> = words.by_ref().take_while(|&word| word != "value").collect();
    let (name, value) = (name.join(" "), words.rest.trim().to_owned());
    (Some(UciCommand::SetOption { name, value }), None)
}

/// Whether `go` knows this word.
#[must_use]
pub fn is_go_word(word: &str) -> bool {
    let (_, error) = parse_go(Words { rest: word });
    !matches!(error, Some(UciError::UnknownLimit(_)))
}

fn parse_go(mut words: Words<'_>) -> (Option<UciCommand>, Option<UciError>) {
    let mut go = Go::default();
    let mut error = None;
    let mut moves_to_go = None;
    let (mut lists_moves, mut has_bad_number) = (false, false);
    while let Some(word) = words.next() {
        let limits = &mut go.limits;
        let parsed = match word {
            "infinite" => {
                limits.infinite = true;
                Ok(())
            }
            "ponder" => {
                limits.ponder = true;
                Ok(())
            }
            "searchmoves" => {
                lists_moves = true;
                Ok(())
            }
            "perft" => match number(word, &mut words) {
                Ok(depth) if depth <= MAX_PLY as u64 => {
                    return (Some(UciCommand::Perft(depth as u32)), error);
                }
                Ok(_) => return (None, Some(UciError::TooDeep)),
                // Without a depth there is nothing to count.
                Err(bad) => return (None, Some(bad)),
            },
            "depth" => number(word, &mut words).map(|depth| limits.depth = Some(to_u32(depth))),
            "nodes" => number(word, &mut words).map(|nodes| limits.nodes = Some(nodes)),
            "mate" => number(word, &mut words).map(|mate| limits.mate = Some(to_u32(mate))),
            "movetime" => time(word, &mut words).map(|time| limits.movetime = Some(time)),
            // Some programs send 0, or less, where no more moves have to be made in this time.
            "movestogo" => number(word, &mut words)
                .map(|moves| moves_to_go = Some(to_u32(moves)).filter(|&moves| moves > 0)),
            "wtime" => time(word, &mut words).map(|time| go.clocks_mut()[0].remaining = time),
            "btime" => time(word, &mut words).map(|time| go.clocks_mut()[1].remaining = time),
            "winc" => time(word, &mut words).map(|time| go.clocks_mut()[0].increment = time),
            "binc" => time(word, &mut words).map(|time| go.clocks_mut()[1].increment = time),
            _ if lists_moves => {
                go.searchmoves.push(word.to_owned());
                Ok(())
            }
            _ => Err(UciError::UnknownLimit(shortened(word))),
        };
        has_bad_number |= matches!(parsed, Err(UciError::BadNumber { .. }));
        error = error.or(parsed.err());
    }
    for clock in go.clocks.iter_mut().flatten() {
        clock.moves_to_go = moves_to_go;
    }
    if !go.has_limit() {
        if has_bad_number {
            // The only limits were invalid: move at once instead of searching without end.
            go.limits.movetime = Some(Duration::ZERO);
        } else {
            go.limits.infinite = true;
        }
    }
    (Some(UciCommand::Go(Box::new(go))), error)
}

/// Reads the number after a word. A fraction is cut off, and a negative number counts as 0.
fn number(word: &str, words: &mut Words<'_>) -> Result<u64, UciError> {
    let value = words.next().unwrap_or_default();
    let whole = value.split_once('.').map_or(value, |(whole, _)| whole);
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(UciError::BadNumber {
            word: word.to_owned(),
            value: shortened(value),
        });
    }
    if digits.len() < whole.len() {
        return Ok(0);
    }
    Ok(whole.parse().unwrap_or(u64::MAX))
}

/// The number, or the greatest one of its type.
fn to_u32(number: u64) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// Reads milliseconds. A negative time, from an overdrawn clock, counts as 0.
fn time(word: &str, words: &mut Words<'_>) -> Result<Duration, UciError> {
    let to_time = |milliseconds| Duration::from_millis(to_u32(milliseconds).into());
    number(word, words).map(to_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_value_keeps_its_blanks() {
        for (line, name, value) in [
            ("setoption name Hash value 8", "Hash", "8"),
            (
                "setoption  name Debug  Log File value  a  b value ",
                "Debug Log File",
                "a  b value",
            ),
            ("setoption name Clear Hash", "Clear Hash", ""),
            ("setoption name Hash value", "Hash", ""),
            // The word `value` counts only after the name.
            ("any value setoption name Hash value 8", "Hash", "8"),
        ] {
            let (name, value) = (name.to_owned(), value.to_owned());
            let command = UciCommand::SetOption { name, value };
            assert_eq!(parse(line), (Some(command), None), "{line}");
        }
    }

    #[test]
    fn no_moves_to_go_mean_the_rest_of_the_game() {
        let clock = "go wtime 9000 btime 9000";
        assert_eq!(parse(&format!("{clock} movestogo 0")), parse(clock));
        assert_ne!(parse(&format!("{clock} movestogo 1")), parse(clock));
    }

    #[test]
    fn no_number_of_bench_counts_after_a_bad_one() {
        assert_eq!(parse("bench 1 x 300"), parse("bench 1"));
        assert_ne!(parse("bench 1 2 300"), parse("bench 1"));
        assert_ne!(parse("bench 1 2 300"), parse("bench 1 2"));
    }
}
