//! Parses lines into commands. One table serves the parser and the help text.

use super::clock::Pace;
use super::level::Level;
use super::view;
use crate::board::CHESS960_STARTS;
use crate::engine::strength;
use crate::search::Limits;
use crate::types::Color;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What `clock` asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ClockRequest {
    Show,
    Off,
    Set(Pace),
}

/// A command.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ConsoleCommand {
    /// Claims a draw, now or with the intended move. If the claim fails, offers a draw.
    Draw(Option<String>),
    Accept,
    Decline,
    Resign,
    Undo,
    Redo,
    /// A new game: of Chess960 from the start position with this number, or of standard chess.
    New(Option<u32>),
    /// Shows the FEN, or sets up a position.
    Fen(Option<String>),
    Board,
    Moves,
    Hint,
    Flip,
    /// Shows the static evaluation.
    Eval,
    Analyse,
    Save {
        path: String,
        /// Whether to replace an existing file.
        replaces: bool,
    },
    Load {
        path: String,
        /// The number of the game in the file, from 1.
        number: usize,
    },
    /// Moves through the loaded game by half-moves; negative steps go back.
    Step(isize),
    /// Shows, sets or removes the clocks.
    Clock(ClockRequest),
    /// Shows or sets the playing strength.
    Level(Option<Level>),
    Play(Sides),
    Go,
    /// Explains the commands; the text names a command, a topic, or `all`.
    Help(String),
    Quit,
}

/// The sides that people play. The engine plays the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sides {
    Only(Color),
    Both,
    Neither,
}

impl Sides {
    pub(super) fn includes(self, color: Color) -> bool {
        match self {
            Self::Only(side) => side == color,
            Self::Both => true,
            Self::Neither => false,
        }
    }
}

/// A command, or a sentence about a number out of its range. Without a sentence, the usage is
/// shown.
type Parsed = Result<ConsoleCommand, Option<String>>;

/// A command in the help text, and its parser.
struct Spec {
    name: &'static str,
    topic: &'static str,
    arguments: &'static str,
    /// Help in one phrase. `MIN_ELO` and `MAX_ELO` stand for the numbers.
    about: &'static str,
    /// Parses the arguments.
    parse: fn(&str) -> Parsed,
}

