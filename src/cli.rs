//! What the program is asked to do on its command line.

use crate::board::{Position, perft};
use crate::engine::{Engine, bench};
use crate::eval::Network;
use crate::game::lan;
use crate::protocol;
use crate::protocol::console::{self, Lines, Style, Terminal};
#[cfg(feature = "tune")]
use crate::search::PARAMETERS;
#[cfg(feature = "tune")]
use crate::tools::lab;
use crate::tools::{datagen, dead, genfens, judge, net, referee, train, wdl};
use crate::types::CastlingMode;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

const HELP: &str = "\
Usage: tabiya [COMMAND]

Without a command, speaks UCI or XBoard's protocol on standard input and output.

Commands:
  bench [DEPTH]        search fixed positions; the node count is the engine's signature
  perft DEPTH [FEN]    count the leaves of the tree of legal moves, for each first move
  play [--ascii]       play a game in the terminal
  referee              answer questions about the rules: JSON lines in, JSON lines out
  dead [FILE]          say which player can still win, by any series of legal moves
  datagen --help       generate self-play games for training
  train --help         train a network on such games
  judge --help         compare evaluations with those of a stronger engine
  labels --help        compare what networks would learn with it
  wdl FILE...          fit what scores mean for the result to such games
  net [FILE]           show what a network file holds and how it was made
  'genfens N seed S book None|PATH'
                       print start positions for games, as OpenBench asks for them
  help, version        this text; the version
";

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Invocation {
    /// Speak a protocol.
    Protocol,
    /// Measure and sign, at a depth in plies.
    Bench(u32),
    /// Count leaves below a position, at a depth in plies.
    Perft(u32, Box<Position>, CastlingMode),
    /// Play in the terminal, with letters instead of figures if so asked.
    Play {
        /// Letters for pieces.
        ascii: bool,
    },
    /// Answer questions about the rules.
    Referee,
    /// Say which player can still win.
    Dead(dead::Settings),
    /// Make self-play games.
    Datagen(datagen::Settings),
    /// Learn a network.
    Train(train::Settings),
    /// Judge an evaluation.
    Judge(judge::Settings),
    /// Judge labels.
    Labels(judge::labels::Settings),
    /// Fit the model of wins, draws and losses to games in files.
    Wdl(Vec<PathBuf>),
    /// Show a network, that of the program if no file is named.
    Net(Option<PathBuf>),
    /// Write positions to begin games from.
    Genfens(genfens::GenfensRequest),
    /// Print a text.
    Print(String),
    /// Measure parameters by games.
    #[cfg(feature = "tune")]
    Lab(lab::Settings),
}

/// The command line makes no sense; the sentence says why.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Reads the arguments that follow the name of the program.
///
/// # Errors
/// If they make no sense.
///
/// ```
/// use tabiya::cli::{Invocation, parse};
/// assert_eq!(parse(&[]), Ok(Invocation::Protocol));
/// assert_eq!(parse(&["bench".to_owned(), "5".to_owned()]), Ok(Invocation::Bench(5)));
/// let error = parse(&["bench".to_owned(), "deep".to_owned()]).unwrap_err();
/// assert_eq!(error.to_string(), "a depth is a whole number of plies, not 'deep'");
/// ```
pub fn parse(arguments: &[String]) -> Result<Invocation, UsageError> {
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    match *words {
        [] | ["uci"] => Ok(Invocation::Protocol),
        ["bench"] => Ok(Invocation::Bench(bench::DEPTH)),
        ["bench", depth] => Ok(Invocation::Bench(parse_depth(depth)?)),
        ["perft", depth, ref fen @ ..] => {
            let (position, mode) = if fen.is_empty() {
                (Position::start(), CastlingMode::Standard)
            } else {
                let read = Position::read(&fen.join(" "), None);
                let (read, mode) = read.map_err(|error| UsageError(error.to_string()))?;
                (read.position, mode)
            };
            let depth = parse_depth(depth)?;
            Ok(Invocation::Perft(depth, Box::new(position), mode))
        }
        ["perft"] => Err(UsageError(
            "perft needs a depth; try 'tabiya help'".to_owned(),
        )),
        ["play"] => Ok(Invocation::Play { ascii: false }),
        ["play", "--ascii"] => Ok(Invocation::Play { ascii: true }),
        ["referee"] => Ok(Invocation::Referee),
        ["dead", "--help" | "-h"] => Ok(Invocation::Print(dead::HELP.to_owned())),
        ["dead", ref rest @ ..] => dead::parse(rest.iter().map(Into::into).collect())
            .map(Invocation::Dead)
            .map_err(|error| UsageError(error.to_string())),
        ["datagen", "--help" | "-h"] => Ok(Invocation::Print(datagen::HELP.to_owned())),
        ["datagen", ref rest @ ..] => datagen::parse(rest.iter().map(Into::into).collect())
            .map(Invocation::Datagen)
            .map_err(|error| UsageError(error.to_string())),
        ["train", "--help" | "-h"] => Ok(Invocation::Print(train::HELP.to_owned())),
        ["train", ref rest @ ..] => train::parse(rest.iter().map(Into::into).collect())
            .map(Invocation::Train)
            .map_err(|error| UsageError(error.to_string())),
        ["judge", "--help" | "-h"] => Ok(Invocation::Print(judge::HELP.to_owned())),
        ["judge", ref rest @ ..] => judge::parse(rest.iter().map(Into::into).collect())
            .map(Invocation::Judge)
            .map_err(|error| UsageError(error.to_string())),
        ["labels", "--help" | "-h"] => Ok(Invocation::Print(judge::LABELS_HELP.to_owned())),
        ["labels", ref rest @ ..] => judge::parse_labels(rest.iter().map(Into::into).collect())
            .map(Invocation::Labels)
            .map_err(|error| UsageError(error.to_string())),
        ["wdl", ref files @ ..] => Ok(Invocation::Wdl(files.iter().map(PathBuf::from).collect())),
        ["net"] => Ok(Invocation::Net(None)),
        ["net", file] => Ok(Invocation::Net(Some(file.into()))),
        // OpenBench gives each command as one argument.
        [request] | [request, "quit"] if request.starts_with("genfens ") => genfens::parse(request)
            .map(Invocation::Genfens)
            .map_err(|error| UsageError(error.to_string())),
        #[cfg(feature = "tune")]
        ["params"] => Ok(Invocation::Print(
            PARAMETERS
                .iter()
                .map(|parameter| parameter.spsa_line() + "\n")
                .collect(),
        )),
        #[cfg(feature = "tune")]
        ["lab", "--help" | "-h"] => Ok(Invocation::Print(lab::HELP.to_owned())),
        #[cfg(feature = "tune")]
        ["lab", ref rest @ ..] => lab::parse(rest.iter().map(Into::into).collect())
            .map(Invocation::Lab)
            .map_err(|error| UsageError(error.to_string())),
        ["help" | "--help" | "-h"] => Ok(Invocation::Print(HELP.to_owned())),
        ["version" | "--version" | "-V"] => Ok(Invocation::Print(format!(
            "tabiya {}\n",
            env!("CARGO_PKG_VERSION")
        ))),
        [command, ..] => Err(UsageError(format!(
            "'{command}' is no command, or has too many arguments; try 'tabiya help'"
        ))),
    }
}

