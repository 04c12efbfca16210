//! The search thread: jobs go in, events come out.
//!
//! The searcher has a thread of its own. So the thread that talks to the user never waits for a
//! search, and the search never waits for the user. Jobs run one after another. Each event carries
//! the number of its search, so that stale events can be dropped. A host without threads, such as a
//! browser, [runs the jobs](Job::run) itself.

use super::bench::{self, BenchSettings};
use super::control::{SearchId, StopToken};
use super::report::{Event, What};
use super::request::SearchRequest;
use super::smp::{Refusal, Searcher, new_thread};
use crate::board::{Position, perft};
use crate::types::Move;
use crossbeam_channel::{Receiver, Sender};
use std::io;
use std::sync::Arc;

/// A job for the search thread.
pub enum Job {
    /// Runs a task.
    Run {
        /// Number of the task, returned with each of its events.
        id: SearchId,
        /// What to do.
        task: Task,
        /// Stops the task.
        token: StopToken,
    },
    /// Changes the searcher between two tasks.
    Configure(Change),
}

/// What a search thread does.
#[derive(Debug, Clone)]
pub enum Task {
    /// Finds a move.
    Search(Box<SearchRequest>),
    /// Counts the leaves of the tree of legal moves.
    Perft {
        /// Root of the tree.
        position: Box<Position>,
        /// Depth of the tree, in plies.
        depth: u32,
    },
    /// Runs the bench, with a searcher of its own and the network of this one.
    Bench(BenchSettings),
}

/// A change of a searcher.
pub type Change = Box<dyn FnOnce(&mut Searcher) -> Result<(), Refusal> + Send>;

/// Starts the search thread. It ends when the sender of jobs is dropped, and then drops `events`.
///
/// # Errors
/// If the system refuses the memory of a table of `hash_mib` MiB or the thread.
pub fn spawn_searcher(
    hash_mib: usize,
    jobs: Receiver<Job>,
    events: Arc<Sender<Event>>,
) -> io::Result<()> {
    let mut searcher = Searcher::new(hash_mib)?;
    let mut report = move |event: Event| {
        if event.what != What::Tick {
            // Without a receiver, no one wants the event.
            let _ = events.send(event);
        }
    };
    let serve = move || {
        for job in jobs {
            job.run(&mut searcher, &mut report);
        }
    };
    new_thread().name("search".to_owned()).spawn(serve)?;
    Ok(())
}

impl Job {
    /// Runs the job on the calling thread, which needs the stack of a search thread, and passes
    /// each event to `report`.
    pub fn run(self, searcher: &mut Searcher, report: &mut dyn FnMut(Event)) {
        let (id, task, token) = match self {
            Self::Run { id, task, token } => (id, task, token),
            Self::Configure(change) => {
                if let Err(refusal) = change(searcher) {
                    report(Event::from(refusal));
                }
                return;
            }
        };
        let mut report = |what| report(Event { id, what });
        let last = match task {
            Task::Search(request) => {
                What::Answer(searcher.run(&request, &token, Some(&mut report)))
            }
            Task::Perft { position, depth } => {
                let count = count(&position, depth, &token, |mv, nodes| {
                    report(What::PerftMove(mv, nodes));
                });
                What::Perft(count)
            }
            Task::Bench(settings) => What::Bench(bench::search_positions(
                settings,
                searcher.network(),
                &token,
            )),
        };
        report(last);
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
