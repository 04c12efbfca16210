//! Tabiya: a chess engine.

#[macro_use]
pub mod types;
pub mod board;
pub mod game;
