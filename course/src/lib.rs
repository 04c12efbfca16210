//! What the ten engines of the book share: the rules, and the protocol that chess programs speak.
//!
//! Each step is a program in `src/bin`. It holds everything that the book's chapter of that step
//! explains; only what stays the same from the first step to the last is in this library.

pub mod board;
pub mod network;
pub mod rules;
pub mod uci;
