//! Reasons not to search: of a whole node, and of single moves.
//!
//! None is a proof. Each says why what it leaves out hardly ever matters; none is used in check, on the principal
//! variation (for whole nodes), or when a mate is at stake, where judging by evaluation means nothing.

use super::control::Stopped;
use super::node::{NodeState, NonPv, Window};
use super::params::*;
use super::picker::Stage;
use super::worker::Worker;
use crate::board::Position;
use crate::types::{Move, Score};

/// What to do with a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Search,
    Skip,
    /// Search it, and no quiet move after it.
    LastQuiet,
}

/// A move that may be skipped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) stage: Stage,
    /// 1 for the first move of the node.
    pub(super) number: usize,
    pub(super) quiet: bool,
    pub(super) history: i32,
    /// The depth it is likely to be searched to after reduction, in plies.
    pub(super) reduced_depth: i32,
}

impl Worker<'_> {
    /// A score for a node off the principal variation that need not be searched further.
    pub(super) fn prune_node(
        &mut self,
        position: &Position,
        node: &NodeState,
    ) -> Result<Option<Score>, Stopped> {
        if node.in_check || node.task.window.beta.is_loss() {
            return Ok(None);
        }
        if let Some(score) = reverse_futility(node) {
            return Ok(Some(score));
        }
        if let Some(score) = self.razor(position, node)? {
            return Ok(Some(score));
        }
        self.null_move(position, node)
    }

    /// Razoring: so far below alpha that only a capture could help, and the quiescence search says that none does.
    fn razor(&mut self, position: &Position, node: &NodeState) -> Result<Option<Score>, Stopped> {
        let task = node.task;
        let margin = RAZOR_MARGIN + RAZOR_PER_PLY * task.depth;
        if task.depth > RAZOR_DEPTH
            || node.estimate + margin > task.window.alpha
            || task.window.alpha.is_decisive()
        {
            return Ok(None);
        }
        let window = Window::null_at(task.window.alpha);
        let score = self.quiescence::<NonPv>(position, task.ply, window)?;
        Ok((score <= task.window.alpha).then_some(score))
    }

    /// Null move: if passing the move still beats beta in a shallower search, moving will.
    ///
    /// That fails in zugzwang only; so not with a lone king and pawns, and high up the tree a second search without
    /// null moves has to agree.
    fn null_move(
        &mut self,
        position: &Position,
        node: &NodeState,
    ) -> Result<Option<Score>, Stopped> {
        let task = node.task;
        let beta = task.window.beta;
        let just_passed = task.ply > 0 && self.stack.before(task.ply, 1).step.is_none();
        if task.depth < NULL_DEPTH
            || node.estimate < beta
            || node.static_eval.is_none_or(|eval| eval < beta)
            || just_passed
            || task.ply < self.null_move_from_ply
            || !position.has_non_pawns(position.side_to_move())
        {
            return Ok(None);
        }
        let by_margin =
            ((node.estimate - beta) / NULL_MARGIN_PER_REDUCTION).min(NULL_MAX_MARGIN_REDUCTION);
        let reduction = NULL_REDUCTION + task.depth / NULL_PLIES_PER_REDUCTION + by_margin;
        let depth = task.depth - reduction;

        let next = self.play_null(position, task.ply);
        let score =
            -self.negamax::<NonPv>(&next, task.child(depth, task.window, !task.cut_node))?;
        self.take_back();
        if score < beta {
            return Ok(None);
        }
        // A mate found by passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if task.depth < NULL_VERIFICATION_DEPTH || self.null_move_from_ply > 0 {
            return Ok(Some(score));
        }

        self.null_move_from_ply = task.ply + 3 * depth.max(1) as usize / 4 + 1;
        let window = Window::null_at(beta - 1);
        let verified = self.negamax::<NonPv>(
            position,
            super::node::Task {
                depth,
                window,
                cut_node: false,
                ..task
            },
        );
        self.null_move_from_ply = 0;
        Ok((verified? >= beta).then_some(score))
    }

    /// Whether a move is worth searching, once another has been found that does not lose.
    pub(super) fn prune_move(
        &self,
        position: &Position,
        node: &NodeState,
        candidate: Candidate,
    ) -> Verdict {
        let depth = node.task.depth;
        if candidate.quiet {
            if candidate.history < HISTORY_PRUNING_PER_PLY * depth && depth <= HISTORY_PRUNING_DEPTH
            {
                return Verdict::Skip;
            }
            if see_prunes(
                position,
                &candidate,
                SEE_QUIET_PER_PLY * candidate.reduced_depth.max(1),
            ) {
                return Verdict::Skip;
            }
            if is_late(node, candidate.number) || is_futile(node, candidate.reduced_depth) {
                return Verdict::LastQuiet;
            }
        } else if candidate.stage == Stage::BadNoisy
            && depth <= SEE_PRUNING_DEPTH
            && see_prunes(
                position,
                &candidate,
                SEE_NOISY_PER_SQUARED_PLY * depth * depth,
            )
        {
            return Verdict::Skip;
        }
        Verdict::Search
    }
}

/// Reverse futility: so far above beta that the opponent will not catch up in the few plies left.
fn reverse_futility(node: &NodeState) -> Option<Score> {
    let task = node.task;
    let beta = task.window.beta;
    let margin = REVERSE_FUTILITY_PER_PLY * task.depth
        - REVERSE_FUTILITY_IMPROVING * i32::from(node.improving);
    let prunes =
        task.depth <= REVERSE_FUTILITY_DEPTH && !node.tt_pv && node.estimate - margin >= beta;
    // The truth lies somewhere between.
    (prunes && !node.estimate.is_win()).then(|| beta + (node.estimate - beta) / 2)
}

/// Late move pruning: after so many moves at low depth, quiet ones at the end of the order have nothing to offer.
fn is_late(node: &NodeState, number: usize) -> bool {
    let depth = node.task.depth;
    let limit = LATE_MOVE_BASE + LATE_MOVE_PERCENT * depth * depth / 100;
    number as i32 >= if node.improving { limit } else { limit / 2 }
}

/// Futility: so far below alpha that a quiet move will not make up for it in the few plies left.
fn is_futile(node: &NodeState, reduced_depth: i32) -> bool {
    let margin = FUTILITY_MARGIN + FUTILITY_PER_PLY * reduced_depth;
    !node.in_check
        && reduced_depth <= FUTILITY_DEPTH
        && node.estimate + margin <= node.task.window.alpha
}

/// Near the leaves a move that loses material has no time to show what it was for.
fn see_prunes(position: &Position, candidate: &Candidate, threshold: i32) -> bool {
    candidate.reduced_depth <= SEE_PRUNING_DEPTH && !position.see_at_least(candidate.mv, threshold)
}
