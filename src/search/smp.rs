//! Lazy SMP: several threads search the same position.
//!
//! The workers search the same tree and share only the transposition table. They reach its entries
//! at different times, so they take different paths, and each profits from what the others have
//! stored. At the end they vote. Nothing has to be divided or waited for, so it scales better than
//! splitting the tree (Östensen, "A Complete Chess Engine Parallelized Using Lazy SMP", 2016). Much
//! work is done twice, and a search with several threads is not reproducible.

use super::control::{NodeCounters, StopToken};
use super::deepening::WorkerResult;
use super::history::Histories;
use super::limits::Limits;
use super::lmr::LmrTable;
use super::report::{Answer, Info, Report};
use super::request::{DrawRules, SearchRequest};
use super::settings::SearchSettings;
use super::syzygy_root::RootChoice;
use super::tt::TranspositionTable;
use super::worker::{Shared, ThreadMemory, Worker};
use crate::board::{GamePosition, Position};
use crate::eval::{Network, evaluate};
use crate::tablebase::Tablebase;
use crate::types::Score;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::{io, thread};

/// Maximum number of search threads. WebAssembly has one: threads there need a standard library that
/// stable Rust does not offer.
pub const MAX_THREADS: usize = if cfg!(target_family = "wasm") { 1 } else { 512 };

/// Stack size of a search thread: recursion is deep, with a move list in each frame.
const STACK_BYTES: usize = 64 << 20;

