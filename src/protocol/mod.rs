//! The protocols: UCI and XBoard for programs, a console for people.
//!
//! The first line of the input decides the protocol ([`detect`]): [`uci`] or [`xboard`]. The loop
//! of [`session`] passes them lines and search events. [`console`] reads from a terminal instead.
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
mod each_line;
mod evaluation;
mod hosted;
mod input;
mod log;
mod session;
mod uci;
mod xboard;

use crate::board::{ParsePositionError, Position, each_operation};
use crate::engine::Engine;
use crate::types::CastlingMode;
use crossbeam_channel::Receiver;
use detect::Protocol;
use log::Logged;
use session::{Flow, Frontend, Idle, serve};
use std::io::{self, Write};
use uci::Uci;
use xboard::XBoard;

pub use each_line::EachLine;
pub use hosted::HostedUci;
pub use input::spawn_reader;
#[cfg(any(feature = "console", feature = "tools"))]
pub use input::stop_on_interrupt;
pub use uci::{Go, UciCommand, UciError, is_go_word, parse_uci};

/// Serves a peer until it sends `quit` or the input ends.
///
/// # Errors
/// If the output cannot be written.
pub fn run(lines: Receiver<String>, engine: Engine, output: impl Write) -> io::Result<()> {
    let output = Logged::new(output);
    let first = lines
        .iter()
        .find_map(|line| Protocol::of(&line).map(|protocol| (protocol, line)));
    let Some((protocol, line)) = first else {
        return Ok(());
    };
    match protocol {
        Protocol::Uci => {
            let mut uci = Uci::new(engine, output);
            let flow = uci.handle_line(&line)?;
            serve(&mut uci, flow, &lines, Idle::Wait)?;
        }
        Protocol::XBoard => {
            let mut xboard = XBoard::new(engine, output);
            let flow = xboard.handle_line(&line)?;
            if serve(&mut xboard, flow, &lines, Idle::Wait)? == Flow::SwitchToUci {
                let (engine, output) = xboard.into_parts();
                let mut uci = Uci::new(engine, output);
                let flow = uci.obey("uci")?;
                serve(&mut uci, flow, &lines, Idle::Wait)?;
            }
        }
    }
    Ok(())
}

/// Runs UCI commands and returns when their searches have ended. `lines` are handled meanwhile.
///
/// # Errors
/// If the output cannot be written.
///
/// ```
/// use tabiya::crossbeam_channel;
/// use tabiya::engine::Engine;
/// use tabiya::protocol::{parse_uci, run_commands};
/// let commands = ["position fen 8/8/8/8/8/4k3/8/R3K2R w KQ - 0 1", "go depth 6"];
/// let commands = commands.map(|line| parse_uci(line).0.unwrap());
/// let (engine, mut output) = (Engine::new().unwrap(), Vec::new());
/// run_commands(commands, crossbeam_channel::never(), engine, &mut output).unwrap();
/// assert!(String::from_utf8(output).unwrap().contains("\nbestmove "));
/// ```
pub fn run_commands(
    commands: impl IntoIterator<Item = UciCommand>,
    lines: Receiver<String>,
    engine: Engine,
    output: impl Write,
) -> io::Result<()> {
    let mut uci = Uci::new(engine, Logged::new(output));
    let flow = uci.run_all(commands)?;
    serve(&mut uci, flow, &lines, Idle::Wait)?;
    Ok(())
}

/// Reads a FEN or a line of EPD. Returns the position, and remarks if defects were repaired, if
/// castling rights are lost because they are of Chess960, or if the line has operations.
fn read_fen(fen: &str, mode: CastlingMode) -> Result<(Position, Vec<String>), ParsePositionError> {
    let (validated, operations) = Position::from_epd_repaired(fen, Some(mode))?;
    let needs_chess960 = || {
        Position::from_epd_repaired(fen, None)
            .is_ok_and(|(told, _)| told.mode.is_chess960() && told.position != validated.position)
    };
    let defect = validated.repair_remark().map(|remark| {
        if !mode.is_chess960() && needs_chess960() {
            let hint = "set the option UCI_Chess960, or XBoard's variant fischerandom";
            format!("these castling rights are of Chess960 and are lost: {hint}")
        } else {
            remark
        }
    });
    let remarks = defect.into_iter().chain(unused_operations(&operations));
    Ok((validated.position, remarks.collect()))
}

/// A remark on the operations of a line of EPD, if it has any besides the counters.
fn unused_operations(operations: &str) -> Option<String> {
    let is_counter = |operation: &&str| {
        ["hmvc ", "fmvn "]
            .iter()
            .any(|name| operation.starts_with(name))
    };
    let unused = each_operation(operations).filter(|operation| !is_counter(operation));
    let unused = unused.collect::<Vec<_>>().join("; ");
    (!unused.is_empty()).then(|| {
        let unused = shortened(&unused);
        format!("only the position of the EPD is used, not its operations: {unused}")
    })
}

/// Cuts a text to 60 characters for a message.
fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    match text.char_indices().nth(MAX_CHARS) {
        Some(_) => text.chars().take(MAX_CHARS).chain(['…']).collect(),
        None => text.to_owned(),
    }
}
