//! What a user can set: one table, from which every protocol prints and sets.

use super::files::{load_network, refuse_special};
use super::opponent::Opponent;
use super::{Engine, strength};
use crate::board::MAX_MOVES;
use crate::book::Book;
use crate::eval::Network;
use crate::search::thread::Job;
use crate::search::tt::TranspositionTable;
#[cfg(feature = "tune")]
use crate::search::{PARAMETERS, set_parameter};
use crate::search::{ProbeRules, SearchSettings};
use crate::tablebase::Tablebase;
use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The options as they are set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// Number of search threads.
    pub threads: usize,
    /// What a search takes from the options; the handicap follows from the strength.
    pub search: SearchSettings,
    /// Castling by the rules of Chess960.
    pub chess960: bool,
    /// Play from the book.
    pub own_book: bool,
    /// Last move number at which the book is used.
    pub book_depth: u32,
    /// Play the book's first choice always, instead of drawing lots by weight.
    pub best_book_move: bool,
    /// Resign a lost game, where the protocol knows how.
    pub resign: bool,
    /// Play at the strength of [`Self::elo`].
    pub limit_strength: bool,
    /// The strength to play at, if it is limited.
    pub elo: u32,
    /// The same in steps, up to [`strength::FULL_SKILL`].
    pub skill_level: u32,
    /// Show the chances to win, draw and lose.
    pub show_wdl: bool,
    /// Search at full strength and without the book.
    pub analyse_mode: bool,
    /// Who plays against the engine.
    pub opponent: Opponent,
    /// Tell of a search only what it has come to in the end.
    pub minimal_output: bool,
}

const DEFAULT_HASH_MIB: i64 = 16;
pub(super) const MAX_THREADS: i64 = 512;
const DEFAULT_MOVE_OVERHEAD_MS: i64 = 20;
const DEFAULT_BOOK_DEPTH: i64 = 255;

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: DEFAULT_HASH_MIB as usize,
            threads: 1,
            search: SearchSettings {
                multi_pv: 1,
                move_overhead: Duration::from_millis(DEFAULT_MOVE_OVERHEAD_MS as u64),
                ..SearchSettings::default()
            },
            chess960: false,
            own_book: false,
            book_depth: DEFAULT_BOOK_DEPTH as u32,
            best_book_move: false,
            resign: false,
            limit_strength: false,
            elo: strength::MAX_ELO,
            skill_level: strength::FULL_SKILL,
            show_wdl: false,
            analyse_mode: false,
            opponent: Opponent::default(),
            minimal_output: false,
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
    /// Its name. When it is set, case does not matter, nor do blanks, `_` and `-`.
    pub name: &'static str,
    /// What else it may be called when it is set: XBoard's commands, other engines' names.
    pub aliases: &'static [&'static str],
    /// What it can be set to.
    pub kind: Kind,
    /// What it is for, in one sentence.
    pub about: &'static str,
}

impl OptionSpec {
    /// Whether this is one of its names.
    fn is_called(&self, name: &str) -> bool {
        let mut names = self.aliases.iter().chain([&self.name]);
        names.any(|known| letters(known).eq(letters(name)))
    }
}

/// What counts of a name.
fn letters(name: &str) -> impl Iterator<Item = char> {
    let counts = |letter: &char| !matches!(letter, ' ' | '_' | '-');
    name.chars()
        .filter(counts)
        .map(|letter| letter.to_ascii_lowercase())
}

