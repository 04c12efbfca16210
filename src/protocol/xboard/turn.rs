//! What the search says, and what becomes of it: moves, claims, offers, hints.

use super::claim::{self, Standing};
use super::{Mode, Purpose, Search, Turn, XBoard, clock, moves_played, print};
use crate::engine::{Answer, Claims, Limits, Report, verdict};
use crate::game::{Outcome, draw};
use crate::types::{Move, Score};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How long to look for a hint.
const HINT_TIME: Duration = Duration::from_millis(300);

impl Search {
    /// The processor time since it began, if that is to be shown.
    fn cpu_time_used(&self) -> Option<Duration> {
        let before = self.cpu_time?;
        Some(clock::cpu_time()?.saturating_sub(before))
    }
}

impl<W: Write> XBoard<W> {
    pub(super) fn report(&mut self, mut report: Report) -> io::Result<()> {
        let mode = self.engine.castling_mode();
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        report.time = search.cpu_time_used().unwrap_or(report.time);
        let is_shown = match search.purpose {
            Purpose::Move => self.shows_thinking,
            Purpose::Analysis => true,
            Purpose::Ponder(_) | Purpose::Hint => false,
        };
        let text = print::thinking(self.game.position(), &report, mode);
        let has_line = !report.pv.is_empty();
        if report.multi_pv == 1 {
            search.report = Some(report);
        }
        if is_shown && has_line {
            self.say(&text)?;
        }
        Ok(())
    }

    pub(super) fn done(&mut self, answer: &Answer) -> io::Result<()> {
        let Some(search) = self.search.take() else {
            return Ok(());
        };
        match search.purpose {
            Purpose::Move => {
                self.turn(answer, search.since.elapsed())?;
                self.answer_pings()?;
                self.begin_pondering()
            }
            Purpose::Hint => {
                if let Some(mv) = answer.best {
                    self.say_hint(mv)?;
                }
                self.answer_pings()
            }
            Purpose::Ponder(_) | Purpose::Analysis => Ok(()),
        }
    }

    /// The engine's turn: a claim, or a move with all that is said with it in one piece.
    fn turn(&mut self, answer: &Answer, time: Duration) -> io::Result<()> {
        let Some(mv) = answer.best else {
            return Ok(());
        };
        if self.engine.settings().resign && verdict::resigns(answer.score, self.score) {
            return self.end("resign");
        }
        let turn = Turn {
            mv,
            answer: answer.clone(),
            time,
        };
        match self.standing() {
            Standing::Claimable(draw) if self.wants_draw(answer.score) => {
                self.claimed = Some(turn);
                self.end(&claim::result_line(Outcome::Drawn(draw)))
            }
            _ => self.make_move(&turn, false),
        }
    }

    /// The peer has heard a claim and pings instead of ending the game: it grants no claims, and waits for a move.
    pub(super) fn play_on(&mut self, turn: &Turn) -> io::Result<()> {
        self.mode = Mode::Play(self.side());
        self.make_move(turn, true)?;
        self.answer_pings()?;
        self.begin_pondering()
    }

    /// Makes a move and tells it, with what else is to be said: after a claim the draw is offered at the least.
    fn make_move(&mut self, turn: &Turn, has_claimed: bool) -> io::Result<()> {
        let &Turn {
            mv,
            ref answer,
            time,
        } = turn;
        let is_drawing = claim::move_draws(&self.game, mv);
        let may_agree = draw::may_be_agreed(self.game.history());
        let moves_played = moves_played(&self.game);
        if self.game.replay(mv).is_err() {
            return Ok(());
        }
        let is_offered = std::mem::take(&mut self.is_offered) && may_agree;
        let has_reason = has_claimed || is_offered || is_drawing;
        let move_text = print::move_text(mv, self.engine.castling_mode());
        self.clock.spend(time, moves_played + 1);
        self.excluded.clear();
        self.expected = answer.ponder;
        self.score = Some(answer.score);
        self.say(&match self.standing() {
            Standing::Over(outcome) => {
                format!("move {move_text}\n{}\n", claim::result_line(outcome))
            }
            _ if has_reason && self.wants_draw(answer.score) => {
                format!("offer draw\nmove {move_text}\n")
            }
            _ => format!("move {move_text}\n"),
        })
    }

