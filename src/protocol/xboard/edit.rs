//! Edit mode: the board is set up piece by piece, as peers do that know no `setboard`.

use crate::board::{Position, Setup};
use crate::types::{Bitboard, Color, Piece, PieceKind, Square};

/// A board being set up. The side to move stays as it was.
pub(super) struct Edit {
    setup: Setup,
    color: Color,
}

/// What a line did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edited {
    Changed,
    Finished,
    /// The line is none of edit mode.
    Foreign,
}

impl Edit {
    /// Begins with a position, and with White's pieces.
    pub(super) fn new(position: &Position) -> Self {
        Self {
            setup: position.to_setup(),
            color: Color::White,
        }
    }

    /// `#` empties the board, `c` changes the colour, `Pa4` puts a piece there, `xa4` empties the square, `.` is the end.
    pub(super) fn line(&mut self, line: &str) -> Edited {
        match line.trim() {
            "#" => self.setup.board = Setup::EMPTY.board,
            "c" => self.color = !self.color,
            "." => return Edited::Finished,
            text => {
                let Some((piece, square)) = self.parse_piece(text) else {
                    return Edited::Foreign;
                };
                if let Some(place) = self.setup.board.get_mut(square.index()) {
                    *place = piece;
                }
            }
        }
        Edited::Changed
    }

    fn parse_piece(&self, text: &str) -> Option<(Option<Piece>, Square)> {
        let mut letters = text.chars();
        let piece = match letters.next()? {
            'x' | 'X' => None,
            letter => Some(Piece::new(self.color, PieceKind::from_letter(letter)?)),
        };
        Some((piece, letters.as_str().parse().ok()?))
    }

    /// The board as it was set up. Kings and rooks that stand where a game starts may castle.
    pub(super) fn finish(mut self) -> Setup {
        let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
        self.setup.castling = corners
            .into_iter()
            .filter(|&corner| self.may_castle(corner))
            .collect::<Bitboard>();
        self.setup.en_passant = None;
        self.setup.halfmove_clock = 0;
        self.setup
    }

    fn may_castle(&self, rook: Square) -> bool {
        let color = if rook.rank() == Square::A1.rank() {
            Color::White
        } else {
            Color::Black
        };
        let king = Square::new(Square::E1.file(), rook.rank());
        self.setup.pieces(color, PieceKind::King).contains(king)
            && self.setup.pieces(color, PieceKind::Rook).contains(rook)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::CastlingMode;

    fn edited(lines: &str) -> String {
        let mut edit = Edit::new(&Position::start());
        for line in lines.split(' ') {
            assert_eq!(edit.line(line), Edited::Changed, "{line}");
        }
        assert_eq!(edit.line("."), Edited::Finished);
        match edit.finish().validate(CastlingMode::Standard) {
            Ok(validated) => validated.position.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_board_is_set_up_piece_by_piece() {
        assert_eq!(
            edited("# Ke1 Rh1 Pa2 c Ke8 Ra8 Qd8"),
            "r2qk3/8/8/8/8/8/P7/4K2R w Kq - 0 1"
        );
        assert_eq!(
            edited("xe2 Pe4"),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
        );
        assert!(edited("# Ke1").starts_with("illegal position"));
    }

    #[test]
    fn what_is_no_editing_is_left_to_others() {
        let mut edit = Edit::new(&Position::start());
        for line in ["", "ping 3", "Pi9", "Pa4 b5", "quit", "é", "Zé4"] {
            assert_eq!(edit.line(line), Edited::Foreign, "{line}");
        }
    }
}
