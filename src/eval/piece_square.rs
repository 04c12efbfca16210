//! A tapered piece-square evaluation: every man is worth something on every square, once for the opening and once
//! for the endgame, and the men left on the board say how far the game is between the two.
//!
//! The tables are written as rules rather than as numbers: a rule of thumb a line.

use super::tapered::{Tapered, tapered};
use super::terms;
use crate::board::Position;
use crate::types::{Color, Piece, PieceKind, Square};

/// What the men weigh in the phase of the game: 24 with all on the board, 0 with kings and pawns only.
const PHASE: [i32; PieceKind::COUNT] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// For having the move.
const TEMPO: i32 = 12;

const MATERIAL: [Tapered; PieceKind::COUNT] = [
    tapered(85, 105),
    tapered(335, 300),
    tapered(355, 320),
    tapered(475, 530),
    tapered(1000, 970),
    tapered(0, 0),
];

/// 0 on the edge to 3 in the middle.
const CENTRE: [i32; 8] = [0, 1, 2, 3, 3, 2, 1, 0];
/// Pawns by rank, and how much more each step towards the middle files counts there.
const PAWN_RANK: [Tapered; 8] = [
    tapered(0, 0),
    tapered(2, 0),
    tapered(0, 2),
    tapered(4, 10),
    tapered(14, 30),
    tapered(40, 75),
    tapered(85, 130),
    tapered(0, 0),
];
const PAWN_CENTRE: [i32; 8] = [0, -5, 4, 10, 10, 8, 5, 0];
/// The king in the opening by rank: at home, behind its pawns.
const KING_RANK: [i32; 8] = [0, -18, -45, -70, -90, -100, -100, -100];
/// The king in the opening by file: castled.
const KING_FILE: [i32; 8] = [20, 28, 12, -12, -12, -8, 28, 20];

/// What a man adds on a square, as White sees it.
const fn placement(kind: PieceKind, square: Square) -> Tapered {
    let (file, rank) = (square.file().index(), square.rank().index());
    let centre = CENTRE[file] + CENTRE[rank];
    match kind {
        PieceKind::Pawn => {
            let by_rank = PAWN_RANK[rank];
            tapered(
                by_rank.opening + PAWN_CENTRE[rank] * (CENTRE[file] - 1),
                by_rank.endgame,
            )
        }
        // On the rim it is dim; across the middle it finds outposts.
        PieceKind::Knight => {
            let outpost = if rank >= 3 && rank <= 5 { 12 } else { 0 };
            tapered(9 * centre + outpost - 35, 8 * centre - 28)
        }
        PieceKind::Bishop => {
            let undeveloped = if rank == 0 { 12 } else { 0 };
            let long_diagonal = if file == rank || file + rank == 7 {
                8
            } else {
                0
            };
            tapered(
                4 * centre + long_diagonal - undeveloped - 8,
                4 * centre - 12,
            )
        }
        // Open files are mostly in the middle; on the seventh it shuts the king in and eats pawns.
        PieceKind::Rook => {
            let seventh = if rank == 6 { 20 } else { 0 };
            tapered(5 * CENTRE[file] + seventh - 8, seventh / 2)
        }
        PieceKind::Queen => tapered(2 * centre - 6, 8 * centre - 28),
        PieceKind::King => tapered(KING_RANK[rank] + KING_FILE[file], 11 * centre - 38),
    }
}

/// Material and placement for each man on each square, as White counts: Black's men are negative.
static TABLE: [[Tapered; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[tapered(0, 0); Square::COUNT]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT * Square::COUNT {
        let (piece, square) = (
            Piece::ALL[index / Square::COUNT],
            Square::ALL[index % Square::COUNT],
        );
        let material = MATERIAL[piece.kind().index()];
        let placement = placement(piece.kind(), square.relative_to(piece.color()));
        let sign = if matches!(piece.color(), Color::White) {
            1
        } else {
            -1
        };
        table[piece.index()][square.index()] = tapered(
            sign * (material.opening + placement.opening),
            sign * (material.endgame + placement.endgame),
        );
        index += 1;
    }
    table
};

/// The sum over all men, as White counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sum {
    value: Tapered,
    phase: i32,
}

impl Sum {
    #[inline(always)]
    pub(super) fn add(&mut self, piece: Piece, square: Square) {
        self.value += TABLE[piece.index()][square.index()];
        self.phase += PHASE[piece.kind().index()];
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, piece: Piece, square: Square) {
        self.value -= TABLE[piece.index()][square.index()];
        self.phase -= PHASE[piece.kind().index()];
    }

    /// The worth of the position with this sum, in centipawns for the side to move.
    #[inline(always)]
    pub(super) fn evaluate(&self, position: &Position) -> i32 {
        let mut value = self.value;
        value += terms::evaluate(position);
        // Promotions can bring more than the full set.
        let phase = self.phase.min(FULL_PHASE);
        let white = (value.opening * phase + value.endgame * (FULL_PHASE - phase)) / FULL_PHASE;
        TEMPO
            + if position.side_to_move() == Color::White {
                white
            } else {
                -white
            }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Position;
    use crate::eval::{Evaluator, evaluate};

    /// A position and the same with colours exchanged.
    const MIRRORED: [(&str, &str); 3] = [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1",
        ),
    ];

    #[test]
    fn colours_are_treated_alike() {
        for (white, black) in MIRRORED {
            let [white, black] = [white, black].map(|fen| Position::from_fen(fen).unwrap());
            assert_eq!(evaluate(&white), evaluate(&black), "{white}");
        }
    }

    #[test]
    fn running_sums_equal_sums_from_scratch() {
        for (fen, _) in MIRRORED {
            let position = Position::from_fen(fen).unwrap();
            let mut evaluator = Evaluator::new(&position);
            for mv in position.legal_moves() {
                let next = evaluator.play(&position, mv);
                assert_eq!(
                    evaluator.evaluate(&next),
                    evaluate(&next),
                    "{position} {mv}"
                );
                for reply in next.legal_moves() {
                    let after = evaluator.play(&next, reply);
                    assert_eq!(
                        evaluator.evaluate(&after),
                        evaluate(&after),
                        "{next} {reply}"
                    );
                    evaluator.take_back();
                }
                evaluator.take_back();
            }
        }
    }
}
