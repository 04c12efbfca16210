//! Zobrist keys: one random number for each fact about a position.
//!
//! `build.rs` draws the numbers from a fixed seed, so all builds have the same keys.

use crate::types::{CastlingRights, Color, File, Key, Piece, Rank, Square};

include!(concat!(env!("OUT_DIR"), "/zobrist.rs"));

/// The key of a piece on a square.
#[inline(always)]
pub(super) fn piece(piece: Piece, square: Square) -> Key {
    PIECE[piece.index()][square.index()]
}

/// The key of these castling rights.
#[inline(always)]
pub(super) fn castling(rights: CastlingRights) -> Key {
    rights
        .rooks()
        .into_iter()
        .fold(Key::default(), |key, rook| {
            let color = Color::from_white(rook.rank() == Rank::R1);
            key ^ CASTLING[color.index()][rook.file().index()]
        })
}

/// The key of a legal en passant capture on this file.
#[inline(always)]
pub(super) fn en_passant(file: File) -> Key {
    EN_PASSANT[0][file.index()]
}

/// The key of Black being the side to move.
#[inline(always)]
pub(super) fn black_to_move() -> Key {
    SIDE[0][0]
}
