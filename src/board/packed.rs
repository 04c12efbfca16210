//! A position without what can be worked out from it: for whoever keeps millions.

use super::Position;
use super::pieces::Pieces;
use crate::types::{Bitboard, CastlingRights, Color, Piece, PieceKind, Square};

/// A position in 40 bytes: pieces, side to move, castling rights and en passant; the clocks are not kept.
///
/// It is exact: two are equal if and only if the positions are the same in the sense of FIDE 9.2.3.
///
/// ```
/// use tabiya::board::{Packed, Position};
/// let start = Position::start();
/// let packed = Packed::from(&start);
/// assert_eq!(packed.unpack().key(), start.key());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed {
    /// The bits of each square's code, and the colour of what stands there.
    planes: [Bitboard; CODE_BITS + 1],
    side_to_move: Color,
    en_passant: Option<Square>,
}

/// A square's code is 0 if it is empty, else one more than the index of its piece; or this.
const CASTLING_ROOK: usize = PieceKind::COUNT + 1;
const CODE_BITS: usize = 3;

const _: () = assert!(CASTLING_ROOK < 1 << CODE_BITS);

impl From<&Position> for Packed {
    fn from(position: &Position) -> Self {
        let mut planes = [Bitboard::EMPTY; CODE_BITS + 1];
        let mut add = |code: usize, squares: Bitboard| {
            for (bit, plane) in planes[..CODE_BITS].iter_mut().enumerate() {
                if code >> bit & 1 != 0 {
                    *plane |= squares;
                }
            }
        };
        let castling = position.castling().rooks();
        for kind in PieceKind::ALL {
            add(kind.index() + 1, position.kind(kind) - castling);
        }
        add(CASTLING_ROOK, castling);
        planes[CODE_BITS] = position.color(Color::Black);
        Self {
            planes,
            side_to_move: position.side_to_move(),
            en_passant: position.en_passant(),
        }
    }
}

impl Packed {
    /// The position; its clocks are at their beginning.
    pub fn unpack(&self) -> Position {
        let mut pieces = Pieces::EMPTY;
        let mut castling = Bitboard::EMPTY;
        let [one, two, four, black] = self.planes;
        for square in one | two | four {
            let bit = |plane: Bitboard| usize::from(plane.contains(square));
            let code = bit(one) | bit(two) << 1 | bit(four) << 2;
            if code == CASTLING_ROOK {
                castling |= square.into();
            }
            let kind = PieceKind::from_index(code - 1).unwrap_or(PieceKind::Rook);
            let color = match black.contains(square) {
                true => Color::Black,
                false => Color::White,
            };
            pieces.put(Piece::new(color, kind), square);
        }
        Position::assemble(
            pieces,
            self.side_to_move,
            CastlingRights::from_rooks(castling),
            self.en_passant,
        )
    }
}
