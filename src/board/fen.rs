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
#[non_exhaustive]
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
#[non_exhaustive]
pub enum ParsePositionError {
    /// The text is not a FEN.
    Fen(FenError),
    /// The text is the FEN of an illegal position, or of one that needs repairs.
    Setup(SetupError),
}

impl From<FenError> for ParsePositionError {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

impl From<SetupError> for ParsePositionError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
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

/// The line of an EPD file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epd {
    /// The position. Its counters are those of a FEN or of the operations `hmvc` and `fmvn`.
    pub setup: Setup,
    /// The castling mode that the letters of the castling field imply, as for
    /// [`Position::from_fen_repaired`].
    pub mode: CastlingMode,
    /// The rest of the line, with single blanks between words.
    pub operations: String,
}

type Fields<'a> = Peekable<SplitAsciiWhitespace<'a>>;

/// Reads a FEN of one to six fields. Missing fields default to `w - - 0 1`.
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::read(text).map(|(setup, _)| setup)
    }
}

impl FromStr for Epd {
    type Err = FenError;

    /// Reads the four fields of an EPD position, and the two counters: as in a FEN, or by the
    /// operations `hmvc` and `fmvn`.
    ///
    /// ```
    /// use tabiya::board::Epd;
    /// let epd: Epd = "8/8/8/8/8/k7/p7/K7 w - - bm a1b1; id \"none\";".parse().unwrap();
    /// assert_eq!(epd.operations, "bm a1b1; id \"none\";");
    /// assert_eq!(epd.setup.fullmove_number, 1);
    /// let quoted: Epd = "8/8/8/8/8/k7/p7/K7 w - - c0 \"a; hmvc 7;\"; fmvn 40;".parse().unwrap();
    /// assert_eq!((quoted.setup.halfmove_clock, quoted.setup.fullmove_number), (0, 40));
    /// ```
    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_ascii_whitespace().peekable();
        let mut setup = Setup::EMPTY;
        let mode = setup.read_position(&mut fields)?;
        let mut has_counters = false;
        // A semicolon may stand after the last field.
        let counter = |text: &&str| parse_counter(text.trim_end_matches(';')).ok();
        if let Some(halfmove_clock) = fields.peek().and_then(counter) {
            fields.next();
            has_counters = true;
            setup.halfmove_clock = halfmove_clock;
            if let Some(fullmove_number) = fields.peek().and_then(counter) {
                fields.next();
                setup.fullmove_number = fullmove_number;
            }
        }
        let operations = fields.collect::<Vec<_>>().join(" ");
        if !has_counters {
            let number = |name| parse_counter(operand(&operations, name)?).ok();
            setup.halfmove_clock = number("hmvc").unwrap_or(setup.halfmove_clock);
            setup.fullmove_number = number("fmvn").unwrap_or(setup.fullmove_number);
        }
        Ok(Self {
            setup,
            mode,
            operations,
        })
    }
}

impl Setup {
    /// Reads a FEN and the castling mode that its letters imply.
    fn read(text: &str) -> Result<(Self, CastlingMode), FenError> {
        let mut fields = text.split_ascii_whitespace().peekable();
        let mut setup = Self::EMPTY;
        let mode = setup.read_position(&mut fields)?;
        if let Some(text) = fields.next() {
            setup.halfmove_clock = parse_counter(text)?;
        }
        if let Some(text) = fields.next() {
            setup.fullmove_number = parse_counter(text)?;
        }
        match fields.next() {
            Some(text) => Err(FenError::Trailing(text.to_owned())),
            None => Ok((setup, mode)),
        }
    }

