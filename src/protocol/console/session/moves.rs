//! Moves of both players, and steps back and forth.

use super::search::Progress;
use super::{NAME, Session};
use crate::engine::verdict::Scores;
use crate::game::ActError;
use crate::game::draw::Claim;
use crate::game::san::{self, SanError};
use crate::protocol::console::casual;
use crate::protocol::console::clock::Clock;
use crate::protocol::console::command::Sides;
use crate::protocol::console::level::Level;
use crate::types::Move;
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
        casual::parse(self.game.position(), text)
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
                self.is_step = false;
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
        san::write_line(self.game.position(), &[mv])
    }

    /// Takes moves back until it is a person's turn. Without such a turn, the engine waits.
    pub(super) fn undo(&mut self) -> io::Result<()> {
        if self.game.reopen().is_none() {
            return self.print("No move to take back.");
        }
        while !self.human_sides.includes(self.turn()) && self.game.reopen().is_some() {}
        if !self.human_sides.includes(self.turn()) {
            self.wait()?;
        }
        self.moves_changed();
        Ok(())
    }

    /// Plays again the moves taken back, until it is a person's turn.
    pub(super) fn redo(&mut self) -> io::Result<()> {
        if self.game.redo().is_none() {
            return self.print("No move to play again.");
        }
        while !self.human_sides.includes(self.turn()) && self.game.redo().is_some() {}
        self.moves_changed();
        self.announce_outcome()
    }

    /// After a step back or forth: shows the board and starts the clock of the side to move.
    fn moves_changed(&mut self) {
        self.scores = Scores::default();
        self.needs_redraw = true;
        self.is_step = false;
        let turn = self.turn();
        if let Some(clock) = &mut self.clock {
            if clock.remaining(turn).is_zero() {
                *clock = Clock::new(clock.pace, turn);
            }
            clock.restart(turn);
        }
    }

    /// Lets people play both sides.
    fn wait(&mut self) -> io::Result<()> {
        self.human_sides = Sides::Both;
        self.print(&format_args!(
            "{NAME} does not move: you play both sides. Type go or play to change that."
        ))
    }

    pub(super) fn list_moves(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let mut moves: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|mv| san::write(position, mv))
            .collect();
        if moves.is_empty() {
            return self.print("There is no legal move.");
        }
        moves.sort();
        self.print_text(&moves.join(" "))
    }

    pub(super) fn hint(&mut self) -> io::Result<()> {
        if !self.game.position().has_legal_move() {
            return self.list_moves();
        }
        // Neither the level nor the clock of the person who asks limits the hint.
        let limits = Level::default().limits(self.game.position());
        let answer = self.search_fully(limits, Progress::Depth)?;
        match answer.and_then(|answer| answer.best) {
            Some(mv) => {
                let text = self.numbered(mv);
                self.print(&format_args!("A good move is {text}."))
            }
            None => Ok(()),
        }
    }

    /// Plays a turn of the engine: it answers a draw offer, then claims a draw or moves.
    fn play_engine_move(&mut self) -> io::Result<()> {
        let side = self.turn();
        let limits = self.limits();
        let Some(answer) = self.search(limits, Progress::Depth)? else {
            return self.wait();
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
