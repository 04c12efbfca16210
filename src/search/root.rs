//! Where a search begins.

use crate::board::Position;
use crate::types::Key;

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
}
