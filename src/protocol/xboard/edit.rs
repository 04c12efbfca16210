//! Edit mode: sets up the board piece by piece, for peers without `setboard`.

use crate::board::{Position, Setup};
use crate::types::{CastlingMode, Color, Piece, PieceKind, Square};

/// The board in edit mode. The side to move does not change.
pub(super) struct Edit {
    setup: Setup,
    /// Color of the pieces to place.
    color: Color,
}

/// The effect of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edited {
    Changed,
    Finished,
    /// The line is not a command of edit mode.
    NotAnEdit,
}

impl Edit {
    /// Starts with a position and White's pieces.
    pub(super) fn new(position: &Position) -> Self {
        Self {
            setup: position.to_setup(),
            color: Color::White,
        }
    }

    /// Handles a line: `#` clears the board, `c` changes the color, `Pa4` places a piece, `xa4`
    /// clears a square, `.` ends edit mode.
    pub(super) fn line(&mut self, line: &str) -> Edited {
        match line.trim() {
            "#" => self.setup.board = Setup::EMPTY.board,
            "c" => self.color = !self.color,
            "." => return Edited::Finished,
            text => {
                let Some((piece, square)) = self.parse_piece(text) else {
                    return Edited::NotAnEdit;
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

    /// The finished setup. Kings and rooks on their home squares may castle; in Chess960 these are
    /// all squares of the back rank.
    pub(super) fn finish(mut self, mode: CastlingMode) -> Setup {
        self.setup.castling = self.setup.outermost_rights(mode);
        self.setup.en_passant = None;
        self.setup.halfmove_clock = 0;
        self.setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(lines: &str) -> String {
        edited_in(CastlingMode::Standard, lines)
    }

    fn edited_in(mode: CastlingMode, lines: &str) -> String {
        let mut edit = Edit::new(&Position::start());
        for line in lines.split(' ') {
            assert_eq!(edit.line(line), Edited::Changed, "{line}");
        }
        assert_eq!(edit.line("."), Edited::Finished);
        match edit.finish(mode).validate(mode) {
            Ok(validated) => validated.position.to_fen(mode),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn lines_set_up_a_board() {
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

    /// Any rook and king on the back rank may castle then, by the protocol.
    #[test]
    fn the_outermost_rooks_may_castle_in_chess960() {
        for (lines, fen) in [
            (
                "# Kf1 Rb1 Rc1 Rh1 c Kf8 Rb8",
                "1r3k2/8/8/8/8/8/8/1RR2K1R w KQq - 0 1",
            ),
            ("# Kf1 Rg2 c Kf7 Rh8", "7r/5k2/8/8/8/8/6R1/5K2 w - - 0 1"),
        ] {
            assert_eq!(edited_in(CastlingMode::Chess960, lines), fen);
        }
    }

    #[test]
    fn other_lines_are_not_edits() {
        let mut edit = Edit::new(&Position::start());
        for line in ["", "ping 3", "Pi9", "Pa4 b5", "quit", "é", "Zé4"] {
            assert_eq!(edit.line(line), Edited::NotAnEdit, "{line}");
        }
    }
}
