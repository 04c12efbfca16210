//! Errors in PGN text.

use super::note::printable;
use crate::board::{Defects, ParsePositionError};
use crate::game::GameResult;
use crate::game::san::SanError;
use std::fmt;

/// An error in PGN text and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnError {
    /// The number of the game, from 1.
    pub game: usize,
    /// The number of the line, from 1.
    pub line: usize,
    /// The error.
    pub kind: PgnErrorKind,
}

/// The kinds of errors in PGN text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// A bracket does not start a tag.
    Tag(String),
    /// The same among the moves; the rest of the game is kept as a comment.
    Bracket(String),
    /// A tag occurs twice; the first counts.
    DuplicateTag(String),
    /// A variant of chess that is not played here.
    Variant(String),
    /// The start position cannot be played.
    Setup(ParsePositionError),
    /// The start position was repaired.
    Repaired(Defects),
    /// A null move, which chess does not have; the game goes on after it.
    NullMove(String),
    /// The `Result` tag is not a result of PGN; it is kept as a comment.
    Result(String),
    /// A move cannot be played; the rest of the game is kept as a comment.
    Move(SanError),
    /// `)`, `}` or `]` that closes nothing. After the last two, the rest of the game is kept as a
    /// comment.
    Unexpected(char),
    /// `<…>`, which is reserved (PGN standard, 7) and skipped.
    Reserved(String),
    /// A move in non-standard notation, which was understood, or a sign that was skipped.
    NonStandard(String),
    /// The recorded result differs from the mate or stalemate on the board.
    BoardMismatch(GameResult, GameResult),
    /// A comment is not closed; the rest of the game is kept in one.
    OpenComment,
    /// A variation is not closed; the rest of the game is kept as a comment.
    OpenVariation,
    /// The `Result` tag and the termination marker differ; the tag counts, unless it is `*`.
    ResultMismatch(GameResult, GameResult),
    /// A second result follows the first, which counts, unless it is `*`.
    TwoResults(GameResult, GameResult),
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, line, kind } = self;
        let kind = printable(&kind.to_string());
        write!(f, "game {game}, line {line}: {kind}")
    }
}

impl std::error::Error for PgnError {}

impl fmt::Display for PgnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(text) => write!(f, "{text} is not a tag such as [White \"Name\"]"),
            Self::Bracket(text) => {
                write!(
                    f,
                    "'{text}' is not a move; the rest of the game is kept as a comment"
                )
            }
            Self::DuplicateTag(name) => write!(f, "the tag {name} occurs twice; the first counts"),
            Self::Variant(name) => {
                write!(
                    f,
                    "variant '{name}' is not played here; the game is kept as it is"
                )
            }
            Self::Setup(error) => error.fmt(f),
            Self::Repaired(defects) => write!(f, "the start position was repaired: {defects}"),
            Self::NullMove(text) => {
                write!(f, "'{text}' is a null move, which is not legal in chess")
            }
            Self::Result(text) => {
                write!(
                    f,
                    "'{text}' is not a result (1-0, 0-1, 1/2-1/2 or *); it is kept as a comment"
                )
            }
            Self::Move(error) => write!(f, "{error}; the rest of the game is kept as a comment"),
            Self::Unexpected(')') => write!(f, "')' closes no variation"),
            Self::Unexpected(sign) => {
                write!(
                    f,
                    "'{sign}' closes nothing; the rest of the game is kept as a comment"
                )
            }
            Self::Reserved(text) => write!(f, "'{text}' is reserved for future use"),
            Self::NonStandard(text) => write!(f, "'{text}' is not standard notation"),
            Self::BoardMismatch(stated, board) => {
                write!(
                    f,
                    "the recorded result is {stated}, the board gives {board}"
                )
            }
            Self::OpenComment => write!(
                f,
                "a comment begins here and is not closed with '}}'; the rest of the game is kept in it"
            ),
            Self::OpenVariation => write!(
                f,
                "a variation begins here and is not closed with ')'; the rest of the game is kept as a comment"
            ),
            Self::ResultMismatch(tag, end) => {
                write!(f, "the Result tag is {tag}, the moves end with {end}")
            }
            Self::TwoResults(first, second) => {
                write!(f, "the moves end with two results, {first} and {second}")
            }
        }
    }
}
