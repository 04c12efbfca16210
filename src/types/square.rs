//! Squares, files and ranks.

use super::Color;
use std::fmt;
use std::str::FromStr;

index_enum! {
    /// A file, `a` to `h`.
    #[allow(missing_docs)]
    pub enum File { A, B, C, D, E, F, G, H }
}

impl File {
    /// The lower-case letter, `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file for a letter of either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            lower @ 'a'..='h' => Self::from_index((lower as u8 - b'a') as usize),
            _ => None,
        }
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

index_enum! {
    /// A rank, 1 to 8, from White's view.
    #[allow(missing_docs)]
    pub enum Rank { R1, R2, R3, R4, R5, R6, R7, R8 }
}

impl Rank {
    /// The same rank as `color` counts it: White's fourth is Black's fifth.
    #[inline(always)]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::ALL[7 - self.index()],
        }
    }

    /// The digit, `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank for a digit.
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Self::from_index((digit as u8 - b'1') as usize),
            _ => None,
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.digit())
    }
}

index_enum! {
    /// A square; a1 is 0, b1 is 1, h8 is 63.
    #[allow(missing_docs)]
    pub enum Square {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

impl Square {
    /// The square on this file and rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_low_bits(8 * rank.index() + file.index())
    }

    /// The square whose index is the low six bits of `bits`.
    #[inline(always)]
    pub const fn from_low_bits(bits: usize) -> Self {
        match Self::from_index(bits & 63) {
            Some(square) => square,
            None => unreachable!(),
        }
    }

    /// Its file.
    #[inline(always)]
    pub const fn file(self) -> File {
        match File::from_index(self.index() % 8) {
            Some(file) => file,
            None => unreachable!(),
        }
    }

    /// Its rank.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        match Rank::from_index(self.index() / 8) {
            Some(rank) => rank,
            None => unreachable!(),
        }
    }

    /// The square `files` to the right and `ranks` up, from White's view; `None` off the board.
    ///
    /// ```
    /// use tabiya::types::Square;
    /// assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
    /// assert_eq!(Square::H4.offset(1, 0), None);
    /// assert_eq!(Square::H4.offset(127, -128), None);
    /// ```
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self.index() as i8 % 8).saturating_add(files);
        let rank = (self.index() as i8 / 8).saturating_add(ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Self::from_index((8 * rank + file) as usize)
    }

    /// The square whose index is greater by `delta`, modulo 64.
    ///
    /// Used to go back along a shift that did not leave the board.
    #[inline(always)]
    #[must_use]
    pub const fn shifted(self, delta: i8) -> Self {
        Self::from_low_bits((self.index() as i8).wrapping_add(delta) as usize)
    }

    /// The same square from the view of `color`: Black counts the ranks from the other side.
    #[inline(always)]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::from_low_bits(self.index() ^ 56),
        }
    }

    /// Whether the square is a light one.
    pub const fn is_light(self) -> bool {
        (self.file().index() + self.rank().index()) % 2 == 1
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

/// The error for a text that is not the name of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a letter from a to h and a digit from 1 to 8")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads a name such as `e4`. The letter must be lower case.
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let mut letters = text.chars();
        match (letters.next(), letters.next(), letters.next()) {
            (Some(file @ 'a'..='h'), Some(rank), None) => File::from_letter(file)
                .zip(Rank::from_digit(rank))
                .map(|(file, rank)| Self::new(file, rank))
                .ok_or(ParseSquareError),
            _ => Err(ParseSquareError),
        }
    }
}
