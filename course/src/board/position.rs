// ANCHOR: all
//! A position: the pieces and whatever else decides which moves are legal.

use super::attacks;
use super::types::{Bitboard, Color, Move, Piece, PieceKind, Square};
use std::fmt;

// ANCHOR: keys
/// A number that is practically different for different positions (Zobrist 1970).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key(pub u64);

/// The `n`th of a series of random numbers (splitmix64; Steele, Lea and Flood 2014).
fn random(n: usize) -> u64 {
    let mut x = (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

// Each fact has a number of the series: a piece on a square one of the first 768, then come the
// castling rights, the en passant square and the side to move.

/// The number of a piece on a square.
fn piece_key(Piece(color, kind): Piece, square: Square) -> u64 {
    random((color.index() * 6 + kind.index()) * 64 + square.index())
}

const CASTLING_KEYS: usize = 768;
const EN_PASSANT_KEYS: usize = CASTLING_KEYS + 16;
const SIDE_KEY: usize = EN_PASSANT_KEYS + 64;
// ANCHOR_END: keys

// ANCHOR: position
/// A position. It is small and can be copied, so no move is ever taken back.
#[derive(Clone, Copy)]
pub struct Position {
    /// What stands on each square: the answer to "what is on e4".
    board: [Option<Piece>; 64],
    /// Where each kind and each colour stands: the answer to "where are the knights".
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    side_to_move: Color,
    /// A bit for each right: 1 White short, 2 White long, 4 Black short, 8 Black long.
    castling: u8,
    /// The square that a pawn has just passed over, if an enemy pawn stands ready to capture.
    en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    halfmove_clock: u32,
    /// The key of the pieces; `key` adds the rest.
    pieces_key: u64,
}
// ANCHOR_END: position

impl Position {
    const EMPTY: Self = Self {
        board: [None; 64],
        kinds: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
        side_to_move: Color::White,
        castling: 0,
        en_passant: None,
        halfmove_clock: 0,
        pieces_key: 0,
    };

    /// The start position.
    pub fn start() -> Self {
        read_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap()
    }

    // ANCHOR: queries
    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The pieces of a colour and kind.
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    /// The pieces of a colour.
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The occupied squares.
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Half-moves since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// Whether a side has a piece other than king and pawns.
    pub fn has_non_pawns(&self, color: Color) -> bool {
        let kings_and_pawns =
            self.pieces(color, PieceKind::King) | self.pieces(color, PieceKind::Pawn);
        self.color(color) != kings_and_pawns
    }

    /// The key: equal for equal positions, unless a pin forbids the capture en passant in one of
    /// them, and practically never for others.
    pub fn key(&self) -> Key {
        let mut key = self.pieces_key ^ random(CASTLING_KEYS + usize::from(self.castling));
        if let Some(square) = self.en_passant {
            key ^= random(EN_PASSANT_KEYS + square.index());
        }
        if self.side_to_move == Color::Black {
            key ^= random(SIDE_KEY);
        }
        Key(key)
    }
    // ANCHOR_END: queries

    pub(super) fn castling(&self) -> u8 {
        self.castling
    }

    pub(super) fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    // ANCHOR: attacked
    /// Whether a piece of `by` attacks the square.
    ///
    /// It looks from the square outwards: a knight on the square would attack exactly the squares
    /// from which a knight attacks it.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        let occupied = self.occupied();
        let of = |kind| self.pieces(by, kind);
        let queens = of(PieceKind::Queen);
        let attackers = attacks::pawn(!by, square) & of(PieceKind::Pawn)
            | attacks::knight(square) & of(PieceKind::Knight)
            | attacks::king(square) & of(PieceKind::King)
            | attacks::bishop(square, occupied) & (of(PieceKind::Bishop) | queens)
            | attacks::rook(square, occupied) & (of(PieceKind::Rook) | queens);
        !attackers.is_empty()
    }

    pub(super) fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).lowest()
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.side_to_move), !self.side_to_move)
    }
    // ANCHOR_END: attacked

    // ANCHOR: put
    // The only two functions that change the pieces, so that board, sets and key always agree.
    fn put(&mut self, piece: Piece, square: Square) {
        self.board[square.index()] = Some(piece);
        self.kinds[piece.kind().index()].0 |= Bitboard::of(square).0;
        self.colors[piece.color().index()].0 |= Bitboard::of(square).0;
        self.pieces_key ^= piece_key(piece, square);
    }

    fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board[square.index()].take()?;
        self.kinds[piece.kind().index()].0 ^= Bitboard::of(square).0;
        self.colors[piece.color().index()].0 ^= Bitboard::of(square).0;
        self.pieces_key ^= piece_key(piece, square);
        Some(piece)
    }
    // ANCHOR_END: put

    // ANCHOR: play
    /// The position after a move from `legal_moves`.
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        let (us, mut next) = (self.side_to_move, *self);
        let Some(piece) = next.remove(mv.from) else {
            return next; // Not a legal move.
        };
        let victim = next.remove(mv.to);
        next.put(mv.promotion.map_or(piece, |kind| Piece(us, kind)), mv.to);

        let is_pawn = piece.kind() == PieceKind::Pawn;
        if is_pawn && self.en_passant == Some(mv.to) {
            // The captured pawn stands beside the capturing one, on the file where that arrives.
            next.remove(Square(mv.from.0 / 8 * 8 + mv.to.0 % 8));
        }
        if piece.kind() == PieceKind::King && mv.from.0.abs_diff(mv.to.0) == 2 {
            let (from, to) = if mv.to.0 > mv.from.0 {
                (mv.to.0 + 1, mv.to.0 - 1)
            } else {
                (mv.to.0 - 2, mv.to.0 + 1)
            };
            if let Some(rook) = next.remove(Square(from)) {
                next.put(rook, Square(to));
            }
        }

        next.castling &= rights_kept(mv.from) & rights_kept(mv.to);
        next.halfmove_clock = if is_pawn || victim.is_some() {
            0
        } else {
            self.halfmove_clock + 1
        };
        next.side_to_move = !us;
        next.en_passant = None;
        if is_pawn && mv.from.0.abs_diff(mv.to.0) == 16 {
            let passed = Square((mv.from.0 + mv.to.0) / 2);
            let ready = attacks::pawn(us, passed) & next.pieces(!us, PieceKind::Pawn);
            next.en_passant = (!ready.is_empty()).then_some(passed);
        }
        next
    }

    /// The position after passing.
    #[must_use]
    pub fn play_null(&self) -> Self {
        let halfmove_clock = self.halfmove_clock + 1;
        Self {
            side_to_move: !self.side_to_move,
            en_passant: None,
            halfmove_clock,
            ..*self
        }
    }
    // ANCHOR_END: play
}

