//! The 960 start positions of Chess960 (FIDE Guidelines II), by their usual numbers.
//!
//! Source of the numbering: Scharnagl. The number is a mixed radix of four choices: a square for
//! the bishop on light squares, one for the other bishop, a free square for the queen, and two free
//! squares for the knights. The king takes the middle one of the last three squares.

use super::Position;
use crate::types::{CastlingMode, PieceKind};

/// Number of start positions.
pub const CHESS960_STARTS: u32 = 960;

/// Free squares of the two knights, out of five, in the order of the numbering.
const KNIGHTS: [[usize; 2]; 10] = [
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [3, 4],
];

impl Position {
    /// The start position of Chess960 with this number, from 0 to 959; 518 is the standard one.
    ///
    /// ```
    /// use tabiya::board::Position;
    /// assert_eq!(Position::chess960(518), Some(Position::start()));
    /// let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    /// assert_eq!(Position::chess960(0), Some(Position::from_fen(fen).unwrap()));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u32) -> Option<Self> {
        if number >= CHESS960_STARTS {
            return None;
        }
        let number = number as usize;
        let mut rank = [None; 8];
        rank[number % 4 * 2 + 1] = Some(PieceKind::Bishop);
        rank[number / 4 % 4 * 2] = Some(PieceKind::Bishop);
        let mut put = |kind, places: &[usize]| {
            let free: Vec<_> = (0..8).filter(|&file| rank[file].is_none()).collect();
            for &place in places {
                rank[free[place]] = Some(kind);
            }
        };
        put(PieceKind::Queen, &[number / 16 % 6]);
        put(PieceKind::Knight, &KNIGHTS[number / 96]);
        put(PieceKind::King, &[1]);
        put(PieceKind::Rook, &[0, 1]);
        let letters = rank.into_iter().flatten().map(PieceKind::letter);
        let black: String = letters.collect();
        let white = black.to_uppercase();
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
        let validated = Self::from_fen_repaired(&fen, Some(CastlingMode::Chess960));
        Some(validated.ok()?.position)
    }
}
