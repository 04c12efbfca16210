//! Other games on the board: new ones, setups, files, and going through a game that was loaded.

use super::{NAME, Session};
use crate::board::Position;
use crate::game::Game;
use crate::game::pgn::{Note, PgnGame};
use crate::protocol::console::clock::Clock;
use crate::protocol::console::command::Sides;
use crate::protocol::console::file;
use crate::types::Color;
use std::io::{self, Write};

/// A game that takes the place of the one on the board.
pub(super) struct Replacement {
    pub(super) game: Game,
    /// The file that it is from.
    pub(super) loaded: Option<PgnGame>,
    pub(super) said: String,
}

impl<W: Write> Session<W> {
    /// Whether moves would be lost with the game on the board: it is not over, and they are in no file.
    fn is_under_way(&self) -> bool {
        let is_kept = self
            .kept
            .iter()
            .copied()
            .take(self.game.history().moves().len());
        let has_moves = self.game.history().moves().len() > 0;
        has_moves && self.game.outcome().is_none() && !is_kept.eq(self.game.history().moves())
    }

    /// Takes another game on the board; asks first if the one there would be lost.
    pub(super) fn offer_to_replace(&mut self, replacement: Replacement) -> io::Result<()> {
        if !self.is_under_way() {
            return self.replace(replacement);
        }
        self.pending = Some(replacement);
        self.say(&"A game is under way: type yes to leave it, or save it first.")
    }

    pub(super) fn replace(&mut self, replacement: Replacement) -> io::Result<()> {
        let Replacement { game, loaded, said } = replacement;
        self.engine.new_game();
        self.kept = Vec::new();
        if let Some(pgn) = &loaded {
            self.kept = pgn.history().moves().collect();
            self.people = Sides::Both;
        }
        self.loaded = loaded;
        self.game = game;
        self.opening = None;
        self.is_stale = true;
        let turn = self.turn();
        let clock = self.clock.as_ref();
        self.clock = clock.map(|clock| Clock::new(clock.pace, turn));
        self.say(&said)?;
        self.tell_outcome()
    }

    pub(super) fn set_up(&mut self, fen: &str) -> io::Result<()> {
        match Position::read(fen, None) {
            Ok((validated, mode)) => {
                if !validated.defects.is_empty() {
                    self.say(&format_args!("Note: {}.", validated.defects))?;
                }
                self.offer_to_replace(Replacement {
                    game: Game::new(validated.position, mode),
                    loaded: None,
                    said: "The position is set up.".to_owned(),
                })
            }
            Err(error) => self.say(&error),
        }
    }

    pub(super) fn save(&mut self, path: &str) -> io::Result<()> {
        let name = |color| match self.people.include(color) {
            true => "?",
            false => NAME,
        };
        let pgn = file::to_pgn(&self.game, self.loaded.as_ref(), Color::ALL.map(name));
        match file::save(&pgn, path) {
            Ok(()) => {
                self.kept = self.game.history().moves().collect();
                self.say(&format_args!("The game is in {path}."))
            }
            Err(error) => self.say(&error),
        }
    }

    /// Reads a game, in which people make all moves until they choose otherwise.
    pub(super) fn load(&mut self, path: &str) -> io::Result<()> {
        let read = match file::load(path) {
            Ok(loaded) => loaded,
            Err(error) => return self.say(&error),
        };
        for error in &read.errors {
            self.say(error)?;
        }
        let game = file::at(&read.game, usize::MAX);
        let tag = |name| read.game.tag(name).unwrap_or_default();
        let said = format!(
            "{} - {}, {}, {} half-moves. You make the moves of both sides; type play or go to change that, back or first to \
             go through the game.",
            tag("White"),
            tag("Black"),
            read.game.result(),
            game.history().moves().len()
        );
        let loaded = Some(read.game);
        self.offer_to_replace(Replacement { game, loaded, said })
    }

    /// Goes on or back in the game that was loaded, by so many half-moves, and shows what is said there.
    pub(super) fn go_through(&mut self, steps: isize) -> io::Result<()> {
        let Some(pgn) = &self.loaded else {
            return self.say(&"There is no game to go through: load one.");
        };
        let pairs = pgn.history().moves().zip(self.game.history().moves());
        let now = pairs
            .take_while(|(loaded, played)| loaded == played)
            .count();
        let wanted = now
            .saturating_add_signed(steps)
            .min(pgn.history().moves().len());
        let words = pgn.notes(wanted).iter().filter_map(|note| match note {
            Note::Comment(text) => Some(text.as_str()),
            Note::Glyph(_) | Note::Variation(_) => None,
        });
        let said = match (wanted == now, words.collect::<Vec<_>>().join(" ")) {
            (true, _) if steps < 0 => "This is the start of the game.".to_owned(),
            (true, _) => "This is the end of the game.".to_owned(),
            (false, text) if text.is_empty() => format!("After {wanted} half-moves."),
            (false, text) => text,
        };
        let (game, loaded) = (file::at(pgn, wanted), Some(pgn.clone()));
        self.offer_to_replace(Replacement { game, loaded, said })
    }
}
