//! What a user can set: one table, from which every protocol prints and sets.

use super::Engine;
use crate::board::MAX_MOVES;
use crate::book::Book;
use crate::search::ProbeRules;
use crate::search::thread::Job;
use crate::search::tt::TranspositionTable;
use crate::tablebase::Tablebase;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// The options as they are set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// What is lost between the clock and the engine at each move.
    pub move_overhead: Duration,
    /// Castling by the rules of Chess960.
    pub chess960: bool,
    /// How many of the best lines are wanted.
    pub multi_pv: usize,
    /// When tablebases are asked, and how their answers are taken.
    pub probe: ProbeRules,
    /// Play from the book.
    pub own_book: bool,
    /// The last move of the game for which the book is asked.
    pub book_depth: u32,
    /// Play the book's first choice always, instead of drawing lots by weight.
    pub best_book_move: bool,
    /// Resign a lost game, where the protocol knows how.
    pub resign: bool,
}

const DEFAULT_HASH_MIB: i64 = 16;
const MAX_THREADS: i64 = 512;
const DEFAULT_MOVE_OVERHEAD_MS: i64 = 20;
const DEFAULT_BOOK_DEPTH: i64 = 255;

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: DEFAULT_HASH_MIB as usize,
            move_overhead: Duration::from_millis(DEFAULT_MOVE_OVERHEAD_MS as u64),
            chess960: false,
            multi_pv: 1,
            probe: ProbeRules::DEFAULT,
            own_book: false,
            book_depth: DEFAULT_BOOK_DEPTH as u32,
            best_book_move: false,
            resign: false,
        }
    }
}

/// What can be set, and what happens then.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A whole number.
    Spin {
        /// The value at the start.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// Sets it.
        apply: fn(&mut Engine, i64),
    },
    /// Yes or no.
    Check {
        /// The value at the start.
        default: bool,
        /// Sets it.
        apply: fn(&mut Engine, bool),
    },
    /// A text, empty at the start.
    Text {
        /// Sets it, or says in one sentence why not.
        apply: fn(&mut Engine, &str) -> Result<(), String>,
    },
    /// Something to be done.
    Button {
        /// Does it.
        apply: fn(&mut Engine),
    },
}

/// An option.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its name; case does not matter when it is set.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: Kind,
    /// What it is for, in one sentence.
    pub about: &'static str,
}

