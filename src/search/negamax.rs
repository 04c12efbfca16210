//! Negamax: fail-soft principal variation search (PVS).
//!
//! Every score is from the view of the side to move, so one function serves both sides. The first
//! move of a node is searched with the full window. All others are searched with a null window,
//! which costs far less, and again only if they beat alpha (Marsland and Campbell, "Parallel Search
//! of Strongly Ordered Game Trees", 1982). Fail-soft: a score outside the window is returned as it
//! is, and is a tighter bound than the window's.
//!
//! A node takes these steps; the numbers appear in the code:
//!
//! 1. Horizon: [`quiescence`](super::quiescence) at depth 0, a check extension in check.
//! 2. Draws, maximum ply, upcoming repetition, mate distance pruning ([`draw`](super::draw)).
//! 3. Transposition table cutoff ([`tt`](super::tt)).
//! 4. Tablebases ([`syzygy_probe`](super::syzygy_probe)).
//! 5. Static evaluation, improving, history of the previous move.
//! 6. Pruning of the whole node ([`prune`](super::prune)).
//! 7. Internal iterative reduction.
//! 8. For each move, in the order of [`picker`](super::picker):
//!    1. pruning of the move ([`prune`](super::prune)),
//!    2. singular extension and multicut for the TT move ([`extend`](super::extend)),
//!    3. late move reduction and principal variation search ([`lmr`](super::lmr)),
//!    4. a new best move: alpha, PV, cutoff and histories.
//! 9. Mate or stalemate, without a legal move.
//! 10. Correction history, history of the previous move, transposition table.

use super::control::Stopped;
use super::extend::Singular;
use super::history::HistoryContext;
use super::node::{
    MoveContext, Node, NodeArgs, NodeResult, NodeState, NonPvNode, Window, tt_adjusted_eval,
    tt_cutoff,
};
use super::params;
use super::picker::{MovePicker, Picked, QuietOrder, Stage};
use super::prune::MovePruning;
use super::report::Bound;
use super::root_moves::RootMoveResult;
use super::stack::PlayedMove;
use super::syzygy_probe::bound_with_tables;
use super::tt::TtEntry;
use super::worker::{Worker, corrected_eval};
use crate::board::{MoveList, Position};
use crate::types::{Move, Score};
use std::ops::ControlFlow;

