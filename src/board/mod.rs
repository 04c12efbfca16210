//! A legal position and what can be done in it.
//!
//! [`Setup`] is anything that can be written down; [`Position`] is always legal, and [`Setup::validate`] is the only
//! door from one to the other. A position is `Copy`: [`Position::play`] returns a new one and nothing is taken back.
//!
//! This room knows the moves of chess, not the game: repetition, draws and results are in `game`.

pub mod attacks;
mod cycle;
mod fen;
mod legality;
mod make;
mod movegen;
mod observer;
pub mod perft;
mod pieces;
mod position;
pub mod see;
mod setup;
mod threats;
mod zobrist;

pub use fen::{FenError, ParsePositionError};
pub use movegen::{MAX_MOVES, MoveList};
pub use observer::Observer;
pub use position::Position;
pub use setup::{Flaw, Flaws, Setup, SetupError, Severity, Validated};
pub use threats::{CheckSquares, Threats};
