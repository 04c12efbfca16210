//! Forsyth-Edwards notation: reads and writes FEN, X-FEN and Shredder-FEN.
//!
//! The reader is lenient about spacing, missing fields and the order of castling rights, and strict
//! about meaning. It returns a [`Setup`]; [`Setup::validate`] decides whether it can be played.
//!
//! Sources: PGN standard, 16.1; Scharnagl, *X-FEN*. The Shredder form names the files of the rooks,
//! `HAha`.

use super::{Position, Setup, SetupError, Validated};
use crate::types::{
    Bitboard, CastlingMode, CastlingSide, Color, File, Piece, PieceKind, Rank, Square,
};
use std::fmt;
use std::iter::Peekable;
use std::str::{FromStr, SplitAsciiWhitespace};

/// Why a text is not a FEN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FenError {
    /// The text is empty.
    Empty,
    /// The board has this number of ranks instead of 8.
    Ranks(usize),
    /// This rank does not have 8 files.
    Files(Rank),
    /// A letter is neither a piece nor a digit from 1 to 8.
    Piece(char),
    /// The side to move is neither `w` nor `b`.
    Side(String),
    /// The castling field has an unknown letter, or more than four letters.
    Castling(String),
    /// The en passant field is neither `-` nor a square.
    EnPassant(String),
    /// A move counter is not a number.
    Counter(String),
    /// Text follows the last field.
    Trailing(String),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "bad FEN: the text is empty"),
            Self::Ranks(count) => write!(f, "bad FEN: the board needs 8 ranks, not {count}"),
            Self::Files(rank) => write!(f, "bad FEN: rank {rank} does not have 8 files"),
            Self::Piece(letter) => {
                write!(
                    f,
                    "bad FEN: '{letter}' is neither a piece nor a digit from 1 to 8"
                )
            }
            Self::Side(text) => write!(f, "bad FEN: the side to move is 'w' or 'b', not '{text}'"),
            Self::Castling(text) => write!(f, "bad FEN: '{text}' is not a castling field"),
            Self::EnPassant(text) => write!(f, "bad FEN: '{text}' is not an en passant square"),
            Self::Counter(text) => write!(f, "bad FEN: '{text}' is not a move counter"),
            Self::Trailing(text) => write!(f, "bad FEN: '{text}' follows the last field"),
        }
    }
}

impl std::error::Error for FenError {}

/// Why a text is not a position that can be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsePositionError {
    /// The text is not a FEN.
    Fen(FenError),
    /// The text is the FEN of an illegal position.
    Setup(SetupError),
}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => error.fmt(f),
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ParsePositionError {}

type Fields<'a> = Peekable<SplitAsciiWhitespace<'a>>;

/// Reads a FEN of one to six fields. Missing fields default to `w - - 0 1`.
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_ascii_whitespace().peekable();
        let mut setup = Self::EMPTY;
        setup.read_position(&mut fields)?;
        if let Some(text) = fields.next() {
            setup.halfmove_clock = parse_counter(text)?;
        }
        if let Some(text) = fields.next() {
            setup.fullmove_number = parse_counter(text)?;
        }
        match fields.next() {
            Some(text) => Err(FenError::Trailing(text.to_owned())),
            None => Ok(setup),
        }
    }
}

impl Setup {
    /// Reads the four fields of an EPD position, and the two counters of a FEN if they follow.
    /// Returns the rest of the line too: the operations.
    ///
    /// # Errors
    /// If the fields are not a setup.
    ///
    /// ```
    /// use tabiya::board::Setup;
    /// let epd = "8/8/8/8/8/k7/p7/K7 w - - bm a1b1; id \"none\";";
    /// let (setup, operations) = Setup::from_epd(epd).unwrap();
    /// assert_eq!(operations, "bm a1b1; id \"none\";");
    /// assert_eq!(setup.fullmove_number, 1);
    /// ```
    pub fn from_epd(text: &str) -> Result<(Self, String), FenError> {
        let mut fields = text.split_ascii_whitespace().peekable();
        let mut setup = Self::EMPTY;
        setup.read_position(&mut fields)?;
        if let Some(Ok(halfmove_clock)) = fields.peek().map(|text| parse_counter(text)) {
            fields.next();
            setup.halfmove_clock = halfmove_clock;
            if let Some(Ok(fullmove_number)) = fields.peek().map(|text| parse_counter(text)) {
                fields.next();
                setup.fullmove_number = fullmove_number;
            }
        }
        Ok((setup, fields.collect::<Vec<_>>().join(" ")))
    }

    fn read_position(&mut self, fields: &mut Fields<'_>) -> Result<(), FenError> {
        self.board = parse_board(fields.next().ok_or(FenError::Empty)?)?;
        match fields.next() {
            None => {}
            Some("w" | "W") => self.side_to_move = Color::White,
            Some("b" | "B") => self.side_to_move = Color::Black,
            Some(text) => return Err(FenError::Side(text.to_owned())),
        }
        if let Some(text) = fields.next() {
            self.castling = self
                .parse_castling(text)
                .ok_or_else(|| FenError::Castling(text.to_owned()))?;
        }
        self.en_passant = match fields.next() {
            None | Some("-") => None,
            Some(text) => Some(
                text.parse()
                    .map_err(|_| FenError::EnPassant(text.to_owned()))?,
            ),
        };
        Ok(())
    }

    /// The rooks in a castling field: `KQkq` mean the outermost rook on that side, `HAha` the rook
    /// on that file.
    fn parse_castling(&self, text: &str) -> Option<Bitboard> {
        if text == "-" {
            return Some(Bitboard::EMPTY);
        }
        if text.len() > 4 {
            return None;
        }
        let mut rooks = Bitboard::EMPTY;
        for letter in text.chars() {
            let color = Color::from_white(letter.is_ascii_uppercase());
            let rook = match letter.to_ascii_lowercase() {
                'k' => self.outermost_rook(color, CastlingSide::KingSide),
                'q' => self.outermost_rook(color, CastlingSide::QueenSide),
                file => Square::new(File::from_letter(file)?, Rank::R1.relative_to(color)),
            };
            rooks |= rook.into();
        }
        Some(rooks)
    }

