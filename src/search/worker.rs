//! One search by one worker: deepening, limits, and the line being searched.

use super::clock::Clock;
use super::control::{Counts, StopToken, Stopped};
use super::history::Histories;
use super::limits::{Handicap, Limits};
use super::node::Window;
use super::pv::PvTable;
use super::reduce::Reductions;
use super::report::{Answer, Bound, CurrentMove, Progress, Report};
use super::root::{DrawRules, Root};
use super::stack::{Stack, Step};
use super::tables::{Prober, RootChoice};
use super::tt::{Entry, TranspositionTable};
use crate::board::Position;
use crate::eval::{Evaluator, KNOWN_WIN, Network};
use crate::types::{Key, MAX_PLY, Move, Score};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// Nodes between two looks at the clock and the stop token; well under a millisecond.
const NODES_PER_CHECK: u64 = 512;

/// The first iteration goes on so long, some milliseconds, whatever the clock says: the answer shall not be blind. Where
/// the board is crowded with captures it might go on for hours.
const NODES_OF_FIRST_ITERATION: u64 = 8_192;

/// A move of the root and what became of it.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// In this iteration; minus infinity if it is not known to be better than the first.
    pub(super) score: Score,
    /// What that score says, as the window may have been too narrow for it.
    bound: Bound,
    /// In the last iteration; exact.
    pub(super) previous_score: Score,
    /// Searched below it in all iterations.
    nodes: u64,
    selective_depth: usize,
    /// Begins with the move.
    pv: Vec<Move>,
}

impl RootMove {
    /// What the move is known to be worth: its score of this iteration if that is exact, else that of the last one,
    /// else the bound that is all there is. `None` if it was never better than others.
    fn known_score(&self) -> Option<(Score, Bound)> {
        let candidates = [
            (self.score, self.bound),
            (self.previous_score, Bound::Exact),
        ];
        let known = candidates
            .into_iter()
            .filter(|&(score, _)| score != -Score::INFINITE);
        known.min_by_key(|&(_, bound)| bound != Bound::Exact)
    }

    fn new(mv: Move) -> Self {
        let unknown = -Score::INFINITE;
        Self {
            mv,
            score: unknown,
            bound: Bound::Exact,
            previous_score: unknown,
            nodes: 0,
            selective_depth: 0,
            pv: vec![mv],
        }
    }
}

/// What all workers of a search have in common.
pub(super) struct Common<'a> {
    pub(super) tt: &'a TranspositionTable,
    pub(super) reductions: &'a Reductions,
    pub(super) network: &'a Network,
    pub(super) root: &'a Root,
    /// The moves of the root.
    pub(super) choice: &'a RootChoice<'a>,
    pub(super) counts: &'a Counts,
}

/// What one worker has come to.
#[derive(Debug, Clone)]
pub(super) struct Finish {
    pub(super) answer: Answer,
    /// The line of the answer.
    pub(super) line: Report,
}

