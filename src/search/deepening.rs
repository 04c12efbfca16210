//! Iterative deepening: searches the root to depth 1, 2, 3 and so on until a limit is reached.
//!
//! On average an iteration takes less than twice as long as the one before, so all the earlier ones
//! together cost more than the last. They gain more than that: root order, transposition table and
//! histories of one iteration make the next one cheaper than a direct search to that depth (Slate
//! and Atkin, "Chess 4.5", 1977). And an answer is ready at any time.
//!
//! A stopped iteration is not lost. If a move was fully searched and beat the previous best, it is
//! the answer. The moves after it were not searched, so a forced loss is not reported as the score.

use super::control::Stopped;
use super::draw::score_after;
use super::limits::Limits;
use super::report::{Answer, Bound, CurrentMove, Report};
use super::root_moves::{BestResult, RootMove};
use super::settings::Handicap;
use super::worker::Worker;
use crate::types::{Move, Score};

/// Bounds are reported only after this many nodes, since short searches have many of them.
const BOUNDS_FROM_NODES: u64 = 3_000_000;

impl Worker<'_> {
    /// Searches until a limit is reached.
    pub(super) fn deepen(mut self) -> Answer {
        while let Some(previous_best) = self.root_moves.best().map(|root| root.mv) {
            if self.depth >= self.max_depth() {
                break;
            }
            self.depth += 1;
            if self.iterate().is_err() {
                break;
            }
            self.completed_depth = self.depth;
            if self.should_stop(previous_best) {
                break;
            }
        }
        self.publish_counts();
        if self.completed_depth == 0 {
            self.estimate_moves_not_searched();
        }
        if let Some(handicap) = self.shared.handicap {
            let root = &self.shared.request.root;
            let lines = self.lines();
            self.root_moves.choose_with_errors(
                &root.position,
                handicap,
                self.shared.search_number,
                lines,
            );
        }
        self.answer()
    }

    /// Depth of the last iteration, in plies.
    fn max_depth(&self) -> i32 {
        let depth = self.limits.depth.unwrap_or(Limits::MAX_DEPTH);
        depth.clamp(1, Limits::MAX_DEPTH) as i32
    }

    /// Runs one iteration over all lines.
    fn iterate(&mut self) -> Result<(), Stopped> {
        self.root_moves.begin_iteration();
        let lines = self.lines();
        let outcome = (0..lines).try_for_each(|pv_index| {
            self.root_moves.set_pv_index(pv_index);
            self.aspiration()
        });
        if outcome.is_err() {
            self.root_moves.end_stopped_iteration();
        }
        self.root_moves.set_pv_index(0);
        // A stopped iteration is reported with the answer.
        outcome?;
        self.root_moves.sort_first(lines);
        if self.reports() {
            for pv_index in 0..lines.min(self.multi_pv()) {
                self.report_line(pv_index);
            }
        }
        Ok(())
    }

    /// Number of lines to search. With a handicap these are the lines to choose among: more would
    /// share its nodes and change its strength.
    pub(super) fn lines(&self) -> usize {
        let lines = (self.shared.handicap).map_or_else(|| self.multi_pv(), Handicap::lines);
        lines.min(self.root_moves.len())
    }

    /// Number of lines to report, if there are as many moves. Helpers search the best line only.
    fn multi_pv(&self) -> usize {
        if self.is_main() {
            self.shared.request.settings.multi_pv.max(1)
        } else {
            1
        }
    }

    /// Decides after an iteration whether to stop. Updates the time manager.
    fn should_stop(&mut self, previous_best: Move) -> bool {
        let Some(best) = self.root_moves.best() else {
            return true;
        };
        let (mv, score) = (best.mv, best.score);
        let share = self.root_moves.share_of_best();
        self.time.update(mv != previous_best, share, score);
        self.last_result = Some((mv, score));
        !self.pondering && self.has_enough()
    }

    /// Whether the result of the last complete iteration is enough for an answer, so that no
    /// further iteration should start.
    pub(super) fn has_enough(&self) -> bool {
        let Some((best, score)) = self.last_result else {
            return false;
        };
        if self.limits.infinite {
            return false;
        }
        let mate = score.moves_to_mate();
        if let (Some(wanted), Some(moves)) = (self.limits.mate, mate)
            && moves.unsigned_abs() <= wanted
        {
            return true;
        }
        let is_noisy = self.shared.request.root.position.is_noisy(best);
        let noisy_limit = self.limits.soft_nodes_if_noisy.filter(|_| is_noisy);
        let soft_limit = noisy_limit.or(self.limits.soft_nodes);
        if soft_limit.is_some_and(|nodes| self.nodes >= nodes) {
            return true;
        }
        if self.limits.clock.is_none() {
            return false;
        }
        let is_forced = self.root_moves.len() == 1;
        // A full search has looked beyond this mate.
        let is_mate = mate.is_some_and(|moves| self.completed_depth > 2 * moves.abs() + 1);
        let is_time = self.time.is_past_soft_limit(self.all_nodes());
        is_forced || is_mate || is_time
    }

    /// Gives the root moves that a stopped first iteration has not reached the value of the
    /// position after them, so that even a search of one node does not play past a mate or a draw.
    fn estimate_moves_not_searched(&mut self) {
        let position = self.shared.request.root.position;
        for mv in self.root_moves.not_searched() {
            let next = position.play_unchecked(mv);
            let score = if self.is_drawn_after_root_move(&next) && !next.is_checkmate() {
                Score::DRAW
            } else {
                score_after(&next, || self.evaluate_outside(&next))
            };
            self.root_moves.set_estimate(mv, score);
        }
        self.root_moves.set_pv_index(0);
        self.root_moves.sort_pv();
    }

    /// Returns the answer. Reports its lines too, unless they were reported last.
    fn answer(&mut self) -> Answer {
        let lines = self.best_lines();
        self.reporter.answer(&lines);
        Answer {
            best: self.root_moves.best().map(|root| root.mv),
            ponder: lines[0].pv.get(1).copied(),
            score: lines[0].score,
            depth: self.completed_depth as u32,
            nodes: self.nodes,
            calls: self.calls,
            lines,
        }
    }

    /// The best lines with what is known best of each. The first is there without a legal move too.
    fn best_lines(&self) -> Vec<Report> {
        let result = |pv_index| {
            let root = self.root_moves.get(pv_index);
            root.and_then(RootMove::best_result)
        };
        let report = |pv_index, result: BestResult| {
            let pv = self.with_reply(result.pv);
            let mut report = self.line_report(pv_index, result.score, result.bound, pv);
            if result.is_of_previous_iteration {
                report.depth = self.completed_depth.max(1) as u32;
            }
            report
        };
        let no_move = || self.line_report(0, self.score_without_moves(), Bound::Exact, Vec::new());
        let first = result(0).map_or_else(no_move, |result| report(0, result));
        let others = (1..self.multi_pv()).map_while(|index| Some(report(index, result(index)?)));
        [first].into_iter().chain(others).collect()
    }

    /// The line, and if it has one move only, because its score is outside the window, the reply
    /// that the transposition table knows. A move that draws the game has none.
    fn with_reply(&self, line: &[Move]) -> Vec<Move> {
        let root = &self.shared.request.root.position;
        let mut line = line.to_vec();
        if let [mv] = *line {
            let next = root.play_unchecked(mv);
            if !self.is_drawn_after_root_move(&next) {
                line.extend(self.table_move(&next));
            }
        }
        line
    }

    /// Score of a root without moves to search: mate, or 0.
    fn score_without_moves(&self) -> Score {
        if self.shared.request.root.position.is_checkmate() {
            Score::mated_in(0)
        } else {
            Score::DRAW
        }
    }

    /// Reports a line, by its index in MultiPV, with what this iteration has found of it.
    fn report_line(&mut self, pv_index: usize) {
        if let Some(root) = self.root_moves.get(pv_index) {
            let report = self.line_report(pv_index, root.score, root.bound, root.pv.clone());
            self.reporter.line(report);
        }
    }

    /// Reports a bound: the score fell outside the aspiration window. In long searches only.
    pub(super) fn report_bound(&mut self) {
        if self.nodes > BOUNDS_FROM_NODES && self.reports() && self.lines() == 1 {
            self.report_line(self.root_moves.pv_index());
        }
    }

    /// Reports the root move being searched; `number` counts from 1 at the present PV index.
    pub(super) fn report_root_move(&mut self, mv: Move, number: usize) {
        if !self.reports() {
            return;
        }
        let nodes = self.all_nodes();
        let time = self.time.elapsed(nodes);
        if self.reporter.wants_root_move(time) {
            self.reporter.root_move(CurrentMove {
                depth: self.depth as u32,
                mv,
                number: self.root_moves.pv_index() + number,
                total: self.root_moves.len(),
                nodes,
                time,
            });
        }
    }

    /// The report of a line, by its index in MultiPV. A score known without search takes the place
    /// of `score`.
    fn line_report(&self, pv_index: usize, score: Score, bound: Bound, pv: Vec<Move>) -> Report {
        let nodes = self.all_nodes();
        let root = self.root_moves.get(pv_index);
        let known = self.root_moves.score_without_search(score);
        let (score, bound) = known.map_or((score, bound), |known| (known, Bound::Exact));
        Report {
            depth: self.depth as u32,
            selective_depth: root.map_or(0, |root| root.selective_depth as u32),
            multi_pv: pv_index + 1,
            score,
            bound,
            is_known: known.is_some(),
            nodes,
            time: self.time.elapsed(nodes),
            tablebase_hits: self.all_tablebase_hits(),
            hashfull: if self.reports() {
                self.shared.tt.hashfull()
            } else {
                0
            },
            pv,
        }
    }
}
