//! A node of the tree: its kind, its window, and what is known about it and about each of its
//! moves.
//!
//! The steps of the search ([`negamax`](super::negamax), [`prune`](super::prune),
//! [`lmr`](super::lmr)) share these types, so each fact is computed once and has one name.
//!
//! Node kinds are types, as in Stockfish's templates; the associated type `Next` is an idea from
//! Viridithas. A PV node has an open window, and a score inside it is exact. All other nodes have a
//! null window and only decide on which side of it they are. Of these a *cut node* is expected to
//! fail high and an *all node* to fail low (Knuth and Moore, "An Analysis of Alpha-Beta Pruning",
//! 1975).

use super::report::Bound;
use super::tt::TtEntry;
use crate::types::{Move, Score};

/// The kind of a node, known at compile time.
pub(super) trait Node {
    /// On the principal variation: an open window.
    const PV: bool;
    /// The root of the tree.
    const ROOT: bool;
    /// Kind of a child with an open window.
    type Next: Node;
}

/// The root of the tree.
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

/// The alpha-beta window: a score of at most `alpha` fails low, one of at least `beta` fails high.
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

    /// The window from the other side's view.
    #[inline(always)]
    pub(super) fn flipped(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// The null window above `alpha`: a search only decides whether the score beats `alpha`.
    #[inline(always)]
    pub(super) fn null_at(alpha: Score) -> Self {
        Self {
            alpha,
            beta: alpha + 1,
        }
    }

    /// How a fail-soft score relates to the true one.
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
    /// Remaining depth, in plies.
    pub(super) depth: i32,
    pub(super) window: Window,
    /// Expected to fail high.
    pub(super) cut_node: bool,
    /// Move left out by a singular search.
    pub(super) excluded: Option<Move>,
}

impl NodeArgs {
    /// Arguments of a child; `window` is from this node's view.
    #[inline(always)]
    pub(super) fn child(&self, depth: i32, window: Window, cut_node: bool) -> Self {
        Self {
            ply: self.ply + 1,
            depth,
            window: window.flipped(),
            cut_node,
            excluded: None,
        }
    }
}

/// What is known about a node before a move is tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeState {
    pub(super) args: NodeArgs,
    pub(super) in_check: bool,
    /// Entry of the transposition table; distances to mate count from the root.
    pub(super) tt_entry: Option<TtEntry>,
    /// On the principal variation, now or, by the entry, at some time before.
    pub(super) tt_pv: bool,
    /// Evaluation of the network, as stored in the table; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// Evaluation scaled by the halfmove clock and corrected; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// What the correction histories add to the evaluation, in centipawns; 0 in check.
    pub(super) correction: i32,
    /// Static evaluation, or the TT score if that bounds it; meaningless in check.
    pub(super) tt_eval: Score,
    /// The static evaluation is higher than at the last move of the same side.
    pub(super) improving: bool,
    /// The TT move is a capture or a promotion.
    pub(super) noisy_tt_move: bool,
}

impl NodeState {
    /// The TT move; it may be illegal here.
    #[inline(always)]
    pub(super) fn tt_move(&self) -> Option<Move> {
        self.tt_entry.and_then(|entry| entry.mv)
    }
}

/// What is known about a move before it is searched. Pruning and reductions depend on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveContext {
    pub(super) mv: Move,
    /// 1 for the first move of the node.
    pub(super) number: usize,
    /// Neither a capture nor a promotion.
    pub(super) quiet: bool,
    /// A capture or promotion whose exchange value is below `good_capture_see`; never the TT move,
    /// and none at the root.
    pub(super) bad_noisy: bool,
    /// History score.
    pub(super) history: i32,
    /// Extension, in plies.
    pub(super) extension: i32,
}

/// The result of searching the moves of a node.
pub(super) struct NodeResult {
    pub(super) score: Score,
    /// Move that raised alpha last.
    pub(super) best: Option<Move>,
    /// The score comes from a multicut, that is, a shallower search; it updates no history and is
    /// not stored.
    pub(super) multicut: bool,
}

// ANCHOR: tt_cutoff
/// The score of a table entry, if it decides a node with this window.
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
// ANCHOR_END: tt_cutoff

/// The static evaluation, moved to the score of a table entry where that bounds it: both are
/// estimates, but the score comes from a search.
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
