//! What the pieces attack: look-ups in tables that `build.rs` writes.

pub(crate) mod magic;
pub mod rays;

use crate::types::{Bitboard, Color, PieceKind, Square};
use magic::Magic;

include!(concat!(env!("OUT_DIR"), "/attacks.rs"));

#[inline(always)]
fn sliding(magic: &Magic, occupied: Bitboard) -> Bitboard {
    // The mask changes no index; it shows the compiler that none is out of bounds.
    SLIDING[magic.index(occupied) & (SLIDING.len() - 1)]
}

/// What a rook attacks when the `occupied` squares stop it.
///
/// ```
/// use tabiya::board::attacks;
/// use tabiya::types::{Bitboard, Square};
/// assert_eq!(attacks::rook(Square::A1, Bitboard::EMPTY).len(), 14);
/// ```
#[inline(always)]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    sliding(&ROOK_MAGICS[from.index()], occupied)
}

/// What a bishop attacks when the `occupied` squares stop it.
#[inline(always)]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    sliding(&BISHOP_MAGICS[from.index()], occupied)
}

/// What a queen attacks when the `occupied` squares stop it.
#[inline(always)]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    rook(from, occupied) | bishop(from, occupied)
}

/// What a knight attacks.
#[inline(always)]
pub fn knight(from: Square) -> Bitboard {
    KNIGHT[from.index()]
}

/// What a king attacks.
#[inline(always)]
pub fn king(from: Square) -> Bitboard {
    KING[from.index()]
}

/// What a pawn of `color` attacks.
#[inline(always)]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    match color {
        Color::White => WHITE_PAWN[from.index()],
        Color::Black => BLACK_PAWN[from.index()],
    }
}

/// What all `pawns` of `color` attack together.
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.east() | ahead.west()
}

/// What a piece of that colour and kind attacks.
#[inline(always)]
pub fn of(color: Color, kind: PieceKind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn(color, from),
        PieceKind::Knight => knight(from),
        PieceKind::Bishop => bishop(from, occupied),
        PieceKind::Rook => rook(from, occupied),
        PieceKind::Queen => queen(from, occupied),
        PieceKind::King => king(from),
    }
}

/// The squares strictly between two on a rank, file or diagonal; none for other pairs.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares, edge to edge; none for other pairs.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}
