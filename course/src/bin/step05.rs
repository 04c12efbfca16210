// ANCHOR: all
//! Step 5: piece-square tables.

// ANCHOR: imports
use course::rules::{Color, Move, PieceKind, Position};
use course::uci::{self, Clock, Engine, MATE};
// ANCHOR_END: imports

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

// ANCHOR: tables
/// What a square adds to the value of a piece in the middlegame, in centipawns. White looks at the
/// board: the first row is the eighth rank, and a1 is at the lower left.
#[rustfmt::skip]
const MIDDLEGAME: [[i32; 64]; 6] = [
    // Pawns: the centre, and those before the castled king stay at home.
    [   0,   0,   0,   0,   0,   0,   0,   0,
       60,  60,  60,  60,  60,  60,  60,  60,
       15,  20,  30,  35,  35,  30,  20,  15,
        0,   5,  10,  25,  25,  10,   5,   0,
       -5,   0,  10,  25,  25,   0,   0,  -5,
       -5,   0,   5,  10,  10,  -5,   0,  -5,
        0,   5,   0, -20, -20,  10,  10,   0,
        0,   0,   0,   0,   0,   0,   0,   0 ],
    // Knights: a knight on the rim is dim.
    [ -60, -35, -25, -25, -25, -25, -35, -60,
      -30, -15,   5,   5,   5,   5, -15, -30,
      -20,   5,  20,  25,  25,  20,   5, -20,
      -15,   5,  20,  30,  30,  20,   5, -15,
      -15,   0,  15,  25,  25,  15,   0, -15,
      -20,   0,  15,  15,  15,  15,   0, -20,
      -30, -15,   0,   5,   5,   0, -15, -30,
      -60, -25, -20, -20, -20, -20, -25, -60 ],
    // Bishops: long diagonals, and not at home.
    [ -15, -10, -10, -10, -10, -10, -10, -15,
      -10,   0,   0,   0,   0,   0,   0, -10,
       -5,   0,  10,  10,  10,  10,   0,  -5,
       -5,  10,  10,  20,  20,  10,  10,  -5,
       -5,   5,  15,  20,  20,  15,   5,  -5,
        0,  10,  10,  10,  10,  10,  10,   0,
       -5,  15,   5,   5,   5,   5,  15,  -5,
      -15, -10, -15, -10, -10, -15, -10, -15 ],
    // Rooks: the seventh rank, and central files.
    [   5,   5,   5,  10,  10,   5,   5,   5,
       15,  20,  20,  20,  20,  20,  20,  15,
       -5,   0,   0,   5,   5,   0,   0,  -5,
       -5,   0,   0,   5,   5,   0,   0,  -5,
       -5,   0,   0,   5,   5,   0,   0,  -5,
       -5,   0,   0,   5,   5,   0,   0,  -5,
      -10,   0,   0,   5,   5,   0,   0, -10,
       -5,   0,   5,  12,  12,   8,   0,  -5 ],
    // Queens: not too far from home, where others attack them.
    [ -15,  -5,   0,   5,   5,   0,  -5, -15,
      -10, -10,   0,   0,   0,   0,  -5, -10,
       -5,   0,   5,   5,   5,   5,   0,  -5,
       -5,   0,   5,   5,   5,   5,   0,  -5,
       -5,   0,   5,   5,   5,   5,   0,  -5,
       -5,   5,   5,   5,   5,   5,   0,  -5,
      -10,   0,   5,   5,   5,   0,   0, -10,
      -15, -10,  -5,   0,  -5, -10, -10, -15 ],
    // King: castled, behind its pawns.
    [ -60, -60, -60, -60, -60, -60, -60, -60,
      -60, -60, -60, -60, -60, -60, -60, -60,
      -60, -60, -60, -60, -60, -60, -60, -60,
      -50, -50, -60, -70, -70, -60, -50, -50,
      -40, -40, -50, -60, -60, -50, -40, -40,
      -20, -25, -30, -40, -40, -30, -25, -20,
       10,  10, -10, -25, -25, -10,  15,  10,
       20,  30,  10, -10,   0, -10,  35,  20 ],
];

