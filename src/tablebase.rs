//! Endgame tablebases: the result of perfect play with few pieces. The format is Syzygy, by Ronald
//! de Man.
//!
//! Each combination of pieces has two tables. WDL gives the winner if the fifty-move rule counts
//! from this position. DTZ gives the number of half-moves to the next capture or pawn move, which
//! is needed to win within the fifty-move rule.
//!
//! ```
//! use tabiya::board::Position;
//! use tabiya::tablebase::{Tablebase, Wdl};
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
//! let tables = Tablebase::open(folder).unwrap();
//! let position = Position::from_fen("8/8/8/4k3/8/8/8/K6R w - - 0 1").unwrap();
//! assert_eq!(tables.wdl(&position), Some(Wdl::Win));
//! assert!(tables.dtz(&position).unwrap() > 0);
//! ```
//!
//! # Why `shakmaty-syzygy`
//!
//! Only this file names the crate. It uses ordinary file reads and checks what it reads, so a
//! broken table has no results and crashes nothing. It is maintained (0.28.1 of June 2026), tested
//! against the complete set of tables, needs the same Rust version as this crate, and has the same
//! licence, GPL-3.0-or-later.
//!
//! The alternative, `pyrrhic-rs` 0.2, takes bitboards directly, where this crate needs a position
//! of `shakmaty` for each probe. But it is a C2Rust translation of Fathom (two releases, both of
//! 2024): 3400 lines of raw pointers that trust the files, with global tables.

use crate::board::Position;
use crate::files::open_regular;
use crate::types::{Color, PieceKind};
use shakmaty::{Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::filesystem::Filesystem;
use shakmaty_syzygy::{Syzygy, TableType};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs, io};

/// The result of perfect play for the side to move, if the last move was a capture or pawn move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

/// Bytes of the smallest table, more than the head of any.
const SMALLEST_TABLE: usize = 16;

/// Maximum number of folders.
pub const MAX_FOLDERS: usize = 100;

/// A set of tables.
#[derive(Debug)]
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    /// Numbers of WDL and DTZ tables.
    counts: [usize; 2],
    /// What cannot be used in the folders.
    problems: Vec<TablebaseError>,
}

/// Counts the tables: `5 WDL and 5 DTZ tables of up to 3 pieces`.
impl fmt::Display for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wdl, dtz] = self.counts;
        let pieces = self.max_pieces();
        write!(f, "{wdl} WDL and {dtz} DTZ tables of up to {pieces} pieces")
    }
}

/// Why tables cannot be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// A folder cannot be read.
    Folder(PathBuf, io::Error),
    /// A file has the name of a table but is not one.
    Table(PathBuf, io::Error),
    /// The folders contain no table that can be used: their list as it was given, and what is wrong
    /// with folders and tables.
    Empty(String, Vec<Self>),
    /// More than [`MAX_FOLDERS`] folders.
    TooMany(usize),
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path, error) => {
                write!(f, "the folder {} cannot be read: {error}", path.display())
            }
            Self::Table(path, error) => {
                write!(f, "the tablebase {} is unusable: {error}", path.display())
            }
            Self::Empty(paths, problems) if problems.is_empty() => {
                write!(f, "found no tablebases in {paths}")
            }
            Self::Empty(_, problems) => {
                write!(f, "found no tablebases: {}", summary(problems).join("; "))
            }
            Self::TooMany(count) => {
                write!(
                    f,
                    "{count} folders of tablebases are too many: at most {MAX_FOLDERS}"
                )
            }
        }
    }
}

impl std::error::Error for TablebaseError {}

/// The first problems, and the number of the others.
pub fn summary(problems: &[TablebaseError]) -> Vec<String> {
    const SHOWN: usize = 5;
    let shown = problems.iter().take(SHOWN).map(TablebaseError::to_string);
    let more = match problems.len().saturating_sub(SHOWN) {
        0 => None,
        more => Some(format!(
            "{more} more files or folders of tablebases are unusable"
        )),
    };
    shown.chain(more).collect()
}

