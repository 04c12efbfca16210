//! The game of chess: moves, results, draws and claims, and notation.
//!
//! [`History`] is a start position and legal moves, with undo and redo. [`Game`] adds the other
//! acts of the players and reports [`GameEvent`]s: a game ends by rule, claim, agreement,
//! resignation or time.
//!
//! [`draw`] holds the exact rules of draws; the search has its own shortcuts.
//! [`dead`] decides whether a player can still win at all. [`lan`] and [`san`] read and write
//! moves, [`pgn`] whole games. [`opening`] names openings.
//!
//! ```
//! use tabiya::game::Game;
//! let mut game = Game::default();
//! for text in ["f3", "e5", "g4", "Qh4"] {
//!     game.push_san(text).unwrap();
//! }
//! assert_eq!(game.result().token(), "0-1");
//! assert_eq!(game.outcome().unwrap().to_string(), "Black wins by checkmate");
//! ```
//!
//! Article numbers refer to the FIDE Laws of Chess in force from 1 January 2023.

pub mod dead;
pub mod draw;
pub mod encoding;
mod history;
pub mod lan;
pub mod opening;
mod outcome;
pub mod pgn;
mod play;
pub mod san;

pub use history::History;
pub use outcome::{Draw, GameResult, Outcome, Win};
pub use play::{ActError, Game, GameEvent, PushSanError};
