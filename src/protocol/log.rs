//! The log of the option `Debug Log File`: every line of input and output, with the time.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// An output that copies its lines to a log, if one is set.
///
/// A line of the log has the time in seconds since 1970, `>` for input or `<` for output, and the
/// line. After a write error the log is closed and the session continues; the protocol reports the
/// [failure](Self::take_failure).
pub(super) struct Logged<W> {
    output: W,
    /// The log that was set, also after it was closed by an error.
    set: Option<Arc<File>>,
    log: Option<Arc<File>>,
    /// The output since the last line end.
    partial_line: Vec<u8>,
    /// The write error that closed the log, until it is reported.
    failure: Option<io::Error>,
}

impl<W: Write> Logged<W> {
    pub(super) const fn new(output: W) -> Self {
        Self {
            output,
            set: None,
            log: None,
            partial_line: Vec::new(),
            failure: None,
        }
    }

    /// Sets or closes the log. A log that was closed by an error stays closed until another is set.
    pub(super) fn set_log(&mut self, log: Option<&Arc<File>>) {
        if self.set.as_ref().map(Arc::as_ptr) != log.map(Arc::as_ptr) {
            self.set = log.cloned();
            self.log = log.cloned();
        }
    }

    /// Takes the message about the write error that closed the log.
    pub(super) fn take_failure(&mut self) -> Option<String> {
        let error = self.failure.take()?;
        Some(format!("the log cannot be written and is closed: {error}"))
    }

    /// Logs a line of input.
    pub(super) fn log_input(&mut self, line: &str) {
        self.write_entry('>', line);
    }

    /// Logs the end of the input.
    pub(super) fn log_end(&mut self) {
        self.write_entry('>', "(end of input)");
    }

    fn write_entry(&mut self, direction: char, line: &str) {
        if let Some(log) = &mut self.log {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let seconds = now.unwrap_or_default().as_secs_f64();
            // A single write, because other engines may write to the same file.
            let line = format!("{seconds:.3} {direction} {line}\n");
            if let Err(error) = log.write_all(line.as_bytes()) {
                self.failure = Some(error);
                self.log = None;
            }
        }
    }
}

impl<W: Write> Write for Logged<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        if self.log.is_some() {
            self.partial_line.extend(bytes.iter().take(written));
            while let Some(end) = self.partial_line.iter().position(|&byte| byte == b'\n') {
                let line: Vec<_> = self.partial_line.drain(..=end).take(end).collect();
                self.write_entry('<', &String::from_utf8_lossy(&line));
            }
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
