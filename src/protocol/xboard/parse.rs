//! Parses XBoard lines into commands. Positions and moves stay text here, because their meaning
//! depends on the game.
//!
//! Tim Mann, H.G. Muller, *Chess Engine Communication Protocol*, version 2.

use super::clock::Control;
use crate::types::Color;
use std::fmt;
use std::num::NonZeroU32;
use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Duration;

/// A command.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum XBoardCommand {
    /// Requests the features: `protover`.
    Features,
    /// The peer accepts a feature.
    Accepted(String),
    New,
    Variant(String),
    Quit,
    Force,
    Go,
    PlayOther,
    /// Sets the side to move. The engine plays the other side.
    ToMove(Color),
    TimeControl(Control),
    Depth(u32),
    /// Remaining time of the engine.
    Remaining(Duration),
    Move(String),
    MoveNow,
    /// Requests a `pong` with this text.
    Ping(String),
    OfferDraw,
    Result,
    SetBoard(String),
    Edit,
    Hint,
    Book,
    /// Takes back this number of half-moves.
    Undo(usize),
    Ponder(bool),
    Post(bool),
    Analyze,
    Exit,
    Status,
    /// Excludes a root move, or `all`.
    Exclude(String),
    /// Includes a root move, or `all`, again.
    Include(String),
    Option {
        name: String,
        value: String,
    },
    /// The peer's folder of tablebases, which may not exist.
    TablebasePath(String),
    /// Nodes per second of thinking time. 0 uses the clock and shows CPU time; `None` shows
    /// wall-clock time again.
    NodeRate(Option<u64>),
    /// The opponent's name.
    Name(String),
    /// Ratings of the engine and of the opponent; 0 if unknown.
    Rating(i32, i32),
    /// The opponent is a program.
    Computer,
    /// The peer changes to UCI.
    Uci,
    /// A known command without effect.
    Ignored,
    /// A single word that is not a command: perhaps a move.
    Bare(String),
}

/// An error in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum XBoardError {
    UnknownCommand,
    /// The command needs this argument.
    Expected(&'static str),
}

impl fmt::Display for XBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand => write!(f, "unknown command"),
            Self::Expected(argument) => write!(f, "expected {argument}"),
        }
    }
}

impl std::error::Error for XBoardError {}

type Parsed<T> = Result<T, XBoardError>;
type Words<'a> = SplitAsciiWhitespace<'a>;

/// Parses a line.
pub(super) fn parse(line: &str) -> Parsed<XBoardCommand> {
    let line = line.trim();
    let mut words = line.split_ascii_whitespace();
    let Some(word) = words.next() else {
        return Ok(XBoardCommand::Ignored);
    };
    let rest = line.strip_prefix(word).unwrap_or_default().trim_start();
    let text = |argument| match rest {
        "" => Err(XBoardError::Expected(argument)),
        text => Ok(text.to_owned()),
    };
    Ok(match word {
        "protover" => XBoardCommand::Features,
        "accepted" => XBoardCommand::Accepted(rest.to_owned()),
        "new" => XBoardCommand::New,
        "variant" => XBoardCommand::Variant(text("the name of a variant")?),
        "quit" => XBoardCommand::Quit,
        "force" => XBoardCommand::Force,
        "go" => XBoardCommand::Go,
        "playother" => XBoardCommand::PlayOther,
        "white" => XBoardCommand::ToMove(Color::White),
        "black" => XBoardCommand::ToMove(Color::Black),
        "level" => XBoardCommand::TimeControl(parse_level(words)?),
        "st" => XBoardCommand::TimeControl(Control::PerMove(seconds(words.next())?)),
        "sd" => XBoardCommand::Depth(number(words.next())?),
        "time" => XBoardCommand::Remaining(centiseconds(words.next())?),
        "usermove" => XBoardCommand::Move(text("a move")?),
        "?" => XBoardCommand::MoveNow,
        "ping" => XBoardCommand::Ping(parse_ping(words.next())?),
        "draw" => XBoardCommand::OfferDraw,
        "result" => XBoardCommand::Result,
        "setboard" => XBoardCommand::SetBoard(text("a FEN")?),
        "edit" => XBoardCommand::Edit,
        "hint" => XBoardCommand::Hint,
        "bk" => XBoardCommand::Book,
        "undo" => XBoardCommand::Undo(1),
        "remove" => XBoardCommand::Undo(2),
        "hard" => XBoardCommand::Ponder(true),
        "easy" => XBoardCommand::Ponder(false),
        "post" => XBoardCommand::Post(true),
        "nopost" => XBoardCommand::Post(false),
        "analyze" => XBoardCommand::Analyze,
        "exit" => XBoardCommand::Exit,
        "." => XBoardCommand::Status,
        "exclude" => XBoardCommand::Exclude(text("a move or 'all'")?),
        "include" => XBoardCommand::Include(text("a move or 'all'")?),
        // These names are aliases in the table of options.
        "memory" | "cores" => option(word, words.next()),
        "egtpath" => parse_tablebase_path(rest)?,
        "option" => {
            let text = text("NAME=VALUE")?;
            let (name, value) = text.split_once('=').unwrap_or((&text, ""));
            option(name.trim(), Some(value.trim()))
        }
        "uci" => XBoardCommand::Uci,
        "nps" => XBoardCommand::NodeRate(u64::try_from(number::<i64>(words.next())?).ok()),
        "name" => XBoardCommand::Name(text("a name")?),
        "rating" => XBoardCommand::Rating(number(words.next())?, number(words.next())?),
        "computer" => XBoardCommand::Computer,
        // `feature pause=0` declines the first two.
        "pause" | "resume" | "xboard" | "rejected" | "random" | "otim" | "ics" => {
            XBoardCommand::Ignored
        }
        _ if rest.is_empty() => XBoardCommand::Bare(word.to_owned()),
        _ => return Err(XBoardError::UnknownCommand),
    })
}

