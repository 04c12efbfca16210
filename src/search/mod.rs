//! The search: from a position to a move.
//!
//! A search takes a [`SearchRequest`] and returns an [`Answer`]. On the way it reports its
//! [`Progress`]: numbers, no text. A [`Searcher`] runs one search after another with one or more
//! workers and keeps what helps the next search. [`thread`] runs jobs for it on its own thread.
//!
//! | module | contents |
//! |---|---|
//! | [`request`], [`limits`], [`settings`] | what to search, what ends it, what the options set |
//! | [`deepening`] | iterative deepening, when to stop, reports and answer |
//! | [`root_moves`], [`handicap`] | the root moves and their results; limited strength |
//! | [`aspiration`] | aspiration windows around the last score |
//! | [`negamax`] | principal variation search, the recursion |
//! | [`prune`] | forward pruning of nodes and moves |
//! | [`extend`] | singular extensions, multicut |
//! | [`lmr`] | late move reductions |
//! | [`quiescence`] | captures only, until the position is quiet |
//! | [`picker`], [`scored_moves`], [`history`] | move ordering |
//! | [`tt`] | transposition table |
//! | [`draw`] | repetition, fifty-move rule, insufficient material |
//! | [`syzygy_root`], [`syzygy_probe`] | tablebases at the root and in the tree |
//! | [`time`] | time management |
//! | [`params`] | the tunable parameters |
//! | [`worker`], [`stack`], [`pv`], [`node`] | state of a thread, of a ply and of a node |
//! | [`smp`], [`control`] | several threads (Lazy SMP), stopping them |
//! | [`thread`] | the search thread: jobs in, events out |
//! | [`memory`] | memory of the transposition table and of threads |
//! | [`clock`] | the clock of the machine or of the browser |
//! | [`report`] | what a search reports |
//! | [`mod@bench`] | signature and speed |

mod aspiration;
pub mod bench;
mod clock;
mod control;
mod deepening;
mod draw;
mod extend;
mod handicap;
mod history;
mod limits;
mod lmr;
mod memory;
mod negamax;
mod node;
mod params;
mod picker;
mod prune;
mod pv;
mod quiescence;
mod report;
mod request;
mod root_moves;
mod scored_moves;
mod settings;
mod smp;
mod stack;
#[cfg(test)]
mod stack_use;
mod syzygy_probe;
mod syzygy_root;
mod thread;
mod time;
pub mod tt;
mod worker;

pub use clock::Instant;
pub use control::{SearchId, StopToken};
pub(crate) use draw::score_after;
pub use handicap::NODES_AGAINST_BARE_KING;
pub use limits::{HARD_NODES, Limits, TimeControl};
#[cfg(feature = "tune")]
pub use params::set_parameter;
pub use params::{PARAMETERS, Parameter};
pub use report::{
    Answer, Bound, CurrentMove, Event, Progress, Refusal, Report, What, nodes_per_second,
};
pub use request::{Claims, SearchRequest};
pub use settings::{Handicap, ProbeRules, SearchSettings};
pub use smp::{MAX_THREADS, Searcher, on_thread, on_threads};
pub(crate) use thread::run_jobs;
pub use thread::{Change, Job, spawn_searcher};
