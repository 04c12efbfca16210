//! The sources of a person's input.

use crossbeam_channel::{Receiver, bounded, never};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead};

/// A source of lines.
pub trait Prompt {
    /// Shows `text` as the prompt and reads a line without its end; `None` at the end of the input.
    ///
    /// # Errors
    /// If the input fails.
    fn read(&mut self, text: &str) -> io::Result<Option<String>>;

    /// Receives a message for each Ctrl-C while no line is being read.
    fn interrupts(&self) -> Receiver<()> {
        never()
    }
}

/// Lines from a file, a pipe or a string, without a visible prompt.
pub struct Lines<R>(R);

impl<R: BufRead> Lines<R> {
    /// Reads lines from `input`.
    pub const fn new(input: R) -> Self {
        Self(input)
    }
}

impl<R: BufRead> Prompt for Lines<R> {
    fn read(&mut self, _: &str) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let length = self.0.read_until(b'\n', &mut bytes)?;
        let line = String::from_utf8_lossy(bytes.trim_ascii_end());
        Ok((length > 0).then(|| line.into_owned()))
    }
}

/// Lines from a terminal, with line editing and history.
pub struct Terminal {
    editor: DefaultEditor,
    interrupts: Receiver<()>,
}

impl Terminal {
    /// Opens the terminal on standard input and handles Ctrl-C from now on.
    ///
    /// # Errors
    /// If the terminal or the handler cannot be set up.
    pub fn new() -> io::Result<Self> {
        let (sender, interrupts) = bounded(2);
        let press = move || {
            // A full channel drops the message: more than two have no meaning.
            let _ = sender.try_send(());
        };
        ctrlc::set_handler(press).map_err(io::Error::other)?;
        let editor = DefaultEditor::new().map_err(io::Error::other)?;
        Ok(Self { editor, interrupts })
    }
}

impl Prompt for Terminal {
    fn read(&mut self, text: &str) -> io::Result<Option<String>> {
        match self.editor.readline(text) {
            Ok(line) => {
                // After an error the line is missing from the history.
                let _ = self.editor.add_history_entry(&line);
                Ok(Some(line))
            }
            // Ctrl-C clears the line, Ctrl-D ends the input.
            Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
            Err(ReadlineError::Eof) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    fn interrupts(&self) -> Receiver<()> {
        self.interrupts.clone()
    }
}
