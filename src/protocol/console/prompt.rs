//! Where a person's lines come from.

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead};

/// Asks for lines.
pub trait Prompt {
    /// The next line without its end, or `None` if there is none; the text tells what is asked for.
    ///
    /// # Errors
    /// If the input fails.
    fn read(&mut self, text: &str) -> io::Result<Option<String>>;
}

/// Lines from a file, a pipe or a string; nothing is shown for asking.
pub struct Lines<R>(R);

impl<R: BufRead> Lines<R> {
    /// The lines of that input.
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

/// Lines from a person at a terminal, who can edit them and call back earlier ones.
pub struct Terminal(DefaultEditor);

impl Terminal {
    /// Takes over standard input.
    ///
    /// # Errors
    /// If the terminal cannot be used.
    pub fn new() -> io::Result<Self> {
        DefaultEditor::new().map(Self).map_err(io::Error::other)
    }
}

impl Prompt for Terminal {
    fn read(&mut self, text: &str) -> io::Result<Option<String>> {
        match self.0.readline(text) {
            Ok(line) => {
                // Without memory for it, the line cannot be called back; that is all.
                let _ = self.0.add_history_entry(&line);
                Ok(Some(line))
            }
            // Ctrl-C empties the line, Ctrl-D ends.
            Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
            Err(ReadlineError::Eof) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}
