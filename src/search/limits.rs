//! What `go` can ask for: depth, nodes, mate, time, and how to search.
//!
//! The first limit that is reached ends the search. A depth or node limit on one thread gives the
//! same answer every time, if the searcher was cleared before; time limits do not.

use crate::types::{MAX_PLY, Move};
use std::time::Duration;

/// Hard node limit as a multiple of the soft one, so that an iteration that has begun can end.
pub const HARD_NODES: u64 = 8;

/// The limits of one search. Without any, it runs until it is stopped or has searched
/// [`Limits::MAX_DEPTH`] plies deep.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// Maximum depth of iterative deepening, in plies: 1 to [`Limits::MAX_DEPTH`]. Others count as
    /// the nearest of these.
    pub depth: Option<u32>,
    /// Hard node limit, exact on one thread.
    pub nodes: Option<u64>,
    /// Soft node limit: no iteration starts after this many nodes of the main worker.
    pub soft_nodes: Option<u64>,
    /// Soft node limit while the best move is a capture or promotion. Self-play does not learn
    /// from such positions.
    pub soft_nodes_if_noisy: Option<u64>,
    /// Stops once a mate in at most this many full moves is found, for either side.
    pub mate: Option<u32>,
    /// Time for this move. The move overhead is subtracted from it.
    pub movetime: Option<Duration>,
    /// Clock of the side to move. The time manager chooses the time for this move.
    pub clock: Option<TimeControl>,
    /// Keeps searching, and answers only when stopped. A limit of depth, nodes or time set
    /// with it ends the search, but not the wait.
    pub infinite: bool,
    /// Searches on the opponent's time. The depth limit applies at once, all others from the
    /// ponderhit on; the nodes searched before it count.
    pub ponder: bool,
    /// Root moves to search; empty for all legal moves. Illegal ones are ignored; if all
    /// are, no move is searched, and the answer has none.
    pub searchmoves: Vec<Move>,
}

impl Limits {
    /// The greatest depth of a search, in plies.
    pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;

    /// Searches to `depth` plies.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Searches at most `nodes` nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Searches for at most `time`.
    pub fn movetime(time: Duration) -> Self {
        Self {
            movetime: Some(time),
            ..Self::default()
        }
    }

    /// Searches until stopped.
    pub fn infinite() -> Self {
        Self {
            infinite: true,
            ..Self::default()
        }
    }

    /// Turns the hard node limit into a soft one, with a hard limit of [`HARD_NODES`] times as
    /// many.
    ///
    /// ```
    /// use tabiya::search::Limits;
    /// let limits = Limits::nodes(1_000).with_soft_nodes();
    /// assert_eq!((limits.soft_nodes, limits.nodes), (Some(1_000), Some(8_000)));
    /// ```
    #[must_use]
    pub fn with_soft_nodes(mut self) -> Self {
        if let Some(nodes) = self.nodes {
            self.soft_nodes = Some(nodes);
            self.nodes = Some(nodes.saturating_mul(HARD_NODES));
        }
        self
    }

    /// Whether the user wants the truth about a position rather than a move in a game: `infinite`
    /// or `mate` is set. Strength limits and opening books do not apply then.
    pub const fn is_analysis(&self) -> bool {
        self.infinite || self.mate.is_some()
    }
}

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeControl {
    /// Time left on the clock.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
}
