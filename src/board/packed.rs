//! A compact form of a position, for tables of millions of positions.
//!
//! It leaves out what can be recomputed: keys, checkers and pins.

use super::Position;
use super::pieces::Pieces;
use crate::types::{Bitboard, CastlingRights, Color, Piece, PieceKind, Square};

/// A position in 40 bytes: pieces, side to move, castling rights and en passant, without the
/// clocks.
///
/// Two values are equal if and only if the positions are the same in the sense of FIDE 9.2.3.
///
/// ```
/// use tabiya::board::{Packed, Position};
/// let start = Position::start();
/// let packed = Packed::from(&start);
/// assert_eq!(packed.unpack().key(), start.key());
/// let seen = std::collections::HashSet::from([packed]);
/// assert!(seen.contains(&Packed::from(&start)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packed {
    /// Three planes for the bits of each square's code, and one for the black pieces.
    planes: [Bitboard; CODE_BITS + 1],
    side_to_move: Color,
    en_passant: Option<Square>,
}

/// The code of a rook that may castle. Other pieces have their kind's index plus 1; 0 is empty.
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
    /// Restores the position, with halfmove clock 0 and move number 1.
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
            let color = Color::from_white(!black.contains(square));
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
