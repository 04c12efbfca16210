//! Piece placement. Only this code puts or removes a piece, so the keys are always up to date.

use super::zobrist;
use crate::types::{Bitboard, Color, Key, Piece, PieceKind, Square};

/// Piece groups with a key of their own, for each colour. All keys that the search uses are
/// combinations of these.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Pawns,
    Minors,
    Majors,
    King,
}

const GROUPS: usize = 4;

impl Group {
    #[inline(always)]
    const fn index(self, color: Color) -> usize {
        GROUPS * color.index() + self as usize
    }

    #[inline(always)]
    const fn of(kind: PieceKind) -> Self {
        match kind {
            PieceKind::Pawn => Self::Pawns,
            PieceKind::Knight | PieceKind::Bishop => Self::Minors,
            PieceKind::Rook | PieceKind::Queen => Self::Majors,
            PieceKind::King => Self::King,
        }
    }
}

/// The pieces by kind, by colour and by square, with their hash keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Pieces {
    kinds: [Bitboard; PieceKind::COUNT],
    colors: [Bitboard; Color::COUNT],
    squares: [Option<Piece>; Square::COUNT],
    /// The key of all pieces. It is stored because it is read too often to be combined from the
    /// groups.
    key: Key,
    group_keys: [Key; GROUPS * Color::COUNT],
}

impl Pieces {
    /// The empty board.
    pub(super) const EMPTY: Self = Self {
        kinds: [Bitboard::EMPTY; PieceKind::COUNT],
        colors: [Bitboard::EMPTY; Color::COUNT],
        squares: [None; Square::COUNT],
        key: Key(0),
        group_keys: [Key(0); GROUPS * Color::COUNT],
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
        let key = zobrist::piece(piece, square);
        self.key ^= key;
        self.group_keys[Group::of(piece.kind()).index(piece.color())] ^= key;
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

    /// The key of all pieces.
    #[inline(always)]
    pub(super) const fn key(&self) -> Key {
        self.key
    }

    /// The key of the pawns of both colours.
    #[inline(always)]
    pub(super) fn pawn_key(&self) -> Key {
        self.both_colors(Group::Pawns)
    }

    /// The key of the pieces of one colour other than pawns.
    #[inline(always)]
    pub(super) fn non_pawn_key(&self, color: Color) -> Key {
        [Group::Minors, Group::Majors, Group::King]
            .into_iter()
            .fold(Key::default(), |key, group| {
                key ^ self.group_keys[group.index(color)]
            })
    }

    /// The key of kings, knights and bishops of both colours.
    #[inline(always)]
    pub(super) fn minor_key(&self) -> Key {
        self.both_colors(Group::Minors) ^ self.both_colors(Group::King)
    }

    /// The key of kings, rooks and queens of both colours.
    #[inline(always)]
    pub(super) fn major_key(&self) -> Key {
        self.both_colors(Group::Majors) ^ self.both_colors(Group::King)
    }

    #[inline(always)]
    fn both_colors(&self, group: Group) -> Key {
        self.group_keys[group.index(Color::White)] ^ self.group_keys[group.index(Color::Black)]
    }
}
