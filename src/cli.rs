//! The command line.

use crate::board::{Defects, Position, Validated, perft};
use crate::engine::Engine;
use crate::eval::{Network, kernel_name};
use crate::game::lan;
use crate::protocol;
use crate::protocol::console::{self, Lines, Style, Terminal};
use crate::protocol::{UciCommand, UciError, is_go_word, parse_uci};
use crate::search::bench::{self, BenchSettings};
use crate::search::nodes_per_second;
#[cfg(feature = "tune")]
use crate::search::{PARAMETERS, Parameter};
use crate::tools::files::{StandardOutput, named};
use crate::tools::interrupt::{interruption, on_interrupt};
use crate::tools::progress::status;
use crate::tools::{
    analyse, convert, datagen, dead, genfens, net, number, processor, referee,
    with_negative_numbers,
};
use crate::types::{CastlingMode, MAX_PLY};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;
use std::{error, fmt, fs};

const AFTER_HELP: &str = "\
Without a command, speaks UCI or XBoard's protocol on standard input and output.
'tabiya COMMAND --help' describes a command.
Exit codes: 0 success, also of a search that Ctrl-C has ended; 1 failure, with the reason on \
standard error; 2 wrong usage; 130 other work that Ctrl-C has interrupted. 'analyse' and \
'datagen' end after the search in progress, and at a second Ctrl-C at once.";

