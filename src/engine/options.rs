//! The options: one table, from which every protocol prints and sets them.

use super::opponent::Opponent;
use super::option_error::{OptionError, Remark, Wanted};
use super::option_values::OptionValues;
use super::{Engine, strength};
use crate::board::MAX_MOVES;
use crate::book::Book;
use crate::eval::Network;
use crate::files::open_to_append;
use crate::search::tt::TranspositionTable;
use crate::search::{MAX_THREADS, Searcher};
#[cfg(feature = "tune")]
use crate::search::{PARAMETERS, set_parameter};
use crate::tablebase::{Tablebase, summary};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The type of an option and how it is set. [`OptionValues::default`] has the default values.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A whole number.
    Spin {
        /// Minimum value.
        min: i64,
        /// Maximum value.
        max: i64,
        /// Reads the value.
        get: fn(&OptionValues) -> i64,
        /// Sets the value.
        set: fn(&mut Engine, i64),
    },
    /// True or false.
    Check {
        /// The value among the settings.
        field: fn(&mut OptionValues) -> &mut bool,
    },
    /// A text, empty by default.
    Text {
        /// What the text names.
        holds: Holds,
        /// Sets the text.
        set: fn(&mut Engine, &str) -> Result<Vec<Remark>, String>,
    },
    /// An action.
    Button {
        /// Runs the action.
        press: fn(&mut Engine),
    },
}

/// What a text names. XBoard shows a dialog for files and folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Words.
    Words,
    /// A file.
    File,
    /// Folders.
    Folders,
}

/// One option.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Name. Case, blanks, `_` and `-` do not matter when it is set.
    pub name: &'static str,
    /// Other names that set it: XBoard's commands, names used by other engines.
    pub aliases: &'static [&'static str],
    /// Type of the value.
    pub kind: Kind,
    /// Purpose, in one sentence.
    pub about: &'static str,
}

impl OptionSpec {
    /// Whether `name` is one of its names.
    fn is_called(&self, name: &str) -> bool {
        let mut names = self.aliases.iter().chain([&self.name]);
        names.any(|known| letters(known).eq(letters(name)))
    }
}

/// The letters of a name that matter.
fn letters(name: &str) -> impl Iterator<Item = char> {
    let matters = |letter: &char| !matches!(letter, ' ' | '_' | '-');
    name.chars()
        .filter(matters)
        .map(|letter| letter.to_ascii_lowercase())
}

