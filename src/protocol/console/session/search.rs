//! Letting the engine think: for a move, for an evaluation, for an analysis; and what is seen of it meanwhile.

use super::{NAME, Session};
use crate::board::Position;
use crate::engine::{Answer, Claims, Event, Limits, Report, normalized_score};
use crate::game::san;
use crossbeam_channel::select_biased;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Ctrl-C twice within this time means more than twice once.
const TWICE: Duration = Duration::from_secs(2);

/// What is shown while the engine thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// On a terminal, how deep it has come.
    Depth,
    /// Each line that it finds.
    Lines,
}

impl<W: Write> Session<W> {
    /// Thinks about the position on the board. Ctrl-C asks for an answer at once, twice for none: then it is the person's turn.
    pub(super) fn search(&mut self, limits: Limits, shown: Shown) -> io::Result<Option<Answer>> {
        // What was pressed before is not meant.
        while self.interrupts.try_recv().is_ok() {}
        self.engine.go(&self.game, limits, Claims::Players);
        self.output.flush()?;
        let (events, interrupts) = (self.engine.events().clone(), self.interrupts.clone());
        let answer = loop {
            select_biased! {
                recv(interrupts) -> _ => {
                    let is_second = self.interrupted.is_some_and(|at| at.elapsed() < TWICE);
                    self.interrupted = Some(Instant::now());
                    if is_second {
                        self.engine.abandon();
                        break None;
                    }
                    self.engine.stop();
                }
                recv(events) -> event => {
                    let event = event.map_err(|_| io::Error::other("the search has ended"))?;
                    match self.engine.accept(event) {
                        Some(Event::Info(_, report)) => self.show(report, shown)?,
                        Some(Event::Done(_, answer)) => break Some(answer),
                        _ => {}
                    }
                }
            }
        };
        if self.style.live && shown == Shown::Depth {
            write!(self.output, "\r\x1b[K")?;
        }
        Ok(answer)
    }

    fn show(&mut self, report: Report, shown: Shown) -> io::Result<()> {
        let is_whole = report.multi_pv == 1 && !report.pv.is_empty();
        if is_whole {
            self.report = Some(report.clone());
        }
        match shown {
            Shown::Depth if self.style.live => {
                write!(
                    self.output,
                    "\r{NAME} is thinking… depth {}\x1b[K",
                    report.depth
                )?;
                self.output.flush()
            }
            Shown::Lines if is_whole => {
                let text = report_text(self.game.position(), &report);
                self.say(&text)?;
                self.output.flush()
            }
            _ => Ok(()),
        }
    }

    /// What the engine thinks of the position, at full strength: the last line it found.
    pub(super) fn evaluate(&mut self) -> io::Result<()> {
        let limits = self.level.limits();
        self.analyse_with(limits, Shown::Depth)
    }

    /// Shows what the engine finds until Ctrl-C is pressed; where nobody can, as long as it thinks about a move.
    pub(super) fn analyse(&mut self) -> io::Result<()> {
        let limits = if self.style.live {
            Limits::infinite()
        } else {
            self.level.limits()
        };
        if self.style.live {
            self.say(&"Ctrl-C ends the analysis.")?;
        }
        self.analyse_with(limits, Shown::Lines)
    }

    fn analyse_with(&mut self, limits: Limits, shown: Shown) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.say(&crate::game::ActError::Over(outcome));
        }
        // The option is there and takes this.
        let _ = self.engine.set_option("UCI_AnalyseMode", "true");
        let answer = self.search(limits, shown);
        let _ = self.engine.set_option("UCI_AnalyseMode", "false");
        answer?;
        match self.report.take() {
            Some(report) if shown == Shown::Depth => {
                let text = report_text(self.game.position(), &report);
                self.say(&text)
            }
            _ => Ok(()),
        }
    }
}

/// `+0.35 (depth 14) 1. e4 e5 2. Nf3`
fn report_text(position: &Position, report: &Report) -> String {
    let score = normalized_score(report.score, position).for_white(position.side_to_move());
    let line = san::write_line(position, &report.pv);
    format!("{score} (depth {}) {line}", report.depth)
}
