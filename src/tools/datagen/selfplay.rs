//! One game of the engine against itself.

use super::start::Start;
use crate::game::{Game, GameResult};
use crate::search::{Limits, Root, Searcher, StopToken};
use crate::types::{Color, Move, Score};
use std::sync::atomic::{AtomicBool, Ordering};

/// Centipawns, and the half-moves in a row for which both sides must agree on them, for a game to be given up.
const WIN: (i32, u32) = (2_000, 4);
/// The same for a game to be called a draw, from this half-move on.
const DRAW: (i32, u32) = (8, 12);
const DRAW_FROM_PLY: usize = 60;
/// No game is longer.
const LONGEST: usize = 400;
/// A single iteration may take so many times the nodes after which none begins.
const HARD_NODES: u64 = 8;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    WhiteWins,
    BlackWins,
    Draw,
}

/// A game that was finished.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) start: Start,
    /// Each move and what its search found, as White counts.
    pub(super) moves: Vec<(Move, Score)>,
    pub(super) outcome: Outcome,
}

/// Plays a game to its end; `None` if it was interrupted.
pub(super) fn play(
    start: Start,
    nodes: u64,
    searcher: &mut Searcher,
    interrupted: &AtomicBool,
) -> Option<Record> {
    searcher.clear();
    let limits = Limits {
        soft_nodes: Some(nodes),
        nodes: Some(nodes * HARD_NODES),
        ..Limits::default()
    };
    let mut game = Game::new(start.position, start.mode);
    let mut moves = Vec::new();
    let mut referee = Referee::default();
    loop {
        if interrupted.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(outcome) = finished(&game).or_else(|| referee.decided(moves.len())) {
            return Some(Record {
                start,
                moves,
                outcome,
            });
        }
        let root = Root {
            position: *game.position(),
            earlier: game.keys_since_irreversible().collect(),
        };
        let answer = searcher.search(&root, &limits, &StopToken::new(), &mut |_| {});
        let mv = answer.best?;
        let white_to_move = root.position.side_to_move() == Color::White;
        let score = if white_to_move {
            answer.score
        } else {
            -answer.score
        };
        referee.hear(score);
        moves.push((mv, score));
        game.replay(mv).ok()?;
    }
}

/// How the rules end the game; draws that could be claimed count as claimed.
fn finished(game: &Game) -> Option<Outcome> {
    match game.result() {
        GameResult::WhiteWins => Some(Outcome::WhiteWins),
        GameResult::BlackWins => Some(Outcome::BlackWins),
        GameResult::Drawn => Some(Outcome::Draw),
        GameResult::Unknown => (!game.available_claims().is_empty()).then_some(Outcome::Draw),
    }
}

/// Ends games whose outcome both sides agree on.
#[derive(Debug, Clone, Copy, Default)]
struct Referee {
    white_wins: u32,
    black_wins: u32,
    draws: u32,
}

impl Referee {
    fn hear(&mut self, score: Score) {
        let count = |counter: u32, holds: bool| if holds { counter + 1 } else { 0 };
        self.white_wins = count(self.white_wins, score.0 >= WIN.0);
        self.black_wins = count(self.black_wins, score.0 <= -WIN.0);
        self.draws = count(self.draws, score.0.abs() <= DRAW.0);
    }

    fn decided(&self, plies: usize) -> Option<Outcome> {
        if self.white_wins >= WIN.1 {
            Some(Outcome::WhiteWins)
        } else if self.black_wins >= WIN.1 {
            Some(Outcome::BlackWins)
        } else if plies >= LONGEST || (plies >= DRAW_FROM_PLY && self.draws >= DRAW.1) {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}
