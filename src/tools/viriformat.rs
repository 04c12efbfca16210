//! Training games in viriformat: the only module that writes and reads the format.
//!
//! A game is a packed start position of 32 bytes, four bytes per move, and four zero bytes. The
//! four bytes are the move and the score of the search that chose it. The zeros mark where the
//! next game begins, so a reader can skip a bad game, as long as the number of its bytes is a
//! multiple of four. The spare byte of the start position marks *lone positions*, one position with
//! its best move and its score, and games that were cut off. Neither has a result.
//!
//! Scores are in centipawns from White's point of view.
//!
//! The format is Viridithas's (the crate `viriformat`, which the tests compare with). The marks and
//! [`NO_SCORE`] are our own.

use crate::board::{Position, Setup};
use crate::game::GameResult;
use crate::types::{Bitboard, Color, Move, MoveKind, Piece, PieceKind, Score, Square};
use std::fmt;

/// Maximum number of pieces in a packed position.
pub const MAX_PIECES: usize = 32;

/// Whether the format can hold a position with pieces on these squares.
#[must_use]
pub const fn fits(occupied: Bitboard) -> bool {
    occupied.len() as usize <= MAX_PIECES
}

/// Maximum number of half-moves of a game. The longest game under the seventy-five-move rule has
/// fewer than 18,000.
pub const MAX_GAME_PLIES: usize = 1 << 16;

/// Stored instead of a score where the position was not searched in full.
const NO_SCORE: i16 = i16::MIN;
/// Value of the spare byte for a game.
const GAME: u8 = 0;
/// Value of the spare byte for a lone position.
const LONE_POSITION: u8 = 1;
/// Value of the spare byte for a game that was cut off, so that its result is unknown. Readers that
/// do not know the mark take the game for a draw.
const CUT_GAME: u8 = 2;
/// Bytes of a packed position.
const HEAD: usize = 32;
/// Piece code of a rook with a castling right.
const UNMOVED_ROOK: u8 = 6;
/// Added to the codes of Black's pieces.
const BLACK: u8 = 8;
/// Added to the en passant byte when Black is to move.
const BLACK_TO_MOVE: u8 = 128;
/// Stored instead of an en passant square where there is none.
const NO_SQUARE: u8 = Square::COUNT as u8;

/// The codes of the pieces on the occupied squares in order, four bits each, two in a byte, the
/// first in its lower half.
#[derive(Debug, Clone, Copy, Default)]
pub struct PieceCodes([u8; MAX_PIECES / 2]);

impl PieceCodes {
    /// The code of piece number `index`, below [`MAX_PIECES`].
    #[inline(always)]
    #[must_use]
    pub const fn get(&self, index: usize) -> u8 {
        self.0[index / 2] >> (4 * (index % 2)) & 15
    }

    /// Sets the code of piece number `index`, below [`MAX_PIECES`].
    #[inline(always)]
    pub const fn set(&mut self, index: usize, code: u8) {
        let (byte, shift) = (&mut self.0[index / 2], 4 * (index % 2));
        *byte = *byte & !(15 << shift) | (code & 15) << shift;
    }
}

/// A position with a score.
#[derive(Debug, Clone, Copy)]
pub struct ScoredPosition {
    /// The position.
    pub position: Position,
    /// The move that was played or found best; `None` if no move was recorded.
    pub best: Option<Move>,
    /// Centipawns from White's point of view; `None` if the position was not searched in full.
    pub score: Option<Score>,
}

impl ScoredPosition {
    /// Number of pieces on the board, kings and pawns included.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.position.occupied().len() as usize
    }

    /// Whether a static evaluation can predict the score; see [`is_quiet`].
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        match self.best {
            Some(best) => is_quiet(&self.position, best),
            None => !self.position.in_check(),
        }
    }

    /// The score from the point of view of the side to move.
    #[must_use]
    pub fn score_for_side_to_move(&self) -> Option<Score> {
        self.score
            .map(|score| score.relative_to(self.position.side_to_move()))
    }
}

/// Whether `position` is quiet: not in check, and `best` is neither a capture nor a promotion.
///
/// In other positions a score depends more on the exchange under way than on the position.
#[must_use]
pub fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_check() && !position.is_noisy(best)
}

