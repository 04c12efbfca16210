//! A node of the tree: its kind, the window it is searched with, what is known about it before a move is tried, and what
//! is known about each move when it is tried.
//!
//! The steps of the search ([`negamax`](super::negamax), [`prune`](super::prune), [`lmr`](super::lmr)) share these types,
//! so that each fact is found out once and has one name.
//!
//! Node kinds are types (the idea is seen in Viridithas): a PV node has an open window and wants an exact score, all
//! others are searched with a null window and only say on which side of it they are. Of these a *cut node* is expected
//! to fail high and an *all node* to fail low (Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975).

use super::report::Bound;
use super::tt::TtEntry;
use crate::types::{Move, Score};

/// The kind of a node, known at compile time.
pub(super) trait Node {
    /// On the principal variation: the window is open and the score must be exact.
    const PV: bool;
    /// The position to find a move for.
    const ROOT: bool;
    /// What a child with an open window is.
    type Next: Node;
}

/// The position to find a move for.
pub(super) struct RootNode;
/// A node on the principal variation.
pub(super) struct PvNode;
/// A node with a null window.
pub(super) struct NonPvNode;

impl Node for RootNode {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = PvNode;
}

impl Node for PvNode {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Self;
}

impl Node for NonPvNode {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = Self;
}

/// The bounds between which a score matters: at most `alpha` fails low, at least `beta` fails high.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// All scores.
    pub(super) const OPEN: Self = Self {
        alpha: Score(-Score::INFINITE.0),
        beta: Score::INFINITE,
    };

    /// The same bounds for the other side.
    #[inline(always)]
    pub(super) fn flipped(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// A null window: a score is only better than alpha or not.
    #[inline(always)]
    pub(super) fn null_at(alpha: Score) -> Self {
        Self {
            alpha,
            beta: alpha + 1,
        }
    }

    /// What a fail-soft score says about the true one.
    #[inline(always)]
    pub(super) fn bound_of(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// The arguments of the search of one node.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeArgs {
    /// Plies from the root.
    pub(super) ply: usize,
    /// Plies still to search.
    pub(super) depth: i32,
    pub(super) window: Window,
    /// It is expected to fail high.
    pub(super) cut_node: bool,
}

impl NodeArgs {
    /// The arguments of a child; the window is given as this node sees it.
    #[inline(always)]
    pub(super) fn child(&self, depth: i32, window: Window, cut_node: bool) -> Self {
        Self {
            ply: self.ply + 1,
            depth,
            window: window.flipped(),
            cut_node,
        }
    }
}

/// What is known about a node before a move is tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeState {
    pub(super) args: NodeArgs,
    pub(super) in_check: bool,
    /// What the transposition table knows; distances to mate count from the root.
    pub(super) tt_entry: Option<TtEntry>,
    /// On the principal variation, now or when the entry was made.
    pub(super) tt_pv: bool,
    /// The evaluation as it is kept in the table; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The same, scaled by rule50 and corrected; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The move that is left out, while it is asked whether it is singular.
    pub(super) excluded: Option<Move>,
    /// The static evaluation, or the TT score where that says more; meaningless in check.
    pub(super) tt_eval: Score,
    /// The side to move stands better than at its last move.
    pub(super) improving: bool,
}

impl NodeState {
    /// The TT move; it may be illegal here.
    #[inline(always)]
    pub(super) fn tt_move(&self) -> Option<Move> {
        self.tt_entry.and_then(|entry| entry.mv)
    }
}

/// What is known about a move when it is tried: what pruning, extensions and reductions go by.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveContext {
    pub(super) mv: Move,
    /// 1 for the first move of the node.
    pub(super) number: usize,
    /// Neither a capture nor a promotion.
    pub(super) quiet: bool,
    /// The killer move of the node.
    pub(super) killer: bool,
    /// A capture or promotion that loses material.
    pub(super) bad_noisy: bool,
    /// The sum of its history entries.
    pub(super) history: i32,
    /// The TT move is a capture or a promotion.
    pub(super) noisy_tt_move: bool,
    /// By how many plies it is extended.
    pub(super) extension: i32,
}

/// What the moves of a node came to.
pub(super) struct NodeResult {
    pub(super) score: Score,
    /// The move that raised alpha last.
    pub(super) best: Option<Move>,
    /// It comes from a shallower search of the same node, so there is nothing to learn or to store.
    pub(super) multicut: bool,
}

/// The score of a table entry, if it decides a node with that window.
#[inline(always)]
pub(super) fn tt_cutoff(entry: &TtEntry, window: Window) -> Option<Score> {
    let (score, bound) = entry.score?;
    let decides = match bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    decides.then_some(score)
}

/// The score of a table entry where it says more than the static evaluation: both are guesses, but one has searched.
#[inline(always)]
pub(super) fn tt_adjusted_eval(entry: &TtEntry, static_eval: Score) -> Score {
    match entry.score {
        Some((score, _)) if score.is_decisive() => static_eval,
        Some((score, Bound::Lower)) => static_eval.max(score),
        Some((score, Bound::Upper)) => static_eval.min(score),
        Some((score, Bound::Exact)) => score,
        None => static_eval,
    }
}
