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

/// [`count`] that asks now and then whether to go on; `None` if not.
pub fn count_while(position: &Position, depth: u32, go_on: &impl Fn() -> bool) -> Option<u64> {
    /// Takes milliseconds at most.
    const NOT_LONG: u32 = 3;
    if depth <= NOT_LONG {
        return Some(count(position, depth));
    }
    if !go_on() {
        return None;
    }
    position
        .legal_moves()
        .iter()
        .map(|&mv| count_while(&position.play(mv), depth - 1, go_on))
        .sum()
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
