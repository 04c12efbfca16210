//! Draw claims, draw offers and their answers.

use super::Session;
use super::search::Progress;
use crate::engine::verdict;
use crate::game::{ActError, GameEvent};
use crate::protocol::console::level::Level;
use crate::types::{Color, Score};
use std::io::{self, Write};
use std::time::Instant;

impl<W: Write> Session<W> {
    /// Accepts the opponent's draw offer, or claims a draw. A wrong claim counts as an offer.
    pub(super) fn draw(&mut self, intended: Option<&str>) -> io::Result<()> {
        let claimant = self.turn();
        let intended = match intended.map(|text| self.parse_move(text)).transpose() {
            Ok(intended) => intended,
            Err(error) => return self.print(&error),
        };
        let named = intended.map(|mv| self.numbered(mv));
        let acted = self.game.claim_draw(intended);
        if let Some(clock) = &mut self.clock {
            let refused = |event: &GameEvent| matches!(event, GameEvent::ClaimRefused(..));
            let is_refused = (acted.as_ref()).is_ok_and(|events| events.iter().any(refused));
            // Without a move it may have been meant as an offer, which costs nothing.
            if is_refused && intended.is_some() {
                clock.add(!claimant, clock.pace.wrong_claim_bonus());
            }
            if self.game.position().side_to_move() != claimant {
                clock.press(claimant);
            }
        }
        self.report_events(acted)?;
        if let Some(text) = named.filter(|_| self.turn() != claimant) {
            self.needs_redraw = true;
            self.print(&format_args!(
                "{text} is played: the move named in a claim must be played (FIDE 9.5.3)."
            ))?;
        }
        if self.game.outcome().is_none() && self.game.offer().is_none() {
            self.print(&ActError::TooEarly)?;
        }
        let is_answered_at_once = self.turn() == claimant && !self.human_sides.includes(!claimant);
        if self.game.offer() == Some(claimant) && is_answered_at_once {
            // Not the limits of the clock: it is the person's, who does not pay for the search.
            let limits = Level::default().limits(self.game.position());
            let asked = Instant::now();
            let answer = self.search(limits, Progress::Depth)?;
            if let Some(clock) = &mut self.clock {
                clock.add(claimant, asked.elapsed());
            }
            if let Some(answer) = answer {
                self.answer_offer(!claimant, -answer.score)?;
            }
        }
        Ok(())
    }

    pub(super) fn wants_draw(&self, score: Score) -> bool {
        verdict::wants_draw(score, &self.engine.settings().opponent)
    }

    pub(super) fn answer_offer(&mut self, side: Color, score: Score) -> io::Result<()> {
        let (history, opponent) = (self.game.history(), &self.engine.settings().opponent);
        let earlier = self.scores.of(side);
        let acted = if verdict::accepts_draw(history, score, earlier, opponent) {
            self.game.accept_draw(side)
        } else {
            self.game.decline_draw(side)
        };
        self.report_events(acted)
    }
}