const COMMANDS: &[Spec] = &[
    Spec {
        name: "draw",
        topic: "draws",
        arguments: "[MOVE]",
        about: "claim a draw, now or with the move you intend; if the claim fails, offer one (a wrong claim with a move gives your opponent time)",
        parse: |rest| Ok(ConsoleCommand::Draw(optional(rest))),
    },
    Spec {
        name: "accept",
        topic: "draws",
        arguments: "",
        about: "accept your opponent's draw offer",
        parse: |rest| without_arguments(rest, ConsoleCommand::Accept),
    },
    Spec {
        name: "decline",
        topic: "draws",
        arguments: "",
        about: "decline the offer",
        parse: |rest| without_arguments(rest, ConsoleCommand::Decline),
    },
    Spec {
        name: "resign",
        topic: "game",
        arguments: "",
        about: "resign the game",
        parse: |rest| without_arguments(rest, ConsoleCommand::Resign),
    },
    Spec {
        name: "undo",
        topic: "game",
        arguments: "",
        about: "take your last move back; Tabiya waits",
        parse: |rest| without_arguments(rest, ConsoleCommand::Undo),
    },
    Spec {
        name: "redo",
        topic: "game",
        arguments: "",
        about: "replay the move taken back",
        parse: |rest| without_arguments(rest, ConsoleCommand::Redo),
    },
    Spec {
        name: "new",
        topic: "game",
        arguments: "[960 [NUMBER]]",
        about: "begin a new game, or one of Chess960 from a random start position or the one with this \
                NUMBER, 0 to 959",
        parse: |rest| match rest {
            "" => Ok(ConsoleCommand::New(None)),
            _ => parse_chess960(rest).map(|number| ConsoleCommand::New(Some(number))),
        },
    },
    Spec {
        name: "go",
        topic: "game",
        arguments: "",
        about: "let Tabiya play the side to move",
        parse: |rest| without_arguments(rest, ConsoleCommand::Go),
    },
    Spec {
        name: "play",
        topic: "game",
        arguments: "white|black|both|none",
        about: "choose whose moves you make; Tabiya makes the others",
        parse: |rest| parse_sides(rest).map(ConsoleCommand::Play).ok_or(None),
    },
    Spec {
        name: "level",
        topic: "game",
        arguments: "[NAME | 1-10 | elo RATING | time SECONDS | depth PLIES | nodes N]",
        about: "show or set the playing strength; RATING is MIN_ELO to MAX_ELO, NAME one of LEVELS",
        parse: |rest| match rest {
            "" => Ok(ConsoleCommand::Level(None)),
            _ => parse_level(rest).map(|level| ConsoleCommand::Level(Some(level))),
        },
    },
    Spec {
        name: "clock",
        topic: "game",
        arguments: "[MINUTES+SECONDS | off]",
        about: "show, set or remove the clocks; 5+3 is 5 minutes each, and 3 seconds per move",
        parse: |rest| match rest {
            "" => Ok(ConsoleCommand::Clock(ClockRequest::Show)),
            "off" => Ok(ConsoleCommand::Clock(ClockRequest::Off)),
            _ => rest
                .parse()
                .map(|pace| ConsoleCommand::Clock(ClockRequest::Set(pace))),
        },
    },
    Spec {
        name: "eval",
        topic: "study",
        arguments: "",
        about: "evaluate the position without a search; analyse shows scores and lines",
        parse: |rest| without_arguments(rest, ConsoleCommand::Eval),
    },
    Spec {
        name: "analyse",
        topic: "study",
        arguments: "",
        about: "show each new best line until Ctrl-C",
        parse: |rest| without_arguments(rest, ConsoleCommand::Analyse),
    },
    Spec {
        name: "hint",
        topic: "study",
        arguments: "",
        about: "show a good move, at full strength",
        parse: |rest| without_arguments(rest, ConsoleCommand::Hint),
    },
    Spec {
        name: "moves",
        topic: "study",
        arguments: "",
        about: "list the legal moves",
        parse: |rest| without_arguments(rest, ConsoleCommand::Moves),
    },
    Spec {
        name: "board",
        topic: "view",
        arguments: "",
        about: "show the board",
        parse: |rest| without_arguments(rest, ConsoleCommand::Board),
    },
    Spec {
        name: "flip",
        topic: "view",
        arguments: "",
        about: "turn the board around",
        parse: |rest| without_arguments(rest, ConsoleCommand::Flip),
    },
    Spec {
        name: "fen",
        topic: "view",
        arguments: "[FEN]",
        about: "show the position as FEN, or set one up",
        parse: |rest| Ok(ConsoleCommand::Fen(optional(rest))),
    },
    Spec {
        name: "save",
        topic: "files",
        arguments: "[-f] FILE.pgn",
        about: "write the game to a file; -f replaces an existing one",
        parse: |rest| {
            let (path, replaces) = match rest.split_once(char::is_whitespace) {
                Some(("-f", path)) => (path.trim_start(), true),
                _ => (rest, false),
            };
            let (path, rest) = parse_path(path).ok_or(None)?;
            let is_path = path != "-f" && rest.is_empty();
            is_path
                .then_some(ConsoleCommand::Save { path, replaces })
                .ok_or(None)
        },
    },
    Spec {
        name: "load",
        topic: "files",
        arguments: "FILE.pgn [NUMBER]",
        about: "load a game of a file: the first, or the one with this NUMBER",
        parse: parse_load,
    },
    Spec {
        name: "next",
        topic: "files",
        arguments: "[HALF-MOVES]",
        about: "go forward in a loaded or finished game",
        parse: |rest| parse_steps(rest).map(ConsoleCommand::Step),
    },
    Spec {
        name: "back",
        topic: "files",
        arguments: "[HALF-MOVES]",
        about: "go back in a loaded or finished game",
        parse: |rest| parse_steps(rest).map(|steps| ConsoleCommand::Step(-steps)),
    },
    Spec {
        name: "first",
        topic: "files",
        arguments: "",
        about: "go to the start of a loaded or finished game",
        parse: |rest| without_arguments(rest, ConsoleCommand::Step(-MAX_STEPS)),
    },
    Spec {
        name: "last",
        topic: "files",
        arguments: "",
        about: "go to the end of a loaded or finished game",
        parse: |rest| without_arguments(rest, ConsoleCommand::Step(MAX_STEPS)),
    },
    Spec {
        name: "help",
        topic: "program",
        arguments: "[COMMAND | TOPIC | all]",
        about: "show the topics, or explain commands",
        parse: |rest| Ok(ConsoleCommand::Help(rest.to_owned())),
    },
    Spec {
        name: "quit",
        topic: "program",
        arguments: "",
        about: "end the program",
        parse: |_| Ok(ConsoleCommand::Quit),
    },
];