    /// The rook that `K` or `Q` means, or the standard corner if no rook stands on that side.
    fn outermost_rook(&self, color: Color, side: CastlingSide) -> Square {
        let rank = Rank::R1.relative_to(color);
        let king = (self.pieces(color, PieceKind::King) & rank.into()).first();
        let rooks = (self.pieces(color, PieceKind::Rook) & rank.into())
            .into_iter()
            .filter(|&rook| king.is_some_and(|king| CastlingSide::of(king, rook) == side));
        let outermost = match side {
            CastlingSide::KingSide => rooks.max(),
            CastlingSide::QueenSide => rooks.min(),
        };
        outermost.unwrap_or(Square::new(side.standard_rook_file(), rank))
    }

    /// The FEN with castling rights in Shredder's form, by the files of the rooks: `HAha`.
    pub fn to_shredder_fen(&self) -> String {
        self.to_fen(CastlingMode::Chess960)
    }

    fn to_fen(&self, mode: CastlingMode) -> String {
        let board: Vec<_> = Rank::ALL
            .into_iter()
            .rev()
            .map(|rank| self.rank_to_fen(rank))
            .collect();
        let castling: String = self.castling_letters(mode).collect();
        format!(
            "{} {} {} {} {} {}",
            board.join("/"),
            self.side_to_move.letter(),
            if castling.is_empty() { "-" } else { &castling },
            self.en_passant
                .map_or("-".to_owned(), |square| square.to_string()),
            self.halfmove_clock,
            self.fullmove_number
        )
    }

    fn rank_to_fen(&self, rank: Rank) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in File::ALL {
            match self.board[Square::new(file, rank).index()] {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    /// White before Black, king side before queen side.
    fn castling_letters(&self, mode: CastlingMode) -> impl Iterator<Item = char> {
        Color::ALL.into_iter().flat_map(move |color| {
            let rooks = self.castling & Rank::R1.relative_to(color).into();
            let mut letters: Vec<_> = rooks
                .into_iter()
                .map(|rook| self.castling_letter(rook, color, mode))
                .collect();
            letters.reverse();
            letters
        })
    }

    fn castling_letter(&self, rook: Square, color: Color, mode: CastlingMode) -> char {
        let named = CastlingSide::ALL
            .into_iter()
            .zip(['k', 'q'])
            .find(|&(side, _)| {
                mode == CastlingMode::Standard && self.outermost_rook(color, side) == rook
            });
        let letter = named.map_or(rook.file().letter(), |(_, letter)| letter);
        if color == Color::White {
            letter.to_ascii_uppercase()
        } else {
            letter
        }
    }
}

impl Position {
    /// Reads a FEN for standard chess or Chess960, and repairs what can be repaired.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn from_fen(text: &str) -> Result<Self, ParsePositionError> {
        let (validated, _) = Self::read(text, Some(CastlingMode::Chess960))?;
        Ok(validated.position)
    }

    /// Reads a FEN. Returns the position with its defects, and the castling mode.
    ///
    /// With `mode` `None`, the mode is Chess960 only if the castling rights need it. All text
    /// becomes a position here.
    ///
    /// # Errors
    /// If the text is not a FEN, or if the position cannot be played.
    ///
    /// ```
    /// use tabiya::board::Position;
    /// use tabiya::types::CastlingMode;
    /// let (read, mode) = Position::read("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", None).unwrap();
    /// assert_eq!(mode, CastlingMode::Chess960);
    /// assert!(read.defects.is_empty());
    /// assert!(Position::read("4k3/8/8/8/8/8/8/8 w - - 0 1", None).is_err());
    /// ```
    pub fn read(
        text: &str,
        mode: Option<CastlingMode>,
    ) -> Result<(Validated, CastlingMode), ParsePositionError> {
        let setup: Setup = text.parse().map_err(ParsePositionError::Fen)?;
        let mode = mode.unwrap_or_else(|| setup.castling_mode());
        let validated = setup.validate(mode).map_err(ParsePositionError::Setup)?;
        Ok((validated, mode))
    }
}

/// FEN for standard chess, X-FEN for Chess960: `KQkq` for the outermost rooks, file letters for
/// inner ones.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_fen(CastlingMode::Standard))
    }
}

/// X-FEN. The en passant square is written only if the capture is legal.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

fn parse_board(text: &str) -> Result<[Option<Piece>; Square::COUNT], FenError> {
    let count = text.split('/').count();
    if count != Rank::COUNT {
        return Err(FenError::Ranks(count));
    }
    let mut board = [None; Square::COUNT];
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut file = 0;
        for letter in row.chars() {
            match letter {
                '1'..='8' => file += letter as usize - '0' as usize,
                _ => {
                    let piece = Piece::from_letter(letter).ok_or(FenError::Piece(letter))?;
                    let square = File::from_index(file).ok_or(FenError::Files(rank))?;
                    board[Square::new(square, rank).index()] = Some(piece);
                    file += 1;
                }
            }
        }
        if file != File::COUNT {
            return Err(FenError::Files(rank));
        }
    }
    Ok(board)
}

/// Reads a number of any length. A number that does not fit becomes the maximum, which
/// [`Setup::validate`] reports.
fn parse_counter(text: &str) -> Result<u32, FenError> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(text.parse().unwrap_or(u32::MAX))
    } else {
        Err(FenError::Counter(text.to_owned()))
    }
}
