//! The one loop of every session: a peer on a pipe, a command from the command line, a search in
//! the console, and a host without threads, where it runs between two steps of the search
//! ([`hosted`](super::hosted)).

use crate::search::{Event, Instant, What};
use crate::types::MAX_PLY;
use crossbeam_channel::{Receiver, Select, never};
use std::io;
use std::time::Duration;

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
    fn handle_eof(&mut self) -> io::Result<Flow>;
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

/// Limit on queued search events. Beyond it, the oldest lines and root moves are dropped.
///
/// A search that has found a mate runs through all its iterations at once. The limit leaves room
/// for two such searches with one line each; of many lines, those of earlier iterations may go.
const MAX_QUEUED_EVENTS: usize = 2 * MAX_PLY;

/// What to do when nothing is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Idle {
    Wait,
    Return,
}

/// Runs a session while `flow` is [`Flow::Continue`]. Returns why it ended, or
/// [`Flow::Continue`] if nothing is ready.
///
/// Commands are answered during a search. Lines keep their order, and so do search events; of a
/// line and an event that are both ready, either may be first. A peer that does not read the output
/// blocks this thread, but not the search. When the peer reads again, outdated reports are dropped,
/// so the answer follows soon.
pub(super) fn serve(
    frontend: &mut impl Frontend,
    mut flow: Flow,
    lines: &Receiver<String>,
    idle: Idle,
) -> io::Result<Flow> {
    let (mut has_ended, nothing) = (false, never());
    while flow == Flow::Continue {
        let deadline = frontend.deadline();
        let time_left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        if time_left == Some(Duration::ZERO) {
            flow = frontend.handle_deadline()?;
            continue;
        }
        let events = frontend.events().clone();
        let mut sources = Select::new();
        let lines = if has_ended { &nothing } else { lines };
        sources.recv(lines);
        let search = sources.recv(&events);
        let ready = match (idle, time_left) {
            (Idle::Return, _) => sources.try_select().ok(),
            (Idle::Wait, None) => Some(sources.select()),
            (Idle::Wait, Some(time)) => sources.select_timeout(time).ok(),
        };
        flow = match ready {
            None if idle == Idle::Return => return Ok(flow),
            None => continue,
            Some(source) if source.index() == search => match source.recv(&events) {
                Ok(Event {
                    what: What::Line(_) | What::CurrentMove(_),
                    ..
                }) if events.len() > MAX_QUEUED_EVENTS => Flow::Continue,
                Ok(event) => frontend.handle_event(event)?,
                Err(_) => Flow::Quit,
            },
            Some(source) => match source.recv(lines) {
                Ok(line) => frontend.handle_line(&line)?,
                Err(_) => {
                    has_ended = true;
                    frontend.handle_eof()?
                }
            },
        };
    }
    Ok(flow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Answer, CurrentMove, SearchId};
    use crate::types::{Move, Square};
    use crossbeam_channel::unbounded;

    /// Counts the events.
    struct Counter {
        events: Receiver<Event>,
        count: usize,
    }

    impl Frontend for Counter {
        fn handle_line(&mut self, _: &str) -> io::Result<Flow> {
            Ok(Flow::Quit)
        }
        fn handle_eof(&mut self) -> io::Result<Flow> {
            Ok(Flow::Quit)
        }
        fn handle_event(&mut self, event: Event) -> io::Result<Flow> {
            self.count += 1;
            Ok(if event.what.is_last() {
                Flow::Quit
            } else {
                Flow::Continue
            })
        }
        fn events(&self) -> &Receiver<Event> {
            &self.events
        }
    }

    /// A search of an hour sends 72,000.
    #[test]
    fn a_peer_that_has_not_read_for_long_misses_old_root_moves() {
        let (sender, events) = unbounded();
        let (_input, lines) = unbounded();
        let send = |what| {
            let id = SearchId(1);
            assert!(sender.send(Event { id, what }).is_ok());
        };
        for number in 1..=10_000 {
            send(What::CurrentMove(CurrentMove {
                depth: 20,
                mv: Move::normal(Square::E2, Square::E4),
                number,
                total: 20,
                nodes: 0,
                time: Duration::ZERO,
            }));
        }
        send(What::Answer(Answer::default()));
        let mut counter = Counter { events, count: 0 };
        let flow = serve(&mut counter, Flow::Continue, &lines, Idle::Wait);
        assert!(matches!(flow, Ok(Flow::Quit)));
        assert!(counter.count <= MAX_QUEUED_EVENTS + 1, "{}", counter.count);
    }
}
