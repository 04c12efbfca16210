//! Positions to learn from, out of files of games in viriformat.
//!
//! A game is a packed position of 32 bytes, then four bytes for each move (the move and its score, as White counts),
//! and four zeros. A game that makes no sense is named and skipped; the zeros tell where the next one begins.

use super::sample::{Sample, sigmoid};
use crate::board::{Position, Setup};
use crate::eval::SCALE;
use crate::tools::datagen::{LONE_POSITION, MOST_MEN};
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

/// What the network should say of the positions of a game: TD(λ) (Sutton, "Learning to Predict by the Methods of Temporal
/// Differences", 1988). What the searches of later positions found says more than a shallow search alone, and how the game
/// ended, after many weak moves, says less than one would hope.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub(super) struct Labels {
    /// How much what comes later counts beside the score of the position itself, 0 to 1: the score of a position so many
    /// half-moves on counts by this to that power.
    pub(super) lambda: f32,
    /// How much the outcome of the game counts beside all that, 0 to 1.
    pub(super) wdl: f32,
}

impl Labels {
    /// The targets of the positions of a game whose scores are given and which brought White so many points, if known.
    fn of_game(&self, scores: &[Score], points: Option<f32>) -> Vec<f32> {
        let mut later = None;
        let mut targets = vec![0.0; scores.len()];
        for (target, score) in targets.iter_mut().zip(scores).rev() {
            let now = sigmoid(score.0 as f32 / SCALE as f32);
            let seen = now + self.lambda * (later.unwrap_or(now) - now);
            later = Some(seen);
            *target = seen + self.wdl * (points.unwrap_or(seen) - seen);
        }
        targets
    }
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
        labels: &Labels,
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
                Some(length) => self.read_game(&game[..length], filter, labels),
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

    fn read_game(
        &mut self,
        game: &[u8],
        filter: &Filter,
        labels: &Labels,
    ) -> Result<(), &'static str> {
        let (head, rest) = game.split_first_chunk::<32>().ok_or("it is cut off")?;
        let is_lone = head[31] == LONE_POSITION;
        let points = match head[30] {
            _ if is_lone => None,
            half_points @ 0..=2 => Some(f32::from(half_points) / 2.0),
            _ => return Err("it has no outcome"),
        };
        let items = rest[..rest.len() - 4].as_chunks::<4>().0;
        let scores: Vec<_> = items
            .iter()
            .map(|&[_, _, low, high]| Score(i16::from_le_bytes([low, high]).into()))
            .collect();
        let targets = labels.of_game(&scores, points);
        let mut position = unpack(head)?;
        let mut found = Vec::with_capacity(rest.len() / 4);
        let mut counts = self.counts;
        for (ply, &[low, high, _, _]) in items.iter().enumerate() {
            let mv = unpack_move(u16::from_le_bytes([low, high]))
                .filter(|&mv| position.is_legal(mv))
                .ok_or("it has an illegal move")?;
            let left_out = if !is_lone && ply < filter.skip_plies {
                Some(&mut counts.early)
            } else if position.in_check() {
                Some(&mut counts.in_check)
            } else if position.is_noisy(mv) {
                // The score says more of the exchange that is to come than of the position.
                Some(&mut counts.noisy)
            } else if scores[ply].0.abs() > filter.max_score {
                Some(&mut counts.decided)
            } else {
                None
            };
            match left_out {
                Some(count) => *count += 1,
                None => found.push(Sample::new(&position, targets[ply])),
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

/// The position at the head of a game: the occupied squares; the men on them in order, four bits each; the side to move
/// and the en passant square; the counters; a score, the outcome and a spare byte.
fn unpack(head: &[u8; 32]) -> Result<Position, &'static str> {
    /// Stands for a rook that may castle.
    const UNMOVED_ROOK: u8 = 6;
    let mut setup = Setup::EMPTY;
    let occupied = Bitboard(u64::from_le_bytes([
        head[0], head[1], head[2], head[3], head[4], head[5], head[6], head[7],
    ]));
    if occupied.len() as usize > MOST_MEN {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_lie_between_the_score_what_comes_later_and_the_outcome() {
        let scores = [100, -200, 600].map(Score);
        let [first, second, third] = scores.map(|score| sigmoid(score.0 as f32 / SCALE as f32));
        for (lambda, wdl, points, expected) in [
            (0.0, 0.0, Some(1.0), [first, second, third]),
            (1.0, 0.0, Some(0.0), [third; 3]),
            (0.0, 1.0, Some(0.5), [0.5; 3]),
            (0.0, 0.3, None, [first, second, third]),
            (
                0.5,
                0.0,
                None,
                [
                    first / 2.0 + second / 4.0 + third / 4.0,
                    (second + third) / 2.0,
                    third,
                ],
            ),
            (1.0, 0.25, Some(1.0), [0.75 * third + 0.25; 3]),
        ] {
            let targets = Labels { lambda, wdl }.of_game(&scores, points);
            for (target, expected) in targets.into_iter().zip(expected) {
                assert!((target - expected).abs() < 1e-6, "{lambda} {wdl} {target}");
            }
        }
    }
}
