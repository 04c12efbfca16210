//! The key by which a Polyglot book knows a position.

use super::random::RANDOM;
use crate::game::History;
use crate::types::{Bitboard, Color, File, PieceKind, Wing};

// Where in the table of random numbers each part begins.
const CASTLING: usize = 64 * 12;
const EN_PASSANT: usize = CASTLING + 4;
const WHITE_TO_MOVE: usize = EN_PASSANT + 8;

/// The Polyglot key of the present position.
///
/// It is not [`Position::key`](crate::board::Position::key): the numbers are the format's, and a file of en passant
/// counts as soon as a pawn stands beside the one that has just gone two squares, even if it may not take. The position
/// alone does not remember that, but the last move tells.
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
        let index = 2 * piece.kind().index() + usize::from(piece.color() == Color::White);
        Some(RANDOM[64 * index + square.index()])
    });
    let corners = [
        (Color::White, Wing::KingSide),
        (Color::White, Wing::QueenSide),
        (Color::Black, Wing::KingSide),
        (Color::Black, Wing::QueenSide),
    ];
    let rights = corners
        .into_iter()
        .enumerate()
        .filter(|&(_, (color, wing))| {
            let king = position.king(color);
            position.castling().rook(king, color, wing).is_some()
        })
        .map(|(index, _)| RANDOM[CASTLING + index]);
    let en_passant = en_passant_file(history).map(|file| RANDOM[EN_PASSANT + file.index()]);
    let white_to_move = (position.side_to_move() == Color::White).then_some(RANDOM[WHITE_TO_MOVE]);
    pieces
        .chain(rights)
        .chain(en_passant)
        .chain(white_to_move)
        .fold(0, |key, number| key ^ number)
}

/// The file of the pawn that has just gone two squares, if an enemy pawn stands beside it.
fn en_passant_file(history: &History) -> Option<File> {
    let position = history.position();
    // A capture that is legal needs a pawn beside; this is all there is to know of a start position.
    if let Some(target) = position.en_passant() {
        return Some(target.file());
    }
    let last = history.moves().next_back()?;
    let (from, to) = (last.from(), last.to());
    let is_double_step = position.kind(PieceKind::Pawn).contains(to)
        && from.rank().index().abs_diff(to.rank().index()) == 2;
    let pawn = Bitboard::from_square(to);
    let enemies = position.pieces(position.side_to_move(), PieceKind::Pawn);
    (is_double_step && (pawn.east() | pawn.west()).intersects(enemies)).then(|| to.file())
}
