//! The tools: what the program does besides playing. Each reads input, works and writes a result.
//!
//! [`analyse`], [`referee`], [`dead`] and [`net`] serve players; [`datagen`], [`genfens`] and
//! [`convert`] make games for training. The trainer itself is the package `training/`, which shares
//! [`viriformat`], [`files`] and [`progress`].

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
pub mod viriformat;

pub use arguments::{OutOfRange, number};
