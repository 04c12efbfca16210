//! What programs and people say to the engine, and what they hear from it.
//!
//! The first line of a program decides the protocol ([`detect`]); from then on a [`Frontend`] answers, [`uci`] or
//! [`xboard`]. [`console`] is for people.
//!
//! Nothing that arrives here can end the program: parsers return `Result`, and whatever cannot be understood gets one
//! clear sentence back. This is the only module that prints during play.
//!
//! ```
//! use tabiya::engine::Engine;
//! use tabiya::protocol;
//! let lines = protocol::spawn_reader(&b"uci\nposition startpos moves e2e4\nd\ngo depth 3\n"[..]).unwrap();
//! let mut output = Vec::new();
//! protocol::run(lines, Engine::new().unwrap(), &mut output).unwrap();
//! let output = String::from_utf8(output).unwrap();
//! assert!(output.contains("uciok") && output.contains("PPPP1PPP/RNBQKBNR b KQkq"));
//! assert!(output.lines().last().unwrap().starts_with("bestmove "));
//! ```

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[cfg(feature = "console")]
pub mod console;
mod detect;
mod input;
mod log;
mod uci;
mod xboard;

use crate::board::{ParsePositionError, Position, Validated};
use crate::engine::{Engine, Event};
use crate::types::{CastlingMode, MAX_PLY};
use crossbeam_channel::{Receiver, at, never, select};
use detect::Protocol;
use log::Logged;
use std::fmt;
use std::io::{self, Write};
use std::time::Instant;
use uci::{Uci, UciCommand, UciError};
use xboard::XBoard;

pub use input::spawn_reader;

/// Whether to go on after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    /// The peer speaks UCI after all.
    SwitchToUci,
    Quit,
}

/// One protocol: what the peer and the search say goes in, and what the peer is to hear is written.
trait Frontend {
    /// Answers a line.
    fn line(&mut self, line: &str) -> io::Result<Flow>;
    /// The peer has closed its end, and will say no more.
    fn hang_up(&mut self) -> io::Result<Flow> {
        self.line("quit")
    }
    /// When [`Self::time_out`] is to be called, if ever.
    fn deadline(&self) -> Option<Instant> {
        None
    }
    /// The deadline has come.
    fn time_out(&mut self) -> io::Result<Flow> {
        Ok(Flow::Continue)
    }
    /// Passes on what the search says.
    fn event(&mut self, event: Event) -> io::Result<Flow>;
    /// Where the search speaks.
    fn events(&self) -> &Receiver<Event>;
}

/// Serves a peer until it says `quit`, closes its end, or no longer listens.
///
/// # Errors
/// If the peer no longer listens.
pub fn run(mut lines: Receiver<String>, engine: Engine, output: impl Write) -> io::Result<()> {
    let output = Logged::new(output);
    let first = lines
        .iter()
        .find_map(|line| Protocol::of(&line).map(|protocol| (protocol, line)));
    let Some((protocol, line)) = first else {
        return Ok(());
    };
    match protocol {
        Protocol::Uci => {
            serve(&mut Uci::new(engine, output), &line, &mut lines)?;
        }
        Protocol::XBoard => {
            let mut xboard = XBoard::new(engine, output);
            if serve(&mut xboard, &line, &mut lines)? == Flow::SwitchToUci {
                let (engine, output) = xboard.into_parts();
                serve(&mut Uci::new(engine, output), "uci", &mut lines)?;
            }
        }
    }
    Ok(())
}

/// A UCI command, already read and checked: what the command line hands on.
///
/// ```
/// use tabiya::protocol::Command;
/// assert!(Command::go("depth 10").is_ok());
/// assert_eq!(Command::go("dept 10").unwrap_err().to_string(), "go does not know 'dept'");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command(UciCommand);

impl Command {
    /// Print the static evaluation.
    pub const EVAL: Self = Self(UciCommand::Eval);
    /// Print the position.
    pub const DISPLAY: Self = Self(UciCommand::Display);

    /// Search; `limits` is the text after UCI's `go`.
    ///
    /// # Errors
    /// If a limit is unknown or lacks its number.
    pub fn go(limits: &str) -> Result<Self, CommandError> {
        uci::parse_go(limits).map(Self).map_err(CommandError)
    }
}

/// Why a text is not a [`Command`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandError(UciError);

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for CommandError {}

/// Runs a command on a position, and returns when the search has ended. A message on `stop` stops the
/// search.
///
/// # Errors
/// If the output cannot be written.
pub fn run_command(
    command: Command,
    validated: &Validated,
    mode: CastlingMode,
    stop: &Receiver<()>,
    engine: Engine,
    output: impl Write,
) -> io::Result<()> {
    let mut uci = Uci::new(engine, Logged::new(output));
    uci.set_position(validated, mode)?;
    uci.run(command.0)?;
    let mut stop = stop.clone();
    while uci.is_busy() {
        select! {
            recv(uci.events().clone()) -> event => match event {
                Ok(event) => uci.event(event)?,
                Err(_) => Flow::Quit,
            },
            recv(stop) -> asked => match asked {
                Ok(()) => uci.line("stop")?,
                Err(_) => {
                    stop = never();
                    Flow::Continue
                }
            },
        };
    }
    Ok(())
}

/// So many events of the search may wait for a peer that reads slowly before the oldest news is passed over. A search that
/// has found a mate goes through all its iterations in an instant: the news of two such is no sign of a slow peer.
const MAX_WAITING: usize = 2 * MAX_PLY;

/// Answers the first line and all after it; returns why it ended, which is not [`Flow::Continue`].
///
/// Lines and events of the search are taken as they come, so a command is answered during a search too. A peer that does
/// not read for a while holds up this thread and not the search, which ends by the clock; when the peer reads again it
/// is spared outdated news, so that it soon comes to the answer.
fn serve(
    frontend: &mut impl Frontend,
    first: &str,
    lines: &mut Receiver<String>,
) -> io::Result<Flow> {
    let mut flow = frontend.line(first)?;
    while flow == Flow::Continue {
        let events = frontend.events().clone();
        flow = select! {
            recv(lines) -> line => match line {
                Ok(line) => frontend.line(&line)?,
                Err(_) => {
                    *lines = never();
                    frontend.hang_up()?
                }
            },
            recv(frontend.deadline().map_or_else(never, at)) -> _ => frontend.time_out()?,
            recv(events) -> event => match event {
                Ok(Event::Info(..)) if events.len() > MAX_WAITING => Flow::Continue,
                Ok(event) => frontend.event(event)?,
                Err(_) => Flow::Quit,
            },
        };
    }
    Ok(flow)
}

/// Reads a FEN. Returns the position, and a remark if defects of the FEN were repaired.
fn read_fen(
    fen: &str,
    mode: CastlingMode,
) -> Result<(Position, Option<String>), ParsePositionError> {
    let (validated, _) = Position::read(fen, Some(mode))?;
    Ok((validated.position, repairs(&validated)))
}

/// A sentence about the repairs of a position, if there were any.
fn repairs(validated: &Validated) -> Option<String> {
    let sentence = || format!("the position was repaired: {}", validated.defects);
    validated.is_repaired().then(sentence)
}

/// A text for showing, cut if it is long.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some(_) => text.chars().take(SHOWN).chain(['…']).collect(),
        None => text.to_owned(),
    }
}
