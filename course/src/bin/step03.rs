// ANCHOR: all
//! Step 3: negamax to a fixed depth.

use course::rules::{Color, Move, PieceKind, Position};
use course::uci::{self, Clock, Engine, MATE};

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

// ANCHOR: searcher
/// A score that no position reaches.
const INFINITY: i32 = MATE + 1;

/// How many plies the search looks ahead, if `go` does not say.
const DEPTH: i32 = 3;

struct Searcher {
    random: Random,
    /// Positions visited by the current search.
    nodes: u64,
}
// ANCHOR_END: searcher

// ANCHOR: engine
impl Engine for Searcher {
    const NAME: &'static str = "Step 3: negamax";

    fn best_move(&mut self, game: &[Position], clock: &mut Clock) -> Move {
        let root = &game[game.len() - 1];
        let depth = clock.depth_or(DEPTH);
        self.nodes = 0;
        let (best, score) = self.search_root(root, depth);
        clock.report(depth, score, self.nodes, best);
        best
    }
}
// ANCHOR_END: engine

// ANCHOR: searcher_impl
impl Searcher {
    /// The best move and its score.
    fn search_root(&mut self, root: &Position, depth: i32) -> (Move, i32) {
        let mut moves = root.legal_moves();
        self.shuffle(&mut moves);
        let mut best_move = moves[0];
        let mut best = -INFINITY;
        for &mv in &moves {
            let score = -self.negamax(&root.play_unchecked(mv), depth - 1, 1);
            if score > best {
                best = score;
                best_move = mv;
            }
        }
        (best_move, best)
    }

    /// The score of `position` for the side to move, looking `depth` plies ahead. `ply` is the
    /// distance from the root.
    fn negamax(&mut self, position: &Position, depth: i32, ply: i32) -> i32 {
        self.nodes += 1;
        let moves = position.legal_moves();
        if moves.is_empty() {
            // Checkmate or stalemate. A quick mate is worse for its victim than a slow one.
            return if position.in_check() { ply - MATE } else { 0 };
        }
        if depth <= 0 {
            return evaluate(position);
        }
        let mut best = -INFINITY;
        for &mv in &moves {
            // What is good for the opponent is bad for me by the same amount.
            let score = -self.negamax(&position.play_unchecked(mv), depth - 1, ply + 1);
            best = best.max(score);
        }
        best
    }

    /// Puts the moves in a random order, so that equal moves take turns at being played.
    fn shuffle(&mut self, moves: &mut [Move]) {
        for last in (1..moves.len()).rev() {
            moves.swap(last, self.random.below(last + 1));
        }
    }
}
// ANCHOR_END: searcher_impl

// ANCHOR: main
fn main() {
    uci::run(Searcher {
        random: Random(0x9E37_79B9_7F4A_7C15),
        nodes: 0,
    });
}
// ANCHOR_END: main
// ANCHOR_END: all
