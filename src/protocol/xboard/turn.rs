//! Search results and their use: moves, claims, draw offers, hints, pondering.

use super::claim::{self, Standing};
use super::{ChosenMove, LINE_DELAY, Mode, PONDER_DELAY, Purpose, Search, XBoard, clock, print};
use crate::engine::verdict;
use crate::game::{Outcome, draw};
use crate::search::{Answer, Claims, Instant, Limits, Report};
use crate::types::{Move, Score};
use std::io::{self, Write};
use std::time::Duration;

/// Search time for a hint.
const HINT_TIME: Duration = Duration::from_millis(300);

impl Search {
    /// CPU time since the start, if thinking output shows it.
    fn cpu_time_used(&self) -> Option<Duration> {
        let before = self.cpu_time_at_start?;
        Some(clock::cpu_time()?.saturating_sub(before))
    }
}

impl<W: Write> XBoard<W> {
    pub(super) fn handle_report(&mut self, mut report: Report) -> io::Result<()> {
        let has_several = self.engine.settings().search.multi_pv > 1;
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        report.time = search.cpu_time_used().unwrap_or(report.time);
        let (is_shown, expected) = match search.purpose {
            Purpose::Move => (self.shows_thinking, None),
            Purpose::Ponder(mv) => (self.shows_thinking, Some(mv)),
            Purpose::Analysis => (true, None),
            Purpose::Hint => (false, None),
        };
        let line = (is_shown && !report.pv.is_empty())
            .then(|| print::thinking(self.game.position(), expected, &report));
        let first_time = search.started + PONDER_DELAY;
        let is_early = expected.is_some() && Instant::now() < first_time;
        let is_best = report.multi_pv == 1;
        if is_best {
            search.report = Some(report);
            if is_early {
                search.lines.clear();
            } else {
                // The lines of the iteration before are complete.
                self.send_lines()?;
            }
        }
        let (Some(line), Some(search)) = (line, &mut self.search) else {
            return Ok(());
        };
        if !has_several && !is_early {
            return self.send(&line);
        }
        search.lines.push(line);
        let soon = Instant::now() + LINE_DELAY;
        search
            .deadline
            .get_or_insert(if is_early { first_time } else { soon });
        Ok(())
    }

    /// Sends the lines of an iteration, the best one last.
    pub(super) fn send_lines(&mut self) -> io::Result<()> {
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        search.deadline = None;
        let lines: String = search.lines.drain(..).rev().collect();
        self.send(&lines)
    }

    pub(super) fn handle_answer(&mut self, answer: &Answer) -> io::Result<()> {
        self.send_lines()?;
        let Some(search) = self.search.take() else {
            return Ok(());
        };
        match search.purpose {
            Purpose::Move => {
                self.claim_or_move(answer, search.started.elapsed())?;
                self.answer_pings()?;
                self.begin_pondering()
            }
            Purpose::Hint => {
                if let Some(mv) = answer.best {
                    self.send_hint(mv)?;
                }
                self.answer_pings()
            }
            Purpose::Ponder(_) | Purpose::Analysis => Ok(()),
        }
    }

    /// Claims a draw, resigns, or moves.
    fn claim_or_move(&mut self, answer: &Answer, time: Duration) -> io::Result<()> {
        let Some(mv) = answer.best else {
            return Ok(());
        };
        let chosen = ChosenMove {
            mv,
            score: answer.score,
            reply: answer.ponder,
            time,
        };
        match self.standing() {
            Standing::Claimable(draw) if self.wants_draw(answer.score) => {
                self.unplayed = Some(chosen);
                self.end_game(&claim::result_line(Outcome::Drawn(draw)))
            }
            _ if self.resigns(answer.score) => self.end_game("resign"),
            _ => self.make_move(&chosen, false),
        }
    }

    /// Whether to resign. An engine that is lost accepts an offered draw instead.
    fn resigns(&self, score: Score) -> bool {
        let may_draw = self.is_draw_offered && draw::may_be_agreed(self.game.history());
        self.engine.settings().resign
            && !may_draw
            && verdict::resigns(score, self.scores.of(self.side()))
    }

    /// Plays the move that a claim replaced, for a peer that did not end the game on the claim.
    pub(super) fn move_after_claim(&mut self, chosen: &ChosenMove) -> io::Result<()> {
        self.mode = Mode::Play(self.side());
        self.make_move(chosen, true)?;
        self.answer_pings()?;
        self.begin_pondering()
    }

    /// Makes a move and sends it, with a result or a draw offer where there is a reason.
    ///
    /// After a claim that the peer did not grant, the draw is offered.
    fn make_move(&mut self, chosen: &ChosenMove, has_claimed: bool) -> io::Result<()> {
        let &ChosenMove {
            mv,
            score,
            reply,
            time,
        } = chosen;
        let is_drawing = claim::move_draws(&self.game, mv);
        let may_agree = draw::may_be_agreed(self.game.history());
        let plies = self.plies();
        let side = self.side();
        if self.game.replay(mv).is_err() {
            return Ok(());
        }
        let accepts = std::mem::take(&mut self.is_draw_offered)
            && may_agree
            && self.accepts_draw(score, self.scores.of(side));
        let offers = (has_claimed || is_drawing) && self.wants_draw(score);
        let move_text = print::move_text(mv, self.engine.castling_mode());
        self.clock.spend(time, plies);
        self.excluded.clear();
        self.expected_reply = reply;
        self.scores.record(side, score);
        self.send(&match self.standing() {
            Standing::Over(outcome) => {
                format!("move {move_text}\n{}\n", claim::result_line(outcome))
            }
            _ if accepts || offers => {
                format!("offer draw\nmove {move_text}\n")
            }
            _ => format!("move {move_text}\n"),
        })
    }

