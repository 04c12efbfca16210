//! The vocabulary: small value types and nothing else.
//!
//! No tables, no dependencies, no knowledge of the rules. `build.rs` compiles these files too, so that
//! the tables it writes are indexed by the very functions that read them.

/// Declares a field-less enum whose variants are array indices `0..COUNT`.
macro_rules! index_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        $vis enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// Every value, in index order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),+];
            /// How many values there are.
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
                // The compiler sees that this is the identity.
                match index {
                    $($variant => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        // An `Option` of an index costs no extra byte.
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
pub use castling::{CastlingMode, CastlingRights, Wing};
pub use color::Color;
pub use key::Key;
pub use moves::{Move, MoveKind};
pub use piece::{Piece, PieceKind};
pub use score::{MAX_PLY, Score};
pub use square::{File, ParseSquareError, Rank, Square};

/// Half-moves without capture or pawn move after which a draw can be claimed (FIDE 9.3).
pub const FIFTY_MOVES: u32 = 100;
