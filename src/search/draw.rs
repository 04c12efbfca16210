//! Where a line ends before its depth does: drawn by repetition, by the fifty-move rule or for lack of material, or as deep as
//! can be.
//!
//! A position that comes back within the search is a draw at once: whoever could do better the second time could have done so
//! the first time. One that was there before the root must come a third time, as in the game. A repetition is even seen one
//! ply before it is on the board (*upcoming repetition*): a side that can make one has a draw at least, which spares the search
//! a ply in each such line (van Kervinck's cuckoo table, [`is_one_move_from`](crate::board::Position::is_one_move_from)).
//! What it misses: a draw that the transposition table hides, since an entry knows nothing of the way to its position.
//!
//! These are shortcuts for the search; the exact rules are in `game`.

use super::worker::Worker;
use crate::board::Position;
use crate::types::{Bitboard, FIFTY_MOVES, MAX_PLY, PieceKind, Score};

impl Worker<'_> {
    /// The score of a position at which the line ends: a draw, or as deep as can be.
    pub(super) fn draw_or_max_ply(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if self.rule50(position) >= FIFTY_MOVES {
            // Mate with the last of the fifty moves is mate (FIDE 9.6.2 by analogy with 9.3).
            let is_mate = position.in_check() && !position.has_legal_move();
            return Some(if is_mate {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            });
        }
        if self.is_repetition(position, ply) || is_insufficient_material(position) {
            return Some(Score::DRAW);
        }
        if ply >= MAX_PLY - 1 {
            return Some(if position.in_check() {
                Score::DRAW
            } else {
                self.raw_eval(position, None)
            });
        }
        None
    }

    /// Plies since the last capture or pawn move as the fifty-move rule counts them, with what the game has outlasted taken
    /// off.
    #[inline(always)]
    pub(super) fn rule50(&self, position: &Position) -> u32 {
        position
            .halfmove_clock()
            .saturating_sub(self.draw_rules.grace)
    }

    /// Upcoming repetition: whether the side to move can make a position of this line once more, which is a draw if it wants
    /// one. Only positions after the root count: they can be repeated once more for sure.
    pub(super) fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        let reversible = self.stack[ply].reversible.min(ply.saturating_sub(1));
        let distances = (3..=reversible).step_by(2);
        let mut keys = distances.map(|distance| self.keys[self.keys.len() - distance]);
        keys.any(|key| position.is_one_move_from(key))
    }

    /// Whether the position has been there before: once since the root, for it can be repeated again, or often enough
    /// before it.
    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let reversible = self.stack[ply].reversible;
        if reversible < 4 {
            return false;
        }
        let key = position.key();
        let mut before_root = 0;
        for distance in (4..=reversible).step_by(2) {
            if self.keys[self.keys.len() - distance] == key {
                if distance <= ply {
                    return true;
                }
                before_root += 1;
                if before_root == self.draw_rules.earlier {
                    return true;
                }
            }
        }
        false
    }
}

/// Material with which no play can mate: two kings, and one knight or only bishops on squares of one colour.
fn is_insufficient_material(position: &Position) -> bool {
    // Nearly all positions are done with here.
    if position.kind(PieceKind::Pawn).any() {
        return false;
    }
    let others = position.occupied() - position.kind(PieceKind::King);
    let bishops = position.kind(PieceKind::Bishop);
    let is_lone_knight = others.len() <= 1 && others == position.kind(PieceKind::Knight);
    let is_one_color =
        !bishops.intersects(Bitboard::LIGHT) || !bishops.intersects(!Bitboard::LIGHT);
    is_lone_knight || others == bishops && is_one_color
}
