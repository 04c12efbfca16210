//! Lazy SMP: several threads search the same position.
//!
//! The workers search the same tree and share only the transposition table. They reach its entries
//! at different times, so they take different paths, and each profits from what the others have
//! stored. At the end they vote. Nothing has to be divided or waited for, so it scales better than
//! splitting the tree (Østensen, "A Complete Chess Engine Parallelized Using Lazy SMP", 2016). Much
//! work is done twice, and a search with several threads is not reproducible.

use super::control::{StopToken, WorkerCounts};
use super::limits::Limits;
use super::lmr::LmrTable;
use super::memory::has_room_for;
use super::report::{Answer, Bound, Progress, Refusal, Report};
use super::request::{DrawRules, SearchRequest};
use super::syzygy_root::RootChoice;
use super::tt::TranspositionTable;
use super::worker::{Shared, ThreadMemory, Worker};
use crate::board::{GamePosition, Position};
use crate::eval::{Network, evaluate};
use crate::tablebase::Tablebase;
use crate::types::Score;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;
use std::{fmt, io, iter, thread};

/// Maximum number of search threads. WebAssembly has one: threads there need a standard library
/// that stable Rust does not offer.
pub const MAX_THREADS: usize = if cfg!(target_family = "wasm") { 1 } else { 512 };

/// Stack size of a search thread: recursion is deep, with a move list in each frame, and frames are
/// three times as large without optimisation.
const STACK_BYTES: usize = if cfg!(unoptimised) { 24 << 20 } else { 8 << 20 };

/// A builder of search threads.
pub(super) fn new_thread() -> thread::Builder {
    thread::Builder::new().stack_size(STACK_BYTES)
}

/// Runs `work` on a thread whose stack is large enough for a search. If it panics, so does the
/// caller.
///
/// # Errors
/// If the system refuses the thread.
pub fn on_thread<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    // A browser has no threads.
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    has_room_for(1, STACK_BYTES)?;
    thread::scope(|scope| Ok(join(new_thread().spawn_scoped(scope, work)?)))
}

/// Runs `work` on each of `items` at once, on threads as [`on_thread`] does, and returns the
/// results in order.
///
/// # Errors
/// If the system refuses a thread. The work of the threads before it is done and lost.
pub fn on_threads<I: Send, T: Send>(
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I) -> T + Sync,
) -> io::Result<Vec<T>> {
    let work = &work;
    let items: Vec<_> = items.into_iter().collect();
    has_room_for(items.len(), STACK_BYTES)?;
    thread::scope(|scope| {
        let threads: Vec<_> = items
            .into_iter()
            .map(|item| new_thread().spawn_scoped(scope, move || work(item)))
            .collect::<io::Result<_>>()?;
        Ok(threads.into_iter().map(join).collect())
    })
}

/// The result of a thread. If it has panicked, so does the caller.
fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Searches one position after another and keeps what helps the next search.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::search::{Limits, Searcher};
/// let mate_in_one = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
/// let mut searcher = Searcher::new(1).unwrap();
/// let answer = searcher.best_move(mate_in_one, Limits::depth(4)).unwrap();
/// assert_eq!(answer.score.moves_to_mate(), Some(1));
/// ```
pub struct Searcher {
    tt: TranspositionTable,
    lmr_table: LmrTable,
    /// Memory of each worker, the main one first; never empty.
    memories: Vec<ThreadMemory>,
    tablebase: Option<Box<Tablebase>>,
    network: Arc<Network>,
    /// Number of searches so far.
    searches: u64,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher")
            .field("threads", &self.threads())
            .finish_non_exhaustive()
    }
}

impl Searcher {
    /// A searcher with one worker and a transposition table of `hash_mib` MiB.
    ///
    /// # Errors
    /// If the system refuses the memory of the table.
    pub fn new(hash_mib: usize) -> io::Result<Self> {
        let tt = TranspositionTable::new(hash_mib)?;
        let network = Network::embedded();
        Ok(Self {
            tt,
            lmr_table: LmrTable::new(),
            memories: vec![ThreadMemory::new(network.clone())],
            tablebase: None,
            network,
            searches: 0,
        })
    }

