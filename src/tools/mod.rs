//! The tools: what the program does besides playing. Each reads input, works and writes a result.
//!
//! [`analyse`], [`referee`], [`dead`], [`net`] and [`version`] serve players; [`datagen`],
//! [`genfens`] and [`convert`] make games for training. The trainer is the package `training/`,
//! which shares [`viriformat`], [`files`] and [`progress`].

pub mod analyse;
mod arguments;
pub mod convert;
pub mod datagen;
pub mod dead;
pub mod files;
pub mod genfens;
pub mod net;
pub mod progress;
pub mod referee;
pub mod version;
pub mod viriformat;

pub use arguments::{OutOfRange, number};
