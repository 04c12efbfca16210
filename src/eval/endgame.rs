//! Mop-up evaluation: endings against a bare king, won or drawn. Self-play has too few of them for
//! the network to learn them.

use crate::board::Position;
use crate::types::{Bitboard, Color, File, PieceKind, Rank, Square};

/// Minimum score, in centipawns, of a forced win against a bare king. Above every other evaluation,
/// so the search heads for it.
pub const KNOWN_WIN: i32 = 5_000;
/// Bonus for each piece of the winning side, so that no piece is given away.
const PER_PIECE: [i32; PieceKind::COUNT] = [100, 300, 300, 500, 900, 0];
/// Penalty for each step of the bare king from the nearest mating square.
const PER_STEP_TO_MATE: i32 = 40;
/// Penalty for each step between the kings.
const PER_STEP_TO_KING: i32 = 15;

/// Whether the ending is drawn by its pieces, unless a short tactic wins: against a bare king, or
/// without pawns and with one piece each, of the same kind or both minor.
pub fn is_drawn_ending(position: &Position) -> bool {
    if let Some(score) = evaluate(position) {
        return score == 0;
    }
    let is_minor = |kind| matches!(kind, PieceKind::Bishop | PieceKind::Knight);
    let only_piece = |color| {
        let mut kinds = PieceKind::ALL.into_iter();
        let kind =
            kinds.find(|&kind| kind != PieceKind::King && position.pieces(color, kind).any());
        kind.filter(|&kind| kind != PieceKind::Pawn && position.color(color).len() == 2)
    };
    match Color::ALL.map(only_piece) {
        [Some(white), Some(black)] => white == black || is_minor(white) && is_minor(black),
        _ => false,
    }
}

/// The evaluation for the side to move, in centipawns; `None` if no king is bare or the ending is
/// unknown.
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
    // ANCHOR: steps_from_mate
    let steps_from_mate = if has_major || has_bishop_pair {
        steps_to_corner(theirs)
    } else if bishops.any() && knights.any() {
        steps_to_bishop_corner(theirs, bishops.intersects(Bitboard::LIGHT))
    } else if pawns.is_empty() && knights.len() <= 2 {
        // Two knights, or bishops on squares of one colour, cannot force mate.
        return Some(0);
    } else {
        return is_wrong_rook_pawn(pawns, bishops, knights, theirs, lone).then_some(0);
    };
    // ANCHOR_END: steps_from_mate
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

/// Whether only rook pawns on one file are left, with bishops that do not attack the promotion
/// corner and the bare king next to it: a draw.
fn is_wrong_rook_pawn(
    pawns: Bitboard,
    bishops: Bitboard,
    knights: Bitboard,
    king: Square,
    lone: Color,
) -> bool {
    [File::A, File::H].into_iter().any(|file| {
        let corner = Square::new(file, Rank::R1.relative_to(lone));
        let attacks_corner = if corner.is_light() {
            bishops.intersects(Bitboard::LIGHT)
        } else {
            !bishops.is_subset(Bitboard::LIGHT)
        };
        knights.is_empty()
            && pawns.is_subset(file.into())
            && !attacks_corner
            && distance(king, corner) <= 1
    })
}

/// Number of king moves between two squares.
fn distance(from: Square, to: Square) -> i32 {
    let files = from.file().index().abs_diff(to.file().index());
    let ranks = from.rank().index().abs_diff(to.rank().index());
    files.max(ranks) as i32
}

/// Steps along files and ranks to the nearest corner, 0 to 6. Corners are nearer to mate than
/// edges.
fn steps_to_corner(king: Square) -> i32 {
    let steps = |index: usize| index.min(7 - index) as i32;
    steps(king.file().index()) + steps(king.rank().index())
}

/// Steps along files and ranks to the nearer corner of the bishop's colour, 0 to 7. Bishop and
/// knight can force mate only there.
fn steps_to_bishop_corner(king: Square, light: bool) -> i32 {
    let (file, rank) = (king.file().index() as i32, king.rank().index() as i32);
    // The diagonal between the two wrong corners is farthest.
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
    fn endings_against_a_bare_king_are_won_drawn_or_unknown() {
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
    fn the_bare_king_is_driven_to_a_mating_square() {
        /// The second position is nearer to mate than the first.
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
