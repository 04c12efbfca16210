//! Searches for a move or an analysis, with their progress; the static evaluation.

use super::{NAME, Session};
use crate::board::Position;
use crate::engine::normalized_score;
use crate::game::san;
use crate::protocol::evaluation;
use crate::protocol::session::{Flow, Frontend, Idle, serve};
use crate::search::{Answer, Claims, Event, Limits, Report, What};
use crate::types::{Move, Score};
use crossbeam_channel::Receiver;
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

/// A search of the session, until it has answered or was cancelled.
struct Search<'a, W> {
    session: &'a mut Session<W>,
    progress: Progress,
    /// Score and moves of the last line.
    last_line: Option<(Score, Vec<Move>)>,
    answer: Option<Answer>,
}

impl<W: Write> Frontend for Search<'_, W> {
    /// Ctrl-C, the only line, stops the search. A second one soon after the first cancels it.
    fn handle_line(&mut self, _: &str) -> io::Result<Flow> {
        if self.note_interrupt() {
            self.session.engine.abandon();
            return Ok(Flow::Quit);
        }
        self.session.engine.stop();
        Ok(Flow::Continue)
    }

    /// Without Ctrl-C the search ends by itself.
    fn handle_eof(&mut self) -> io::Result<Flow> {
        Ok(Flow::Continue)
    }

    fn handle_event(&mut self, event: Event) -> io::Result<Flow> {
        match self.session.engine.accept(event) {
            Some(What::Line(report)) => {
                // In a mate or a draw, hundreds of depths a second may give the same line.
                let line = Some((report.score, report.pv.clone()));
                if self.progress == Progress::Depth || self.last_line != line {
                    self.session.show_progress(&report, self.progress)?;
                }
                self.last_line = line;
            }
            Some(What::Answer(answer)) => {
                // A second Ctrl-C may be waiting beside the answer that the first one has caused.
                let has_line = self.session.interrupts.try_recv().is_ok();
                let is_cancelled = has_line && self.note_interrupt();
                self.answer = (!is_cancelled).then_some(answer);
                return Ok(Flow::Quit);
            }
            _ => {}
        }
        Ok(Flow::Continue)
    }

    fn events(&self) -> &Receiver<Event> {
        self.session.engine.events()
    }
}

impl<W> Search<'_, W> {
    /// Records a Ctrl-C. Returns whether it comes soon after another.
    fn note_interrupt(&mut self) -> bool {
        let last = self.session.last_interrupt.replace(Instant::now());
        last.is_some_and(|last| last.elapsed() < DOUBLE_INTERRUPT)
    }
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
        let interrupts = self.interrupts.clone();
        let mut search = Search {
            session: self,
            progress,
            last_line: None,
            answer: None,
        };
        serve(&mut search, Flow::Continue, &interrupts, Idle::Wait)?;
        let answer = search.answer;
        if self.engine.is_searching() {
            return Err(io::Error::other(
                "the search thread has ended without an answer",
            ));
        }
        if self.style.live && progress == Progress::Depth {
            write!(self.output, "\r\x1b[K")?;
        }
        Ok(answer)
    }

    fn show_progress(&mut self, report: &Report, progress: Progress) -> io::Result<()> {
        let is_best_line = report.multi_pv == 1 && !report.pv.is_empty();
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
                let text = report_text(self.game.position(), report);
                self.print_text(&text)?;
                self.output.flush()
            }
            _ => Ok(()),
        }
    }

    /// `eval`: shows the static evaluation, as `tabiya eval` does.
    pub(super) fn evaluate(&mut self) -> io::Result<()> {
        evaluation::print(&mut self.output, &self.engine, self.game.position())
    }

    /// `analyse`: shows each new best line until Ctrl-C. Without a terminal, the search has the
    /// limits of the level.
    pub(super) fn analyse(&mut self) -> io::Result<()> {
        let limits = if self.style.live {
            Limits::infinite()
        } else {
            self.level.limits(self.game.position())
        };
        if !self.game.position().has_legal_move() {
            return self.list_moves();
        }
        if self.style.live {
            self.print(&"Ctrl-C ends the analysis.")?;
        }
        self.search_fully(limits, Progress::Lines).map(|_| ())
    }

    /// Searches at full strength, whatever the level is.
    pub(super) fn search_fully(
        &mut self,
        limits: Limits,
        progress: Progress,
    ) -> io::Result<Option<Answer>> {
        self.engine.set_analyse_mode(true);
        let answer = self.search(limits, progress);
        self.engine.set_analyse_mode(false);
        answer
    }
}

/// A report as text: `+0.35 (depth 14) 1. e4 e5 2. Nf3`.
fn report_text(position: &Position, report: &Report) -> String {
    let score = normalized_score(report.score, position).for_white(position.side_to_move());
    let line = san::write_line(position, &report.pv);
    format!("{} (depth {}) {line}", score.in_pawns(), report.depth)
}