    /// Sets the number of workers, at least one.
    ///
    /// # Errors
    /// If the system refuses the memory of the new workers and their stacks; the old ones stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Refusal> {
        let kept = self.memories.len();
        let refused = |_| Refusal::Threads {
            wanted: threads,
            kept,
        };
        // One more than the new ones, so that something is left for everything else.
        let added = threads.saturating_sub(kept) + 1;
        has_room_for(added, STACK_BYTES + ThreadMemory::MAX_BYTES).map_err(refused)?;
        let new = || ThreadMemory::new(self.network.clone());
        self.memories.resize_with(threads.max(1), new);
        Ok(())
    }

    /// The number of workers.
    pub fn threads(&self) -> usize {
        self.memories.len()
    }

    /// Resizes the transposition table, which clears it.
    ///
    /// # Errors
    /// If the system refuses the memory; the old table stays.
    pub fn resize(&mut self, hash_mib: usize) -> Result<(), Refusal> {
        let refusal = Refusal::Hash {
            wanted: hash_mib,
            kept: self.hash_mib(),
        };
        let table = TranspositionTable::new(hash_mib).map_err(|_| refusal)?;
        has_room_for(1, STACK_BYTES + ThreadMemory::MAX_BYTES).map_err(|_| refusal)?;
        self.tt = table;
        Ok(())
    }

    /// Size of the transposition table, in MiB.
    pub fn hash_mib(&self) -> usize {
        self.tt.mib()
    }

    /// Replaces the tablebases from the next search on. Clears the transposition table, since it
    /// may hold results of the old ones.
    pub fn set_tablebase(&mut self, tablebase: Option<Box<Tablebase>>) {
        self.tablebase = tablebase;
        self.clear_hash();
    }

    /// The network that evaluates.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Replaces the network from the next search on. Clears all tables.
    pub fn set_network(&mut self, network: Arc<Network>) {
        let new = || ThreadMemory::new(network.clone());
        self.memories.fill_with(new);
        self.network = network;
        self.clear_hash();
    }

    /// Clears the transposition table and keeps the histories.
    pub fn clear_hash(&mut self) {
        self.tt.clear(self.memories.len());
    }

    /// Clears all tables, as for a new game.
    pub fn clear(&mut self) {
        self.clear_hash();
        for memory in &mut self.memories {
            memory.histories.clear();
        }
    }

    /// Static evaluation of a position, for the side to move, in centipawns of the network (see
    /// [`Score`]). For many positions, an [`Evaluator`](crate::eval::Evaluator) is faster.
    pub fn evaluate(&self, position: &Position) -> Score {
        evaluate(&self.network, position)
    }

    /// Finds a move. Needs a limit, because nothing can stop it. [`Self::search`] also reports, and
    /// can be stopped.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn best_move(
        &mut self,
        root: impl Into<GamePosition>,
        limits: Limits,
    ) -> io::Result<Answer> {
        self.search_silently(&SearchRequest::new(root, limits))
    }

    /// Finds a move, on a thread of its own. Ends when a limit is reached or the token of the
    /// request is stopped. Reports each completed iteration.
    ///
    /// A search with [`Limits::infinite`] or [`Limits::ponder`] returns early if nothing is left to
    /// search. The caller has to hold the answer back until the stop or the ponderhit.
    ///
    /// # Errors
    /// If the system refuses the thread.
    pub fn search(
        &mut self,
        request: &SearchRequest,
        report: &mut (dyn FnMut(Progress) + Send),
    ) -> io::Result<Answer> {
        on_thread(|| self.run(request, Some(report)))
    }

    /// Does the same as [`Self::search`] without reports, which is faster for short searches.
    ///
    /// # Errors
    /// If the system refuses the thread.
    pub fn search_silently(&mut self, request: &SearchRequest) -> io::Result<Answer> {
        on_thread(|| self.run(request, None))
    }

    /// Does the same as [`Self::search`] on the calling thread, whose stack must be as large as
    /// that of [`on_thread`].
    pub(crate) fn run(
        &mut self,
        request: &SearchRequest,
        report: Option<&mut dyn FnMut(Progress)>,
    ) -> Answer {
        self.searches += 1;
        self.tt.age();
        #[cfg(feature = "tune")]
        self.lmr_table.follow_parameters();
        let SearchRequest {
            root,
            limits,
            settings,
            ..
        } = request;
        let draw_rules = DrawRules::new(root, request.claims);
        let handicap = settings.handicap.filter(|_| !limits.is_analysis());
        let handicap = handicap.map(|handicap| handicap.of_search(&root.position, self.searches));
        // With tablebases, a weakened search would play their endings perfectly.
        let tablebase = self.tablebase.as_deref().filter(|_| handicap.is_none());
        let choice = RootChoice::new(
            root,
            &limits.searchmoves,
            tablebase,
            settings.probe,
            draw_rules,
        );
        // A weakened search counts every node, so one worker does it.
        let workers = if handicap.is_some() {
            1
        } else {
            self.memories.len()
        };
        let shared = Shared {
            request,
            handicap,
            search_number: self.searches,
            draw_rules,
            reports: report.is_some(),
            choice: &choice,
            tt: &self.tt,
            lmr_table: &self.lmr_table,
            counts: &WorkerCounts::new(workers),
        };
        let mut ignore = |_| {};
        let report = report.unwrap_or(&mut ignore);
        let answers = search_with_helpers(&shared, &mut self.memories[..workers], report);

        let nodes = answers.iter().map(|answer| answer.nodes).sum();
        let calls = answers.iter().map(|answer| answer.calls).sum();
        // With several lines or a fixed depth, the main worker decides.
        let main_decides = settings.multi_pv > 1 || limits.depth.is_some();
        let chosen = if main_decides { 0 } else { vote(&answers) };
        let main_line = answers.first().and_then(|main| main.lines.first());
        let main_counts = main_line.map(|line| (line.time, line.hashfull));
        let mut answer = Answer {
            nodes,
            calls,
            ..answers.into_iter().nth(chosen).unwrap_or_default()
        };
        if chosen > 0
            && let (Some((time, hashfull)), Some(line)) = (main_counts, answer.lines.first_mut())
        {
            // A helper's counts are those of another moment, and it does not sample the table.
            *line = Report {
                nodes,
                time,
                tablebase_hits: shared.counts.tablebase_hits(),
                hashfull,
                ..line.clone()
            };
            report(Progress::Line(line.clone()));
        }
        answer
    }
}

