//! UCI for a host without threads, such as a browser: the caller passes lines, and each call runs
//! the search to its end.
//!
//! A line that arrives during a search cannot be handled then. So the search asks the host about
//! once a millisecond, or more often, whether such a line has come.

use super::log::Logged;
use super::session::{Flow, Idle, serve};
use super::uci::Uci;
use crate::engine::Engine;
use crate::search::{Event, Job, Searcher, run_jobs};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// A UCI session without threads.
///
/// ```
/// use tabiya::protocol::HostedUci;
/// let mut output = Vec::new();
/// let mut session = HostedUci::new(&mut output).unwrap();
/// for line in ["uci", "position startpos moves e2e4", "go depth 3"] {
///     session.handle_line(line, &mut || None).unwrap();
/// }
/// drop(session);
/// let output = String::from_utf8(output).unwrap();
/// assert!(output.contains("uciok"));
/// assert!(output.lines().last().unwrap().starts_with("bestmove "));
/// ```
pub struct HostedUci<W> {
    uci: Uci<W>,
    /// Both ends of the channel of lines.
    input: Sender<String>,
    lines: Receiver<String>,
    jobs: Receiver<Job>,
    events: Arc<Sender<Event>>,
    searcher: Searcher,
}

impl<W> fmt::Debug for HostedUci<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostedUci").finish_non_exhaustive()
    }
}

impl<W: Write> HostedUci<W> {
    /// A session with default options that prints to `output`.
    ///
    /// # Errors
    /// If the memory of the default hash table is refused.
    pub fn new(output: W) -> io::Result<Self> {
        let (engine, jobs, events) = Engine::without_thread();
        let (input, lines) = unbounded();
        Ok(Self {
            searcher: Searcher::new(engine.settings().hash_mib)?,
            uci: Uci::new(engine, Logged::new(output)),
            input,
            lines,
            jobs,
            events,
        })
    }

    /// Handles a line and runs its search, if it starts one. During the search, `poll` returns
    /// lines that have arrived since, such as `stop`. Returns whether the session continues.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn handle_line(
        &mut self,
        line: &str,
        poll: &mut dyn FnMut() -> Option<String>,
    ) -> io::Result<bool> {
        let mut flow = Ok(Flow::Continue);
        let mut turn = |line: Option<String>| {
            if let Ok(before) = flow {
                // The receiver is in this session.
                let _ = line.map(|line| self.input.send(line));
                flow = serve(&mut self.uci, before, &self.lines, Idle::Return);
            }
        };
        turn(Some(line.to_owned()));
        while let Ok(job) = self.jobs.try_recv() {
            let mut tick = || turn(poll());
            run_jobs([job], &mut self.searcher, &self.events, &mut tick);
            turn(None);
        }
        Ok(flow? != Flow::Quit)
    }
}
