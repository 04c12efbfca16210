//! What a worker reports, and when: a line after each iteration and with the answer; bounds and root moves in long searches
//! only.

use super::report::{Bound, CurrentMove, Report};
use super::worker::Worker;
use crate::types::{Move, Score};

/// Bounds are reported once a search has taken this many nodes.
const BOUNDS_FROM_NODES: u64 = 3_000_000;

impl Worker<'_> {
    /// Reports the line of that rank after an iteration.
    pub(super) fn report_line(&mut self, line: usize) {
        let score = self.root_moves.get(line).map(|root| root.score);
        self.report_score(line, score.unwrap_or_default(), Bound::Exact);
    }

    /// Reports that the aspiration window was too narrow.
    pub(super) fn report_failure(&mut self, bound: Bound) {
        let line = self.root_moves.line();
        if self.nodes > BOUNDS_FROM_NODES
            && self.lines() == 1
            && let Some(root) = self.root_moves.get(line)
        {
            let is_known = root.score != -Score::INFINITE;
            let score = if is_known {
                root.score
            } else {
                root.previous_score
            };
            self.report_score(line, score, bound);
        }
    }

    /// Reports which root move is being searched, with its number in the current line, from 1.
    pub(super) fn report_root_move(&mut self, mv: Move, number: usize) {
        let nodes = self.all_nodes();
        let time = self.time.elapsed(nodes);
        if self.reporter.wants_root_move(time) {
            self.reporter.root_move(CurrentMove {
                depth: self.depth as u32,
                mv,
                number: self.root_moves.line() + number,
                total: self.root_moves.len(),
                nodes,
                time,
            });
        }
    }

    fn report_score(&mut self, line: usize, score: Score, bound: Bound) {
        let Some(root) = self.root_moves.get(line) else {
            return;
        };
        let score = self.root_moves.proven(score);
        let report = self.line_report(line, score, bound, root.selective_depth, root.pv.clone());
        self.reporter.line(report);
    }

    /// A report of the line of that rank.
    pub(super) fn line_report(
        &self,
        line: usize,
        score: Score,
        bound: Bound,
        selective_depth: usize,
        pv: Vec<Move>,
    ) -> Report {
        let nodes = self.all_nodes();
        Report {
            depth: self.depth as u32,
            selective_depth: selective_depth as u32,
            multi_pv: line + 1,
            score,
            bound,
            nodes,
            time: self.time.elapsed(nodes),
            tablebase_hits: self.all_tablebase_hits(),
            hashfull: self.tt.hashfull(),
            pv,
        }
    }
}
