//! Static exchange evaluation: the material that a capture wins when both sides recapture on its
//! square as long as it pays.
//!
//! Only whether it reaches a threshold is computed. So the exchange can be followed move by move,
//! and ends as soon as the side that has just captured is content even if its piece is lost. The
//! full value would need the *swap list*, which is worked out backwards from its end.

use super::{Position, attacks};
use crate::types::{Bitboard, Color, Move, MoveKind, PieceKind, Square};

/// Value of a piece in an exchange, in centipawns. A king can capture but is never captured.
pub const fn value(kind: PieceKind) -> i32 {
    [100, 320, 330, 500, 950, 0][kind.index()]
}

impl Position {
    /// Whether the exchange that this legal move starts wins at least `threshold` centipawns.
    ///
    /// Pins count as long as the pinning piece has not taken part. Promotions count only for the
    /// first move.
    ///
    /// ```
    /// use tabiya::board::Position;
    /// use tabiya::types::{Move, Square};
    /// let position = Position::from_fen("4k3/2p5/3p4/8/8/8/8/3RK3 w - - 0 1").unwrap();
    /// let rook_takes_protected_pawn = Move::normal(Square::D1, Square::D6);
    /// assert!(position.see_at_least(rook_takes_protected_pawn, -400));
    /// assert!(!position.see_at_least(rook_takes_protected_pawn, -399));
    /// ```
    #[must_use]
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_at(from) else {
            return threshold <= 0;
        };
        let (gain, arriving) = match mv.kind() {
            MoveKind::Castling => return threshold <= 0,
            MoveKind::EnPassant => (value(PieceKind::Pawn), PieceKind::Pawn),
            MoveKind::Promotion(kind) => (
                self.value_at(mv) + value(kind) - value(PieceKind::Pawn),
                kind,
            ),
            MoveKind::Normal => (self.value_at(mv), mover.kind()),
        };

        // ANCHOR: balance
        // The surplus over the threshold for the side that has just moved, before a recapture.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= value(arriving);
        if balance >= 0 {
            return true;
        }
        // ANCHOR_END: balance

        let mut occupied = (self.occupied() - from.into()) | to.into();
        if mv.is_en_passant() {
            occupied -= Bitboard::from(to).forward(!self.side_to_move);
        }
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut side = !self.side_to_move;
        // Computed at most once for each side; pins are rare.
        let mut pinners = [None; Color::COUNT];
        // ANCHOR: exchange
        loop {
            let ours = attackers & self.color(side);
            if ours.is_empty() {
                break;
            }
            let pinners =
                *pinners[side.index()].get_or_insert_with(|| self.sliders_aligned_with_king(side));
            let free = self.free_to_take(side, to, ours, occupied, pinners & occupied);
            let Some((square, kind)) = self.least_valuable(free) else {
                break;
            };
            if kind == PieceKind::King && attackers.intersects(self.color(!side)) {
                // The king may not capture a protected piece.
                break;
            }
            side = !side;
            // From the view of the side that captures now. An equal result does not take the other
            // below its threshold, hence - 1. The capturing piece counts as lost, as above.
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                break;
            }
            occupied -= square;
            // The capture may open a line for a slider behind it.
            if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                attackers |= attacks::bishop(to, occupied) & self.diagonal_sliders();
            }
            if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
                attackers |= attacks::rook(to, occupied) & self.orthogonal_sliders();
            }
            attackers &= occupied;
        }
        // `side` cannot recapture, or would lose by it, so it has lost the exchange.
        side != self.side_to_move
        // ANCHOR_END: exchange
    }

    /// As [`see_at_least`](Self::see_at_least), but faster, for a legal quiet move. `attacked` is
    /// the set of squares that the opponent attacks.
    #[inline(always)]
    #[must_use]
    pub fn quiet_see_at_least(&self, mv: Move, threshold: i32, attacked: Bitboard) -> bool {
        // No piece can capture on the target, not even a slider from behind the origin.
        let is_safe = !attacked.contains(mv.from()) && !attacked.contains(mv.to());
        is_safe && threshold <= 0 || self.see_at_least(mv, threshold)
    }

    fn value_at(&self, mv: Move) -> i32 {
        self.piece_at(mv.to())
            .map_or(0, |victim| value(victim.kind()))
    }

    /// The attackers `ours` of one side, without those that a slider pins.
    #[inline]
    fn free_to_take(
        &self,
        side: Color,
        to: Square,
        ours: Bitboard,
        occupied: Bitboard,
        pinners: Bitboard,
    ) -> Bitboard {
        let king = self.king(side);
        let mut free = ours;
        for pinner in pinners {
            let between = attacks::between(king, pinner) & occupied;
            if !between.has_many()
                && between.intersects(ours)
                && !attacks::line(king, pinner).contains(to)
            {
                free -= between;
            }
        }
        free
    }

    #[inline(always)]
    fn least_valuable(&self, pieces: Bitboard) -> Option<(Bitboard, PieceKind)> {
        PieceKind::ALL.into_iter().find_map(|kind| {
            let square = (pieces & self.kind(kind)).first()?;
            Some((square.into(), kind))
        })
    }
}