/// The error of wrong arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Name and arguments of the command.
    Usage(&'static str, &'static str),
    /// A sentence about a number out of its range.
    Range(String),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(name, arguments) => write!(f, "Usage: {}", join(name, arguments)),
            Self::Range(sentence) => f.write_str(sentence),
        }
    }
}

/// Other names of commands, as people try them.
const ALIASES: &[(&str, &str)] = &[
    ("?", "help"),
    ("h", "help"),
    ("q", "quit"),
    ("exit", "quit"),
    ("bye", "quit"),
    ("analyze", "analyse"),
    ("takeback", "undo"),
];

/// The names of the commands, without their aliases.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|spec| spec.name)
}

fn find(word: &str) -> Option<&'static Spec> {
    let is_called = |name: &str| name.eq_ignore_ascii_case(word);
    let alias = ALIASES.iter().find(|(alias, _)| is_called(alias));
    COMMANDS
        .iter()
        .find(|spec| alias.map_or_else(|| is_called(spec.name), |(_, name)| *name == spec.name))
}

/// Parses a line; `None` if its first word is not a command.
pub(super) fn parse(line: &str) -> Option<Result<ConsoleCommand, Wrong>> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let spec = find(word)?;
    let command = (spec.parse)(rest.trim());
    let usage = Wrong::Usage(spec.name, spec.arguments);
    Some(command.map_err(|range| range.map_or(usage, Wrong::Range)))
}

/// The help text: the topics, or the commands that `subject` names.
pub(super) fn help(subject: &str, width: usize) -> String {
    let is_topic = |spec: &&Spec| subject == "all" || spec.topic.eq_ignore_ascii_case(subject);
    let mut specs: Vec<_> = COMMANDS.iter().filter(is_topic).collect();
    specs.extend(find(subject));
    if specs.is_empty() {
        let unknown = format!("No command or topic is called '{subject}'.");
        let unknown = (!subject.is_empty()).then(|| view::wrapped(&unknown, 0, width) + "\n");
        return unknown.unwrap_or_default() + &topics(width);
    }
    let lines = specs.into_iter().map(|spec| {
        let usage = join(spec.name, spec.arguments);
        let about = (spec.about)
            .replace("MIN_ELO", &strength::MIN_ELO.to_string())
            .replace("MAX_ELO", &strength::MAX_ELO.to_string())
            .replace(
                "LEVELS",
                &strength::NAMED_LEVELS.map(|(name, _)| name).join(", "),
            );
        let line = if usage.len() < 12 {
            format!("  {usage:12}{about}")
        } else {
            format!("  {usage}\n  {:12}{about}", "")
        };
        view::wrapped(&line, 14, width) + "\n"
    });
    lines.collect()
}

fn topics(width: usize) -> String {
    let mut topics: Vec<(&str, Vec<&str>)> = Vec::new();
    for spec in COMMANDS {
        match topics.iter_mut().find(|(topic, _)| *topic == spec.topic) {
            Some((_, names)) => names.push(spec.name),
            None => topics.push((spec.topic, vec![spec.name])),
        }
    }
    let lines = topics.into_iter().map(|(topic, names)| {
        let line = format!("  {topic:12}{}", names.join(", "));
        view::wrapped(&line, 14, width) + "\n"
    });
    let before = "Type a move (e4, Nf3, exd5, e8=Q, O-O, or e2e4) or a command:";
    let after = "Type help and a command or a topic to learn more, or help all.\n\
                 While Tabiya thinks, Ctrl-C makes it move at once, and undo takes that move back. \
                 While it plays both sides, Ctrl-C twice ends that.";
    let [before, after] = [before, after].map(|text| view::wrapped(text, 0, width));
    format!("{before}\n{}{after}\n", lines.collect::<String>())
}

fn join(name: &str, arguments: &str) -> String {
    format!("{name} {arguments}").trim_end().to_owned()
}

fn optional(rest: &str) -> Option<String> {
    (!rest.is_empty()).then(|| rest.to_owned())
}

