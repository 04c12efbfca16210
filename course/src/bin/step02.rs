// ANCHOR: all
//! Step 2: material, one ply ahead.

// ANCHOR: imports
use course::rules::{Color, Move, PieceKind, Position};
use course::uci::{self, Clock, Engine, MATE};
// ANCHOR_END: imports

/// Random numbers (xorshift; Marsaglia 2003), the same in every run.
struct Random(u64);

impl Random {
    /// A number from 0 to `limit` - 1.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

// ANCHOR: evaluate
/// The value of a piece in centipawns: hundredths of a pawn. Kings are never traded.
fn value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight => 320,
        PieceKind::Bishop => 330,
        PieceKind::Rook => 500,
        PieceKind::Queen => 900,
        PieceKind::King => 0,
    }
}

/// The material of a side.
fn material(position: &Position, color: Color) -> i32 {
    let count = |kind| position.pieces(color, kind).len() as i32;
    PieceKind::ALL
        .iter()
        .map(|&kind| value(kind) * count(kind))
        .sum()
}

/// How much the side to move is ahead, without looking any further.
fn evaluate(position: &Position) -> i32 {
    let us = position.side_to_move();
    material(position, us) - material(position, !us)
}
// ANCHOR_END: evaluate

// ANCHOR: score
/// The score of a position for the side to move, if the game may be over there.
fn score(position: &Position) -> i32 {
    if position.legal_moves().is_empty() {
        // Checkmated, one ply from now, or stalemated.
        return if position.in_check() { 1 - MATE } else { 0 };
    }
    evaluate(position)
}
// ANCHOR_END: score

struct Searcher {
    random: Random,
}

// ANCHOR: engine
impl Engine for Searcher {
    const NAME: &'static str = "Step 2: material";

    fn best_move(&mut self, game: &[Position], clock: &mut Clock) -> Move {
        let root = &game[game.len() - 1];
        let mut moves = root.legal_moves();
        self.shuffle(&mut moves);
        // After my move it is the opponent's turn, and what is good for him is bad for me.
        let my_score = |&mv: &Move| -score(&root.play_unchecked(mv));
        let best = moves.iter().copied().max_by_key(my_score).unwrap();
        clock.report(1, my_score(&best), moves.len() as u64, best);
        best
    }
}
// ANCHOR_END: engine

// ANCHOR: shuffle
impl Searcher {
    /// Puts the moves in a random order, so that equal moves take turns at being played.
    fn shuffle(&mut self, moves: &mut [Move]) {
        for last in (1..moves.len()).rev() {
            moves.swap(last, self.random.below(last + 1));
        }
    }
}
// ANCHOR_END: shuffle

fn main() {
    uci::run(Searcher {
        random: Random(0x9E37_79B9_7F4A_7C15),
    });
}
// ANCHOR_END: all
