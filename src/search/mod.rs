//! From a position to a move.
//!
//! A search goes from a [`Root`] and [`Limits`] to an [`Answer`], with [`Info`] now and then on the way: numbers only, no
//! text. [`Searcher`] does one search after another, with as many workers as it is told ([`smp`]), and keeps what is worth
//! keeping between them; [`thread`] runs a searcher on a thread of its own.
//!
//! | module | what it holds |
//! |---|---|
//! | [`deepening`] | iterative deepening, when to stop, the answer |
//! | [`root_moves`] | the moves of the root and what became of them; [`handicap`] misjudges them |
//! | [`aspiration`] | aspiration windows around the last score |
//! | [`negamax`] | principal variation search, the recursion |
//! | [`prune`] | reverse futility, razoring, null move, ProbCut; late move, futility, history and SEE pruning |
//! | [`extend`] | singular extensions, multicut |
//! | [`lmr`] | late move reductions |
//! | [`quiescence`] | captures only, until the position is quiet |
//! | [`picker`], [`history`] | move ordering, and what it has learned |
//! | [`tt`] | the transposition table |
//! | [`draw`] | repetition, fifty moves, insufficient material |
//! | [`syzygy_root`], [`syzygy_probe`] | tablebases at the root and in the tree |
//! | [`time`], [`limits`] | time management, and all that can end a search |
//! | [`params`] | every parameter of the search, tunable |
//! | [`worker`], [`stack`], [`pv`], [`node`] | what one thread holds, and what is known at each ply and node |
//! | [`smp`], [`control`] | several threads (Lazy SMP), and stopping them |
//! | [`report`], [`reporter`], [`reporting`] | what a search tells, to whom, and when |
//!
//! On one thread the same search gives the same tree each time.

mod aspiration;
mod control;
mod deepening;
mod draw;
mod extend;
mod handicap;
mod history;
mod limits;
mod lmr;
mod negamax;
mod node;
mod params;
mod picker;
mod prune;
mod pv;
mod quiescence;
mod report;
mod reporter;
mod reporting;
mod root;
mod root_moves;
mod scored_moves;
mod smp;
mod stack;
mod syzygy_probe;
mod syzygy_root;
pub mod thread;
mod time;
pub mod tt;
mod worker;

pub use control::{SearchId, StopToken};
pub use limits::{Claims, Handicap, Limits, ProbeRules, SearchSettings, TimeControl};
#[cfg(feature = "tune")]
pub use params::set_parameter;
pub use params::{PARAMETERS, Parameter};
pub use report::{Answer, Bound, CurrentMove, Info, Report};
pub use root::Root;
pub use smp::{Searcher, new_thread};
