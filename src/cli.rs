//! What the program is asked to do on its command line.

use crate::board::{ParsePositionError, Position, perft};
use crate::engine::Engine;
use crate::eval::Network;
use crate::game::lan;
use crate::protocol;
use crate::protocol::console::{self, Lines, Style, Terminal};
#[cfg(feature = "tune")]
use crate::search::PARAMETERS;
use crate::search::bench::{self, BenchSettings};
use crate::tools::{analyse, datagen, dead, genfens, net, number, referee};
use crate::types::{CastlingMode, MAX_PLY};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;

const AFTER_HELP: &str = "\
Without a command, speaks UCI or XBoard's protocol on standard input and output.
'tabiya COMMAND --help' tells more of each command.
Exit codes: 0 it is done; 1 it failed, and a line on standard error says why; 2 the command line makes no sense.";

/// A chess engine that speaks UCI and XBoard and knows the laws of chess to the letter
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, after_help = AFTER_HELP, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// Speak UCI or XBoard's protocol, as the first line of the input asks: what is done without a command
    #[command(alias = "xboard")]
    Uci {
        /// Somebody sits before it and is greeted.
        #[arg(skip)]
        greets: bool,
    },
    /// Play a game in the terminal; type help there
    Play {
        /// Letters for pieces, instead of Unicode chess symbols.
        #[arg(long)]
        ascii: bool,
    },
    #[allow(missing_docs)]
    #[command(alias = "analyze")]
    Analyse(analyse::Settings),
    /// Search a position and print what is found, as UCI's go does
    Go(Go),
    /// Evaluate a position without search
    Eval(Fen),
    /// Show a position
    D(Fen),
    /// Count the leaves of the tree of legal moves, for each first move
    Perft {
        /// In plies.
        #[arg(value_parser = number(0..=MAX_PLY as u32))]
        depth: u32,
        #[command(flatten)]
        #[allow(missing_docs)]
        fen: Fen,
    },
    /// Search fixed positions; the node count is the engine's signature
    Bench {
        /// In plies.
        #[arg(default_value_t = BenchSettings::DEFAULT.depth, value_parser = number(1..=BenchSettings::MAX.depth))]
        depth: u32,
        /// Number of search threads; the signature is that of one.
        #[arg(default_value_t = BenchSettings::DEFAULT.threads, value_parser = number(1..=BenchSettings::MAX.threads))]
        threads: usize,
        /// The size of the transposition table, in MiB.
        #[arg(default_value_t = BenchSettings::DEFAULT.hash_mib, value_parser = number(1..=BenchSettings::MAX.hash_mib))]
        hash: usize,
    },
    /// Answer questions about the rules: JSON lines in, JSON lines out
    #[command(after_long_help = referee::HELP)]
    Referee,
    #[allow(missing_docs)]
    Dead(dead::Settings),
    #[allow(missing_docs)]
    Datagen(datagen::Settings),
    /// Show what a network file holds and how it was made
    Net {
        /// The network, if not that of the program.
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Print start positions for games, as OpenBench asks for them
    #[command(override_usage = "tabiya 'genfens N seed S book None|PATH' [quit]")]
    Genfens {
        /// N seed S book None|PATH
        #[arg(value_parser = genfens::parse)]
        request: genfens::GenfensRequest,
    },
    /// List the parameters of the search, as OpenBench's SPSA wants them
    #[cfg(feature = "tune")]
    Params,
    /// Print what completes these commands in a shell
    Completions {
        /// Which shell.
        shell: Shell,
    },
    /// Print the manual page, or write those of all commands
    Man {
        /// Where the pages are written, one for each command.
        folder: Option<PathBuf>,
    },
    /// Print the version
    #[command(hide = true)]
    Version,
}

/// A search for the command line.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Go {
    /// The position, in quotes; else the start position.
    #[arg(long, value_name = "FEN")]
    pub fen: Option<Fen>,
    /// What ends the search, as after UCI's go: depth 10, nodes 100000, movetime 1000, mate 3, perft 5, searchmoves e2e4 …
    /// Without any it goes on until Ctrl-C.
    #[arg(value_name = "LIMIT", value_parser = read_limit)]
    pub limits: Vec<String>,
}

