//! Standard algebraic notation (PGN standard, 8.2.3; FIDE Laws, Appendix C).
//!
//! The writer uses the shortest form that is unambiguous. The reader also accepts castling with
//! zeros, missing or superfluous marks of capture and check, promotions such as `e8Q`, `e8(Q)` and
//! `e8/Q`, superfluous origins, long algebraic notation, coordinates with or without a hyphen,
//! castling as the king's move, typographic dashes, `e.p.` and annotation glyphs. It refuses a text
//! that matches no legal move or several.

use super::history::after;
use super::lan::{self, LanError};
use crate::board::Position;
use crate::types::{CastlingSide, Color, File, Move, PieceKind, Rank, Square};
use std::borrow::Cow;
use std::fmt;

/// Why a text is not a legal move in algebraic notation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SanError {
    /// A null move, such as `--`.
    Null,
    /// The text does not have the form of a move.
    Syntax(String),
    /// The text does not match a legal move.
    Illegal(String),
    /// Castling on this side is not legal.
    IllegalCastling(CastlingSide),
    /// The text matches these legal moves.
    Ambiguous(String, Vec<Move>),
    /// The move promotes, and the text does not name a piece.
    MissingPromotion(String),
}

impl SanError {
    /// The same error about this text, from which the one that was parsed was derived.
    #[must_use]
    pub(super) fn about(self, text: &str) -> Self {
        match self {
            Self::Syntax(_) => Self::Syntax(lan::beginning(text)),
            Self::Illegal(_) => Self::Illegal(text.to_owned()),
            Self::Ambiguous(_, moves) => Self::Ambiguous(text.to_owned(), moves),
            Self::MissingPromotion(_) => Self::MissingPromotion(text.to_owned()),
            Self::Null | Self::IllegalCastling(_) => self,
        }
    }
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => write!(f, "a null move is not legal in chess"),
            Self::Syntax(text) => {
                write!(f, "'{text}' is not a move such as Nf3, exd5, e8=Q or O-O")
            }
            Self::Illegal(text) => lan::write_illegal(f, text),
            Self::IllegalCastling(side) => write!(f, "{side} is not legal here"),
            Self::Ambiguous(text, moves) => {
                let moves: Vec<_> = moves.iter().map(Move::to_string).collect();
                write!(
                    f,
                    "{text} is ambiguous: it may be any of {}",
                    moves.join(", ")
                )
            }
            Self::MissingPromotion(text) => {
                write!(f, "{text} promotes a pawn: add =Q, =R, =B or =N")
            }
        }
    }
}

impl std::error::Error for SanError {}

/// Formats a legal move as PGN requires, and a null move as `--`.
///
/// # Panics
/// Perhaps, if the move is not legal.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::game::{lan, san};
/// let position = Position::from_fen("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
/// let write = |text| san::write(&position, lan::parse(&position, text).unwrap());
/// assert_eq!(write("b7a8n"), "bxa8=N");
/// assert_eq!(write("a1a8"), "Rxa8+");
/// assert_eq!(write("e1c1"), "O-O-O");
/// ```
pub fn write(position: &Position, mv: Move) -> String {
    if mv.is_null() {
        return "--".to_owned();
    }
    let mut text = without_check(position, mv);
    let next = position.play_unchecked(mv);
    if next.in_check() {
        text.push(if next.has_legal_move() { '+' } else { '#' });
    }
    text
}

/// Formats a line of legal moves with move numbers: `1. e4 e5 2. Nf3`.
///
/// # Panics
/// Perhaps, if a move is neither legal nor a null move of a side that is not in check.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::game::{lan, san};
/// let start = Position::start();
/// let e4 = lan::parse(&start, "e2e4").unwrap();
/// let next = start.play(e4).unwrap();
/// let e5 = lan::parse(&next, "e7e5").unwrap();
/// assert_eq!(san::write_line(&start, &[e4, e5]), "1. e4 e5");
/// assert_eq!(san::write_line(&next, &[e5]), "1... e5");
/// ```
pub fn write_line(position: &Position, moves: &[Move]) -> String {
    join(position, moves, true)
}

/// Formats a line of legal moves without move numbers.
///
/// # Panics
/// Perhaps, if a move is neither legal nor a null move of a side that is not in check.
pub fn write_moves(position: &Position, moves: &[Move]) -> String {
    join(position, moves, false)
}

fn join(position: &Position, moves: &[Move], with_numbers: bool) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for &mv in moves {
        if with_numbers {
            words.extend(move_number(&position, words.is_empty()));
        }
        words.push(write(&position, mv));
        position = after(&position, mv);
    }
    words.join(" ")
}

/// The number before a move: `1.` before one of White, `1...` before one of Black if it is the
/// first of a line, and none before another.
pub(super) fn move_number(position: &Position, is_first: bool) -> Option<String> {
    let number = position.fullmove_number();
    match position.side_to_move() {
        Color::White => Some(format!("{number}.")),
        Color::Black => is_first.then(|| format!("{number}...")),
    }
}

