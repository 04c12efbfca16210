//! The state of one search thread, and what every node does with it: enter, play, undo, evaluate,
//! probe and store.
//!
//! The algorithm is elsewhere: [`deepening`](super::deepening) is its top,
//! [`negamax`](super::negamax) its recursion.

use super::clock::Instant;
use super::control::{StopToken, Stopped, WorkerCounts};
use super::history::{CONTINUATION_PLIES, Continuations, Histories};
use super::limits::Limits;
use super::lmr::LmrTable;
use super::params;
use super::pv::PvTable;
use super::report::{Progress, Reporter};
use super::request::{DrawRules, SearchRequest};
use super::root_moves::RootMoves;
use super::settings::Handicap;
use super::stack::{PlayedMove, Stack};
use super::syzygy_root::RootChoice;
use super::time::TimeManager;
use super::tt::{TranspositionTable, TtEntry};
use crate::board::{GamePosition, Position};
use crate::eval::{Evaluator, KNOWN_WIN, Network};
use crate::types::{FIFTY_MOVES, Key, Move, Score};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of nodes between checks of the clock and the stop token (0.2 to 1 ms).
const NODES_PER_CHECK: u64 = 512;

/// If more time than this passes between two checks, the next one comes after fewer nodes. A system
/// that is slow to hand out the memory of a large table can make a node take milliseconds.
const SLOW_CHECK: Duration = Duration::from_millis(1);

/// Until the first iteration is complete, the clock and a stop are ignored for this many nodes
/// (some milliseconds), so that the answer is not blind. The limit is for boards crowded with
/// captures, where the iteration could take hours.
const NODES_OF_FIRST_ITERATION: u64 = 8_192;

/// What all workers of a search share.
pub(super) struct Shared<'a> {
    pub(super) request: &'a SearchRequest,
    /// Strength limit of this search.
    pub(super) handicap: Option<Handicap>,
    /// Number of this search, from 1.
    pub(super) search_number: u64,
    pub(super) draw_rules: DrawRules,
    /// Whether the main worker reports its progress.
    pub(super) reports: bool,
    pub(super) choice: &'a RootChoice<'a>,
    pub(super) tt: &'a TranspositionTable,
    pub(super) lmr_table: &'a LmrTable,
    pub(super) counts: &'a WorkerCounts,
}

/// The memory of one thread, kept from search to search.
pub(super) struct ThreadMemory {
    pub(super) histories: Histories,
    evaluator: Evaluator,
    stack: Stack,
    pv: PvTable,
    /// Keys of the positions before the present one.
    keys: Vec<Key>,
}

impl ThreadMemory {
    /// More than the memory of one thread takes, in bytes.
    pub(super) const MAX_BYTES: usize = 4 << 20;

    pub(super) fn new(network: Arc<Network>) -> Self {
        Self {
            histories: Histories::new(),
            evaluator: Evaluator::new(network),
            stack: Stack::new(),
            pv: PvTable::new(),
            keys: Vec::new(),
        }
    }

    /// Prepares for a search from `root`. The histories stay.
    fn reset(&mut self, root: &GamePosition) {
        let GamePosition {
            position,
            previous_keys,
            ..
        } = root;
        self.evaluator.reset();
        self.stack.clear();
        self.stack[0].reversible = previous_keys.len().min(position.halfmove_clock() as usize);
        self.keys.clone_from(previous_keys);
    }
}

