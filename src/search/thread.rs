//! A searcher on a thread of its own: jobs go in, events come out.
//!
//! The thread that talks to the user never waits for a search, and the search never waits for a user: both sides are channels.
//! Jobs are done one after another; each event carries the number of its search, so that what comes too late is known as such.

use super::control::{SearchId, StopToken};
use super::limits::Limits;
use super::report::{Answer, CurrentMove, Info, Report};
use super::root::Root;
use super::smp::{Searcher, new_thread};
use crate::board::{Position, perft};
use crate::eval::Network;
use crate::tablebase::Tablebase;
use crate::types::Move;
use crossbeam_channel::{Receiver, Sender};
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io, thread};

/// What the thread is asked to do. Jobs are done in order.
#[derive(Debug)]
pub enum Job {
    /// Find a move.
    Search {
        /// Comes back with every event of this search.
        id: SearchId,
        /// Where to search.
        root: Root,
        /// How long.
        limits: Box<Limits>,
        /// Ends it early.
        token: StopToken,
    },
    /// Count the leaves of the tree of legal moves.
    Perft {
        /// Comes back with every event of this count.
        id: SearchId,
        /// Where to count.
        position: Position,
        /// How deep, in plies.
        depth: u32,
        /// Ends it early.
        token: StopToken,
    },
    /// Give an answer that took no search, in its turn.
    Answer {
        /// Comes back with the answer.
        id: SearchId,
        /// What comes back.
        answer: Answer,
    },
    /// Forget everything.
    NewGame,
    /// Forget the transposition table.
    ClearHash,
    /// Change the size of the transposition table, in MiB.
    Resize(usize),
    /// Change the number of workers.
    Threads(usize),
    /// Ask other tablebases, or none.
    Tablebase(Option<Box<Tablebase>>),
    /// Evaluate with another network.
    Network(Arc<Network>),
    /// Say when all that was asked before is done.
    Ready(Sender<()>),
    /// Do something else on this thread, in its turn.
    Work(Work),
}

/// Work that is no search of the thread's own searcher, and the event that it ends with.
pub struct Work(Box<dyn FnOnce() -> Event + Send>);

impl Work {
    /// This work.
    pub fn new(work: impl FnOnce() -> Event + Send + 'static) -> Self {
        Self(Box::new(work))
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Work")
    }
}

/// What the thread has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A search has come further.
    Info(SearchId, Report),
    /// A search looks at a root move.
    CurrentMove(SearchId, CurrentMove),
    /// A search has ended.
    Done(SearchId, Answer),
    /// So many leaves are below a move.
    PerftMove(SearchId, Move, u64),
    /// A count has ended, with so many leaves; with `None` if it was stopped.
    PerftDone(SearchId, Option<u64>),
    /// A bench has ended, with its nodes and the time it took; with `None` if it was stopped, or a sentence if it failed.
    BenchDone(SearchId, Result<Option<(u64, Duration)>, String>),
    /// There is no memory for a transposition table of the size wanted; the old one stays. Both in MiB.
    NoMemory {
        /// The size wanted.
        wanted: usize,
        /// The size kept.
        kept: usize,
    },
}

/// How often a search that has nothing left to do looks whether it may answer.
const IDLE: Duration = Duration::from_millis(1);

/// Starts the thread. It ends when the sender of jobs is dropped.
///
/// # Errors
/// If there is no memory for the table or no thread to be had.
pub fn spawn(
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
        // If nobody listens any more, there is nobody to work for.
        let sent = match job {
            Job::Search {
                id,
                root,
                limits,
                token,
            } => {
                let answer = searcher.search(&root, &limits, &token, &mut |info| {
                    let _ = events.send(match info {
                        Info::Line(report) => Event::Info(id, report),
                        Info::CurrentMove(current) => Event::CurrentMove(id, current),
                    });
                });
                while (limits.infinite || token.is_pondering()) && !token.is_stopped() {
                    thread::sleep(IDLE);
                }
                events.send(Event::Done(id, answer))
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
                events.send(Event::PerftDone(id, total))
            }
            Job::Answer { id, answer } => events.send(Event::Done(id, answer)),
            Job::Work(work) => events.send((work.0)()),
            Job::Ready(ready) => {
                let _ = ready.send(());
                Ok(())
            }
            Job::NewGame => {
                searcher.clear();
                Ok(())
            }
            Job::ClearHash => {
                searcher.clear_hash();
                Ok(())
            }
            Job::Threads(threads) => {
                searcher.set_threads(threads);
                Ok(())
            }
            Job::Tablebase(tablebase) => {
                searcher.set_tablebase(tablebase);
                Ok(())
            }
            Job::Network(network) => {
                searcher.set_network(network);
                Ok(())
            }
            Job::Resize(mib) => match searcher.resize(mib) {
                Ok(()) => Ok(()),
                Err(_) => events.send(Event::NoMemory {
                    wanted: mib,
                    kept: searcher.hash_mib(),
                }),
            },
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Counts leaves move by move; `None` if it was stopped.
fn count(
    position: &Position,
    depth: u32,
    token: &StopToken,
    mut each: impl FnMut(Move, u64),
) -> Option<u64> {
    let Some(below) = depth.checked_sub(1) else {
        return Some(1);
    };
    let mut total = 0;
    for mv in position.legal_moves() {
        let nodes = perft::count_while(&position.play(mv), below, &|| !token.is_stopped())?;
        each(mv, nodes);
        total += nodes;
    }
    Some(total)
}