fn without_check(position: &Position, mv: Move) -> String {
    if let Some(side) = mv.castling_side() {
        return side.to_string();
    }
    let kind = position.moving_piece(mv).kind();
    let captures = position.is_capture(mv);
    let mut text = String::new();
    if kind != PieceKind::Pawn {
        text.push(kind.letter().to_ascii_uppercase());
        text += &origin(position, mv, kind);
    } else if captures {
        text.push(mv.from().file().letter());
    }
    if captures {
        text.push('x');
    }
    text += &mv.to().to_string();
    if let Some(promotion) = mv.promotion() {
        text.push('=');
        text.push(promotion.letter().to_ascii_uppercase());
    }
    text
}

/// The part of the origin that distinguishes the move from moves of like pieces: the file, else the
/// rank, else both.
fn origin(position: &Position, mv: Move, kind: PieceKind) -> String {
    let from = mv.from();
    let pieces = position.pieces(position.side_to_move(), kind);
    let twins: Vec<_> = position
        .legal_moves()
        .into_iter()
        .filter(|other| other.to() == mv.to() && !other.is_castling())
        .map(Move::from)
        .filter(|&other| other != from && pieces.contains(other))
        .collect();
    let any_on_file = twins.iter().any(|twin| twin.file() == from.file());
    let any_on_rank = twins.iter().any(|twin| twin.rank() == from.rank());
    match (twins.is_empty(), any_on_file, any_on_rank) {
        (true, _, _) => String::new(),
        (_, false, _) => from.file().to_string(),
        (_, true, false) => from.rank().to_string(),
        (_, true, true) => from.to_string(),
    }
}

/// Parses a legal move.
///
/// # Errors
/// If the text is not a move, or if it matches no legal move or several.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::game::san;
/// let position = Position::start();
/// assert_eq!(san::parse(&position, "Nf3!?").unwrap().to_string(), "g1f3");
/// assert_eq!(san::parse(&position, "e2-e4").unwrap().to_string(), "e2e4");
/// let error = san::parse(&position, "Nd2").unwrap_err();
/// assert_eq!(error.to_string(), "Nd2 is not a legal move here");
/// ```
pub fn parse(position: &Position, text: &str) -> Result<Move, SanError> {
    let plain: Cow<'_, str> = if text.is_ascii() {
        text.into()
    } else {
        text.replace(is_dash, "-").into()
    };
    let text = strip_marks(plain.trim());
    if is_null(text) {
        return Err(SanError::Null);
    }
    if let Some(side) = parse_castling(text) {
        return position
            .legal_moves()
            .into_iter()
            .find(|mv| mv.castling_side() == Some(side))
            .ok_or(SanError::IllegalCastling(side));
    }
    if let Some(coordinates) = coordinates(text) {
        return lan::parse(position, &coordinates).map_err(|error| match error {
            LanError::MissingPromotion(_) => SanError::MissingPromotion(text.to_owned()),
            _ => SanError::Illegal(text.to_owned()),
        });
    }
    let pattern = Pattern::parse(text).ok_or_else(|| SanError::Syntax(lan::beginning(text)))?;
    pattern.find(position, text)
}

/// Removes check marks, annotation glyphs and `e.p.` from the end, in any order.
fn strip_marks(text: &str) -> &str {
    fn bare(text: &str) -> &str {
        text.trim_end()
            .trim_end_matches(['+', '#', '!', '?'])
            .trim_end()
    }
    let text = bare(text);
    ["e.p.", "e.p", "ep"]
        .into_iter()
        .find_map(|mark| text.strip_suffix(mark))
        .map_or(text, bare)
}

/// The text behind a move number with its dots, as in `1. e4` and `1...e5`; without one, all of it.
pub(crate) fn after_number(text: &str) -> &str {
    let bytes = text.as_bytes();
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let dots = bytes.iter().skip(digits).take_while(|&&byte| byte == b'.');
    match dots.count() {
        dots if digits > 0 && dots > 0 => text.get(digits + dots..).unwrap_or_default(),
        _ => text,
    }
}

/// Whether the text is a null move, as ChessBase (`--`, `Z0`), Scid, XBoard and others write it.
pub(super) fn is_null(text: &str) -> bool {
    if text.starts_with(|letter: char| letter.is_ascii_alphabetic() && !"Zznp".contains(letter)) {
        return false;
    }
    let plain = text.replace(is_dash, "-");
    let plain = plain.trim_end_matches(['!', '?']);
    matches!(
        plain,
        "--" | "Z0" | "z0" | "<>" | "0000" | "@@@@" | "null" | "pass"
    ) || text == "—"
}

/// Whether the character is a piece of Unicode's chess symbols.
pub(super) fn is_figurine(letter: char) -> bool {
    ('♔'..='♟').contains(&letter)
}

/// Whether castling is written with this letter: O, zero, or a letter that looks like them.
pub(super) fn is_castling_letter(letter: char) -> bool {
    matches!(letter, 'O' | 'o' | '0' | 'О' | 'о' | 'Ο' | 'ο')
}