/// Every option.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        aliases: &["memory", "hash size", "hash mb"],
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
        aliases: &[],
        kind: Kind::Button {
            apply: |engine| engine.send(Job::ClearHash),
        },
        about: "Clears the transposition table.",
    },
    OptionSpec {
        name: "Threads",
        aliases: &["cores", "cpus", "max cpus", "number of threads"],
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS,
            apply: |engine, threads| {
                engine.settings.threads = threads as usize;
                engine.send(Job::Threads(threads as usize));
            },
        },
        about: "Number of search threads.",
    },
    OptionSpec {
        name: "MultiPV",
        aliases: &[],
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_MOVES as i64,
            apply: |engine, lines| engine.settings.search.multi_pv = lines as usize,
        },
        about: "Number of best lines to search and show.",
    },
    OptionSpec {
        name: "Ponder",
        aliases: &["pondering"],
        kind: Kind::Check {
            default: false,
            // Whoever ponders says so with each `go`.
            apply: |_, _| {},
        },
        about: "Tells the GUI that the engine can think on the opponent's time.",
    },
    OptionSpec {
        name: "Move Overhead",
        aliases: &["move overhead ms", "overhead"],
        kind: Kind::Spin {
            default: DEFAULT_MOVE_OVERHEAD_MS,
            min: 0,
            max: 10_000,
            apply: |engine, ms| {
                engine.settings.search.move_overhead = Duration::from_millis(ms.unsigned_abs())
            },
        },
        about: "Time in milliseconds lost between the GUI's clock and the engine on each move.",
    },
    OptionSpec {
        name: "Resign",
        aliases: &[],
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.resign = on,
        },
        about: "Resigns lost games under XBoard; UCI has no way to resign.",
    },
    OptionSpec {
        name: "UCI_Chess960",
        aliases: &["Chess960"],
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.chess960 = on,
        },
        about: "Plays Chess960; castling is written as king takes rook.",
    },
    OptionSpec {
        name: "EvalFile",
        aliases: &["network"],
        kind: Kind::Text {
            apply: |engine, file| {
                engine.network = match file {
                    "" => Network::embedded(),
                    file => {
                        Arc::new(load_network(Path::new(file)).map_err(|error| error.to_string())?)
                    }
                };
                engine.send(Job::Network(engine.network.clone()));
                Ok(())
            },
        },
        about: "Network file to evaluate with; empty for the built-in network.",
    },
    OptionSpec {
        name: "SyzygyPath",
        aliases: &["egtpath", "syzygy", "tablebase path"],
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
        about: "Folders with Syzygy tablebases, separated as in the system's PATH.",
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        aliases: &[],
        kind: Kind::Spin {
            default: ProbeRules::DEFAULT.depth as i64,
            min: 1,
            max: 100,
            apply: |engine, plies| engine.settings.search.probe.depth = plies as u32,
        },
        about: "Probe the largest tablebases only with at least this many plies left to search.",
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        aliases: &[],
        kind: Kind::Spin {
            default: ProbeRules::DEFAULT.pieces as i64,
            min: 0,
            max: 7,
            apply: |engine, pieces| engine.settings.search.probe.pieces = pieces as u32,
        },
        about: "Probe tablebases with at most this many pieces.",
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        aliases: &["SyzygyUse50MoveRule"],
        kind: Kind::Check {
            default: ProbeRules::DEFAULT.fifty_move_rule,
            apply: |engine, on| engine.settings.search.probe.fifty_move_rule = on,
        },
        about: "Counts tablebase wins that the fifty-move rule prevents as draws.",
    },
    OptionSpec {
        name: "OwnBook",
        aliases: &["use book"],
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.own_book = on,
        },
        about: "Plays from the opening book while it has a move.",
    },
    OptionSpec {
        name: "BookFile",
        aliases: &["book", "book path"],
        kind: Kind::Text {
            apply: |engine, path| {
                engine.book = match path {
                    "" => None,
                    path => {
                        refuse_special(Path::new(path)).map_err(|reason| {
                            format!("the book {path} cannot be read: {reason}")
                        })?;
                        Some(Book::open(Path::new(path)).map_err(|error| error.to_string())?)
                    }
                };
                Ok(())
            },
        },
        about: "Opening book file in Polyglot format.",
    },
    OptionSpec {
        name: "Book Depth",
        aliases: &[],
        kind: Kind::Spin {
            default: DEFAULT_BOOK_DEPTH,
            min: 0,
            max: 255,
            apply: |engine, moves| engine.settings.book_depth = moves as u32,
        },
        about: "Last move number at which the book is used.",
    },
    OptionSpec {
        name: "Best Book Move",
        aliases: &[],
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.best_book_move = on,
        },
        about: "Always plays the book move with the greatest weight, instead of a random one by weight.",
    },
    OptionSpec {
        name: "nodestime",
        aliases: &[],
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: 10_000,
            apply: |engine, nodes| {
                engine.set_node_rate(nodes.unsigned_abs().saturating_mul(1_000));
            },
        },
        about: "Counts this many nodes as one millisecond of search; 0 uses the clock.",
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        aliases: &["limit strength"],
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.limit_strength = on,
        },
        about: "Limits the playing strength to UCI_Elo.",
    },
    OptionSpec {
        name: "UCI_Elo",
        aliases: &["elo"],
        kind: Kind::Spin {
            default: strength::MAX_ELO as i64,
            min: strength::MIN_ELO as i64,
            max: strength::MAX_ELO as i64,
            apply: |engine, elo| engine.settings.elo = elo as u32,
        },
        about: "Approximate playing strength if UCI_LimitStrength is set.",
    },
    OptionSpec {
        name: "Skill Level",
        aliases: &["skill"],
        kind: Kind::Spin {
            default: strength::FULL_SKILL as i64,
            min: 0,
            max: strength::FULL_SKILL as i64,
            apply: |engine, level| engine.settings.skill_level = level as u32,
        },
        about: "Playing strength in steps, from the lowest UCI_Elo to full strength; UCI_LimitStrength takes precedence.",
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        aliases: &["ShowWDL", "wdl"],
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.show_wdl = on,
        },
        about: "Shows win, draw and loss chances in permille.",
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        aliases: &["UCI_AnalyzeMode", "AnalyseMode", "AnalyzeMode"],
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.analyse_mode = on,
        },
        about: "Searches at full strength and without the book, whatever the other options say.",
    },
    OptionSpec {
        name: "UCI_Opponent",
        aliases: &["opponent"],
        kind: Kind::Text {
            apply: |engine, text| {
                engine.settings.opponent = Opponent::parse(text);
                Ok(())
            },
        },
        about: "The opponent: title, rating, computer or human, name.",
    },
    OptionSpec {
        name: "Minimal output",
        aliases: &["minimal"],
        kind: Kind::Check {
            default: false,
            apply: |engine, on| engine.settings.minimal_output = on,
        },
        about: "Under UCI, prints only the final result of each search.",
    },
    OptionSpec {
        name: "Debug Log File",
        aliases: &["log file", "debug log"],
        kind: Kind::Text {
            apply: |engine, path| {
                engine.log = match path {
                    "" => None,
                    path => Some(open_log(path)?),
                };
                Ok(())
            },
        },
        about: "Appends every line of input and output to this file, with the time.",
    },
];