/// Stops the helpers even if the main worker panics; the scope would wait for them for ever.
struct StopOnDrop<'a>(&'a StopToken);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs one worker for each of `memories`. Only the main worker has limits; the helpers search
/// until it ends.
fn search_with_helpers(
    shared: &Shared,
    memories: &mut [ThreadMemory],
    report: &mut dyn FnMut(Progress),
) -> Vec<Answer> {
    let [main, helpers @ ..] = memories else {
        return Vec::new();
    };
    let SearchRequest { limits, token, .. } = shared.request;
    let (no_limits, main_has_ended) = (Limits::default(), StopToken::new());
    // If the system refuses memory or a thread, there are fewer helpers.
    let has_room = has_room_for(helpers.len(), STACK_BYTES).is_ok();
    thread::scope(|scope| {
        let stop_helpers = StopOnDrop(&main_has_ended);
        let helpers: Vec<_> = (1..)
            .zip(helpers)
            .filter(|_| has_room)
            .filter_map(|(index, memory)| {
                let (limits, token) = (&no_limits, &main_has_ended);
                let search =
                    move || Worker::new(index, shared, memory, limits, token, &mut |_| {}).deepen();
                new_thread().spawn_scoped(scope, search).ok()
            })
            .collect();
        let main = Worker::new(0, shared, main, limits, token, report).deepen();
        drop(stop_helpers);
        iter::once(main)
            .chain(helpers.into_iter().map(join))
            .collect()
    })
}

