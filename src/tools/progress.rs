//! How the tools that take long say how far they are, on standard error: a bar on a terminal, elsewhere a line from
//! time to time.

use indicatif::{ProgressBar, ProgressStyle};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How often a line is told where there is no terminal.
const PLAIN: Duration = Duration::from_secs(20);

/// How far one tool is.
pub(super) struct Progress {
    bar: ProgressBar,
    begin: Instant,
    told: Cell<Instant>,
}

impl Progress {
    /// So many things are to be done; `template` is how indicatif draws the bar.
    pub(super) fn new(things: u64, template: &str) -> Self {
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let begin = Instant::now();
        Self {
            bar: ProgressBar::new(things).with_style(style),
            begin,
            told: begin.into(),
        }
    }

    /// So many more are done; `name` is what they are called.
    pub(super) fn advance(&self, things: u64, name: &str, message: String) {
        self.bar.inc(things);
        if self.bar.is_hidden() && self.told.get().elapsed() >= PLAIN {
            self.told.set(Instant::now());
            let done = self.bar.position();
            let per_second = done as f64 / self.begin.elapsed().as_secs_f64();
            tell(&format!("{done} {name}, {per_second:.1}/s, {message}"));
        }
        self.bar.set_message(message);
    }

    /// All are done: the bar stays.
    pub(super) fn finish(&self) {
        self.bar.finish();
    }

    /// All are done: the bar goes.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line on standard error.
#[allow(clippy::print_stderr)]
pub(super) fn tell(line: &str) {
    eprintln!("{line}");
}