/// A chess engine that speaks UCI and XBoard and applies the FIDE Laws exactly
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, after_help = AFTER_HELP, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// Speak UCI or XBoard; the first line of input selects the protocol (default)
    #[command(alias = "xboard")]
    Uci {
        /// Whether to greet a person at a terminal.
        #[arg(skip)]
        greets: bool,
    },
    /// Play a game in the terminal; 'help' there lists the commands
    Play {
        /// Letters for pieces instead of Unicode chess symbols; always so without UTF-8.
        #[arg(long)]
        ascii: bool,
    },
    #[allow(missing_docs)]
    #[command(alias = "analyze")]
    Analyse(analyse::Settings),
    /// Search a position and print the result, like UCI's 'go'
    Go(Go),
    /// Print the static evaluation of a position
    Eval(Fen),
    /// Print a position as a board and a FEN
    D(Fen),
    /// Count the leaves of the tree of legal moves, for each first move
    Perft {
        /// Depth in plies.
        #[arg(value_parser = number(0..=MAX_PLY as u32))]
        depth: u32,
        #[command(flatten)]
        #[allow(missing_docs)]
        fen: Fen,
    },
    /// Search a fixed set of positions; the node count is the engine's signature
    Bench {
        /// Depth in plies.
        #[arg(default_value_t = BenchSettings::DEFAULT.depth, value_parser = number(1..=BenchSettings::MAX.depth))]
        depth: u32,
        /// Number of search threads; the signature is the node count of one thread.
        #[arg(default_value_t = BenchSettings::DEFAULT.threads, value_parser = number(1..=BenchSettings::MAX.threads))]
        threads: usize,
        /// Size of the transposition table, in MiB.
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
    #[allow(missing_docs)]
    Convert(convert::Settings),
    /// Show the shape and the origin of a network file
    Net {
        /// Network file [default: the built-in network]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// Print everything as JSON, with the layers and the whole origin.
        #[arg(long)]
        json: bool,
    },
    /// Print start positions for games, in the form that OpenBench expects
    #[command(override_usage = "tabiya 'genfens N seed S book None|PATH [plies=N]' [quit]")]
    Genfens {
        /// Number of positions N, random seed S, a file of openings, one FEN or EPD a line, and
        /// the number of random half-moves; every second position has one more [default: plies=8]
        #[arg(value_name = "N seed S book None|PATH", value_parser = genfens::parse)]
        request: genfens::GenfensRequest,
    },
    /// List the parameters of the search in the form that OpenBench's SPSA expects
    #[cfg(feature = "tune")]
    Params {
        /// Names or prefixes of names, such as 'razor_margin lmr_' [default: all parameters]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page, or write the pages of all commands to a folder
    Man {
        /// Folder to write the pages to, one per command; it is created if it is missing.
        folder: Option<PathBuf>,
    },
    /// Print the version, the commit, the processor level of the build, and the network
    #[command(hide = true)]
    Version,
}

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub struct Go {
    fen: Fen,
    command: UciCommand,
}

/// The arguments of [`Go`].
#[derive(Debug, Args)]
struct GoWords {
    /// Position, as one argument [default: the start position]
    #[arg(long = "fen", value_name = "FEN")]
    named: Option<String>,
    /// Castle by the rules of Chess960, whatever the letters of the FEN say.
    #[arg(long)]
    chess960: bool,
    /// Position, with or without quotes, and limits as after UCI's 'go': depth 10, nodes 100000,
    /// movetime 1000, mate 3, perft 5, searchmoves e2e4 … Without a limit, the search runs until
    /// Ctrl-C.
    #[arg(value_name = "FEN or LIMIT", value_parser = read_limit)]
    words: Vec<String>,
}

/// Splits words into a FEN, if they have one, and the others. A FEN begins with the board, and ends
/// after its six fields or before a word of `go`.
fn split_fen(words: &[String]) -> (Option<String>, Vec<String>) {
    let words = words.iter().flat_map(|word| word.split_ascii_whitespace());
    let words: Vec<_> = words.map(str::to_owned).collect();
    let Some(start) = words.iter().position(|word| word.contains('/')) else {
        let limits = words.strip_prefix(&["startpos".to_owned()]);
        return (None, limits.unwrap_or(&words).to_vec());
    };
    let (before, fen) = words.split_at(start);
    let before = before.strip_suffix(&["fen".to_owned()]).unwrap_or(before);
    let fields = fen.iter().take(6).take_while(|word| !is_go_word(word));
    let (fen, after) = fen.split_at(fields.count());
    (Some(fen.join(" ")), [before, after].concat())
}

/// Splits words before the side to move of a FEN, or at their end.
fn split_before_side(words: &[String]) -> (Vec<String>, Vec<String>) {
    let is_side = |word: &String| ["w", "b"].contains(&word.as_str());
    let end = words.iter().position(is_side).unwrap_or(words.len());
    let (before, after) = words.split_at(end);
    (before.to_vec(), after.to_vec())
}

impl Args for Go {
    fn augment_args(command: clap::Command) -> clap::Command {
        GoWords::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        GoWords::augment_args_for_update(command)
    }
}

impl FromArgMatches for Go {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let GoWords {
            named,
            chess960,
            words,
        } = GoWords::from_arg_matches(matches)?;
        // The rest of a FEN without quotes has landed among the limits.
        let (fen, limits) = match named {
            Some(board) if board.contains('/') && !board.contains(' ') => {
                let (before, after) = split_before_side(&words);
                split_fen(&[before, vec![board], after].concat())
            }
            named => {
                let (fen, limits) = split_fen(&words);
                (one_of(named, fen)?, limits)
            }
        };
        let fen = Fen::read(fen, chess960)?;
        let command = parse_go(&limits.join(" ")).map_err(usage_error)?;
        // A GUI would get a move all the same, but a person has asked another question.
        if let UciCommand::Go(go) = &command {
            for text in go.searchmoves() {
                lan::parse(&fen.validated.position, text).map_err(usage_error)?;
            }
        }
        Ok(Self { fen, command })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The words of a FEN, with or without quotes; without words, the start position.
#[derive(Debug, Args)]
struct FenWords {
    /// Position, with or without quotes [default: the start position]
    #[arg(value_name = "FEN")]
    words: Vec<String>,
    /// The same as one argument, as for 'go'
    #[arg(long = "fen", value_name = "FEN")]
    named: Option<String>,
    /// Castle by the rules of Chess960, whatever the letters of the FEN say.
    #[arg(long)]
    chess960: bool,
}

/// A position given as a FEN, with its castling mode and what was repaired in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fen {
    /// The FEN; `None` for the start position.
    text: Option<String>,
    validated: Box<Validated>,
}

impl Fen {
    /// Reads a FEN; without a text, the start position. `is_chess960` says what its letters cannot.
    fn read(text: Option<String>, is_chess960: bool) -> Result<Self, clap::Error> {
        let stated = is_chess960.then_some(CastlingMode::Chess960);
        let text = text.and_then(without_uci_words);
        let validated = match &text {
            Some(text) => {
                let (validated, _) =
                    Position::from_epd_repaired(text, stated).map_err(usage_error)?;
                validated
            }
            None => Validated {
                position: Position::start(),
                mode: stated.unwrap_or_default(),
                defects: Defects::NONE,
            },
        };
        let validated = Box::new(validated);
        Ok(Self { text, validated })
    }
}

/// The FEN in what UCI writes after `position`; `None` for its start position.
fn without_uci_words(text: String) -> Option<String> {
    match text.split_once(char::is_whitespace) {
        Some(("fen", fen)) => Some(fen.to_owned()),
        None if text == "startpos" => None,
        _ => Some(text),
    }
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
        let FenWords {
            words,
            named,
            chess960,
        } = FenWords::from_arg_matches(matches)?;
        let text = (!words.is_empty()).then(|| words.join(" "));
        let text = match (named, text) {
            (Some(board), Some(rest)) if !board.contains(' ') => Some(format!("{board} {rest}")),
            (named, text) => one_of(named, text)?,
        };
        Self::read(text, chess960)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A limit is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NegativeLimit;

impl fmt::Display for NegativeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a limit cannot be negative")
    }
}

