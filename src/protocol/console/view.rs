//! Draws the board as text.

use crate::board::Position;
use crate::types::{Color, File, Move, Piece, PieceKind, Rank, Square};
use std::fmt::Write as _;

/// Maximum length of a line where the width of the terminal is not known.
pub(super) const USUAL_WIDTH: usize = 80;

/// Maximum length of a line in a wide terminal: longer ones are hard to read.
pub(super) const MAX_WIDTH: usize = 100;

/// Breaks lines at blanks, so that each has at most `width` characters if its words allow it.
/// Continued lines are indented, unless the terminal is too narrow for that.
pub(super) fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let indent = if 3 * indent > width { 2 } else { indent };
    let lines = text.lines().map(|line| {
        let mut wrapped = String::new();
        let mut column = 0;
        for (index, word) in line.split(' ').enumerate() {
            let length = word.chars().count();
            if column > indent && column + 1 + length > width {
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

/// The numbers of the colours of pieces and squares among the 256 of a terminal.
///
/// Both kinds of pieces stand on every square, so a square is neither light nor dark: the contrast
/// is 3:1 at least, which WCAG 2.2 asks for graphics (1.4.11). White pieces are bold.
mod colors {
    pub(super) const WHITE_PIECE: u8 = 231;
    pub(super) const BLACK_PIECE: u8 = 16;
    /// Light and dark squares.
    pub(super) const SQUARES: [u8; 2] = [137, 94];
    /// Squares of the last move.
    pub(super) const LAST_MOVE: [u8; 2] = [67, 61];
    /// A king in check.
    pub(super) const CHECK: u8 = 160;
}

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
    // With colors both sides have the filled figures, which are easier to see. Without, a figure
    // shows the side.
    let symbol = match piece {
        None => empty,
        Some(piece) if style.ascii => piece.letter(),
        Some(piece) if style.color => figure(Piece::new(Color::Black, piece.kind())),
        Some(piece) => figure(piece),
    };
    if style.color {
        let [light, dark] = match mark {
            Mark::None => colors::SQUARES,
            Mark::LastMove => colors::LAST_MOVE,
            Mark::Check => [colors::CHECK; 2],
        };
        let background = if square.is_light() { light } else { dark };
        let (bold, foreground) = match piece.map(Piece::color) {
            Some(Color::White) => ("1;", colors::WHITE_PIECE),
            _ => ("", colors::BLACK_PIECE),
        };
        return format!("\x1b[48;5;{background};{bold}38;5;{foreground}m {symbol} {RESET}");
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Red, green and blue of a colour of the cube, from 16 to 231, as xterm has them.
    fn rgb(number: u8) -> [f64; 3] {
        let number = u32::from(number) - 16;
        [36, 6, 1].map(|unit| match number / unit % 6 {
            0 => 0.0,
            step => f64::from(55 + 40 * step) / 255.0,
        })
    }

    /// The relative luminance of WCAG 2.2.
    fn luminance(number: u8) -> f64 {
        let linear = |share: f64| match share {
            share if share <= 0.040_45 => share / 12.92,
            share => ((share + 0.055) / 1.055).powf(2.4),
        };
        let [red, green, blue] = rgb(number).map(linear);
        0.212_6 * red + 0.715_2 * green + 0.072_2 * blue
    }

    fn contrast(one: u8, other: u8) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    /// The colours are read from the output, so that none is forgotten.
    #[test]
    fn every_piece_can_be_seen_on_every_square() {
        assert!((contrast(16, 231) - 21.0).abs() < 0.01);
        let style = Style {
            ascii: false,
            color: true,
            live: false,
        };
        let mut seen = 0;
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                for mark in [Mark::None, Mark::LastMove, Mark::Check] {
                    for square in [Square::A1, Square::H1] {
                        let piece = Piece::new(color, kind);
                        let text = square_text(Some(piece), square, mark, style);
                        let code = text.strip_prefix("\x1b[").unwrap();
                        let (code, rest) = code.split_once('m').unwrap();
                        let color_after = |name: &str| {
                            let (_, number) = code.split_once(name).unwrap();
                            number.split(';').next().unwrap().parse().unwrap()
                        };
                        let ratio = contrast(color_after("48;5;"), color_after("38;5;"));
                        assert!(ratio >= 3.0, "{piece:?} {code}: {ratio:.2}");
                        assert!(rest.contains(figure(Piece::new(Color::Black, kind))));
                        seen += 1;
                    }
                }
            }
        }
        assert_eq!(seen, 72);
        // Neighbouring squares differ, and so do marked ones from others.
        for [light, dark] in [colors::SQUARES, colors::LAST_MOVE] {
            assert!(contrast(light, dark) > 1.4);
        }
    }

    #[test]
    fn lines_break_at_the_width_of_the_terminal() {
        let text = "one two three four five six seven eight nine ten";
        for width in [10, 20, 30, 48, 80] {
            let lines = wrapped(text, 0, width);
            assert!(lines.lines().all(|line| line.len() <= width), "{lines}");
            let words: Vec<_> = lines.split_ascii_whitespace().collect();
            assert_eq!(words.join(" "), text);
        }
        assert_eq!(wrapped("a bcdefghijkl m", 0, 5), "a\nbcdefghijkl\nm");
        assert_eq!(wrapped("word word", 14, 8), "word\n  word");
    }
}
