//! Files of games in viriformat, as datagen writes them.
//!
//! A game is a packed position of 32 bytes, then four bytes for each move (the move and its score, as White counts),
//! and four zeros. The zeros tell where the next game begins, so one that makes no sense can be skipped.

use super::datagen::{LONE_POSITION, MAX_PIECES, NO_SCORE, is_quiet};
use crate::board::{Position, Setup};
use crate::types::{Bitboard, Color, Move, MoveKind, Piece, PieceKind, Score, Square};

/// A game as it lies in a file, not yet played through.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredGame<'a> {
    head: &'a [u8; 32],
    items: &'a [[u8; 4]],
}

/// A position of a game, the move played there, and the score of the search that chose it, if that was a full one.
#[derive(Debug, Clone, Copy)]
pub(super) struct LabelledPosition {
    pub(super) position: Position,
    pub(super) best: Move,
    /// As White counts.
    pub(super) score: Option<Score>,
}

impl LabelledPosition {
    /// How many pieces are on the board, pawns and kings among them.
    pub(super) fn pieces(&self) -> usize {
        self.position.occupied().len() as usize
    }

    /// Whether its score says what the position is worth as it stands.
    pub(super) fn is_quiet(&self) -> bool {
        is_quiet(&self.position, self.best)
    }
}

/// The games in a file, each with the byte where it begins.
pub(super) fn stored_games(
    bytes: &[u8],
) -> impl Iterator<Item = (usize, Result<StoredGame<'_>, &'static str>)> {
    let mut begin = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(begin..).filter(|rest| !rest.is_empty())?;
        let game = StoredGame::first(rest).ok_or("it is cut off");
        let here = begin;
        begin += game.map_or(rest.len(), |game| game.size());
        Some((here, game))
    })
}

impl<'a> StoredGame<'a> {
    /// The game that begins here; `None` if it does not end.
    fn first(bytes: &'a [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk()?;
        let items = rest.as_chunks().0;
        let end = items.iter().position(|item| *item == [0; 4])?;
        Some(Self {
            head,
            items: &items[..end],
        })
    }

    /// In bytes.
    const fn size(&self) -> usize {
        32 + 4 * (self.items.len() + 1)
    }

    /// Whether it is no game, but a position with its best move.
    pub(super) const fn is_lone_position(&self) -> bool {
        self.head[31] == LONE_POSITION
    }

    /// What it brought White: 0, 0.5 or 1; `None` for a lone position.
    pub(super) fn points(&self) -> Result<Option<f32>, &'static str> {
        match self.head[30] {
            _ if self.is_lone_position() => Ok(None),
            half_points @ 0..=2 => Ok(Some(f32::from(half_points) / 2.0)),
            _ => Err("it has no outcome"),
        }
    }

    /// A number that is nearly always another for another game.
    pub(super) fn hash(&self) -> u64 {
        let bytes = self.head.iter().chain(self.items.as_flattened());
        bytes.chain(&[0; 4]).fold(0, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        })
    }

    /// Its positions.
    pub(super) fn plies(&self) -> Result<Vec<LabelledPosition>, &'static str> {
        let mut position = unpack(self.head)?;
        let mut plies = Vec::with_capacity(self.items.len());
        for &[move_low, move_high, low, high] in self.items {
            let best = unpack_move(u16::from_le_bytes([move_low, move_high]))
                .filter(|&mv| position.is_legal(mv))
                .ok_or("it has an illegal move")?;
            let score = Some(i16::from_le_bytes([low, high])).filter(|&score| score != NO_SCORE);
            plies.push(LabelledPosition {
                position,
                best,
                score: score.map(|score| Score(score.into())),
            });
            position = position.play_unchecked(best);
        }
        Ok(plies)
    }
}

/// The position at the head of a game: the occupied squares; the pieces on them in order, four bits each; the side to move
/// and the en passant square; the counters; a score, the outcome and a spare byte.
fn unpack(head: &[u8; 32]) -> Result<Position, &'static str> {
    /// Stands for a rook that may castle.
    const UNMOVED_ROOK: u8 = 6;
    let mut setup = Setup::EMPTY;
    let occupied = Bitboard(u64::from_le_bytes([
        head[0], head[1], head[2], head[3], head[4], head[5], head[6], head[7],
    ]));
    if occupied.len() as usize > MAX_PIECES {
        return Err("it has too many pieces");
    }
    for (index, square) in occupied.into_iter().enumerate() {
        let code = head[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if code & 8 == 0 {
            Color::White
        } else {
            Color::Black
        };
        let kind = match code & 7 {
            UNMOVED_ROOK => {
                setup.castling |= square.into();
                PieceKind::Rook
            }
            kind => PieceKind::from_index(kind.into()).ok_or("it has an unknown piece")?,
        };
        setup.board[square.index()] = Some(Piece::new(color, kind));
    }
    setup.side_to_move = if head[24] & 128 == 0 {
        Color::White
    } else {
        Color::Black
    };
    setup.en_passant = Square::from_index((head[24] & 127).into());
    setup.halfmove_clock = head[25].into();
    setup.fullmove_number = u16::from_le_bytes([head[26], head[27]]).into();
    let mode = setup.castling_mode();
    let validated = setup
        .validate(mode)
        .map_err(|_| "it begins with an illegal position")?;
    Ok(validated.position)
}

/// From, to, what a pawn becomes, and which kind of move it is: six, six, two and two bits.
fn unpack_move(bits: u16) -> Option<Move> {
    let square = |bits: u16| Square::from_low_bits(usize::from(bits & 63));
    let (from, to) = (square(bits), square(bits >> 6));
    let kind = match bits >> 14 {
        0 => MoveKind::Normal,
        1 => MoveKind::EnPassant,
        2 => MoveKind::Castling,
        _ => MoveKind::Promotion(PieceKind::from_index(usize::from(bits >> 12 & 3) + 1)?),
    };
    (from != to).then(|| Move::new(from, to, kind))
}
