//! Where a person's lines come from.

use crossbeam_channel::{Receiver, bounded, never};
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

    /// Hears of each Ctrl-C that is pressed while nothing is asked for.
    fn interrupts(&self) -> Receiver<()> {
        never()
    }
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
pub struct Terminal {
    editor: DefaultEditor,
    interrupts: Receiver<()>,
}

impl Terminal {
    /// Takes over standard input.
    ///
    /// # Errors
    /// If the terminal cannot be used.
    pub fn new() -> io::Result<Self> {
        let (sender, interrupts) = bounded(2);
        let press = move || {
            // More than two mean no more than two.
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
                // Without memory for it, the line cannot be called back; that is all.
                let _ = self.editor.add_history_entry(&line);
                Ok(Some(line))
            }
            // Ctrl-C empties the line, Ctrl-D ends.
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
