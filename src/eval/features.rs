//! The features: one input of the network for each piece on each square, seen from the perspective of either side.
//!
//! Each side sees its own pieces first and its own back rank below, and the board mirrored, if need be, so that its own
//! king stands on one of the files a to d. So the network need not learn anything twice.

use crate::types::{Color, File, Piece, PieceKind, Square};

/// How many inputs there are for one side: whose piece, of which kind, on which square.
pub const FEATURES: usize = Color::COUNT * PieceKind::COUNT * Square::COUNT;

/// How many sets of output weights there are; the number of pieces on the board decides between them.
pub const OUTPUT_BUCKETS: usize = 8;

/// The output weights for so many pieces on the board.
#[inline(always)]
pub const fn output_bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 4;
    if bucket < OUTPUT_BUCKETS {
        bucket
    } else {
        OUTPUT_BUCKETS - 1
    }
}

/// How one side looks at the board: what turns a piece on a square into a feature.
///
/// ```
/// use tabiya::eval::Perspective;
/// use tabiya::types::{Color, Piece, Square};
/// let white = Perspective::new(Color::White, Square::G1);
/// let black = Perspective::new(Color::Black, Square::B8);
/// assert_eq!(white.feature(Piece::WhiteRook, Square::A1), black.feature(Piece::BlackRook, Square::H8));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perspective {
    /// What turns a square into the one that this side sees: its rank for Black, its file where it is mirrored.
    turn: u8,
}

impl Perspective {
    /// How the side looks at the board whose king stands on that square.
    #[inline(always)]
    pub const fn new(color: Color, king: Square) -> Self {
        let mirror = if king.file().index() > File::D.index() {
            7
        } else {
            0
        };
        let flip = match color {
            Color::White => 0,
            Color::Black => 56,
        };
        Self {
            turn: mirror ^ flip,
        }
    }

    /// Whether this side sees the board mirrored.
    #[inline(always)]
    pub const fn is_mirrored(self) -> bool {
        self.turn & 7 != 0
    }

    /// The input that stands for this piece on this square.
    #[inline(always)]
    pub const fn feature(self, piece: Piece, square: Square) -> usize {
        let ours = (self.turn >> 5) as usize;
        let theirs = piece.color().index() ^ ours;
        (theirs * PieceKind::COUNT + piece.kind().index()) * Square::COUNT
            + (square.index() ^ self.turn as usize)
    }
}
