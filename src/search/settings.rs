//! What the options set for a search: all but the tables and threads of the searcher.

use std::num::NonZeroU64;
use std::time::Duration;

/// Settings of a search. Each [`SearchRequest`](super::SearchRequest) carries its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchSettings {
    /// Number of best lines to search and report; 0 and 1 both mean the best line only.
    pub multi_pv: usize,
    /// Time lost between the GUI's clock and the engine on each move.
    pub move_overhead: Duration,
    /// When to probe the tablebases.
    pub probe: ProbeRules,
    /// Nodes that count as one second; `None` to use the clock.
    pub node_rate: Option<NonZeroU64>,
    /// Limits the playing strength, except in analysis
    /// ([`Limits::is_analysis`](super::Limits::is_analysis)).
    pub handicap: Option<Handicap>,
}

/// How the search is weakened: it sees less, considers several lines and misjudges each of them.
/// Some moves are chosen at a glance, without a look at the replies. A proven win is played all the
/// same. Tablebases are not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handicap {
    /// Hard node limit per move; one worker searches. With 0 nodes the choice is among the static
    /// evaluations after all moves.
    pub nodes: u64,
    /// Standard deviation of the error added to each line's score, in centipawns.
    pub error: u16,
    /// Moves in a thousand that are chosen with 0 nodes.
    pub glances: u32,
    /// Random seed of the errors and glances. Each search of a searcher draws new ones.
    pub seed: u64,
}

/// When tablebases are probed and how their answers are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeRules {
    /// Minimum depth, in plies, at which positions with as many pieces as the largest table (or
    /// [`Self::pieces`], if that is less) are probed.
    pub depth: u32,
    /// Maximum number of pieces, kings and pawns included.
    pub pieces: u32,
    /// Counts a win that the fifty-move rule prevents (a *cursed win*) as a draw.
    pub fifty_move_rule: bool,
}

impl ProbeRules {
    /// Probes at every depth, with up to 7 pieces, under the fifty-move rule.
    pub const DEFAULT: Self = Self {
        depth: 1,
        pieces: 7,
        fifty_move_rule: true,
    };
}

impl Default for ProbeRules {
    fn default() -> Self {
        Self::DEFAULT
    }
}
