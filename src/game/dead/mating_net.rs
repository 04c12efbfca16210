//! What a mate would need, and a proof that it cannot be had.
//!
//! In a mate the losing king stands on a square of its [`mobility`](super::mobility) set, is attacked there, and each square next
//! to it is closed. Let `s` be that square, `n` one next to it. All that stands anywhere stands in its mobility set, so:
//!
//! - **The check was given by a move.** The positions asked about are no mates, so the winner has moved since, and the king
//!   was not in check before that move. So the checker has moved, or it is a slider and the line to the king was opened
//!   by a move. A piece that can never move has neighbours of its own side that stay in all directions in which it could
//!   step; as a slider it attacks nobody, and as a pawn or knight it has not moved. So a checker is a piece that can move, and a
//!   pawn gives check from a square other than the one it stands on now.
//! - **A checker could step onto `s`,** as far as the conditions of mobility go: no piece of the winner stands there, and the
//!   squares on the way are empty. So `s` is in its set, or a pawn attacks it from there.
//! - **`n` is closed** because the king could not step there even with help (it is not in its set), or because a piece of the
//!   loser stands there (it is in the set of one), or because the winner attacks it. A piece attacks `n` along a way that is
//!   empty but for the losing king, so the last square before `n` is in its set, or is `s` and then in its set by
//!   the same argument; a pawn attacks it from a square of its set; the king from a square of its set that is not next to `s`.
//! - Those neighbours that no piece of the winner but the king can attack have to be closed by the king, from one square, and by
//!   different pieces of the loser, a square each.
//!
//! If no square `s` passes all that, there is no mate.

use super::mobility::{Mobility, Mover, steps};
use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Square};
use arrayvec::ArrayVec;

/// Whether `winner` cannot win for lack of mobility. `false` says nothing. The position is no mate.
pub(super) fn is_impossible(position: &Position, winner: Color) -> bool {
    if position.en_passant().is_some() {
        return false;
    }
    let net = Net::new(&Mobility::of(position), winner);
    let mut squares = (net.region & net.checks).into_iter();
    !squares.any(|square| net.can_close(square))
}

/// What both sides can do about the losing king.
struct Net {
    /// Where the losing king may stand.
    region: Bitboard,
    /// Where it may be given check.
    checks: Bitboard,
    /// The squares that the winner may attack, but for the king.
    attacks: Bitboard,
    /// Where the winning king may stand.
    king: Bitboard,
    /// Where each other piece of the loser may stand.
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

    /// Whether the squares next to a king on that square may all be closed.
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

/// Whether a different piece may stand on each of these squares, given where each piece may stand; only `false` is certain.
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
