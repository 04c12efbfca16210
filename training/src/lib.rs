//! Trains and measures the networks of the chess engine Tabiya.
//!
//! The engine's `datagen` makes the games, and [`tabiya::tools::viriformat`] reads them here. Each
//! command of the program `tabiya-train` has a module:
//!
//! | command | module | what it does |
//! |---|---|---|
//! | `train` | [`train`] | trains a network on self-play games |
//! | `judge` | [`judge`] | compares evaluations with a stronger engine's |
//! | `targets` | [`judge::targets`] | compares training targets with a stronger engine |
//! | `blend` | [`blend`] | mixes a network's evaluations into the scores of games |
//! | `fold` | [`fold`] | replaces layers that hardly react by their mean |
//! | `widen` | [`widen`] | makes a larger network with the same evaluations |
//! | `wdl` | [`wdl`] | fits the win/draw/loss model to games |
//! | `match`, `factorial`, `effects` | `experiment` | measures settings of the search (`tune`) |
//!
//! The feature `tune` turns every parameter of the search into a variable, which slows it down. So
//! the feature is off by default.

mod bad_games;
pub mod blend;
pub mod cli;
#[cfg(feature = "tune")]
pub mod experiment;
pub mod fold;
mod format5;
pub mod judge;
pub mod targets;
pub mod train;
pub mod wdl;
pub mod widen;
