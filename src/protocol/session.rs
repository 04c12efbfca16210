//! The one loop of every session: a peer on a pipe, a command from the command line, and a search
//! in the console. A host without threads makes the same calls itself ([`hosted`](super::hosted)).

use crate::search::{Event, Instant, What};
use crate::types::MAX_PLY;
use crossbeam_channel::{Receiver, after, never, select};
use std::io;

/// Whether the session continues after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    /// The peer has changed from XBoard's protocol to UCI.
    SwitchToUci,
    Quit,
}

/// What handles the input lines and search events of a session, and writes its output.
pub(super) trait Frontend {
    /// Handles a line of input.
    fn handle_line(&mut self, line: &str) -> io::Result<Flow>;
    /// Handles the end of the input.
    fn handle_eof(&mut self) -> io::Result<Flow> {
        self.handle_line("quit")
    }
    /// When to call [`Self::handle_deadline`]; `None` means never.
    fn deadline(&self) -> Option<Instant> {
        None
    }
    /// Called when the deadline has passed.
    fn handle_deadline(&mut self) -> io::Result<Flow> {
        Ok(Flow::Continue)
    }
    /// Handles an event of the search.
    fn handle_event(&mut self, event: Event) -> io::Result<Flow>;
    /// The channel of search events.
    fn events(&self) -> &Receiver<Event>;
}

/// Limit on queued search events. Beyond it, the oldest lines are dropped.
///
/// A search that has found a mate runs through all its iterations at once. The limit leaves room
/// for two such searches.
const MAX_QUEUED_EVENTS: usize = 2 * MAX_PLY;

/// Runs a session while `flow` is [`Flow::Continue`]. Returns why it ended.
///
/// Lines and search events are handled in order of arrival, so commands are answered during a
/// search. A peer that does not read the output blocks this thread, but not the search. When the
/// peer reads again, outdated lines are dropped, so the answer follows soon.
pub(super) fn serve(
    frontend: &mut impl Frontend,
    mut flow: Flow,
    lines: &mut Receiver<String>,
) -> io::Result<Flow> {
    while flow == Flow::Continue {
        let events = frontend.events().clone();
        let time_left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        let deadline = frontend
            .deadline()
            .map_or_else(never, |at| after(time_left(at)));
        flow = select! {
            recv(lines) -> line => match line {
                Ok(line) => frontend.handle_line(&line)?,
                Err(_) => {
                    *lines = never();
                    frontend.handle_eof()?
                }
            },
            recv(deadline) -> _ => frontend.handle_deadline()?,
            recv(events) -> event => match event {
                Ok(Event { what: What::Line(_), .. }) if events.len() > MAX_QUEUED_EVENTS => {
                    Flow::Continue
                }
                Ok(event) => frontend.handle_event(event)?,
                Err(_) => Flow::Quit,
            },
        };
    }
    Ok(flow)
}