/// One thread of a search.
pub(super) struct Worker<'a> {
    /// 0 for the main worker.
    index: usize,
    pub(super) shared: &'a Shared<'a>,
    pub(super) limits: &'a Limits,
    pub(super) time: TimeManager,
    token: &'a StopToken,
    /// Waiting for the ponderhit. Only the limits on what the search may see apply: depth and
    /// handicap.
    pub(super) pondering: bool,
    /// Number of nodes at which the limits are checked next.
    next_check: u64,
    nodes_per_check: u64,
    last_check: Instant,

    pub(super) root_moves: RootMoves,
    /// Depth of the present iteration, in plies.
    pub(super) depth: i32,
    pub(super) completed_depth: i32,
    /// Best move and score of the last complete iteration.
    pub(super) last_result: Option<(Move, Score)>,
    pub(super) selective_depth: usize,
    /// Moves made, as other engines count nodes. Null moves are not counted, nor is a node that is
    /// searched again.
    pub(super) nodes: u64,
    /// Calls of the recursion, which take the time.
    pub(super) calls: u64,
    pub(super) tablebase_hits: u64,
    pub(super) reporter: Reporter<'a>,

    evaluator: &'a mut Evaluator,
    pub(super) histories: &'a mut Histories,
    /// Keys of the positions before the present one, including the game.
    pub(super) keys: &'a mut Vec<Key>,
    pub(super) stack: &'a mut Stack,
    pub(super) pv: &'a mut PvTable,
    /// No null move is tried before this ply, while one is being verified.
    pub(super) null_move_from_ply: usize,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        index: usize,
        shared: &'a Shared<'a>,
        memory: &'a mut ThreadMemory,
        limits: &'a Limits,
        token: &'a StopToken,
        listener: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let request = shared.request;
        memory.reset(&request.root);
        let ThreadMemory {
            histories,
            evaluator,
            stack,
            pv,
            keys,
        } = memory;
        Self {
            index,
            shared,
            limits,
            time: TimeManager::start(request.started, limits, request.lag, &request.settings),
            token,
            pondering: limits.ponder,
            next_check: 0,
            nodes_per_check: 1,
            last_check: Instant::now(),
            root_moves: RootMoves::new(shared.choice),
            depth: 0,
            completed_depth: 0,
            last_result: None,
            selective_depth: 0,
            nodes: 0,
            calls: 0,
            // Probes at the root count once.
            tablebase_hits: if index == 0 { shared.choice.hits } else { 0 },
            reporter: Reporter::new(listener),
            evaluator,
            histories,
            keys,
            stack,
            pv,
            null_move_from_ply: 0,
        }
    }
}

