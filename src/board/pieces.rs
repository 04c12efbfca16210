//! Piece placement. Only this code puts or removes a piece, so the keys are always up to date.

use super::zobrist;
use crate::types::{Bitboard, Color, Key, Piece, PieceKind, Square};

/// The key of each group of pieces that the search distinguishes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Keys {
    /// All pieces.
    all: Key,
    /// Pawns of both colours, then the other pieces of White and of Black.
    parts: [Key; 1 + Color::COUNT],
    /// Kings, knights and bishops of both colours.
    minors: Key,
}

impl Keys {
    const EMPTY: Self = Self {
        all: Key(0),
        parts: [Key(0); 1 + Color::COUNT],
        minors: Key(0),
    };

    // ANCHOR: keys
    /// Adds or removes a piece. A branch on the kind of piece would be hard to predict, so the kind
    /// selects a mask.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        use PieceKind::{Bishop, King, Knight, Pawn};
        const MINORS: u64 = 1 << Knight.index() | 1 << Bishop.index() | 1 << King.index();
        let key = zobrist::piece(piece, square);
        let kind = piece.kind();
        self.all ^= key;
        self.parts[usize::from(kind != Pawn) * (1 + piece.color().index())] ^= key;
        self.minors ^= Key(key.0 & (MINORS >> kind.index() & 1).wrapping_neg());
    }
    // ANCHOR_END: keys
}

/// The pieces by kind, by colour and by square, with their hash keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Pieces {
    kinds: [Bitboard; PieceKind::COUNT],
    colors: [Bitboard; Color::COUNT],
    squares: [Option<Piece>; Square::COUNT],
    keys: Keys,
}

impl Pieces {
    /// The empty board.
    pub(super) const EMPTY: Self = Self {
        kinds: [Bitboard::EMPTY; PieceKind::COUNT],
        colors: [Bitboard::EMPTY; Color::COUNT],
        squares: [None; Square::COUNT],
        keys: Keys::EMPTY,
    };

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.squares[square.index()], None);
        self.squares[square.index()] = Some(piece);
        self.toggle(piece, square);
    }

    /// Removes a piece from the square on which it stands.
    #[inline(always)]
    pub(super) fn remove(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.squares[square.index()], Some(piece));
        self.squares[square.index()] = None;
        self.toggle(piece, square);
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] ^= square.into();
        self.colors[piece.color().index()] ^= square.into();
        self.keys.toggle(piece, square);
    }

    #[inline(always)]
    pub(super) const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    #[inline(always)]
    pub(super) const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline(always)]
    pub(super) const fn at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// The squares on which the pieces are not the same.
    #[inline(always)]
    pub(super) fn differing_squares(&self, other: &Self) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        // Two loops, because the iterator of a chain takes six times as many instructions.
        for (&ours, theirs) in self.kinds.iter().zip(other.kinds) {
            set |= ours ^ theirs;
        }
        for (&ours, theirs) in self.colors.iter().zip(other.colors) {
            set |= ours ^ theirs;
        }
        set
    }

    /// The key of all pieces.
    #[inline(always)]
    pub(super) const fn key(&self) -> Key {
        self.keys.all
    }

    /// The key of the pawns of both colours.
    #[inline(always)]
    pub(super) const fn pawn_key(&self) -> Key {
        self.keys.parts[0]
    }

    /// The key of the pieces of one colour other than pawns.
    #[inline(always)]
    pub(super) const fn non_pawn_key(&self, color: Color) -> Key {
        self.keys.parts[1 + color.index()]
    }

    /// The key of kings, knights and bishops of both colours.
    #[inline(always)]
    pub(super) const fn minor_key(&self) -> Key {
        self.keys.minors
    }
}
