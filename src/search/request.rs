//! A search request: the position, the limits, who may claim draws, and when the clock started.
//!
//! Repetitions depend on the game, so a [`Root`] holds the keys of the positions since the last
//! irreversible move. Older positions cannot come back.

use super::clock::Instant;
use super::limits::Limits;
use crate::board::Position;
use crate::types::{FIFTY_MOVES, Key};
use std::time::Duration;

/// One search, from the root to its limits. The search changes no field of it.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// The position to search and the keys before it.
    pub root: Root,
    /// What ends the search.
    pub limits: Limits,
    /// Who can claim a draw in this game.
    pub claims: Claims,
    /// When the clock started to run.
    pub started: Instant,
    /// Time that the move will cost on the clock beyond the search.
    pub lag: Duration,
}

impl SearchRequest {
    /// A request whose clock starts now, in a game where both players can claim draws.
    pub fn new(root: impl Into<Root>, limits: Limits) -> Self {
        Self {
            root: root.into(),
            limits,
            claims: Claims::default(),
            started: Instant::now(),
            lag: Duration::ZERO,
        }
    }
}

/// The position to search, with the part of the game that the search needs.
///
/// A position without a game converts into a root, and so does a [`Game`](crate::game::Game).
#[derive(Debug, Clone)]
pub struct Root {
    /// The position.
    pub position: Position,
    /// Keys of the positions since the last irreversible move, oldest first, without the present
    /// one.
    pub previous_keys: Vec<Key>,
    /// No sequence of legal moves leads to mate, so the game is drawn (FIDE 5.2.2). Every score of
    /// the search is a draw then. The search does not find this out by itself.
    pub is_dead: bool,
}

impl From<Position> for Root {
    fn from(position: Position) -> Self {
        Self {
            position,
            previous_keys: Vec::new(),
            is_dead: false,
        }
    }
}

impl Root {
    /// Whether some position has occurred `times` times since the last irreversible move.
    pub(super) fn has_repetition(&self, times: usize) -> bool {
        let mut keys = self.previous_keys.clone();
        keys.push(self.position.key());
        keys.sort_unstable_by_key(|key| key.0);
        keys.windows(times).any(|same| same[0] == same[times - 1])
    }
}

/// Who can claim a draw by repetition or by the fifty-move rule.
///
/// Where players can claim, such a draw ends a line of the search, because one of them will claim
/// it. UCI has no claims, but most programs end the game themselves. A program that has let the
/// game pass such a draw will do so again. After that, only fivefold repetition and the
/// seventy-five-move rule end a line (FIDE 9.6), and nothing does once these have passed too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Claims {
    /// Each player can claim.
    #[default]
    Players,
    /// No player can claim; the program that runs the game decides.
    Nobody,
}

/// When a line of the search is drawn, given what the game has passed already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DrawRules {
    /// Plies added to the hundred of the fifty-move rule.
    pub(super) grace: u32,
    /// Occurrences of a position before the root that make its next occurrence a draw.
    pub(super) repetitions_needed: usize,
}

impl DrawRules {
    pub(super) fn new(root: &Root, claims: Claims) -> Self {
        let has_passed = |draw: bool| draw && claims == Claims::Nobody;
        let clock = root.position.halfmove_clock();
        Self {
            grace: match clock {
                _ if !has_passed(clock >= FIFTY_MOVES) => 0,
                ..150 => 50,
                _ => u32::MAX,
            },
            repetitions_needed: if !has_passed(root.has_repetition(3)) {
                2
            } else if !root.has_repetition(5) {
                4
            } else {
                usize::MAX
            },
        }
    }
}
