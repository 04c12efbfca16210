// ANCHOR: all
//! Legal moves, and perft to examine them.

use super::attacks;
use super::position::Position;
use super::types::{Bitboard, Color, Move, PieceKind, Square};

// ANCHOR: legal
impl Position {
    /// All legal moves: those that leave the mover's king unattacked.
    pub fn legal_moves(&self) -> Vec<Move> {
        let us = self.side_to_move();
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| {
            let next = self.play_unchecked(mv);
            !next.is_attacked(next.king(us), !us)
        });
        moves
    }

    /// The moves that follow the rules of each piece, without regard to check.
    fn pseudo_legal_moves(&self) -> Vec<Move> {
        let us = self.side_to_move();
        let occupied = self.occupied();
        let mut moves = Vec::with_capacity(64);
        for from in self.color(us) {
            let Some(piece) = self.piece_at(from) else {
                continue;
            };
            let targets = match piece.kind() {
                PieceKind::Pawn => {
                    self.pawn_moves(from, &mut moves);
                    continue;
                }
                PieceKind::Knight => attacks::knight(from),
                PieceKind::Bishop => attacks::bishop(from, occupied),
                PieceKind::Rook => attacks::rook(from, occupied),
                PieceKind::Queen => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
                PieceKind::King => attacks::king(from),
            };
            for to in targets & !self.color(us) {
                moves.push(Move {
                    from,
                    to,
                    promotion: None,
                });
            }
        }
        self.castling_moves(&mut moves);
        moves
    }
}
// ANCHOR_END: legal

// ANCHOR: pawns
impl Position {
    fn pawn_moves(&self, from: Square, moves: &mut Vec<Move>) {
        let us = self.side_to_move();
        let forward = if us == Color::White { 1 } else { -1 };
        let empty = |square: &Square| self.piece_at(*square).is_none();

        let single = from.step(0, forward).filter(empty);
        let double = single
            .filter(|_| from.rank_of(us) == 1)
            .and_then(|square| square.step(0, forward))
            .filter(empty);
        let victims = self.color(!us) | self.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
        let captures = attacks::pawn(us, from) & victims;

        for to in single.into_iter().chain(double).chain(captures) {
            if to.rank_of(us) < 7 {
                moves.push(Move {
                    from,
                    to,
                    promotion: None,
                });
                continue;
            }
            use PieceKind::{Bishop, Knight, Queen, Rook};
            for kind in [Queen, Knight, Rook, Bishop] {
                moves.push(Move {
                    from,
                    to,
                    promotion: Some(kind),
                });
            }
        }
    }
}
// ANCHOR_END: pawns

// ANCHOR: castling
impl Position {
    fn castling_moves(&self, moves: &mut Vec<Move>) {
        let us = self.side_to_move();
        // The king's square, and the right of the short side; the long one is the next bit.
        let (king, short) = match us {
            Color::White => (4, 1),
            Color::Black => (60, 4),
        };
        let empty = |squares: &[u8]| squares.iter().all(|&s| self.piece_at(Square(s)).is_none());
        let safe = |squares: &[u8]| squares.iter().all(|&s| !self.is_attacked(Square(s), !us));
        // The king may neither leave, cross nor reach an attacked square. The rook may.
        let mut castle = |right: u8, between: &[u8], path: &[u8], to: u8| {
            if self.castling() & right != 0 && empty(between) && safe(path) {
                moves.push(Move {
                    from: Square(king),
                    to: Square(to),
                    promotion: None,
                });
            }
        };
        castle(
            short,
            &[king + 1, king + 2],
            &[king, king + 1, king + 2],
            king + 2,
        );
        castle(
            2 * short,
            &[king - 1, king - 2, king - 3],
            &[king, king - 1, king - 2],
            king - 2,
        );
    }
}
// ANCHOR_END: castling

// ANCHOR: perft
/// Number of ways to play `depth` legal moves in a row.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    moves
        .iter()
        .map(|&mv| perft(&position.play_unchecked(mv), depth - 1))
        .sum()
}

/// The same for each first move on its own. The counts that differ from those of a program that is
/// right lead to the fault.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let count = |mv: Move| {
        (
            mv,
            perft(&position.play_unchecked(mv), depth.saturating_sub(1)),
        )
    };
    position.legal_moves().into_iter().map(count).collect()
}
// ANCHOR_END: perft

// ANCHOR: texts
/// A move as UCI writes it.
pub fn move_text(mv: Move) -> String {
    let promotion = mv.promotion.map(PieceKind::letter);
    format!(
        "{}{}{}",
        mv.from,
        mv.to,
        promotion.map(String::from).unwrap_or_default()
    )
}

/// The piece that a move captures.
pub fn captured(position: &Position, mv: Move) -> Option<PieceKind> {
    let mover = position.piece_at(mv.from)?;
    if mover.kind() == PieceKind::Pawn && position.en_passant() == Some(mv.to) {
        return Some(PieceKind::Pawn);
    }
    Some(position.piece_at(mv.to)?.kind())
}
// ANCHOR_END: texts
// ANCHOR_END: all
