//! When a self-play game ends: by the rules, or early because the scores of both sides agree.
//!
//! A game that is decided teaches little, so most are stopped before mate.

use crate::game::{Game, GameResult};
use crate::types::Score;

/// When to stop a game early.
#[derive(Debug, Clone, Copy)]
pub struct Adjudication {
    /// Win: at least this many centipawns for the same side, for this many plies in a row.
    pub win: (i32, u32),
    /// Draw: at most this many centipawns, for this many plies in a row.
    pub draw: (i32, u32),
    /// Draws are adjudicated from this ply on.
    pub draw_from_ply: usize,
    /// Maximum number of plies; the game is then drawn.
    pub max_plies: usize,
}

/// The result by the rules, or `None` if the game continues. A draw that can be claimed is claimed.
#[must_use]
pub fn finished(game: &Game) -> Option<GameResult> {
    match game.result() {
        GameResult::Unknown => (!game.available_claims().is_empty()).then_some(GameResult::Drawn),
        result => Some(result),
    }
}

/// Watches the scores of a game and decides when it ends early.
#[derive(Debug, Clone, Copy)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Plies in a row with a winning score for White, for Black, and with a drawn score.
    white_wins: u32,
    black_wins: u32,
    draws: u32,
}

impl Adjudicator {
    /// An adjudicator for a new game.
    #[must_use]
    pub const fn new(rules: Adjudication) -> Self {
        Self {
            rules,
            white_wins: 0,
            black_wins: 0,
            draws: 0,
        }
    }

    /// Records the score of a move, from White's point of view.
    pub fn record(&mut self, score: Score) {
        let (win, draw) = (self.rules.win.0, self.rules.draw.0);
        let count = |counter: u32, holds: bool| if holds { counter + 1 } else { 0 };
        self.white_wins = count(self.white_wins, score.0 >= win);
        self.black_wins = count(self.black_wins, score.0 <= -win);
        self.draws = count(self.draws, score.0.abs() <= draw);
    }

    /// The result after `plies` half-moves, or `None` if the game continues.
    #[must_use]
    pub fn decided(&self, plies: usize) -> Option<GameResult> {
        let rules = &self.rules;
        if self.white_wins >= rules.win.1 {
            Some(GameResult::WhiteWins)
        } else if self.black_wins >= rules.win.1 {
            Some(GameResult::BlackWins)
        } else if plies >= rules.max_plies
            || (plies >= rules.draw_from_ply && self.draws >= rules.draw.1)
        {
            Some(GameResult::Drawn)
        } else {
            None
        }
    }
}
