//! What programs and people say to the engine, and what they hear from it.
//!
//! Nothing that arrives here can end the program: parsers return `Result`, and whatever cannot be understood gets one
//! clear sentence back. This is the only room that prints during play.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

pub mod console;
mod input;
mod uci;

use crate::engine::Engine;
use crossbeam_channel::{Receiver, never, select};
use std::io::{self, Write};
use uci::Uci;

pub use input::spawn_reader;

/// Whether to go on after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

/// Serves a peer until it says `quit`, closes its end, or no longer listens.
///
/// Lines and events of the search are taken as they come, so a command is answered during a search too.
///
/// # Errors
/// If the peer no longer listens.
pub fn run(mut lines: Receiver<String>, engine: Engine, output: impl Write) -> io::Result<()> {
    let mut uci = Uci::new(engine, output);
    loop {
        let events = uci.events().clone();
        let flow = select! {
            recv(lines) -> line => match line {
                Ok(line) => uci.line(&line)?,
                Err(_) => {
                    // The peer has closed its end: as if it had said quit.
                    lines = never();
                    uci.line("quit")?
                }
            },
            recv(events) -> event => match event {
                Ok(event) => uci.event(event)?,
                Err(_) => Flow::Quit,
            },
        };
        if flow == Flow::Quit {
            return Ok(());
        }
    }
}
