//! Counting the leaves of the tree of legal moves: the standard test of a move generator.

use super::Position;
use crate::types::Move;

/// How many sequences of `depth` legal moves there are.
///
/// The last ply is counted, not played.
///
/// ```
/// use tabiya::board::{Position, perft};
/// assert_eq!(perft::count(&Position::start(), 3), 8902);
/// ```
pub fn count(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_move_count(),
        _ => position
            .legal_moves()
            .iter()
            .map(|&mv| count(&position.play(mv), depth - 1))
            .sum(),
    }
}

/// [`count`] for the subtree of each legal move; nothing at depth 0.
pub fn divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, u64)> + '_ {
    let moves = if depth == 0 {
        Default::default()
    } else {
        position.legal_moves()
    };
    moves
        .into_iter()
        .map(move |mv| (mv, count(&position.play(mv), depth - 1)))
}
