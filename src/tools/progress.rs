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
    unit: &'static str,
    started: Instant,
    last_line: Cell<Instant>,
}

impl Progress {
    /// A display that counts `unit`, such as "games", up to `total` if that is known.
    #[must_use]
    pub fn new(unit: &'static str, total: Option<u64>) -> Self {
        let (bar, counted, rest) = match total {
            Some(total) => (
                ProgressBar::new(total),
                "{bar:24} {human_pos}/{human_len}",
                ", {eta} left",
            ),
            None => (ProgressBar::no_length(), "{human_pos}", ""),
        };
        let template = format!("{{prefix}}{counted} {unit}, {{per_sec}}{{msg}}{rest}");
        let style = ProgressStyle::with_template(&template).expect("the template is valid");
        let started = Instant::now();
        Self {
            bar: bar.with_style(style),
            unit,
            started,
            last_line: started.into(),
        }
    }

    /// The same display with `title` before it.
    #[must_use]
    pub fn with_title(mut self, title: String) -> Self {
        self.bar = self.bar.with_prefix(title);
        self
    }

    /// Adds `steps`, and shows `message` after the rate.
    pub fn advance(&self, steps: u64, message: &str) {
        let message = match message {
            "" => String::new(),
            _ => format!(", {message}"),
        };
        self.bar.set_message(message);
        self.bar.inc(steps);
        if self.bar.is_hidden() && self.last_line.get().elapsed() >= LINE_INTERVAL {
            self.last_line.set(Instant::now());
            status(&self.line());
        }
    }

    /// The display where there is no terminal.
    fn line(&self) -> String {
        let (title, message) = (self.bar.prefix(), self.bar.message());
        let done = self.bar.position();
        let per_second = done as f64 / self.started.elapsed().as_secs_f64();
        format!("{title}{done} {}, {per_second:.1}/s{message}", self.unit)
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
        for total in [Some(1000), None] {
            let progress = Progress::new("games", total).with_title("epoch 1: ".to_owned());
            progress.advance(3, "");
            progress.finish();
            assert_eq!(progress.bar.position(), 3);
            let line = progress.line();
            assert!(
                line.starts_with("epoch 1: 3 games, ") && line.ends_with("/s"),
                "{line}"
            );
            progress.advance(1, "2 left out");
            let line = progress.line();
            assert!(line.ends_with("/s, 2 left out"), "{line}");
        }
    }
}