// ANCHOR: rights
/// The castling rights that survive a move from or to this square: if the king moves, or a rook
/// moves or is captured, rights are lost for ever.
fn rights_kept(square: Square) -> u8 {
    match square.0 {
        0 => !2,   // a1
        4 => !3,   // e1
        7 => !1,   // h1
        56 => !8,  // a8
        60 => !12, // e8
        63 => !4,  // h8
        _ => !0,
    }
}
// ANCHOR_END: rights

// ANCHOR: fen
/// Reads a FEN; `None` if it is not one, if a side has more than sixteen pieces or not one king, or
/// if the side to move could take the other king.
pub fn read_fen(text: &str) -> Option<Position> {
    let mut fields = text.split_whitespace();
    let mut position = Position::EMPTY;
    read_board(&mut position, fields.next()?)?;
    position.side_to_move = match fields.next()? {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return None,
    };
    let one_king = |color| position.pieces(color, PieceKind::King).len() == 1;
    let them = !position.side_to_move;
    let too_many = |color| position.color(color).len() > 16;
    if !one_king(Color::White)
        || !one_king(Color::Black)
        || too_many(Color::White)
        || too_many(Color::Black)
        || position.is_attacked(position.king(them), position.side_to_move)
    {
        return None;
    }
    for letter in fields.next().unwrap_or("-").chars() {
        let (right, king, rook, color) = match letter {
            'K' => (1, 4, 7, Color::White),
            'Q' => (2, 4, 0, Color::White),
            'k' => (4, 60, 63, Color::Black),
            'q' => (8, 60, 56, Color::Black),
            '-' => continue,
            _ => return None,
        };
        // A right without its king and rook would move pieces that are not there.
        if position.piece_at(Square(king)) == Some(Piece(color, PieceKind::King))
            && position.piece_at(Square(rook)) == Some(Piece(color, PieceKind::Rook))
        {
            position.castling |= right;
        }
    }
    position.en_passant = Square::parse(fields.next().unwrap_or("-"))
        .filter(|&passed| position.may_capture_en_passant(passed));
    position.halfmove_clock = fields.next().unwrap_or("0").parse::<u16>().ok()?.into();
    Some(position)
}

/// Reads the first field: ranks from the eighth to the first, digits for empty squares.
fn read_board(position: &mut Position, text: &str) -> Option<()> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return None;
    }
    for (rank, row) in (0..8).rev().zip(ranks) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as u8;
                if file > 8 {
                    return None;
                }
                continue;
            }
            let lower = letter.to_ascii_lowercase();
            let kind = PieceKind::ALL
                .into_iter()
                .find(|kind| kind.letter() == lower)?;
            let color = if letter == lower {
                Color::Black
            } else {
                Color::White
            };
            if file > 7 || kind == PieceKind::Pawn && (rank == 0 || rank == 7) {
                return None;
            }
            position.put(Piece(color, kind), Square(8 * rank + file));
            file += 1;
        }
        if file != 8 {
            return None;
        }
    }
    Some(())
}

/// Writes a FEN. The number of the move is not known, and 1 is as good as any.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let Some(Piece(color, kind)) = self.board[8 * rank + file] else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                empty = 0;
                let letter = kind.letter();
                match color {
                    Color::White => write!(f, "{}", letter.to_ascii_uppercase())?,
                    Color::Black => write!(f, "{letter}")?,
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        f.write_str(if self.side_to_move == Color::White {
            "w "
        } else {
            "b "
        })?;
        for (bit, letter) in "KQkq".chars().enumerate() {
            if self.castling >> bit & 1 == 1 {
                write!(f, "{letter}")?;
            }
        }
        f.write_str(if self.castling == 0 { "- " } else { " " })?;
        match self.en_passant {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {} 1", self.halfmove_clock)
    }
}
// ANCHOR_END: fen

impl Position {
    /// Whether a pawn of the side to move may capture on `passed`: an enemy pawn has just passed
    /// over the empty square.
    fn may_capture_en_passant(&self, passed: Square) -> bool {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let forward = if us == Color::White { 1 } else { -1 };
        let victim = passed.step(0, -forward);
        passed.rank_of(us) == 5
            && self.piece_at(passed).is_none()
            && passed
                .step(0, forward)
                .is_some_and(|from| self.piece_at(from).is_none())
            && victim.is_some_and(|at| self.piece_at(at) == Some(Piece(them, PieceKind::Pawn)))
            && !(attacks::pawn(them, passed) & self.pieces(us, PieceKind::Pawn)).is_empty()
    }
}
// ANCHOR_END: all
