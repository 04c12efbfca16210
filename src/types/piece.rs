//! Pieces: their kinds, with and without a colour.

use super::Color;
use std::fmt;

index_enum! {
    /// A kind of piece, in the usual order of value.
    pub enum PieceKind {
        /// ♟
        Pawn,
        /// ♞
        Knight,
        /// ♝
        Bishop,
        /// ♜
        Rook,
        /// ♛
        Queen,
        /// ♚
        King,
    }
}

impl PieceKind {
    /// The kinds to which a pawn may promote (FIDE 3.7.3.3), the most frequent first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Knight, Self::Rook, Self::Bishop];

    /// The lower-case English letter: `p n b r q k`.
    pub const fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self.index()]
    }

    /// The English word, such as `knight`.
    ///
    /// ```
    /// assert_eq!(tabiya::types::PieceKind::Knight.name(), "knight");
    /// ```
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self.index()]
    }

    /// The kind for an English letter of either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }
}

index_enum! {
    /// A kind of piece with its colour.
    #[allow(missing_docs)]
    pub enum Piece {
        WhitePawn, BlackPawn,
        WhiteKnight, BlackKnight,
        WhiteBishop, BlackBishop,
        WhiteRook, BlackRook,
        WhiteQueen, BlackQueen,
        WhiteKing, BlackKing,
    }
}

impl Piece {
    /// The piece of that colour and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        match Self::from_index(2 * kind.index() + color.index()) {
            Some(piece) => piece,
            None => unreachable!(),
        }
    }

    /// Its colour.
    #[inline(always)]
    pub const fn color(self) -> Color {
        match Color::from_index(self.index() % 2) {
            Some(color) => color,
            None => unreachable!(),
        }
    }

    /// Its kind.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        match PieceKind::from_index(self.index() / 2) {
            Some(kind) => kind,
            None => unreachable!(),
        }
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter().to_ascii_uppercase(),
            Color::Black => self.kind().letter(),
        }
    }

    /// The piece for a FEN letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let color = Color::from_white(letter.is_ascii_uppercase());
        match PieceKind::from_letter(letter) {
            Some(kind) => Some(Self::new(color, kind)),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
