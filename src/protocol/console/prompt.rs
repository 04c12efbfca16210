//! The sources of a person's input.

use super::command;
use crate::game::encoding::Utf8;
use crate::protocol::input::{read_line, stop_on_interrupt};
use crossbeam_channel::{Receiver, never};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::fmt;
use std::io::{self, BufRead};

/// A source of lines.
pub trait Prompt {
    /// Shows `text` as the prompt and reads a line without its end; `None` at the end of the input.
    ///
    /// # Errors
    /// If the input fails.
    fn read(&mut self, text: &str) -> io::Result<Option<String>>;

    /// Whether a line may follow the end of the input, as after Ctrl-D in a terminal.
    fn can_ask(&self) -> bool {
        false
    }

    /// Number of columns of the terminal, if it is known.
    fn width(&mut self) -> Option<usize> {
        None
    }

    /// Receives the line `stop` for each Ctrl-C while no line is being read.
    fn interrupts(&self) -> Receiver<String> {
        never()
    }
}

/// Lines from a file, a pipe or a string, without a visible prompt.
#[derive(Debug)]
pub struct Lines<R>(Utf8<R>);

impl<R: BufRead> Lines<R> {
    /// Reads lines from `input`.
    pub const fn new(input: R) -> Self {
        Self(Utf8::new(input))
    }
}

impl<R: BufRead> Prompt for Lines<R> {
    fn read(&mut self, _: &str) -> io::Result<Option<String>> {
        read_line(&mut self.0)
    }
}

/// Lines from a terminal, with line editing, history and completion by Tab.
pub struct Terminal {
    editor: Editor<Completion, DefaultHistory>,
    interrupts: Receiver<String>,
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal").finish_non_exhaustive()
    }
}

impl Terminal {
    /// Opens the terminal on standard input and handles Ctrl-C from now on.
    ///
    /// # Errors
    /// If the terminal or the handler cannot be set up.
    pub fn new() -> io::Result<Self> {
        let interrupts = stop_on_interrupt()?;
        let mut editor = Editor::new().map_err(io::Error::other)?;
        editor.set_helper(Some(Completion(FilenameCompleter::new())));
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

    fn can_ask(&self) -> bool {
        true
    }

    fn width(&mut self) -> Option<usize> {
        let (columns, _) = self.editor.dimensions()?;
        Some(columns.into())
    }

    fn interrupts(&self) -> Receiver<String> {
        self.interrupts.clone()
    }
}

/// Completes commands, and the file names after `save` and `load`.
struct Completion(FilenameCompleter);

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..cursor).unwrap_or_default();
        let (start, word) = match typed.split_once(' ') {
            Some(("save" | "load", rest)) => return self.complete_path(rest, cursor),
            Some(("help", word)) => ("help ".len(), word),
            Some(_) => return Ok((cursor, Vec::new())),
            None => (0, typed),
        };
        let names = command::names().filter(|name| name.starts_with(word));
        let pairs = names.map(|name| Pair {
            display: name.to_owned(),
            replacement: name.to_owned(),
        });
        Ok((start, pairs.collect()))
    }
}

impl Completion {
    /// Completes a path, which runs to the end of the line, blanks included, after `-f` and an
    /// opening quote.
    fn complete_path(&self, typed: &str, cursor: usize) -> rustyline::Result<(usize, Vec<Pair>)> {
        let path = typed.trim_start();
        let path = path.strip_prefix("-f ").unwrap_or(path).trim_start();
        let path = path.strip_prefix(command::QUOTES).unwrap_or(path);
        // In single quotes, no character of a name is escaped.
        let quoted = format!("'{path}");
        let (_, pairs) = self.0.complete_path(&quoted, quoted.len())?;
        Ok((cursor - path.len(), pairs))
    }
}

impl Hinter for Completion {
    type Hint = String;
}
impl Highlighter for Completion {}
impl Validator for Completion {}

impl Helper for Completion {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;
    use std::io::{BufReader, Read};
    use std::{env, fs, process};

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() -> io::Result<()> {
        const LENGTH: u64 = 5 << 20;
        let input = io::repeat(b'x').take(LENGTH).chain(&b"\nboard\n"[..]);
        let mut lines = Lines::new(BufReader::new(input));
        let cut = lines.read("")?.map(|line| (line.len() as u64) < LENGTH);
        assert_eq!(cut, Some(true));
        assert_eq!(lines.read("")?.as_deref(), Some("board"));
        Ok(())
    }

    #[test]
    fn a_file_name_with_a_blank_is_completed_as_load_reads_it() -> Result<(), Box<dyn Error>> {
        let folder = env::temp_dir().join(format!("tabiya-completion-{}", process::id()));
        fs::create_dir(&folder)?;
        fs::write(folder.join("my game.pgn"), "")?;
        let path = |name| folder.join(name).display().to_string();
        let history = DefaultHistory::new();
        for start in ["load ", "load \"", "save -f ", "save -f '"] {
            for name in ["my", "my g"] {
                let line = format!("{start}{}", path(name));
                let context = Context::new(&history);
                let completion = Completion(FilenameCompleter::new());
                let (from, pairs) = completion.complete(&line, line.len(), &context)?;
                let before = line.get(..from).ok_or("no place")?;
                let name = &pairs.first().ok_or("no name")?.replacement;
                let read = command::parse(&format!("{before}{name}"));
                assert!(
                    format!("{read:?}").contains(&format!("{:?}", path("my game.pgn"))),
                    "{before}{name}: {read:?}"
                );
            }
        }
        fs::remove_dir_all(folder)?;
        Ok(())
    }
}
