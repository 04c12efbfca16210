//! Jobs for a searcher: jobs go in, events come out.
//!
//! The searcher has a thread of its own. So the thread that talks to the user never waits for a
//! search, and the search never waits for the user. Jobs run one after another. Each event carries
//! the number of its search, so that stale events can be dropped. A host without threads, such as a
//! browser, calls the [`JobRunner`] itself.

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
    let runner = JobRunner::new(hash_mib)?;
    new_thread()
        .name("search".to_owned())
        .spawn(move || serve(runner, &jobs, &events))
}

fn serve(mut runner: JobRunner, jobs: &Receiver<Job>, mut events: &Sender<Event>) {
    for job in jobs {
        runner.run(job, &mut events);
        while runner.is_holding() && !runner.release(&mut events) {
            thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Receives the results of jobs.
pub trait Listener {
    /// Receives an event.
    fn event(&mut self, event: Event);
    /// Called about once a millisecond during a search.
    fn tick(&mut self) {}
}

impl Listener for &Sender<Event> {
    fn event(&mut self, event: Event) {
        // Without a receiver, no one wants the event.
        let _ = self.send(event);
    }
}

/// Runs jobs for one searcher.
pub struct JobRunner {
    searcher: Searcher,
    held: Option<HeldAnswer>,
}

/// The answer of a search that has ended before it may answer: an infinite one before the stop, or
/// one on the opponent's time before the ponderhit.
struct HeldAnswer {
    id: SearchId,
    answer: Answer,
    infinite: bool,
    token: StopToken,
}

impl JobRunner {
    /// A runner of jobs with a new searcher.
    ///
    /// # Errors
    /// If the system refuses the memory of a table of `hash_mib` MiB.
    pub fn new(hash_mib: usize) -> io::Result<Self> {
        Ok(Self {
            searcher: Searcher::new(hash_mib)?,
            held: None,
        })
    }

    /// Runs a job on the calling thread, which must come from [`new_thread`] or have a stack as
    /// large. Its answer may be held back: see [`Self::release`].
    pub fn run(&mut self, job: Job, listener: &mut impl Listener) {
        if let Some(event) = self.result(job, listener) {
            listener.event(event);
        }
    }

    /// Whether the answer of the last search is held back.
    #[must_use]
    pub fn is_holding(&self) -> bool {
        self.held.is_some()
    }

    /// Sends the answer held back, if the search has been stopped or may answer now. Returns
    /// whether it was sent.
    pub fn release(&mut self, listener: &mut impl Listener) -> bool {
        let may_answer = |held: &mut HeldAnswer| {
            held.token.is_stopped() || !held.infinite && held.token.has_ponderhit()
        };
        let Some(held) = self.held.take_if(may_answer) else {
            return false;
        };
        listener.event(Event::Done(held.id, held.answer));
        true
    }

    /// Runs a job and returns its last event.
    fn result(&mut self, job: Job, listener: &mut impl Listener) -> Option<Event> {
        let searcher = &mut self.searcher;
        match job {
            Job::Search { id, request, token } => {
                let answer = searcher.search(&request, &token, &mut |info| match info {
                    Info::Line(report) => listener.event(Event::Info(id, report)),
                    Info::CurrentMove(current) => listener.event(Event::CurrentMove(id, current)),
                    Info::Tick => listener.tick(),
                });
                let infinite = request.limits.infinite;
                if infinite || request.limits.ponder {
                    self.held = Some(HeldAnswer {
                        id,
                        answer,
                        infinite,
                        token,
                    });
                    self.release(listener);
                    return None;
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
                    listener.event(Event::PerftMove(id, mv, nodes));
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