#[cfg(any(unix, windows))]
fn file_system() -> Arc<dyn Filesystem> {
    Arc::new(shakmaty_syzygy::filesystem::OsFilesystem::new())
}

#[cfg(not(any(unix, windows)))]
fn file_system() -> Arc<dyn Filesystem> {
    Arc::new(NoFiles)
}

/// The file system of a browser.
#[cfg(not(any(unix, windows)))]
struct NoFiles;

#[cfg(not(any(unix, windows)))]
impl Filesystem for NoFiles {
    fn regular_file_size(&self, _: &Path) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open(&self, _: &Path) -> io::Result<Box<dyn shakmaty_syzygy::filesystem::RandomAccessFile>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Tablebase {
    /// Opens the tables in these folders, which are separated as in the system's `PATH`. Blanks
    /// around a folder and empty parts do not matter. Of tables with the same name, the first
    /// counts.
    ///
    /// The name, the size and the first bytes of a table, with its pieces, are checked; the rest is
    /// read when it is probed. [`Self::problems`] has the folders and tables that cannot be used.
    ///
    /// # Errors
    /// If no table can be used, or there are more than [`MAX_FOLDERS`] folders.
    pub fn open(folders: &str) -> Result<Self, TablebaseError> {
        let parts = split(folders).into_iter().map(|part| trimmed(&part));
        let parts: Vec<_> = parts.filter(|part| !part.as_os_str().is_empty()).collect();
        if parts.len() > MAX_FOLDERS {
            return Err(TablebaseError::TooMany(parts.len()));
        }
        let mut opened = Self {
            tables: shakmaty_syzygy::Tablebase::with_filesystem(file_system()),
            counts: [0; 2],
            problems: Vec::new(),
        };
        let mut names = HashSet::new();
        for folder in parts {
            match files_in(&folder) {
                Err(error) => opened.problems.push(TablebaseError::Folder(folder, error)),
                Ok(paths) => paths.iter().for_each(|path| opened.add(path, &mut names)),
            }
        }
        if opened.tables.max_pieces() == 0 {
            let problems = std::mem::take(&mut opened.problems);
            return Err(TablebaseError::Empty(folders.to_owned(), problems));
        }
        Ok(opened)
    }

    /// The folders and tables that cannot be used.
    pub fn problems(&self) -> &[TablebaseError] {
        &self.problems
    }

    /// Adds a table, unless one of this name is there; ignores other files, and names of more
    /// pieces than any table has.
    fn add(&mut self, path: &Path, names: &mut HashSet<OsString>) {
        const KINDS: [TableType; 2] = [Chess::TBW, Chess::TBZ];
        let extension = path.extension();
        let kind = KINDS
            .iter()
            .position(|kind| extension.is_some_and(|extension| extension == kind.ext));
        let stem = path.file_stem().and_then(OsStr::to_str);
        let material = stem.filter(|stem| is_material(stem));
        let (Some(kind), Some(material), Some(name)) = (kind, material, path.file_name()) else {
            return;
        };
        let pieces = material.len() - 1;
        if names.contains(name) || pieces > Chess::MAX_PIECES {
            return;
        }
        let checked = check_head(path, KINDS[kind].magic, material);
        let added = checked.and_then(|()| self.tables.add_file(path));
        match added {
            Ok(()) => {
                names.insert(name.to_owned());
                self.counts[kind] += 1;
            }
            Err(error) => self
                .problems
                .push(TablebaseError::Table(path.to_owned(), error)),
        }
    }

    /// The maximum number of pieces of any table.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// The result, if the fifty-move rule counts from this position. `None` if a side may castle,
    /// and without a table for the position that can be read.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        let wdl = self.tables.probe_wdl_after_zeroing(&translate(position)?);
        Some(match wdl.ok()? {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }

    /// Half-moves to the next capture, pawn move or mate, by magnitude possibly one too few.
    ///
    /// Positive if the side to move wins, negative if it loses, 0 for a draw, beyond 100 if the
    /// fifty-move rule comes first. `None` as for [`Self::wdl`].
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        let dtz = self.tables.probe_dtz(&translate(position)?).ok()?;
        Some(dtz.ignore_rounding().0)
    }
}

/// The folders of a list.
#[cfg(any(unix, windows))]
fn split(folders: &str) -> Vec<PathBuf> {
    std::env::split_paths(folders).collect()
}

/// The list as one folder: a browser has no `PATH`, and the standard library panics there.
#[cfg(not(any(unix, windows)))]
fn split(folders: &str) -> Vec<PathBuf> {
    vec![folders.into()]
}

/// The path without blanks around it.
fn trimmed(path: &Path) -> PathBuf {
    path.to_str()
        .map_or_else(|| path.to_owned(), |text| text.trim().into())
}

/// The paths in a folder, in order.
fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Whether a name is that of a table: the pieces of both sides, such as `KQvKR`.
fn is_material(name: &str) -> bool {
    let is_side = |side: &str| {
        let letters = side.strip_prefix('K');
        letters.is_some_and(|letters| letters.bytes().all(|letter| b"QRBNP".contains(&letter)))
    };
    let sides = name.split_once('v');
    sides.is_some_and(|(one, other)| is_side(one) && is_side(other))
}

/// Checks that a file is a regular one, begins as a table does, and has the pieces of its name.
fn check_head(path: &Path, magic: [u8; 4], name: &str) -> io::Result<()> {
    let invalid = |reason| Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    let mut head = [0; SMALLEST_TABLE];
    match open_regular(path)?.read_exact(&mut head) {
        Ok(()) if head.starts_with(&magic) => {}
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error),
        _ => return invalid("the file does not begin as a tablebase does"),
    }
    if has_pieces(&head, name) {
        Ok(())
    } else {
        invalid("it is the tablebase of other pieces")
    }
}

