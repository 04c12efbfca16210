//! Forward pruning: reasons not to search a node, or a move, at all.
//!
//! None is a proof. Each says why what it leaves out hardly ever matters; none is used in check, on the principal
//! variation (for whole nodes), or when a mate is at stake, where judging by evaluation means nothing.
//!
//! Of nodes: reverse futility (Heinz's "static null move pruning"), razoring, null move pruning (Beal 1989; Donninger,
//! "Null Move and Deep Search", 1993), ProbCut. Of moves: late move pruning (LMP), futility pruning, history pruning, pruning by
//! static exchange evaluation (SEE).
//!
//! To add a rule: a function here with its reason, its parameters in [`params`], and a line in
//! `prune_node` or `prune_move`.

use super::control::Stopped;
use super::node::{MoveContext, NodeArgs, NodeState, NonPvNode, Window};
use super::params;
use super::picker::{MovePicker, Picked};
use super::report::Bound;
use super::tt::TtEntry;
use super::worker::Worker;
use crate::board::Position;
use crate::types::Score;

/// What to do with a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Search,
    Skip,
    /// Search it, and no quiet move after it.
    LastQuiet,
}

impl Worker<'_> {
    /// A score for a node off the principal variation that need not be searched further.
    pub(super) fn prune_node(
        &mut self,
        position: &Position,
        node: &NodeState,
    ) -> Result<Option<Score>, Stopped> {
        if node.in_check || node.excluded.is_some() || node.args.window.beta.is_loss() {
            return Ok(None);
        }
        if let Some(score) = reverse_futility(node) {
            return Ok(Some(score));
        }
        if let Some(score) = self.razor(position, node)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(position, node)? {
            return Ok(Some(score));
        }
        self.probcut(position, node)
    }

    /// ProbCut: if a good capture beats beta by a margin in a shallower search, the deep one will beat beta (Buro, "ProbCut:
    /// An Effective Selective Extension of the Alpha-Beta Algorithm", 1995).
    fn probcut(&mut self, position: &Position, node: &NodeState) -> Result<Option<Score>, Stopped> {
        let NodeArgs {
            ply,
            depth,
            window,
            cut_node,
        } = node.args;
        let margin =
            params::probcut_margin() - params::probcut_improving() * i32::from(node.improving);
        let raised = window.beta + margin;
        let Some(static_eval) = node.static_eval else {
            return Ok(None);
        };
        // The table may know already that beta is not beaten by so much.
        let is_refuted = node.tt_entry.is_some_and(|entry| {
            entry.depth >= depth - 3 && entry.score.is_some_and(|(score, _)| score < raised)
        });
        if depth < params::probcut_depth()
            || window.beta.is_decisive()
            || raised.is_decisive()
            || is_refuted
        {
            return Ok(None);
        }
        let mut picker = MovePicker::noisy(position, node.tt_move(), raised - static_eval, false);
        let raised_window = Window::null_at(raised - 1);
        let reduced = depth - params::probcut_reduction();
        while let Some(Picked { mv, .. }) = picker.next(position, self.histories, self.tt) {
            let next = self.play(position, mv, ply);
            let child = node.args.child(reduced, raised_window, !cut_node);
            let mut score = -self.quiescence::<NonPvNode>(&next, child.ply, child.window, true)?;
            if score >= raised && reduced > 0 {
                score = -self.negamax::<NonPvNode>(&next, child)?;
            }
            self.undo();
            if score >= raised {
                let entry = TtEntry {
                    mv: Some(mv),
                    score: Some((score, Bound::Lower)),
                    static_eval: node.raw_eval,
                    depth: reduced + 1,
                    pv: node.tt_pv,
                };
                self.tt_store(position, ply, entry);
                return Ok(Some(if score.is_decisive() {
                    score
                } else {
                    score - margin
                }));
            }
        }
        Ok(None)
    }

    /// Razoring: so far below alpha that only a capture could help, and the quiescence search says that none does.
    fn razor(&mut self, position: &Position, node: &NodeState) -> Result<Option<Score>, Stopped> {
        let args = node.args;
        let margin = params::razor_margin() + params::razor_per_ply() * args.depth;
        if args.depth > params::razor_depth()
            || node.tt_eval + margin > args.window.alpha
            || args.window.alpha.is_decisive()
        {
            return Ok(None);
        }
        let window = Window::null_at(args.window.alpha);
        let score = self.quiescence::<NonPvNode>(position, args.ply, window, true)?;
        Ok((score <= args.window.alpha).then_some(score))
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
        let args = node.args;
        let beta = args.window.beta;
        let just_passed = args.ply > 0 && self.stack.before(args.ply, 1).moved.is_none();
        if args.depth < params::null_move_depth()
            || node.tt_eval < beta
            || node.static_eval.is_none_or(|eval| eval < beta)
            || just_passed
            || args.ply < self.null_move_from_ply
            || !position.has_non_pawns(position.side_to_move())
        {
            return Ok(None);
        }
        let by_margin = ((node.tt_eval - beta) / params::null_move_eval_divisor())
            .min(params::null_move_max_eval_reduction());
        let reduction = params::null_move_reduction()
            + args.depth / params::null_move_depth_divisor()
            + by_margin;
        let depth = args.depth - reduction;

        let next = self.play_null(position, args.ply);
        let score =
            -self.negamax::<NonPvNode>(&next, args.child(depth, args.window, !args.cut_node))?;
        self.undo();
        if score < beta {
            return Ok(None);
        }
        // A mate found by passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if args.depth < params::null_move_verification_depth() || self.null_move_from_ply > 0 {
            return Ok(Some(score));
        }

        self.null_move_from_ply = args.ply + 3 * depth.max(1) as usize / 4 + 1;
        let window = Window::null_at(beta - 1);
        let verified = self.negamax::<NonPvNode>(
            position,
            NodeArgs {
                depth,
                window,
                cut_node: false,
                ..args
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
        context: &MoveContext,
    ) -> Verdict {
        let depth = node.args.depth;
        // Where the move is likely to be reduced to, its subtree has little time to show what the move is for.
        let mut reduced_depth = self.lmr_table.reduced_depth(depth, context.number);
        if context.quiet {
            reduced_depth += context.history / params::reduced_depth_history_divisor();
            reduced_depth = reduced_depth.clamp(0, depth);
        }
        let see_below = |threshold| {
            reduced_depth <= params::see_pruning_depth()
                && !position.see_at_least(context.mv, threshold)
        };
        if context.quiet {
            if is_hopeless_by_history(depth, context.history)
                || see_below(params::see_quiet_per_ply() * reduced_depth.max(1))
            {
                return Verdict::Skip;
            }
            if is_late(node, context.number) || is_futile(node, reduced_depth) {
                return Verdict::LastQuiet;
            }
        } else if context.bad_noisy
            && depth <= params::see_pruning_depth()
            && see_below(params::see_noisy_per_squared_ply() * depth * depth)
        {
            return Verdict::Skip;
        }
        Verdict::Search
    }
}