/// Every option.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: Kind::Spin {
            default: DEFAULT_HASH_MIB,
            min: TranspositionTable::MIN_MIB as i64,
            max: TranspositionTable::MAX_MIB as i64,
            apply: |engine, mib| {
                engine.settings.hash_mib = mib as usize;
                engine.send(Job::Resize(mib as usize));
            },
        },
        about: "Size of the transposition table in MiB.",
    },
    OptionSpec {
        name: "Clear Hash",
        kind: Kind::Button {
            apply: |engine| engine.send(Job::ClearHash),
        },
        about: "Empties the transposition table.",
    },
    OptionSpec {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS,
            apply: |engine, threads| engine.send(Job::Threads(threads as usize)),
        },
        about: "How many threads search.",
    },
    OptionSpec {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_MOVES as i64,
            apply: |engine, lines| engine.settings.multi_pv = lines as usize,
        },
        about: "How many of the best lines are searched and shown.",
    },
    OptionSpec {
        name: "Ponder",
        kind: Kind::Check {
            default: false,
            // Whoever ponders says so with each `go`.
            apply: |_, _| {},
        },
        about: "Tells the program that the engine can think on the opponent's time.",
    },
    OptionSpec {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: DEFAULT_MOVE_OVERHEAD_MS,
            min: 0,
            max: 10_000,
            apply: |engine, ms| {
                engine.settings.move_overhead = Duration::from_millis(ms.unsigned_abs())
            },
        },
        about: "Time in milliseconds that is lost between the clock and the engine at each move.",
    },
    OptionSpec {
        name: "Resign",
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.resign = on,
        },
        about: "Resigns a lost game, under XBoard; in UCI nobody can.",
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.chess960 = on,
        },
        about: "Castling by the rules of Chess960, written as king takes rook.",
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: Kind::Text {
            apply: |engine, folders| {
                let tablebase = match folders {
                    "" => None,
                    folders => {
                        let opened = Tablebase::open(folders);
                        Some(Box::new(opened.map_err(|error| error.to_string())?))
                    }
                };
                engine.send(Job::Tablebase(tablebase));
                Ok(())
            },
        },
        about: "The folders of Syzygy tablebases, separated as in the system's PATH.",
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin {
            default: ProbeRules::DEFAULT.depth as i64,
            min: 1,
            max: 100,
            apply: |engine, plies| engine.settings.probe.depth = plies as u32,
        },
        about: "The least plies still to search at which the largest tables are asked.",
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin {
            default: ProbeRules::DEFAULT.men as i64,
            min: 0,
            max: 7,
            apply: |engine, men| engine.settings.probe.men = men as u32,
        },
        about: "The most men on the board with which tables are asked.",
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: Kind::Check {
            default: ProbeRules::DEFAULT.fifty_move_rule,
            apply: |engine, on| engine.settings.probe.fifty_move_rule = on,
        },
        about: "Takes wins that the fifty-move rule would frustrate for draws.",
    },
    OptionSpec {
        name: "OwnBook",
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.own_book = on,
        },
        about: "Plays from the book while it knows the position.",
    },
    OptionSpec {
        name: "BookFile",
        kind: Kind::Text {
            apply: |engine, path| {
                engine.book = match path {
                    "" => None,
                    path => Some(Book::open(Path::new(path)).map_err(|error| error.to_string())?),
                };
                Ok(())
            },
        },
        about: "The book: a file in Polyglot's format.",
    },
    OptionSpec {
        name: "Book Depth",
        kind: Kind::Spin {
            default: DEFAULT_BOOK_DEPTH,
            min: 0,
            max: 255,
            apply: |engine, moves| engine.settings.book_depth = moves as u32,
        },
        about: "The last move of the game for which the book is asked.",
    },
    OptionSpec {
        name: "Best Book Move",
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.best_book_move = on,
        },
        about: "Plays the book's first choice always, instead of drawing lots by weight.",
    },
];

/// How UCI writes a text that is empty.
pub const EMPTY_TEXT: &str = "<empty>";

/// Why an option was not set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionError {
    /// There is no option of that name.
    Unknown(String),
    /// The value is missing or of another kind.
    BadValue {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        wanted: String,
    },
    /// The value cannot be used, for the reason given in one sentence.
    Refused(String),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "there is no option '{name}'"),
            Self::BadValue {
                name,
                value,
                wanted,
            } => write!(f, "option {name} takes {wanted}, not '{value}'"),
            Self::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for OptionError {}

impl Engine {
    /// Sets an option.
    ///
    /// # Errors
    /// If there is none of that name, or the value does not fit; nothing is changed then.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let option = OPTIONS
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let bad_value = |wanted| OptionError::BadValue {
            name: option.name,
            value: value.to_owned(),
            wanted,
        };
        match option.kind {
            Kind::Spin {
                min, max, apply, ..
            } => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => apply(self, number),
                _ => return Err(bad_value(format!("a whole number from {min} to {max}"))),
            },
            Kind::Check { apply, .. } => match value.to_ascii_lowercase().as_str() {
                "true" | "1" | "on" => apply(self, true),
                "false" | "0" | "off" => apply(self, false),
                _ => return Err(bad_value("true or false".to_owned())),
            },
            Kind::Text { apply } => {
                // UCI writes an empty text like this.
                let text = if value == EMPTY_TEXT { "" } else { value };
                apply(self, text).map_err(OptionError::Refused)?;
            }
            Kind::Button { apply } => apply(self),
        }
        Ok(())
    }
}
