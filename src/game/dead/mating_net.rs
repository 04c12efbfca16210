//! The squares that a mate needs, and a proof that the pieces cannot provide them.
//!
//! In a mate the losing king stands on a square of its [`mobility`](super::mobility) set, is
//! attacked there, and each adjacent square is closed. Let `s` be its square and `n` an adjacent
//! one. Every piece stands on a square of its own set. So:
//!
//! - **A move gave the check.** The positions examined are not mates, so the winner has moved
//!   since. Before that move the king was not in check. So the checker has moved, or it is a slider
//!   and a move has opened its line to the king. A piece that can never move has neighbours of its
//!   own side, which stay, in all directions in which it could step. As a slider it attacks no
//!   enemy, and as a pawn or knight it has not moved. So a checker is a piece that can move, and a
//!   pawn gives check from a square other than its present one.
//! - **A checker could step onto `s`,** as far as the conditions of mobility go: no piece of the
//!   winner stands there, and the squares on the way are empty. So `s` is in the checker's set, or
//!   the checker is a pawn that attacks `s` from a square of its set.
//! - **`n` is closed** for one of three reasons. The king could not step there even with help, so
//!   `n` is not in the king's set. Or a piece of the loser stands there, so `n` is in that piece's
//!   set. Or the winner attacks `n`. A piece attacks `n` along a way that is empty except for the
//!   losing king. So the last square before `n` is in the piece's set, or that square is `s` and in
//!   the set by the argument above. A pawn attacks `n` from a square of its set. The king attacks
//!   `n` from a square of its set that is not adjacent to `s`.
//! - Some adjacent squares cannot be attacked by any piece of the winner except the king. These
//!   must be closed by the king, from one square, and by different pieces of the loser, one for
//!   each square.
//!
//! If no square `s` passes all these tests, no mate exists.

use super::mobility::{Mobility, Mover, steps};
use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Square};
use arrayvec::ArrayVec;

/// Whether a proof was found that `winner` cannot win. The position must not be a mate.
pub(super) fn is_impossible(position: &Position, winner: Color) -> bool {
    if position.en_passant().is_some() {
        return false;
    }
    let net = Net::new(&Mobility::of(position), winner);
    let mut squares = (net.region & net.checks).into_iter();
    !squares.any(|square| net.can_close(square))
}

/// The squares that both sides can use for or against the losing king.
struct Net {
    /// The squares on which the losing king may stand.
    region: Bitboard,
    /// The squares on which the winner may give check.
    checks: Bitboard,
    /// The squares that the winner may attack with pieces other than the king.
    attacks: Bitboard,
    /// The squares on which the winning king may stand.
    king: Bitboard,
    /// For each other piece of the loser, the squares on which it may stand.
    blockers: ArrayVec<Bitboard, { Square::COUNT }>,
}

impl Net {
    fn new(mobility: &Mobility, winner: Color) -> Self {
        let mut net = Self {
            region: mobility.king_reach(!winner),
            checks: Bitboard::EMPTY,
            attacks: Bitboard::EMPTY,
            king: mobility.king_reach(winner),
            blockers: ArrayVec::new(),
        };
        for mover in &mobility.movers {
            if mover.kind == PieceKind::King {
                continue;
            }
            if mover.color != winner {
                net.blockers.push(mover.anywhere());
                continue;
            }
            net.attacks |= attacks_of(mover);
            if mover.can_move() {
                net.checks |= checks_of(mover);
            }
        }
        net
    }

    /// Whether the squares adjacent to a king on `square` may all be closed.
    fn can_close(&self, square: Square) -> bool {
        let open = (attacks::king(square) & self.region) - self.attacks;
        if can_block(&self.blockers, open) {
            return true;
        }
        let near = attacks::king(square) | square.into();
        let two_away = steps(PieceKind::King, near) & (self.king - near);
        two_away
            .into_iter()
            .any(|king| can_block(&self.blockers, open - attacks::king(king)))
    }
}

/// Whether a different piece may stand on each of these squares, given the set of each piece. Only
/// `false` is a proof.
pub(super) fn can_block(blockers: &[Bitboard], squares: Bitboard) -> bool {
    let mut count = 0;
    let mut blocked = Bitboard::EMPTY;
    for &blocker in blockers {
        if blocker.intersects(squares) {
            count += 1;
            blocked |= blocker;
        }
    }
    squares.len() <= count && squares.is_subset(blocked)
}

/// The squares that a piece other than the king may attack.
pub(super) fn attacks_of(mover: &Mover) -> Bitboard {
    match mover.kind {
        PieceKind::Pawn => attacks::pawns(mover.color, mover.reach) | promoted_attacks(mover),
        kind => steps(kind, mover.reach),
    }
}

/// The squares on which a piece that can move may give check.
fn checks_of(mover: &Mover) -> Bitboard {
    match mover.kind {
        PieceKind::Pawn => {
            attacks::pawns(mover.color, mover.reach - mover.from.into()) | mover.promoted
        }
        _ => mover.reach,
    }
}

fn promoted_attacks(mover: &Mover) -> Bitboard {
    steps(PieceKind::Queen, mover.promoted) | steps(PieceKind::Knight, mover.promoted)
}
