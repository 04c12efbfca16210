//! A position to learn from, packed, and what the network should say of it.

use crate::board::{Position, Setup};
use crate::eval::{View, output_bucket};
use crate::tools::datagen::MOST_MEN;
use crate::types::{Bitboard, CastlingMode, Color, Piece, Square};

/// A position and its target.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    occupied: Bitboard,
    /// The men on the occupied squares in order, two to a byte.
    men: [u8; MOST_MEN / 2],
    side_to_move: Color,
    /// What the network should say: the share of a point that the side to move can expect.
    pub(super) target: f32,
}

const _: () = assert!(size_of::<Sample>() == 32);

/// The inputs that a position sets, for the side to move and for the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Active {
    features: [[u16; MOST_MEN]; 2],
    men: u8,
    pub(super) bucket: u8,
}

impl Sample {
    /// `target` is White's.
    pub(super) fn new(position: &Position, target: f32) -> Self {
        let mut men = [0; MOST_MEN / 2];
        for (index, square) in position.occupied().into_iter().enumerate() {
            let man = position.piece_at(square).map_or(0, Piece::index) as u8;
            men[index / 2] |= man << (4 * (index % 2));
        }
        Self {
            occupied: position.occupied(),
            men,
            side_to_move: position.side_to_move(),
            target: match position.side_to_move() {
                Color::White => target,
                Color::Black => 1.0 - target,
            },
        }
    }

    /// How many men are on the board.
    pub(super) const fn men(&self) -> usize {
        self.occupied.len() as usize
    }

    /// The position, as far as the network sees it.
    pub(super) fn position(&self) -> Option<Position> {
        let mut setup = Setup::EMPTY;
        setup.side_to_move = self.side_to_move;
        for (index, square) in self.occupied.into_iter().enumerate().take(MOST_MEN) {
            setup.board[square.index()] = Some(self.man(index));
        }
        setup
            .validate(CastlingMode::Standard)
            .ok()
            .map(|validated| validated.position)
    }

    /// The man on the occupied square of that number.
    #[inline(always)]
    fn man(&self, index: usize) -> Piece {
        Piece::ALL[usize::from(self.men[index / 2] >> (4 * (index % 2)) & 15)]
    }

    /// The inputs it sets.
    pub(super) fn active(&self) -> Active {
        let mut list: [(Piece, Square); MOST_MEN] = [(Piece::WhitePawn, Square::A1); MOST_MEN];
        let mut kings = [Square::A1; Color::COUNT];
        for (index, square) in self.occupied.into_iter().enumerate().take(MOST_MEN) {
            let piece = self.man(index);
            list[index] = (piece, square);
            match piece {
                Piece::WhiteKing => kings[Color::White.index()] = square,
                Piece::BlackKing => kings[Color::Black.index()] = square,
                _ => {}
            }
        }
        let men = self.men().min(MOST_MEN);
        let sides = [self.side_to_move, !self.side_to_move];
        Active {
            features: sides.map(|side| {
                let view = View::new(side, kings[side.index()]);
                list.map(|(piece, square)| view.feature(piece, square) as u16)
            }),
            men: men as u8,
            bucket: output_bucket(men) as u8,
        }
    }
}

impl Active {
    /// None at all; for the places of a block that are not filled.
    pub(super) const NONE: Self = Self {
        features: [[0; MOST_MEN]; 2],
        men: 0,
        bucket: 0,
    };

    /// Those of the side to move (0) or the other (1).
    #[inline(always)]
    pub(super) fn of(&self, side: usize) -> &[u16] {
        &self.features[side][..usize::from(self.men)]
    }
}

/// Positions of random games, with targets drawn by lot.
#[cfg(test)]
pub(super) fn random_samples(count: usize, seed: u64) -> Vec<Sample> {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut position = Position::start();
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        samples.push(Sample::new(&position, random.random_range(0.0..1.0)));
        position = match position.legal_moves().choose(&mut random) {
            Some(&mv) if position.halfmove_clock() < 60 => position.play(mv),
            _ => Position::start(),
        };
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_hold_their_positions() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b - - 0 1",
            "8/8/8/8/4k3/8/r7/4K3 w - - 0 1",
        ];
        for fen in fens {
            let position = Position::from_fen(fen).unwrap();
            let sample = Sample::new(&position, 0.7);
            assert_eq!(sample.position().unwrap().to_string(), fen);
            assert_eq!(sample.men(), position.occupied().len() as usize);
        }
    }

    #[test]
    fn targets_are_for_the_side_to_move() {
        for (side, target) in [("w", 0.75), ("b", 0.25)] {
            let fen = format!("4k3/8/8/8/8/8/8/4K2R {side} - - 0 1");
            let sample = Sample::new(&Position::from_fen(&fen).unwrap(), 0.75);
            assert_eq!(sample.target, target);
        }
    }
}
