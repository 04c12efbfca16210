//! What a user can set: one table, from which every protocol prints and sets.

use super::Engine;
use crate::board::MAX_MOVES;
use crate::search::thread::Job;
use crate::search::tt::TranspositionTable;
use std::fmt;
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
    /// Resign a lost game, where the protocol knows how.
    pub resign: bool,
}

const DEFAULT_HASH_MIB: i64 = 16;
const MAX_THREADS: i64 = 512;
const DEFAULT_MOVE_OVERHEAD_MS: i64 = 20;

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: DEFAULT_HASH_MIB as usize,
            move_overhead: Duration::from_millis(DEFAULT_MOVE_OVERHEAD_MS as u64),
            chess960: false,
            multi_pv: 1,
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
];

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
            Kind::Button { apply } => apply(self),
        }
        Ok(())
    }
}
