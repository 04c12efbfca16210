//! From a position to a move.
//!
//! A search goes from a [`Root`] and [`Limits`] to an [`Answer`], with a [`Report`] now and then on the way: numbers
//! only, no text. [`Searcher`] does one search after another, with as many workers as it is told ([`pool`]), and keeps
//! what is worth keeping between them; [`thread`] runs a searcher on a thread of its own.
//!
//! How it works: [`Worker`](worker) deepens one ply at a time; each iteration opens a window around the last score
//! ([`aspiration`]) and walks the tree ([`negamax`]), which ends in draws ([`draws`]) and in captures only
//! ([`quiescence`]). Moves come from a staged [`picker`], ordered by what worked before ([`history`]). What was learned
//! about a position stays in the transposition table ([`tt`]). [`prune`] and [`reduce`] hold the reasons to search less;
//! all their numbers are in [`params`]. Where few men are left, tablebases know the result ([`tables`], [`probe`]).
//!
//! On one thread the same search gives the same tree each time.

mod aspiration;
mod clock;
mod control;
mod draws;
mod history;
mod limits;
mod negamax;
mod node;
mod params;
mod picker;
mod pool;
mod probe;
mod prune;
mod pv;
mod quiescence;
mod reduce;
mod report;
mod root;
mod stack;
mod tables;
pub mod thread;
pub mod tt;
mod worker;

pub use control::{SearchId, StopToken};
pub use limits::{Claims, Handicap, Limits, ProbeRules, TimeControl};
pub use params::{PARAMETERS, Parameter};
pub use pool::{Searcher, new_thread};
pub use report::{Answer, Bound, CurrentMove, Progress, Report};
pub use root::Root;
