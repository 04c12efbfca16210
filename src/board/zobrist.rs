//! One random number for each fact about a position.
//!
//! The numbers come from `build.rs` and are the same on every build.

use crate::types::{CastlingRights, Color, File, Key, Piece, Rank, Square};

include!(concat!(env!("OUT_DIR"), "/zobrist.rs"));

/// A piece on a square.
#[inline(always)]
pub(super) fn piece(piece: Piece, square: Square) -> Key {
    PIECE[piece.index()][square.index()]
}

/// The right to castle with each of these rooks.
#[inline(always)]
pub(super) fn castling(rights: CastlingRights) -> Key {
    rights
        .rooks()
        .into_iter()
        .fold(Key::default(), |key, rook| {
            let color = if rook.rank() == Rank::R1 {
                Color::White
            } else {
                Color::Black
            };
            key ^ CASTLING[color.index()][rook.file().index()]
        })
}

/// A legal en passant capture on that file.
#[inline(always)]
pub(super) fn en_passant(file: File) -> Key {
    EN_PASSANT[0][file.index()]
}

/// Black to move.
#[inline(always)]
pub(super) fn black_to_move() -> Key {
    SIDE[0][0]
}
