//! Random games, the same in every run. [`walk`] prefers rare moves; [`RandomPlayer`] prefers to
//! move back and forth. Beside them stand two positions that many tests use.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tabiya::board::{Position, Setup};
use tabiya::game::Game;
use tabiya::types::{CastlingMode, Move, MoveKind};

/// The start position.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position with every kind of move, the most popular one for tests ("Kiwipete").
pub(crate) const KIWIPETE: &str =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The start of a random game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The standard array.
    Standard,
    /// One of the 960 arrays, the same for both sides.
    Chess960,
    /// One of the 960 arrays for each side.
    DoubleChess960,
    /// Eight extra pieces for each side: not a start of a game, but a position that can be set up.
    Crowded,
}

impl Start {
    pub(crate) const ALL: [Self; 4] = [
        Self::Standard,
        Self::Chess960,
        Self::DoubleChess960,
        Self::Crowded,
    ];

    fn position(self, random: &mut ChaCha8Rng) -> Position {
        let white = back_rank(random.random_range(0..960));
        let black = match self {
            Self::Standard => return Position::start(),
            Self::Crowded => {
                let fen = "rnbqkbnr/pppppppp/bnbnbnbn/8/8/NBNBNBNB/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
                return Position::from_fen(fen).expect("it can be played");
            }
            Self::Chess960 => white.clone(),
            Self::DoubleChess960 => back_rank(random.random_range(0..960)),
        };
        let (upper, lower) = (white.to_uppercase(), black);
        let fen = format!("{lower}/pppppppp/8/8/8/8/PPPPPPPP/{upper} w KQkq - 0 1");
        let read = Position::from_fen_repaired(&fen, Some(CastlingMode::Chess960));
        read.expect("a start position is legal").position
    }
}

/// The array with this Scharnagl number: bishops first, then queen and knights; king between the
/// rooks.
fn back_rank(number: usize) -> String {
    let mut squares = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    squares[2 * light + 1] = Some('b');
    squares[2 * dark] = Some('b');
    let (knights, queen) = (rest / 6, rest % 6);
    let mut put = |nth: usize, piece: char| {
        let free = squares
            .iter_mut()
            .filter(|square| square.is_none())
            .nth(nth);
        *free.expect("the square is free") = Some(piece);
    };
    put(queen, 'q');
    let pairs: Vec<_> = (0..5)
        .flat_map(|a| (a + 1..5).map(move |b| (a, b)))
        .collect();
    let (first, second) = pairs[knights];
    // The later one first, because it would otherwise shift.
    put(second, 'n');
    put(first, 'n');
    for piece in ['r', 'k', 'r'] {
        put(0, piece);
    }
    squares.into_iter().flatten().collect()
}

/// Visits `positions` positions of random games, each with the move to the next one, if any.
///
/// Uniform play hardly ever castles or promotes, so every other move is one of these if possible.
pub(crate) fn walk(
    start: Start,
    seed: u64,
    positions: usize,
    mut visit: impl FnMut(&Position, Option<Move>),
) {
    const LONGEST: usize = 150;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut left = positions;
    while left > 0 {
        let mut position = start.position(&mut random);
        for ply in (0..LONGEST.min(left)).rev() {
            left -= 1;
            let moves = position.legal_moves();
            let rare: Vec<_> = moves
                .iter()
                .copied()
                .filter(|mv| mv.kind() != MoveKind::Normal)
                .collect();
            let chosen = match rare.choose(&mut random) {
                Some(&mv) if random.random_bool(0.5) => Some(mv),
                _ => moves.choose(&mut random).copied(),
            };
            let chosen = chosen.filter(|_| ply > 0);
            visit(&position, chosen);
            match chosen {
                Some(mv) => position = position.play_unchecked(mv),
                None => break,
            }
        }
    }
}

/// Start positions: the beginning, castling of all kinds, en passant, few pieces, high clocks.
pub(crate) const STARTS: [(&str, CastlingMode); 16] = [
    (START, CastlingMode::Standard),
    (KIWIPETE, CastlingMode::Standard),
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

/// The position of a FEN.
pub(crate) fn position(fen: &str, mode: CastlingMode) -> Position {
    let setup: Setup = fen.parse().expect("the table has FENs");
    setup
        .validate(mode)
        .expect("the table has positions")
        .position
}

/// Plays random games with many moves back and forth, so that repetitions and high clocks occur.
pub(crate) struct RandomPlayer(ChaCha8Rng);

impl RandomPlayer {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number from 0 to `end - 1`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.next_u64() as usize % end
    }

    /// A legal move of a game in progress; every other time one that moves a piece back.
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

    /// A random game from one of the [`STARTS`], to its end by rule or for `plies` half-moves.
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

#[test]
fn scharnagl_numbers_are_the_known_ones() {
    assert_eq!(back_rank(518), "rnbqkbnr");
    assert_eq!(back_rank(0), "bbqnnrkr");
    assert_eq!(back_rank(959), "rkrnnqbb");
    let all: std::collections::HashSet<_> = (0..960).map(back_rank).collect();
    assert_eq!(all.len(), 960);
    for number in 0..960 {
        let position = Position::chess960(number as u32).expect("the number is valid");
        let fen = position.to_string();
        assert!(
            fen.starts_with(&format!("{}/pppppppp/", back_rank(number))),
            "{number}: {fen}"
        );
    }
}
