//! The command line of `tabiya-train`.

#[cfg(feature = "tune")]
use crate::experiment;
use crate::{blend, fold, judge, train, wdl, widen};
use clap::{Parser, Subcommand};
use std::io::{self, Write};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
'tabiya-train COMMAND --help' describes a command. 'tabiya datagen' makes the games.
A build with '--features tune' adds match, factorial and effects, which measure settings of the \
search by games.
Exit codes: 0 success; 1 failure, with the reason on standard error; 2 wrong usage.";

/// Train and measure the networks of the chess engine Tabiya
#[derive(Debug, Parser)]
#[command(name = "tabiya-train", version, after_help = AFTER_HELP, max_term_width = 100)]
pub struct CommandLine {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    #[allow(missing_docs)]
    Train(train::Settings),
    #[allow(missing_docs)]
    Judge(judge::Settings),
    #[allow(missing_docs)]
    Targets(judge::targets::Settings),
    #[allow(missing_docs)]
    Blend(blend::Settings),
    #[allow(missing_docs)]
    Fold(fold::Settings),
    #[allow(missing_docs)]
    Widen(widen::Settings),
    /// Fit the win/draw/loss model to self-play games
    ///
    /// The model gives the chances of a win, a draw and a loss for a score and a number of pieces.
    /// Prints its parameters, and how well it agrees with the games.
    Wdl {
        /// Files of games in viriformat.
        #[arg(required = true, value_name = "GAMES.vf")]
        files: Vec<PathBuf>,
    },
    #[allow(missing_docs)]
    #[cfg(feature = "tune")]
    #[command(flatten)]
    Experiment(experiment::Command),
}

/// Runs a command and writes its result to `output`.
///
/// # Errors
/// If a file cannot be read or written, or a thread or the memory of a search is not available. A
/// training that finds no memory aborts the process.
pub fn run(command: Command, output: &mut (impl Write + Send)) -> io::Result<()> {
    match command {
        Command::Train(settings) => {
            let outcome = train::run(&settings)?;
            writeln!(output, "{}", serde_json::to_string_pretty(&outcome)?)
        }
        Command::Judge(settings) => write!(output, "{}", judge::run(&settings)?),
        Command::Targets(settings) => write!(output, "{}", judge::targets::run(&settings)?),
        Command::Blend(settings) => {
            let counts = blend::run(&settings)?;
            writeln!(output, "{}", serde_json::to_string_pretty(&counts)?)
        }
        Command::Fold(settings) => {
            let activity = fold::run(&settings)?;
            writeln!(output, "{}", serde_json::to_string_pretty(&activity)?)
        }
        Command::Widen(settings) => widen::run(&settings),
        Command::Wdl { files } => wdl::run(&files, output),
        #[cfg(feature = "tune")]
        Command::Experiment(command) => experiment::run(&command, output),
    }
}
