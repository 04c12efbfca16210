//! Signals between threads: stop, ponderhit with its limits, and the counts of nodes and tablebase
//! hits.
//!
//! Each search gets its own stop token, which is never reset: an early stop is not lost, and a late
//! one cannot hit the next search. Inside the search a stop travels as an error ([`Stopped`])
//! through `?`, so an unfinished score is never taken for a result. Each worker counts its own
//! nodes and publishes the count now and then; a shared counter would slow every node.

use super::clock::Instant;
use super::limits::Limits;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Number of a search, so that late events can be recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SearchId(pub u64);

/// Stops one search or ends its pondering, from any thread. Both signals go one way only.
#[derive(Debug, Clone, Default)]
pub struct StopToken(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    stopped: AtomicBool,
    ponderhit: OnceLock<Ponderhit>,
}

/// The end of pondering.
#[derive(Debug)]
pub(super) struct Ponderhit {
    /// When our own clock started.
    pub(super) at: Instant,
    /// Limits that replace those of the request.
    pub(super) limits: Option<Limits>,
}

impl StopToken {
    /// A token for one search.
    pub fn new() -> Self {
        Self::default()
    }

    // ANCHOR: stop_token
    /// Stops the search. May be called at any time and any number of times.
    pub fn stop(&self) {
        // The flag carries no other data, so the order of memory accesses does not matter.
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Ends pondering: the opponent has played the expected move, and limits apply from now on.
    /// `limits` replace those of the request, if given. A search that has reached its maximum depth
    /// has ended, and does not go on.
    pub fn ponderhit(&self, limits: Option<Limits>) {
        let at = Instant::now();
        // Only the first ponderhit counts.
        let _ = self.0.ponderhit.set(Ponderhit { at, limits });
    }

    /// Whether the search has been stopped.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Whether the expected move has been played.
    #[inline]
    #[must_use]
    pub fn has_ponderhit(&self) -> bool {
        self.0.ponderhit.get().is_some()
    }
    // ANCHOR_END: stop_token

    /// How pondering has ended, if it has.
    pub(super) fn end_of_pondering(&self) -> Option<&Ponderhit> {
        self.0.ponderhit.get()
    }
}

/// The search was stopped and has no score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// The counts of every worker, published now and then.
pub(super) struct WorkerCounts(Vec<Count>);

/// The counts of one worker. Each has its own cache line, so that one writer does not slow others.
#[repr(align(64))]
#[derive(Default)]
struct Count {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl WorkerCounts {
    pub(super) fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| Count::default()).collect())
    }

    /// Publishes the counts of `worker`.
    pub(super) fn publish(&self, worker: usize, nodes: u64, tablebase_hits: u64) {
        let count = &self.0[worker];
        count.nodes.store(nodes, Ordering::Relaxed);
        count
            .tablebase_hits
            .store(tablebase_hits, Ordering::Relaxed);
    }

    /// Nodes of all workers except `worker`.
    pub(super) fn nodes_of_others(&self, worker: usize) -> u64 {
        self.sum_of_others(worker, |count| &count.nodes)
    }

    /// Tablebase hits of all workers.
    pub(super) fn tablebase_hits(&self) -> u64 {
        let counts = self.0.iter();
        counts
            .map(|count| count.tablebase_hits.load(Ordering::Relaxed))
            .sum()
    }

    /// Tablebase hits of all workers except `worker`.
    pub(super) fn hits_of_others(&self, worker: usize) -> u64 {
        self.sum_of_others(worker, |count| &count.tablebase_hits)
    }

    fn sum_of_others(&self, worker: usize, field: impl Fn(&Count) -> &AtomicU64) -> u64 {
        let others = self.0.iter().enumerate();
        others
            .filter(|&(index, _)| index != worker)
            .map(|(_, count)| field(count).load(Ordering::Relaxed))
            .sum()
    }
}