    /// Reads the first four fields. Returns the castling mode that the third one implies.
    fn read_position(&mut self, fields: &mut Fields<'_>) -> Result<CastlingMode, FenError> {
        self.board = parse_board(fields.next().ok_or(FenError::Empty)?)?;
        match fields.next() {
            None => {}
            Some("w" | "W") => self.side_to_move = Color::White,
            Some("b" | "B") => self.side_to_move = Color::Black,
            Some(text) => return Err(FenError::Side(text.to_owned())),
        }
        let mut mode = CastlingMode::Standard;
        if let Some(text) = fields.next() {
            let named = self
                .parse_castling(text)
                .ok_or_else(|| FenError::Castling(text.to_owned()))?;
            self.castling = named.rooks;
            mode = self.mode_of(named);
        }
        self.en_passant = match fields.next() {
            None | Some("-") => None,
            Some(text) => Some(
                text.parse()
                    .map_err(|_| FenError::EnPassant(text.to_owned()))?,
            ),
        };
        Ok(mode)
    }

    /// The rooks in a castling field: `KQkq` mean the outermost rook on that side, `HAha` the rook
    /// on that file.
    fn parse_castling(&self, text: &str) -> Option<NamedRooks> {
        let mut named = NamedRooks::default();
        if text == "-" {
            return Some(named);
        }
        if text.len() > 4 {
            return None;
        }
        for letter in text.chars() {
            let color = Color::from_white(letter.is_ascii_uppercase());
            let rook = match letter.to_ascii_lowercase() {
                'k' => self.outermost_rook(color, CastlingSide::KingSide),
                'q' => self.outermost_rook(color, CastlingSide::QueenSide),
                file => {
                    let file = File::from_letter(file)?;
                    let rook = Square::new(file, Rank::R1.relative_to(color));
                    named.by_file |= rook.into();
                    rook
                }
            };
            named.rooks |= rook.into();
        }
        Some(named)
    }

    /// The castling mode that the letters of the castling field imply.
    ///
    /// The letters of files belong to Chess960. `KQkq` are standard as soon as one right is
    /// possible there, because other programs leave rights in a FEN whose king or rook has moved.
    /// They are Chess960 only if all rights are possible, and none in standard chess.
    fn mode_of(&self, named: NamedRooks) -> CastlingMode {
        let standard = self.possible_rights(named.rooks, CastlingMode::Standard);
        let chess960 = self.possible_rights(named.rooks, CastlingMode::Chess960);
        let are_only_chess960 = standard.is_empty() && chess960 == named.rooks;
        CastlingMode::from_chess960(
            chess960.intersects(named.by_file) || named.rooks.any() && are_only_chess960,
        )
    }

    /// The rooks that `KQkq` mean and that may castle by the rules of this mode.
    pub(crate) fn outermost_rights(&self, mode: CastlingMode) -> Bitboard {
        let of = |color| CastlingSide::ALL.map(|side| self.outermost_rook(color, side));
        let rooks = Color::ALL.into_iter().flat_map(of).collect();
        self.possible_rights(rooks, mode)
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
        self.with_castling(&self.castling_letters(|rook, _| rook.file().letter()))
    }

    /// The FEN for a game of this castling mode, which its letters imply.
    ///
    /// The castling rights are X-FEN: `KQkq` for the outermost rooks, files for inner ones. Where
    /// that would be read as standard chess in a game of Chess960, they are Shredder's `HAha`.
    ///
    /// ```
    /// use tabiya::board::Position;
    /// use tabiya::types::CastlingMode;
    /// let start = Position::start();
    /// let fen = start.to_fen(CastlingMode::Chess960);
    /// assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    /// let other = Position::chess960(0).unwrap().to_fen(CastlingMode::Chess960);
    /// assert_eq!(other, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// ```
    pub fn to_fen(&self, mode: CastlingMode) -> String {
        let letters = self.castling_letters(|rook, color| {
            let mut sides = CastlingSide::ALL.into_iter().zip(['k', 'q']);
            let outermost = sides.find(|&(side, _)| self.outermost_rook(color, side) == rook);
            outermost.map_or(rook.file().letter(), |(_, letter)| letter)
        });
        let implied = self
            .parse_castling(&letters)
            .map_or(mode, |named| self.mode_of(named));
        match (mode, implied) {
            (CastlingMode::Chess960, CastlingMode::Standard) => self.to_shredder_fen(),
            _ => self.with_castling(&letters),
        }
    }

