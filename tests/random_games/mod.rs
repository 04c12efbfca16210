//! Random games that can be repeated: much shuffling to and fro, so that repetitions and long clocks occur.

#![allow(dead_code)]

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tabiya::board::{Position, Setup};
use tabiya::game::Game;
use tabiya::types::{CastlingMode, Move};

/// Where games start: the beginning, castling of all kinds, en passant, few men, long clocks.
pub(crate) const STARTS: [(&str, CastlingMode); 16] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        CastlingMode::Standard,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        CastlingMode::Standard,
    ),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9",
        CastlingMode::Standard,
    ),
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        CastlingMode::Standard,
    ),
    (
        "r3k3/1P6/8/8/8/8/1p6/R3K3 w Qq - 0 1",
        CastlingMode::Standard,
    ),
    (
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        CastlingMode::Standard,
    ),
    ("8/8/8/4k3/8/8/4K3/R7 w - - 90 80", CastlingMode::Standard),
    ("8/8/8/4k3/8/8/4K3/R7 b - - 140 99", CastlingMode::Standard),
    (
        "8/5k2/8/8/3NN3/8/4K3/n7 w - - 60 80",
        CastlingMode::Standard,
    ),
    ("5k2/8/8/p7/8/1B6/4K3/8 w - - 0 80", CastlingMode::Standard),
    ("8/5k2/8/b7/8/8/3RK3/8 w - - 0 80", CastlingMode::Standard),
    ("8/5k2/8/b7/8/8/3NK3/8 w - - 0 80", CastlingMode::Standard),
    (
        "1qq4k/p7/8/8/8/8/P7/1QQ4K w - - 0 80",
        CastlingMode::Standard,
    ),
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        CastlingMode::Chess960,
    ),
    (
        "rk5r/1p6/8/8/8/8/8/1RK2R2 w FBha - 0 9",
        CastlingMode::Chess960,
    ),
    (
        "1r1bkqrn/pppppppp/8/8/8/8/PPPPPPPP/1R1BKQRN w GBgb - 0 1",
        CastlingMode::Chess960,
    ),
];

/// The position of a FEN in a table.
pub(crate) fn position(fen: &str, mode: CastlingMode) -> Position {
    let setup: Setup = fen.parse().expect("the table has FENs");
    setup
        .validate(mode)
        .expect("the table has positions")
        .position
}

/// A source of random games.
pub(crate) struct Source(ChaCha8Rng);

impl Source {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number from 0 to `end - 1`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.next_u64() as usize % end
    }

    /// A legal move of a game that is not over; every other time one that goes back where the man came from.
    pub(crate) fn choose(&mut self, game: &Game) -> Move {
        let moves = game.position().legal_moves();
        let before_last = game.history().moves().rev().nth(1);
        let back = before_last.and_then(|mv| {
            let goes_back = |other: &&Move| other.from() == mv.to() && other.to() == mv.from();
            moves.iter().find(goes_back)
        });
        match back {
            Some(&back) if self.below(2) == 0 => back,
            _ => moves[self.below(moves.len())],
        }
    }

    /// A random game from one of the [`STARTS`], to its end by rule or to a number of half-moves.
    pub(crate) fn game(&mut self, plies: usize) -> Game {
        let (fen, mode) = STARTS[self.below(STARTS.len())];
        let mut game = Game::new(position(fen, mode), mode);
        while game.outcome().is_none() && game.history().moves().len() < plies {
            let mv = self.choose(&game);
            game.play(mv).expect("the move is legal");
        }
        game
    }
}
