//! Negamax: fail-soft principal variation search (PVS), as a list of steps.
//!
//! Every score is from the view of the side to move, so that one function serves both sides. The first move of a node is
//! searched with the whole window; all others are asked with a null window whether they are better, which costs far less,
//! and searched again only if they are (Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982).
//! Fail-soft: a score outside the window is returned as it is, a bound that is tighter than the window's.
//!
//! What makes the tree small stands elsewhere: nodes and moves that are not searched in [`prune`](super::prune), moves that
//! are searched deeper in [`extend`](super::extend) or less deep in [`lmr`](super::lmr), good moves first in
//! [`picker`](super::picker).

use super::control::Stopped;
use super::extend::Singularity;
use super::history::HistoryContext;
use super::node::{
    MoveContext, Node, NodeArgs, NodeResult, NodeState, NonPvNode, Window, tt_adjusted_eval,
    tt_cutoff,
};
use super::params;
use super::picker::{MovePicker, Ordering, Picked, Stage};
use super::prune::Verdict;
use super::report::Bound;
use super::root_moves::RootMoveResult;
use super::tt::TtEntry;
use super::worker::Worker;
use crate::board::{MoveList, Position};
use crate::types::{Move, Score};
use std::ops::ControlFlow;

impl Worker<'_> {
    /// The score of a position, searched as the arguments say.
    pub(super) fn negamax<N: Node>(
        &mut self,
        position: &Position,
        mut args: NodeArgs,
    ) -> Result<Score, Stopped> {
        if args.depth <= 0 {
            if !position.in_check() {
                return self.quiescence::<N::Next>(position, args.ply, args.window, true);
            }
            // Check extension: a check must be answered, and the answer seen, before captures alone can tell.
            args.depth = 1;
        }
        self.enter(args.ply)?;
        if !N::ROOT {
            if let Some(score) = self.draw_or_max_ply(position, args.ply) {
                return Ok(score);
            }
            if args.window.alpha < Score::DRAW && self.can_repeat(position, args.ply) {
                args.window.alpha = Score::DRAW;
                if args.window.alpha >= args.window.beta {
                    return Ok(Score::DRAW);
                }
            }
            if let Some(score) = mate_distance_pruning(&mut args) {
                return Ok(score);
            }
        }

        let tt_entry = self.tt_probe(position, args.ply);
        let is_singular_search = self.stack[args.ply].excluded.is_some();
        let mut tablebase_bounds = Window::OPEN;
        if !is_singular_search {
            if !N::PV
                && let Some(entry) = tt_entry
                && self.may_cut(position, &entry, &args)
                && let Some(score) = tt_cutoff(&entry, args.window)
            {
                return Ok(score);
            }
            tablebase_bounds = match self.probe_syzygy::<N>(position, &mut args) {
                ControlFlow::Break(score) => return Ok(score),
                ControlFlow::Continue(bounds) => bounds,
            };
        }

        let mut node = self.node_state::<N>(position, args, tt_entry);
        if !N::PV
            && let Some(score) = self.prune_node(position, &node)?
        {
            return Ok(score);
        }
        if needs_internal_reduction::<N>(&node) {
            node.args.depth -= 1;
        }

        let mut result = self.search_moves::<N>(position, node)?;
        if result.multicut {
            return Ok(result.score);
        }
        if is_singular_search {
            return Ok(if result.score == -Score::INFINITE {
                // No other legal move at all: nothing comes near.
                args.window.alpha
            } else {
                // How far it stays below alpha says by how much the move is singular.
                result.score
            });
        }
        if result.score == -Score::INFINITE {
            // No legal move: mate or stalemate.
            return Ok(if node.in_check {
                Score::mated_in(args.ply)
            } else {
                Score::DRAW
            });
        }
        result.score = result
            .score
            .clamp(tablebase_bounds.alpha, tablebase_bounds.beta);
        self.learn(position, &node, &result);
        // At the root of a second or later line the best moves are left out: nothing to remember.
        if !N::ROOT || self.root_moves.line() == 0 {
            self.store_node(position, &node, &result);
        }
        Ok(result.score)
    }

    /// Whether a table entry may end the search of a node off the principal variation: it has searched as deep, and rule50 is
    /// not so near its end that scores found elsewhere mislead.
    #[inline]
    fn may_cut(&self, position: &Position, entry: &TtEntry, args: &NodeArgs) -> bool {
        entry.depth >= args.depth && self.rule50(position) < params::tt_cutoff_rule50() as u32
    }

    /// What is known about the node before a move is tried.
    fn node_state<N: Node>(
        &mut self,
        position: &Position,
        args: NodeArgs,
        tt_entry: Option<TtEntry>,
    ) -> NodeState {
        let in_check = position.in_check();
        let tt_pv = N::PV || tt_entry.is_some_and(|entry| entry.pv);
        let mut node = NodeState {
            args,
            in_check,
            tt_entry,
            tt_pv,
            raw_eval: None,
            tt_eval: Score::DRAW,
            static_eval: None,
            excluded: self.stack[args.ply].excluded,
            improving: false,
        };
        if !in_check {
            let raw = self.raw_eval(position, tt_entry);
            let static_eval = self.static_eval(raw, position, args.ply);
            if tt_entry.is_none() {
                // So that the next visit is spared the evaluation even if this one comes to nothing.
                let bare = TtEntry {
                    mv: None,
                    score: None,
                    static_eval: Some(raw),
                    depth: 0,
                    pv: tt_pv,
                };
                self.tt_store(position, args.ply, bare);
            }
            node.raw_eval = Some(raw);
            node.static_eval = Some(static_eval);
            node.tt_eval =
                tt_entry.map_or(static_eval, |entry| tt_adjusted_eval(&entry, static_eval));
            // In check two plies ago there was no evaluation.
            let eval_before = |plies| self.stack.before(args.ply, plies).static_eval;
            let before = eval_before(2).or(eval_before(4));
            node.improving = before.is_some_and(|before| static_eval > before);
            self.learn_from_eval_difference(args.ply, static_eval);
        }
        self.stack[args.ply].static_eval = node.static_eval;
        self.stack[args.ply + 1].killer = None;
        self.stack[args.ply + 2].cutoffs = 0;
        node
    }

    /// Eval-difference history: a quiet move after which the static evaluation is better than before is a good one,
    /// whatever the search will say.
    #[inline]
    fn learn_from_eval_difference(&mut self, ply: usize, static_eval: Score) {
        let before = self.stack.before(ply, 1);
        if let Some(mv) = before.mv
            && let Some(moved) = before.moved
            && let Some(eval_before) = before.static_eval
            && before.quiet
            && self.stack[ply].excluded.is_none()
        {
            let gain = -(eval_before + static_eval.0).0 + params::eval_difference_offset();
            let limit = params::eval_difference_max();
            let bonus = params::eval_difference_weight() * gain.clamp(-limit, limit);
            let threats = before.threats;
            self.histories
                .update_butterfly(mv, moved.piece.color(), threats, bonus);
        }
    }

    /// Tries the moves in order until one fails high.
    fn search_moves<N: Node>(
        &mut self,
        position: &Position,
        mut node: NodeState,
    ) -> Result<NodeResult, Stopped> {
        let ply = node.args.ply;
        let threats = position.threats(!position.side_to_move());
        self.stack[ply].threats = threats.all;
        let histories = HistoryContext::new(position, threats.all, self.continuations(ply));
        let tt_move = node.tt_move();
        let noisy_tt_move = tt_move.is_some_and(|mv| position.is_noisy(mv));
        let may_prune = !N::ROOT && position.has_non_pawns(position.side_to_move());
        let ordering = Ordering {
            tt_move,
            killer: self.stack[ply].killer,
            histories,
            threats,
        };
        let mut picker = MovePicker::all(position, ordering);
        let mut result = NodeResult {
            score: -Score::INFINITE,
            best: None,
            multicut: false,
        };
        let mut tried = MoveList::new();
        let mut number = 0;

        while let Some(picked) = self.next_move::<N>(position, &mut picker, number) {
            let Picked { mv, stage, history } = picked;
            if node.excluded == Some(mv) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_root_move(mv, number);
            }
            self.prefetch(position, mv);
            let quiet = !position.is_noisy(mv);
            let mut context = MoveContext {
                mv,
                number,
                quiet,
                killer: stage == Stage::Killer,
                bad_noisy: stage == Stage::BadNoisy,
                history: history.unwrap_or_else(|| self.histories.score(position, mv, &histories)),
                noisy_tt_move,
                extension: 0,
            };
            // While every move tried leads to mate, none may be left out.
            if may_prune && !result.score.is_loss() {
                match self.prune_move(position, &node, &context) {
                    Verdict::Search => {}
                    Verdict::LastQuiet => picker.skip_quiets(),
                    Verdict::Skip => continue,
                }
            }

            if tt_move == Some(mv) {
                match self.singularity::<N>(position, &node, mv)? {
                    Singularity::Extension(plies) => context.extension = plies,
                    Singularity::Multicut(score) => {
                        result.score = score;
                        result.multicut = true;
                        return Ok(result);
                    }
                }
            }

            let nodes_before = self.nodes;
            let next = self.play(position, mv, ply);
            let score = self.search_child::<N>(&next, &node, result.score, &context)?;
            self.undo();
            if N::ROOT {
                self.note_root_move(&context, score, node.args.window, self.nodes - nodes_before);
            }

            if score > result.score {
                result.score = score;
                if score > node.args.window.alpha {
                    result.best = Some(mv);
                    if N::PV {
                        self.pv.set(ply, mv);
                    }
                    if score >= node.args.window.beta {
                        self.stack[ply].cutoffs += i32::from(node.excluded.is_none());
                        self.update_histories(position, &node, mv, &tried, &histories);
                        break;
                    }
                    node.args.window.alpha = score;
                    node.args.depth -= raised_alpha_reduction(node.args.depth, score);
                }
            }
            tried.push(mv);
        }
        Ok(result)
    }

    /// Notes what a root move came to.
    fn note_root_move(&mut self, context: &MoveContext, score: Score, window: Window, nodes: u64) {
        let result = RootMoveResult {
            score,
            bound: window.bound_of(score),
            nodes,
            selective_depth: self.selective_depth,
            line: self.pv.line(1),
        };
        self.root_moves
            .note(context.mv, context.number == 1, &result);
    }

    /// The next move of the node; at the root in the order of the last iteration, elsewhere from the picker.
    #[inline]
    fn next_move<N: Node>(
        &mut self,
        position: &Position,
        picker: &mut MovePicker,
        number: usize,
    ) -> Option<Picked> {
        if N::ROOT {
            let stage = if number == 0 {
                Stage::TtMove
            } else {
                Stage::Quiet
            };
            let mv = self.root_moves.nth_of_line(number);
            return mv.map(|mv| Picked {
                mv,
                stage,
                history: None,
            });
        }
        picker.next(position, self.histories, self.tt)
    }

    /// Principal variation search of one child: all but the first move are asked with a null window, late ones less deep at
    /// first, and searched again when they are better.
    fn search_child<N: Node>(
        &mut self,
        next: &Position,
        node: &NodeState,
        best: Score,
        context: &MoveContext,
    ) -> Result<Score, Stopped> {
        let args = &node.args;
        let window = args.window;
        let null_window = Window::null_at(window.alpha);
        let mut depth = args.depth - 1 + context.extension;
        if context.number == 1 {
            return if N::PV {
                Ok(-self.negamax::<N::Next>(next, args.child(depth, window, false))?)
            } else {
                Ok(-self
                    .negamax::<NonPvNode>(next, args.child(depth, null_window, !args.cut_node))?)
            };
        }

        let reduced = if args.depth >= 2 && context.number > 1 + usize::from(N::PV) {
            let child_cutoffs = self.stack[args.ply + 1].cutoffs;
            let reduction =
                self.lmr_table
                    .reduction::<N>(node, context, next.in_check(), child_cutoffs);
            (depth - reduction).clamp(1, depth.max(1))
        } else {
            depth
        };
        let is_reduced = reduced < depth;
        let expects_cut = is_reduced || !args.cut_node;
        let mut score =
            -self.negamax::<NonPvNode>(next, args.child(reduced, null_window, expects_cut))?;
        if score > window.alpha && is_reduced {
            let margin = params::lmr_deeper_margin() + params::lmr_deeper_per_ply() * depth;
            depth += i32::from(score > best + margin);
            depth -= i32::from(score < best + params::lmr_shallower_margin());
            score =
                -self.negamax::<NonPvNode>(next, args.child(depth, null_window, !args.cut_node))?;
        }
        if N::PV && score > window.alpha {
            score = -self.negamax::<N::Next>(next, args.child(depth, window, false))?;
        }
        Ok(score)
    }

    /// Remembers which move refuted the node, and that those tried before it did not.
    fn update_histories(
        &mut self,
        position: &Position,
        node: &NodeState,
        best: Move,
        tried: &MoveList,
        context: &HistoryContext,
    ) {
        let depth = node.args.depth;
        let bonus = (params::history_bonus_per_ply() * depth - params::history_bonus_offset())
            .min(params::history_bonus_max());
        let malus = (params::history_malus_per_ply() * depth - params::history_malus_offset())
            .min(params::history_malus_max());
        let best_is_quiet = !position.is_noisy(best);
        if best_is_quiet {
            self.stack[node.args.ply].killer = Some(best);
        }
        self.histories.update(position, best, context, bonus);
        for &mv in tried {
            // That quiet moves failed says nothing when a capture was best.
            if best_is_quiet || position.is_noisy(mv) {
                self.histories.update(position, mv, context, -malus);
            }
        }
    }

    /// Learns from what the whole node came to: how far the static evaluation was off, and that the move before a fail low
    /// was a good one.
    fn learn(&mut self, position: &Position, node: &NodeState, result: &NodeResult) {
        let NodeArgs {
            ply, depth, window, ..
        } = node.args;
        let bound = window.bound_of(result.score);
        if let Some(static_eval) = node.static_eval
            && !result.best.is_some_and(|mv| position.is_noisy(mv))
            && !(bound == Bound::Lower && result.score <= static_eval)
            && !(bound == Bound::Upper && result.score >= static_eval)
            && !result.score.is_decisive()
        {
            let moves = self.continuations(ply);
            let difference = (result.score - static_eval).clamp(-1000, 1000);
            self.histories
                .correction
                .update(position, moves, difference, depth);
        }
        let before = *self.stack.before(ply, 1);
        if ply > 0
            && bound == Bound::Upper
            && before.quiet
            && let (Some(mv), Some(moved)) = (before.mv, before.moved)
        {
            let bonus = (params::prior_move_bonus_per_ply() * depth
                - params::prior_move_bonus_offset())
            .clamp(0, params::prior_move_bonus_max());
            let moves = self.continuations(ply - 1);
            self.histories
                .update_prior(mv, moved, before.threats, moves, bonus);
        }
    }

    fn store_node(&self, position: &Position, node: &NodeState, result: &NodeResult) {
        let bound = if result.score >= node.args.window.beta {
            Bound::Lower
        } else if result.best.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TtEntry {
            mv: result.best,
            score: Some((result.score, bound)),
            static_eval: node.raw_eval,
            depth: node.args.depth,
            pv: node.tt_pv,
        };
        self.tt_store(position, node.args.ply, entry);
    }
}

/// Mate distance pruning: a mate longer than one already found changes nothing.
fn mate_distance_pruning(args: &mut NodeArgs) -> Option<Score> {
    let window = &mut args.window;
    window.alpha = window.alpha.max(Score::mated_in(args.ply));
    window.beta = window.beta.min(Score::mate_in(args.ply + 1));
    (window.alpha >= window.beta).then_some(window.alpha)
}

/// By how much less deep the moves are searched that come after one with this score, which has raised alpha.
fn raised_alpha_reduction(depth: i32, score: Score) -> i32 {
    let depths = params::raised_alpha_min_depth()..=params::raised_alpha_max_depth();
    if depths.contains(&depth) && !score.is_decisive() {
        params::raised_alpha_reduction()
    } else {
        0
    }
}

/// Internal iterative reduction (IIR): without a TT move a deep search is expensive; a shallower one finds it.
fn needs_internal_reduction<N: Node>(node: &NodeState) -> bool {
    !N::ROOT
        && node.tt_move().is_none()
        && node.args.depth >= params::iir_depth()
        && (N::PV || node.args.cut_node)
}
