//! Moves of both players, and steps back and forth.

use super::search::Progress;
use super::{NAME, Session};
use crate::engine::verdict::Scores;
use crate::game::draw::Claim;
use crate::game::san::{self, SanError};
use crate::game::{ActError, Game};
use crate::protocol::console::command::Sides;
use crate::types::{Color, Move};
use std::io::{self, Write};

impl<W: Write> Session<W> {
    /// Plays for the engine until it is a person's turn or the game is over.
    pub(in crate::protocol::console) fn play_engine_moves(&mut self) -> io::Result<()> {
        while self.game.outcome().is_none() && !self.human_sides.includes(self.turn()) {
            self.play_engine_move()?;
        }
        Ok(())
    }

    /// Parses and plays a move.
    pub(super) fn play_text(&mut self, text: &str) -> io::Result<()> {
        match self.parse_move(text) {
            Ok(mv) => self.play(mv),
            Err(SanError::MissingPromotion(text)) if self.game.outcome().is_none() => {
                self.unfinished_promotion = Some(text);
                Ok(())
            }
            Err(SanError::Syntax(text)) => self.print(&format_args!(
                "'{text}' is neither a move nor a command: type help."
            )),
            Err(error) => match self.game.outcome() {
                Some(outcome) => self.print(&ActError::Over(outcome)),
                None => self.print(&format_args!(
                    "{error}: type moves to list the legal moves."
                )),
            },
        }
    }

    pub(super) fn parse_move(&self, text: &str) -> Result<Move, SanError> {
        san::parse(self.game.position(), text)
    }

    pub(super) fn play(&mut self, mv: Move) -> io::Result<()> {
        let text = self.numbered(mv);
        let (turn, by_engine) = (self.turn(), !self.human_sides.includes(self.turn()));
        if self.is_time_over() {
            let acted = self.game.overstep_time(turn);
            return self.report_events(acted);
        }
        match self.game.play(mv) {
            Ok(events) => {
                self.needs_redraw = true;
                if let Some(clock) = &mut self.clock {
                    clock.press(turn);
                }
                let player = if by_engine { NAME } else { "You" };
                self.print(&format_args!("{player} played {text}."))?;
                self.report_events(Ok(events))
            }
            refused => self.report_events(refused),
        }
    }

    /// The move in SAN with its number.
    pub(super) fn numbered(&self, mv: Move) -> String {
        let position = self.game.position();
        let dots = match position.side_to_move() {
            Color::White => ".",
            Color::Black => "...",
        };
        let number = position.fullmove_number();
        format!("{number}{dots} {}", san::write(position, mv))
    }

    /// Undoes or redoes moves until it is a person's turn. `action` describes the step.
    pub(super) fn step(
        &mut self,
        step: fn(&mut Game) -> Option<Move>,
        action: &str,
    ) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.print(&ActError::Over(outcome));
        }
        if step(&mut self.game).is_none() {
            return self.print(&format_args!("No move to {action}."));
        }
        while !self.human_sides.includes(self.turn()) && step(&mut self.game).is_some() {}
        self.scores = Scores::default();
        self.needs_redraw = true;
        if let Some(clock) = &mut self.clock {
            clock.restart(self.game.position().side_to_move());
        }
        Ok(())
    }

    pub(super) fn list_moves(&mut self) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.print(&ActError::Over(outcome));
        }
        let position = self.game.position();
        let mut moves: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|mv| san::write(position, mv))
            .collect();
        moves.sort();
        self.print(&moves.join(" "))
    }

    pub(super) fn hint(&mut self) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.print(&ActError::Over(outcome));
        }
        let limits = self.limits();
        let answer = self.search(limits, Progress::Depth)?;
        match answer.and_then(|answer| answer.best) {
            Some(mv) => {
                let text = self.numbered(mv);
                self.print(&format_args!("{NAME} would play {text}."))
            }
            None => Ok(()),
        }
    }

    /// Plays a turn of the engine: it answers a draw offer, then claims a draw or moves.
    pub(super) fn play_engine_move(&mut self) -> io::Result<()> {
        let side = self.turn();
        let limits = self.limits();
        let Some(answer) = self.search(limits, Progress::Depth)? else {
            self.human_sides = Sides::Both;
            return self.print(&format_args!(
                "{NAME} does not move: you play both sides. Type go or play to change that."
            ));
        };
        let Some(best) = answer.best else {
            return Err(io::Error::other("the search found no move"));
        };
        if self.game.offer() == Some(!side) {
            self.answer_offer(side, answer.score)?;
        }
        self.scores.record(side, answer.score);
        if self.game.outcome().is_some() {
            return Ok(());
        }
        let claimed_with = [None, Some(best)]
            .into_iter()
            .find(|&intended| Claim::find(self.game.history(), intended).is_some());
        match claimed_with {
            Some(intended) if self.wants_draw(answer.score) => {
                let acted = self.game.claim_draw(intended);
                self.report_events(acted)
            }
            _ => self.play(best),
        }
    }
}
