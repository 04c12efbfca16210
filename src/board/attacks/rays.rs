//! The slow walker: attacks found by stepping from square to square.
//!
//! It is simple enough to be obviously right. `build.rs` fills the tables with it, and the tests
//! compare the tables with it.

use crate::types::{Bitboard, Color, Square};

const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The squares in one direction, up to and including the first occupied one.
fn ray(from: Square, (files, ranks): (i8, i8), occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    let mut square = from;
    while let Some(next) = square.offset(files, ranks) {
        reached |= next.into();
        if occupied.contains(next) {
            break;
        }
        square = next;
    }
    reached
}

fn rays(from: Square, directions: &[(i8, i8)], occupied: Bitboard) -> Bitboard {
    directions
        .iter()
        .fold(Bitboard::EMPTY, |reached, &direction| {
            reached | ray(from, direction, occupied)
        })
}

fn steps(from: Square, directions: &[(i8, i8)]) -> Bitboard {
    directions
        .iter()
        .filter_map(|&(files, ranks)| from.offset(files, ranks))
        .collect()
}

/// The squares that a rook attacks, up to the first of the `occupied` squares in each direction.
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    rays(from, &ORTHOGONAL, occupied)
}

/// The squares that a bishop attacks, up to the first of the `occupied` squares in each direction.
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    rays(from, &DIAGONAL, occupied)
}

/// The squares that a knight attacks.
pub fn knight(from: Square) -> Bitboard {
    steps(from, &KNIGHT)
}

/// The squares that a king attacks.
pub fn king(from: Square) -> Bitboard {
    steps(from, &ORTHOGONAL) | steps(from, &DIAGONAL)
}

/// The squares that a pawn of `color` attacks.
pub fn pawn(color: Color, from: Square) -> Bitboard {
    match color {
        Color::White => steps(from, &[(-1, 1), (1, 1)]),
        Color::Black => steps(from, &[(-1, -1), (1, -1)]),
    }
}

/// The squares strictly between two squares on a rank, file or diagonal; empty for other pairs.
pub fn between(a: Square, b: Square) -> Bitboard {
    all_directions()
        .map(|direction| ray(a, direction, b.into()))
        .find(|ray| ray.contains(b))
        .map_or(Bitboard::EMPTY, |ray| ray - b.into())
}

/// The rank, file or diagonal through two different squares, edge to edge; empty for other pairs.
pub fn line(a: Square, b: Square) -> Bitboard {
    all_directions()
        .find(|&direction| ray(a, direction, Bitboard::EMPTY).contains(b))
        .map_or(Bitboard::EMPTY, |(files, ranks)| {
            ray(a, (files, ranks), Bitboard::EMPTY)
                | a.into()
                | ray(a, (-files, -ranks), Bitboard::EMPTY)
        })
}

/// The squares whose occupancy changes a slider's attacks: its rays without their last squares.
pub fn relevant(from: Square, attacks: fn(Square, Bitboard) -> Bitboard) -> Bitboard {
    let open = attacks(from, Bitboard::EMPTY);
    // A square matters if a piece on it hides a square behind it.
    open.into_iter()
        .filter(|&square| attacks(from, square.into()) != open)
        .collect()
}

fn all_directions() -> impl Iterator<Item = (i8, i8)> {
    ORTHOGONAL.into_iter().chain(DIAGONAL)
}
