//! Whether the material on the board can mate, wherever the pieces stand.

use super::Position;
use crate::types::{Bitboard, Color, PieceKind};

impl Position {
    /// Whether neither side can mate with the material on the board, even with the opponent's help
    /// (FIDE 5.2.2).
    ///
    /// True for bare kings, for a single knight against a bare king, and for any number of bishops
    /// of both sides that all stand on squares of one colour. False for two knights against a bare
    /// king: they cannot force mate, but a mate exists.
    ///
    /// ```
    /// use tabiya::board::Position;
    /// let insufficient = |fen| Position::from_fen(fen).unwrap().is_insufficient_material();
    /// assert!(insufficient("8/8/4k3/8/8/3K4/8/1N6 w - - 0 1"));
    /// assert!(!insufficient("8/8/4k3/8/8/3K4/8/1N4N1 w - - 0 1"));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        // The search asks at every node, and a pawn decides nearly all positions.
        self.kind(PieceKind::Pawn).is_empty()
            && Color::ALL
                .into_iter()
                .all(|color| !self.has_mating_material(color))
    }

    /// Whether `color` has the material to mate if the opponent helps (FIDE 6.9).
    ///
    /// `false` is a proof that no series of legal moves mates the opponent. `true` is not a proof
    /// of the opposite: the pieces may be blocked.
    #[must_use]
    pub fn has_mating_material(&self, color: Color) -> bool {
        let ours = |kind| self.pieces(color, kind);
        let theirs = |kind| self.pieces(!color, kind);
        let has_pawn_or_major = [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen]
            .into_iter()
            .any(|kind| ours(kind).any());
        // The opponent's pawns may promote to any piece that is needed to block the king's flight
        // squares.
        if has_pawn_or_major || theirs(PieceKind::Pawn).any() {
            return self.color(color).has_many();
        }
        let (knights, bishops) = (ours(PieceKind::Knight), ours(PieceKind::Bishop));
        match (knights.any(), bishops.any()) {
            (false, false) => false,
            (true, true) => true,
            // A single knight needs enemy pieces next to the king that take its flight squares and
            // cannot capture the knight. If these are queens, one of them always can (tried for all
            // squares of both kings and the knight).
            (true, false) => {
                let blockers = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook];
                knights.has_many() || blockers.into_iter().any(|kind| theirs(kind).any())
            }
            // Bishops on one colour never attack the king's flight squares of the other colour. An
            // enemy knight or bishop can block these squares; a rook or queen next to the king
            // would defend it.
            (false, true) => {
                stand_on_both_colors(self.kind(PieceKind::Bishop))
                    || theirs(PieceKind::Knight).any()
            }
        }
    }
}

fn stand_on_both_colors(pieces: Bitboard) -> bool {
    pieces.intersects(Bitboard::LIGHT) && pieces.intersects(!Bitboard::LIGHT)
}
