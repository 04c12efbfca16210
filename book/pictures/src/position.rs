//! A position as a picture draws it.

use crate::Refusal;
use serde::Serialize;
use std::collections::BTreeMap;
use tabiya::board::Position;
use tabiya::types::{Bitboard, CastlingMode, Square};

/// A board.
#[derive(Debug, Serialize)]
pub struct Board {
    /// The position.
    pub fen: String,
    /// The letter of the piece on each occupied square, a capital for White.
    pub pieces: BTreeMap<String, char>,
    /// `white` or `black`.
    pub turn: &'static str,
}

impl Board {
    /// The board of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let pieces = position.occupied().into_iter();
        Self {
            fen: position.to_fen(CastlingMode::Standard),
            pieces: pieces
                .filter_map(|square| {
                    let piece = position.piece_at(square)?;
                    Some((square.to_string(), piece.letter()))
                })
                .collect(),
            turn: position.side_to_move().name(),
        }
    }
}

/// Reads a FEN that a person has pasted. Faults that can be repaired are.
///
/// # Errors
/// If no position can be played from it.
pub fn read_fen(fen: &str) -> Result<Position, Refusal> {
    let read = Position::from_fen_repaired(fen.trim(), None);
    read.map(|read| read.position)
        .map_err(|error| error.to_string())
}

/// Reads the name of a square.
///
/// # Errors
/// If it is none.
pub fn read_square(name: &str) -> Result<Square, Refusal> {
    name.parse()
        .map_err(|_| format!("'{name}' is not a square"))
}

/// The names of the squares of a set.
#[must_use]
pub fn names(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}
