//! The features, from the perspective of each side: one input for each piece on each square, for an
//! attacked piece a second one that names its *state*, and one for each square of a *motif*.
//!
//! The state says which piece attacks and how the piece is defended ([`PieceStates`]), so that the
//! network sees what hangs without a search. A [`Motif`] is what a search finds a little later: a
//! safe check, a fork, a pawn that can step forward and attack. The "threat inputs" of some newer
//! engines are more: pairs of an attacker and what it attacks.
//!
//! Each side sees its own pieces as White's and its own back rank at the bottom (*vertical flip*).
//! If its king stands on the files e to h, the board is mirrored (*horizontal mirroring*), so that
//! the network learns each pattern once. The inputs for pieces exist once for each *king bucket*:
//! what a piece is worth on its square depends on where the king stands.

use super::states::{Motif, PieceStates};
use crate::types::{Color, File, Piece, PieceKind, Rank, Square};
use std::ops::{Deref, Range};

/// Number of inputs for pieces in one king bucket: kind, owner, square.
pub const PIECE_FEATURES: usize = Color::COUNT * PieceKind::COUNT * Square::COUNT;
/// Number of inputs for one kind of piece, state or motif: of both sides on all squares.
const SQUARE_FEATURES: usize = Color::COUNT * Square::COUNT;
/// Number of inputs for one state. A king has none.
const ONE_STATE: usize = PIECE_FEATURES - SQUARE_FEATURES;
/// The inputs for motifs, which follow those for states.
pub const MOTIF_INPUTS: Range<usize> = PieceStates::COUNT * ONE_STATE..STATE_FEATURES;
/// Number of inputs for the states of pieces and for motifs.
pub const STATE_FEATURES: usize = PieceStates::COUNT * ONE_STATE + Motif::COUNT * SQUARE_FEATURES;
/// Number of inputs for one side: first those for each state and motif, then those for pieces
/// in each king bucket.
pub const FEATURES: usize = STATE_FEATURES + KING_BUCKETS * PIECE_FEATURES;

/// Number of king buckets.
pub const KING_BUCKETS: usize = 4;

// ANCHOR: king_bucket
/// The king bucket of a side that sees its king on `king`: the corners of its back rank, the rest
/// of this rank, the second rank, and all others.
const fn king_bucket(king: Square) -> usize {
    match (king.rank(), king.file()) {
        (Rank::R1, File::A | File::B | File::G | File::H) => 0,
        (Rank::R1, _) => 1,
        (Rank::R2, _) => 2,
        _ => 3,
    }
}
// ANCHOR_END: king_bucket

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

/// An input from White's perspective, not mirrored.
///
/// Bits 0 to 5 are the square, bit 6 is the colour of the piece, and the bits above are its kind
/// and state, so that another perspective is an exclusive or with a mask. An input for a piece is
/// numbered as in the first king bucket; [`Perspective::index`] moves it to its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature(u16);

impl Feature {
    const COLOR: u16 = 1 << 6;

    // ANCHOR: feature
    /// The input for a piece on a square.
    #[inline(always)]
    pub const fn piece(piece: Piece, square: Square) -> Self {
        Self((STATE_FEATURES + Self::place(piece, square)) as u16)
    }

    /// The input for a piece, not a king, in a [state](PieceStates::at) on a square.
    #[inline(always)]
    pub const fn state(piece: Piece, state: usize, square: Square) -> Self {
        Self((state * ONE_STATE + Self::place(piece, square)) as u16)
    }

    /// The input for a motif of `side` on a square.
    #[inline(always)]
    pub const fn motif(side: Color, motif: Motif, square: Square) -> Self {
        let place = side.index() * Square::COUNT + square.index();
        Self((MOTIF_INPUTS.start + motif.index() * SQUARE_FEATURES + place) as u16)
    }

    /// The index of a piece on a square, below [`PIECE_FEATURES`].
    #[inline(always)]
    const fn place(piece: Piece, square: Square) -> usize {
        let owner = piece.kind().index() * Color::COUNT + piece.color().index();
        owner * Square::COUNT + square.index()
    }
    // ANCHOR_END: feature

    /// What the input is about.
    #[cfg(feature = "insides")]
    pub(super) fn parts(self) -> (InputKind, Square) {
        let index = self.0 as usize;
        let color = Color::ALL[index / Square::COUNT % Color::COUNT];
        let piece = |place: usize| Piece::new(color, PieceKind::ALL[place / SQUARE_FEATURES]);
        let kind = if index < MOTIF_INPUTS.start {
            InputKind::Attacked(piece(index % ONE_STATE), index / ONE_STATE)
        } else if index < STATE_FEATURES {
            let motif = (index - MOTIF_INPUTS.start) / SQUARE_FEATURES;
            InputKind::Motif(color, Motif::ALL[motif])
        } else {
            InputKind::Piece(piece(index - STATE_FEATURES))
        };
        (kind, Square::from_low_bits(index))
    }
}

