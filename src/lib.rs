//! Tabiya: a chess engine that speaks UCI and XBoard and applies the FIDE Laws exactly.
//!
//! # Modules
//!
//! Each module may use only the modules in its last column; `tests/it/architecture.rs` holds that.
//!
//! | module | contents | uses |
//! |---|---|---|
//! | [`types`] | vocabulary: squares, moves, scores | nothing |
//! | [`files`] | files opened without waiting, and replaced whole | nothing |
//! | [`board`] | a legal position and its moves | types |
//! | [`game`] | a game: history, draws, results, notation | types, board |
//! | [`eval`] | static evaluation by a neural network | files, types, board |
//! | [`tablebase`] | Syzygy tablebases | files, types, board |
//! | [`book`] | opening books | files, types, board, game |
//! | [`search`] | from a position to a move | types, board, eval, tablebase |
//! | [`engine`] | options and the search thread | all of these |
//! | [`review`] | moves judged: marks, accuracy, reasons | types, board, game, engine |
//! | [`protocol`] | UCI, XBoard and the console | files, types, board, game, book, search, engine |
//! | [`tools`] | subcommands for players and workers | everything but protocol |
//! | [`cli`] | the command line | everything |
//!
//! # Features
//!
//! `console` (games in the terminal) and `tools` (the subcommands) are on by default and bring most
//! of the dependencies. With `default-features = false` the crate has the board, rules, notation,
//! evaluation, search and protocols. `examples/` shows rules, notation, search and protocols in
//! use. `insides` adds read-only views of what the engine computes on its way; the pictures of the
//! book show them. `referee` has [`tools::referee`] without the dependencies of `tools`. `tune`
//! makes each parameter of the search a UCI option.
//!
//! # How a move travels
//!
//! A thread reads the input and sends each line on a channel. [`protocol`] parses lines into
//! commands. [`engine::Engine`] turns `go` into a [`search::SearchRequest`] with all that the
//! search needs, the values of options and a fresh stop token included, and sends it to the search
//! thread. The search deepens until a limit is reached or the token is stopped. Its results
//! come back on a channel as numbers, each a [`search::Event`] with the id of the search, and
//! [`protocol`] prints them.
//!
//! # Example
//!
//! ```
//! use tabiya::board::Position;
//! use tabiya::game::lan;
//! use tabiya::search::{Limits, Searcher};
//! use tabiya::types::CastlingMode;
//!
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
//! let mut searcher = Searcher::new(1).unwrap();
//! let answer = searcher.best_move(position, Limits::depth(3)).unwrap();
//! assert_eq!(lan::write(answer.best.unwrap(), CastlingMode::Standard), "d1d8");
//! assert_eq!(answer.score.moves_to_mate(), Some(1));
//! ```

#![warn(missing_debug_implementations)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// The crates of types that the interface takes or returns, so that nobody has to guess a version.
pub use {arrayvec, crossbeam_channel, rand, serde_json};

#[macro_use]
pub mod types;
pub mod board;
pub mod book;
#[cfg(all(feature = "console", feature = "tools"))]
pub mod cli;
pub mod engine;
pub mod eval;
pub mod files;
pub mod game;
pub mod protocol;
pub mod review;
pub mod search;
pub mod tablebase;
#[cfg(feature = "referee")]
pub mod tools;