    fn wants_draw(&self, score: Score) -> bool {
        verdict::wants_draw(score, &self.engine.settings().opponent)
    }

    fn accepts_draw(&self, score: Score, earlier: &[Score]) -> bool {
        let opponent = &self.engine.settings().opponent;
        verdict::accepts_draw(self.game.history(), score, earlier, opponent)
    }

    /// With pondering on and the opponent to move, starts a search of the position after the
    /// expected reply, if one is known.
    pub(super) fn begin_pondering(&mut self) -> io::Result<()> {
        let is_opponents_turn = self.mode == Mode::Play(!self.side());
        let ponders = self.ponders && is_opponents_turn && self.obstacle().is_none();
        let Some(mv) = self.expected_reply.filter(|_| ponders) else {
            return Ok(());
        };
        let mut next = self.game.clone();
        if next.replay(mv).is_ok() && next.outcome().is_none() {
            let limits = Limits {
                ponder: true,
                // Moves are excluded from the present position only.
                ..self.clock.limits(next.history().moves().len())
            };
            self.engine.go(&next, limits, Claims::Players);
            self.set_search(Purpose::Ponder(mv));
        }
        Ok(())
    }

    /// If the opponent's move, which has been played, is the expected one, makes the ponder search
    /// the search for the engine's move, with the present limits. Returns whether it did.
    pub(super) fn ponder_hit(&mut self, mv: Move) -> io::Result<bool> {
        let Some(search) = &mut self.search else {
            return Ok(false);
        };
        if search.purpose != Purpose::Ponder(mv) {
            return Ok(false);
        }
        search.purpose = Purpose::Move;
        search.started = Instant::now();
        // These begin with the move that is played now.
        search.lines.clear();
        search.deadline = None;
        // A search that has ended reports no more, so what it has found is shown now.
        let report = search
            .report
            .as_ref()
            .filter(|report| !report.pv.is_empty());
        if let Some(report) = report.filter(|_| self.shows_thinking) {
            let line = print::thinking(self.game.position(), None, report);
            self.send(&line)?;
        }
        let limits = self.limits();
        self.engine.ponderhit(Some(limits));
        Ok(true)
    }

    pub(super) fn set_ponder(&mut self, on: bool) -> io::Result<()> {
        self.ponders = on;
        if !on && self.is_pondering() {
            self.abandon()
        } else if on && self.search.is_none() {
            self.begin_pondering()
        } else {
            Ok(())
        }
    }

    /// Handles a draw offer. The engine accepts at once if its last scores make a draw welcome and
    /// a draw may be agreed. Otherwise, and during its own search, it answers with its next
    /// move.
    pub(super) fn answer_draw_offer(&mut self) -> io::Result<()> {
        // A stalemate that was set up ends by agreement: see `think`.
        if self.position().is_stalemate() {
            return self.send("offer draw\n");
        }
        let Mode::Play(side) = self.mode else {
            return Ok(());
        };
        self.is_draw_offered = true;
        let scores = self.scores.of(side).split_last();
        let is_wanted = scores.is_some_and(|(&score, earlier)| self.accepts_draw(score, earlier));
        let may_agree = draw::may_be_agreed(self.game.history());
        if is_wanted && may_agree && !self.search_is(Purpose::Move) {
            self.send("offer draw\n")?;
        }
        Ok(())
    }

    pub(super) fn hint(&mut self) -> io::Result<()> {
        if self.obstacle().is_some() {
            return Ok(());
        }
        let report = self
            .search
            .as_ref()
            .filter(|search| search.purpose == Purpose::Analysis)
            .and_then(|search| search.report.as_ref());
        let known = report.and_then(|report| report.pv.first().copied());
        if let Some(mv) = known.or(self.expected_reply) {
            self.send_hint(mv)
        } else if self.search.is_none() && self.position().has_legal_move() {
            self.start_search(Purpose::Hint, Limits::movetime(HINT_TIME))
        } else {
            Ok(())
        }
    }

    fn send_hint(&mut self, mv: Move) -> io::Result<()> {
        let text = print::move_text(mv, self.engine.castling_mode());
        self.send(&format!("Hint: {text}\n"))
    }

    /// Answers `.` with the progress of the search.
    pub(super) fn send_status(&mut self) -> io::Result<()> {
        let Some(search) = &self.search else {
            return Ok(());
        };
        let cpu_time = search.cpu_time_used();
        let time = cpu_time.unwrap_or_else(|| search.started.elapsed());
        let centiseconds = time.as_millis() / 10;
        let report = search.report.as_ref();
        let (mut nodes, mut depth) = report.map_or((0, 0), |report| (report.nodes, report.depth));
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
        self.send(&format!(
            "stat01: {centiseconds} {nodes} {depth} {left} {total}{name}\n"
        ))
    }
}
