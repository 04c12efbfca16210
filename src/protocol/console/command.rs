//! Lines to commands: one table, from which lines are read and help is printed.

use super::clock::Pace;
use crate::engine::{Limits, strength};
use crate::types::Color;
use std::fmt;
use std::time::Duration;

/// What a person wants.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ConsoleCommand {
    /// Claim a draw, with an intended move if one is named; or else offer one.
    Draw(Option<String>),
    Accept,
    Decline,
    Resign,
    Undo,
    Redo,
    New,
    /// Show the position, or set one up.
    Fen(Option<String>),
    Board,
    Moves,
    Hint,
    Flip,
    /// What the engine thinks of the position.
    Eval,
    Analyse,
    Save(String),
    Load(String),
    /// To another place of the game that was loaded: half-moves on, or back.
    Step(isize),
    /// Play with clocks, or without; nothing shows them.
    Clock(Option<Option<Pace>>),
    /// Show how strong the engine plays, or set it.
    Level(Option<Level>),
    Play(Sides),
    Go,
    Help,
    Quit,
}

/// Whose moves people make; the engine makes the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sides {
    Only(Color),
    Both,
    Neither,
}

impl Sides {
    pub(super) fn include(self, color: Color) -> bool {
        match self {
            Self::Only(side) => side == color,
            Self::Both => true,
            Self::Neither => false,
        }
    }
}

/// How much the engine thinks about a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Level {
    /// From 1 to [`Self::STRONGEST`]; each looks at four times as much as the one before.
    Number(u32),
    Time(Duration),
    Depth(u32),
    Nodes(u64),
    /// As strong as a player of about that rating.
    Elo(u32),
}

impl Level {
    const STRONGEST: u32 = 10;
    /// However much there is to look at, nobody waits longer for a move.
    const LONGEST: Duration = Duration::from_secs(60);
    const USUAL: Duration = Duration::from_secs(1);

    pub(super) fn limits(self) -> Limits {
        let limits = match self {
            Self::Number(level) => Limits::nodes(1 << (2 * level + 4)),
            Self::Time(_) | Self::Elo(_) => Limits::default(),
            Self::Depth(depth) => Limits::depth(depth),
            Self::Nodes(nodes) => Limits::nodes(nodes),
        };
        let movetime = match self {
            Self::Time(time) => time,
            Self::Elo(_) => Self::USUAL,
            _ => Self::LONGEST,
        };
        Limits {
            movetime: Some(movetime),
            ..limits
        }
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::Time(Self::USUAL)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(level) => write!(f, "level {level} of {}", Self::STRONGEST),
            Self::Time(time) => write!(f, "{} s a move", time.as_secs_f64()),
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Self::Elo(elo) => write!(f, "about {elo} Elo"),
        }
    }
}

/// A command as people see it.
struct Spec {
    name: &'static str,
    arguments: &'static str,
    /// `MIN_ELO` and `MAX_ELO` stand for the numbers.
    about: &'static str,
    /// The command, if the arguments are as they should be.
    read: fn(&str) -> Option<ConsoleCommand>,
}

const COMMANDS: &[Spec] = &[
    Spec {
        name: "draw",
        arguments: "[MOVE]",
        about: "claim a draw, now or with the move you intend; without reason to, offer one",
        read: |rest| Some(ConsoleCommand::Draw(optional(rest))),
    },
    Spec {
        name: "accept",
        arguments: "",
        about: "accept the draw that your opponent has offered",
        read: |rest| alone(rest, ConsoleCommand::Accept),
    },
    Spec {
        name: "decline",
        arguments: "",
        about: "decline it",
        read: |rest| alone(rest, ConsoleCommand::Decline),
    },
    Spec {
        name: "resign",
        arguments: "",
        about: "give the game up",
        read: |rest| alone(rest, ConsoleCommand::Resign),
    },
    Spec {
        name: "undo",
        arguments: "",
        about: "take your last move back",
        read: |rest| alone(rest, ConsoleCommand::Undo),
    },
    Spec {
        name: "redo",
        arguments: "",
        about: "play it again",
        read: |rest| alone(rest, ConsoleCommand::Redo),
    },
    Spec {
        name: "new",
        arguments: "",
        about: "begin a new game",
        read: |rest| alone(rest, ConsoleCommand::New),
    },
    Spec {
        name: "go",
        arguments: "",
        about: "let Tabiya play the side that is to move",
        read: |rest| alone(rest, ConsoleCommand::Go),
    },
    Spec {
        name: "play",
        arguments: "white|black|both|none",
        about: "choose whose moves you make; Tabiya makes the others",
        read: |rest| read_sides(rest).map(ConsoleCommand::Play),
    },
    Spec {
        name: "level",
        arguments: "[1-10 | elo RATING | time SECONDS | depth PLIES | nodes COUNT]",
        about: "show or set how well Tabiya plays; a rating is MIN_ELO to MAX_ELO",
        read: |rest| match rest {
            "" => Some(ConsoleCommand::Level(None)),
            _ => read_level(rest).map(|level| ConsoleCommand::Level(Some(level))),
        },
    },
    Spec {
        name: "clock",
        arguments: "[MINUTES+SECONDS | off]",
        about: "play with clocks, as 5+3: minutes each, and seconds for each move",
        read: |rest| match rest {
            "" => Some(ConsoleCommand::Clock(None)),
            "off" => Some(ConsoleCommand::Clock(Some(None))),
            _ => rest
                .parse()
                .ok()
                .map(|pace| ConsoleCommand::Clock(Some(Some(pace)))),
        },
    },
    Spec {
        name: "eval",
        arguments: "",
        about: "ask what Tabiya thinks of the position, as White counts, and of the moves to come",
        read: |rest| alone(rest, ConsoleCommand::Eval),
    },
    Spec {
        name: "analyse",
        arguments: "",
        about: "watch it think, until Ctrl-C",
        read: |rest| alone(rest, ConsoleCommand::Analyse),
    },
    Spec {
        name: "hint",
        arguments: "",
        about: "ask what Tabiya would play",
        read: |rest| alone(rest, ConsoleCommand::Hint),
    },
    Spec {
        name: "moves",
        arguments: "",
        about: "list the legal moves",
        read: |rest| alone(rest, ConsoleCommand::Moves),
    },
    Spec {
        name: "board",
        arguments: "",
        about: "show the board",
        read: |rest| alone(rest, ConsoleCommand::Board),
    },
    Spec {
        name: "flip",
        arguments: "",
        about: "show it from the other side",
        read: |rest| alone(rest, ConsoleCommand::Flip),
    },
    Spec {
        name: "fen",
        arguments: "[FEN]",
        about: "show the position as text, or set one up",
        read: |rest| Some(ConsoleCommand::Fen(optional(rest))),
    },
    Spec {
        name: "save",
        arguments: "FILE.pgn",
        about: "write the game to a new file",
        read: |rest| optional(rest).map(ConsoleCommand::Save),
    },
    Spec {
        name: "load",
        arguments: "FILE.pgn",
        about: "read the first game of a file",
        read: |rest| optional(rest).map(ConsoleCommand::Load),
    },
    Spec {
        name: "next",
        arguments: "[HALF-MOVES]",
        about: "go on in the game that was loaded",
        read: |rest| read_steps(rest).map(ConsoleCommand::Step),
    },
    Spec {
        name: "back",
        arguments: "[HALF-MOVES]",
        about: "go back in it",
        read: |rest| read_steps(rest).map(|steps| ConsoleCommand::Step(-steps)),
    },
    Spec {
        name: "first",
        arguments: "",
        about: "go to its start",
        read: |rest| alone(rest, ConsoleCommand::Step(-MOST_STEPS)),
    },
    Spec {
        name: "last",
        arguments: "",
        about: "go to its end",
        read: |rest| alone(rest, ConsoleCommand::Step(MOST_STEPS)),
    },
    Spec {
        name: "help",
        arguments: "",
        about: "show this text",
        read: |_| Some(ConsoleCommand::Help),
    },
    Spec {
        name: "quit",
        arguments: "",
        about: "leave",
        read: |_| Some(ConsoleCommand::Quit),
    },
];

