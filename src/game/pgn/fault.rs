//! What can be wrong with a text of games.

use crate::board::{Defects, ParsePositionError};
use crate::game::GameResult;
use crate::game::san::SanError;
use std::fmt;

/// What is wrong with a text of games, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnError {
    /// The number of the game, from 1.
    pub game: usize,
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: PgnFault,
}

/// What can be wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PgnFault {
    /// A bracket does not begin a tag.
    Tag(String),
    /// A tag is there twice; the first counts.
    Twice(String),
    /// A variant of chess that is not played here.
    Variant(String),
    /// The start position cannot be played.
    Setup(ParsePositionError),
    /// The start position could be played only once it was repaired.
    Repaired(Defects),
    /// A move cannot be played; it and the moves after it are left out.
    Move(SanError),
    /// A sign has no business here.
    Stray(char),
    /// `<…>` is kept for later by the standard (PGN standard, 7), and passed over.
    Reserved(String),
    /// A move is not written as the standard writes it, and was understood all the same.
    Unusual(String),
    /// The game is said to have another result than the mate or stalemate on the board.
    Board(GameResult, GameResult),
    /// A comment is never closed.
    OpenComment,
    /// A variation is never closed.
    OpenVariation,
    /// The tag and the end of the moves give two results; the tag counts.
    Results(GameResult, GameResult),
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, line, fault } = self;
        write!(f, "game {game}, line {line}: {fault}")
    }
}

impl std::error::Error for PgnError {}

impl fmt::Display for PgnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(text) => write!(f, "{text} is not a tag such as [White \"Name\"]"),
            Self::Twice(name) => write!(f, "the tag {name} is there twice"),
            Self::Variant(name) => write!(f, "the variant '{name}' is not known"),
            Self::Setup(error) => error.fmt(f),
            Self::Repaired(defects) => write!(f, "the start position was repaired: {defects}"),
            Self::Move(error) => error.fmt(f),
            Self::Stray(sign) => write!(f, "'{sign}' has no business here"),
            Self::Reserved(text) => write!(f, "'{text}' means nothing"),
            Self::Unusual(text) => write!(f, "'{text}' is not how a move is written"),
            Self::Board(said, board) => {
                write!(f, "the game is said to end {said}, the board says {board}")
            }
            Self::OpenComment => write!(f, "a comment is never closed"),
            Self::OpenVariation => write!(f, "a variation is never closed"),
            Self::Results(tag, end) => write!(f, "the tag says {tag}, the end of the moves {end}"),
        }
    }
}
