//! The integration tests of the trainer: one crate, so that they are linked once.

mod blend;
mod cli;
mod games;
#[cfg(unix)]
mod selfplay;
#[path = "../../../tests/it/temporary.rs"]
mod temporary;
mod train;
mod widen;