/// Reverse futility: so far above beta that the opponent will not catch up in the few plies left.
fn reverse_futility(node: &NodeState) -> Option<Score> {
    let args = node.args;
    let beta = args.window.beta;
    let margin = params::reverse_futility_per_ply() * args.depth
        - params::reverse_futility_improving() * i32::from(node.improving);
    let prunes = args.depth <= params::reverse_futility_depth()
        && !node.tt_pv
        && node.tt_eval - margin >= beta;
    // The truth lies somewhere between.
    (prunes && !node.tt_eval.is_win())
        .then(|| beta + (node.tt_eval - beta) * params::reverse_futility_blend() / 100)
}

/// History pruning: near the leaves, a move that has always failed is not tried again.
fn is_hopeless_by_history(depth: i32, history: i32) -> bool {
    history < params::history_pruning_per_ply() * depth && depth <= params::history_pruning_depth()
}

/// Late move pruning (LMP): after so many moves at low depth, quiet ones at the end of the order have nothing to offer.
fn is_late(node: &NodeState, number: usize) -> bool {
    let depth = node.args.depth;
    let limit = params::lmp_base() + params::lmp_per_squared_ply() * depth * depth / 100;
    let percent = if node.improving {
        100
    } else {
        params::lmp_not_improving()
    };
    number as i32 >= limit * percent / 100
}

/// Futility pruning: so far below alpha that a quiet move will not make up for it in the few plies left.
fn is_futile(node: &NodeState, reduced_depth: i32) -> bool {
    let margin = params::futility_margin() + params::futility_per_ply() * reduced_depth;
    !node.in_check
        && reduced_depth <= params::futility_depth()
        && node.tt_eval + margin <= node.args.window.alpha
}
