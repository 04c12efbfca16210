//! Hearing of each piece that is added or removed while a move is made.

use crate::types::{Piece, Square};

/// Told of every change on the board while a move is made; the evaluation keeps its sums with it.
///
/// The board knows nothing of who listens. `()` is the observer that does not.
pub trait Observer {
    /// A piece was added to a square.
    fn added(&mut self, piece: Piece, square: Square);
    /// A piece was taken off a square.
    fn removed(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    #[inline(always)]
    fn added(&mut self, _: Piece, _: Square) {}

    #[inline(always)]
    fn removed(&mut self, _: Piece, _: Square) {}
}
