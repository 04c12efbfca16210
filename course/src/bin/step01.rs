// ANCHOR: all
//! Step 1: random legal moves.

// ANCHOR: imports
use course::rules::{Move, Position};
use course::uci::{self, Clock, Engine};
// ANCHOR_END: imports

// ANCHOR: random
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
// ANCHOR_END: random

// ANCHOR: engine
struct Searcher {
    random: Random,
}

impl Engine for Searcher {
    const NAME: &'static str = "Step 1: random moves";

    fn best_move(&mut self, game: &[Position], _clock: &mut Clock) -> Move {
        let moves = game[game.len() - 1].legal_moves();
        moves[self.random.below(moves.len())]
    }
}
// ANCHOR_END: engine

// ANCHOR: main
fn main() {
    uci::run(Searcher {
        random: Random(0x9E37_79B9_7F4A_7C15),
    });
}
// ANCHOR_END: main
// ANCHOR_END: all