fn option(name: &str, value: Option<&str>) -> XBoardCommand {
    XBoardCommand::Option {
        name: name.to_owned(),
        value: value.unwrap_or_default().to_owned(),
    }
}

/// Parses `MOVES MINUTES[:SECONDS] INCREMENT`. The increment is in seconds; 0 moves mean the whole
/// game.
fn parse_level(mut words: Words<'_>) -> Parsed<Control> {
    let moves: u32 = number(words.next())?;
    let base = words.next().unwrap_or_default();
    // The protocol asks engines to ignore what follows the time, as in `25+5`.
    let is_other = |letter: char| !matches!(letter, '0'..='9' | '.' | ':');
    let (base, _) = base.split_at(base.find(is_other).unwrap_or(base.len()));
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let part = |text: &str| {
        let number = text.parse().ok();
        let expected = XBoardError::Expected("a time such as 5 or 5:30, in minutes");
        number.and_then(duration).ok_or(expected)
    };
    Ok(Control::Level {
        moves: NonZeroU32::new(moves),
        base: part(minutes)?
            .saturating_mul(60)
            .saturating_add(part(rest)?),
        increment: seconds(words.next().or(Some("0")))?,
    })
}

/// Accepts any whole number and keeps its text.
fn parse_ping(word: Option<&str>) -> Parsed<String> {
    let text = word.unwrap_or_default();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        .then(|| text.to_owned())
        .ok_or(XBoardError::Expected("a whole number"))
}

/// Parses `TYPE PATH`. The path may contain blanks.
fn parse_tablebase_path(text: &str) -> Parsed<XBoardCommand> {
    match text.split_once(' ') {
        Some((kind, path)) if kind.eq_ignore_ascii_case("syzygy") => {
            Ok(XBoardCommand::TablebasePath(path.trim().to_owned()))
        }
        // Other formats are not supported.
        Some(_) => Ok(XBoardCommand::Ignored),
        None => Err(XBoardError::Expected("a type and a path")),
    }
}

fn number<T: FromStr>(word: Option<&str>) -> Parsed<T> {
    word.and_then(|word| word.parse().ok())
        .ok_or(XBoardError::Expected("a whole number"))
}

/// A number of seconds as a duration, if it is from 0 to a year.
fn duration(seconds: f64) -> Option<Duration> {
    const YEAR: f64 = 366.0 * 24.0 * 3600.0;
    let is_valid = (0.0..=YEAR).contains(&seconds);
    is_valid.then(|| Duration::from_secs_f64(seconds))
}