    fn with_castling(&self, castling: &str) -> String {
        let board: Vec<_> = Rank::ALL
            .into_iter()
            .rev()
            .map(|rank| self.rank_to_fen(rank))
            .collect();
        format!(
            "{} {} {} {} {} {}",
            board.join("/"),
            self.side_to_move.letter(),
            castling,
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

    /// The letters of the castling rights, White before Black, king side before queen side; `-`
    /// without rights. `letter` gives the small letter of a rook.
    fn castling_letters(&self, letter: impl Fn(Square, Color) -> char) -> String {
        let mut letters = String::new();
        for color in Color::ALL {
            let rooks = self.castling & Rank::R1.relative_to(color).into();
            let mut of_color: Vec<_> = rooks.into_iter().collect();
            of_color.reverse();
            letters.extend(of_color.into_iter().map(|rook| {
                let letter = letter(rook, color);
                match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                }
            }));
        }
        if letters.is_empty() {
            letters.push('-');
        }
        letters
    }
}

/// The operations of EPD whose names have no digits: those of the PGN standard (16.2.5), and `acd`,
/// `avf`, `cc`, `pl`, `ply` and `wv` of other programs. Besides them there are `c0` to `c9`, `v0`
/// to `v9`, and `D1` and so on, the counts of perft.
const OPERATIONS: [&str; 30] = [
    "acd",
    "acn",
    "acs",
    "am",
    "avf",
    "bm",
    "cc",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "id",
    "nic",
    "noop",
    "pl",
    "ply",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "tcgs",
    "tcri",
    "tcsi",
    "wv",
];

/// Whether a text is operations of EPD: it begins with the name of one, or ends as they do.
#[must_use]
pub fn is_epd_operations(text: &str) -> bool {
    let name = text.trim_start_matches([';', ' ']);
    let end = name.find([' ', ';']).unwrap_or(name.len());
    let name = &name[..end];
    let is_numbered = name
        .strip_prefix(['c', 'v', 'D'])
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    is_numbered || OPERATIONS.contains(&name) || text.ends_with(';')
}

/// The operand of an operation with one operand.
fn operand<'a>(operations: &'a str, name: &str) -> Option<&'a str> {
    let operands = |operation: &'a str| operation.strip_prefix(name)?.strip_prefix(' ');
    each_operation(operations).find_map(operands).map(str::trim)
}

/// The operations of a line of EPD, without the semicolons between them.
/// Those within quotes belong to the operation.
pub fn each_operation(operations: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    let ends = move |letter| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    };
    let each = operations.split(ends).map(str::trim);
    each.filter(|operation| !operation.is_empty())
}

/// The rooks that a castling field names.
#[derive(Clone, Copy, Default)]
struct NamedRooks {
    rooks: Bitboard,
    /// Those named by their file.
    by_file: Bitboard,
}

impl Position {
    /// Reads a FEN in which nothing has to be repaired.
    ///
    /// Missing fields at the end default to `w - - 0 1`. The castling mode follows from the letters
    /// of the castling field, as for [`Self::from_fen_repaired`], but need not be known.
    ///
    /// # Errors
    /// If the text is not a FEN, if the position cannot be played, or if another field contradicts
    /// the board.
    ///
    /// ```
    /// use tabiya::board::Position;
    /// assert!(Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").is_ok());
    /// let error = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1").unwrap_err();
    /// let reason = "illegal position: a castling right lacks its king or rook";
    /// assert_eq!(error.to_string(), reason);
    /// ```
    pub fn from_fen(text: &str) -> Result<Self, ParsePositionError> {
        let validated = Self::from_fen_repaired(text, None)?;
        if validated.repairs().is_empty() {
            Ok(validated.position)
        } else {
            Err(SetupError(validated.defects).into())
        }
    }

