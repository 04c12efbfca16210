//! When a game of the engine against itself is over: by the rules, or because both sides agree on how it will end.

use crate::game::{Game, GameResult};
use crate::types::Score;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools) enum SelfPlayOutcome {
    WhiteWins,
    BlackWins,
    Draw,
}

/// When both sides are taken to agree: centipawns, and the half-moves in a row for which all scores must say so.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct Adjudication {
    /// For a game to be given up.
    pub(in crate::tools) win: (i32, u32),
    /// For a game to be called a draw…
    pub(in crate::tools) draw: (i32, u32),
    /// … from this half-move on.
    pub(in crate::tools) draw_from_ply: usize,
    /// No game is longer; this is a draw too.
    pub(in crate::tools) longest: usize,
}

/// How the rules end the game; draws that could be claimed count as claimed.
pub(in crate::tools) fn finished(game: &Game) -> Option<SelfPlayOutcome> {
    match game.result() {
        GameResult::WhiteWins => Some(SelfPlayOutcome::WhiteWins),
        GameResult::BlackWins => Some(SelfPlayOutcome::BlackWins),
        GameResult::Drawn => Some(SelfPlayOutcome::Draw),
        GameResult::Unknown => {
            (!game.available_claims().is_empty()).then_some(SelfPlayOutcome::Draw)
        }
    }
}

/// Ends games whose outcome both sides agree on.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct Adjudicator {
    rules: Adjudication,
    white_wins: u32,
    black_wins: u32,
    draws: u32,
}

impl Adjudicator {
    pub(in crate::tools) const fn new(rules: Adjudication) -> Self {
        Self {
            rules,
            white_wins: 0,
            black_wins: 0,
            draws: 0,
        }
    }

    /// Takes note of the score of a move, as White counts.
    pub(in crate::tools) fn note(&mut self, score: Score) {
        let (win, draw) = (self.rules.win.0, self.rules.draw.0);
        let count = |counter: u32, holds: bool| if holds { counter + 1 } else { 0 };
        self.white_wins = count(self.white_wins, score.0 >= win);
        self.black_wins = count(self.black_wins, score.0 <= -win);
        self.draws = count(self.draws, score.0.abs() <= draw);
    }

    /// The outcome, if it is decided after so many half-moves.
    pub(in crate::tools) fn decided(&self, plies: usize) -> Option<SelfPlayOutcome> {
        let rules = &self.rules;
        if self.white_wins >= rules.win.1 {
            Some(SelfPlayOutcome::WhiteWins)
        } else if self.black_wins >= rules.win.1 {
            Some(SelfPlayOutcome::BlackWins)
        } else if plies >= rules.longest
            || (plies >= rules.draw_from_ply && self.draws >= rules.draw.1)
        {
            Some(SelfPlayOutcome::Draw)
        } else {
            None
        }
    }
}
