//! The option `Debug Log File`: what was said and heard, line by line, with the time.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// An output whose lines are noted in a log, if there is one.
///
/// Each line of the log is the time in seconds since 1970, `>` for a line that was heard or `<` for one that was said,
/// and the line. A log that can no longer be written is given up: the game goes on.
pub(super) struct Logged<W> {
    output: W,
    log: Option<Arc<File>>,
    /// What was said of a line that is not finished.
    line: Vec<u8>,
}

impl<W: Write> Logged<W> {
    pub(super) const fn new(output: W) -> Self {
        Self {
            output,
            log: None,
            line: Vec::new(),
        }
    }

    /// Notes everything there from now on, or nowhere.
    pub(super) fn set_log(&mut self, log: Option<&Arc<File>>) {
        self.log = log.cloned();
    }

    /// A line was heard.
    pub(super) fn heard(&mut self, line: &str) {
        self.note('>', line);
    }

    fn note(&mut self, direction: char, line: &str) {
        if let Some(log) = &mut self.log {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let seconds = now.unwrap_or_default().as_secs_f64();
            // In one piece: other engines may write to the same file.
            let line = format!("{seconds:.3} {direction} {line}\n");
            if log.write_all(line.as_bytes()).is_err() {
                self.log = None;
            }
        }
    }
}

impl<W: Write> Write for Logged<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        if self.log.is_some() {
            self.line.extend(bytes.iter().take(written));
            while let Some(end) = self.line.iter().position(|&byte| byte == b'\n') {
                let line: Vec<_> = self.line.drain(..=end).take(end).collect();
                self.note('<', &String::from_utf8_lossy(&line));
            }
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