/// The words of a FEN, in quotes or not; none are the start position.
#[derive(Debug, Args)]
struct FenWords {
    /// The position, with or without quotes; else the start position.
    fen: Vec<String>,
}

/// A position that is a FEN on the command line, and how castling is written in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fen {
    /// The position.
    pub position: Box<Position>,
    /// As the FEN writes it.
    pub mode: CastlingMode,
    /// As it was given: whoever answers says what had to be repaired.
    text: String,
}

impl Args for Fen {
    fn augment_args(command: clap::Command) -> clap::Command {
        FenWords::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        FenWords::augment_args_for_update(command)
    }
}

impl FromArgMatches for Fen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let words = FenWords::from_arg_matches(matches)?.fen;
        if words.is_empty() {
            let position = Box::new(Position::start());
            return Ok(Self {
                text: position.to_string(),
                position,
                mode: CastlingMode::Standard,
            });
        }
        words.join(" ").parse().map_err(usage_error)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl FromStr for Fen {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (read, mode) = Position::read(text, None)?;
        let position = Box::new(read.position);
        Ok(Self {
            position,
            mode,
            text: text.to_owned(),
        })
    }
}

fn read_limit(text: &str) -> Result<String, &'static str> {
    match text {
        "w" | "b" | "-" => Err("a FEN goes in quotes"),
        _ if text.starts_with('-') => Err("it must not be negative"),
        _ => Ok(text.to_owned()),
    }
}

fn usage_error(reason: impl std::fmt::Display) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{reason}\n"))
}

/// All commands. A negative number is a value that is out of range, and no unknown option.
fn clap_command() -> clap::Command {
    fn with_negative_numbers(command: clap::Command) -> clap::Command {
        command
            .mut_args(|argument| match argument.get_action().takes_values() {
                true => argument.allow_negative_numbers(true),
                false => argument,
            })
            .mut_subcommands(with_negative_numbers)
    }
    with_negative_numbers(CommandLine::command())
}

