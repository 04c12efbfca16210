//! Portable Game Notation (Edwards, *PGN Standard*, 1994): whole games as text.
//!
//! [`Reader`] takes a stream of any length and gives one game after another; a fault in one game does not touch its
//! neighbours. The `Display` of a [`PgnGame`] is the export format. What is written reads back equal.
//!
//! Kept are the tags, the moves of the game itself and its result. Comments, glyphs and variations are skipped.

mod fault;
mod lexer;
mod reader;
mod writer;

pub use fault::{PgnError, PgnFault};
pub use reader::{ReadGame, Reader};

use super::{Game, GameResult, History, Outcome, Win};
use crate::board::Position;
use crate::types::CastlingMode;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The tags that every game has, in their order (PGN standard, 8.1.1), with the value for "not known".
/// The seventh, `Result`, follows from the game.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

const RESULT: &str = "Result";
const SET_UP: &str = "SetUp";
const FEN: &str = "FEN";
const VARIANT: &str = "Variant";
const TERMINATION: &str = "Termination";

/// A game with its tags.
///
/// ```
/// use tabiya::game::{GameResult, pgn};
/// let text = "[White \"Tabiya\"]\n\n1. e4 {best by test} e5 2. Nf3 (2. f4) Nc6 1/2-1/2\n";
/// let read = pgn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
/// assert!(read.errors.is_empty());
/// assert_eq!(read.game.tag("White").unwrap(), "Tabiya");
/// assert_eq!(read.game.result(), GameResult::Drawn);
/// assert!(read.game.to_string().ends_with("1. e4 e5 2. Nf3 Nc6 1/2-1/2\n"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnGame {
    history: History,
    mode: CastlingMode,
    result: GameResult,
    /// All tags but those that follow from the other fields.
    tags: BTreeMap<String, String>,
}

/// Why a tag cannot be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TagError {
    /// The name is empty, or has a blank, a quote or a bracket.
    Name(String),
    /// The value has a control character, such as the end of a line.
    Value(String),
    /// The tag follows from the game.
    Derived(String),
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "'{name}' cannot be the name of a tag"),
            Self::Value(name) => write!(f, "the value of tag {name} has a control character"),
            Self::Derived(name) => write!(f, "the value of tag {name} follows from the game"),
        }
    }
}

impl std::error::Error for TagError {}

impl PgnGame {
    /// The moves of a game, its result, and tags that say nothing yet.
    pub fn new(history: History, mode: CastlingMode, result: GameResult) -> Self {
        let tags = ROSTER
            .into_iter()
            .map(|(name, unknown)| (name.to_owned(), unknown.to_owned()))
            .collect();
        Self {
            history,
            mode,
            result,
            tags,
        }
    }

    /// A game as it was played, with how it ended in the `Termination` tag (PGN standard, 9.8.1).
    pub fn from_game(game: &Game) -> Self {
        let mut pgn = Self::new(game.history().clone(), game.mode(), game.result());
        let termination = match game.outcome() {
            None => "unterminated",
            Some(Outcome::Won { by: Win::Time, .. }) => "time forfeit",
            Some(_) => "normal",
        };
        pgn.tags
            .insert(TERMINATION.to_owned(), termination.to_owned());
        pgn
    }

    /// The moves and positions.
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// Whether it is a game of Chess960.
    pub const fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// How it ended.
    pub const fn result(&self) -> GameResult {
        self.result
    }

    /// Sets a tag.
    ///
    /// # Errors
    /// If it cannot be written, or follows from the game: `Result`, `SetUp`, `FEN`, `Variant`.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        let is_bad = |letter: char| letter.is_whitespace() || "\"[]".contains(letter);
        if name.is_empty() || name.contains(is_bad) {
            return Err(TagError::Name(name.to_owned()));
        }
        if is_derived(name) {
            return Err(TagError::Derived(name.to_owned()));
        }
        if value.contains(char::is_control) {
            return Err(TagError::Value(name.to_owned()));
        }
        self.tags.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<Cow<'_, str>> {
        match self.tags.get(name) {
            Some(value) => Some(value.into()),
            None => {
                let mut derived = self.derived_tags().into_iter();
                derived.find_map(|(found, value)| (found == name).then_some(value))
            }
        }
    }

    /// All tags in the order of the export format: the roster, then the others by name (PGN standard, 8.1.1, 8.1.2).
    pub fn tags(&self) -> Vec<(&str, Cow<'_, str>)> {
        let is_roster = |name: &str| ROSTER.iter().any(|&(known, _)| known == name);
        let get = |name: &'static str| Some((name, self.tags.get(name)?.into()));
        let mut tags: Vec<_> = ROSTER.iter().filter_map(|&(name, _)| get(name)).collect();
        let (mut others, result): (Vec<_>, Vec<_>) = self
            .derived_tags()
            .into_iter()
            .partition(|&(name, _)| name != RESULT);
        tags.extend(result);
        let own = self.tags.iter().filter(|(name, _)| !is_roster(name));
        others.extend(own.map(|(name, value)| (name.as_str(), value.into())));
        others.sort();
        tags.extend(others);
        tags
    }

    /// The tags that say what the fields say.
    fn derived_tags(&self) -> Vec<(&'static str, Cow<'_, str>)> {
        let mut tags = vec![(RESULT, self.result.token().into())];
        let is_chess960 = self.mode == CastlingMode::Chess960;
        if is_chess960 || *self.history.start() != Position::start() {
            tags.push((SET_UP, "1".into()));
            tags.push((FEN, self.history.start().to_string().into()));
        }
        if is_chess960 {
            tags.push((VARIANT, "Chess960".into()));
        }
        tags
    }
}

fn is_derived(name: &str) -> bool {
    [RESULT, SET_UP, FEN, VARIANT].contains(&name)
}
