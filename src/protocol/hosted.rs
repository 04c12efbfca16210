//! UCI for a host without threads, such as a browser: the caller passes lines, and each call runs
//! the search to its end.
//!
//! A line that arrives during a search cannot be handled then. So the search asks the host about
//! once a millisecond whether such a line has come.

use super::log::Logged;
use super::session::{Flow, Frontend};
use super::uci::Uci;
use crate::engine::Engine;
use crate::search::{Event, Job, Searcher, What};
use crossbeam_channel::Receiver;
use std::io::{self, Write};

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
    jobs: Receiver<Job>,
    searcher: Searcher,
}

impl<W: Write> HostedUci<W> {
    /// A session with default options that prints to `output`.
    ///
    /// # Errors
    /// If the memory of the default hash table is refused.
    pub fn new(output: W) -> io::Result<Self> {
        let (engine, jobs) = Engine::without_thread();
        let searcher = Searcher::new(engine.settings().hash_mib)?;
        Ok(Self {
            uci: Uci::new(engine, Logged::new(output)),
            jobs,
            searcher,
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
        let mut host = Host {
            uci: &mut self.uci,
            poll,
            flow: Ok(Flow::Continue),
        };
        host.handle(|uci| uci.handle_line(line));
        loop {
            // An answer that the line has released comes before the next job.
            if let Ok(event) = host.uci.events().try_recv() {
                host.handle(|uci| uci.handle_event(event));
            } else if let Ok(job) = self.jobs.try_recv() {
                job.run(&mut self.searcher, &mut |event| host.report(event));
            } else {
                return Ok(host.flow? != Flow::Quit);
            }
        }
    }
}

/// Prints the events of a search and asks for new lines.
struct Host<'a, W> {
    uci: &'a mut Uci<W>,
    poll: &'a mut dyn FnMut() -> Option<String>,
    /// What the last call returned, unless an earlier one has ended the session.
    flow: io::Result<Flow>,
}

impl<W: Write> Host<'_, W> {
    fn handle(&mut self, call: impl FnOnce(&mut Uci<W>) -> io::Result<Flow>) {
        if matches!(self.flow, Ok(Flow::Continue)) {
            self.flow = call(self.uci);
        }
    }

    fn report(&mut self, event: Event) {
        if event.what != What::Tick {
            self.handle(|uci| uci.handle_event(event));
        } else if let Some(line) = (self.poll)() {
            self.handle(|uci| uci.handle_line(&line));
        }
    }
}
