//! Ends of a path before its depth: repetition, fifty-move rule, insufficient material, maximum
//! ply.
//!
//! A position that repeats within the search is a draw at once, because a side that can do better
//! the second time could have done so the first time. A position from before the root must occur a
//! third time, as in the game. A repetition is seen one ply early (*upcoming repetition*): where
//! one move leads back, the side to move has at least a draw, which saves a ply in each such line
//! (van Kervinck's cuckoo table, [`is_one_move_from`](crate::board::Position::is_one_move_from)).
//! Draws hidden by the transposition table are missed, since an entry does not know the path to its
//! position.
//!
//! These are shortcuts for the search; the exact rules are in `game`.

use super::worker::Worker;
use crate::board::Position;
use crate::types::{FIFTY_MOVES, MAX_PLY, Score};

/// The score of a move from the position after it, for the side that makes the move: mate,
/// stalemate, or what `evaluate` says for the other side.
pub(crate) fn score_after(next: &Position, evaluate: impl FnOnce() -> Score) -> Score {
    if next.has_legal_move() {
        -evaluate()
    } else if next.in_check() {
        Score::mate_in(1)
    } else {
        Score::DRAW
    }
}

impl Worker<'_> {
    /// The score of a position that ends the path, by a draw or at the maximum ply.
    pub(super) fn draw_or_max_ply(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if self.rule50(position) >= FIFTY_MOVES {
            // Mate by the last of the fifty moves is mate (FIDE 9.6.2, applied to 9.3 by analogy).
            return Some(if position.is_checkmate() {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            });
        }
        if self.is_repetition(position, ply) || position.is_insufficient_material() {
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

    /// Halfmove clock for the fifty-move rule.
    #[inline(always)]
    pub(super) fn rule50(&self, position: &Position) -> u32 {
        self.shared.draw_rules.rule50(position)
    }

    /// Whether one move separates this position from an earlier one of the path, after the root.
    /// Either the side to move can go back to it, or the opponent could have come here from it in
    /// one move, so that the moves between gained nothing. Both count as at least a draw for the
    /// side to move.
    pub(super) fn has_upcoming_repetition(&self, position: &Position, ply: usize) -> bool {
        let reversible = self.stack[ply].reversible.min(ply.saturating_sub(1));
        let distances = (3..=reversible).step_by(2);
        let mut keys = distances.map(|distance| self.keys[self.keys.len() - distance]);
        keys.any(|key| position.is_one_move_from(key))
    }

    // ANCHOR: repetition
    /// Whether the position has occurred once since the root, or often enough before it.
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
                if before_root == self.shared.draw_rules.repetitions_needed {
                    return true;
                }
            }
        }
        false
    }
    // ANCHOR_END: repetition

    /// Whether the position after a root move is a draw by repetition, the fifty-move rule or
    /// insufficient material. Needs no search that is under way.
    pub(super) fn is_drawn_after_root_move(&self, next: &Position) -> bool {
        let draw_rules = self.shared.draw_rules;
        draw_rules.rule50(next) >= FIFTY_MOVES
            || next.is_insufficient_material()
            || draw_rules.is_repeated(&self.shared.request.root, next.key())
    }
}
