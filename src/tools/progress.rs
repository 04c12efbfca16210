//! Progress of the slow tools, on standard error: a bar on a terminal, otherwise a line now and
//! then.

use crate::game::pgn::printable;
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::Cell;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Interval between lines where standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(20);

/// Progress of one tool.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    last_line: Cell<Instant>,
}

impl Progress {
    /// A display for `total` steps; `template` is an indicatif template.
    #[must_use]
    pub fn new(total: u64, template: &str) -> Self {
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let started = Instant::now();
        Self {
            bar: ProgressBar::new(total).with_style(style),
            started,
            last_line: started.into(),
        }
    }

    /// Adds `steps`; `unit` names them in the lines.
    pub fn advance(&self, steps: u64, unit: &str, message: String) {
        self.bar.inc(steps);
        if self.bar.is_hidden() && self.last_line.get().elapsed() >= LINE_INTERVAL {
            self.last_line.set(Instant::now());
            let done = self.bar.position();
            let per_second = done as f64 / self.started.elapsed().as_secs_f64();
            status(&format!("{done} {unit}, {per_second:.1}/s, {message}"));
        }
        self.bar.set_message(message);
    }

    /// Prints a line above the display.
    pub fn note(&self, line: &str) {
        self.bar.suspend(|| status(line));
    }

    /// Ends the display and leaves the bar on the screen, where it was.
    pub fn finish(&self) {
        self.bar.abandon();
    }

    /// Ends the display and removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Prints a message on standard error, without what would change the terminal: it may be the text
/// of a file.
pub fn status(line: &str) {
    for line in line.lines() {
        // Work does not end because nobody can read of it, as it would by `eprintln!`.
        let _ = writeln!(io::stderr(), "{}", printable(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ended_display_shows_what_was_done() {
        let progress = Progress::new(1000, "{pos}/{len}");
        progress.advance(3, "games", String::new());
        progress.finish();
        assert_eq!(progress.bar.position(), 3);
    }
}
