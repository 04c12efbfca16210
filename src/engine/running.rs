//! What the engine has begun, and when it may answer.

use crate::search::{Answer, Instant, Limits, SearchId, StopToken};

/// What is known of a search as it begins.
#[derive(Debug, Clone, Copy)]
pub struct Begun {
    /// Its id.
    pub id: SearchId,
    /// Whether the position is dead (FIDE 5.2.2), as far as that is cheap to prove.
    pub is_dead: bool,
    /// Whether the answer is from the book.
    pub is_from_book: bool,
}

/// A job that ends by itself, so that a peer which quits may still want its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// A perft, which may take long.
    Perft {
        /// When it began.
        started: Instant,
    },
    /// A bench no deeper than
    /// [`BenchSettings::DEFAULT`](crate::search::bench::BenchSettings::DEFAULT).
    Bench,
}

/// A search, perft or bench that has not answered yet.
pub(super) struct Running {
    pub(super) token: StopToken,
    /// When it may answer.
    pub(super) release: Release,
    /// The answer of a search that has ended before it may answer.
    pub(super) held: Option<Answer>,
    /// What it is, if it ends by itself.
    pub(super) awaited: Option<Awaited>,
}

/// When a search may answer; after a stop, at any time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Release {
    AtOnce,
    AfterPonderhit,
    AfterStop,
}

impl Release {
    pub(super) const fn of(limits: &Limits) -> Self {
        if limits.infinite {
            Self::AfterStop
        } else if limits.ponder {
            Self::AfterPonderhit
        } else {
            Self::AtOnce
        }
    }
}

impl Running {
    pub(super) fn may_answer(&self) -> bool {
        let by_itself = match self.release {
            Release::AtOnce => true,
            Release::AfterPonderhit => self.token.has_ponderhit(),
            Release::AfterStop => false,
        };
        by_itself || self.token.is_stopped()
    }
}
