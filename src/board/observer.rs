//! Notification of each piece that a move adds or removes.

use crate::types::{Piece, Square};

/// Receives every change on the board while a move is made. The evaluation updates its accumulators
/// with it.
///
/// The board does not depend on its observers. `()` ignores all changes.
pub trait Observer {
    /// A piece was added to a square.
    fn added(&mut self, piece: Piece, square: Square);
    /// A piece was removed from a square.
    fn removed(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    #[inline(always)]
    fn added(&mut self, _: Piece, _: Square) {}

    #[inline(always)]
    fn removed(&mut self, _: Piece, _: Square) {}
}
