//! Portable Game Notation (Edwards, *PGN Standard*, 1994): whole games as text.
//!
//! [`Reader`] reads a stream of any length and returns one game at a time. An error in one game
//! does not affect the others. The `Display` of a [`PgnGame`] is the export format, which reads
//! back equal.
//!
//! A game keeps its tags, its moves and result, and [`Note`]s next to the moves: comments, glyphs,
//! and variations as text. A [`GameTree`] has the moves of the variations too.

mod error;
mod lexer;
mod note;
mod reader;
mod result;
mod tag;
mod text;
mod tree;
mod word;
mod writer;

pub use error::{PgnError, PgnErrorKind};
pub use note::{Note, printable};
pub use reader::{ReadGame, Reader};
pub use tree::{GameTree, NodeId, TreeError};

use super::{Game, GameResult, History, Outcome, Win};
use crate::board::Position;
use crate::types::CastlingMode;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use text::is_tag_name;

/// The mandatory tags in their order (PGN standard, 8.1.1), with the value for "unknown".
///
/// The seventh, `Result`, is derived from the game.
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
const PLY_COUNT: &str = "PlyCount";

/// A game with its tags.
///
/// ```
/// use tabiya::game::{GameResult, pgn};
/// let text = "[White \"Tabiya\"]\n\n1. e4 {best by test} e5 2. Nf3 (2. f4) Nc6 1/2-1/2\n";
/// let read = pgn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
/// assert!(read.errors.is_empty());
/// assert_eq!(read.game.tag("White").unwrap(), "Tabiya");
/// assert_eq!(read.game.result(), GameResult::Drawn);
/// let moves = "1. e4 {best by test} 1... e5 2. Nf3 (2. f4) 2... Nc6 1/2-1/2\n";
/// assert!(read.game.to_string().ends_with(moves));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnGame {
    history: History,
    mode: CastlingMode,
    result: GameResult,
    /// The game, if it cannot be played here.
    foreign: Option<Foreign>,
    /// All tags except the derived ones.
    tags: BTreeMap<String, String>,
    /// The notes by the number of moves before them.
    notes: BTreeMap<usize, Vec<Note>>,
    /// The glyphs among the notes, with the number of moves before them.
    glyphs: BTreeSet<(usize, u8)>,
}

/// What is kept of a game of another variant, or from a position that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Foreign {
    /// The `Variant` tag.
    variant: Option<String>,
    /// The `FEN` tag.
    fen: Option<String>,
    /// The text between the tags and the result, with single blanks.
    movetext: String,
}

/// Why a tag cannot be set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TagError {
    /// The name is empty, begins with `%` as commands in comments do, or contains white space, an
    /// invisible character, a quote or a bracket.
    Name(String),
    /// The value contains a control character, such as a line break.
    Value(String),
    /// The tag is derived from the game.
    Derived(String),
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(
                f,
                "'{name}' cannot be the name of a tag: use letters, digits and underscores"
            ),
            Self::Value(name) => write!(f, "the value of tag {name} has a control character"),
            Self::Derived(name) => write!(f, "the value of tag {name} follows from the game"),
        }
    }
}

impl std::error::Error for TagError {}

impl PgnGame {
    /// A game with these moves and this result, without moves taken back. The tags have their
    /// values for "unknown".
    pub fn new(mut history: History, mode: CastlingMode, result: GameResult) -> Self {
        history.forget_undone();
        let tags = ROSTER
            .into_iter()
            .map(|(name, unknown)| (name.to_owned(), unknown.to_owned()))
            .collect();
        Self {
            history,
            mode,
            result,
            foreign: None,
            tags,
            notes: BTreeMap::new(),
            glyphs: BTreeSet::new(),
        }
    }

    /// Converts a played game. The `Termination` tag (PGN standard, 9.8.1) gives the kind of its
    /// end.
    pub fn from_game(game: &Game) -> Self {
        let mut pgn = Self::new(game.history().clone(), game.mode(), game.result());
        let termination = termination(game.outcome());
        pgn.tags
            .insert(TERMINATION.to_owned(), termination.to_owned());
        pgn
    }

    /// The notes after the first `plies` moves, in order. With `plies` 0, the notes before the
    /// first move.
    pub fn notes(&self, plies: usize) -> &[Note] {
        self.notes.get(&plies).map_or(&[], Vec::as_slice)
    }

    /// Adds a note after the first `plies` moves. A note without text is dropped, and so is a glyph
    /// that is there already. A comment after a comment becomes one with it where neither changes
    /// its meaning, because some programs read only one. If the game has fewer moves, the note is
    /// not written.
    pub fn add_note(&mut self, plies: usize, note: Note) {
        let Some(note) = note.tidy() else {
            return;
        };
        if let Note::Glyph(number) = note
            && !self.glyphs.insert((plies, number))
        {
            return;
        }
        note::push(self.notes.entry(plies).or_default(), note);
    }

    /// Drops the notes after the first `plies` moves for which `keep` returns `false`.
    pub fn retain_notes(&mut self, plies: usize, mut keep: impl FnMut(&Note) -> bool) {
        if let Some(notes) = self.notes.get_mut(&plies) {
            for note in std::mem::take(notes) {
                if keep(&note) {
                    note::push(notes, note);
                } else if let Note::Glyph(number) = note {
                    self.glyphs.remove(&(plies, number));
                }
            }
            if notes.is_empty() {
                self.notes.remove(&plies);
            }
        }
    }

