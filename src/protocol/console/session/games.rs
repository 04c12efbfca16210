//! Replaces the game: new games, setups, files, and steps through a loaded game.

use super::{NAME, Session};
use crate::board::Position;
use crate::engine::verdict::Scores;
use crate::game::Game;
use crate::game::pgn::{Note, PgnGame, printable};
use crate::protocol::console::clock::Clock;
use crate::protocol::console::command::Sides;
use crate::protocol::console::file;
use crate::protocol::unused_operations;
use crate::types::{CastlingMode, Color};
use std::io::{self, Write};

/// A game to replace the current one.
pub(super) struct Replacement {
    pub(super) game: Game,
    /// The loaded game that it is a part of.
    pub(super) loaded: Option<PgnGame>,
    /// Whether it is shown on the way through the loaded game.
    pub(super) is_step: bool,
    /// The message to print.
    pub(super) message: String,
}

impl<W: Write> Session<W> {
    /// Whether the current game has unsaved moves and is not over.
    pub(super) fn has_unsaved_moves(&self) -> bool {
        let saved = self
            .saved_moves
            .iter()
            .copied()
            .take(self.game.history().moves().len());
        let has_moves = self.game.history().moves().len() > 0;
        has_moves && self.game.outcome().is_none() && !saved.eq(self.game.history().moves())
    }

    /// Replaces the game. If moves would be lost, first waits for a confirmation.
    fn offer_to_replace(&mut self, replacement: Replacement) -> io::Result<()> {
        if !self.has_unsaved_moves() {
            return self.replace(replacement);
        }
        self.pending_replacement = Some(replacement);
        self.print(&"The game has unsaved moves: type yes to drop it, or save it first.")
    }

    pub(super) fn replace(&mut self, replacement: Replacement) -> io::Result<()> {
        let Replacement {
            game,
            loaded,
            is_step,
            mut message,
        } = replacement;
        self.engine.new_game();
        self.saved_moves = Vec::new();
        if let Some(pgn) = &loaded {
            self.saved_moves = pgn.history().moves().collect();
            if self.human_sides != Sides::Both {
                self.human_sides = Sides::Both;
                message.push_str(" You play both sides; type play or go to change that.");
            }
            // Nobody plays against the clock who reads a game.
            if self.clock.take().is_some() {
                message.push_str(" The game has no clocks.");
            }
        }
        self.loaded = loaded;
        self.is_step = is_step;
        self.game = game;
        self.scores = Scores::default();
        self.opening = None;
        self.needs_redraw = true;
        let turn = self.turn();
        let clock = self.clock.as_ref();
        self.clock = clock.map(|clock| Clock::new(clock.pace, turn));
        self.print_text(&message)?;
        self.announce_outcome()
    }

    pub(super) fn set_up(&mut self, fen: &str) -> io::Result<()> {
        match Position::from_epd_repaired(fen, None) {
            Ok((validated, operations)) => {
                if let Some(remark) = unused_operations(&operations) {
                    self.print(&format_args!("Note: {remark}"))?;
                }
                if !validated.defects.is_empty() {
                    self.print(&format_args!("Note: {}.", validated.defects))?;
                }
                self.offer_to_replace(Replacement {
                    game: Game::new(validated.position, validated.mode),
                    loaded: None,
                    is_step: false,
                    message: "The position is set up.".to_owned(),
                })
            }
            Err(error) => self.print(&error),
        }
    }

    /// The game as PGN: all of it, if only a part is shown.
    fn to_pgn(&self) -> PgnGame {
        if let Some(whole) = &self.loaded
            && self.is_step
            && self.game.outcome().is_none()
        {
            return whole.clone();
        }
        let name = |color| {
            if self.human_sides.includes(color) {
                "?"
            } else {
                NAME
            }
        };
        file::to_pgn(&self.game, self.loaded.as_ref(), Color::ALL.map(name))
    }

    pub(super) fn save(&mut self, path: &str, replaces: bool) -> io::Result<()> {
        let pgn = self.to_pgn();
        match file::save(&pgn, path, replaces) {
            Ok(()) => {
                self.saved_moves = pgn.history().moves().collect();
                self.print(&format_args!("The game is saved in {path}."))
            }
            Err(error) => self.print(&error),
        }
    }

    /// Begins a new game, with a number one of Chess960.
    pub(super) fn new_game(&mut self, number: Option<u32>) -> io::Result<()> {
        let start = number.and_then(|number| Some((number, Position::chess960(number)?)));
        let (game, mut message) = match start {
            None => (Game::default(), "A new game begins.".to_owned()),
            Some((number, position)) => (
                Game::new(position, CastlingMode::Chess960),
                format!("A new game of Chess960 begins from position {number}."),
            ),
        };
        if self.human_sides == Sides::Both {
            message.push_str(" You play both sides. Type go or play to change that.");
        }
        self.offer_to_replace(Replacement {
            game,
            loaded: None,
            is_step: false,
            message,
        })
    }

    /// Loads the game with this number. People then play both sides.
    pub(super) fn load(&mut self, path: &str, number: usize) -> io::Result<()> {
        let (read, games) = match file::load(path, number) {
            Ok(loaded) => loaded,
            Err(error) => return self.print(&error),
        };
        for error in &read.errors {
            self.print(error)?;
        }
        let game = file::game_after(&read.game, usize::MAX);
        let tag = |name| printable(&read.game.tag(name).unwrap_or_default());
        let which = match games {
            1 => String::new(),
            _ => format!("Game {number} of {games}: "),
        };
        let plies = game.history().moves().len();
        let message = format!(
            "{which}{} - {}, {}, {}. Type back or first to go through the game.",
            tag("White"),
            tag("Black"),
            read.game.result(),
            half_moves(plies)
        );
        let loaded = Some(read.game);
        self.offer_to_replace(Replacement {
            game,
            loaded,
            is_step: false,
            message,
        })
    }

    /// Goes through the loaded or the finished game by `steps` half-moves, negative for back, and
    /// prints the comments there.
    pub(super) fn step_through(&mut self, steps: isize) -> io::Result<()> {
        let plies = self.game.history().moves().len();
        let common = |pgn: &PgnGame| {
            let pairs = pgn.history().moves().zip(self.game.history().moves());
            pairs
                .take_while(|(loaded, played)| loaded == played)
                .count()
        };
        let is_part = |pgn: &&PgnGame| common(pgn) == plies;
        let pgn = match self.game.outcome() {
            Some(_) if self.loaded.as_ref().filter(is_part).is_none() => Some(self.to_pgn()),
            _ => self.loaded.clone(),
        };
        let Some(pgn) = pgn else {
            return self.print("No game is loaded: type load and a file name.");
        };
        let current = common(&pgn);
        let target = current
            .saturating_add_signed(steps)
            .min(pgn.history().moves().len());
        let comments = pgn.notes(target).iter().filter_map(|note| match note {
            Note::Comment(text) => Some(text.as_str()),
            Note::Glyph(_) | Note::Variation(_) => None,
        });
        let message = match comments.collect::<Vec<_>>().join(" ") {
            _ if target == current && steps < 0 => "This is the start of the game.".to_owned(),
            _ if target == current => "This is the end of the game.".to_owned(),
            text if text.is_empty() => format!("After {}.", half_moves(target)),
            text => printable(&text),
        };
        let (game, loaded) = (file::game_after(&pgn, target), Some(pgn));
        self.offer_to_replace(Replacement {
            game,
            loaded,
            is_step: true,
            message,
        })
    }
}

fn half_moves(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} half-move{plural}")
}
