//! Tabiya: a chess engine that speaks UCI and XBoard, knows the laws of chess, and is written to be read.
//!
//! # The map
//!
//! Each module may use only the modules named behind it; `tests/it/architecture.rs` holds that.
//!
//! | module | what it is | uses |
//! |---|---|---|
//! | [`types`] | the vocabulary: squares, moves, scores | nothing |
//! | [`board`] | a legal position and what can be done in it | types |
//! | [`game`] | chess as it is played: history, draws, results, notation | types, board |
//! | [`eval`] | what a position is worth: the neural network | types, board |
//! | [`tablebase`] | what perfect play comes to with few pieces | types, board |
//! | [`book`] | opening books | types, board, game |
//! | [`search`] | from a position to a move | types, board, eval, tablebase |
//! | [`engine`] | the one object that every front-end talks to | all of these |
//! | [`protocol`] | what programs and people say, and what they hear | types, board, game, engine |
//! | [`tools`] | what the program does besides playing | everything but protocol |
//! | [`cli`] | the command line | everything |
//!
//! # Features
//!
//! `console` (a game in the terminal) and `tools` (what the program does besides playing) are on by default and bring
//! most of the dependencies. With `default-features = false` the crate is board, rules, notation, evaluation, search and
//! the protocols. `examples/` shows each in use.
//!
//! # The way of a move
//!
//! A thread puts each line of the input on a channel. [`protocol`] turns lines into commands, and [`engine::Engine`]
//! turns `go` into a job for the search thread, with a fresh stop token. The search deepens until a limit is reached
//! or the token says stop; what it finds comes back on a channel with the id of the search, as numbers, and
//! [`protocol`] turns numbers into words.
//!
//! # An example
//!
//! ```
//! use tabiya::board::Position;
//! use tabiya::search::{Limits, Root, Searcher, StopToken};
//!
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
//! let mut searcher = Searcher::new(1).unwrap();
//! let answer = searcher.search(&Root::new(position), &Limits::depth(3), &StopToken::new(), &mut |_| {});
//! assert_eq!(answer.best.unwrap().to_string(), "d1d8");
//! assert_eq!(answer.score.moves_to_mate(), Some(1));
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[macro_use]
pub mod types;
pub mod board;
pub mod book;
#[cfg(all(feature = "console", feature = "tools"))]
pub mod cli;
pub mod engine;
pub mod eval;
pub mod game;
pub mod protocol;
pub mod search;
pub mod tablebase;
#[cfg(feature = "tools")]
pub mod tools;
