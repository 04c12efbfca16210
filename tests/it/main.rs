//! The integration tests. They are one crate, so that they are linked only once.
//!
//! [`help`], [`process`], [`random_games`], [`session`], [`shared`], [`sources`] and [`temporary`]
//! are helpers. Most other modules are named after the code they test.

mod analyse;
mod architecture;
mod attacks;
mod bench;
mod book;
mod cli;
mod console;
mod convert;
mod datagen;
mod dead;
mod dead_exhaustive;
mod documents;
mod eval;
mod fen;
mod files;
mod game;
mod game_tree;
mod help;
mod mdbook;
mod openbench;
mod options;
mod perft;
mod pgn;
mod pgn_text;
mod pipes;
mod pondering;
mod position;
mod process;
mod random_games;
mod referee;
mod san;
mod search;
mod session;
mod shared;
mod sources;
mod style;
mod tablebase;
mod temporary;
mod uci_session;
mod verdict;
mod xboard_session;