/// A self-play game.
#[derive(Debug, Clone)]
pub struct TrainingGame {
    /// The start position.
    pub start: Position,
    /// The positions in which a move was played, in order; the first is `start`.
    pub positions: Vec<ScoredPosition>,
    /// The result; unknown if the game was cut off.
    pub result: GameResult,
    /// Lone positions that belong to this game, each after a few random moves.
    pub tree: Vec<ScoredPosition>,
}

/// Appends a game and its lone positions to `bytes`.
pub fn write_game(game: &TrainingGame, bytes: &mut Vec<u8>) {
    let mark = match game.result {
        GameResult::Unknown => CUT_GAME,
        _ => GAME,
    };
    write(&game.start, game.result, mark, &game.positions, bytes);
    for lone in &game.tree {
        let (start, result) = (&lone.position, GameResult::Unknown);
        write(start, result, LONE_POSITION, &[*lone], bytes);
    }
}

/// The games in `bytes`, each with the offset of its first byte.
pub fn read_games(
    bytes: &[u8],
) -> impl Iterator<Item = (usize, Result<EncodedGame<'_>, GameError>)> {
    let mut begin = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(begin..).filter(|rest| !rest.is_empty())?;
        let game = EncodedGame::first(rest).ok_or(GameError::CutOff);
        let offset = begin;
        begin += game.map_or(rest.len(), |game| game.size());
        Some((offset, game))
    })
}

/// Why the bytes of a game cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameError {
    /// The bytes end before the game does.
    CutOff,
    /// The result is none of the three.
    BadResult,
    /// The start position has more than [`MAX_PIECES`] pieces.
    TooManyPieces,
    /// The game has more than [`MAX_GAME_PLIES`] moves.
    TooManyMoves,
    /// A piece code is unknown.
    UnknownPiece,
    /// The start position is illegal.
    IllegalStart,
    /// A move is illegal.
    IllegalMove,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CutOff => "the game is cut off",
            Self::BadResult => "the result is not 0, 1 or 2 half points",
            Self::TooManyPieces => return write!(f, "more than {MAX_PIECES} pieces"),
            Self::TooManyMoves => return write!(f, "more than {MAX_GAME_PLIES} moves"),
            Self::UnknownPiece => "unknown piece code",
            Self::IllegalStart => "illegal start position",
            Self::IllegalMove => "illegal move",
        })
    }
}

impl std::error::Error for GameError {}

/// A game in a file, not decoded yet.
#[derive(Debug, Clone, Copy)]
pub struct EncodedGame<'a> {
    head: &'a [u8; HEAD],
    moves: &'a [[u8; 4]],
}

impl<'a> EncodedGame<'a> {
    /// The game at the start of `bytes`, or `None` if it is cut off.
    fn first(bytes: &'a [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk()?;
        let moves = rest.as_chunks().0;
        let end = moves.iter().position(|bytes| *bytes == [0; 4])?;
        Some(Self {
            head,
            moves: &moves[..end],
        })
    }

    /// Size in bytes.
    const fn size(&self) -> usize {
        HEAD + 4 * (self.moves.len() + 1)
    }

    /// Whether this is a lone position instead of a game.
    #[must_use]
    pub const fn is_lone_position(&self) -> bool {
        self.head[31] == LONE_POSITION
    }

    /// The result; unknown for a lone position and for a game that was cut off.
    ///
    /// # Errors
    /// If the result is not one of the three.
    pub fn result(&self) -> Result<GameResult, GameError> {
        if matches!(self.head[31], LONE_POSITION | CUT_GAME) {
            return Ok(GameResult::Unknown);
        }
        match self.head[30] {
            0 => Ok(GameResult::BlackWins),
            1 => Ok(GameResult::Drawn),
            2 => Ok(GameResult::WhiteWins),
            _ => Err(GameError::BadResult),
        }
    }

    /// A hash of the start position, the result and the moves, the same in every file. Scores do
    /// not count, so a game with other scores has the same hash.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let moves = self.moves.iter().flat_map(|bytes| &bytes[..2]);
        self.head.iter().chain(moves).fold(0, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        })
    }

    /// The positions of the game, each with the move played there.
    ///
    /// # Errors
    /// If the start position has too many or unknown pieces or is illegal, if a move is illegal, or
    /// if the game has more than [`MAX_GAME_PLIES`] moves.
    pub fn positions(&self) -> Result<Vec<ScoredPosition>, GameError> {
        if self.moves.len() > MAX_GAME_PLIES {
            return Err(GameError::TooManyMoves);
        }
        let mut position = unpack(self.head)?;
        let mut positions = Vec::with_capacity(self.moves.len());
        for &[move_low, move_high, low, high] in self.moves {
            let best = unpack_move(u16::from_le_bytes([move_low, move_high]))
                .filter(|&mv| position.is_legal(mv))
                .ok_or(GameError::IllegalMove)?;
            let score = Some(i16::from_le_bytes([low, high])).filter(|&score| score != NO_SCORE);
            positions.push(ScoredPosition {
                position,
                best: Some(best),
                score: score.map(|score| Score(score.into())),
            });
            position = position.play_unchecked(best);
        }
        Ok(positions)
    }
}

