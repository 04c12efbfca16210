//! Opening books in the Polyglot format, `.bin`.
//!
//! A book is a file of 16-byte entries, sorted by key. All numbers are big-endian: key (8 bytes),
//! move (2), weight (2), and learning data (4, unused here). The file is read with bisection and is
//! not loaded into memory. It is not trusted: only legal moves are returned, and any other content
//! finds no move.
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
//! Sources: Fabien Letouzey, *PolyGlot*, 2004-2008; Michel Van den Bergh's description of the
//! format.

mod key;
mod random;

use crate::board::{MAX_MOVES, Position};
use crate::files::open_regular;
use crate::game::{History, lan};
use crate::types::{Move, PieceKind, Square};
use rand::{Rng, RngExt};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use key::key;

const ENTRY_BYTES: u64 = 16;

/// An opening book, which threads may share.
#[derive(Debug)]
pub struct Book {
    /// A lookup moves the place in the file again and again, so one has it at a time.
    file: Mutex<File>,
    entries: u64,
}

/// A move in the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The move, which is legal.
    pub mv: Move,
    /// Relative frequency among the moves of the position; 0 means never.
    pub weight: u16,
}

/// Why a book cannot be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read, or is a folder, a pipe or a device.
    Unreadable(PathBuf, io::Error),
    /// The file is empty.
    Empty(PathBuf),
    /// The size in bytes is not a multiple of the entry size.
    NotABook(PathBuf, u64),
    /// The entries are not sorted.
    Unsorted(PathBuf),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) => {
                write!(f, "the book {} cannot be read: {error}", path.display())
            }
            Self::Empty(path) => write!(f, "the book {} is empty", path.display()),
            Self::NotABook(path, bytes) => write!(
                f,
                "{} is not a Polyglot book: its size, {bytes} bytes, is not a multiple of {ENTRY_BYTES}",
                path.display()
            ),
            Self::Unsorted(path) => write!(
                f,
                "{} is not a Polyglot book: its entries are not sorted",
                path.display()
            ),
        }
    }
}

impl std::error::Error for BookError {}

/// An entry of the file.
struct BookEntry {
    key: u64,
    mv: u16,
    weight: u16,
}

impl Book {
    /// Opens a book. Checks its size and a sample of its entries.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, does not consist of whole entries, or is not sorted.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let unreadable = |error| BookError::Unreadable(path.to_owned(), error);
        let file = open_regular(path).map_err(unreadable)?;
        let bytes = file.metadata().map_err(unreadable)?.len();
        if bytes == 0 {
            return Err(BookError::Empty(path.to_owned()));
        }
        if !bytes.is_multiple_of(ENTRY_BYTES) {
            return Err(BookError::NotABook(path.to_owned(), bytes));
        }
        let book = Self {
            file: Mutex::new(file),
            entries: bytes / ENTRY_BYTES,
        };
        if book.looks_sorted() {
            Ok(book)
        } else {
            Err(BookError::Unsorted(path.to_owned()))
        }
    }

    /// Whether a sample of the entries is sorted; a text or a picture would not be.
    fn looks_sorted(&self) -> bool {
        const SAMPLES: u64 = 64;
        let mut file = self.file();
        let indices = (0..SAMPLES).map(|step| step * (self.entries - 1) / (SAMPLES - 1));
        let keys = indices.map(|index| entry(&mut file, index).map(|entry| entry.key));
        keys.is_sorted()
    }

    // ANCHOR: moves
    /// The book's moves in the present position, in the order of the file.
    ///
    /// Illegal moves are skipped. If the file cannot be read, the result is empty.
    pub fn moves(&self, history: &History) -> Vec<BookMove> {
        let key = key(history);
        let position = history.position();
        let mut file = self.file();
        let Some(first) = self.first_at_least(&mut file, key) else {
            return Vec::new();
        };
        // A valid book has no more entries for a position than it has moves.
        (first..self.entries)
            .take(MAX_MOVES)
            .map_while(|index| entry(&mut file, index).filter(|entry| entry.key == key))
            .filter_map(|entry| {
                Some(BookMove {
                    mv: decode(position, entry.mv)?,
                    weight: entry.weight,
                })
            })
            .collect()
    }
    // ANCHOR_END: moves

    /// The index of the first entry whose key is at least `key`, by bisection; `None` if the file
    /// cannot be read.
    fn first_at_least(&self, file: &mut File, key: u64) -> Option<u64> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low.midpoint(high);
            if entry(file, middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    fn file(&self) -> MutexGuard<'_, File> {
        // Each lookup sets the place, so a panic leaves nothing wrong.
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn entry(file: &mut File, index: u64) -> Option<BookEntry> {
    let mut bytes = [0; ENTRY_BYTES as usize];
    file.seek(SeekFrom::Start(index * ENTRY_BYTES)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    let number = u128::from_be_bytes(bytes);
    Some(BookEntry {
        key: (number >> 64) as u64,
        mv: (number >> 48) as u16,
        weight: (number >> 32) as u16,
    })
}

/// Decodes a book's move: `to` in bits 0-5, `from` in bits 6-11, promotion in bits 12-14.
///
/// Returns `None` unless the move is legal. Castling is written as king takes rook, as in [`Move`];
/// some programs write the king's move, such as e1g1, which is read too.
fn decode(position: &Position, bits: u16) -> Option<Move> {
    let promotion = match bits >> 12 {
        0 => None,
        1 => Some(PieceKind::Knight),
        2 => Some(PieceKind::Bishop),
        3 => Some(PieceKind::Rook),
        4 => Some(PieceKind::Queen),
        _ => return None,
    };
    let square = |bits: u16| Square::from_low_bits(usize::from(bits & 63));
    lan::find(position, square(bits >> 6), square(bits), promotion)
}

/// The move with the highest weight, the first of equals. `None` if all weights are 0.
pub fn best(moves: &[BookMove]) -> Option<Move> {
    let wanted = moves.iter().rev().filter(|book| book.weight > 0);
    wanted.max_by_key(|book| book.weight).map(|book| book.mv)
}

/// Draws a random move with probability proportional to its weight. `None` if all weights are 0.
pub fn choose_weighted(moves: &[BookMove], random: &mut impl Rng) -> Option<Move> {
    let total: u32 = moves.iter().map(|book| u32::from(book.weight)).sum();
    if total == 0 {
        return None;
    }
    let mut draw = random.random_range(0..total);
    let drawn = moves.iter().find(|book| {
        let weight = u32::from(book.weight);
        let is_drawn = draw < weight;
        draw = draw.saturating_sub(weight);
        is_drawn
    });
    drawn.map(|book| book.mv)
}
