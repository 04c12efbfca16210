//! Polyglot's hash key of a position.

use super::random::RANDOM;
use crate::game::History;
use crate::types::{CastlingSide, Color, File};

// Offsets in the table of random numbers.
const CASTLING: usize = 64 * 12;
const EN_PASSANT: usize = CASTLING + 4;
const WHITE_TO_MOVE: usize = EN_PASSANT + 8;

/// The Polyglot key of the present position.
///
/// It differs from [`Position::key`](crate::board::Position::key): the random numbers are part of
/// the format, and the en passant file counts as soon as an enemy pawn stands next to a pawn that
/// has just made a double step, even if the capture is illegal. The position does not keep that, so
/// the last move is examined.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::game::History;
/// assert_eq!(tabiya::book::key(&History::new(Position::start())), 0x463b_9618_1691_fc9c);
/// ```
pub fn key(history: &History) -> u64 {
    let position = history.position();
    let pieces = position.occupied().into_iter().filter_map(|square| {
        let piece = position.piece_at(square)?;
        let index = 2 * piece.kind().index() + usize::from(piece.color().is_white());
        Some(RANDOM[64 * index + square.index()])
    });
    let corners = [
        (Color::White, CastlingSide::KingSide),
        (Color::White, CastlingSide::QueenSide),
        (Color::Black, CastlingSide::KingSide),
        (Color::Black, CastlingSide::QueenSide),
    ];
    let rights = corners
        .into_iter()
        .enumerate()
        .filter(|&(_, (color, side))| {
            let king = position.king(color);
            position.castling().rook(king, color, side).is_some()
        })
        .map(|(index, _)| RANDOM[CASTLING + index]);
    let en_passant = en_passant_file(history).map(|file| RANDOM[EN_PASSANT + file.index()]);
    let white_to_move = position
        .side_to_move()
        .is_white()
        .then_some(RANDOM[WHITE_TO_MOVE]);
    pieces
        .chain(rights)
        .chain(en_passant)
        .chain(white_to_move)
        .fold(0, |key, number| key ^ number)
}

/// The file of a pawn that has just made a double step, if an enemy pawn stands next to it.
fn en_passant_file(history: &History) -> Option<File> {
    let position = history.position();
    // A legal capture implies such a pawn. For a start position nothing more is known.
    if let Some(target) = position.en_passant() {
        return Some(target.file());
    }
    let last = history.moves().next_back()?;
    position
        .is_double_step_beside_pawn(last)
        .then(|| last.to().file())
}
