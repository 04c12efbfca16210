//! Lazy SMP: several threads search one position.
//!
//! All search the same tree and share nothing but the transposition table; because they meet its entries at different
//! times they go different ways, and each profits from what the others have stored. In the end they vote. There is nothing to
//! divide and nobody to wait for, which is why it scales better than schemes that split the tree (Östensen, "A Complete
//! Chess Engine Parallelized Using Lazy SMP", 2016). Much of the work is done twice; and with several threads a search is
//! not the same each time.

use super::control::{NodeCounters, StopToken};
use super::deepening::WorkerResult;
use super::history::Histories;
use super::limits::Limits;
use super::lmr::LmrTable;
use super::report::{Answer, Info, Report};
use super::root::Root;
use super::syzygy_root::RootChoice;
use super::tt::TranspositionTable;
use super::worker::{Shared, Worker};
use crate::eval::Network;
use crate::tablebase::Tablebase;
use std::sync::Arc;
use std::{io, thread};

/// A thread that one can search on: recursion is deep, with a move list in each frame.
pub fn new_thread() -> thread::Builder {
    thread::Builder::new().stack_size(64 << 20)
}

/// Searches one position after another, and keeps what may help the next search.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::search::{Limits, Root, Searcher, StopToken, new_thread};
/// let mate_in_one = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
/// let search = move || {
///     let mut searcher = Searcher::new(1).unwrap();
///     searcher.search(&Root::new(mate_in_one), &Limits::depth(4), &StopToken::new(), &mut |_| {})
/// };
/// let answer = new_thread().spawn(search).unwrap().join().unwrap();
/// assert_eq!(answer.score.moves_to_mate(), Some(1));
/// ```
pub struct Searcher {
    tt: TranspositionTable,
    lmr_table: LmrTable,
    /// Of each worker, the main one first; never empty.
    histories: Vec<Histories>,
    tablebase: Option<Box<Tablebase>>,
    network: Arc<Network>,
}

impl Searcher {
    /// A searcher with one worker and a transposition table of so many MiB.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(hash_mib: usize) -> io::Result<Self> {
        let tt = TranspositionTable::new(hash_mib)?;
        Ok(Self {
            tt,
            lmr_table: LmrTable::new(),
            histories: vec![Histories::new()],
            tablebase: None,
            network: Network::embedded(),
        })
    }

    /// Changes the number of workers; at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.histories.resize_with(threads.max(1), Histories::new);
    }

    /// Changes the size of the table, which forgets everything.
    ///
    /// # Errors
    /// If there is no memory for it; the old table stays.
    pub fn resize(&mut self, hash_mib: usize) -> io::Result<()> {
        self.tt = TranspositionTable::new(hash_mib)?;
        Ok(())
    }

    /// The size of the table, in MiB.
    pub fn hash_mib(&self) -> usize {
        self.tt.mib()
    }

    /// Takes other tablebases, or none, from the next search on.
    pub fn set_tablebase(&mut self, tablebase: Option<Box<Tablebase>>) {
        self.tablebase = tablebase;
        // What the old ones said may be in the table.
        self.tt.clear(self.histories.len());
    }

    /// Evaluates with another network from the next search on. What the old one said is forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.clear();
    }

    /// Forgets the positions, keeps the histories.
    pub fn clear_hash(&mut self) {
        self.tt.clear(self.histories.len());
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        self.tt.clear(self.histories.len());
        self.histories.fill_with(Histories::new);
    }

    /// Finds a move. Ends when a limit is reached or the token says so; reports each finished
    /// iteration.
    ///
    /// With [`Limits::infinite`], and while the token is pondering, it ends early only when there is nothing left to
    /// search; whoever wants to be told later waits.
    pub fn search(
        &mut self,
        root: &Root,
        limits: &Limits,
        token: &StopToken,
        report: &mut dyn FnMut(Info),
    ) -> Answer {
        self.tt.age();
        #[cfg(feature = "tune")]
        self.lmr_table.follow_parameters();
        let Self {
            tt,
            lmr_table,
            histories,
            tablebase,
            network,
        } = self;
        let choice = RootChoice::new(
            root,
            &limits.searchmoves,
            tablebase.as_deref(),
            limits.settings.probe,
        );
        let counters = NodeCounters::new(histories.len());
        let shared = Shared {
            tt,
            lmr_table,
            network,
            root,
            choice: &choice,
            counters: &counters,
        };
        // The main worker watches the limits; the others go on until it has ended.
        let no_limits = Limits {
            infinite: true,
            claims: limits.claims,
            ..Limits::default()
        };
        let main_has_ended = StopToken::new();
        let mut results = thread::scope(|scope| {
            // Of a weakened search every node counts.
            let workers = limits.settings.handicap.map_or(histories.len(), |_| 1);
            let mut workers = histories.iter_mut().take(workers).enumerate();
            let main = workers.next();
            let helpers: Vec<_> = workers
                .filter_map(|(index, histories)| {
                    let (shared, limits, token) = (&shared, &no_limits, &main_has_ended);
                    let search = move || {
                        Worker::new(index, shared, histories, limits, token, &mut |_| {}).deepen()
                    };
                    // Without memory for another thread there is one helper less.
                    new_thread().spawn_scoped(scope, search).ok()
                })
                .collect();
            let main = main.map(|(index, histories)| {
                Worker::new(index, &shared, histories, limits, token, report).deepen()
            });
            main_has_ended.stop();
            main.into_iter()
                .chain(helpers.into_iter().filter_map(|helper| helper.join().ok()))
                .collect::<Vec<_>>()
        });

        let nodes = results.iter().map(|result| result.answer.nodes).sum();
        // Several lines, and a depth that was asked for, are those of the main worker.
        let is_bound = limits.settings.multi_pv > 1 || limits.depth.is_some();
        let chosen = if is_bound { 0 } else { vote(&results) };
        if chosen >= results.len() {
            return Answer::default();
        }
        let WorkerResult { answer, line } = results.swap_remove(chosen);
        if chosen > 0 {
            report(Info::Line(Report { nodes, ..line }));
        }
        Answer { nodes, ..answer }
    }
}

/// The worker whose move has the most weight behind it: deep searches and good scores count most, and a proven win
/// beats everything.
fn vote(results: &[WorkerResult]) -> usize {
    let answers = || results.iter().map(|finish| &finish.answer);
    let least = answers()
        .map(|answer| answer.score)
        .min()
        .unwrap_or_default();
    let weight = |answer: &Answer| i64::from(answer.score - least + 10) * i64::from(answer.depth);
    let votes = |answer: &Answer| {
        answers()
            .filter(|other| other.best == answer.best)
            .map(weight)
            .sum::<i64>()
    };
    let win = |answer: &Answer| answer.score.is_win().then_some(answer.score);
    // The main worker comes first among equals.
    (0..results.len())
        .rev()
        .max_by_key(|&index| {
            let answer = &results[index].answer;
            (win(answer), votes(answer), weight(answer))
        })
        .unwrap_or(0)
}
