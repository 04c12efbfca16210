//! The tree: fail-soft principal variation search, as a list of steps.
//!
//! Every score is from the view of the side to move, so that one function serves both.

use super::control::Stopped;
use super::node::{Node, NodeState, NonPv, Task, Window, better_estimate, cutoff};
use super::params::{
    HISTORY_BONUS_MAX, HISTORY_BONUS_OFFSET, HISTORY_BONUS_PER_PLY, INTERNAL_REDUCTION_DEPTH,
    REDUCTION_DEEPER_MARGIN,
};
use super::picker::{Hints, Picker, Stage, victim};
use super::prune::{Candidate, Verdict};
use super::reduce::Late;
use super::report::Bound;
use super::stack::Step;
use super::tt::Entry;
use super::worker::{Worker, fade};
use crate::board::{MoveList, Position};
use crate::types::{Key, Move, Score};
use std::ops::ControlFlow;

/// With less than this many half-moves left to a draw by the fifty-move rule, the table's scores are not trusted:
/// they were found with the clock elsewhere.
const TRUSTED_CLOCK: u32 = 90;

/// What the moves of a node came to.
struct Found {
    score: Score,
    /// The move that raised alpha last.
    best: Option<Move>,
}

impl Worker<'_> {
    /// The score of a position, searched to the depth that the task asks for.
    pub(super) fn negamax<N: Node>(
        &mut self,
        position: &Position,
        mut task: Task,
    ) -> Result<Score, Stopped> {
        if task.depth <= 0 {
            if !position.in_check() {
                return self.quiescence::<N::Next>(position, task.ply, task.window);
            }
            // A check must be answered, and the answer seen, before captures alone can tell.
            task.depth = 1;
        }
        self.enter(task.ply)?;
        if !N::ROOT {
            if let Some(score) = self.end_of_line(position, task.ply) {
                return Ok(score);
            }
            if let Some(score) = prune_by_mate_distance(&mut task) {
                return Ok(score);
            }
        }

        let key = position.key();
        let entry = self.probe(position, key, task.ply);
        if !N::PV
            && let Some(entry) = entry
            && entry.depth >= task.depth
            && self.rule_clock(position) < TRUSTED_CLOCK
            && let Some(score) = cutoff(&entry, task.window)
        {
            return Ok(score);
        }

        let possible = match self.ask_tables::<N>(position, key, &mut task) {
            ControlFlow::Break(score) => return Ok(score),
            ControlFlow::Continue(possible) => possible,
        };

        let mut node = self.look_around::<N>(position, task, entry);
        if !N::PV
            && let Some(score) = self.prune_node(position, &node)?
        {
            return Ok(score);
        }
        if needs_internal_reduction::<N>(&node) {
            node.task.depth -= 1;
        }

        let mut found = self.search_moves::<N>(position, &node)?;
        if found.score == -Score::INFINITE {
            // No legal move: mate or stalemate.
            return Ok(if node.in_check {
                Score::mated_in(task.ply)
            } else {
                Score::DRAW
            });
        }
        found.score = found.score.clamp(possible.alpha, possible.beta);
        // At the root of a second or later line the best moves are left out: nothing to remember.
        if !N::ROOT || self.line == 0 {
            self.store_node(key, &node, &found);
        }
        Ok(found.score)
    }

    /// Gathers what the node knows before it tries a move.
    fn look_around<N: Node>(
        &mut self,
        position: &Position,
        task: Task,
        entry: Option<Entry>,
    ) -> NodeState {
        let in_check = position.in_check();
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let mut node = NodeState {
            task,
            in_check,
            entry,
            tt_pv,
            raw_eval: None,
            estimate: Score::DRAW,
            static_eval: None,
            improving: false,
        };
        if !in_check {
            let raw = self.raw_eval(position, entry);
            let eval = fade(raw, position);
            if entry.is_none() {
                // So that the next visit is spared the evaluation even if this one comes to nothing.
                let bare = Entry {
                    mv: None,
                    score: None,
                    static_eval: Some(raw),
                    depth: 0,
                    pv: tt_pv,
                };
                self.store(position.key(), task.ply, bare);
            }
            node.raw_eval = Some(raw);
            node.static_eval = Some(eval);
            node.estimate = entry.map_or(eval, |entry| better_estimate(&entry, eval));
            let before = self.stack.before(task.ply, 2).static_eval;
            node.improving = before.is_some_and(|before| eval > before);
        }
        self.stack[task.ply].static_eval = node.static_eval;
        self.stack[task.ply + 1].killer = None;
        node
    }

    /// Tries the moves in order until one beats beta.
    fn search_moves<N: Node>(
        &mut self,
        position: &Position,
        node: &NodeState,
    ) -> Result<Found, Stopped> {
        let ply = node.task.ply;
        let hints = self.hints(node);
        let noisy_tt_move = hints.tt_move.is_some_and(|mv| position.is_noisy(mv));
        let may_prune = !N::ROOT && position.has_non_pawns(position.side_to_move());
        let mut picker = Picker::all(position, hints);
        let mut window = node.task.window;
        let mut found = Found {
            score: -Score::INFINITE,
            best: None,
        };
        let mut tried = MoveList::new();
        let mut number = 0;

        while let Some((mv, stage)) = self.next_move::<N>(position, &mut picker, number) {
            number += 1;
            if N::ROOT {
                self.report_root_move(mv, number);
            }
            let quiet = !position.is_noisy(mv);
            let history = self.history(position, mv, quiet, &hints);
            // While every move tried leads to mate, none may be left out.
            if may_prune && !found.score.is_loss() {
                let reduced_depth =
                    (node.task.depth - self.reductions.expected(node.task.depth, number)).max(0);
                let candidate = Candidate {
                    mv,
                    stage,
                    number,
                    quiet,
                    history,
                    reduced_depth,
                };
                match self.prune_move(position, node, candidate) {
                    Verdict::Search => {}
                    Verdict::LastQuiet => picker.skip_quiets(),
                    Verdict::Skip => continue,
                }
            }

            let nodes_before = self.nodes;
            let next = self.play(position, mv, ply);
            let gives_check = next.in_check();
            let late = Late {
                number,
                quiet,
                killer: stage == Stage::Killer,
                gives_check,
                history,
                noisy_tt_move,
            };
            let score = self.search_child::<N>(&next, node, window, found.score, late)?;
            self.take_back();
            if N::ROOT {
                self.note_root_move(mv, score, window, number, self.nodes - nodes_before);
            }

            if score > found.score {
                found.score = score;
                if score > window.alpha {
                    found.best = Some(mv);
                    if N::PV {
                        self.pv.set(ply, mv);
                    }
                    if score >= window.beta {
                        self.reward(position, node, mv, &tried, &hints);
                        break;
                    }
                    window.alpha = score;
                }
            }
            tried.push(mv);
        }
        Ok(found)
    }

    /// The next move of the node; at the root in the order of the last iteration, elsewhere from the picker.
    fn next_move<N: Node>(
        &mut self,
        position: &Position,
        picker: &mut Picker,
        number: usize,
    ) -> Option<(Move, Stage)> {
        if N::ROOT {
            let stage = if number == 0 {
                Stage::Table
            } else {
                Stage::Quiet
            };
            return self
                .root_moves
                .get(self.line + number)
                .map(|root| (root.mv, stage));
        }
        picker.next(position, self.histories)
    }

    /// Principal variation search of one child: all but the first are only asked whether they are better than alpha,
    /// late ones less deeply at first, and searched again when they are.
    fn search_child<N: Node>(
        &mut self,
        next: &Position,
        node: &NodeState,
        window: Window,
        best: Score,
        late: Late,
    ) -> Result<Score, Stopped> {
        let task = &node.task;
        let null_window = Window::null_at(window.alpha);
        let mut depth = task.depth - 1;
        if late.number == 1 {
            return if N::PV {
                Ok(-self.negamax::<N::Next>(next, task.child(depth, window, false))?)
            } else {
                Ok(-self.negamax::<NonPv>(next, task.child(depth, null_window, !task.cut_node))?)
            };
        }

        let reduced = if task.depth >= 2 && late.number > 1 + usize::from(N::PV) {
            (depth - self.reductions.of::<N>(node, late)).clamp(1, depth.max(1))
        } else {
            depth
        };
        let is_reduced = reduced < depth;
        let expects_cut = is_reduced || !task.cut_node;
        let mut score =
            -self.negamax::<NonPv>(next, task.child(reduced, null_window, expects_cut))?;
        if score > window.alpha && is_reduced {
            depth += i32::from(score > best + REDUCTION_DEEPER_MARGIN + 2 * depth);
            score = -self.negamax::<NonPv>(next, task.child(depth, null_window, !task.cut_node))?;
        }
        if N::PV && score > window.alpha {
            score = -self.negamax::<N::Next>(next, task.child(depth, window, false))?;
        }
        Ok(score)
    }

    fn hints(&self, node: &NodeState) -> Hints {
        let ply = node.task.ply;
        Hints {
            tt_move: node.entry.and_then(|entry| entry.mv),
            killer: self.stack[ply].killer,
            before: [
                self.stack.before(ply, 1).step,
                self.stack.before(ply, 2).step,
            ],
        }
    }

    fn history(&self, position: &Position, mv: Move, quiet: bool, hints: &Hints) -> i32 {
        match Step::of(position, mv) {
            Some(step) if quiet => {
                self.histories
                    .quiet(position.side_to_move(), mv, step, hints.before)
            }
            Some(step) => self.histories.capture(step, victim(position, mv)),
            None => 0,
        }
    }

    /// Remembers which move refuted the node, and that those tried before it did not.
    fn reward(
        &mut self,
        position: &Position,
        node: &NodeState,
        best: Move,
        tried: &MoveList,
        hints: &Hints,
    ) {
        let bonus =
            (HISTORY_BONUS_PER_PLY * node.task.depth - HISTORY_BONUS_OFFSET).min(HISTORY_BONUS_MAX);
        let best_is_quiet = !position.is_noisy(best);
        if best_is_quiet {
            self.stack[node.task.ply].killer = Some(best);
        }
        self.update_history(position, best, bonus, hints);
        for &mv in tried {
            // That quiet moves failed says nothing when a capture was best.
            if best_is_quiet || position.is_noisy(mv) {
                self.update_history(position, mv, -bonus, hints);
            }
        }
    }

    fn update_history(&mut self, position: &Position, mv: Move, bonus: i32, hints: &Hints) {
        let Some(step) = Step::of(position, mv) else {
            return;
        };
        if position.is_noisy(mv) {
            self.histories
                .update_capture(step, victim(position, mv), bonus);
        } else {
            self.histories
                .update_quiet(position.side_to_move(), mv, step, hints.before, bonus);
        }
    }

    fn store_node(&self, key: Key, node: &NodeState, found: &Found) {
        let bound = if found.score >= node.task.window.beta {
            Bound::Lower
        } else if found.best.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            mv: found.best,
            score: Some((found.score, bound)),
            static_eval: node.raw_eval,
            depth: node.task.depth,
            pv: node.tt_pv,
        };
        self.store(key, node.task.ply, entry);
    }
}

/// Mate distance pruning: a mate longer than one already found changes nothing.
fn prune_by_mate_distance(task: &mut Task) -> Option<Score> {
    let window = &mut task.window;
    window.alpha = window.alpha.max(Score::mated_in(task.ply));
    window.beta = window.beta.min(Score::mate_in(task.ply + 1));
    (window.alpha >= window.beta).then_some(window.alpha)
}

/// Internal iterative reduction: without a move to begin with, a deep search is dear; a shallower one finds it.
fn needs_internal_reduction<N: Node>(node: &NodeState) -> bool {
    let knows_a_move = node.entry.is_some_and(|entry| entry.mv.is_some());
    !N::ROOT
        && !knows_a_move
        && node.task.depth >= INTERNAL_REDUCTION_DEPTH
        && (N::PV || node.task.cut_node)
}
