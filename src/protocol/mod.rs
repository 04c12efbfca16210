//! The protocols: UCI and XBoard for programs, a console for people.
//!
//! The first line of the input decides the protocol ([`detect`]). A [`Frontend`], [`uci`] or
//! [`xboard`], then handles the session. [`console`] reads from a terminal instead.
//!
//! No input can crash the program: parsers return errors, and each error is reported in one
//! sentence. Only this module prints during play.
//!
//! ```
//! use tabiya::engine::Engine;
//! use tabiya::protocol;
//! let input = b"uci\nposition startpos moves e2e4\nd\ngo depth 3\n";
//! let lines = protocol::spawn_reader(&input[..]).unwrap();
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
mod hosted;
mod input;
mod log;
mod uci;
mod xboard;

use crate::board::{ParsePositionError, Position, Validated};
use crate::engine::Engine;
use crate::search::{Event, Instant};
use crate::types::{CastlingMode, MAX_PLY};
use crossbeam_channel::{Receiver, after, never, select};
use detect::Protocol;
use log::Logged;
use std::fmt;
use std::io::{self, Write};
use uci::{Uci, UciCommand, UciError};
use xboard::XBoard;

pub use hosted::HostedUci;
pub use input::spawn_reader;

/// Whether the session continues after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    /// The peer has changed from XBoard's protocol to UCI.
    SwitchToUci,
    Quit,
}

/// A session in one protocol. It handles input lines and search events, and writes the output.
trait Frontend {
    /// Handles a line of input.
    fn handle_line(&mut self, line: &str) -> io::Result<Flow>;
    /// Handles the end of the input.
    fn handle_eof(&mut self) -> io::Result<Flow> {
        self.handle_line("quit")
    }
    /// When to call [`Self::handle_deadline`]; `None` means never.
    fn deadline(&self) -> Option<Instant> {
        None
    }
    /// Called when the deadline has passed.
    fn handle_deadline(&mut self) -> io::Result<Flow> {
        Ok(Flow::Continue)
    }
    /// Handles an event of the search.
    fn handle_event(&mut self, event: Event) -> io::Result<Flow>;
    /// The channel of search events.
    fn events(&self) -> &Receiver<Event>;
}

/// Serves a peer until it sends `quit` or the input ends.
///
/// # Errors
/// If the output cannot be written.
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

/// A parsed UCI command, for use from the command line.
///
/// ```
/// use tabiya::protocol::Command;
/// assert!(Command::go("depth 10").is_ok());
/// let error = Command::go("dept 10").unwrap_err();
/// assert_eq!(error.to_string(), "unknown word 'dept' after go");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command(UciCommand);

impl Command {
    /// Prints the static evaluation.
    pub const EVAL: Self = Self(UciCommand::Eval);
    /// Prints the position.
    pub const DISPLAY: Self = Self(UciCommand::Display);

    /// Searches; `limits` is the text after UCI's `go`.
    ///
    /// # Errors
    /// If a limit is unknown or lacks its number.
    pub fn go(limits: &str) -> Result<Self, CommandError> {
        uci::parse_go(limits).map(Self).map_err(CommandError)
    }
}

/// An error in the text of a [`Command`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandError(UciError);

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for CommandError {}

/// Runs a command on a position and returns when its search has ended. A message on `stop` stops
/// the search.
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
                Ok(event) => uci.handle_event(event)?,
                Err(_) => Flow::Quit,
            },
            recv(stop) -> signal => match signal {
                Ok(()) => uci.handle_line("stop")?,
                Err(_) => {
                    stop = never();
                    Flow::Continue
                }
            },
        };
    }
    Ok(())
}

/// Limit on queued search events. Beyond it, the oldest `Info` events are dropped.
///
/// A search that has found a mate runs through all its iterations at once. The limit leaves room
/// for two such searches.
const MAX_QUEUED_EVENTS: usize = 2 * MAX_PLY;

/// Runs a session, beginning with the line `first`. Returns why it ended, never [`Flow::Continue`].
///
/// Lines and search events are handled in order of arrival, so commands are answered during a
/// search. A peer that does not read the output blocks this thread, but not the search. When the
/// peer reads again, outdated `Info` events are dropped, so the answer follows soon.
fn serve(
    frontend: &mut impl Frontend,
    first: &str,
    lines: &mut Receiver<String>,
) -> io::Result<Flow> {
    let mut flow = frontend.handle_line(first)?;
    while flow == Flow::Continue {
        let events = frontend.events().clone();
        let time_left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        let deadline = frontend
            .deadline()
            .map_or_else(never, |at| after(time_left(at)));
        flow = select! {
            recv(lines) -> line => match line {
                Ok(line) => frontend.handle_line(&line)?,
                Err(_) => {
                    *lines = never();
                    frontend.handle_eof()?
                }
            },
            recv(deadline) -> _ => frontend.handle_deadline()?,
            recv(events) -> event => match event {
                Ok(Event::Info(..)) if events.len() > MAX_QUEUED_EVENTS => Flow::Continue,
                Ok(event) => frontend.handle_event(event)?,
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
    Ok((validated.position, repair_remark(&validated)))
}

/// A remark on the repaired defects of a position, if there are any.
fn repair_remark(validated: &Validated) -> Option<String> {
    let remark = || format!("the position was repaired: {}", validated.defects);
    validated.is_repaired().then(remark)
}

/// Cuts a text to 60 characters for a message.
fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    match text.char_indices().nth(MAX_CHARS) {
        Some(_) => text.chars().take(MAX_CHARS).chain(['…']).collect(),
        None => text.to_owned(),
    }
}
