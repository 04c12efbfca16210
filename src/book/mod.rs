//! Opening books in the Polyglot format, `.bin`.
//!
//! Such a book is a file of entries of 16 bytes, sorted by key, all numbers big-endian: key (8 bytes), move (2), weight
//! (2), and what the book's owner has learned (4, not used here). A file is never trusted: it is searched where it lies,
//! and only legal moves come out, so whatever else a file holds, it only finds nothing.
//!
//! ```
//! use tabiya::book::{self, Book};
//! use tabiya::board::Position;
//! use tabiya::game::History;
//! // One entry: from the start, e2e4 with weight 1.
//! let mut entry = 0x463b_9618_1691_fc9c_u64.to_be_bytes().to_vec();
//! entry.extend([0x03, 0x1C, 0, 1, 0, 0, 0, 0]);
//! let file = std::env::temp_dir().join(format!("tabiya-doc-{}.bin", std::process::id()));
//! std::fs::write(&file, entry).unwrap();
//! let moves = Book::open(&file).unwrap().moves(&History::new(Position::start()));
//! assert_eq!(book::best(&moves).unwrap().to_string(), "e2e4");
//! # std::fs::remove_file(&file).unwrap();
//! ```
//!
//! Fabien Letouzey, *PolyGlot*, 2004-2008; Michel Van den Bergh's description of the format.

mod key;
mod random;

use crate::board::{MAX_MOVES, Position};
use crate::game::History;
use crate::types::{Move, PieceKind};
use rand::{Rng, RngExt};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

pub use key::key;

const ENTRY_BYTES: u64 = 16;

/// An opening book.
#[derive(Debug)]
pub struct Book {
    file: File,
    entries: u64,
}

/// A move of the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The move; legal.
    pub mv: Move,
    /// How much the book wants it, beside the other moves of the position; 0 is never to be played.
    pub weight: u16,
}

/// Why there is no book.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is not a file, or of a size that no book has, in bytes.
    NoBook(PathBuf, u64),
    /// Its entries are not sorted.
    Unsorted(PathBuf),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) => {
                write!(f, "the book {} cannot be read: {error}", path.display())
            }
            Self::NoBook(path, bytes) => write!(
                f,
                "{} is no Polyglot book: its size, {bytes} bytes, is no multiple of {ENTRY_BYTES}",
                path.display()
            ),
            Self::Unsorted(path) => write!(
                f,
                "{} is no Polyglot book: its entries are not sorted",
                path.display()
            ),
        }
    }
}

impl std::error::Error for BookError {}

/// An entry as it stands in the file.
struct BookEntry {
    key: u64,
    mv: u16,
    weight: u16,
}

impl Book {
    /// Opens a book. Its size is looked at, and a few of its entries.
    ///
    /// # Errors
    /// If it cannot be read, or is not a file of whole entries, or they are not sorted.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let unreadable = |error| BookError::Unreadable(path.to_owned(), error);
        // Asked before it is opened: opening a pipe would wait for its other end.
        let metadata = path.metadata().map_err(unreadable)?;
        let bytes = metadata.len();
        if !metadata.is_file() || bytes == 0 || !bytes.is_multiple_of(ENTRY_BYTES) {
            return Err(BookError::NoBook(path.to_owned(), bytes));
        }
        let file = File::open(path).map_err(unreadable)?;
        let book = Self {
            file,
            entries: bytes / ENTRY_BYTES,
        };
        if book.looks_sorted() {
            Ok(book)
        } else {
            Err(BookError::Unsorted(path.to_owned()))
        }
    }

    /// Whether entries here and there are in order, which those of a text or a picture are not.
    fn looks_sorted(&self) -> bool {
        const LOOKED_AT: u64 = 64;
        let indices = (0..LOOKED_AT).map(|step| step * (self.entries - 1) / (LOOKED_AT - 1));
        let keys = indices.map(|index| self.entry(index).map(|entry| entry.key));
        keys.is_sorted()
    }

    /// What the book knows about the present position, in the order of the file. Without any error: where the file
    /// cannot be read, or holds moves that are not legal, it knows nothing.
    pub fn moves(&self, history: &History) -> Vec<BookMove> {
        let key = key(history);
        let position = history.position();
        let Some(first) = self.first_at_least(key) else {
            return Vec::new();
        };
        // More entries than moves are no book's, and none would be legal.
        (first..self.entries)
            .take(MAX_MOVES)
            .map_while(|index| self.entry(index).filter(|entry| entry.key == key))
            .filter_map(|entry| {
                Some(BookMove {
                    mv: decode(position, entry.mv)?,
                    weight: entry.weight,
                })
            })
            .collect()
    }

    /// The index of the first entry whose key is not less, by bisection; `None` if the file cannot be read.
    fn first_at_least(&self, key: u64) -> Option<u64> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low.midpoint(high);
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    fn entry(&self, index: u64) -> Option<BookEntry> {
        let mut bytes = [0; ENTRY_BYTES as usize];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(index * ENTRY_BYTES)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        let number = u128::from_be_bytes(bytes);
        Some(BookEntry {
            key: (number >> 64) as u64,
            mv: (number >> 48) as u16,
            weight: (number >> 32) as u16,
        })
    }
}

/// The legal move that 16 bits of a book stand for: `to` in bits 0-5, `from` in 6-11, what a pawn becomes in 12-14.
/// Castling is written as king takes rook, as in [`Move`].
fn decode(position: &Position, bits: u16) -> Option<Move> {
    let promotion = match bits >> 12 {
        0 => None,
        1 => Some(PieceKind::Knight),
        2 => Some(PieceKind::Bishop),
        3 => Some(PieceKind::Rook),
        4 => Some(PieceKind::Queen),
        _ => return None,
    };
    let (to, from) = (usize::from(bits & 63), usize::from(bits >> 6 & 63));
    position.legal_moves().into_iter().find(|mv| {
        mv.from().index() == from && mv.to().index() == to && mv.promotion() == promotion
    })
}

/// The move with the greatest weight, the first of equals; `None` if no move has any.
pub fn best(moves: &[BookMove]) -> Option<Move> {
    let wanted = moves.iter().rev().filter(|book| book.weight > 0);
    wanted.max_by_key(|book| book.weight).map(|book| book.mv)
}

/// A random move, each as likely as its weight says; `None` if no move has any.
pub fn choose_weighted(moves: &[BookMove], random: &mut impl Rng) -> Option<Move> {
    let total: u32 = moves.iter().map(|book| u32::from(book.weight)).sum();
    if total == 0 {
        return None;
    }
    let mut lot = random.random_range(0..total);
    let drawn = moves.iter().find(|book| {
        let weight = u32::from(book.weight);
        let is_drawn = lot < weight;
        lot = lot.saturating_sub(weight);
        is_drawn
    });
    drawn.map(|book| book.mv)
}
