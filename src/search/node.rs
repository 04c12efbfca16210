//! What kind of node it is, and what is known about it.

use super::report::Bound;
use super::tt::Entry;
use crate::types::Score;

/// The kind of a node, known when the program is built.
pub(super) trait Node {
    /// On the principal variation: the window is open and the score must be exact.
    const PV: bool;
    /// The position to find a move for.
    const ROOT: bool;
    /// What a child with an open window is.
    type Next: Node;
}

/// The position to find a move for.
pub(super) struct Root;
/// A node on the principal variation.
pub(super) struct Pv;
/// A node that is only asked whether it is better than a bound.
pub(super) struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Self;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = Self;
}

/// The bounds between which a score matters: at most `alpha` is bad for the side to move, at least `beta` too good.
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

    /// A window in which a score is only better than alpha or not.
    #[inline(always)]
    pub(super) fn null_at(alpha: Score) -> Self {
        Self {
            alpha,
            beta: alpha + 1,
        }
    }
}

/// What the caller asks of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task {
    /// Half-moves from the root.
    pub(super) ply: usize,
    /// Plies still to search.
    pub(super) depth: i32,
    pub(super) window: Window,
    /// It is expected that a move beats beta.
    pub(super) cut_node: bool,
}

impl Task {
    /// The task of a child, its window and depth as given.
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

/// What a node knows about itself before it tries moves; the steps of the search share it.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeState {
    pub(super) task: Task,
    pub(super) in_check: bool,
    /// What the transposition table knows; distances to mate count from the root.
    pub(super) entry: Option<Entry>,
    /// On the principal variation, now or when the table's entry was made.
    pub(super) tt_pv: bool,
    /// The evaluation as it is kept in the table; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The same, faded as the fifty-move rule draws near.
    pub(super) static_eval: Option<Score>,
    /// The evaluation, or the table's score where that is nearer to the truth; meaningless in check.
    pub(super) estimate: Score,
    /// The side to move stands better than two plies ago.
    pub(super) improving: bool,
}

/// The table's score, if it decides a node with that window.
#[inline(always)]
pub(super) fn cutoff(entry: &Entry, window: Window) -> Option<Score> {
    let (score, bound) = entry.score?;
    let decides = match bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    decides.then_some(score)
}

/// The table's score where it says more than the evaluation: both are guesses, but one has searched.
#[inline(always)]
pub(super) fn better_estimate(entry: &Entry, eval: Score) -> Score {
    match entry.score {
        Some((score, _)) if score.is_decisive() => eval,
        Some((score, Bound::Lower)) => eval.max(score),
        Some((score, Bound::Upper)) => eval.min(score),
        Some((score, Bound::Exact)) => score,
        None => eval,
    }
}
