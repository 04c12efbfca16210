//! Output for a host that takes lines, such as a browser or a channel.

use std::fmt;
use std::io::{self, Write};

/// Passes each line of output, without its end, to a function.
///
/// ```
/// use std::io::Write;
/// use tabiya::protocol::EachLine;
/// let mut lines = Vec::new();
/// let mut output = EachLine::new(|line: &str| {
///     lines.push(line.to_owned());
///     Ok(())
/// });
/// write!(output, "ready").unwrap();
/// write!(output, "ok\nbest").unwrap();
/// drop(output);
/// assert_eq!(lines, ["readyok"]);
/// ```
pub struct EachLine<F> {
    pass: F,
    /// The line that has not ended yet.
    line: Vec<u8>,
}

impl<F> fmt::Debug for EachLine<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EachLine").finish_non_exhaustive()
    }
}

impl<F: FnMut(&str) -> io::Result<()>> EachLine<F> {
    /// An output that calls `pass` with each line.
    pub const fn new(pass: F) -> Self {
        let line = Vec::new();
        Self { pass, line }
    }
}

impl<F: FnMut(&str) -> io::Result<()>> Write for EachLine<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.pop_if(|byte| *byte == b'\n').is_some() {
                (self.pass)(&String::from_utf8_lossy(&self.line))?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