impl Worker<'_> {
    /// Whether this is the main worker, which watches the limits and reports.
    pub(super) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Whether this worker reports its progress.
    pub(super) fn reports(&self) -> bool {
        self.shared.reports && self.is_main()
    }

    /// Enters a node: counts the call, and stops the search if a limit is reached.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        #[cfg(test)]
        super::stack_use::note(ply);
        if self.nodes >= self.next_check {
            self.check_limits()?;
        }
        self.calls += 1;
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
        self.publish_counts();
        self.reporter.tick();
        let others = self.shared.counts.nodes_of_others(self.index);
        let nodes = self.nodes + others;
        if self.pondering
            && let Some(hit) = self.token.end_of_pondering()
        {
            self.pondering = false;
            self.limits = hit.limits.as_ref().unwrap_or(self.limits);
            self.time.ponderhit(nodes, hit.at, self.limits);
            // An ordinary search would have ended before this iteration.
            if self.has_enough() {
                return Err(Stopped);
            }
        }
        let node_limit = self.node_limit().saturating_sub(others);
        let is_late = !self.pondering && self.time.is_past_hard_limit(nodes);
        let has_answer = self.completed_depth > 0 || self.nodes >= NODES_OF_FIRST_ITERATION;
        let is_over = has_answer && (self.token.is_stopped() || is_late);
        if self.nodes >= node_limit || is_over {
            return Err(Stopped);
        }
        let now = Instant::now();
        let elapsed = match self.shared.request.settings.node_rate {
            None => now - self.last_check,
            // A clock that counts nodes must not depend on the machine.
            Some(_) => Duration::ZERO,
        };
        self.nodes_per_check = nodes_to_next_check(self.nodes_per_check, elapsed);
        self.last_check = now;
        self.next_check = (self.nodes + self.nodes_per_check).min(node_limit);
        Ok(())
    }

    /// Hard node limit of all workers, of `go` or of the handicap.
    fn node_limit(&self) -> u64 {
        let of_go = self.limits.nodes.filter(|_| !self.pondering);
        let of_handicap = self.shared.handicap.map(|handicap| handicap.nodes);
        let limits = of_go.into_iter().chain(of_handicap);
        limits.min().unwrap_or(u64::MAX)
    }

    /// Publishes the counts of this worker to the others.
    pub(super) fn publish_counts(&self) {
        self.shared
            .counts
            .publish(self.index, self.nodes, self.tablebase_hits);
    }

    /// Nodes of all workers.
    pub(super) fn all_nodes(&self) -> u64 {
        self.nodes + self.shared.counts.nodes_of_others(self.index)
    }

    /// Tablebase hits of all workers.
    pub(super) fn all_tablebase_hits(&self) -> u64 {
        self.tablebase_hits + self.shared.counts.hits_of_others(self.index)
    }

    /// Prefetches the table entry of the position after `mv`: a hint, and a wrong one where the key
    /// depends on the halfmove clock.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: &Position, mv: Move) {
        self.shared.tt.prefetch(position.key_after(mv));
    }

    /// Makes a legal move in the position at `ply`, and counts it.
    #[inline]
    pub(super) fn make(&mut self, position: &mut Position, mv: Move, ply: usize) {
        self.stack[ply].played = Some(PlayedMove::of(position, mv));
        self.nodes += 1;
        self.keys.push(position.key());
        self.evaluator.make(position, mv);
        let reversible = if position.halfmove_clock() == 0 {
            0
        } else {
            self.stack[ply].reversible + 1
        };
        self.stack[ply + 1].reversible = reversible;
    }

    /// Makes a null move in the position at `ply`.
    #[inline]
    pub(super) fn make_null(&mut self, position: &mut Position, ply: usize) {
        self.stack[ply].played = None;
        self.stack[ply + 1].reversible = 0;
        self.keys.push(position.key());
        self.evaluator.make_null(position);
        self.shared.tt.prefetch(tt_key(position));
    }

    /// Undoes the last move or null move.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.keys.pop();
        self.evaluator.undo();
    }

    /// Evaluation of the network, taken from the table entry if it is there.
    #[inline]
    pub(super) fn raw_eval(&mut self, position: &Position, tt_entry: Option<TtEntry>) -> Score {
        tt_entry
            .and_then(|entry| entry.static_eval)
            .unwrap_or_else(|| self.evaluator.evaluate(position))
    }

    /// The evaluation of a position outside the path that is searched, which ends the path.
    pub(super) fn evaluate_outside(&mut self, position: &Position) -> Score {
        self.evaluator.reset();
        self.evaluator.evaluate(position)
    }

    /// The legal move that the transposition table knows for a position.
    pub(super) fn table_move(&self, position: &Position) -> Option<Move> {
        let entry = self.shared.tt.probe(tt_key(position))?;
        entry.mv.filter(|&mv| position.is_legal(mv))
    }

    /// Static evaluation used by the search: scaled by the halfmove clock and corrected by the
    /// correction histories.
    #[inline]
    pub(super) fn static_eval(&self, raw: Score, position: &Position, ply: usize) -> Score {
        corrected_eval(raw, position, self.correction(position, ply))
    }

    /// What the correction histories add to the evaluation, in centipawns.
    #[inline]
    pub(super) fn correction(&self, position: &Position, ply: usize) -> i32 {
        let continuations = self.continuations(ply);
        self.histories
            .correction
            .correction(position, continuations)
    }

    /// Indices of the moves that led to `ply`, for the continuation histories.
    #[inline]
    pub(super) fn continuations(&self, ply: usize) -> Continuations {
        CONTINUATION_PLIES.map(|plies| self.stack.before(ply, plies).continuation())
    }

    /// Entry of the transposition table, with distances to mate counted from the root.
    #[inline]
    pub(super) fn tt_probe(&self, position: &Position, ply: usize) -> Option<TtEntry> {
        let mut entry = self.shared.tt.probe(tt_key(position))?;
        entry.score = entry
            .score
            .map(|(score, bound)| (score.relative_to_root(ply, self.rule50(position)), bound));
        Some(entry)
    }

    /// Stores an entry whose distances to mate count from the root.
    #[inline]
    pub(super) fn tt_store(&self, position: &Position, ply: usize, mut entry: TtEntry) {
        entry.score = entry
            .score
            .map(|(score, bound)| (score.relative_to_node(ply), bound));
        self.shared.tt.store(tt_key(position), entry);
    }
}

