//! Coordinate notation (long algebraic notation), as in UCI and XBoard: `e2e4`, `e7e8q`.
//!
//! Castling is written as the king's move (`e1g1`) in standard chess, and as king takes rook
//! (`e1h1`) in Chess960. Both forms are accepted in both, except the king's move if it is a step to
//! the next file (`f1g1` in Chess960), which is an ordinary move. This is unambiguous, because a
//! king neither steps two squares nor captures its own rook.

use crate::board::Position;
use crate::types::{CastlingMode, Move, PieceKind, Square};
use std::fmt;

/// Why a text is not a legal move in coordinates.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LanError {
    /// The null move `0000`.
    Null,
    /// The text is not two squares and an optional letter.
    Syntax(String),
    /// The first square does not hold a piece of the side to move.
    NoPiece(Square),
    /// The piece cannot move there.
    Illegal(String),
    /// The move promotes, and the text does not name a piece.
    MissingPromotion(String),
}

impl fmt::Display for LanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => write!(f, "0000 is a null move, which is not legal in chess"),
            Self::Syntax(text) => write!(f, "'{text}' is not a move such as e2e4 or e7e8q"),
            Self::NoPiece(square) => write!(f, "no piece of the side to move stands on {square}"),
            Self::Illegal(text) => write_illegal(f, text),
            Self::MissingPromotion(text) => {
                write!(f, "{text} promotes a pawn: add q, r, b or n")
            }
        }
    }
}

impl std::error::Error for LanError {}

/// The sentence for a move, in this notation or another, that is not legal.
pub(super) fn write_illegal(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    write!(f, "{text} is not a legal move here")
}

/// The beginning of a text that is not a move, which may be long.
pub(super) fn beginning(text: &str) -> String {
    text.chars().take(12).collect()
}

/// Parses a legal move.
///
/// # Errors
/// If the text is not in coordinates, or the move is not legal.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::game::lan;
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
/// assert_eq!(lan::parse(&position, "e1g1"), lan::parse(&position, "e1h1"));
/// assert!(lan::parse(&position, "e1e3").is_err());
/// ```
pub fn parse(position: &Position, text: &str) -> Result<Move, LanError> {
    let text = text.trim();
    if text == "0000" {
        return Err(LanError::Null);
    }
    let (from, to, promotion) = split(text).ok_or_else(|| LanError::Syntax(beginning(text)))?;
    let us = position.side_to_move();
    find(position, from, to, promotion).ok_or_else(|| {
        let legal = position.legal_moves();
        if position
            .piece_at(from)
            .is_none_or(|piece| piece.color() != us)
        {
            LanError::NoPiece(from)
        } else if promotion.is_none() && legal.iter().any(|mv| mv.from() == from && mv.to() == to) {
            LanError::MissingPromotion(text.to_owned())
        } else {
            LanError::Illegal(text.to_owned())
        }
    })
}

/// The legal move from one square to another, if there is one. Castling is found by the square of
/// the rook, and by the square on which the king ends if the king moves more than one file.
pub fn find(
    position: &Position,
    from: Square,
    to: Square,
    promotion: Option<PieceKind>,
) -> Option<Move> {
    let legal = position.legal_moves();
    let mut mine = legal.iter().copied().filter(|mv| mv.from() == from);
    mine.clone()
        .find(|mv| mv.to() == to && mv.promotion() == promotion)
        .or_else(|| {
            mine.find(|mv| is_long_step(from, to) && mv.castling_king_target() == Some(to))
                .filter(|_| promotion.is_none())
        })
}

/// Formats a move.
///
/// ```
/// use tabiya::game::lan;
/// use tabiya::types::{CastlingMode, Move, MoveKind, Square};
/// let castling = Move::new(Square::E1, Square::H1, MoveKind::Castling);
/// assert_eq!(lan::write(castling, CastlingMode::Standard), "e1g1");
/// assert_eq!(lan::write(castling, CastlingMode::Chess960), "e1h1");
/// ```
pub fn write(mv: Move, mode: CastlingMode) -> String {
    match (mode, mv.castling_king_target()) {
        (CastlingMode::Standard, Some(target)) => format!("{}{target}", mv.from()),
        _ => mv.to_string(),
    }
}

/// Whether the text looks like a move in coordinates, legal or not.
#[must_use]
pub(super) fn is_coordinates(text: &str) -> bool {
    split(text).is_some()
}

/// Splits the text into two squares and a promotion, whose letter may be upper case.
fn split(text: &str) -> Option<(Square, Square, Option<PieceKind>)> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let mut rest = text.get(4..)?.chars();
    let promotion = match rest.next() {
        None => None,
        Some(letter) => {
            let kind = PieceKind::from_letter(letter);
            Some(kind.filter(|kind| PieceKind::PROMOTIONS.contains(kind))?)
        }
    };
    rest.next().is_none().then_some((from, to, promotion))
}

/// Whether the move is longer than a king's step.
fn is_long_step(from: Square, to: Square) -> bool {
    from.file().index().abs_diff(to.file().index()) > 1
}