impl Worker<'_> {
    /// Searches a position and returns its fail-soft score.
    pub(super) fn negamax<N: Node>(
        &mut self,
        position: &Position,
        mut args: NodeArgs,
    ) -> Result<Score, Stopped> {
        // Step 1: horizon. In check the evasions are searched first (check extension).
        if args.depth <= 0 {
            if !position.in_check() {
                return self.quiescence::<N::Next>(position, args.ply, args.window, true);
            }
            args.depth = 1;
        }
        self.enter(args.ply)?;

        // Step 2: draws, maximum ply, mate distance pruning.
        if !N::ROOT {
            if let Some(score) = self.draw_or_max_ply(position, args.ply) {
                return Ok(score);
            }
            if args.window.alpha < Score::DRAW && self.has_upcoming_repetition(position, args.ply) {
                args.window.alpha = Score::DRAW;
                if args.window.alpha >= args.window.beta {
                    return Ok(Score::DRAW);
                }
            }
            if let Some(score) = mate_distance_pruning(&mut args) {
                return Ok(score);
            }
        }

        // Steps 3 and 4: transposition table and tablebases, not in a singular search.
        let tt_entry = self.tt_probe(position, args.ply);
        let is_singular_search = args.excluded.is_some();
        let mut tablebase_bounds = Window::OPEN;
        if !is_singular_search {
            if !N::PV
                && let Some(entry) = tt_entry
                && self.allows_tt_cutoff(position, &entry, &args)
                && let Some(score) = tt_cutoff(&entry, args.window)
            {
                return Ok(score);
            }
            tablebase_bounds = match self.probe_syzygy::<N>(position, &mut args) {
                ControlFlow::Break(score) => return Ok(score),
                ControlFlow::Continue(bounds) => bounds,
            };
        }

        // Step 5: static evaluation.
        let mut node = self.prepare_node::<N>(position, args, tt_entry);

        // Step 6: pruning of the whole node.
        if !N::PV
            && let Some(score) = self.prune_node(position, &node)?
        {
            return Ok(score);
        }

        // Step 7: internal iterative reduction.
        if internal_iterative_reduction::<N>(&node) {
            node.args.depth -= 1;
        }

        // Step 8: the moves.
        let mut result = self.search_moves::<N>(position, node)?;
        if result.multicut {
            return Ok(result.score);
        }
        if is_singular_search {
            return Ok(if result.score == -Score::INFINITE {
                // The excluded move is the only legal one.
                node.args.window.alpha
            } else {
                // The distance below alpha decides how far the move is extended.
                result.score
            });
        }

        // Step 9: mate or stalemate.
        if result.score == -Score::INFINITE {
            return Ok(if node.in_check {
                Score::mated_in(node.args.ply)
            } else {
                Score::DRAW
            });
        }

        // Step 10: corrections, histories, transposition table.
        result.score = result
            .score
            .clamp(tablebase_bounds.alpha, tablebase_bounds.beta);
        // At the root, the second and later lines leave out the best moves, and `searchmoves` may
        // leave out others. The score of the rest is not that of the position.
        let has_all_moves = !N::ROOT
            || self.root_moves.pv_index() == 0 && self.shared.request.limits.searchmoves.is_empty();
        if has_all_moves {
            let bound = bound_with_tables(result.score, node.args.window, tablebase_bounds);
            self.update_corrections(position, &node, &result, bound);
            self.update_prior_move(&node, bound);
            self.store_node(position, &node, &result, bound);
        }
        Ok(result.score)
    }

    /// Whether an entry may cut a non-PV node off: it is deep enough, and the halfmove clock is low
    /// enough for scores found at another clock.
    #[inline]
    fn allows_tt_cutoff(&self, position: &Position, entry: &TtEntry, args: &NodeArgs) -> bool {
        entry.depth >= args.depth && self.rule50(position) < params::tt_cutoff_rule50() as u32
    }

    /// Evaluates the node and gathers what is known before a move is tried. Stores the evaluation
    /// in the table and on the stack, and updates the eval-difference history.
    fn prepare_node<N: Node>(
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
            correction: 0,
            improving: false,
            noisy_tt_move: false,
        };
        if !in_check {
            let raw = self.raw_eval(position, tt_entry);
            let correction = self.correction(position, args.ply);
            let static_eval = corrected_eval(raw, position, correction);
            if tt_entry.is_none() {
                // Saves the next visit the evaluation, even if this one ends without a score.
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
            node.correction = correction;
            node.tt_eval =
                tt_entry.map_or(static_eval, |entry| tt_adjusted_eval(&entry, static_eval));
            // If the side was in check two plies ago, that entry has no evaluation.
            let eval_before = |plies| self.stack.before(args.ply, plies).static_eval;
            let before = eval_before(2).or(eval_before(4));
            node.improving = before.is_some_and(|before| static_eval > before);
            if args.excluded.is_none() {
                self.update_eval_difference(args.ply, static_eval);
            }
        }
        self.stack[args.ply].static_eval = node.static_eval;
        self.stack[args.ply + 2].cutoffs = 0;
        node
    }

    /// Eval-difference history: gives the previous quiet move a bonus by how much the static
    /// evaluation has gained through it. Every visit counts, so a move that is searched again at
    /// the next depth gets the bonus again, as it does for a cutoff (giving it once only: -2 ± 11
    /// Elo).
    #[inline]
    fn update_eval_difference(&mut self, ply: usize, static_eval: Score) {
        let before = self.stack.before(ply, 1);
        if let Some(PlayedMove {
            mv,
            moved,
            quiet: true,
        }) = before.played
            && let Some(eval_before) = before.static_eval
        {
            let gain = -(eval_before + static_eval.0).0 + params::eval_difference_offset();
            let limit = params::eval_difference_max();
            let bonus = params::eval_difference_weight() * gain.clamp(-limit, limit);
            let threats = before.threats;
            self.histories
                .update_butterfly(mv, moved.piece.color(), threats, bonus);
        }
    }

    /// Searches the moves in order until one fails high. It raises alpha in its own copy of the
    /// node; the caller's keeps the window in which the result is a bound.
    fn search_moves<N: Node>(
        &mut self,
        position: &Position,
        mut node: NodeState,
    ) -> Result<NodeResult, Stopped> {
        let ply = node.args.ply;
        let threats = position.threats(!position.side_to_move());
        self.stack[ply].threats = threats.all;
        let history_context = HistoryContext::new(position, threats.all, self.continuations(ply));
        let tt_move = node.tt_move();
        node.noisy_tt_move = tt_move.is_some_and(|mv| position.is_noisy(mv));
        let may_prune = !N::ROOT && position.has_non_pawns(position.side_to_move());
        let order = QuietOrder {
            context: history_context,
            threats,
        };
        let mut picker = MovePicker::all(position, tt_move, order);
        let mut result = NodeResult {
            score: -Score::INFINITE,
            best: None,
            multicut: false,
        };
        let mut tried = MoveList::new();
        let mut number = 0;

        while let Some(picked) = self.next_move::<N>(position, &mut picker, number) {
            let Picked { mv, stage, history } = picked;
            if node.args.excluded == Some(mv) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_root_move(mv, number);
            }
            self.prefetch(position, mv);
            let quiet = !position.is_noisy(mv);
            let mut current = MoveContext {
                mv,
                number,
                quiet,
                bad_noisy: stage == Stage::BadNoisy,
                history: history
                    .unwrap_or_else(|| self.histories.score(position, mv, &history_context)),
                extension: 0,
            };
            // Step 8.1: pruning of the move. While every move loses by force, none is pruned.
            if may_prune && !result.score.is_loss() {
                match self.prune_move(position, &node, &current) {
                    MovePruning::Search => {}
                    MovePruning::LastQuiet => picker.skip_quiets(),
                    MovePruning::Skip => continue,
                }
            }

            // Step 8.2: singular extension.
            if tt_move == Some(mv) {
                match self.singular_extension::<N>(position, &node, mv)? {
                    Singular::Extension(plies) => current.extension = plies,
                    Singular::Multicut(score) => {
                        result.score = score;
                        result.multicut = true;
                        return Ok(result);
                    }
                }
            }

            // Step 8.3: reduction and search.
            let nodes_before = self.nodes;
            let mut next = *position;
            self.make(&mut next, mv, ply);
            // The quiescence search does not see stalemate.
            let is_draw = N::ROOT && node.args.depth <= 1 && next.is_stalemate();
            let score = if is_draw {
                self.pv.clear(ply + 1);
                Score::DRAW
            } else {
                self.search_child::<N>(&next, &node, result.score, &current)?
            };
            self.undo();
            if N::ROOT {
                self.set_root_result(&current, score, node.args.window, self.nodes - nodes_before);
            }

            // Step 8.4: a new best move.
            if score > result.score {
                result.score = score;
                if score > node.args.window.alpha {
                    result.best = Some(mv);
                    if N::PV {
                        self.pv.set(ply, mv);
                    }
                    if score >= node.args.window.beta {
                        self.stack[ply].cutoffs += i32::from(node.args.excluded.is_none());
                        self.update_histories(position, &node, mv, &tried, &history_context);
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

    /// Stores the result of a root move.
    fn set_root_result(&mut self, context: &MoveContext, score: Score, window: Window, nodes: u64) {
        let result = RootMoveResult {
            score,
            bound: window.bound_of(score),
            nodes,
            selective_depth: self.selective_depth,
            pv: self.pv.from(1),
        };
        self.root_moves
            .set_result(context.mv, context.number == 1, &result);
    }

    /// Next move of the node: in the order of the last iteration at the root, else from the picker.
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
            let mv = self.root_moves.nth_of_pv(number);
            return mv.map(|mv| Picked {
                mv,
                stage,
                history: None,
            });
        }
        picker.next(position, self.histories, self.shared.tt)
    }

    // ANCHOR: search_child
    /// Principal variation search of one child. All moves but the first get a null window; late
    /// ones are reduced. A move that beats alpha is searched again, and in a PV node then with the
    /// full window. The second search is a ply deeper if the score is far above the best one, and
    /// a ply shallower if it is hardly above it, so it may repeat the depth of the first; skipping
    /// it then gained nothing.
    fn search_child<N: Node>(
        &mut self,
        next: &Position,
        node: &NodeState,
        best: Score,
        context: &MoveContext,
    ) -> Result<Score, Stopped> {
        let args = &node.args;
        let window = args.window;
        let mut depth = args.depth - 1 + context.extension;
        if context.number == 1 {
            let cut_node = !N::PV && !args.cut_node;
            return Ok(-self.negamax::<N::Next>(next, args.child(depth, window, cut_node))?);
        }
        let null_window = Window::null_at(window.alpha);

        let reduced = if args.depth >= params::lmr_depth()
            && context.number > 1 + usize::from(N::PV)
        {
            let child_cutoffs = self.stack[args.ply + 1].cutoffs;
            let reduction =
                self.shared
                    .lmr_table
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
    // ANCHOR_END: search_child

    /// Gives the move that failed high a bonus, and those tried before it a malus: quiet ones only
    /// if it is quiet too. A move that raised alpha before gets one like the others (without it:
    /// -5 ± 11 Elo).
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
        self.histories.update(position, best, context, bonus);
        for &mv in tried {
            if best_is_quiet || position.is_noisy(mv) {
                self.histories.update(position, mv, context, -malus);
            }
        }
    }

    /// Updates the correction histories by the difference between score and static evaluation,
    /// unless the best move is a capture or promotion, the score is decisive, or it is a bound from
    /// which the true value may lie on the other side of the evaluation.
    fn update_corrections(
        &mut self,
        position: &Position,
        node: &NodeState,
        result: &NodeResult,
        bound: Bound,
    ) {
        let NodeArgs { ply, depth, .. } = node.args;
        if let Some(static_eval) = node.static_eval
            && !result.best.is_some_and(|mv| position.is_noisy(mv))
            && !(bound == Bound::Lower && result.score <= static_eval)
            && !(bound == Bound::Upper && result.score >= static_eval)
            && !result.score.is_decisive()
        {
            let moves = self.continuations(ply);
            let max = params::correction_max_difference();
            let difference = (result.score - static_eval).clamp(-max, max);
            self.histories
                .correction
                .update(position, moves, difference, depth);
        }
    }

    /// Gives the quiet move before a fail low a bonus. That move fails high at the parent,
    /// which rewards it again in `update_histories`; only its pawn history is updated once. Giving
    /// the bonus at cut and PV nodes only was not measurably better (+9 ± 11 Elo in 1,874 games).
    fn update_prior_move(&mut self, node: &NodeState, bound: Bound) {
        let NodeArgs { ply, depth, .. } = node.args;
        let before = *self.stack.before(ply, 1);
        if bound == Bound::Upper
            && let Some(PlayedMove {
                mv,
                moved,
                quiet: true,
            }) = before.played
        {
            let bonus = (params::prior_move_bonus_per_ply() * depth
                - params::prior_move_bonus_offset())
            .clamp(0, params::prior_move_bonus_max());
            let moves = self.continuations(ply - 1);
            self.histories
                .update_prior(mv, moved, before.threats, moves, bonus);
        }
    }

    fn store_node(&self, position: &Position, node: &NodeState, result: &NodeResult, bound: Bound) {
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

// ANCHOR: mate_distance
/// Mate distance pruning: narrows the window to the scores that a mate from here can still improve.
fn mate_distance_pruning(args: &mut NodeArgs) -> Option<Score> {
    let window = &mut args.window;
    window.alpha = window.alpha.max(Score::mated_in(args.ply));
    window.beta = window.beta.min(Score::mate_in(args.ply + 1));
    (window.alpha >= window.beta).then_some(window.alpha)
}
// ANCHOR_END: mate_distance

/// Depth reduction for the moves after one that raised alpha.
fn raised_alpha_reduction(depth: i32, score: Score) -> i32 {
    let depths = params::raised_alpha_min_depth()..=params::raised_alpha_max_depth();
    if depths.contains(&depth) && !score.is_decisive() {
        params::raised_alpha_reduction()
    } else {
        0
    }
}

/// Internal iterative reduction (IIR): without a TT move the order is poor and a deep search is
/// expensive, so the node is searched a ply less deep.
fn internal_iterative_reduction<N: Node>(node: &NodeState) -> bool {
    !N::ROOT
        && node.tt_move().is_none()
        && node.args.depth >= params::iir_depth()
        && (N::PV || node.args.cut_node)
}
