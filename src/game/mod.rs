//! Chess as it is played: the course of a game, its end, draws and claims, and how it is written down.
//!
//! [`History`] is a start position and legal moves, back and forth. [`Game`] adds what people do besides moving:
//! it ends by the rules, by a claim, an offer, a resignation or a flag, and tells what happens as [`GameEvent`]s.
//! [`draw`] and [`material`] hold the rules of drawing, exactly; the search has its own shortcuts and shares none
//! of them; [`dead`] decides whether a player can still win at all. [`lan`] and [`san`] write and read moves, [`pgn`] whole games;
//! [`opening`] knows names.
//!
//! ```
//! use tabiya::game::{Game, san};
//! let mut game = Game::default();
//! for text in ["f3", "e5", "g4", "Qh4"] {
//!     let mv = san::parse(game.position(), text).unwrap();
//!     game.play(mv).unwrap();
//! }
//! assert_eq!(game.result().token(), "0-1");
//! assert_eq!(game.outcome().unwrap().to_string(), "Black wins by checkmate");
//! ```
//!
//! Article numbers are those of the FIDE Laws of Chess in force from 1 January 2023.

pub mod dead;
pub mod draw;
mod history;
pub mod lan;
pub mod material;
pub mod opening;
mod outcome;
pub mod pgn;
mod play;
pub mod san;

pub use history::{History, IllegalMove, same_position};
pub use outcome::{Draw, GameResult, Outcome, Win};
pub use play::{ActError, Game, GameEvent};
