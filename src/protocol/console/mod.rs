//! The console: a game in the terminal, for people.
//!
//! A line is a command or a move. Any other line gets one line of help and does not end the game.
//! On a person's turn the console shows the board and announces possible draw claims.

mod casual;
mod clock;
mod command;
mod file;
mod level;
mod prompt;
mod session;
mod view;

pub use prompt::{Lines, Prompt, Terminal};
pub use view::Style;

use crate::engine::Engine;
use crate::protocol::session::Flow;
use session::Session;
use std::io::{self, Write};

/// Plays until the person quits or the input ends.
///
/// # Errors
/// If input or output fails.
///
/// ```
/// use tabiya::engine::Engine;
/// use tabiya::protocol::console::{self, Lines, Style};
/// let script = "play both\nf3\ne5\ng4\nQh4\nquit\n";
/// let mut output = Vec::new();
/// let style = Style { ascii: true, color: false, live: false };
/// let mut lines = Lines::new(script.as_bytes());
/// console::run(Engine::new().unwrap(), &mut lines, &mut output, style).unwrap();
/// assert!(String::from_utf8(output).unwrap().contains("Black wins by checkmate"));
/// ```
pub fn run(
    engine: Engine,
    prompt: &mut impl Prompt,
    output: impl Write,
    style: Style,
) -> io::Result<()> {
    let mut session = Session::new(engine, output, style, prompt.interrupts());
    session.set_width(prompt.width());
    session.greet()?;
    loop {
        session.play_engine_moves()?;
        session.show_changes()?;
        session.set_width(prompt.width());
        let line = match prompt.read(&session.prompt())? {
            Some(line) => line,
            None if prompt.can_ask() && session.asks_before_the_end()? => continue,
            None => return Ok(()),
        };
        if session.handle_line(&line)? != Flow::Continue {
            return Ok(());
        }
    }
}
