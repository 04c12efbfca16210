//! The features, from the perspective of each side: one input for each piece on each square, and
//! for an attacked piece a second one that names its *state*.
//!
//! The state says whether the piece is defended and whether a less valuable piece attacks it
//! ([`PieceStates`]), so that the network sees what hangs without a search. The "threat inputs" of
//! some newer engines are more: pairs of an attacker and what it attacks.
//!
//! Each side sees its own pieces as White's and its own back rank at the bottom (*vertical flip*).
//! If its king stands on the files e to h, the board is mirrored (*horizontal mirroring*), so that
//! the network learns each pattern once. The inputs for pieces exist once for each *king bucket*:
//! what a piece is worth on its square depends on where the king stands.

use crate::board::{Position, Threats};
use crate::types::{Bitboard, Color, File, Piece, PieceKind, Rank, Square};
use arrayvec::ArrayVec;

/// Number of inputs for pieces in one king bucket: kind, owner, square.
pub const PIECE_FEATURES: usize = Color::COUNT * PieceKind::COUNT * Square::COUNT;
/// Number of inputs for the states of pieces.
pub const STATE_FEATURES: usize = PieceStates::COUNT * PIECE_FEATURES;
/// Number of inputs for one side: first those for each state, then those for pieces in each king
/// bucket.
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

/// The attacked pieces and their states. A king has no state.
///
/// | state | attacked | defended |
/// |---|---|---|
/// | 0 | by pieces of the same value or more | no |
/// | 1 | by pieces of the same value or more | yes |
/// | 2 | by a less valuable piece | no |
/// | 3 | by a less valuable piece | yes |
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::eval::PieceStates;
/// use tabiya::types::Square;
/// let position = Position::from_fen("4k3/1b1p4/4N3/8/4R3/8/8/4K3 b - - 0 1").unwrap();
/// let states = PieceStates::of(&position);
/// assert_eq!(states.at(Square::E6), 3);
/// assert_eq!(states.at(Square::E4), 2);
/// assert!(!states.attacked().contains(Square::D7));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PieceStates {
    defended: Bitboard,
    attacked: Bitboard,
    threatened: Bitboard,
}

impl PieceStates {
    /// Number of states.
    pub const COUNT: usize = 4;

    /// The states in a position.
    #[inline]
    pub fn of(position: &Position) -> Self {
        Self::new(position.occupied(), |color, kind| {
            position.pieces(color, kind)
        })
    }

    /// The states on a board with these `pieces` of each colour and kind.
    #[inline(always)]
    pub fn new(occupied: Bitboard, pieces: impl Fn(Color, PieceKind) -> Bitboard) -> Self {
        use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
        let threats = Color::ALL.map(|color| Threats::new(color, occupied, &pieces));
        let mut states = Self::default();
        for color in Color::ALL {
            let own = threats[color.index()];
            let enemy = threats[(!color).index()];
            for kind in [Pawn, Knight, Bishop, Rook, Queen] {
                let pieces = pieces(color, kind);
                states.defended |= pieces & own.all & enemy.all;
                states.attacked |= pieces & enemy.all;
                states.threatened |= pieces & enemy.by_lesser(kind);
            }
        }
        states
    }

    /// The squares of the attacked pieces, kings excepted.
    #[inline(always)]
    pub const fn attacked(self) -> Bitboard {
        self.attacked
    }

    /// The state of the attacked piece on a square, below [`Self::COUNT`].
    #[inline(always)]
    pub const fn at(self, square: Square) -> usize {
        let defended = self.defended.contains(square) as usize;
        let threatened = self.threatened.contains(square) as usize;
        defended + 2 * threatened
    }

    /// The squares whose states are not the same.
    #[inline(always)]
    pub(super) fn differing_squares(self, other: Self) -> Bitboard {
        (self.defended ^ other.defended)
            | (self.attacked ^ other.attacked)
            | (self.threatened ^ other.threatened)
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

    /// The input for a piece in a [state](PieceStates::at) on a square.
    #[inline(always)]
    pub const fn state(piece: Piece, state: usize, square: Square) -> Self {
        Self((state * PIECE_FEATURES + Self::place(piece, square)) as u16)
    }

    /// The index of a piece on a square, below [`PIECE_FEATURES`].
    #[inline(always)]
    const fn place(piece: Piece, square: Square) -> usize {
        let owner = piece.kind().index() * Color::COUNT + piece.color().index();
        owner * Square::COUNT + square.index()
    }
    // ANCHOR_END: feature

    /// What the input is about: the piece, its state unless the input is for the piece itself, and
    /// the square.
    #[cfg(feature = "insides")]
    pub(super) fn parts(self) -> (Piece, Option<usize>, Square) {
        let place = self.0 as usize % PIECE_FEATURES;
        let owner = place / Square::COUNT;
        let color = Color::ALL[owner % Color::COUNT];
        let kind = PieceKind::ALL[owner / Color::COUNT];
        let state = self.0 as usize / PIECE_FEATURES;
        let piece = Piece::new(color, kind);
        let state = (state < PieceStates::COUNT).then_some(state);
        (piece, state, Square::from_low_bits(place))
    }
}

/// A list of features, at most two per square.
pub(super) type FeatureList = ArrayVec<Feature, { 2 * Square::COUNT }>;

/// The features of one position that another does not have, and the other way round.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    pub(super) added: FeatureList,
    pub(super) removed: FeatureList,
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