/// Opens a file to write at its end.
fn open_log(path: &str) -> Result<Arc<File>, String> {
    let refused = |reason: String| format!("the log {path} cannot be written: {reason}");
    refuse_special(Path::new(path)).map_err(|reason| refused(reason.to_owned()))?;
    let opened = File::options().create(true).append(true).open(path);
    opened
        .map(Arc::new)
        .map_err(|error| refused(error.to_string()))
}

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
        #[cfg(feature = "tune")]
        if let Some(parameter) = PARAMETERS.iter().find(|parameter| parameter.name == name) {
            let number = value.parse().map_err(|_| OptionError::BadValue {
                name: parameter.name,
                value: value.to_owned(),
                wanted: "a whole number".to_owned(),
            })?;
            set_parameter(name, number);
            return Ok(());
        }
        let option = OPTIONS
            .iter()
            .find(|option| option.is_called(name))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_name_means_two_options() {
        let mut seen = HashSet::new();
        for option in OPTIONS {
            for name in option.aliases.iter().chain([&option.name]) {
                assert!(seen.insert(letters(name).collect::<String>()), "{name}");
            }
        }
    }

    #[test]
    fn options_answer_to_all_their_names() {
        for (name, known) in [
            ("hash", "Hash"),
            ("MoveOverhead", "Move Overhead"),
            ("move_overhead", "Move Overhead"),
            ("MoveOverheadMs", "Move Overhead"),
            ("Clear_Hash", "Clear Hash"),
            ("memory", "Hash"),
            ("CORES", "Threads"),
            ("egtpath", "SyzygyPath"),
            ("MinimalOutput", "Minimal output"),
            ("UCI_AnalyzeMode", "UCI_AnalyseMode"),
            ("SyzygyUse50MoveRule", "Syzygy50MoveRule"),
        ] {
            let called: Vec<_> = OPTIONS
                .iter()
                .filter(|option| option.is_called(name))
                .collect();
            assert_eq!(called.len(), 1, "{name}");
            assert_eq!(called[0].name, known, "{name}");
        }
        assert!(
            !OPTIONS
                .iter()
                .any(|option| option.is_called("Contempt") || option.is_called(""))
        );
    }
}