/// Added to each score in the vote, in centipawns, so that the worst one has some weight too.
const VOTE_OFFSET: i32 = 10;

// ANCHOR: vote
/// Index of the worker whose move has the most weight. Deep searches and good scores weigh most. A
/// proven result beats everything: first a win, then the shortest loss. A worker without a proof,
/// or with the proof of a longer loss, has not seen as far. Only an exact score proves a loss.
fn vote(answers: &[Answer]) -> usize {
    let scores = answers.iter().map(|answer| answer.score);
    let min_score = scores.min().unwrap_or_default();
    let weight = |answer: &Answer| {
        i64::from(answer.score - min_score + VOTE_OFFSET) * i64::from(answer.depth)
    };
    let votes = |answer: &Answer| {
        let same = answers.iter().filter(|other| other.best == answer.best);
        same.map(weight).sum::<i64>()
    };
    let proof = |answer: &Answer| {
        let is_exact = (answer.lines.first()).is_some_and(|line| line.bound == Bound::Exact);
        let is_proven = answer.score.is_win() || answer.score.is_loss() && is_exact;
        is_proven.then_some((answer.score.is_win(), answer.score.0.abs()))
    };
    // Among equals the main worker is chosen.
    let candidates = answers.iter().enumerate().rev();
    candidates
        .max_by_key(|(_, answer)| (proof(answer), votes(answer), weight(answer)))
        .map_or(0, |(index, _)| index)
}
// ANCHOR_END: vote

#[cfg(test)]
mod tests {
    use super::super::stack_use;
    use super::*;
    use crate::types::MAX_PLY;
    use std::time::Duration;

    /// The other size is tested by `CARGO_PROFILE_TEST_OPT_LEVEL=0 cargo test --lib deepest_line`.
    #[test]
    fn the_deepest_line_takes_less_than_half_of_the_stack() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let request = SearchRequest::new(Position::from_fen(fen).unwrap(), Limits::depth(9));
        let bytes_per_ply = on_thread(|| {
            let mut searcher = Searcher::new(4).unwrap();
            searcher.run(&request, None);
            stack_use::bytes_per_ply()
        });
        let deepest = bytes_per_ply.unwrap() * MAX_PLY;
        assert!(deepest > 100_000, "{deepest}");
        assert!(deepest < STACK_BYTES / 2, "{deepest}");
    }

    /// A worker that has not seen the mate has a far better score.
    #[test]
    fn a_proven_loss_is_not_outvoted() {
        let answer = |score, depth| Answer {
            score,
            depth,
            lines: vec![Report {
                depth,
                selective_depth: depth,
                multi_pv: 1,
                score,
                bound: Bound::Exact,
                is_known: false,
                nodes: 0,
                time: Duration::ZERO,
                tablebase_hits: 0,
                hashfull: 0,
                pv: Vec::new(),
            }],
            ..Answer::default()
        };
        let (lost, blind) = (Score::mated_in(6), Score(-2_701));
        for (scores, chosen) in [
            ([(lost, 8), (blind, 2)], 0),
            ([(blind, 20), (lost, 8)], 1),
            ([(Score::mated_in(10), 20), (lost, 8)], 1),
            ([(lost, 8), (Score::mate_in(9), 3)], 1),
            ([(Score(20), 10), (Score(30), 12)], 1),
        ] {
            let answers = scores.map(|(score, depth)| answer(score, depth));
            assert_eq!(vote(&answers), chosen, "{scores:?}");
        }
    }

    #[test]
    #[should_panic(expected = "of the work")]
    fn a_panic_on_another_thread_is_passed_on() {
        let _ = on_threads([1, 2], |number| assert_ne!(number, 2, "of the work"));
    }
}