/// A command whose arguments make no sense: how it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Usage(&'static str, &'static str);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Usage: {}", join(self.0, self.1))
    }
}

/// The command of a line, or `None` if its first word is no command.
pub(super) fn parse(line: &str) -> Option<Result<ConsoleCommand, Usage>> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let spec = COMMANDS
        .iter()
        .find(|spec| spec.name.eq_ignore_ascii_case(word))?;
    let command = (spec.read)(rest.trim());
    Some(command.ok_or(Usage(spec.name, spec.arguments)))
}

/// What there is to type, one line for each command.
pub(super) fn help() -> String {
    let lines = COMMANDS.iter().map(|spec| {
        let usage = join(spec.name, spec.arguments);
        let about = (spec.about)
            .replace("MIN_ELO", &strength::MIN_ELO.to_string())
            .replace("MAX_ELO", &strength::MAX_ELO.to_string());
        if usage.len() < 12 {
            format!("  {usage:12}{about}\n")
        } else {
            format!("  {usage}\n  {:12}{about}\n", "")
        }
    });
    format!(
        "Type a move (e4, Nf3, exd5, e8=Q, O-O, or e2e4) or one of these:\n{}\
         While Tabiya thinks, Ctrl-C lets it move at once; twice, it is your turn instead.\n",
        lines.collect::<String>()
    )
}

fn join(name: &str, arguments: &str) -> String {
    format!("{name} {arguments}").trim_end().to_owned()
}

fn optional(rest: &str) -> Option<String> {
    (!rest.is_empty()).then(|| rest.to_owned())
}

fn alone(rest: &str, command: ConsoleCommand) -> Option<ConsoleCommand> {
    rest.is_empty().then_some(command)
}

/// More than any game has.
const MOST_STEPS: isize = 1 << 30;

fn read_steps(text: &str) -> Option<isize> {
    let steps = if text.is_empty() { Ok(1) } else { text.parse() };
    steps.ok().filter(|steps| (1..=MOST_STEPS).contains(steps))
}

fn read_sides(text: &str) -> Option<Sides> {
    Some(match text.to_ascii_lowercase().as_str() {
        "white" => Sides::Only(Color::White),
        "black" => Sides::Only(Color::Black),
        "both" => Sides::Both,
        "none" => Sides::Neither,
        _ => return None,
    })
}

fn read_level(text: &str) -> Option<Level> {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    match *words {
        [number] => {
            let level = number.parse().ok()?;
            let is_known = (1..=Level::STRONGEST).contains(&level);
            is_known.then_some(Level::Number(level))
        }
        ["time", seconds] => {
            let time = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
            (!time.is_zero()).then_some(Level::Time(time))
        }
        ["elo", rating] => {
            let rating = rating.parse().ok()?;
            let is_known = (strength::MIN_ELO..=strength::MAX_ELO).contains(&rating);
            is_known.then_some(Level::Elo(rating))
        }
        ["depth", plies] => plies
            .parse()
            .ok()
            .filter(|&plies| plies > 0)
            .map(Level::Depth),
        ["nodes", count] => count
            .parse()
            .ok()
            .filter(|&count| count > 0)
            .map(Level::Nodes),
        _ => None,
    }
}
