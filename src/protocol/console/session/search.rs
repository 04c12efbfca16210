//! Searches for a move, an evaluation or an analysis, and shows their progress.

use super::{NAME, Session};
use crate::board::Position;
use crate::engine::normalized_score;
use crate::game::san;
use crate::search::{Answer, Claims, Event, Limits, Report};
use crossbeam_channel::select_biased;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Two Ctrl-C within this time cancel the search.
const DOUBLE_INTERRUPT: Duration = Duration::from_secs(2);

/// What is shown during a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// The depth, if the output is a terminal.
    Depth,
    /// Each new best line.
    Lines,
}

impl<W: Write> Session<W> {
    /// Searches the current position. Ctrl-C stops the search; a second Ctrl-C cancels it and
    /// returns `None`.
    pub(super) fn search(
        &mut self,
        limits: Limits,
        progress: Progress,
    ) -> io::Result<Option<Answer>> {
        // Drop interrupts from before the search.
        while self.interrupts.try_recv().is_ok() {}
        self.engine.go(&self.game, limits, Claims::Players);
        self.output.flush()?;
        let (events, interrupts) = (self.engine.events().clone(), self.interrupts.clone());
        let answer = loop {
            select_biased! {
                recv(interrupts) -> _ => {
                    let is_second = self
                        .last_interrupt
                        .is_some_and(|last| last.elapsed() < DOUBLE_INTERRUPT);
                    self.last_interrupt = Some(Instant::now());
                    if is_second {
                        self.engine.abandon();
                        break None;
                    }
                    self.engine.stop();
                }
                recv(events) -> event => {
                    let event = event.map_err(|_| io::Error::other("the search has ended"))?;
                    match self.engine.accept(event) {
                        Some(Event::Info(_, report)) => self.show_progress(report, progress)?,
                        Some(Event::Done(_, answer)) => break Some(answer),
                        _ => {}
                    }
                }
            }
        };
        if self.style.live && progress == Progress::Depth {
            write!(self.output, "\r\x1b[K")?;
        }
        Ok(answer)
    }

    fn show_progress(&mut self, report: Report, progress: Progress) -> io::Result<()> {
        let is_best_line = report.multi_pv == 1 && !report.pv.is_empty();
        if is_best_line {
            self.report = Some(report.clone());
        }
        match progress {
            Progress::Depth if self.style.live => {
                write!(
                    self.output,
                    "\r{NAME} is thinking{} depth {}\x1b[K",
                    if self.style.ascii { "..." } else { "…" },
                    report.depth
                )?;
                self.output.flush()
            }
            Progress::Lines if is_best_line => {
                let text = report_text(self.game.position(), &report);
                self.print_text(&text)?;
                self.output.flush()
            }
            _ => Ok(()),
        }
    }

    /// `eval`: searches at full strength within the limits of the level and shows the best line.
    pub(super) fn evaluate(&mut self) -> io::Result<()> {
        let limits = self.level.limits();
        self.analyse_with(limits, Progress::Depth)
    }

    /// `analyse`: shows each new best line until Ctrl-C. Without a terminal, the search has the
    /// limits of the level.
    pub(super) fn analyse(&mut self) -> io::Result<()> {
        let limits = if self.style.live {
            Limits::infinite()
        } else {
            self.level.limits()
        };
        if self.style.live {
            self.print(&"Ctrl-C ends the analysis.")?;
        }
        self.analyse_with(limits, Progress::Lines)
    }

    fn analyse_with(&mut self, limits: Limits, progress: Progress) -> io::Result<()> {
        if !self.game.position().has_legal_move() {
            return self.list_moves();
        }
        // This option and its values exist.
        let _ = self.engine.set_option("UCI_AnalyseMode", "true");
        let answer = self.search(limits, progress);
        let _ = self.engine.set_option("UCI_AnalyseMode", "false");
        answer?;
        match self.report.take() {
            Some(report) if progress == Progress::Depth => {
                let text = report_text(self.game.position(), &report);
                self.print_text(&text)
            }
            _ => Ok(()),
        }
    }
}

/// A report as text: `+0.35 (depth 14) 1. e4 e5 2. Nf3`.
fn report_text(position: &Position, report: &Report) -> String {
    let score = normalized_score(report.score, position).for_white(position.side_to_move());
    let line = san::write_line(position, &report.pv);
    format!("{score} (depth {}) {line}", report.depth)
}