fn without_arguments(rest: &str, command: ConsoleCommand) -> Parsed {
    rest.is_empty().then_some(command).ok_or(None)
}

/// Parses a number between two limits, both included. Another number gives a sentence, and another
/// text none.
fn parse_between<T>(text: &str, what: &str, min: T, max: T) -> Result<T, Option<String>>
where
    T: FromStr + PartialOrd + fmt::Display,
{
    let number = text.parse().ok();
    if let Some(number) = number.filter(|number| (&min..=&max).contains(&number)) {
        return Ok(number);
    }
    let is_number = text.parse::<f64>().is_ok();
    Err(is_number.then(|| format!("{what} is {min} to {max}, not {text}.")))
}

/// Parses `960` or `960 518`.
fn parse_chess960(text: &str) -> Result<u32, Option<String>> {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    match *words {
        ["960"] => Ok(rand::random_range(0..CHESS960_STARTS)),
        ["960", number] => {
            let what = "The number of a Chess960 position";
            parse_between(number, what, 0, CHESS960_STARTS - 1)
        }
        _ => Err(None),
    }
}

/// Parses a path and the number of a game.
fn parse_load(text: &str) -> Parsed {
    let is_quoted = text.starts_with(QUOTES);
    let split = text.rsplit_once(char::is_whitespace).filter(|_| !is_quoted);
    let numbered = split.and_then(|(path, number)| Some((path, number.parse().ok()?)));
    let (path, number) = numbered.unwrap_or((text, 1));
    let (path, rest) = parse_path(path.trim_end()).ok_or(None)?;
    let number = if rest.is_empty() {
        number
    } else {
        rest.parse().map_err(|_| None)?
    };
    match number {
        0 => Err(Some("Games are numbered from 1.".to_owned())),
        number => Ok(ConsoleCommand::Load { path, number }),
    }
}

pub(super) const QUOTES: [char; 2] = ['"', '\''];

/// Parses a path, which may be in quotes and begin with `~`. Returns it and the text after the
/// closing quote.
fn parse_path(text: &str) -> Option<(String, &str)> {
    // A completed name may lack its closing quote.
    let quoted = QUOTES.into_iter().find_map(|quote| {
        let inside = text.strip_prefix(quote)?;
        Some(inside.split_once(quote).unwrap_or((inside, "")))
    });
    let (path, rest) = quoted.unwrap_or((text, ""));
    let home = path
        .strip_prefix("~/")
        .and_then(|below| Some(std::env::home_dir()?.join(below)));
    let path = home.map_or_else(|| path.to_owned(), |path| path.display().to_string());
    optional(&path).map(|path| (path, rest.trim()))
}

/// More half-moves than any game has.
const MAX_STEPS: isize = 1_000_000_000;

fn parse_steps(text: &str) -> Result<isize, Option<String>> {
    if text.is_empty() {
        return Ok(1);
    }
    parse_between(text, "The number of half-moves", 1, MAX_STEPS)
}

fn parse_sides(text: &str) -> Option<Sides> {
    Some(match text.to_ascii_lowercase().as_str() {
        "white" => Sides::Only(Color::White),
        "black" => Sides::Only(Color::Black),
        "both" => Sides::Both,
        "none" => Sides::Neither,
        _ => return None,
    })
}

/// Maximum time per move, in seconds.
const MAX_SECONDS: f64 = 24.0 * 60.0 * 60.0;

fn parse_level(text: &str) -> Result<Level, Option<String>> {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    match *words {
        [name] if let Some(elo) = strength::of_name(name) => Ok(Level::Elo(elo)),
        [number] => parse_between(number, "A level", 1, Level::MAX_NUMBER).map(Level::Number),
        ["time", seconds] => parse_between(seconds, "A time in seconds", 0.001, MAX_SECONDS)
            .map(|seconds| Level::Time(Duration::from_secs_f64(seconds))),
        ["elo", rating] => {
            parse_between(rating, "A rating", strength::MIN_ELO, strength::MAX_ELO).map(Level::Elo)
        }
        ["depth", plies] => {
            parse_between(plies, "A depth in half-moves", 1, Limits::MAX_DEPTH).map(Level::Depth)
        }
        ["nodes", count] => {
            parse_between(count, "A number of nodes", 1, u64::MAX).map(Level::Nodes)
        }
        _ => Err(None),
    }
}
