//! What goes between the threads of a search: stop, ponderhit, node counts.

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

/// How many nodes each worker has searched, noted now and then.
///
/// Each count has a cache line of its own, so that writing one does not slow the others.
pub(super) struct NodeCounts(Vec<CacheLine>);

#[repr(align(64))]
struct CacheLine(AtomicU64);

impl NodeCounts {
    pub(super) fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| CacheLine(AtomicU64::new(0))).collect())
    }

    /// Notes the count of one worker.
    pub(super) fn note(&self, worker: usize, nodes: u64) {
        self.0[worker].0.store(nodes, Ordering::Relaxed);
    }

    /// The counts of all workers but one.
    pub(super) fn of_others(&self, worker: usize) -> u64 {
        let others = self
            .0
            .iter()
            .enumerate()
            .filter(|&(index, _)| index != worker);
        others
            .map(|(_, count)| count.0.load(Ordering::Relaxed))
            .sum()
    }
}