/// One search under way.
pub(super) struct Worker<'a> {
    /// 0 for the main worker.
    index: usize,
    tt: &'a TranspositionTable,
    counts: &'a Counts,
    pub(super) histories: &'a mut Histories,
    pub(super) reductions: &'a Reductions,
    report: &'a mut dyn FnMut(Progress),
    limits: &'a Limits,
    token: &'a StopToken,
    /// Until the ponderhit no limit counts.
    pondering: bool,
    clock: Clock,
    pub(super) root: Position,
    pub(super) draw_rules: DrawRules,
    pub(super) root_moves: Vec<RootMove>,
    /// What the tablebases say that each of them comes to.
    root_score: Option<Score>,
    /// The tablebases to ask below the root.
    pub(super) prober: Option<Prober<'a>>,
    /// The rank of the line being searched, from 0: the root moves before it are settled.
    pub(super) line: usize,
    /// The present iteration.
    depth: i32,
    completed_depth: i32,
    /// The score of the first line, as it was last reported.
    told: Option<(Option<Move>, Score)>,
    /// When it was last told which root move is looked at.
    told_move: Duration,
    selective_depth: usize,
    pub(super) nodes: u64,
    /// Answers of the tablebases.
    pub(super) tablebase_hits: u64,
    /// When to look at the limits again.
    next_check: u64,
    /// No null moves before this ply, while one is being verified.
    pub(super) null_move_from_ply: usize,
    evaluator: Evaluator<'a>,
    /// The keys of the positions before the present one, the game's included.
    pub(super) keys: Vec<Key>,
    pub(super) stack: Stack,
    pub(super) pv: PvTable,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        index: usize,
        common: &Common<'a>,
        histories: &'a mut Histories,
        limits: &'a Limits,
        token: &'a StopToken,
        report: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let Root { position, earlier } = common.root;
        let choice = common.choice;
        let mut stack = Stack::new();
        stack[0].reversible = earlier.len().min(position.halfmove_clock() as usize);
        Self {
            index,
            tt: common.tt,
            counts: common.counts,
            histories,
            reductions: common.reductions,
            report,
            limits,
            token,
            pondering: token.is_pondering(),
            clock: Clock::start(limits),
            root: *position,
            draw_rules: DrawRules::new(common.root, limits.claims),
            root_moves: choice.moves.iter().copied().map(RootMove::new).collect(),
            root_score: choice.score,
            prober: choice.prober,
            line: 0,
            depth: 0,
            completed_depth: 0,
            told: None,
            // Nothing in the first tenth of a second.
            told_move: Duration::from_millis(50),
            selective_depth: 0,
            nodes: 0,
            // The root's own are counted once.
            tablebase_hits: if index == 0 { choice.hits } else { 0 },
            next_check: 0,
            null_move_from_ply: 0,
            evaluator: Evaluator::new(common.network, position),
            keys: earlier.clone(),
            stack,
            pv: PvTable::new(),
        }
    }
}

