//! What goes between the threads of a search: stop, ponderhit, counts.
//!
//! A search is stopped by a token that is made for it and goes one way only: a stop that comes too early is not lost, and one
//! that comes too late cannot hit the next search, which has another token. Inside the search the stop travels as an error
//! ([`Stopped`]) through `?`, so that no unfinished score is taken for one. Node counts are kept by each thread for itself and
//! noted for the others now and then: counting together at each node would cost more than the search learns from it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Tells one search from another, so that an answer that comes too late is known as such.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SearchId(pub u64);

/// Stops one search, and ends its pondering.
///
/// Each search gets a new token, and a token has no way back, so a stop can neither be lost nor hit the next search.
#[derive(Debug, Clone, Default)]
pub struct StopToken(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    stopped: AtomicBool,
    pondering: AtomicBool,
}

impl StopToken {
    /// A token for one search.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token for a search on the opponent's time: no limit counts before [`Self::ponderhit`].
    pub fn pondering() -> Self {
        Self(Arc::new(Flags {
            pondering: AtomicBool::new(true),
            ..Flags::default()
        }))
    }

    /// Ends the search; from any thread, at any time, any number of times.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// The opponent has played the move that was pondered on: limits count from now.
    pub fn ponderhit(&self) {
        self.0.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Whether no limit counts yet.
    #[inline]
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }
}

/// The search was stopped; there is no score.
///
/// It travels as the error of a `Result`, so that no unfinished score can be mistaken for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// What each worker has done, noted now and then.
pub(super) struct NodeCounters(Vec<Count>);

/// Of one worker. It has a cache line of its own, so that writing one does not slow the others.
#[repr(align(64))]
#[derive(Default)]
struct Count {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl NodeCounters {
    pub(super) fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| Count::default()).collect())
    }

    /// Notes what one worker has done.
    pub(super) fn note(&self, worker: usize, nodes: u64, tablebase_hits: u64) {
        let count = &self.0[worker];
        count.nodes.store(nodes, Ordering::Relaxed);
        count
            .tablebase_hits
            .store(tablebase_hits, Ordering::Relaxed);
    }

    /// The nodes of all workers but one.
    pub(super) fn nodes_of_others(&self, worker: usize) -> u64 {
        self.sum_of_others(worker, |count| &count.nodes)
    }

    /// The answers that tablebases gave to all workers but one.
    pub(super) fn hits_of_others(&self, worker: usize) -> u64 {
        self.sum_of_others(worker, |count| &count.tablebase_hits)
    }

    fn sum_of_others(&self, worker: usize, what: impl Fn(&Count) -> &AtomicU64) -> u64 {
        let others = self.0.iter().enumerate();
        others
            .filter(|&(index, _)| index != worker)
            .map(|(_, count)| what(count).load(Ordering::Relaxed))
            .sum()
    }
}
