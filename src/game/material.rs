//! What the pieces on the board can still achieve, wherever they stand.

use crate::board::Position;
use crate::types::{Bitboard, Color, PieceKind};

/// Whether neither side can mate, whatever both play, by the pieces alone (FIDE 5.2.2).
///
/// True for a lone knight against a bare king and for any number of bishops, on both sides, that all stand on squares
/// of one colour, bare kings among them; for nothing else. Two knights against a bare king are not among them: the
/// mate cannot be forced, but it exists.
#[must_use]
pub fn is_insufficient(position: &Position) -> bool {
    Color::ALL
        .into_iter()
        .all(|color| !can_still_win(position, color))
}

/// Whether `color` may mate, if the opponent helps, by the pieces alone (FIDE 6.9).
///
/// `false` is a proof: no series of legal moves mates the opponent. `true` is none, as pieces may stand so that they
/// never get anywhere.
#[must_use]
pub fn can_still_win(position: &Position, color: Color) -> bool {
    let ours = |kind| position.pieces(color, kind);
    let theirs = |kind| position.pieces(!color, kind);
    let has_heavy_piece = [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen]
        .into_iter()
        .any(|kind| ours(kind).any());
    // The opponent's pawns may become whatever is lacking to block the king's flight.
    if has_heavy_piece || theirs(PieceKind::Pawn).any() {
        return position.color(color).has_many();
    }
    let (knights, bishops) = (ours(PieceKind::Knight), ours(PieceKind::Bishop));
    match (knights.any(), bishops.any()) {
        (false, false) => false,
        (true, true) => true,
        // A lone knight needs a piece beside the king that takes a square from it and cannot take the knight.
        // A queen there guards every square the knight could check from.
        (true, false) => {
            let blockers = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook];
            knights.has_many() || blockers.into_iter().any(|kind| theirs(kind).any())
        }
        // Bishops of one colour never attack the king's neighbours of the other colour: these have to be blocked by
        // a knight or by a bishop that stands there; a rook or queen beside the king takes part in its defence.
        (false, true) => {
            stand_on_both_colors(position.kind(PieceKind::Bishop))
                || theirs(PieceKind::Knight).any()
        }
    }
}

fn stand_on_both_colors(pieces: Bitboard) -> bool {
    pieces.intersects(Bitboard::LIGHT) && pieces.intersects(!Bitboard::LIGHT)
}