/// Appends a start position and its moves. A position without a move ends the list.
fn write(
    start: &Position,
    result: GameResult,
    mark: u8,
    positions: &[ScoredPosition],
    bytes: &mut Vec<u8>,
) {
    bytes.extend(pack(start, result, mark));
    for scored in positions {
        let Some(best) = scored.best else { break };
        // Every score fits: mate scores end at 32000.
        let score = scored.score.map_or(NO_SCORE, |score| score.0 as i16);
        bytes.extend(pack_move(best).to_le_bytes());
        bytes.extend(score.to_le_bytes());
    }
    bytes.extend([0; 4]);
}

/// Packs a start position.
///
/// | bytes | content |
/// |---|---|
/// | 0..8 | occupied squares, a bitboard |
/// | 8..24 | the pieces on these squares in order, four bits each |
/// | 24 | en passant square, and who is to move |
/// | 25 | halfmove clock |
/// | 26..28 | fullmove number |
/// | 28..30 | score of the position, always 0 here |
/// | 30 | result in White's half points; 1 if it is unknown |
/// | 31 | spare: game, lone position or game that was cut off |
fn pack(position: &Position, result: GameResult, mark: u8) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    let castling = position.castling().rooks();
    head[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
    let mut codes = PieceCodes::default();
    let squares = position.occupied().into_iter().enumerate();
    for (index, square) in squares.take(MAX_PIECES) {
        let Some(piece) = position.piece_at(square) else {
            continue;
        };
        let kind = if castling.contains(square) {
            UNMOVED_ROOK
        } else {
            piece.kind().index() as u8
        };
        let color = match piece.color() {
            Color::White => 0,
            Color::Black => BLACK,
        };
        codes.set(index, kind | color);
    }
    head[8..24].copy_from_slice(&codes.0);
    let en_passant = position.en_passant();
    head[24] = en_passant.map_or(NO_SQUARE, |square| square.index() as u8);
    if position.side_to_move() == Color::Black {
        head[24] |= BLACK_TO_MOVE;
    }
    head[25] = position.halfmove_clock().min(u8::MAX.into()) as u8;
    let fullmove_number = position.fullmove_number().min(u16::MAX.into()) as u16;
    head[26..28].copy_from_slice(&fullmove_number.to_le_bytes());
    head[30] = (2.0 * result.points().unwrap_or(0.5)) as u8;
    head[31] = mark;
    head
}

/// Reverses [`pack`].
fn unpack(head: &[u8; HEAD]) -> Result<Position, GameError> {
    let mut setup = Setup::EMPTY;
    let occupied = Bitboard(u64::from_le_bytes([
        head[0], head[1], head[2], head[3], head[4], head[5], head[6], head[7],
    ]));
    if !fits(occupied) {
        return Err(GameError::TooManyPieces);
    }
    let mut codes = PieceCodes::default();
    codes.0.copy_from_slice(&head[8..24]);
    for (index, square) in occupied.into_iter().enumerate() {
        let code = codes.get(index);
        let color = Color::from_white(code & BLACK == 0);
        let kind = match code & !BLACK {
            UNMOVED_ROOK => {
                setup.castling |= square.into();
                PieceKind::Rook
            }
            kind => PieceKind::from_index(kind.into()).ok_or(GameError::UnknownPiece)?,
        };
        setup.board[square.index()] = Some(Piece::new(color, kind));
    }
    setup.side_to_move = Color::from_white(head[24] & BLACK_TO_MOVE == 0);
    setup.en_passant = Square::from_index((head[24] & !BLACK_TO_MOVE).into());
    setup.halfmove_clock = head[25].into();
    setup.fullmove_number = u16::from_le_bytes([head[26], head[27]]).into();
    let mode = setup.castling_mode();
    let validated = setup.validate(mode).map_err(|_| GameError::IllegalStart)?;
    Ok(validated.position)
}

