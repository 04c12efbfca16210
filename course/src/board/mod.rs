// ANCHOR: all
//! A board of your own: bitboards, attacks, moves and perft, in four small files.
//!
//! It has the same names as `rules`, so that the steps run on it when `rules.rs` says
//! `pub use crate::board::*;`. It is made to be read; Tabiya's own board is several times faster.

mod attacks;
mod moves;
mod position;
mod types;

pub use moves::{captured, divide, move_text, perft};
pub use position::{Key, Position, read_fen};
pub use types::{Bitboard, Color, Move, Piece, PieceKind, Square};
// ANCHOR_END: all
