//! The vocabulary: small value types and nothing else.
//!
//! No tables, no dependencies, and no rules but those that need no position, such as where castling
//! ends. `build.rs` compiles these files too, so the code that writes a table and the code that
//! reads it compute the same index.

/// Declares a field-less enum whose variants are array indices `0..COUNT`.
macro_rules! index_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        $vis enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// All values, in index order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),+];
            /// Number of values.
            pub const COUNT: usize = [$(stringify!($variant)),+].len();

            /// The position of this value in [`Self::ALL`].
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The value at `index`, or `None` from [`Self::COUNT`] on.
            #[inline(always)]
            #[allow(non_upper_case_globals)]
            pub const fn from_index(index: usize) -> Option<Self> {
                $(const $variant: usize = $name::$variant as usize;)+
                // The compiler reduces this to the identity.
                match index {
                    $($variant => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        // `Option` takes no extra byte.
        const _: () = assert!(size_of::<$name>() == 1 && size_of::<Option<$name>>() == 1);
    };
}

mod bitboard;
mod castling;
mod color;
mod key;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::{Bitboard, Squares, Subsets};
pub use castling::{CastlingMode, CastlingRights, CastlingSide};
pub use color::Color;
pub use key::Key;
pub use moves::{Move, MoveKind};
pub use piece::{Piece, PieceKind};
pub use score::{MAX_PLY, Score};
pub use square::{File, ParseSquareError, Rank, Square};

/// The halfmove clock at which a draw can be claimed: 50 moves of each player without capture or
/// pawn move (FIDE 9.3).
pub const FIFTY_MOVES: u32 = 100;
/// The halfmove clock that ends the game: 75 moves of each player (FIDE 9.6.2).
pub const SEVENTY_FIVE_MOVES: u32 = 150;
/// Occurrences of a position that allow a claim (FIDE 9.2).
pub const THREEFOLD: u32 = 3;
/// Occurrences of a position that end the game (FIDE 9.6.1).
pub const FIVEFOLD: u32 = 5;
