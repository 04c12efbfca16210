//! Reports the events of a game and shows the board.

use super::Session;
use crate::game::{ActError, GameEvent, opening, san};
use crate::protocol::console::command::Sides;
use crate::protocol::console::view;
use crate::types::Color;
use std::fmt::Display;
use std::io::{self, Write};

impl<W: Write> Session<W> {
    /// If the board has changed, shows it, with the opening, possible claims and a draw offer.
    pub(in crate::protocol::console) fn show_changes(&mut self) -> io::Result<()> {
        if !self.needs_redraw {
            return self.output.flush();
        }
        self.show_board()?;
        self.announce_opening()?;
        if self.game.outcome().is_none() {
            for event in self.game.available_claims() {
                self.announce_claim(&event)?;
            }
            if self.game.offer() == Some(!self.turn()) {
                self.print(&"A draw is offered: type accept or decline, or move.")?;
            }
        }
        self.output.flush()
    }

    /// Prints the events of an action, or the error.
    pub(super) fn report_events(
        &mut self,
        acted: Result<Vec<GameEvent>, ActError>,
    ) -> io::Result<()> {
        match acted {
            Ok(events) => events.iter().try_for_each(|event| self.report_event(event)),
            Err(error) => self.print(&error),
        }
    }

    fn report_event(&mut self, event: &GameEvent) -> io::Result<()> {
        match event {
            GameEvent::DrawOffered(color) => self.print(&format_args!("{color} offers a draw.")),
            GameEvent::DrawDeclined(color) => {
                self.print(&format_args!("{color} declines the draw."))
            }
            GameEvent::DrawClaimed(color, claim) => {
                self.print(&format_args!("{color} claims a draw by {claim}."))
            }
            GameEvent::ClaimRefused(color, counts) => {
                self.print(&format_args!("{color} cannot claim a draw: {counts}."))
            }
            GameEvent::GameOver(_) => self.announce_outcome(),
            // The board, the announcements with it, or the outcome show the other events.
            GameEvent::Moved(..)
            | GameEvent::Captured(..)
            | GameEvent::Castled(_)
            | GameEvent::Promoted(_)
            | GameEvent::Check
            | GameEvent::ClaimAvailable(_)
            | GameEvent::ClaimAvailableWith(..)
            | GameEvent::DrawAgreed => Ok(()),
        }
    }

    pub(super) fn announce_outcome(&mut self) -> io::Result<()> {
        match self.game.outcome() {
            Some(outcome) => self.print(&format_args!(
                "{outcome}. {} Type new for another game.",
                outcome.result()
            )),
            None => Ok(()),
        }
    }

    fn announce_claim(&mut self, event: &GameEvent) -> io::Result<()> {
        match event {
            GameEvent::ClaimAvailable(claim) => {
                self.print(&format_args!("A draw by {claim} can be claimed: type draw"))
            }
            GameEvent::ClaimAvailableWith(claim, moves) => {
                let position = self.game.position();
                let texts: Vec<_> = moves.iter().map(|&mv| san::write(position, mv)).collect();
                self.print(&format_args!(
                    "A draw by {claim} can be claimed with a move: type draw and one of {}",
                    texts.join(" ")
                ))
            }
            _ => Ok(()),
        }
    }

    /// Prints the name of the opening when it changes.
    fn announce_opening(&mut self) -> io::Result<()> {
        let opening = opening::name(self.game.history());
        if opening == self.opening {
            return Ok(());
        }
        self.opening = opening;
        match opening {
            Some(name) => self.print(&format_args!("Opening: {name}.")),
            None => Ok(()),
        }
    }

    fn show_board(&mut self) -> io::Result<()> {
        self.needs_redraw = false;
        let usual = match self.human_sides {
            Sides::Only(color) => color,
            Sides::Both | Sides::Neither => Color::White,
        };
        let side = if self.is_flipped { !usual } else { usual };
        let last = self.game.history().moves().next_back();
        let last = last.filter(|mv| !mv.is_null());
        let position = *self.game.position();
        let board = view::board(&position, last, side, self.style);
        writeln!(self.output, "\n{board}")?;
        if self.game.outcome().is_none() {
            let check = if position.in_check() {
                ", in check"
            } else {
                ""
            };
            let turn = self.turn();
            self.print(&format_args!("{turn} is to move{check}."))?;
        }
        Ok(())
    }

    /// Prints a sentence: a capital letter at its start, a full stop at its end, and no long line.
    pub(super) fn print<T: Display + ?Sized>(&mut self, text: &T) -> io::Result<()> {
        self.print_text(&sentence(&text.to_string()))
    }

    /// Prints a text without long lines.
    pub(super) fn print_text<T: Display + ?Sized>(&mut self, text: &T) -> io::Result<()> {
        writeln!(
            self.output,
            "{}",
            view::wrapped(&text.to_string(), 0, self.width)
        )
    }
}

/// The text with a capital letter and a full stop. A first word such as `e4` or `game.pgn` is a
/// name and stays.
fn sentence(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    let is_name = first.is_empty() || !first.chars().all(|letter| letter.is_ascii_lowercase());
    let mut letters = text.chars();
    let mut sentence: String = match letters.next() {
        Some(letter) if !is_name => letter.to_uppercase().chain(letters).collect(),
        _ => text.to_owned(),
    };
    if !sentence.ends_with(['.', '?', '!']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn messages_are_sentences() {
        for (text, expected) in [
            ("the game is over: drawn", "The game is over: drawn."),
            ("bad FEN: no board", "Bad FEN: no board."),
            ("e5 is not legal", "e5 is not legal."),
            ("game.pgn is empty", "game.pgn is empty."),
            ("Done.", "Done."),
        ] {
            assert_eq!(sentence(text), expected);
        }
    }
}
