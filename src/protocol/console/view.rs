//! Draws the board as text.

use crate::board::Position;
use crate::types::{Color, File, Move, Piece, PieceKind, Rank, Square};
use std::fmt::Write as _;

/// Maximum length of a line, for the narrowest usual terminal.
const WIDTH: usize = 80;

/// Breaks lines at blanks, so that each has at most [`WIDTH`] characters. Continued lines are
/// indented.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    let lines = text.lines().map(|line| {
        let mut wrapped = String::new();
        let mut column = 0;
        for (index, word) in line.split(' ').enumerate() {
            let length = word.chars().count();
            if column > indent && column + 1 + length > WIDTH {
                let _ = write!(wrapped, "\n{:indent$}", "");
                column = indent;
            } else if index > 0 {
                wrapped.push(' ');
                column += 1;
            }
            wrapped += word;
            column += length;
        }
        wrapped
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Style of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Draws pieces as letters instead of Unicode chess symbols.
    pub ascii: bool,
    /// Uses ANSI colors.
    pub color: bool,
    /// The output is a terminal: shows the progress of the search in a line that is overwritten.
    pub live: bool,
}

/// Mark of a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    LastMove,
    Check,
}

const RESET: &str = "\x1b[0m";
const WHITE_PIECE: &str = "\x1b[1;38;5;231m";
const BLACK_PIECE: &str = "\x1b[38;5;16m";

/// The board with coordinates, seen from `side`. The last move and a king in check are marked.
///
/// With colors, marks are backgrounds. Without, `[ ]` marks the last move and `( )` a king in
/// check.
pub(super) fn board(position: &Position, last: Option<Move>, side: Color, style: Style) -> String {
    let mut files = File::ALL.to_vec();
    let mut ranks = Rank::ALL.to_vec();
    match side {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut text = String::new();
    for rank in ranks {
        let _ = write!(text, " {rank} ");
        for &file in &files {
            let square = Square::new(file, rank);
            let mark = mark(position, last, square);
            text += &square_text(position.piece_at(square), square, mark, style);
        }
        text.push('\n');
    }
    text += "   ";
    for file in files {
        let _ = write!(text, " {file} ");
    }
    text.push('\n');
    text
}

fn mark(position: &Position, last: Option<Move>, square: Square) -> Mark {
    let ends = |mv: Move| [mv.from(), mv.castling_king_target().unwrap_or(mv.to())];
    if position.in_check() && square == position.king(position.side_to_move()) {
        Mark::Check
    } else if last.is_some_and(|mv| ends(mv).contains(&square)) {
        Mark::LastMove
    } else {
        Mark::None
    }
}

fn square_text(piece: Option<Piece>, square: Square, mark: Mark, style: Style) -> String {
    let empty = if style.color { ' ' } else { '.' };
    // A figure shows the color of its piece, so that the board can be copied without its colors.
    let symbol = match piece {
        None => empty,
        Some(piece) if style.ascii => piece.letter(),
        Some(piece) => figure(piece),
    };
    if style.color {
        let background = match (mark, square.is_light()) {
            (Mark::None, true) => 180,
            (Mark::None, false) => 137,
            (Mark::LastMove, true) => 185,
            (Mark::LastMove, false) => 143,
            (Mark::Check, _) => 160,
        };
        let foreground = match piece.map(Piece::color) {
            Some(Color::White) => WHITE_PIECE,
            _ => BLACK_PIECE,
        };
        return format!("\x1b[48;5;{background}m{foreground} {symbol} {RESET}");
    }
    match mark {
        Mark::None => format!(" {symbol} "),
        Mark::LastMove => format!("[{symbol}]"),
        Mark::Check => format!("({symbol})"),
    }
}

const fn figure(piece: Piece) -> char {
    match (piece.color(), piece.kind()) {
        (Color::White, PieceKind::King) => '♔',
        (Color::White, PieceKind::Queen) => '♕',
        (Color::White, PieceKind::Rook) => '♖',
        (Color::White, PieceKind::Bishop) => '♗',
        (Color::White, PieceKind::Knight) => '♘',
        (Color::White, PieceKind::Pawn) => '♙',
        (Color::Black, PieceKind::King) => '♚',
        (Color::Black, PieceKind::Queen) => '♛',
        (Color::Black, PieceKind::Rook) => '♜',
        (Color::Black, PieceKind::Bishop) => '♝',
        (Color::Black, PieceKind::Knight) => '♞',
        (Color::Black, PieceKind::Pawn) => '♟',
    }
}