impl error::Error for NegativeLimit {}

fn read_limit(text: &str) -> Result<String, NegativeLimit> {
    if text.len() > 1 && text.starts_with('-') {
        return Err(NegativeLimit);
    }
    Ok(text.to_owned())
}

/// The position given by `--fen` or by words.
fn one_of(named: Option<String>, words: Option<String>) -> Result<Option<String>, clap::Error> {
    match (named, words) {
        (Some(_), Some(_)) => Err(usage_error("the position is given twice")),
        (named, words) => Ok(named.or(words)),
    }
}

fn usage_error(reason: impl fmt::Display) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{reason}\n"))
}

fn clap_command() -> clap::Command {
    with_negative_numbers(CommandLine::command())
}

/// Reads the arguments after the name of the program.
///
/// # Errors
/// If the arguments are wrong, or ask for help or the version. The error is the text to print.
///
/// ```
/// use tabiya::cli::{Command, parse};
/// assert!(matches!(parse(Vec::<String>::new()).unwrap(), Command::Uci { .. }));
/// assert!(matches!(parse(["bench", "5"]), Ok(Command::Bench { depth: 5, threads: 1, hash: 16 })));
/// let error = parse(["bench", "deep"]).unwrap_err().to_string();
/// assert!(error.contains("'[DEPTH]': expected a number from 1 to 239"), "{error}");
/// ```
pub fn parse(
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<Command, clap::Error> {
    let mut words = split_genfens(arguments.into_iter().map(Into::into).collect());
    // 'tabiya help --help' asks for the help of the help.
    if let [first, second] = &mut words[..]
        && first == "help"
        && (second == "--help" || second == "-h")
    {
        *second = "help".into();
    }
    // -V prints the number only.
    if let Some(first) = words.first_mut().filter(|word| *word == "--version") {
        *first = "version".into();
    }
    if words.is_empty() {
        return Ok(Command::Uci {
            greets: io::stdin().is_terminal() && io::stdout().is_terminal(),
        });
    }
    let matches =
        clap_command().try_get_matches_from([OsString::from("tabiya")].into_iter().chain(words))?;
    let command = CommandLine::from_arg_matches(&matches)?.command;
    Ok(command.unwrap_or(Command::Uci { greets: false }))
}

/// Splits OpenBench's `"genfens …"` `quit`: the name becomes an argument of its own, and `quit` is
/// dropped.
fn split_genfens(mut words: Vec<OsString>) -> Vec<OsString> {
    let first = words.first().and_then(|word| word.to_str());
    if let Some((name @ "genfens", request)) = first.and_then(|word| word.split_once(' ')) {
        let [name, request] = [name, request].map(OsString::from);
        words.splice(..1, [name, request]);
        words.pop_if(|word| word == "quit");
    }
    words
}

/// Runs a command.
///
/// # Errors
/// If memory or a thread is not available, a file cannot be read or written, or the output is
/// closed.
pub fn run(command: Command) -> io::Result<()> {
    let mut output = StandardOutput::open();
    match command {
        Command::Uci { greets } => run_protocol(greets, output),
        Command::Play { ascii } => play(ascii, output),
        Command::Go(go) => run_uci(&go.fen, go.command, output),
        Command::Eval(fen) => run_uci(&fen, UciCommand::Eval, output),
        Command::D(fen) => run_uci(&fen, UciCommand::Display, output),
        Command::Perft { depth, fen } => run_perft(depth, &fen, output),
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
            writeln!(output, "{outcome}")
        }
        Command::Analyse(settings) => analyse::run(&settings, on_interrupt()?),
        Command::Dead(settings) => dead::run(&settings, &mut output),
        Command::Datagen(settings) => {
            let totals = datagen::run(&settings, on_interrupt()?)?;
            let (games, positions) = (totals.games, totals.positions);
            writeln!(output, "{games} games, {positions} positions")?;
            if games < settings.games {
                return Err(interruption("the finished games are kept".to_owned()));
            }
            Ok(())
        }
        Command::Convert(settings) => write!(output, "{}", convert::run(&settings)?),
        Command::Net { file, json } => net::run(file.as_deref(), json, output),
        Command::Genfens { request } => genfens::run(&request, &mut output),
        Command::Referee => referee::run(io::stdin().lock(), output),
        #[cfg(feature = "tune")]
        Command::Params { names } => {
            let is_chosen = |parameter: &&Parameter| {
                names.is_empty() || names.iter().any(|name| parameter.name.starts_with(name))
            };
            let chosen = PARAMETERS.iter().filter(is_chosen);
            let lines: Vec<_> = chosen.map(Parameter::spsa_line).collect();
            if lines.is_empty() {
                return Err(io::Error::other("no parameter has such a name"));
            }
            // OpenBench refuses an empty line, so the last line has no end.
            write!(output, "{}", lines.join("\n"))
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut clap_command(), "tabiya", &mut script);
            output.write_all(&script)
        }
        Command::Man { folder: None } => clap_mangen::Man::new(clap_command()).render(&mut output),
        Command::Man {
            folder: Some(folder),
        } => {
            fs::create_dir_all(&folder).map_err(named(&folder))?;
            clap_mangen::generate_to(clap_command(), &folder).map_err(named(&folder))
        }
        Command::Version => write!(output, "{}", describe_version()),
    }
}