/// Every option.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        aliases: &["memory", "hash size", "hash mb"],
        kind: Kind::Spin {
            min: TranspositionTable::MIN_MIB as i64,
            max: TranspositionTable::MAX_MIB as i64,
            get: |settings| settings.hash_mib as i64,
            set: |engine, mib| engine.set_hash(mib as usize),
        },
        about: "Size of the transposition table in MiB.",
    },
    OptionSpec {
        name: "Clear Hash",
        aliases: &[],
        kind: Kind::Button {
            press: |engine| engine.configure(Searcher::clear_hash),
        },
        about: "Clears the transposition table.",
    },
    OptionSpec {
        name: "Threads",
        aliases: &["cores", "cpus", "max cpus", "number of threads"],
        kind: Kind::Spin {
            min: 1,
            max: MAX_THREADS as i64,
            get: |settings| settings.threads as i64,
            set: |engine, threads| engine.set_threads(threads as usize),
        },
        about: "Number of search threads.",
    },
    OptionSpec {
        name: "MultiPV",
        aliases: &[],
        kind: Kind::Spin {
            min: 1,
            max: MAX_MOVES as i64,
            get: |settings| settings.search.multi_pv as i64,
            set: |engine, lines| engine.settings.search.multi_pv = lines as usize,
        },
        about: "Number of best lines to search and show.",
    },
    OptionSpec {
        name: "Ponder",
        aliases: &["pondering"],
        kind: Kind::Check {
            field: |settings| &mut settings.ponder,
        },
        about: "Shows the GUI that the engine can think on the opponent's time.",
    },
    OptionSpec {
        name: "Move Overhead",
        aliases: &["move overhead ms", "overhead"],
        kind: Kind::Spin {
            min: 0,
            max: 10_000,
            get: |settings| settings.search.move_overhead.as_millis() as i64,
            set: |engine, ms| {
                engine.settings.search.move_overhead = Duration::from_millis(ms as u64)
            },
        },
        about: "Time in milliseconds lost between the GUI's clock and the engine on each move.",
    },
    OptionSpec {
        name: "Resign",
        aliases: &[],
        kind: Kind::Check {
            field: |settings| &mut settings.resign,
        },
        about: "Resigns lost games under XBoard; UCI has no way to resign.",
    },
    OptionSpec {
        name: "UCI_Chess960",
        aliases: &["Chess960"],
        kind: Kind::Check {
            field: |settings| &mut settings.chess960,
        },
        about: "Plays Chess960; castling is written as king takes rook.",
    },
    OptionSpec {
        name: "EvalFile",
        aliases: &["network"],
        kind: Kind::Text {
            holds: Holds::File,
            set: |engine, file| {
                engine.network = match file {
                    "" => Network::embedded(),
                    file => {
                        Arc::new(Network::load(Path::new(file)).map_err(|error| error.to_string())?)
                    }
                };
                let network = engine.network.clone();
                engine.configure(|searcher| searcher.set_network(network));
                Ok(Vec::new())
            },
        },
        about: "Network file to evaluate with; empty for the built-in network.",
    },
    OptionSpec {
        name: "SyzygyPath",
        aliases: &["egtpath", "syzygy", "tablebase path"],
        kind: Kind::Text {
            holds: Holds::Folders,
            set: |engine, folders| {
                let tablebase = match folders {
                    "" => None,
                    folders => Some(Tablebase::open(folders).map_err(|error| error.to_string())?),
                };
                let remarks = tablebase.as_ref().map_or_else(Vec::new, describe_tablebase);
                let tablebase = tablebase.map(Box::new);
                engine.configure(|searcher| searcher.set_tablebase(tablebase));
                Ok(remarks)
            },
        },
        about: "Folders with Syzygy tablebases, separated as in the system's PATH.",
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        aliases: &[],
        kind: Kind::Spin {
            min: 1,
            max: 100,
            get: |settings| i64::from(settings.search.probe.depth),
            set: |engine, plies| engine.settings.search.probe.depth = plies as u32,
        },
        about: "Probe the largest tablebases only with at least this many plies left to search.",
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        aliases: &[],
        kind: Kind::Spin {
            min: 0,
            max: 7,
            get: |settings| i64::from(settings.search.probe.pieces),
            set: |engine, pieces| engine.settings.search.probe.pieces = pieces as u32,
        },
        about: "Probe tablebases with at most this many pieces.",
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        aliases: &["SyzygyUse50MoveRule"],
        kind: Kind::Check {
            field: |settings| &mut settings.search.probe.fifty_move_rule,
        },
        about: "Counts tablebase wins that the fifty-move rule prevents as draws.",
    },
    OptionSpec {
        name: "OwnBook",
        aliases: &["use book"],
        kind: Kind::Check {
            field: |settings| &mut settings.own_book,
        },
        about: "Plays from the opening book while it has a move.",
    },
    OptionSpec {
        name: "BookFile",
        aliases: &["book", "book path"],
        kind: Kind::Text {
            holds: Holds::File,
            set: |engine, path| {
                engine.book = match path {
                    "" => None,
                    path => Some(Book::open(Path::new(path)).map_err(|error| error.to_string())?),
                };
                Ok(Vec::new())
            },
        },
        about: "Opening book file in Polyglot format.",
    },
    OptionSpec {
        name: "Book Depth",
        aliases: &[],
        kind: Kind::Spin {
            min: 0,
            max: 255,
            get: |settings| i64::from(settings.book_depth),
            set: |engine, moves| engine.settings.book_depth = moves as u32,
        },
        about: "Last move number at which the book is used.",
    },
    OptionSpec {
        name: "Best Book Move",
        aliases: &[],
        kind: Kind::Check {
            field: |settings| &mut settings.best_book_move,
        },
        about: "Always plays the book move with the greatest weight, instead of a random one by weight.",
    },
    OptionSpec {
        name: "nodestime",
        aliases: &[],
        kind: Kind::Spin {
            min: 0,
            max: 10_000,
            get: |settings| {
                settings
                    .search
                    .node_rate
                    .map_or(0, |rate| rate.get() as i64 / 1_000)
            },
            set: |engine, nodes| engine.set_node_rate(1_000 * nodes as u64),
        },
        about: "Counts this many nodes as one millisecond of search; 0 uses the clock.",
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        aliases: &["limit strength"],
        kind: Kind::Check {
            field: |settings| &mut settings.limit_strength,
        },
        about: "Limits the playing strength to UCI_Elo.",
    },
    OptionSpec {
        name: "UCI_Elo",
        aliases: &["elo"],
        kind: Kind::Spin {
            min: strength::MIN_ELO as i64,
            max: strength::MAX_ELO as i64,
            get: |settings| i64::from(settings.elo),
            set: |engine, elo| engine.settings.elo = elo as u32,
        },
        about: "Approximate playing strength if UCI_LimitStrength is set.",
    },
    OptionSpec {
        name: "Skill Level",
        aliases: &["skill"],
        kind: Kind::Spin {
            min: 0,
            max: strength::FULL_SKILL as i64,
            get: |settings| i64::from(settings.skill_level),
            set: |engine, level| engine.settings.skill_level = level as u32,
        },
        about: "Playing strength in steps, from UCI_Elo 1000 to full strength; UCI_LimitStrength takes precedence.",
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        aliases: &["ShowWDL", "wdl"],
        kind: Kind::Check {
            field: |settings| &mut settings.show_wdl,
        },
        about: "Shows win, draw and loss chances in permille.",
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        aliases: &["UCI_AnalyzeMode", "AnalyseMode", "AnalyzeMode"],
        kind: Kind::Check {
            field: |settings| &mut settings.analyse_mode,
        },
        about: "Searches at full strength and without the book, whatever the other options say.",
    },
    OptionSpec {
        name: "UCI_Opponent",
        aliases: &["opponent"],
        kind: Kind::Text {
            holds: Holds::Words,
            set: |engine, text| {
                engine.set_opponent(Opponent::parse(text));
                Ok(Vec::new())
            },
        },
        about: "The opponent: title, rating, computer or human, name. Play is the same against all.",
    },
    OptionSpec {
        // Without a blank, because OpenBench splits options at blanks outside of quotes.
        name: "Minimal",
        aliases: &["minimal output"],
        kind: Kind::Check {
            field: |settings| &mut settings.minimal_output,
        },
        about: "Under UCI, prints only the final result of each search.",
    },
    OptionSpec {
        name: "SoftNodes",
        aliases: &[],
        kind: Kind::Check {
            field: |settings| &mut settings.soft_nodes,
        },
        about: "After N nodes of `go nodes N`, starts no new iteration; the hard limit is 8 N.",
    },
    OptionSpec {
        name: "PgnComment",
        aliases: &[],
        kind: Kind::Check {
            field: |settings| &mut settings.pgn_comment,
        },
        about: "Under UCI, sends the score of each move that was searched to depth 1 or more, in plain centipawns, as `info string pgncomment N`.",
    },
    OptionSpec {
        name: "Debug Log File",
        aliases: &["log file", "debug log"],
        kind: Kind::Text {
            holds: Holds::File,
            set: |engine, path| {
                engine.log = match path {
                    "" => None,
                    path => Some(open_log(path)?),
                };
                Ok(Vec::new())
            },
        },
        about: "Appends every line of input and output to this file, with the time.",
    },
];