/// Whether a table begins with the pieces of a name such as `KQvKR`, of either colour.
fn has_pieces(head: &[u8; SMALLEST_TABLE], name: &str) -> bool {
    // A pawn has the code 1 and a king 6; Black's codes are higher by 8.
    const BLACK: u8 = 8;
    let Some((one, other)) = name.split_once('v') else {
        return false;
    };
    // Four bytes of magic, one of flags, one of order, or two if both sides have pawns. In the byte
    // of each piece, the low half is for White to move.
    let start = 6 + usize::from(one.contains('P') && other.contains('P'));
    let Some(bytes) = head.get(start..start + one.len() + other.len()) else {
        return false;
    };
    let mut found: Vec<_> = bytes.iter().map(|byte| byte & 15).collect();
    found.sort_unstable();
    let code = |letter| PieceKind::from_letter(letter).map(|kind| kind.index() as u8 + 1);
    let is_found = |white: &str, black: &str| {
        let black = black.chars().filter_map(code).map(|code| code + BLACK);
        let mut wanted: Vec<u8> = white.chars().filter_map(code).chain(black).collect();
        wanted.sort_unstable();
        found == wanted
    };
    is_found(one, other) || is_found(other, one)
}

/// Converts the position. `None` if a side may castle, which tables do not cover.
fn translate(position: &Position) -> Option<Chess> {
    if position.castling().rooks().any() {
        return None;
    }
    let kind = |kind| shakmaty::Bitboard(position.kind(kind).0);
    let color = |color| shakmaty::Bitboard(position.color(color).0);
    let roles = shakmaty::ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let colors = shakmaty::ByColor {
        black: color(Color::Black),
        white: color(Color::White),
    };
    let setup = Setup {
        board: shakmaty::Board::try_from_bitboards(roles, colors).ok()?,
        turn: shakmaty::Color::from_white(position.side_to_move().is_white()),
        ep_square: position
            .en_passant()
            .map(|square| shakmaty::Square::new(square.index() as u32)),
        ..Setup::empty()
    };
    // `shakmaty` rejects some positions that are legal here; the tables cover them all the same.
    Chess::from_setup(setup, shakmaty::CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .ok()
}
