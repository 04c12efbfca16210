//! Where a search begins: the position, and the keys of those before it.
//!
//! The search must know the positions since the last irreversible move, since coming back to one may draw; what came earlier
//! cannot come back. Who may claim such a draw changes what it is worth ([`Claims`]).

use super::limits::Claims;
use crate::board::Position;
use crate::types::{FIFTY_MOVES, Key};

/// The position to find a move for, and where it came from.
#[derive(Debug, Clone)]
pub struct Root {
    /// The position.
    pub position: Position,
    /// The keys of the positions since the last irreversible move, the oldest first, without the present one.
    pub earlier: Vec<Key>,
}

impl Root {
    /// A position with no past.
    pub fn new(position: Position) -> Self {
        Self {
            position,
            earlier: Vec::new(),
        }
    }

    /// Whether any position has been on the board so many times since the last irreversible move.
    pub(super) fn has_come(&self, times: usize) -> bool {
        let mut keys = self.earlier.clone();
        keys.push(self.position.key());
        keys.sort_unstable_by_key(|key| key.0);
        keys.windows(times).any(|same| same[0] == same[times - 1])
    }
}

/// When a line of the search is drawn, after what the game has shown so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DrawRules {
    /// Half-moves beyond a hundred without capture or pawn move before the line is drawn.
    pub(super) grace: u32,
    /// How often a position must have occurred before the root for its next occurrence to be a draw.
    pub(super) earlier: usize,
}

impl DrawRules {
    pub(super) fn new(root: &Root, claims: Claims) -> Self {
        let outlasted = |draw: bool| draw && claims == Claims::Nobody;
        let clock = root.position.halfmove_clock();
        Self {
            grace: match clock {
                _ if !outlasted(clock >= FIFTY_MOVES) => 0,
                ..150 => 50,
                _ => u32::MAX,
            },
            earlier: match outlasted(root.has_come(3)) {
                false => 2,
                true if !root.has_come(5) => 4,
                true => usize::MAX,
            },
        }
    }
}