    /// Reads a FEN and repairs what can be repaired: castling rights without king or rook, an
    /// impossible en passant square, counters out of range. Returns what was repaired, too.
    ///
    /// With `mode` `None`, the castling mode follows from the castling field. Files such as `HAha`
    /// mean Chess960 if a rook with such a right stands there. `KQkq` mean standard chess if one of
    /// these rights is possible there, and the others are dropped; Chess960 if all are possible,
    /// but only in Chess960; and otherwise standard chess.
    ///
    /// # Errors
    /// If the text is not a FEN, or if the position cannot be played.
    ///
    /// ```
    /// use tabiya::board::{Defect, Position};
    /// use tabiya::types::CastlingMode;
    /// let read = Position::from_fen_repaired("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", None).unwrap();
    /// assert_eq!(read.mode, CastlingMode::Chess960);
    /// assert!(read.repairs().is_empty());
    /// let fen = "r2k3r/8/8/8/8/8/8/R3K3 w Qkq - 0 1";
    /// let read = Position::from_fen_repaired(fen, None).unwrap();
    /// assert_eq!(read.mode, CastlingMode::Standard);
    /// assert!(read.repairs().contains(Defect::BadCastlingRights));
    /// assert_eq!(read.position.to_string(), "r2k3r/8/8/8/8/8/8/R3K3 w Q - 0 1");
    /// ```
    pub fn from_fen_repaired(
        text: &str,
        mode: Option<CastlingMode>,
    ) -> Result<Validated, ParsePositionError> {
        let (setup, implied) = Setup::read(text)?;
        Ok(setup.validate(mode.unwrap_or(implied))?)
    }

    /// Reads a FEN as [`Self::from_fen_repaired`], or a line of EPD. Returns the operations of the
    /// EPD too.
    ///
    /// # Errors
    /// As for [`Self::from_fen_repaired`].
    ///
    /// ```
    /// use tabiya::board::Position;
    /// let line = "8/8/8/8/8/k7/p7/K7 w - - hmvc 3; id \"none\";";
    /// let (read, operations) = Position::from_epd_repaired(line, None).unwrap();
    /// assert_eq!(read.position.to_string(), "8/8/8/8/8/k7/p7/K7 w - - 3 1");
    /// assert_eq!(operations, "hmvc 3; id \"none\";");
    /// // A misspelt word is not an operation.
    /// assert!(Position::from_epd_repaired("8/8/8/8/8/k7/p7/K7 w - - 0 1 move", None).is_err());
    /// ```
    pub fn from_epd_repaired(
        text: &str,
        mode: Option<CastlingMode>,
    ) -> Result<(Validated, String), ParsePositionError> {
        let read = Self::from_fen_repaired(text, mode);
        let Err(ParsePositionError::Fen(FenError::Counter(_) | FenError::Trailing(_))) = &read
        else {
            return Ok((read?, String::new()));
        };
        match text.parse::<Epd>() {
            Ok(epd) if epd.operations.is_empty() || is_epd_operations(&epd.operations) => {
                let validated = epd.setup.validate(mode.unwrap_or(epd.mode))?;
                Ok((validated, epd.operations))
            }
            _ => Ok((read?, String::new())),
        }
    }

    /// As [`Setup::to_fen`]. The en passant square is written only if the capture is legal.
    pub fn to_fen(&self, mode: CastlingMode) -> String {
        self.to_setup().to_fen(mode)
    }
}

/// As [`Position::from_fen`].
impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        Self::from_fen(text)
    }
}

/// [`Setup::to_fen`] in the mode that keeps most of the castling rights.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_fen(self.castling_mode()))
    }
}

/// The FEN. The en passant square is written only if the capture is legal.
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
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(text.parse().unwrap_or(u32::MAX))
    } else {
        Err(FenError::Counter(text.to_owned()))
    }
}