    fn wants_draw(&self, score: Score) -> bool {
        verdict::wants_draw(score, &self.engine.settings().opponent)
    }

    /// Thinks on the opponent's time about the reply to the move that is expected.
    fn begin_pondering(&mut self) -> io::Result<()> {
        let Some(mv) = self.expected.filter(|_| self.ponders) else {
            return Ok(());
        };
        let mut next = self.game.clone();
        if next.replay(mv).is_ok() && next.outcome().is_none() {
            let limits = Limits {
                ponder: true,
                ..self.limits(&next)
            };
            self.engine.go(&next, limits, Claims::Players);
            self.note_search(Purpose::Ponder(mv));
        }
        Ok(())
    }

    /// The opponent has made a move: if it is the one that was pondered on, the search goes on as the engine's own.
    pub(super) fn ponder_hit(&mut self, mv: Move) -> bool {
        match &mut self.search {
            Some(search) if search.purpose == Purpose::Ponder(mv) => {
                search.purpose = Purpose::Move;
                search.since = Instant::now();
                self.engine.ponderhit();
                true
            }
            _ => false,
        }
    }

    pub(super) fn ponder(&mut self, on: bool) -> io::Result<()> {
        self.ponders = on;
        let pondered = self.search.as_ref().map(|search| search.purpose);
        match pondered {
            Some(Purpose::Ponder(_)) if !on => self.abandon(),
            _ => Ok(()),
        }
    }

    /// Handles a draw offer. The engine accepts at once if its last score makes a draw welcome and
    /// a draw may be agreed. Otherwise, and during its own search, it answers with its next
    /// move.
    pub(super) fn be_offered(&mut self) -> io::Result<()> {
        let Mode::Play(_) = self.mode else {
            return Ok(());
        };
        self.is_offered = true;
        let is_wanted = self.score.is_some_and(|score| self.wants_draw(score));
        let may_agree = draw::may_be_agreed(self.game.history());
        if is_wanted && may_agree && !self.search_is(Purpose::Move) {
            self.say("offer draw\n")?;
        }
        Ok(())
    }

    pub(super) fn hint(&mut self) -> io::Result<()> {
        let report = self
            .search
            .as_ref()
            .filter(|search| search.purpose == Purpose::Analysis)
            .and_then(|search| search.report.as_ref());
        let known = report.and_then(|report| report.pv.first().copied());
        if let Some(mv) = known.or(self.expected) {
            self.say_hint(mv)
        } else if self.search.is_none() && self.position().has_legal_move() && !self.is_illegal {
            self.begin(Purpose::Hint, Limits::movetime(HINT_TIME))
        } else {
            Ok(())
        }
    }

    fn say_hint(&mut self, mv: Move) -> io::Result<()> {
        let text = print::move_text(mv, self.engine.castling_mode());
        self.say(&format!("Hint: {text}\n"))
    }

    pub(super) fn status(&mut self) -> io::Result<()> {
        let Some(search) = &self.search else {
            return Ok(());
        };
        let cpu_time = search.cpu_time_used();
        let time = cpu_time.unwrap_or_else(|| search.since.elapsed());
        let centiseconds = time.as_millis() / 10;
        let said = search.report.as_ref();
        let (mut nodes, mut depth) = said.map_or((0, 0), |report| (report.nodes, report.depth));
        let mut left = 0;
        let mut total = self.position().legal_moves().into_iter().count();
        let mut name = String::new();
        if let Some(current) = search.current {
            nodes = nodes.max(current.nodes);
            depth = current.depth;
            total = current.total;
            left = total.saturating_sub(current.number);
            name = format!(
                " {}",
                print::move_text(current.mv, self.engine.castling_mode())
            );
        }
        self.say(&format!(
            "stat01: {centiseconds} {nodes} {depth} {left} {total}{name}\n"
        ))
    }
}
