//! Random games, the same on every run.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tabiya::board::Position;
use tabiya::types::{Move, MoveKind};

/// Where random games start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The usual array.
    Standard,
    /// The same array for both sides, drawn from the 960.
    Chess960,
    /// An array for each side.
    DoubleChess960,
    /// Eight men a side too many: no game begins so, but a peer may set it up.
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
        Position::from_fen(&fen).expect("a start position is legal")
    }
}

/// The array with this Scharnagl number: bishops first, then queen, knights, and the king between the rooks.
fn back_rank(number: usize) -> String {
    let mut squares = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    squares[2 * light + 1] = Some('b');
    squares[2 * dark] = Some('b');
    let (knights, queen) = (rest / 6, rest % 6);
    let mut put = |nth: usize, man: char| {
        let free = squares
            .iter_mut()
            .filter(|square| square.is_none())
            .nth(nth);
        *free.expect("the square is free") = Some(man);
    };
    put(queen, 'q');
    let pairs: Vec<_> = (0..5)
        .flat_map(|a| (a + 1..5).map(move |b| (a, b)))
        .collect();
    let (first, second) = pairs[knights];
    // The later one first, so that it does not move the other's place.
    put(second, 'n');
    put(first, 'n');
    for man in ['r', 'k', 'r'] {
        put(0, man);
    }
    squares.into_iter().flatten().collect()
}

/// Visits this many positions of random games, each with the move that leads to the next; the last of a game with none.
///
/// Uniform play hardly ever castles or promotes, so every other move is drawn from those that do, if there is one.
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
                Some(mv) => position = position.play(mv),
                None => break,
            }
        }
    }
}

#[test]
fn scharnagl_numbers_are_the_known_ones() {
    assert_eq!(back_rank(518), "rnbqkbnr");
    assert_eq!(back_rank(0), "bbqnnrkr");
    assert_eq!(back_rank(959), "rkrnnqbb");
    let all: std::collections::HashSet<_> = (0..960).map(back_rank).collect();
    assert_eq!(all.len(), 960);
}