/// A builder of threads with a stack that is large enough for [`Searcher::search`].
pub fn new_thread() -> thread::Builder {
    thread::Builder::new().stack_size(STACK_BYTES)
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
    settings: SearchSettings,
    tt: TranspositionTable,
    lmr_table: LmrTable,
    /// Memory of each worker, the main one first; never empty.
    memories: Vec<ThreadMemory>,
    tablebase: Option<Box<Tablebase>>,
    network: Arc<Network>,
    /// Number of searches so far.
    searches: u64,
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
            settings: SearchSettings::default(),
            tt,
            lmr_table: LmrTable::new(),
            memories: vec![ThreadMemory::new(network.clone())],
            tablebase: None,
            network,
            searches: 0,
        })
    }

    /// Replaces the settings from the next search on.
    pub fn set_settings(&mut self, settings: SearchSettings) {
        self.settings = settings;
    }

    /// Sets the number of workers, at least one.
    ///
    /// # Errors
    /// If the system refuses the memory of the new workers and their stacks; the old ones stay.
    pub fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        let added = threads.saturating_sub(self.memories.len());
        // A failed allocation ends the program, so the memory is reserved and given back first.
        // One block for all would be refused where many of this size are not.
        let mut reserved = vec![Vec::<u8>::new(); added];
        for block in &mut reserved {
            block.try_reserve_exact(STACK_BYTES + ThreadMemory::MAX_BYTES)?;
        }
        drop(reserved);
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
    pub fn resize(&mut self, hash_mib: usize) -> io::Result<()> {
        self.tt = TranspositionTable::new(hash_mib)?;
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
            memory.histories = Histories::new();
        }
    }

    /// Static evaluation of a position, for the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        evaluate(&self.network, position)
    }

    /// Finds a move, on a thread of its own. [`Self::search`] also reports, and can be stopped.
    ///
    /// # Errors
    /// If the system refuses the thread.
    pub fn best_move(
        &mut self,
        root: impl Into<GamePosition>,
        limits: Limits,
    ) -> io::Result<Answer> {
        let request = SearchRequest::new(root, limits);
        let search = || self.search_silently(&request, &StopToken::new());
        thread::scope(|scope| {
            let worker = new_thread().spawn_scoped(scope, search)?;
            Ok(worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    /// Finds a move. Ends when a limit is reached or the token is stopped. Reports each completed
    /// iteration. The calling thread must come from [`new_thread`].
    ///
    /// A search with [`Limits::infinite`] or [`Limits::ponder`] returns early if nothing is left to
    /// search. The caller has to hold the answer back until the stop or the ponderhit.
    pub fn search(
        &mut self,
        request: &SearchRequest,
        token: &StopToken,
        report: &mut dyn FnMut(Info),
    ) -> Answer {
        self.run(request, token, Some(report))
    }

    /// Does the same as [`Self::search`] without reports, which is faster for short searches.
    pub fn search_silently(&mut self, request: &SearchRequest, token: &StopToken) -> Answer {
        self.run(request, token, None)
    }

    fn run(
        &mut self,
        request: &SearchRequest,
        token: &StopToken,
        report: Option<&mut dyn FnMut(Info)>,
    ) -> Answer {
        self.searches += 1;
        self.tt.age();
        #[cfg(feature = "tune")]
        self.lmr_table.follow_parameters();
        let settings = &self.settings;
        let SearchRequest {
            root,
            limits,
            claims,
            started,
            lag,
        } = request;
        let choice = RootChoice::new(
            root,
            &limits.searchmoves,
            self.tablebase.as_deref(),
            settings.probe,
        );
        let handicap = settings.handicap.filter(|_| !limits.is_analysis());
        // A weakened search counts every node, so one worker does it.
        let workers = if handicap.is_some() {
            1
        } else {
            self.memories.len()
        };
        let shared = Shared {
            settings,
            handicap,
            search_number: self.searches,
            started: *started,
            lag: *lag,
            root,
            draw_rules: DrawRules::new(root, *claims),
            reports: report.is_some(),
            choice: &choice,
            tt: &self.tt,
            lmr_table: &self.lmr_table,
            counters: &NodeCounters::new(workers),
        };
        let mut ignore = |_| {};
        let report = report.unwrap_or(&mut ignore);
        let results = search_with_helpers(
            &shared,
            &mut self.memories[..workers],
            limits,
            token,
            report,
        );

        let nodes = results.iter().map(|result| result.answer.nodes).sum();
        // With several lines or a fixed depth, the main worker decides.
        let main_decides = settings.multi_pv > 1 || limits.depth.is_some();
        let chosen = if main_decides { 0 } else { vote(&results) };
        let Some(WorkerResult { answer, line }) = results.into_iter().nth(chosen) else {
            return Answer::default();
        };
        if chosen > 0 {
            report(Info::Line(Report { nodes, ..line }));
        }
        Answer { nodes, ..answer }
    }
}

/// Runs one worker for each of `memories`. Only the main worker has limits; the helpers search
/// until it ends.
fn search_with_helpers(
    shared: &Shared,
    memories: &mut [ThreadMemory],
    limits: &Limits,
    token: &StopToken,
    report: &mut dyn FnMut(Info),
) -> Vec<WorkerResult> {
    let no_limits = Limits::default();
    let main_has_ended = StopToken::new();
    thread::scope(|scope| {
        let mut workers = memories.iter_mut().enumerate();
        let main = workers.next();
        let helpers: Vec<_> = workers
            .filter_map(|(index, memory)| {
                let (limits, token) = (&no_limits, &main_has_ended);
                let search =
                    move || Worker::new(index, shared, memory, limits, token, &mut |_| {}).deepen();
                // If the system refuses a thread, there is one helper less.
                new_thread().spawn_scoped(scope, search).ok()
            })
            .collect();
        let main = main.map(|(index, memory)| {
            Worker::new(index, shared, memory, limits, token, report).deepen()
        });
        main_has_ended.stop();
        main.into_iter()
            .chain(helpers.into_iter().filter_map(|helper| helper.join().ok()))
            .collect()
    })
}

/// Added to each score in the vote, in centipawns, so that the worst one has some weight too.
const VOTE_OFFSET: i32 = 10;

// ANCHOR: vote
/// Index of the worker whose move has the most weight. Deep searches and good scores weigh most,
/// and a proven win beats everything.
fn vote(results: &[WorkerResult]) -> usize {
    let answers = || results.iter().map(|result| &result.answer);
    let min_score = answers()
        .map(|answer| answer.score)
        .min()
        .unwrap_or_default();
    let weight = |answer: &Answer| {
        i64::from(answer.score - min_score + VOTE_OFFSET) * i64::from(answer.depth)
    };
    let votes = |answer: &Answer| {
        answers()
            .filter(|other| other.best == answer.best)
            .map(weight)
            .sum::<i64>()
    };
    let win = |answer: &Answer| answer.score.is_win().then_some(answer.score);
    // Among equals the main worker is chosen.
    (0..results.len())
        .rev()
        .max_by_key(|&index| {
            let answer = &results[index].answer;
            (win(answer), votes(answer), weight(answer))
        })
        .unwrap_or(0)
}
// ANCHOR_END: vote