/// Whether the character is a hyphen, a dash or a minus sign.
pub(super) const fn is_dash(sign: char) -> bool {
    matches!(
        sign,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}'
    )
}

/// The text in plain coordinates if it has two squares, perhaps a promotion, and nothing else but
/// signs: `c1-b2`, `e7xd8=Q`, `E2-E4`.
fn coordinates(text: &str) -> Option<String> {
    let [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', _, _, ..] = *text.as_bytes() else {
        return None;
    };
    let plain = text.replace(['-', 'x', ':', '=', '(', ')', '/'], "");
    // In upper case, B is a file only if all letters are.
    let is_upper = !plain.contains(char::is_lowercase);
    let plain = if is_upper {
        plain.to_lowercase()
    } else {
        plain
    };
    lan::is_coordinates(&plain).then_some(plain)
}

fn parse_castling(text: &str) -> Option<CastlingSide> {
    let zeros = text.replace(is_castling_letter, "0");
    match zeros.as_str() {
        "0-0" => Some(CastlingSide::KingSide),
        "0-0-0" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// A parsed move other than castling.
struct Pattern {
    kind: PieceKind,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<PieceKind>,
}

impl Pattern {
    /// Parses piece, origin, `x`, target and promotion; only the target is mandatory.
    fn parse(text: &str) -> Option<Self> {
        let letters: Vec<char> = text.chars().collect();
        let mut rest = letters.as_slice();
        let mut kind = PieceKind::Pawn;
        if let [first @ 'A'..='Z', others @ ..] = rest {
            kind = PieceKind::from_letter(*first)?;
            rest = others;
        }
        let mut promotion = None;
        if let [others @ .., '(', letter, ')']
        | [others @ .., '=' | '/', letter]
        | [others @ .., letter @ ('A'..='Z' | 'a'..='z')] = rest
        {
            let named = PieceKind::from_letter(*letter)?;
            let possible = kind == PieceKind::Pawn && PieceKind::PROMOTIONS.contains(&named);
            promotion = Some(possible.then_some(named)?);
            rest = others;
        }
        let [rest @ .., file, rank] = rest else {
            return None;
        };
        let to = Square::new(lower_file(*file)?, Rank::from_digit(*rank)?);
        let ([rest @ .., 'x' | ':' | '-'] | rest) = rest;
        let (file, rank) = match rest {
            [] => (None, None),
            [letter] => {
                let (file, rank) = (lower_file(*letter), Rank::from_digit(*letter));
                (file.is_some() || rank.is_some()).then_some((file, rank))?
            }
            [file, rank] => (Some(lower_file(*file)?), Some(Rank::from_digit(*rank)?)),
            _ => return None,
        };
        Some(Self {
            kind,
            file,
            rank,
            to,
            promotion,
        })
    }

    /// The origin and target in coordinates, if the text has both.
    fn coordinates(&self) -> Option<String> {
        let from = Square::new(self.file?, self.rank?);
        Some(format!("{from}{}", self.to))
    }

    fn find(&self, position: &Position, text: &str) -> Result<Move, SanError> {
        let pieces = position.pieces(position.side_to_move(), self.kind);
        let mut moves: Vec<_> = position.legal_moves().into_iter().collect();
        moves.retain(|&mv| pieces.contains(mv.from()) && self.matches(mv));
        let all_promote = moves.iter().all(|mv| mv.promotion().is_some());
        if !moves.is_empty() && all_promote && self.promotion.is_none() {
            return Err(SanError::MissingPromotion(text.to_owned()));
        }
        moves.retain(|mv| mv.promotion() == self.promotion);
        match moves[..] {
            [] => self
                .castling(position)
                .ok_or_else(|| SanError::Illegal(text.to_owned())),
            [mv] => Ok(mv),
            _ => Err(SanError::Ambiguous(text.to_owned(), moves)),
        }
    }

    /// Castling written as the king's move: `Ke1-g1`.
    fn castling(&self, position: &Position) -> Option<Move> {
        let text = self
            .coordinates()
            .filter(|_| self.kind == PieceKind::King)?;
        lan::parse(position, &text)
            .ok()
            .filter(|mv| mv.is_castling())
    }

    /// Whether a move of this kind of piece has this origin and target. Promotions are not
    /// compared.
    fn matches(&self, mv: Move) -> bool {
        // A pawn without an origin advances on its file.
        let file = match self.kind {
            PieceKind::Pawn => self.file.or(Some(self.to.file())),
            _ => self.file,
        };
        !mv.is_castling()
            && mv.to() == self.to
            && file.is_none_or(|file| mv.from().file() == file)
            && self.rank.is_none_or(|rank| mv.from().rank() == rank)
    }
}

/// Files are lower case: `B` is a bishop.
fn lower_file(letter: char) -> Option<File> {
    File::from_letter(letter).filter(|_| letter.is_ascii_lowercase())
}