/// Packs a move: from (6 bits), to (6), promotion piece (2), kind (2).
fn pack_move(mv: Move) -> u16 {
    let (promotion, kind) = match mv.kind() {
        MoveKind::Normal => (0, 0),
        MoveKind::EnPassant => (0, 1),
        MoveKind::Castling => (0, 2),
        MoveKind::Promotion(piece) => (piece.index() - PieceKind::Knight.index(), 3),
    };
    let (from, to) = (mv.from().index(), mv.to().index());
    (from | to << 6 | promotion << 12 | kind << 14) as u16
}

/// Reverses [`pack_move`]; `None` for bits that are not a move.
fn unpack_move(bits: u16) -> Option<Move> {
    let square = |bits: u16| Square::from_low_bits(usize::from(bits & 63));
    let (from, to) = (square(bits), square(bits >> 6));
    let kind = match bits >> 14 {
        0 => MoveKind::Normal,
        1 => MoveKind::EnPassant,
        2 => MoveKind::Castling,
        _ => {
            let promotion = usize::from(bits >> 12 & 3) + PieceKind::Knight.index();
            MoveKind::Promotion(PieceKind::from_index(promotion)?)
        }
    };
    (from != to).then(|| Move::new(from, to, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::lan;
    use crate::types::CastlingMode;

    /// Start positions and a move of each kind, in coordinates of Chess960.
    const GAMES: [(&str, &str); 6] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "e2e4",
        ),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20", "e8a8"),
        ("1r2k2r/8/8/8/8/8/8/1R2K1R1 w Gh - 0 1", "e1g1"),
        ("8/8/8/2k5/3pP3/8/8/4K3 b - e3 0 300", "d4e3"),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n"),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 99 1", "b7b8q"),
    ];

    #[test]
    fn games_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        let mut written = Vec::new();
        for (index, (fen, text)) in GAMES.into_iter().enumerate() {
            let read = Position::from_fen_repaired(fen, Some(CastlingMode::Chess960)).unwrap();
            let start = read.position;
            let scored = ScoredPosition {
                position: start,
                best: Some(lan::parse(&start, text).unwrap()),
                score: (index % 2 == 0).then_some(Score(-32_000 * (index as i32 % 3 - 1))),
            };
            let game = TrainingGame {
                start,
                positions: vec![scored],
                result: GameResult::ALL[index % 4],
                tree: vec![scored; index % 2],
            };
            write_game(&game, &mut bytes);
            written.push(game);
        }
        let mut read = read_games(&bytes).map(|(_, game)| game.unwrap());
        for game in &written {
            let encoded = read.next().unwrap();
            assert_eq!(encoded.result(), Ok(game.result));
            assert!(!encoded.is_lone_position());
            assert_same(&encoded, game.positions[0]);
            for &lone in &game.tree {
                let encoded = read.next().unwrap();
                assert!(encoded.is_lone_position());
                assert_same(&encoded, lone);
            }
        }
        assert!(read.next().is_none());
    }

    /// A file of 76 MB with one game, whose first move is illegal, asked for 4.6 GB.
    #[test]
    fn the_moves_of_a_game_are_limited() {
        let game = |count: usize| {
            let mut bytes = pack(&Position::start(), GameResult::Drawn, GAME).to_vec();
            bytes.extend([1, 2, 3, 4].repeat(count));
            bytes.extend([0; 4]);
            bytes
        };
        for (count, error) in [
            (1, GameError::IllegalMove),
            (MAX_GAME_PLIES, GameError::IllegalMove),
            (MAX_GAME_PLIES + 1, GameError::TooManyMoves),
            (1_000_000, GameError::TooManyMoves),
        ] {
            let bytes = game(count);
            let (_, encoded) = read_games(&bytes).next().unwrap();
            assert_eq!(encoded.unwrap().positions().unwrap_err(), error, "{count}");
        }
    }

    fn assert_same(encoded: &EncodedGame<'_>, expected: ScoredPosition) {
        let positions = encoded.positions().unwrap();
        assert_eq!(positions.len(), 1);
        let found = positions[0];
        assert_eq!(
            found.position.to_setup().to_string(),
            expected.position.to_setup().to_string()
        );
        assert_eq!((found.best, found.score), (expected.best, expected.score));
    }
}
