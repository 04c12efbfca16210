//! When a search ends by itself: depth, nodes, mate, time, and what else a user may ask of it.
//!
//! All that a search is told beside its position is here, so that the same position and limits on one thread give the same
//! answer. The first limit that is reached ends the search; without any it runs until it is stopped.

use crate::types::Move;
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

/// What a search may use. The first limit that is reached ends it; without any it runs until it is stopped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes, to the node.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins.
    pub soft_nodes: Option<u64>,
    /// End once a mate in so many full moves is found, for either side.
    pub mate: Option<u32>,
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move, from which the time for this move is chosen.
    pub clock: Option<TimeControl>,
    /// Do not answer before being told to stop, whatever else has been reached.
    pub infinite: bool,
    /// Begin on the opponent's time; the other limits count from the ponderhit.
    pub ponder: bool,
    /// When the search was asked for, and the clock began to run; `None` if that is when it begins.
    pub asked: Option<Instant>,
    /// Only these root moves, if any are given.
    pub searchmoves: Vec<Move>,
    /// What comes from the options.
    pub settings: SearchSettings,
    /// Who may claim a draw.
    pub claims: Claims,
}

/// What a search takes from the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchSettings {
    /// How many of the best lines are wanted; 0 and 1 both mean the best one.
    pub multi_pv: usize,
    /// What is lost between the clock and the search at each move.
    pub move_overhead: Duration,
    /// When to ask the tablebases.
    pub probe: ProbeRules,
    /// Time is counted in nodes, so many a second; `None` if the clock counts it.
    pub node_rate: Option<NonZeroU64>,
    /// Play worse on purpose.
    pub handicap: Option<Handicap>,
}

impl Limits {
    /// A fixed number of plies.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// A fixed number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }
}

/// Who can claim a draw by repetition or by the fifty-move rule.
///
/// Such a draw ends a line of the search: where players can claim, one of them will. In UCI nobody can claim for the
/// engine, but most programs end the game by themselves then. One that has let the game go past such a draw will do so
/// again: after it, only what ends a game without a claim ends a line (FIDE 9.6), which is fivefold repetition and the
/// seventy-five-move rule, and nothing if these have passed too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Claims {
    /// Each player for himself.
    #[default]
    Players,
    /// Nobody; the game is drawn when the program that runs it says so.
    Nobody,
}

/// How a search is weakened: it sees less, looks at several lines and errs in choosing among them. A proven win is
/// played all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handicap {
    /// Nodes, to the node; one worker searches them.
    pub nodes: u64,
    /// By how much each line's score may be misjudged, about (one standard deviation), in centipawns.
    pub error: i32,
    /// What the errors follow from.
    pub seed: u64,
}

impl Handicap {
    /// Lines to choose among: the smaller the errors, the fewer of them can come to seem the best.
    pub(super) fn lines(self) -> usize {
        const MOST: usize = 5;
        const ERROR_PER_LINE: usize = 25;
        (1 + usize::try_from(self.error)
            .unwrap_or(0)
            .div_ceil(ERROR_PER_LINE))
        .min(MOST)
    }
}

/// When tablebases are asked, and how their answers are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeRules {
    /// Positions with as many pieces as [`Self::pieces`] are probed only with so many plies still to search.
    pub depth: u32,
    /// Positions with more pieces are not probed; kings and pawns count.
    pub pieces: u32,
    /// A win that the fifty-move rule spoils (a *cursed win*) is a draw.
    pub fifty_move_rule: bool,
}

impl ProbeRules {
    /// Ask whenever a table may know; the fifty-move rule is in force.
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

/// What the clock of the side to move shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeControl {
    /// The time that remains.
    pub remaining: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` if the time is for the whole game.
    pub moves_to_go: Option<u32>,
}
