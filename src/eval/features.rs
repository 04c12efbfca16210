//! The features: one input for each piece on each square, from the perspective of each side.
//!
//! Each side sees its own pieces first and its own back rank at the bottom (*vertical flip*). If
//! its king stands on the files e to h, the board is mirrored (*horizontal mirroring*). So the
//! network learns each pattern once.

use crate::types::{Color, File, Piece, PieceKind, Square};

/// Number of inputs for one side: owner, kind and square of a piece.
pub const FEATURES: usize = Color::COUNT * PieceKind::COUNT * Square::COUNT;

/// Number of output buckets. The number of pieces on the board chooses the bucket.
pub const OUTPUT_BUCKETS: usize = 8;

/// The output bucket for this number of pieces.
#[inline(always)]
pub const fn output_bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 4;
    if bucket < OUTPUT_BUCKETS {
        bucket
    } else {
        OUTPUT_BUCKETS - 1
    }
}

/// The view of one side, which maps a piece on a square to a feature.
///
/// ```
/// use tabiya::eval::Perspective;
/// use tabiya::types::{Color, Piece, Square};
/// let white = Perspective::new(Color::White, Square::G1);
/// let black = Perspective::new(Color::Black, Square::B8);
/// assert_eq!(
///     white.feature(Piece::WhiteRook, Square::A1),
///     black.feature(Piece::BlackRook, Square::H8)
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perspective {
    /// Mask that maps a square by exclusive or: flips the rank for Black and the file if mirrored.
    flip: u8,
}

impl Perspective {
    /// The perspective of the side whose king stands on `king`.
    #[inline(always)]
    pub const fn new(color: Color, king: Square) -> Self {
        let file = if king.file().index() > File::D.index() {
            7
        } else {
            0
        };
        let rank = match color {
            Color::White => 0,
            Color::Black => 56,
        };
        Self { flip: file ^ rank }
    }

    /// Whether this side sees the board mirrored.
    #[inline(always)]
    pub const fn is_mirrored(self) -> bool {
        self.flip & 7 != 0
    }

    // ANCHOR: feature
    /// Index of the input for a piece on a square.
    #[inline(always)]
    pub const fn feature(self, piece: Piece, square: Square) -> usize {
        let ours = (self.flip >> 5) as usize;
        let theirs = piece.color().index() ^ ours;
        (theirs * PieceKind::COUNT + piece.kind().index()) * Square::COUNT
            + (square.index() ^ self.flip as usize)
    }
    // ANCHOR_END: feature
}
