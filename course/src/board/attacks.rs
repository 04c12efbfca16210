// ANCHOR: all
//! The squares that a piece attacks.

use super::types::{Bitboard, Color, Square};

// ANCHOR: leapers
/// For each square, the squares that these steps reach.
const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    // `for` does not work in a `const fn` yet.
    while from < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = Square(from as u8).step(steps[i].0, steps[i].1) {
                table[from].0 |= Bitboard::of(to).0;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

#[rustfmt::skip]
static KNIGHT: [Bitboard; 64] =
    leaper(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
#[rustfmt::skip]
static KING: [Bitboard; 64] =
    leaper(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

pub(super) fn knight(from: Square) -> Bitboard {
    KNIGHT[from.index()]
}

pub(super) fn king(from: Square) -> Bitboard {
    KING[from.index()]
}

/// The squares on which a pawn of this colour captures.
pub(super) fn pawn(color: Color, from: Square) -> Bitboard {
    PAWN[color.index()][from.index()]
}
// ANCHOR_END: leapers

// ANCHOR: rays
/// For each square, all squares in one direction up to the edge.
const fn rays(files: i8, ranks: i8) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut next = Square(from as u8).step(files, ranks);
        while let Some(square) = next {
            table[from].0 |= Bitboard::of(square).0;
            next = square.step(files, ranks);
        }
        from += 1;
    }
    table
}

/// Directions in which the numbers of the squares grow, and in which they fall.
struct Rays {
    up: [[Bitboard; 64]; 2],
    down: [[Bitboard; 64]; 2],
}

static STRAIGHT: Rays = Rays {
    up: [rays(0, 1), rays(1, 0)],
    down: [rays(0, -1), rays(-1, 0)],
};
static DIAGONAL: Rays = Rays {
    up: [rays(1, 1), rays(-1, 1)],
    down: [rays(-1, -1), rays(1, -1)],
};

/// The attacks along these rays: up to the first occupied square in each direction.
fn slider(rays: &Rays, from: Square, occupied: Bitboard) -> Bitboard {
    let from = from.index();
    let mut attacks = Bitboard::EMPTY;
    // The nearest blocker is the lowest one upwards and the highest one downwards.
    for (rays, nearest) in [
        (&rays.up, Bitboard::lowest as fn(Bitboard) -> Square),
        (&rays.down, Bitboard::highest),
    ] {
        for ray in rays {
            let blockers = ray[from] & occupied;
            // What lies behind the blocker is its own ray.
            let hidden = if blockers.is_empty() {
                Bitboard::EMPTY
            } else {
                ray[nearest(blockers).index()]
            };
            attacks = attacks | (ray[from] & !hidden);
        }
    }
    attacks
}

pub(super) fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    slider(&STRAIGHT, from, occupied)
}

pub(super) fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    slider(&DIAGONAL, from, occupied)
}
// ANCHOR_END: rays
// ANCHOR_END: all
