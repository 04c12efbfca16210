//! The tools: what the program does besides playing. Each reads input, works and writes a result.
//!
//! [`analyse`], [`referee`], [`dead`] and [`net`] serve players; [`datagen`],
//! [`genfens`] and [`convert`] make games for training. [`processor`] refuses a machine that cannot
//! run the build. [`interrupt`] is Ctrl-C. The trainer is the package `training/`, which shares
//! [`viriformat`], [`openings`], [`files`], [`progress`], and parts of [`datagen`] and [`net`].

#[cfg(feature = "tools")]
pub mod analyse;
#[cfg(feature = "tools")]
mod arguments;
#[cfg(feature = "tools")]
pub mod convert;
#[cfg(feature = "tools")]
pub mod datagen;
#[cfg(feature = "tools")]
pub mod dead;
#[cfg(feature = "tools")]
pub mod files;
#[cfg(feature = "tools")]
pub mod genfens;
#[cfg(feature = "tools")]
pub mod interrupt;
#[cfg(feature = "tools")]
pub mod net;
#[cfg(feature = "tools")]
pub mod openings;
#[cfg(feature = "tools")]
pub mod processor;
#[cfg(feature = "tools")]
pub mod progress;
pub mod referee;
#[cfg(feature = "tools")]
pub mod viriformat;

#[cfg(feature = "tools")]
pub use arguments::{OutOfRange, number, with_negative_numbers};
