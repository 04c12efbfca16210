//! What the program does besides playing: each tool reads, works and writes, and talks to nobody.

pub mod analyse;
mod arguments;
pub mod datagen;
pub mod dead;
mod files;
mod games;
pub mod genfens;
pub mod judge;
#[cfg(feature = "tune")]
pub mod lab;
pub mod net;
mod progress;
pub mod referee;
pub mod train;
pub mod wdl;

pub(crate) use arguments::number;