/// The same for the endgame.
#[rustfmt::skip]
const ENDGAME: [[i32; 64]; 6] = [
    // Pawns: the nearer to the last rank, the better.
    [   0,   0,   0,   0,   0,   0,   0,   0,
      120, 115, 110, 105, 105, 110, 115, 120,
       70,  65,  60,  55,  55,  60,  65,  70,
       35,  30,  25,  20,  20,  25,  30,  35,
       20,  15,  10,   5,   5,  10,  15,  20,
       10,  10,   5,   5,   5,   5,  10,  10,
       10,  10,  10,  10,  10,  10,  10,  10,
        0,   0,   0,   0,   0,   0,   0,   0 ],
    [ -50, -35, -25, -20, -20, -25, -35, -50,
      -30, -15, -10,   0,   0, -10, -15, -30,
      -20, -10,  10,  10,  10,  10, -10, -20,
      -15,   0,  15,  20,  20,  15,   0, -15,
      -15,   0,  15,  20,  20,  15,   0, -15,
      -20,  -5,   5,  15,  15,   5,  -5, -20,
      -30, -15, -10,   0,   0, -10, -15, -30,
      -50, -40, -25, -20, -20, -25, -40, -50 ],
    [ -15, -10, -10,  -5,  -5, -10, -10, -15,
      -10,  -5,   0,   0,   0,   0,  -5, -10,
       -5,   0,   5,   5,   5,   5,   0,  -5,
       -5,   5,   8,  10,  10,   8,   5,  -5,
       -5,   5,   8,  10,  10,   8,   5,  -5,
       -5,   0,   5,   8,   8,   5,   0,  -5,
      -10,  -5,   0,   0,   0,   0,  -5, -10,
      -15, -10, -10,  -5,  -5, -10, -10, -15 ],
    [  10,  10,  10,  10,  10,  10,  10,  10,
       12,  12,  12,  12,  12,  12,  12,  12,
        5,   5,   5,   5,   5,   5,   5,   5,
        5,   5,   5,   5,   5,   5,   5,   5,
        0,   0,   0,   0,   0,   0,   0,   0,
       -5,  -5,  -5,  -5,  -5,  -5,  -5,  -5,
       -5,  -5,  -5,  -5,  -5,  -5,  -5,  -5,
       -5,  -5,   0,   0,   0,   0,  -5,  -5 ],
    [ -10,   5,  10,  10,  10,  10,   5, -10,
      -10,  10,  15,  20,  20,  15,  10, -10,
      -10,   5,  15,  25,  25,  15,   5, -10,
        0,  15,  20,  30,  30,  20,  15,   0,
       -5,  10,  15,  30,  30,  15,  10,  -5,
      -10,   0,  10,  10,  10,  10,   0, -10,
      -15, -15, -15,  -5,  -5, -15, -15, -15,
      -25, -25, -20, -20, -20, -20, -25, -25 ],
    // King: to the centre, where it fights.
    [ -60, -40, -30, -20, -20, -30, -40, -60,
      -25,  -5,   5,   5,   5,   5,  -5, -25,
      -10,  10,  20,  20,  20,  20,  10, -10,
      -15,  10,  25,  30,  30,  25,  10, -15,
      -20,   0,  20,  30,  30,  20,   0, -20,
      -25,  -5,  10,  20,  20,  10,  -5, -25,
      -35, -15,  -5,   5,   5,  -5, -15, -35,
      -60, -45, -30, -25, -25, -30, -45, -60 ],
];
// ANCHOR_END: tables

// ANCHOR: phase
/// How much a piece keeps the game in the middlegame.
fn phase(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Knight | PieceKind::Bishop => 1,
        PieceKind::Rook => 2,
        PieceKind::Queen => 4,
        PieceKind::Pawn | PieceKind::King => 0,
    }
}

/// The sum of all phases in the start position.
const FULL_PHASE: i32 = 24;
// ANCHOR_END: phase

// ANCHOR: evaluate
/// How much the side to move is ahead in material and placement.
fn evaluate(position: &Position) -> i32 {
    let (mut middlegame, mut endgame, mut total_phase) = (0, 0, 0);
    for color in Color::ALL {
        let sign = if color == position.side_to_move() {
            1
        } else {
            -1
        };
        for kind in PieceKind::ALL {
            for square in position.pieces(color, kind) {
                // Square 0 is a1, and the tables begin with a8: they fit Black's pieces as they
                // are, and White's upside down.
                let index = square.relative_to(!color).index();
                middlegame += sign * (value(kind) + MIDDLEGAME[kind.index()][index]);
                endgame += sign * (value(kind) + ENDGAME[kind.index()][index]);
                total_phase += phase(kind);
            }
        }
    }
    // Promotions may bring more pieces than the start position has.
    let total_phase = total_phase.min(FULL_PHASE);
    (middlegame * total_phase + endgame * (FULL_PHASE - total_phase)) / FULL_PHASE
}
// ANCHOR_END: evaluate

/// A score that no position reaches.
const INFINITY: i32 = MATE + 1;

/// How many plies the search looks ahead, if `go` does not say.
const DEPTH: i32 = 4;

// ANCHOR: searcher
struct Searcher {
    /// Positions visited by the current search.
    nodes: u64,
}
// ANCHOR_END: searcher

impl Engine for Searcher {
    // ANCHOR: name
    const NAME: &'static str = "Step 5: piece-square tables";
    // ANCHOR_END: name

    fn best_move(&mut self, game: &[Position], clock: &mut Clock) -> Move {
        let root = &game[game.len() - 1];
        let depth = clock.depth_or(DEPTH);
        self.nodes = 0;
        let (best, score) = self.search_root(root, depth);
        clock.report(depth, score, self.nodes, best);
        best
    }
}

impl Searcher {
    // ANCHOR: search_root
    /// The best move and its score.
    fn search_root(&mut self, root: &Position, depth: i32) -> (Move, i32) {
        let moves = root.legal_moves();
        let mut best_move = moves[0];
        let mut alpha = -INFINITY;
        for &mv in &moves {
            let score = -self.negamax(&root.play_unchecked(mv), depth - 1, 1, -INFINITY, -alpha);
            if score > alpha {
                alpha = score;
                best_move = mv;
            }
        }
        (best_move, alpha)
    }
    // ANCHOR_END: search_root

    /// The score of `position` for the side to move, looking `depth` plies ahead.
    ///
    /// `alpha` is the score that the side to move has for sure, by a move elsewhere in the tree;
    /// `beta` is the score that the opponent can hold it to. Between them the score is exact.
    /// From beta on it is a lower bound, up to alpha an upper one (fail-soft).
    fn negamax(
        &mut self,
        position: &Position,
        depth: i32,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.nodes += 1;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return if position.in_check() { ply - MATE } else { 0 };
        }
        if depth <= 0 {
            return evaluate(position);
        }
        let mut best = -INFINITY;
        for &mv in &moves {
            // The opponent's alpha is my beta, and the other way round.
            let score = -self.negamax(
                &position.play_unchecked(mv),
                depth - 1,
                ply + 1,
                -beta,
                -alpha,
            );
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break; // The opponent has something better and will not come here.
            }
        }
        best
    }
}

// ANCHOR: main
fn main() {
    uci::run(Searcher { nodes: 0 });
}
// ANCHOR_END: main
// ANCHOR_END: all
