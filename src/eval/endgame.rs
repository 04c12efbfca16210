//! Endings against a lone king, which are known and which self-play shows too seldom: how to mate, and when it is a draw.

use crate::board::Position;
use crate::types::{Bitboard, Color, File, PieceKind, Rank, Square};

/// What a lone king is behind, at least, whoever can force mate: more than any other evaluation, so that the search
/// heads for it; in centipawns.
pub const KNOWN_WIN: i32 = 5_000;
/// For each piece more than is needed; so that none is given away.
const PER_PIECE: [i32; PieceKind::COUNT] = [100, 300, 300, 500, 900, 0];
/// For each step that the lone king is nearer to where it is mated.
const PER_STEP_TO_MATE: i32 = 40;
/// For each step that the other king is nearer.
const PER_STEP_TO_KING: i32 = 15;

/// What the position is worth for the side to move, if it is one of these; in centipawns.
#[inline]
pub(super) fn evaluate(position: &Position) -> Option<i32> {
    let lone = Color::ALL
        .into_iter()
        .find(|&color| !position.color(color).has_many())?;
    let score = against_lone_king(position, lone)?;
    Some(if position.side_to_move() == lone {
        -score
    } else {
        score
    })
}

#[cold]
fn against_lone_king(position: &Position, lone: Color) -> Option<i32> {
    let pieces = |kind| position.pieces(!lone, kind);
    let (pawns, bishops, knights) = (
        pieces(PieceKind::Pawn),
        pieces(PieceKind::Bishop),
        pieces(PieceKind::Knight),
    );
    let (ours, theirs) = (position.king(!lone), position.king(lone));
    let has_major = (pieces(PieceKind::Rook) | pieces(PieceKind::Queen)).any();
    let has_bishop_pair =
        bishops.intersects(Bitboard::LIGHT) && !bishops.is_subset(Bitboard::LIGHT);
    let steps_from_mate = if has_major || has_bishop_pair {
        steps_to_edge(theirs)
    } else if bishops.any() && knights.any() {
        steps_to_corner(theirs, bishops.intersects(Bitboard::LIGHT))
    } else if pawns.is_empty() && knights.len() <= 2 {
        // Two knights, or bishops on squares of one colour, cannot force mate.
        return Some(0);
    } else {
        return is_wrong_rook_pawn(pawns, bishops, knights, theirs, lone).then_some(0);
    };
    let material: i32 = PieceKind::ALL
        .into_iter()
        .map(|kind| PER_PIECE[kind.index()] * pieces(kind).len() as i32)
        .sum();
    Some(
        KNOWN_WIN + material
            - PER_STEP_TO_MATE * steps_from_mate
            - PER_STEP_TO_KING * distance(ours, theirs),
    )
}

/// Rook's pawns and bishops that do not govern the corner where they would queen: a draw once the king is there.
fn is_wrong_rook_pawn(
    pawns: Bitboard,
    bishops: Bitboard,
    knights: Bitboard,
    king: Square,
    lone: Color,
) -> bool {
    [File::A, File::H].into_iter().any(|file| {
        let corner = Square::new(file, Rank::R1.relative_to(lone));
        let governs = if corner.is_light() {
            bishops.intersects(Bitboard::LIGHT)
        } else {
            !bishops.is_subset(Bitboard::LIGHT)
        };
        knights.is_empty()
            && pawns.is_subset(file.into())
            && !governs
            && distance(king, corner) <= 1
    })
}

/// The moves of a king from one square to the other on an empty board.
fn distance(from: Square, to: Square) -> i32 {
    let files = from.file().index().abs_diff(to.file().index());
    let ranks = from.rank().index().abs_diff(to.rank().index());
    files.max(ranks) as i32
}

/// How far from the middle, so that corners are nearer to mate than edges: 0 in a corner, 6 in the middle.
fn steps_to_edge(king: Square) -> i32 {
    let steps = |index: usize| index.min(7 - index) as i32;
    steps(king.file().index()) + steps(king.rank().index())
}

/// To the nearer corner of the bishop's colour, where alone bishop and knight can mate: 0 to 7.
fn steps_to_corner(king: Square, light: bool) -> i32 {
    let (file, rank) = (king.file().index() as i32, king.rank().index() as i32);
    // The diagonal between the two wrong corners is the farthest.
    let along = if light { file + 7 - rank } else { file + rank };
    along.min(14 - along)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(fen: &str) -> Option<i32> {
        evaluate(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn lone_kings_are_lost_or_draw() {
        let won = [
            "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/BB2K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/BN2K3 w - - 0 1",
            "r3k3/p7/8/8/8/8/8/4K3 b - - 0 1",
        ];
        let drawn = [
            "4k3/8/8/8/8/8/8/NN2K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/B1B1K3 b - - 0 1",
            "k7/8/8/8/8/8/P7/K1B5 w - - 0 1",
            "8/8/8/8/8/3k4/p7/1K6 w - - 0 1",
        ];
        let unknown = [
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "k7/8/8/8/8/8/P7/KB6 w - - 0 1",
            "4k3/8/8/8/8/8/P7/K1B5 w - - 0 1",
            "4k3/7p/8/8/8/8/P7/K1B5 w - - 0 1",
        ];
        assert!(won.iter().all(|fen| score(fen).unwrap() >= KNOWN_WIN));
        assert!(drawn.iter().all(|fen| score(fen) == Some(0)));
        assert!(unknown.iter().all(|fen| score(fen).is_none()));
    }

    #[test]
    fn kings_are_driven_to_where_they_are_mated() {
        /// The second is nearer to mate than the first.
        const NEARER: [(&str, &str); 4] = [
            (
                "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
                "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            ),
            (
                "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
                "4k3/8/4K3/8/8/8/8/R7 w - - 0 1",
            ),
            // c1 is dark: a1 and h8 are its corners.
            (
                "k7/8/8/8/8/8/8/N1B1K3 w - - 0 1",
                "8/k7/8/8/8/8/8/N1B1K3 w - - 0 1",
            ),
            (
                "8/8/4k3/8/8/8/8/N1B1K3 w - - 0 1",
                "7k/8/8/8/8/8/8/N1B1K3 w - - 0 1",
            ),
        ];
        for (far, near) in NEARER {
            assert!(score(near) > score(far), "{near}");
        }
    }
}
