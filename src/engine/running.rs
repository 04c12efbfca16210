//! What the engine has begun, and when it may answer.

use crate::search::{Answer, Instant, Limits, StopToken};

/// What the engine began last.
#[derive(Clone, Copy)]
pub(super) enum Begun {
    Search {
        /// Whether the position is dead.
        is_dead: bool,
        /// Whether the answer is from the book.
        is_from_book: bool,
    },
    Perft {
        started: Instant,
    },
    Bench {
        depth: u32,
    },
}

impl Begun {
    /// A search without a position.
    pub(super) const DECLINED: Self = Self::Search {
        is_dead: false,
        is_from_book: false,
    };
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
