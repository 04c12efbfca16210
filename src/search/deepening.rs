//! Iterative deepening: the root is searched to depth 1, 2, 3 and so on until a limit is reached.
//!
//! It costs little, because each iteration is many times as expensive as the one before it, and it gains much: the order of the
//! root moves, the transposition table and the histories that one iteration leaves make the next one cheaper than a
//! direct search of that depth (Slate and Atkin, "Chess 4.5", 1977). And there is an answer at any time.
//!
//! An iteration that is stopped in the middle is not lost: a move that turned out better than the best of the last
//! iteration, its search finished, is the answer. Nothing is known about the moves after it, so a mate that the first of them
//! allows is not told as the score.

use super::control::Stopped;
use super::limits::Handicap;
use super::report::{Answer, Bound, Report};
use super::root_moves::RootMove;
use super::worker::Worker;
use crate::types::{MAX_PLY, Move, Score};

/// What one worker has come to.
#[derive(Debug, Clone)]
pub(super) struct WorkerResult {
    pub(super) answer: Answer,
    /// The line of the answer.
    pub(super) line: Report,
}

impl Worker<'_> {
    /// Searches until a limit is reached.
    pub(super) fn deepen(mut self) -> WorkerResult {
        let deepest = self.limits.depth.map_or(MAX_PLY as i32 - 1, |depth| {
            depth.clamp(1, MAX_PLY as u32 - 1) as i32
        });
        while let Some(best_before) = self.root_moves.best().map(|root| root.mv) {
            if self.depth == deepest {
                break;
            }
            self.depth += 1;
            if self.iterate().is_err() {
                break;
            }
            self.completed_depth = self.depth;
            if self.should_stop(best_before) {
                break;
            }
        }
        self.note_counters();
        if let Some(handicap) = self.limits.settings.handicap {
            let lines = self.lines();
            self.root_moves.misjudge(handicap, lines);
        }
        self.answer()
    }

    /// One iteration over all lines wanted.
    fn iterate(&mut self) -> Result<(), Stopped> {
        self.root_moves.begin_iteration();
        let lines = self.lines();
        let outcome = (0..lines).try_for_each(|line| {
            self.root_moves.set_line(line);
            self.aspiration(self.depth)
        });
        if outcome.is_err() && self.root_moves.line() == 0 {
            self.root_moves.end_stopped_iteration();
        }
        self.root_moves.set_line(0);
        // What an iteration that was stopped had come to is reported with the answer.
        outcome?;
        self.root_moves.sort_lines(lines);
        for line in 0..lines.min(self.lines_shown()) {
            self.report_line(line);
        }
        Ok(())
    }

    /// How many lines are searched.
    pub(super) fn lines(&self) -> usize {
        let chosen_from = self.limits.settings.handicap.map_or(1, Handicap::lines);
        self.lines_shown()
            .max(chosen_from)
            .min(self.root_moves.len())
    }

    /// How many are reported, if there are as many moves.
    fn lines_shown(&self) -> usize {
        self.limits.settings.multi_pv.max(1)
    }

    /// After an iteration: whether another one is not to be begun.
    fn should_stop(&mut self, best_before: Move) -> bool {
        let Some(best) = self.root_moves.best() else {
            return true;
        };
        let (score, changed) = (best.score, best.mv != best_before);
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        self.time.note_iteration(changed, share, score);
        if self.limits.infinite || self.pondering {
            return false;
        }
        let mate = score.moves_to_mate();
        if let (Some(wanted), Some(moves)) = (self.limits.mate, mate)
            && moves.unsigned_abs() <= wanted
        {
            return true;
        }
        if self
            .limits
            .soft_nodes
            .is_some_and(|nodes| self.nodes >= nodes)
        {
            return true;
        }
        if self.limits.clock.is_none() {
            return false;
        }
        // Nothing to choose, or a mate that a full search has looked beyond.
        let is_forced = self.root_moves.len() == 1;
        let is_mate = mate.is_some_and(|moves| self.depth > 2 * moves.abs() + 1);
        let is_time = self.time.is_time_to_answer(self.all_nodes());
        is_forced || is_mate || is_time
    }

    /// The answer; reported once more if it is not what was reported last, as after a search that was stopped in the
    /// middle of an iteration.
    fn answer(&mut self) -> WorkerResult {
        let best = self.root_moves.best();
        let known = best.and_then(RootMove::known_score);
        let (score, bound) = known.unwrap_or_else(|| (self.score_without_search(), Bound::Exact));
        let score = self.root_moves.proven(score);
        let mv = best.map(|root| root.mv);
        let pv = best.map(|root| root.pv.clone()).unwrap_or_default();
        let answer = Answer {
            best: mv,
            ponder: pv.get(1).copied(),
            score,
            depth: self.completed_depth as u32,
            nodes: self.nodes,
        };
        let selective_depth = best.map_or(0, |root| root.selective_depth);
        let line = self.line_report(0, score, bound, selective_depth, pv);
        self.reporter.answer(&line);
        WorkerResult { answer, line }
    }

    /// Where there is nothing to search: mate, or a draw for stalemate.
    fn score_without_search(&self) -> Score {
        if self.root_moves.len() == 0 && self.root.in_check() {
            Score::mated_in(0)
        } else {
            Score::DRAW
        }
    }
}