    /// The tags and notes of this game for `game`, which continues it or branches off it.
    ///
    /// Tags are kept, and notes as far as the moves are the same.
    #[must_use]
    pub fn continued(&self, game: &Game) -> Self {
        if self.is_foreign() && *game.history() == self.history {
            return self.clone();
        }
        let mut pgn = Self::from_game(game);
        let own = self.tags.iter().filter(|(name, _)| *name != TERMINATION);
        pgn.tags
            .extend(own.map(|(name, value)| (name.clone(), value.clone())));
        let is_same_start = self.history.start() == game.history().start();
        let pairs = self.history.moves().zip(game.history().moves());
        let common = pairs.take_while(|(ours, theirs)| ours == theirs).count();
        if is_same_start {
            for (&plies, notes) in self.notes.range(..=common) {
                for note in notes {
                    pgn.add_note(plies, note.clone());
                }
            }
        }
        // The board does not show how an unchanged, unfinished game ended, so its recorded result
        // is kept.
        let is_unchanged = is_same_start
            && common == self.history.moves().len()
            && common == game.history().moves().len();
        if is_unchanged && game.outcome().is_none() {
            pgn.result = self.result;
            match self.tags.get(TERMINATION) {
                Some(value) => pgn.tags.insert(TERMINATION.to_owned(), value.clone()),
                None => pgn.tags.remove(TERMINATION),
            };
        }
        if !is_unchanged {
            pgn.tags.remove(PLY_COUNT);
        }
        pgn
    }

    /// Whether the game says nothing: no moves, notes or result, the standard start position, and
    /// no tag but those of the Seven Tag Roster, with their values for "unknown".
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.has_no_moves_or_tags() && self.notes.is_empty() && self.result == GameResult::Unknown
    }

    /// Whether the game has no moves or tags of its own, and starts as all do.
    fn has_no_moves_or_tags(&self) -> bool {
        let is_unknown = |(name, value): (&String, &String)| {
            let known = ROSTER.iter().find(|(known, _)| known == name);
            known.is_some_and(|(_, unknown)| unknown == value)
        };
        let has_moves = self.history.moves().len() > 0;
        !has_moves
            && !self.is_foreign()
            && *self.history.start() == Position::start()
            && self.tags.iter().all(is_unknown)
    }

    /// Makes this a game that cannot be played here. Text that would not read back alone, such as
    /// an unclosed variation, is kept as a comment.
    fn set_foreign(&mut self, mut foreign: Foreign) {
        let text = note::tidy_text(&foreign.movetext).unwrap_or_default();
        // At the start of a line, a percent sign would hide the rest of it. Only there the first
        // word stands.
        let text = text.trim_start_matches(['%', ' ']).to_owned();
        foreign.movetext = if note::is_complete(&text) {
            text
        } else {
            format!("{{{}}}", text.replace('{', "(").replace('}', ")"))
        };
        self.foreign = Some(foreign);
    }

    /// Whether the game is of a variant, or from a position, that is not played here. It has no
    /// moves; its tags and text are kept and written as they were.
    pub const fn is_foreign(&self) -> bool {
        self.foreign.is_some()
    }

    /// The moves and positions.
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// The castling mode, which is also the variant.
    pub const fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The result.
    pub const fn result(&self) -> GameResult {
        self.result
    }

    /// Sets the result, such as that of a forfeit or an adjudication. The tag `Termination` was
    /// about another one and goes.
    pub fn set_result(&mut self, result: GameResult) {
        if result != self.result {
            self.tags.remove(TERMINATION);
        }
        self.result = result;
    }

    /// Sets a tag.
    ///
    /// # Errors
    /// If the tag cannot be written, or is derived from the game: `Result`, `SetUp`, `FEN`,
    /// `Variant`.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if !is_tag_name(name) {
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

    /// All tags in the order of the export format: the mandatory tags, then the others by name (PGN
    /// standard, 8.1.1, 8.1.2).
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

    /// The tags that follow from the other fields.
    fn derived_tags(&self) -> Vec<(&'static str, Cow<'_, str>)> {
        let mut tags = vec![(RESULT, self.result.token().into())];
        if let Some(foreign) = &self.foreign {
            if let Some(fen) = &foreign.fen {
                tags.push((SET_UP, "1".into()));
                tags.push((FEN, fen.into()));
            }
            tags.extend(foreign.variant.as_ref().map(|name| (VARIANT, name.into())));
            return tags;
        }
        let is_chess960 = self.mode == CastlingMode::Chess960;
        if is_chess960 || *self.history.start() != Position::start() {
            tags.push((SET_UP, "1".into()));
            tags.push((FEN, self.history.start().to_fen(self.mode).into()));
        }
        if is_chess960 {
            tags.push((VARIANT, "Chess960".into()));
        }
        tags
    }
}

impl ReadGame {
    /// Whether there was no game to read: it is [blank](PgnGame::is_blank), or the text without
    /// tags, moves and result is not a game, although it is kept as a comment.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        let is_text = !self.errors.is_empty()
            && self.game.has_no_moves_or_tags()
            && self.game.result == GameResult::Unknown;
        is_text || self.game.is_blank()
    }
}

/// The value of the tag `Termination`.
const fn termination(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "unterminated",
        Some(Outcome::Won { by: Win::Time, .. }) => "time forfeit",
        Some(_) => "normal",
    }
}

fn is_derived(name: &str) -> bool {
    [RESULT, SET_UP, FEN, VARIANT].contains(&name)
}
