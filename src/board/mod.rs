//! A legal position and its moves.
//!
//! [`Setup`] is any arrangement that can be written down. [`Position`] is always legal, and
//! [`Setup::validate`] is the only way from one to the other. A position is `Copy`:
//! [`Position::play`] returns a new one, so moves are never unmade.
//!
//! What a position shows by itself is here: mate, stalemate, insufficient material. What needs the
//! game, such as repetition, claims and results, is in `game`.
//!
//! ```
//! use tabiya::board::Position;
//! let position = Position::from_fen("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1").unwrap();
//! let moves: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
//! // A king in check may not castle, which is written as the king taking its rook.
//! assert_eq!(moves.len(), 3);
//! assert!(!moves.contains(&"e1h1".to_owned()));
//! let next = position.play(position.legal_moves()[0]).unwrap();
//! assert!(position.in_check() && !next.in_check());
//! ```

pub mod attacks;
mod chess960;
mod cycle;
mod fen;
mod fen_grammar;
mod game_position;
mod legality;
mod make;
mod material;
mod movegen;
mod packed;
pub mod perft;
mod pieces;
mod position;
pub mod see;
mod setup;
mod threats;
mod zobrist;

pub use chess960::CHESS960_STARTS;
pub use fen::{Epd, FenError, ParsePositionError, each_operation, is_epd_operations};
pub use fen_grammar::{FenDeviation, fen_deviations};
pub use game_position::GamePosition;
pub use make::IllegalMove;
pub use movegen::{MAX_MOVES, MoveList};
pub use packed::Packed;
pub use position::Position;
pub use setup::{Defect, Defects, Setup, SetupError, Severity, Validated};
pub use threats::{CheckSquares, Threats};
