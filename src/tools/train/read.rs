//! Positions to learn from, out of files of games in viriformat.
//!
//! A game is a packed position of 32 bytes, then four bytes for each move (the move and its score, as White counts),
//! and four zeros. A game that makes no sense is named and skipped; the zeros tell where the next one begins.

use super::sample::Sample;
use crate::board::{Position, Setup};
use crate::tools::datagen::LONE_POSITION;
use crate::types::{Bitboard, Color, Move, MoveKind, Piece, PieceKind, Score, Square};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

/// Which positions are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub(super) struct Filter {
    /// Leave out so many half-moves after the start of a game, which is random.
    pub(super) skip_plies: usize,
    /// Leave out scores beyond so many centipawns.
    pub(super) max_score: i32,
}

/// What became of the positions that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Counts {
    /// Games read.
    pub games: u64,
    /// Lone positions read.
    pub lone_positions: u64,
    /// Kept, to learn from or to be held out.
    pub kept: u64,
    /// Left out: too near the start of the game.
    pub early: u64,
    /// Left out: in check.
    pub in_check: u64,
    /// Left out: the best move is a capture or a promotion.
    pub noisy: u64,
    /// Left out: the score is beyond the limit.
    pub decided: u64,
    /// Games that made no sense.
    pub bad_games: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games and {} lone positions: {} positions kept; left out {} early, {} in check, {} with a noisy move, {} \
             decided; {} bad games",
            self.games,
            self.lone_positions,
            self.kept,
            self.early,
            self.in_check,
            self.noisy,
            self.decided,
            self.bad_games
        )
    }
}

/// Of so many games one is held out.
const HELD_OUT_SHARE: u64 = 100;

/// Positions of many games.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// To learn from.
    pub(super) training: Vec<Sample>,
    /// Of other games, to measure what was learned.
    pub(super) held_out: Vec<Sample>,
    pub(super) counts: Counts,
}

impl Samples {
    /// Reads a file, adding to what is there; `complain` hears of what makes no sense.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn read(
        &mut self,
        path: &Path,
        filter: &Filter,
        complain: &mut dyn FnMut(&str),
    ) -> io::Result<()> {
        let bytes = fs::read(path).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
        let mut begin = 0;
        while begin < bytes.len() {
            let game = &bytes[begin..];
            let length = length_of_game(game);
            let read = match length {
                Some(length) => self.read_game(&game[..length], filter),
                None => Err("it is cut off"),
            };
            if let Err(reason) = read {
                self.counts.bad_games += 1;
                complain(&format!(
                    "{}: skipped the game at byte {begin}: {reason}",
                    path.display()
                ));
            }
            begin += length.unwrap_or(game.len());
        }
        Ok(())
    }

    fn read_game(&mut self, game: &[u8], filter: &Filter) -> Result<(), &'static str> {
        let (head, rest) = game.split_first_chunk::<32>().ok_or("it is cut off")?;
        let is_lone = head[31] == LONE_POSITION;
        let outcome = if is_lone { None } else { Some(head[30]) };
        if outcome.is_some_and(|points| points > 2) {
            return Err("it has no outcome");
        }
        let mut position = unpack(head)?;
        let mut found = Vec::with_capacity(rest.len() / 4);
        let mut counts = self.counts;
        for (ply, &[low, high, score_low, score_high]) in
            rest[..rest.len() - 4].as_chunks().0.iter().enumerate()
        {
            let mv = unpack_move(u16::from_le_bytes([low, high]))
                .filter(|&mv| position.is_legal(mv))
                .ok_or("it has an illegal move")?;
            let score = Score(i16::from_le_bytes([score_low, score_high]).into());
            let left_out = if !is_lone && ply < filter.skip_plies {
                Some(&mut counts.early)
            } else if position.in_check() {
                Some(&mut counts.in_check)
            } else if is_noisy(&position, mv) {
                Some(&mut counts.noisy)
            } else if score.0.abs() > filter.max_score {
                Some(&mut counts.decided)
            } else {
                None
            };
            match left_out {
                Some(count) => *count += 1,
                None => found.push(Sample::new(&position, score, outcome)),
            }
            position = position.play(mv);
        }
        // The same games are held out whatever the other files are.
        let hash = head.iter().chain(rest).fold(0_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        counts.kept += found.len() as u64;
        *if is_lone {
            &mut counts.lone_positions
        } else {
            &mut counts.games
        } += 1;
        self.counts = counts;
        let is_held_out = (hash >> 32).is_multiple_of(HELD_OUT_SHARE);
        if is_held_out {
            &mut self.held_out
        } else {
            &mut self.training
        }
        .append(&mut found);
        Ok(())
    }
}

/// How many bytes the game takes that begins here; `None` if it does not end.
fn length_of_game(bytes: &[u8]) -> Option<usize> {
    let moves = bytes.get(32..)?.as_chunks::<4>().0;
    let end = moves.iter().position(|item| *item == [0; 4])?;
    Some(32 + 4 * (end + 1))
}

/// Whether the score says more of the exchange that is to come than of the position.
fn is_noisy(position: &Position, mv: Move) -> bool {
    mv.promotion().is_some()
        || mv.is_en_passant()
        || !mv.is_castling() && position.piece_at(mv.to()).is_some()
}

/// The position at the head of a game: the occupied squares; the men on them in order, four bits each; the side to move
/// and the en passant square; the counters; a score, the outcome and a spare byte.
fn unpack(head: &[u8; 32]) -> Result<Position, &'static str> {
    /// Stands for a rook that may castle.
    const UNMOVED_ROOK: u8 = 6;
    let mut setup = Setup::EMPTY;
    let occupied = Bitboard(u64::from_le_bytes([
        head[0], head[1], head[2], head[3], head[4], head[5], head[6], head[7],
    ]));
    if occupied.len() > 32 {
        return Err("it has too many men");
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
            kind => PieceKind::from_index(kind.into()).ok_or("it has an unknown man")?,
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
