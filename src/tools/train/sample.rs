//! A position to learn from, packed.

use crate::board::{Position, Setup};
use crate::eval::{View, output_bucket};
use crate::types::{Bitboard, CastlingMode, Color, Piece, Score, Square};

/// Men on the board, at most.
pub(super) const MOST_MEN: usize = 32;

/// A position, what a search thought of it and how its game ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    occupied: Bitboard,
    /// The men on the occupied squares in order, two to a byte.
    men: [u8; MOST_MEN / 2],
    side_to_move: Color,
    /// For the side to move, in centipawns.
    score: i16,
    /// For the side to move: 0 for a loss to 2 for a win; `None` if nobody knows.
    outcome: Option<u8>,
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
    /// `score` and `outcome` are White's: centipawns, and 0 for a loss to 2 for a win.
    pub(super) fn new(position: &Position, score: Score, outcome: Option<u8>) -> Self {
        let mut men = [0; MOST_MEN / 2];
        for (index, square) in position.occupied().into_iter().enumerate() {
            let man = position.piece_at(square).map_or(0, Piece::index) as u8;
            men[index / 2] |= man << (4 * (index % 2));
        }
        let side_to_move = position.side_to_move();
        let is_white = side_to_move == Color::White;
        Self {
            occupied: position.occupied(),
            men,
            side_to_move,
            score: if is_white { score.0 } else { -score.0 } as i16,
            outcome: outcome.map(|points| if is_white { points } else { 2 - points }),
        }
    }

    /// How many men are on the board.
    pub(super) const fn men(&self) -> usize {
        self.occupied.len() as usize
    }

    /// What the network should say: the share of a point to be expected, between what the search thought and, with
    /// weight `wdl`, how the game ended.
    pub(super) fn target(&self, wdl: f32, scale: f32) -> f32 {
        let expected = sigmoid(f32::from(self.score) / scale);
        match self.outcome {
            Some(points) => expected + wdl * (f32::from(points) / 2.0 - expected),
            None => expected,
        }
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

/// From centipawns, in units of the scale, to the share of a point to be expected.
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Positions of random games, with scores and outcomes drawn by lot.
#[cfg(test)]
pub(super) fn random_samples(count: usize, seed: u64) -> Vec<Sample> {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut position = Position::start();
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        let outcome = Some(random.random_range(0..=2)).filter(|_| random.random_bool(0.7));
        samples.push(Sample::new(
            &position,
            Score(random.random_range(-900..=900)),
            outcome,
        ));
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
            let sample = Sample::new(&position, Score(37), Some(2));
            assert_eq!(sample.position().unwrap().to_string(), fen);
            assert_eq!(sample.men(), position.occupied().len() as usize);
        }
    }

    #[test]
    fn targets_lie_between_score_and_outcome() {
        let black_to_move = Position::from_fen("4k3/8/8/8/8/8/8/4K2R b - - 0 1").unwrap();
        // White is a pawn up and wins; for Black, whose move it is, both are bad.
        let sample = Sample::new(&black_to_move, Score(100), Some(2));
        let score = sigmoid(-0.25);
        assert_eq!(sample.target(0.0, 400.0), score);
        assert_eq!(sample.target(1.0, 400.0), 0.0);
        assert!((sample.target(0.3, 400.0) - 0.7 * score).abs() < 1e-6);
        let alone = Sample::new(&black_to_move, Score(100), None);
        assert_eq!(alone.target(0.3, 400.0), score);
    }
}