fn parse_depth(text: &str) -> Result<u32, UsageError> {
    text.parse()
        .map_err(|_| UsageError(format!("a depth is a whole number of plies, not '{text}'")))
}

/// Does it.
///
/// # Errors
/// If the system gives no memory or thread, or nobody reads the output.
pub fn run(invocation: Invocation) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match invocation {
        Invocation::Protocol => {
            let lines = protocol::spawn_reader(io::stdin())?;
            protocol::run(lines, Engine::new()?, output)
        }
        Invocation::Bench(depth) => {
            let outcome = bench::run(depth, Network::embedded())?;
            writeln!(output, "{} nodes {} nps", outcome.nodes, outcome.nps())
        }
        Invocation::Perft(depth, position, mode) => {
            let start = Instant::now();
            let mut nodes = u64::from(depth == 0);
            for (mv, count) in perft::divide(&position, depth) {
                writeln!(output, "{}: {count}", lan::write(mv, mode))?;
                nodes += count;
            }
            let nps = (nodes as f64 / start.elapsed().as_secs_f64().max(1e-9)) as u64;
            writeln!(output, "\nNodes searched: {nodes}\n{nps} nodes per second")
        }
        Invocation::Play { ascii } => {
            let style = Style {
                ascii,
                color: output.is_terminal(),
            };
            let engine = Engine::new()?;
            if io::stdin().is_terminal() {
                console::run(engine, &mut Terminal::new()?, output, style)
            } else {
                console::run(engine, &mut Lines::new(io::stdin().lock()), output, style)
            }
        }
        Invocation::Dead(settings) => dead::run(&settings, &mut output),
        Invocation::Datagen(settings) => {
            let totals = datagen::run(&settings, datagen::on_interrupt()?)?;
            writeln!(
                output,
                "{} games, {} positions",
                totals.games, totals.positions
            )
        }
        Invocation::Train(settings) => {
            let outcome = train::run(&settings)?;
            writeln!(output, "{}", serde_json::to_string_pretty(&outcome)?)
        }
        Invocation::Judge(settings) => write!(output, "{}", judge::run(&settings)?),
        Invocation::Labels(settings) => write!(output, "{}", judge::labels::run(&settings)?),
        Invocation::Wdl(files) => wdl::run(&files, output),
        Invocation::Net(file) => net::run(file.as_deref(), output),
        Invocation::Genfens(request) => {
            // It writes from a thread of its own.
            drop(output);
            genfens::run(&request, &mut io::stdout())
        }
        Invocation::Referee => referee::run(io::stdin().lock(), output),
        Invocation::Print(text) => output.write_all(text.as_bytes()),
        #[cfg(feature = "tune")]
        Invocation::Lab(settings) => {
            drop(output);
            lab::run(&settings, &mut io::stdout())
        }
    }
}