/// What was found in the folders of tablebases, and what cannot be used there.
fn describe_tablebase(tablebase: &Tablebase) -> Vec<Remark> {
    let found = Remark::Found(format!("found {tablebase}"));
    let problems = summary(tablebase.problems());
    [found]
        .into_iter()
        .chain(problems.into_iter().map(Remark::Unusable))
        .collect()
}

/// Opens a file for appending.
fn open_log(path: &str) -> Result<Arc<File>, String> {
    // What stands for bytes that are not UTF-8 would be the name of another file.
    let opened = if path.contains(char::REPLACEMENT_CHARACTER) {
        Err("the name is not UTF-8".to_owned())
    } else {
        open_to_append(Path::new(path)).map_err(|error| error.to_string())
    };
    opened
        .map(Arc::new)
        .map_err(|error| format!("the log {path} cannot be written: {error}"))
}

/// An empty text as UCI writes it.
pub const EMPTY_TEXT: &str = "<empty>";

impl Engine {
    /// Sets an option. Returns remarks, one sentence each, if there is something to say.
    ///
    /// During a search it counts from the next one on. Memory and threads are set only then; if the
    /// system refuses them, [`wait_until_ready`](Self::wait_until_ready) or an event says so.
    ///
    /// # Errors
    /// If the name is unknown or the value is unusable. The option then keeps its value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<Vec<Remark>, OptionError> {
        #[cfg(feature = "tune")]
        if let Some(parameter) = PARAMETERS.iter().find(|parameter| parameter.name == name) {
            let (min, max) = (parameter.min, parameter.max);
            let number = value.parse().ok();
            let number = number.filter(|number| (min..=max).contains(number));
            let number = number.ok_or_else(|| OptionError::BadValue {
                name: parameter.name,
                value: value.to_owned(),
                wanted: Wanted::NumberBetween(min.into(), max.into()),
            })?;
            set_parameter(name, number);
            return Ok(Vec::new());
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
        let fifty_move_rule = self.settings.search.probe.fifty_move_rule;
        match option.kind {
            Kind::Spin { min, max, set, .. } => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => {
                    set(self, number);
                }
                _ => return Err(bad_value(Wanted::NumberBetween(min, max))),
            },
            Kind::Check { field } => {
                *field(&mut self.settings) = match value.to_ascii_lowercase().as_str() {
                    "true" | "1" | "on" => true,
                    "false" | "0" | "off" => false,
                    _ => return Err(bad_value(Wanted::TrueOrFalse)),
                };
            }
            Kind::Text { set, .. } => {
                let text = if value == EMPTY_TEXT { "" } else { value };
                return set(self, text).map_err(OptionError::Refused);
            }
            Kind::Button { press } => press(self),
        }
        if self.settings.search.probe.fifty_move_rule != fifty_move_rule {
            // The transposition table has results by the other rule.
            self.configure(Searcher::clear_hash);
        }
        Ok(Vec::new())
    }

    /// Resizes the transposition table, which clears it.
    fn set_hash(&mut self, mib: usize) {
        if mib != self.settings.hash_mib {
            self.settings.hash_mib = mib;
            self.try_configure(move |searcher| searcher.resize(mib));
        }
    }

    fn set_threads(&mut self, threads: usize) {
        if threads != self.settings.threads {
            self.settings.threads = threads;
            self.try_configure(move |searcher| searcher.set_threads(threads));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_name_belongs_to_one_option() {
        let mut seen = HashSet::new();
        for option in OPTIONS {
            for name in option.aliases.iter().chain([&option.name]) {
                assert!(seen.insert(letters(name).collect::<String>()), "{name}");
            }
        }
    }

    #[test]
    fn options_are_found_by_all_their_names() {
        for (name, known) in [
            ("hash", "Hash"),
            ("MoveOverhead", "Move Overhead"),
            ("move_overhead", "Move Overhead"),
            ("MoveOverheadMs", "Move Overhead"),
            ("Clear_Hash", "Clear Hash"),
            ("memory", "Hash"),
            ("CORES", "Threads"),
            ("egtpath", "SyzygyPath"),
            ("Minimal output", "Minimal"),
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
