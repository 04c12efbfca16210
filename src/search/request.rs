//! A search request: all that a search gets.

use super::clock::Instant;
use super::control::StopToken;
use super::limits::Limits;
use super::settings::SearchSettings;
use crate::board::{GamePosition, Position};
use crate::types::{FIFTY_MOVES, FIVEFOLD, Key, SEVENTY_FIVE_MOVES, THREEFOLD};
use std::time::Duration;

/// One search, from the root to its limits. The search changes no field of it.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::search::{Limits, SearchRequest, Searcher};
/// let request = SearchRequest::new(Position::start(), Limits::infinite());
/// let token = request.token.clone();
/// let stopper = std::thread::spawn(move || token.stop());
/// let answer = Searcher::new(1).unwrap().search_silently(&request).unwrap();
/// assert!(answer.best.is_some());
/// # stopper.join().unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// The position to search and the keys before it.
    pub root: GamePosition,
    /// What ends the search.
    pub limits: Limits,
    /// Who can claim a draw in this game.
    pub claims: Claims,
    /// What the options set.
    pub settings: SearchSettings,
    /// When the clock started to run.
    pub started: Instant,
    /// Time that the move will cost on the clock beyond the search.
    pub lag: Duration,
    /// Stops the search, and that of every clone of the request.
    pub token: StopToken,
}

impl SearchRequest {
    /// A request whose clock starts now, with default settings and a fresh token, in a game where
    /// both players can claim draws.
    pub fn new(root: impl Into<GamePosition>, limits: Limits) -> Self {
        Self {
            root: root.into(),
            limits,
            claims: Claims::default(),
            settings: SearchSettings::default(),
            started: Instant::now(),
            lag: Duration::ZERO,
            token: StopToken::new(),
        }
    }
}

/// Who can claim a draw by repetition or by the fifty-move rule.
///
/// A position that repeats within the search always ends its line. Where the game itself counts, it
/// depends:
///
/// - `Players`: the third occurrence of a position and fifty moves are draws, because one of the
///   players will claim them.
/// - `Nobody`, as in UCI: the same, because most programs end the game there. But a program that
///   has let the game go past one of them will do so again. Then only the fifth occurrence and
///   seventy-five moves are draws (FIDE 9.6), and once the game is past these too, neither counts.
///
/// So it is `Players` if your program claims for the engine, as by
/// [`Game::claim_draw`](crate::game::Game::claim_draw), and `Nobody` if a GUI or a server decides.
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
    pub(super) extra_plies: u32,
    /// Occurrences of a position before the root that make its next occurrence a draw.
    pub(super) repetitions_needed: usize,
}

impl DrawRules {
    pub(super) fn new(root: &GamePosition, claims: Claims) -> Self {
        let has_passed = |draw: bool| draw && claims == Claims::Nobody;
        let clock = root.position.halfmove_clock();
        Self {
            extra_plies: match clock {
                _ if !has_passed(clock >= FIFTY_MOVES) => 0,
                ..SEVENTY_FIVE_MOVES => SEVENTY_FIVE_MOVES - FIFTY_MOVES,
                _ => u32::MAX,
            },
            repetitions_needed: if !has_passed(root.has_repetition(THREEFOLD as usize)) {
                THREEFOLD as usize - 1
            } else if !root.has_repetition(FIVEFOLD as usize) {
                FIVEFOLD as usize - 1
            } else {
                usize::MAX
            },
        }
    }

    /// Halfmove clock for the fifty-move rule, less the extra plies if the game has passed it.
    #[inline(always)]
    pub(super) fn rule50(self, position: &Position) -> u32 {
        position.halfmove_clock().saturating_sub(self.extra_plies)
    }

    /// Whether a position with this key, one move after the root, is a draw by repetition.
    pub(super) fn is_repeated(self, root: &GamePosition, key: Key) -> bool {
        root.occurrences_before(key) >= self.repetitions_needed
    }
}
