//! The rules of chess, from wherever you take them.
//!
//! All steps get the rules from here. At first they are Tabiya's; the chapter *A board of your own*
//! builds `board`, and then this file becomes one line.

// ANCHOR: rules
pub use tabiya::board::Position;
pub use tabiya::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

/// A move as UCI writes it: `e2e4`, `e7e8q`, and `e1g1` for castling.
///
/// Tabiya's own text of a castling move names the square of the rook.
pub fn move_text(mv: Move) -> String {
    match mv.castling_king_target() {
        Some(target) => format!("{}{target}", mv.from()),
        None => mv.to_string(),
    }
}

/// The position that a FEN describes, if it is legal.
pub fn read_fen(text: &str) -> Option<Position> {
    Position::from_fen(text).ok()
}

/// The piece that a move captures. An en passant capture takes a pawn from another square than its
/// target; a castling move does not take the rook on its target.
pub fn captured(position: &Position, mv: Move) -> Option<PieceKind> {
    if mv.is_en_passant() {
        Some(PieceKind::Pawn)
    } else if mv.is_castling() {
        None
    } else {
        position.piece_at(mv.to()).map(Piece::kind)
    }
}
// ANCHOR_END: rules
