//! Stopping a search, from outside and from within.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells one search from another, so that an answer that comes too late is known as such.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SearchId(pub u64);

/// Stops one search.
///
/// Each search gets a new token, and a token has no way back, so a stop can neither be lost nor hit the next search.
#[derive(Debug, Clone, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// A token for one search.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the search; from any thread, at any time, any number of times.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The search was stopped; there is no score.
///
/// It travels as the error of a `Result`, so that no unfinished score can be mistaken for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;
