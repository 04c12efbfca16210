//! A searcher on a thread of its own: jobs go in, events come out.
//!
//! The thread that talks to the user never waits for a search, and the search never waits for the
//! user. Jobs run one after another. Each event carries the number of its search, so that stale
//! events can be dropped.

use super::bench::{self, BenchError, BenchResult, BenchSettings};
use super::control::{SearchId, StopToken};
use super::report::{Answer, CurrentMove, Info, Report};
use super::request::SearchRequest;
use super::settings::SearchSettings;
use super::smp::{Searcher, new_thread};
use crate::board::{Position, perft};
use crate::eval::Network;
use crate::tablebase::Tablebase;
use crate::types::Move;
use crossbeam_channel::{Receiver, Sender};
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

/// A job for the search thread.
#[derive(Debug)]
pub enum Job {
    /// Finds a move.
    Search {
        /// Number of the search, returned with each of its events.
        id: SearchId,
        /// What to search.
        request: Box<SearchRequest>,
        /// Stops the search.
        token: StopToken,
    },
    /// Counts the leaves of the tree of legal moves.
    Perft {
        /// Number of the count, returned with each of its events.
        id: SearchId,
        /// Root of the tree.
        position: Position,
        /// Depth of the tree, in plies.
        depth: u32,
        /// Stops the count.
        token: StopToken,
    },
    /// Runs the bench with a searcher of its own.
    Bench {
        /// Number of the bench, returned with its result.
        id: SearchId,
        /// How to search the positions.
        settings: BenchSettings,
        /// Network to evaluate with.
        network: Arc<Network>,
        /// Stops the bench.
        token: StopToken,
    },
    /// Sends an answer that needs no search, in its turn.
    Answer {
        /// Number of the search, returned with the answer.
        id: SearchId,
        /// The answer.
        answer: Answer,
    },
    /// Clears all tables.
    NewGame,
    /// Clears the transposition table.
    ClearHash,
    /// Resizes the transposition table, in MiB.
    Resize(usize),
    /// Sets the number of workers.
    Threads(usize),
    /// Replaces the settings.
    Settings(SearchSettings),
    /// Replaces the tablebases.
    Tablebase(Option<Box<Tablebase>>),
    /// Replaces the network.
    Network(Arc<Network>),
    /// Sends `()` once all jobs before it are done.
    Ready(Sender<()>),
}

/// A result from the search thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A line and its score.
    Info(SearchId, Report),
    /// The root move being searched.
    CurrentMove(SearchId, CurrentMove),
    /// The answer of a search.
    Done(SearchId, Answer),
    /// Number of leaves below a root move.
    PerftMove(SearchId, Move, u64),
    /// Total number of leaves; `None` if the count was stopped.
    PerftDone(SearchId, Option<u64>),
    /// The result of a bench.
    BenchDone(SearchId, Result<BenchResult, BenchError>),
    /// Not enough memory for `wanted` workers. The old number, `kept`, stays.
    NoThreads {
        /// Number requested.
        wanted: usize,
        /// Number kept.
        kept: usize,
    },
    /// Not enough memory for a transposition table of `wanted` MiB. The old one of `kept` MiB
    /// stays.
    NoMemory {
        /// Size requested, in MiB.
        wanted: usize,
        /// Size kept, in MiB.
        kept: usize,
    },
}

/// How often a finished search that may not answer yet checks its token.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Starts the thread. It ends when the sender of jobs is dropped.
///
/// # Errors
/// If the system refuses the memory of the table or the thread.
pub fn spawn_searcher(
    hash_mib: usize,
    jobs: Receiver<Job>,
    events: Sender<Event>,
) -> io::Result<thread::JoinHandle<()>> {
    let searcher = Searcher::new(hash_mib)?;
    new_thread()
        .name("search".to_owned())
        .spawn(move || serve(searcher, &jobs, &events))
}

fn serve(mut searcher: Searcher, jobs: &Receiver<Job>, events: &Sender<Event>) {
    for job in jobs {
        let event = run(job, &mut searcher, events);
        // Without a receiver of events the thread has nothing left to do.
        if event.is_some_and(|event| events.send(event).is_err()) {
            return;
        }
    }
}

/// Runs a job and returns its last event.
fn run(job: Job, searcher: &mut Searcher, events: &Sender<Event>) -> Option<Event> {
    match job {
        Job::Search { id, request, token } => {
            let answer = searcher.search(&request, &token, &mut |info| {
                let _ = events.send(match info {
                    Info::Line(report) => Event::Info(id, report),
                    Info::CurrentMove(current) => Event::CurrentMove(id, current),
                });
            });
            let limits = &request.limits;
            let must_wait = || limits.infinite || limits.ponder && !token.has_ponderhit();
            while must_wait() && !token.is_stopped() {
                thread::sleep(POLL_INTERVAL);
            }
            return Some(Event::Done(id, answer));
        }
        Job::Perft {
            id,
            position,
            depth,
            token,
        } => {
            let total = count(&position, depth, &token, |mv, nodes| {
                let _ = events.send(Event::PerftMove(id, mv, nodes));
            });
            return Some(Event::PerftDone(id, total));
        }
        Job::Bench {
            id,
            settings,
            network,
            token,
        } => {
            let result = bench::search_positions(settings, network, &token);
            return Some(Event::BenchDone(id, result));
        }
        Job::Answer { id, answer } => return Some(Event::Done(id, answer)),
        Job::Resize(mib) => {
            if searcher.resize(mib).is_err() {
                return Some(Event::NoMemory {
                    wanted: mib,
                    kept: searcher.hash_mib(),
                });
            }
        }
        Job::Ready(ready) => {
            let _ = ready.send(());
        }
        Job::NewGame => searcher.clear(),
        Job::ClearHash => searcher.clear_hash(),
        Job::Threads(threads) => {
            if searcher.set_threads(threads).is_err() {
                return Some(Event::NoThreads {
                    wanted: threads,
                    kept: searcher.threads(),
                });
            }
        }
        Job::Settings(settings) => searcher.set_settings(settings),
        Job::Tablebase(tablebase) => searcher.set_tablebase(tablebase),
        Job::Network(network) => searcher.set_network(network),
    }
    None
}

/// Counts the leaves below each root move; `None` if it was stopped.
fn count(
    position: &Position,
    depth: u32,
    token: &StopToken,
    mut report: impl FnMut(Move, u64),
) -> Option<u64> {
    let Some(below) = depth.checked_sub(1) else {
        return Some(1);
    };
    let mut total = 0;
    for mv in position.legal_moves() {
        let nodes =
            perft::count_while(&position.play_unchecked(mv), below, &|| !token.is_stopped())?;
        report(mv, nodes);
        total += nodes;
    }
    Some(total)
}