impl Worker<'_> {
    /// Iterative deepening: each iteration is cheap for the order that the one before has found.
    pub(super) fn deepen(mut self) -> Finish {
        let deepest = self.limits.depth.map_or(MAX_PLY as i32 - 1, |depth| {
            depth.clamp(1, MAX_PLY as u32 - 1) as i32
        });
        if !self.root_moves.is_empty() {
            while self.depth < deepest {
                self.depth += 1;
                let best_before = self.root_moves[0].mv;
                if self.iterate().is_err() {
                    break;
                }
                self.completed_depth = self.depth;
                if self.is_settled(best_before) {
                    break;
                }
            }
        }
        self.note_counts();
        if let Some(handicap) = self.limits.handicap {
            self.misjudge(handicap);
        }
        self.finish()
    }

    /// Chooses among the lines with errors of judgement; a proven win is seen for what it is.
    fn misjudge(&mut self, handicap: Handicap) {
        let lines = self.lines();
        let mut random = ChaCha8Rng::seed_from_u64(handicap.seed);
        let mut misjudged = |root: &RootMove| {
            let (score, _) = root.known_score()?;
            if score.is_win() {
                return Some(i64::from(score.0) << 32);
            }
            // The sum of twelve draws has a spread of their range.
            let error: i32 = (0..12)
                .map(|_| random.random_range(0..=handicap.error))
                .sum();
            Some(i64::from(score.0 + error))
        };
        let judged: Vec<_> = self
            .root_moves
            .iter()
            .take(lines)
            .map(&mut misjudged)
            .collect();
        // The first of equals.
        let choice = (0..judged.len()).rev().max_by_key(|&line| judged[line]);
        if let Some(line) = choice.filter(|&line| line > 0) {
            self.root_moves.swap(0, line);
        }
    }

    /// One iteration over all lines wanted.
    fn iterate(&mut self) -> Result<(), Stopped> {
        for root in &mut self.root_moves {
            root.previous_score = std::mem::replace(&mut root.score, -Score::INFINITE);
        }
        let lines = self.lines();
        let mut outcome = Ok(());
        for line in 0..lines {
            self.line = line;
            outcome = self.search_root(self.depth);
            if outcome.is_err() {
                break;
            }
        }
        self.line = 0;
        match outcome {
            // A later line may have turned out better than one before it.
            Ok(()) => {
                self.root_moves[..lines].sort_by_key(|root| -root.score);
                (0..lines.min(self.lines_shown())).for_each(|line| {
                    self.report_line(line, self.root_moves[line].score, Bound::Exact)
                });
            }
            // What it had come to is reported with the answer.
            Err(Stopped) => {}
        }
        outcome
    }

    /// How many lines are searched.
    fn lines(&self) -> usize {
        let chosen_from = self.limits.handicap.map_or(1, |_| Handicap::LINES);
        self.lines_shown()
            .max(chosen_from)
            .min(self.root_moves.len())
    }

    /// How many are reported, if there are as many moves.
    fn lines_shown(&self) -> usize {
        self.limits.multi_pv.max(1)
    }

    /// Whether there is no use in another iteration.
    fn is_settled(&mut self, best_before: Move) -> bool {
        let best = &self.root_moves[0];
        let (score, changed) = (best.score, best.mv != best_before);
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
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
        let nodes = self.all_nodes();
        let is_time = self.clock.is_time_to_answer(changed, share, score, nodes);
        is_forced || is_mate || is_time
    }

    /// The answer; reported once more if it is not what was reported last, as after a search that was stopped in the
    /// middle of an iteration.
    fn finish(&mut self) -> Finish {
        let best = self.root_moves.first();
        let known = best.and_then(RootMove::known_score);
        let (score, bound) = known.unwrap_or_else(|| (self.score_without_search(), Bound::Exact));
        let score = self.proven(score);
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
        if self.told != Some((mv, score)) {
            (self.report)(Progress::Line(line.clone()));
        }
        Finish { answer, line }
    }

    /// Where there is nothing to search: mate, or a draw for stalemate.
    fn score_without_search(&self) -> Score {
        if self.root_moves.is_empty() && self.root.in_check() {
            Score::mated_in(0)
        } else {
            Score::DRAW
        }
    }

    /// Reports that the window was too narrow; not worth telling in a short search.
    pub(super) fn report_failure(&mut self, bound: Bound) {
        const WORTH_TELLING: u64 = 3_000_000;
        if self.nodes > WORTH_TELLING && self.lines() == 1 {
            let best = &self.root_moves[self.line];
            let known = best.score != -Score::INFINITE;
            let score = if known {
                best.score
            } else {
                best.previous_score
            };
            self.report_line(self.line, score, bound);
        }
    }

    fn report_line(&mut self, line: usize, score: Score, bound: Bound) {
        let best = &self.root_moves[line];
        let score = self.proven(score);
        if line == 0 {
            self.told = Some((Some(best.mv), score));
        }
        let report = self.line_report(line, score, bound, best.selective_depth, best.pv.clone());
        (self.report)(Progress::Line(report));
    }

    /// Reports which root move is looked at now, the how manieth of its line; not worth telling in a short search, nor
    /// more often than anybody can read.
    pub(super) fn report_root_move(&mut self, mv: Move, number: usize) {
        const BETWEEN: Duration = Duration::from_millis(50);
        let nodes = self.all_nodes();
        let time = self.clock.elapsed(nodes);
        if time >= self.told_move + BETWEEN {
            self.told_move = time;
            (self.report)(Progress::Move(CurrentMove {
                depth: self.depth as u32,
                mv,
                number: self.line + number,
                total: self.root_moves.len(),
                nodes,
                time,
            }));
        }
    }

    /// What the tablebases say, unless the search has found the mate itself.
    fn proven(&self, score: Score) -> Score {
        self.root_score
            .filter(|_| score.moves_to_mate().is_none())
            .unwrap_or(score)
    }

    fn note_counts(&self) {
        self.counts
            .note(self.index, self.nodes, self.tablebase_hits);
    }

    /// The nodes of all workers.
    fn all_nodes(&self) -> u64 {
        self.nodes + self.counts.nodes_of_others(self.index)
    }

    fn line_report(
        &self,
        line: usize,
        score: Score,
        bound: Bound,
        selective_depth: usize,
        pv: Vec<Move>,
    ) -> Report {
        Report {
            depth: self.depth as u32,
            selective_depth: selective_depth as u32,
            multi_pv: line + 1,
            score,
            bound,
            nodes: self.all_nodes(),
            time: self.clock.elapsed(self.all_nodes()),
            tablebase_hits: self.tablebase_hits + self.counts.hits_of_others(self.index),
            hashfull: self.tt.hashfull(),
            pv,
        }
    }

    /// Puts the best root moves first, and leaves the others in their order.
    pub(super) fn sort_root_moves(&mut self) {
        self.root_moves[self.line..].sort_by_key(|root| -root.score);
    }

    /// Notes what a root move came to. Only the first and those that raise alpha have a score.
    pub(super) fn note_root_move(
        &mut self,
        mv: Move,
        score: Score,
        window: Window,
        number: usize,
        nodes: u64,
    ) {
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        if number == 1 || score > window.alpha {
            root.score = score;
            root.bound = if score >= window.beta {
                Bound::Lower
            } else if score <= window.alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root.selective_depth = self.selective_depth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(self.pv.line(1));
        } else {
            root.score = -Score::INFINITE;
        }
    }

    /// Enters a node: counts it, and stops the search when a limit is reached.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.next_check {
            self.check_limits()?;
        }
        self.nodes += 1;
        self.selective_depth = if ply == 0 {
            0
        } else {
            self.selective_depth.max(ply)
        };
        self.pv.clear(ply);
        Ok(())
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        self.note_counts();
        let others = self.counts.nodes_of_others(self.index);
        let nodes = self.nodes + others;
        if self.pondering && !self.token.is_pondering() {
            self.pondering = false;
            self.clock.ponderhit(nodes);
        }
        let limits = [
            self.limits.nodes,
            self.limits.handicap.map(|handicap| handicap.nodes),
        ];
        let node_limit = limits
            .into_iter()
            .flatten()
            .min()
            .filter(|_| !self.pondering)
            .unwrap_or(u64::MAX)
            .saturating_sub(others);
        let is_late = !self.pondering && self.clock.is_out_of_time(nodes);
        let has_looked = self.completed_depth > 0 || self.nodes >= NODES_OF_FIRST_ITERATION;
        let is_over = has_looked && (self.token.is_stopped() || is_late);
        if self.nodes >= node_limit || is_over {
            return Err(Stopped);
        }
        self.next_check = (self.nodes + NODES_PER_CHECK).min(node_limit);
        Ok(())
    }

    /// Plays a legal move of the position at `ply`.
    #[inline]
    pub(super) fn play(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        self.stack[ply].step = Step::of(position, mv);
        self.keys.push(position.key());
        let next = self.evaluator.play(position, mv);
        self.tt.prefetch(next.key());
        let reversible = if next.halfmove_clock() == 0 {
            0
        } else {
            self.stack[ply].reversible + 1
        };
        self.stack[ply + 1].reversible = reversible;
        next
    }

    /// Passes the move in the position at `ply`.
    #[inline]
    pub(super) fn play_null(&mut self, position: &Position, ply: usize) -> Position {
        self.stack[ply].step = None;
        self.stack[ply + 1].reversible = 0;
        self.keys.push(position.key());
        let next = self.evaluator.play_null(position);
        self.tt.prefetch(next.key());
        next
    }

    /// Takes back the last move or pass.
    #[inline]
    pub(super) fn take_back(&mut self) {
        self.keys.pop();
        self.evaluator.take_back();
    }

    /// The evaluation, from the table if it is there.
    #[inline]
    pub(super) fn raw_eval(&mut self, position: &Position, entry: Option<Entry>) -> Score {
        entry
            .and_then(|entry| entry.static_eval)
            .unwrap_or_else(|| self.evaluator.evaluate(position))
    }

    /// What the table knows, with distances to mate from the root.
    #[inline]
    pub(super) fn probe(&self, position: &Position, key: Key, ply: usize) -> Option<Entry> {
        let mut entry = self.tt.probe(key)?;
        entry.score = entry.score.map(|(score, bound)| {
            (
                score.relative_to_root(ply, self.rule_clock(position)),
                bound,
            )
        });
        Some(entry)
    }

    /// Keeps what was learned at a ply in the table.
    #[inline]
    pub(super) fn store(&self, key: Key, ply: usize, mut entry: Entry) {
        entry.score = entry
            .score
            .map(|(score, bound)| (score.relative_to_node(ply), bound));
        self.tt.store(key, entry);
    }
}

/// The evaluation faded as the fifty-move rule draws near, so that the search prefers to make progress.
///
/// A known win is not: its evaluation says what progress is, and would be drowned by the fading of what the
/// transposition table holds from earlier moves.
#[inline(always)]
pub(super) fn fade(eval: Score, position: &Position) -> Score {
    if eval.0.abs() >= KNOWN_WIN {
        return eval;
    }
    let clock = position.halfmove_clock().min(100) as i32;
    Score(eval.0 * (200 - clock) / 200)
}
