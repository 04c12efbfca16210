//! The search thread: jobs go in, events come out.
//!
//! The searcher has a thread of its own. So the thread that talks to the user never waits for a
//! search, and the search never waits for the user. Jobs run one after another. Each event carries
//! the number of its search, so that stale events can be dropped. A host without threads, such as a
//! browser, [runs the jobs](run_jobs) itself.

use super::bench::{self, BenchSettings};
use super::control::{SearchId, StopToken};
use super::report::{Event, Progress, Refusal, What};
use super::request::SearchRequest;
use super::smp::{Searcher, new_thread};
use crate::board::{Position, perft};
use crate::types::Move;
use crossbeam_channel::{Receiver, Sender};
use std::fmt;
use std::io;
use std::sync::Arc;

/// A job for the search thread. A search, perft or bench has a number, returned with each of its
/// events.
pub enum Job {
    /// Finds a move.
    Search(SearchId, Box<SearchRequest>),
    /// Counts the leaves of the tree of legal moves, `depth` plies deep.
    Perft {
        /// Its number.
        id: SearchId,
        /// Root of the tree.
        position: Box<Position>,
        /// Depth of the tree, in plies.
        depth: u32,
        /// Stops the count.
        token: StopToken,
    },
    /// Runs the bench, with a searcher of its own and the network of this one.
    Bench {
        /// Its number.
        id: SearchId,
        /// How to search.
        settings: BenchSettings,
        /// Stops the bench.
        token: StopToken,
    },
    /// Changes the searcher between two searches.
    Configure(Change),
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Search(..) => "Search",
            Self::Perft { .. } => "Perft",
            Self::Bench { .. } => "Bench",
            Self::Configure(_) => "Configure",
        };
        f.debug_struct(name).finish_non_exhaustive()
    }
}

/// A change of a searcher.
pub type Change = Box<dyn FnOnce(&mut Searcher) -> Result<(), Refusal> + Send>;

/// Starts the search thread. It ends when the sender of jobs is dropped and all jobs are done, and
/// then drops `events`. A search that runs meanwhile needs a stop by its token.
///
/// # Errors
/// If the system refuses the memory of a table of `hash_mib` MiB or the thread.
pub fn spawn_searcher(
    hash_mib: usize,
    jobs: Receiver<Job>,
    events: Arc<Sender<Event>>,
) -> io::Result<()> {
    let mut searcher = Searcher::new(hash_mib)?;
    let work = move || run_jobs(jobs, &mut searcher, &events, &mut || {});
    new_thread().name("search".to_owned()).spawn(work)?;
    Ok(())
}

/// Runs jobs on the calling thread, which needs the stack of a search thread. During a search,
/// calls `tick` about once a millisecond, or more often.
pub(crate) fn run_jobs(
    jobs: impl IntoIterator<Item = Job>,
    searcher: &mut Searcher,
    events: &Sender<Event>,
    tick: &mut dyn FnMut(),
) {
    let send = |id, what| {
        // Without a receiver the event is lost, which does no harm.
        let _ = events.send(Event { id, what });
    };
    for job in jobs {
        match job {
            Job::Search(id, request) => {
                let mut report = |progress| match progress {
                    Progress::Line(line) => send(id, What::Line(line)),
                    Progress::CurrentMove(current) => send(id, What::CurrentMove(current)),
                    Progress::Tick => tick(),
                };
                let answer = searcher.run(&request, Some(&mut report));
                send(id, What::Answer(answer));
            }
            Job::Perft {
                id,
                position,
                depth,
                token,
            } => {
                let report = |mv, nodes| send(id, What::PerftMove(mv, nodes));
                let total = count(&position, depth, &token, report);
                send(id, What::Perft(total));
            }
            Job::Bench {
                id,
                settings,
                token,
            } => {
                let result = bench::search_positions(settings, searcher.network(), &token);
                send(id, What::Bench(result));
            }
            Job::Configure(change) => {
                if let Err(refusal) = change(searcher) {
                    send(SearchId::default(), What::Refused(refusal));
                }
            }
        }
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