/// Number of nodes until the next check, given the number before this one and the time they took.
fn nodes_to_next_check(nodes: u64, elapsed: Duration) -> u64 {
    let nodes = if elapsed < SLOW_CHECK {
        nodes * 2
    } else {
        nodes / 2
    };
    nodes.clamp(1, NODES_PER_CHECK)
}

/// Key for the transposition table. With a high halfmove clock a draw is near, and scores found at
/// another clock may be wrong (the graph history interaction problem). So such a position gets
/// another key for every `STEP` plies.
#[inline(always)]
fn tt_key(position: &Position) -> Key {
    let beyond = position.halfmove_clock() as i32 - params::tt_key_rule50();
    if beyond < 0 {
        return position.key();
    }
    /// Number of plies that share a key.
    const STEP: i32 = 8;
    let bucket = 1 + (beyond / STEP) as u64;
    position.key() ^ Key(bucket.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// An evaluation of the network, scaled by the halfmove clock and corrected. A known win stays.
#[inline]
pub(super) fn corrected_eval(raw: Score, position: &Position, correction: i32) -> Score {
    if raw.0.abs() >= KNOWN_WIN {
        return raw;
    }
    let eval = scale_by_rule50(raw, position).0 + correction;
    Score(eval.clamp(1 - KNOWN_WIN, KNOWN_WIN - 1))
}

/// Scales an evaluation down as the fifty-move rule draws near, to one half at a hundred plies, so
/// that the search makes progress.
///
/// `corrected_eval` does not scale a known win. Its evaluation measures progress towards mate, and
/// the scaling would hide small differences between table entries of different clocks.
#[inline(always)]
fn scale_by_rule50(eval: Score, position: &Position) -> Score {
    let limit = FIFTY_MOVES as i32;
    let rule50 = (position.halfmove_clock() as i32).min(limit);
    Score(eval.0 * (2 * limit - rule50) / (2 * limit))
}

#[cfg(test)]
mod tests {
    use super::super::pv::Line;
    use super::super::stack::StackEntry;
    use super::*;
    use crate::types::MAX_PLY;

    #[test]
    fn the_memory_of_a_thread_fits_its_reserve() {
        let mut memory = ThreadMemory::new(Network::embedded());
        let line = (MAX_PLY + 8) * (size_of::<StackEntry>() + size_of::<Line>());
        // A game without a capture or pawn move for longer than the laws allow.
        let keys = 1_000 * size_of::<Key>();
        let bytes = memory.histories.bytes() + memory.evaluator.bytes() + line + keys;
        assert!(bytes > ThreadMemory::MAX_BYTES / 2, "{bytes}");
        assert!(bytes < ThreadMemory::MAX_BYTES, "{bytes}");
    }

    #[test]
    fn checks_come_more_often_where_nodes_take_long() {
        let of =
            |nodes, milliseconds| nodes_to_next_check(nodes, Duration::from_millis(milliseconds));
        for (nodes, milliseconds, expected) in [
            (1, 0, 2),
            (256, 0, 512),
            (512, 0, 512),
            (512, 7, 256),
            (2, 7, 1),
            (1, 7, 1),
        ] {
            assert_eq!(
                of(nodes, milliseconds),
                expected,
                "{nodes} in {milliseconds} ms"
            );
        }
    }
}
