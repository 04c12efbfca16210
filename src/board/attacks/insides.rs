//! The steps of a look-up of sliding attacks, for people who want to see them.

use super::magic::Magic;
use super::{BISHOP_MAGICS, ROOK_MAGICS, sliding};
use crate::types::{Bitboard, PieceKind, Square};

/// How the attacks of one slider are found in the table: each step in order.
///
/// ```
/// use tabiya::board::attacks::{self, insides};
/// use tabiya::types::{Bitboard, PieceKind, Square};
/// let occupied = Bitboard::from_square(Square::D6) | Bitboard::from_square(Square::H8);
/// let lookup = insides::look_up(PieceKind::Rook, Square::D4, occupied).unwrap();
/// // The ten inner squares of the lines matter, and h8 is not one of them.
/// assert_eq!(lookup.mask.len(), 10);
/// assert_eq!(lookup.relevant, Bitboard::from_square(Square::D6));
/// assert_eq!(lookup.index as u64, lookup.product >> lookup.shift);
/// assert_eq!(lookup.attacks, attacks::rook(Square::D4, occupied));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lookup {
    /// The squares whose occupancy matters.
    pub mask: Bitboard,
    /// The occupied squares among them.
    pub relevant: Bitboard,
    /// The magic number.
    pub factor: u64,
    /// The low 64 bits of `relevant` times `factor`.
    pub product: u64,
    /// How far the product is shifted to the right: 64 minus the squares of the mask.
    pub shift: u32,
    /// The top bits of the product: the index within the part of this square and kind.
    pub index: usize,
    /// Where that part begins in the table that all sliders share.
    pub offset: usize,
    /// The entry at `offset` plus `index`: the attacked squares.
    pub attacks: Bitboard,
}

/// The look-up for a rook or a bishop; `None` for other kinds. A queen needs both.
#[must_use]
pub fn look_up(kind: PieceKind, from: Square, occupied: Bitboard) -> Option<Lookup> {
    let magics: &[Magic; Square::COUNT] = match kind {
        PieceKind::Rook => &ROOK_MAGICS,
        PieceKind::Bishop => &BISHOP_MAGICS,
        _ => return None,
    };
    let magic = &magics[from.index()];
    let relevant = occupied & magic.mask;
    Some(Lookup {
        mask: magic.mask,
        relevant,
        factor: magic.factor,
        product: relevant.0.wrapping_mul(magic.factor),
        shift: magic.shift,
        index: magic.index(occupied) - magic.offset as usize,
        offset: magic.offset as usize,
        attacks: sliding(magic, occupied),
    })
}