/// What a report of a bug needs to say about the program: version, commit, processor level of the
/// build, vector code of this machine, and network.
fn describe_version() -> String {
    format!(
        "tabiya {}\ncommit     {}\nprocessor  built for {}\nkernels    {}\nnetwork    {:016x}\n",
        env!("CARGO_PKG_VERSION"),
        option_env!("TABIYA_COMMIT").unwrap_or("unknown"),
        processor::level(),
        kernel_name(),
        Network::embedded().fingerprint()
    )
}

/// Speaks a protocol on standard input.
fn run_protocol(greets: bool, mut output: impl Write) -> io::Result<()> {
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

/// Parses limits as after UCI's `go`.
fn parse_go(limits: &str) -> Result<UciCommand, UciError> {
    match parse_uci(&format!("go {limits}")) {
        (_, Some(error)) => Err(error),
        (command, None) => Ok(command.unwrap_or(UciCommand::Ignored)),
    }
}

/// Runs a UCI command on a position. Ctrl-C stops a search.
fn run_uci(fen: &Fen, command: UciCommand, output: impl Write) -> io::Result<()> {
    let is_chess960 = fen.validated.mode.is_chess960();
    let set_mode = UciCommand::SetOption {
        name: "UCI_Chess960".to_owned(),
        value: is_chess960.to_string(),
    };
    let set_position = UciCommand::Position {
        fen: fen.text.clone(),
        moves: Vec::new(),
    };
    let commands = [set_mode, set_position, command];
    protocol::run_commands(
        commands,
        protocol::stop_on_interrupt()?,
        Engine::new()?,
        output,
    )
}

/// Counts the leaves of the tree. Says first what was repaired in the position.
fn run_perft(depth: u32, fen: &Fen, mut output: impl Write) -> io::Result<()> {
    if let Some(remark) = fen.validated.repair_remark() {
        status(&remark);
    }
    let started = Instant::now();
    let mut nodes = u64::from(depth == 0);
    for (mv, count) in perft::divide(&fen.validated.position, depth) {
        writeln!(output, "{}: {count}", lan::write(mv, fen.validated.mode))?;
        nodes += count;
    }
    let nps = nodes_per_second(nodes, started.elapsed());
    writeln!(output, "\nNodes searched: {nodes}\n{nps} nodes per second")
}

/// Plays a game in the terminal.
fn play(ascii: bool, output: impl Write) -> io::Result<()> {
    let is_terminal = io::stdout().is_terminal();
    let style = Style {
        ascii: ascii || !has_figures(),
        color: is_terminal && has_colors(),
        live: is_terminal && io::stdin().is_terminal(),
    };
    let engine = Engine::new()?;
    if io::stdin().is_terminal() {
        console::run(engine, &mut Terminal::new()?, output, style)
    } else {
        console::run(engine, &mut Lines::new(io::stdin().lock()), output, style)
    }
}

/// Whether the terminal shows Unicode chess symbols: on Windows, and elsewhere if the locale is
/// UTF-8, but never where `TERM` names a terminal with few characters, such as the Linux console.
fn has_figures() -> bool {
    let text = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let is_plain = |name: String| matches!(name.as_str(), "linux" | "dumb" | "vt100");
    let is_utf8 = |name: String| name.to_ascii_lowercase().replace('-', "").contains("utf8");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(text);
    !text("TERM").is_some_and(is_plain) && (cfg!(windows) || locale.is_some_and(is_utf8))
}

/// Whether to use colours in a terminal (<https://no-color.org>).
fn has_colors() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}