/// Reads the arguments that follow the name of the program.
///
/// # Errors
/// If they make no sense, or ask for help or the version: the error is what is to be printed.
///
/// ```
/// use tabiya::cli::{Command, parse};
/// assert!(matches!(parse(Vec::<String>::new()).unwrap(), Command::Uci { .. }));
/// assert!(matches!(parse(["bench", "5"]), Ok(Command::Bench { depth: 5, threads: 1, hash: 16 })));
/// let error = parse(["bench", "deep"]).unwrap_err().to_string();
/// assert!(error.contains("invalid value 'deep' for '[DEPTH]': expected a number from 1 to 240"), "{error}");
/// ```
pub fn parse(
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<Command, clap::Error> {
    let words = arguments.into_iter().map(Into::into);
    let words = one_word_each(words.collect());
    if words.is_empty() {
        // A chess program waits: there is nothing to be read.
        return Ok(Command::Uci {
            greets: io::stdin().is_terminal() && io::stdout().is_terminal(),
        });
    }
    let matches =
        clap_command().try_get_matches_from([OsString::from("tabiya")].into_iter().chain(words))?;
    let command = CommandLine::from_arg_matches(&matches)?.command;
    if let Some(Command::Go(go)) = &command
        && let Some(reason) = protocol::uci_error(&go.line())
    {
        return Err(usage_error(reason));
    }
    Ok(command.unwrap_or(Command::Uci { greets: false }))
}

/// OpenBench gives each of its commands as one argument: its name becomes one of its own, and `quit` goes.
fn one_word_each(mut words: Vec<OsString>) -> Vec<OsString> {
    let first = words.first().and_then(|word| word.to_str());
    if let Some((name @ "genfens", request)) = first.and_then(|word| word.split_once(' ')) {
        let [name, request] = [name, request].map(OsString::from);
        words.splice(..1, [name, request]);
        words.pop_if(|word| word == "quit");
    }
    words
}

impl Go {
    /// The command as UCI has it.
    fn line(&self) -> String {
        format!("go {}", self.limits.join(" "))
    }

    fn lines(&self) -> Vec<String> {
        match &self.fen {
            Some(fen) => fen.lines(&self.line()),
            None => vec![self.line()],
        }
    }
}

impl Fen {
    /// What UCI says to have a command about the position.
    fn lines(&self, command: &str) -> Vec<String> {
        let is_chess960 = self.mode == CastlingMode::Chess960;
        vec![
            format!("setoption name UCI_Chess960 value {is_chess960}"),
            format!("position fen {}", self.text),
            command.to_owned(),
        ]
    }
}

/// Whether a terminal is to be coloured (<https://no-color.org>).
fn takes_colors() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// Does it.
///
/// # Errors
/// If the system gives no memory or thread, a file cannot be read or written, or nobody reads the output.
pub fn run(command: Command) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let answer = |lines: &[String], output| {
        let (interrupt, interrupted) = crossbeam_channel::bounded(1);
        let ask_to_stop = move || {
            // It has been asked already.
            let _ = interrupt.try_send(());
        };
        ctrlc::set_handler(ask_to_stop).map_err(io::Error::other)?;
        protocol::run_lines(lines, &interrupted, Engine::new()?, output)
    };
    match command {
        Command::Uci { greets } => {
            if greets {
                let version = env!("CARGO_PKG_VERSION");
                writeln!(
                    output,
                    "Tabiya {version} speaks UCI and XBoard. For a game in the terminal: tabiya play. Type help."
                )?;
            }
            let lines = protocol::spawn_reader(io::stdin())?;
            protocol::run(lines, Engine::new()?, output)
        }
        Command::Go(go) => answer(&go.lines(), output),
        Command::Eval(fen) => answer(&fen.lines("eval"), output),
        Command::D(fen) => answer(&fen.lines("d"), output),
        Command::Bench {
            depth,
            threads,
            hash: hash_mib,
        } => {
            let settings = BenchSettings {
                depth,
                threads,
                hash_mib,
            };
            let outcome = bench::run(settings, Network::embedded()).map_err(io::Error::other)?;
            writeln!(output, "{} nodes {} nps", outcome.nodes, outcome.nps())
        }
        Command::Perft { depth, fen } => {
            let start = Instant::now();
            let mut nodes = u64::from(depth == 0);
            for (mv, count) in perft::divide(&fen.position, depth) {
                writeln!(output, "{}: {count}", lan::write(mv, fen.mode))?;
                nodes += count;
            }
            let nps = (nodes as f64 / start.elapsed().as_secs_f64().max(1e-9)) as u64;
            writeln!(output, "\nNodes searched: {nodes}\n{nps} nodes per second")
        }
        Command::Play { ascii } => {
            let is_watched = output.is_terminal();
            let style = Style {
                ascii,
                color: is_watched && takes_colors(),
                live: is_watched && io::stdin().is_terminal(),
            };
            let engine = Engine::new()?;
            if io::stdin().is_terminal() {
                console::run(engine, &mut Terminal::new()?, output, style)
            } else {
                console::run(engine, &mut Lines::new(io::stdin().lock()), output, style)
            }
        }
        Command::Analyse(settings) => analyse::run(&settings, datagen::on_interrupt()?),
        Command::Dead(settings) => dead::run(&settings, &mut output),
        Command::Datagen(settings) => {
            let totals = datagen::run(&settings, datagen::on_interrupt()?)?;
            writeln!(
                output,
                "{} games, {} positions",
                totals.games, totals.positions
            )
        }
        Command::Net { file } => net::run(file.as_deref(), output),
        Command::Genfens { request } => {
            // It writes from a thread of its own.
            drop(output);
            genfens::run(&request, &mut io::stdout())
        }
        Command::Referee => referee::run(io::stdin().lock(), output),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut clap_command(), "tabiya", &mut script);
            output.write_all(&script)
        }
        Command::Man { folder: None } => clap_mangen::Man::new(clap_command()).render(&mut output),
        Command::Man {
            folder: Some(folder),
        } => clap_mangen::generate_to(clap_command(), folder),
        Command::Version => write!(output, "{}", clap_command().render_version()),
        #[cfg(feature = "tune")]
        Command::Params => PARAMETERS
            .iter()
            .try_for_each(|parameter| writeln!(output, "{}", parameter.spsa_line())),
    }
}