/// Parses seconds, with or without a fraction.
fn seconds(word: Option<&str>) -> Parsed<Duration> {
    let seconds = word.and_then(|word| word.parse().ok());
    let expected = XBoardError::Expected("a number of seconds");
    seconds.and_then(duration).ok_or(expected)
}

/// Parses centiseconds. A negative time, from an overdrawn clock, counts as 0.
fn centiseconds(word: Option<&str>) -> Parsed<Duration> {
    let number = word.and_then(|word| word.parse::<f64>().ok());
    let expected = XBoardError::Expected("a number of centiseconds");
    number
        .and_then(|number| duration(number.max(0.0) / 100.0))
        .ok_or(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(moves: u32, base: f64, increment: f64) -> XBoardCommand {
        XBoardCommand::TimeControl(Control::Level {
            moves: NonZeroU32::new(moves),
            base: Duration::from_secs_f64(base),
            increment: Duration::from_secs_f64(increment),
        })
    }

    #[test]
    fn time_controls_are_parsed() {
        for (line, command) in [
            ("level 40 5 0", level(40, 300.0, 0.0)),
            ("level 40 25+5 0", level(40, 1500.0, 0.0)),
            ("level 40 5:30+3 0", level(40, 330.0, 0.0)),
            ("level 0 5:00 2.5", level(0, 300.0, 2.5)),
            ("level 40 0:30 0", level(40, 30.0, 0.0)),
            ("level 0 2:05 12", level(0, 125.0, 12.0)),
            ("level 0 0:01.5 0.01", level(0, 1.5, 0.01)),
            ("level 60 0.5", level(60, 30.0, 0.0)),
            (
                "st 0.5",
                XBoardCommand::TimeControl(Control::PerMove(Duration::from_millis(500))),
            ),
            (
                "st 3",
                XBoardCommand::TimeControl(Control::PerMove(Duration::from_secs(3))),
            ),
            (
                "time 1234",
                XBoardCommand::Remaining(Duration::from_millis(12_340)),
            ),
            ("time -5", XBoardCommand::Remaining(Duration::ZERO)),
            ("sd 7", XBoardCommand::Depth(7)),
        ] {
            assert_eq!(parse(line), Ok(command), "{line}");
        }
        for line in [
            "level",
            "level 40",
            "level 40 x 0",
            "st",
            "st -1",
            "st nan",
            "time inf",
            "sd x",
            "st 1e99",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn a_ping_keeps_the_text_of_its_number() {
        for text in ["1", "0", "-7", "300", "99999999999999999999999"] {
            assert_eq!(
                parse(&format!("ping {text}")),
                Ok(XBoardCommand::Ping(text.to_owned()))
            );
        }
        assert!(parse("ping").is_err() && parse("ping x").is_err());
    }

    #[test]
    fn options_are_set_by_option_and_by_their_own_commands() {
        let expected = |name, value| Ok(option(name, Some(value)));
        assert_eq!(parse("memory 32"), expected("memory", "32"));
        assert_eq!(parse("cores 4"), expected("cores", "4"));
        assert_eq!(
            parse("egtpath syzygy /a b/c"),
            Ok(XBoardCommand::TablebasePath("/a b/c".to_owned()))
        );
        assert_eq!(parse("egtpath nalimov /x"), Ok(XBoardCommand::Ignored));
        assert_eq!(
            parse("option Move Overhead=50"),
            expected("Move Overhead", "50")
        );
        assert_eq!(parse("option Clear Hash"), expected("Clear Hash", ""));
        assert_eq!(parse("option A=b=c"), expected("A", "b=c"));
    }

    #[test]
    fn an_unknown_word_may_be_a_move() {
        assert_eq!(parse("e2e4"), Ok(XBoardCommand::Bare("e2e4".to_owned())));
        assert_eq!(parse("  Nf3 "), Ok(XBoardCommand::Bare("Nf3".to_owned())));
        assert_eq!(parse(""), Ok(XBoardCommand::Ignored));
        assert_eq!(parse("what is it"), Err(XBoardError::UnknownCommand));
    }
}
