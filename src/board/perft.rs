//! Perft: counts the leaves of the tree of legal moves, the standard test of a move generator.

use super::Position;
use crate::types::Move;

/// Number of sequences of `depth` legal moves.
///
/// The moves of the last ply are counted, not played. The recursion is `depth` calls deep, so a
/// caller that takes `depth` from a user must limit it, as the engine does to
/// [`MAX_PLY`](crate::types::MAX_PLY).
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
            .map(|&mv| {
                let mut next = *position;
                next.make_unchecked(mv);
                count(&next, depth - 1)
            })
            .sum(),
    }
}

/// As [`count`], but calls `go_on` before every subtree of depth 4 or more. Returns `None` as soon
/// as `go_on` returns `false`.
pub fn count_while(position: &Position, depth: u32, go_on: &impl Fn() -> bool) -> Option<u64> {
    /// Counting to this depth takes milliseconds.
    const SHORT_DEPTH: u32 = 3;
    if depth <= SHORT_DEPTH {
        return Some(count(position, depth));
    }
    if !go_on() {
        return None;
    }
    position
        .legal_moves()
        .iter()
        .map(|&mv| count_while(&position.play_unchecked(mv), depth - 1, go_on))
        .sum()
}

/// [`count`] for the subtree of each legal move; empty at depth 0.
pub fn divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, u64)> + '_ {
    let moves = if depth == 0 {
        Default::default()
    } else {
        position.legal_moves()
    };
    moves
        .into_iter()
        .map(move |mv| (mv, count(&position.play_unchecked(mv), depth - 1)))
}