/// What an input says about a square.
#[cfg(feature = "insides")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// This piece stands there.
    Piece(Piece),
    /// This piece stands there and is attacked; the number is its
    /// [state](PieceStates::at).
    Attacked(Piece, usize),
    /// This motif, from the point of view of this side.
    Motif(Color, Motif),
}

/// Maximum number of features of a position for pieces and states: two for each square, one for
/// that of a king.
pub(super) const MAX_PIECE_FEATURES: usize = 2 * Square::COUNT - Color::COUNT;
/// Maximum number of features of a position for motifs.
///
/// A knight, bishop, rook or queen can check a king from 62 squares together. On each square there
/// are at most two motifs of forks and outnumbered pieces. In each file the pawns of a side can
/// step to at most four squares, with one motif each, and one of them is free and passed. A king
/// has eight neighbours.
pub(super) const MAX_MOTIF_FEATURES: usize =
    Color::COUNT * (8 + 13 + 14 + 27 + 8 * (4 + 1) + 8) + 2 * Square::COUNT;
const MAX_FEATURES: usize = MAX_PIECE_FEATURES + MAX_MOTIF_FEATURES;

/// A list of features.
#[derive(Debug, Clone)]
pub(super) struct FeatureList {
    /// One more than is needed, for [`Self::push_if`].
    features: [Feature; MAX_FEATURES + 1],
    length: usize,
}

impl FeatureList {
    pub(super) const EMPTY: Self = Self {
        features: [Feature(0); MAX_FEATURES + 1],
        length: 0,
    };

    /// Appends a feature on a condition, without a branch: which features change cannot be
    /// predicted.
    #[inline(always)]
    pub(super) fn push_if(&mut self, condition: bool, feature: Feature) {
        self.features[self.length] = feature;
        self.length += usize::from(condition);
    }
}

impl Deref for FeatureList {
    type Target = [Feature];

    #[inline(always)]
    fn deref(&self) -> &[Feature] {
        &self.features[..self.length]
    }
}

/// The features of one position that another does not have, and the other way round.
#[derive(Debug, Clone)]
pub(super) struct Changes {
    pub(super) added: FeatureList,
    pub(super) removed: FeatureList,
}

impl Changes {
    pub(super) const NONE: Self = Self {
        added: FeatureList::EMPTY,
        removed: FeatureList::EMPTY,
    };

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.added.length = 0;
        self.removed.length = 0;
    }
}

/// The view of one side, which maps a feature to the index of an input.
///
/// ```
/// use tabiya::eval::{Feature, Perspective};
/// use tabiya::types::{Color, Piece, Square};
/// let white = Perspective::new(Color::White, Square::G1);
/// let black = Perspective::new(Color::Black, Square::B8);
/// assert_eq!(
///     white.index(Feature::piece(Piece::WhiteRook, Square::A1)),
///     black.index(Feature::piece(Piece::BlackRook, Square::H8))
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perspective {
    /// Flips the rank and the colour of the pieces for Black, and the file if mirrored.
    mask: u16,
    /// Selects the copy of the inputs for pieces.
    king_bucket: u16,
}

impl Perspective {
    /// Number of perspectives of one side.
    pub(super) const COUNT: usize = 2 * KING_BUCKETS;

    /// The perspective of the side whose king stands on `king`.
    #[inline(always)]
    pub const fn new(color: Color, king: Square) -> Self {
        let file = if king.file().index() > File::D.index() {
            7
        } else {
            0
        };
        let side = match color {
            Color::White => 0,
            Color::Black => Feature::COLOR | 56,
        };
        Self {
            mask: file | side,
            king_bucket: king_bucket(king.relative_to(color)) as u16,
        }
    }

    /// Number of this perspective, below [`Self::COUNT`].
    #[inline(always)]
    pub(super) const fn number(self) -> usize {
        2 * self.king_bucket as usize + (self.mask & 1) as usize
    }

    // ANCHOR: perspective
    /// Index of the input, below [`FEATURES`].
    #[inline(always)]
    pub const fn index(self, feature: Feature) -> usize {
        let index = (feature.0 ^ self.mask) as usize;
        if index < STATE_FEATURES {
            index
        } else {
            index + self.king_bucket as usize * PIECE_FEATURES
        }
    }
    // ANCHOR_END: perspective
}
