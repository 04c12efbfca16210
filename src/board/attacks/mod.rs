//! Attacks of the pieces: look-ups in tables that `build.rs` writes.

#[cfg(feature = "insides")]
pub mod insides;
pub(crate) mod magic;
pub mod rays;

use crate::types::{Bitboard, Color, PieceKind, Square};
use magic::Magic;

include!(concat!(env!("OUT_DIR"), "/attacks.rs"));

#[inline(always)]
fn sliding(magic: &Magic, occupied: Bitboard) -> Bitboard {
    // The mask never changes the index; it lets the compiler drop the bounds check.
    SLIDING[magic.index(occupied) & (SLIDING.len() - 1)]
}

/// The squares that a rook attacks, blocked by the `occupied` squares.
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

/// The squares that a bishop attacks, blocked by the `occupied` squares.
#[inline(always)]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    sliding(&BISHOP_MAGICS[from.index()], occupied)
}

/// The squares that a queen attacks, blocked by the `occupied` squares.
#[inline(always)]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    rook(from, occupied) | bishop(from, occupied)
}

/// The squares that a knight attacks.
#[inline(always)]
pub fn knight(from: Square) -> Bitboard {
    KNIGHT[from.index()]
}

/// The squares that a king attacks.
#[inline(always)]
pub fn king(from: Square) -> Bitboard {
    KING[from.index()]
}

/// The squares that a pawn of `color` attacks.
#[inline(always)]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    match color {
        Color::White => WHITE_PAWN[from.index()],
        Color::Black => BLACK_PAWN[from.index()],
    }
}

/// The squares that the `pawns` of `color` attack together.
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.east() | ahead.west()
}

/// The squares that a piece of this colour and kind attacks.
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

/// The squares from which a bishop or queen on an empty board attacks a neighbour of `king`
/// diagonally.
#[inline(always)]
pub(super) fn bishops_near(king: Square) -> Bitboard {
    NEAR_BISHOP[king.index()]
}

/// The squares from which a rook or queen on an empty board attacks a neighbour of `king` along a
/// rank or file.
#[inline(always)]
pub(super) fn rooks_near(king: Square) -> Bitboard {
    NEAR_ROOK[king.index()]
}

/// The squares strictly between two squares on a rank, file or diagonal; empty for other pairs.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The rank, file or diagonal through two different squares, edge to edge; empty for other pairs.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}
