//! Forward pruning: rules that leave out a node or a move without proof.
//!
//! Each rule gives its reason. Whole nodes are pruned by reverse futility pruning (also
//! "static null move pruning"), razoring (Birmingham and Kent, "Tree-Searching and Tree-Pruning
//! Techniques", 1977), null move pruning (Beal, 1989; Donninger, "Null Move and Deep Search", 1993)
//! and ProbCut; never on the principal variation, in check, in a singular search, or when beta is a
//! forced loss. Moves are pruned by history, by static exchange evaluation (SEE), by their number
//! (late move pruning) and by futility (Schaeffer, "Experiments in Search and Knowledge", 1986;
//! Heinz, "Extended Futility Pruning", 1998); never at the root, without pieces besides pawns, or
//! while every move searched so far loses by force. In check, futility pruning does not apply and
//! the other three do.
//!
//! To add a rule, add a function here, its parameters in [`params`], and a line in `prune_node` or
//! `prune_move`.

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
pub(super) enum MovePruning {
    Search,
    Skip,
    /// Search this move, and no quiet move after it.
    LastQuiet,
}

impl Worker<'_> {
    /// The score of a non-PV node that is pruned; `None` to search it.
    pub(super) fn prune_node(
        &mut self,
        position: &Position,
        node: &NodeState,
    ) -> Result<Option<Score>, Stopped> {
        if node.in_check || node.args.excluded.is_some() || node.args.window.beta.is_loss() {
            return Ok(None);
        }
        if let Some(score) = reverse_futility(node) {
            return Ok(Some(score));
        }
        if let Some(score) = self.razoring(position, node)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(position, node)? {
            return Ok(Some(score));
        }
        self.probcut(position, node)
    }

    /// ProbCut: if a good capture beats beta by a margin in a shallower search, the full search
    /// will beat beta (Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta
    /// Algorithm", 1995).
    fn probcut(&mut self, position: &Position, node: &NodeState) -> Result<Option<Score>, Stopped> {
        let NodeArgs {
            ply,
            depth,
            window,
            cut_node,
            ..
        } = node.args;
        let margin =
            params::probcut_margin() - params::probcut_improving() * i32::from(node.improving);
        let raised = window.beta + margin;
        let Some(static_eval) = node.static_eval else {
            return Ok(None);
        };
        // An entry of similar depth with a score below the raised beta speaks against it, even if
        // that is only a lower bound.
        let is_refuted = node.tt_entry.is_some_and(|entry| {
            entry.depth >= depth - params::probcut_tt_depth_margin()
                && entry.score.is_some_and(|(score, _)| score < raised)
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
        while let Some(Picked { mv, .. }) = picker.next(position, self.histories, self.shared.tt) {
            let mut next = *position;
            self.make(&mut next, mv, ply);
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

    /// Razoring: far below alpha only captures could help, so the quiescence search decides.
    fn razoring(
        &mut self,
        position: &Position,
        node: &NodeState,
    ) -> Result<Option<Score>, Stopped> {
        let args = node.args;
        let margin = params::razor_margin() + params::razor_per_ply() * args.depth;
        if args.depth > params::razor_depth()
            || node.tt_eval + margin > args.window.alpha
            || args.window.alpha.is_decisive()
        {
            return Ok(None);
        }
        let window = Window::null_at(args.window.alpha);
        self.quiescence::<NonPvNode>(position, args.ply, window, true)
            .map(Some)
    }

    /// Null move pruning: if passing the move still beats beta in a shallower search, a move will.
    ///
    /// This fails in zugzwang. So it needs pieces besides pawns, and at high depth a second search,
    /// without a null move in its first plies, has to confirm it. That is a weak test where the
    /// evaluation is far above beta, because reverse futility may answer it at once; without any
    /// second search nothing was lost in games.
    fn null_move(
        &mut self,
        position: &Position,
        node: &NodeState,
    ) -> Result<Option<Score>, Stopped> {
        let args = node.args;
        let beta = args.window.beta;
        let just_passed = self.stack.before(args.ply, 1).played.is_none();
        if args.depth < params::null_move_depth()
            || node.tt_eval < beta
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

        let mut next = *position;
        self.make_null(&mut next, args.ply);
        let score =
            -self.negamax::<NonPvNode>(&next, args.child(depth, args.window, !args.cut_node))?;
        self.undo();
        if score < beta {
            return Ok(None);
        }
        // A mate found after passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if args.depth < params::null_move_verification_depth() || self.null_move_from_ply > 0 {
            return Ok(Some(score));
        }

        // With the built-in parameters `depth` is at least 1 here.
        let plies = params::null_move_verification_share() * depth.max(1) / 100;
        self.null_move_from_ply = args.ply + plies as usize + 1;
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

    /// Decides whether to search a move, once another has been found that does not lose by force.
    pub(super) fn prune_move(
        &self,
        position: &Position,
        node: &NodeState,
        context: &MoveContext,
    ) -> MovePruning {
        let depth = node.args.depth;
        if context.quiet {
            // Depth to which the move would probably be reduced.
            let reduced_depth = (self.shared.lmr_table.reduced_depth(depth, context.number)
                + context.history / params::reduced_depth_history_divisor())
            .clamp(0, depth);
            let threshold = params::see_quiet_per_ply() * reduced_depth.max(1);
            let attacked = self.stack[node.args.ply].threats;
            if history_pruning(depth, context.history)
                || reduced_depth <= params::see_pruning_depth()
                    && !position.quiet_see_at_least(context.mv, threshold, attacked)
            {
                return MovePruning::Skip;
            }
            if late_move_pruning(node, context.number) || futility_pruning(node, reduced_depth) {
                return MovePruning::LastQuiet;
            }
        } else if context.bad_noisy && depth <= params::see_pruning_depth() {
            let threshold = params::see_noisy_per_squared_ply() * depth * depth;
            if !position.see_at_least(context.mv, threshold) {
                return MovePruning::Skip;
            }
        }
        MovePruning::Search
    }
}

// ANCHOR: reverse_futility
/// Reverse futility pruning: the evaluation is so far above beta that the opponent will not catch
/// up in the few plies left.
fn reverse_futility(node: &NodeState) -> Option<Score> {
    let args = node.args;
    let beta = args.window.beta;
    let margin = reverse_futility_margin(args.depth, node.improving, node.correction);
    let prunes = args.depth <= params::reverse_futility_depth()
        && !node.tt_pv
        && node.tt_eval - margin >= beta;
    // A compromise: the evaluation is too optimistic as a bound, beta too weak as a fail-soft
    // score.
    (prunes && !node.tt_eval.is_win())
        .then(|| beta + (node.tt_eval - beta) * params::reverse_futility_blend() / 100)
}

/// Margin of reverse futility pruning in centipawns. It grows faster than the depth: a ply near the
/// leaves rarely wins much, and many plies may win a piece.
fn reverse_futility_margin(depth: i32, improving: bool, correction: i32) -> i32 {
    let at_depth = |depth: i32| {
        params::reverse_futility_per_squared_ply() * depth * depth
            + params::reverse_futility_per_ply() * depth
    };
    let margin = at_depth(depth);
    let last_ply = margin - at_depth(depth - 1);
    // Improving makes beta likelier; a large correction makes the evaluation less sure.
    margin - i32::from(improving) * last_ply * params::reverse_futility_improving() / 100
        + correction.abs() * params::reverse_futility_correction() / 100
}
// ANCHOR_END: reverse_futility

/// History pruning: near the leaves, skips a quiet move with a bad history. The greater the depth,
/// the worse it has to be.
fn history_pruning(depth: i32, history: i32) -> bool {
    history < params::history_pruning_per_ply() * depth && depth <= params::history_pruning_depth()
}

// ANCHOR: late_move_pruning
/// Late move pruning (LMP): at low depth, skips the quiet moves late in the order.
fn late_move_pruning(node: &NodeState, number: usize) -> bool {
    let depth = node.args.depth;
    let limit = params::lmp_base() + params::lmp_per_squared_ply() * depth * depth / 100;
    let percent = if node.improving {
        100
    } else {
        params::lmp_not_improving()
    };
    number as i32 >= limit * percent / 100
}
// ANCHOR_END: late_move_pruning

/// Futility pruning: the evaluation is so far below alpha that a quiet move will not raise it in
/// the few plies left.
fn futility_pruning(node: &NodeState, reduced_depth: i32) -> bool {
    let margin = params::futility_margin() + params::futility_per_ply() * reduced_depth;
    !node.in_check
        && reduced_depth <= params::futility_depth()
        && node.tt_eval + margin <= node.args.window.alpha
}
