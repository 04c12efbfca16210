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
//! broken table causes an error and not a crash. It is maintained (0.28.1 of June 2026), tested
//! against the complete set of tables, needs the same Rust version as this crate, and has the same
//! licence, GPL-3.0-or-later.
//!
//! The alternative, `pyrrhic-rs` 0.2, takes bitboards directly, where this crate needs a position
//! of `shakmaty` for each probe. But it is a C2Rust translation of Fathom (two releases, both of
//! 2024): 3400 lines of raw pointers that trust the files, with global tables.

use crate::board::Position;
use crate::types::{Color, PieceKind};
use shakmaty::{Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::filesystem::Filesystem;
use shakmaty_syzygy::{Syzygy, TableType};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fmt, fs, io};

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

/// Maximum number of folders.
pub const MAX_FOLDERS: usize = 100;

/// A set of tables.
#[derive(Debug)]
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
}

/// Why tables cannot be opened.
#[derive(Debug)]
pub enum TablebaseError {
    /// A folder cannot be read.
    Folder(PathBuf, io::Error),
    /// A file has the name of a table but is not one.
    Table(PathBuf, io::Error),
    /// The folders do not contain a table.
    Empty(String),
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
            Self::Empty(paths) => write!(f, "found no tablebases in {paths}"),
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
    /// Opens the tables in these folders, which are separated as in the system's `PATH`. Empty
    /// parts are skipped.
    ///
    /// The name, the size and the first bytes of a table are checked; the rest is read when it is
    /// probed.
    ///
    /// # Errors
    /// If a folder or a table cannot be read, if the folders do not contain a table, or if there
    /// are more than [`MAX_FOLDERS`].
    pub fn open(folders: &str) -> Result<Self, TablebaseError> {
        let parts = || env::split_paths(folders).filter(|part| !part.as_os_str().is_empty());
        let count = parts().count();
        if count > MAX_FOLDERS {
            return Err(TablebaseError::TooMany(count));
        }
        let mut tables = shakmaty_syzygy::Tablebase::with_filesystem(file_system());
        for folder in parts() {
            let unreadable = |error| TablebaseError::Folder(folder.clone(), error);
            for entry in fs::read_dir(&folder).map_err(unreadable)? {
                let path = entry.map_err(unreadable)?.path();
                add(&mut tables, &path).map_err(|error| TablebaseError::Table(path, error))?;
            }
        }
        if tables.max_pieces() == 0 {
            return Err(TablebaseError::Empty(folders.to_owned()));
        }
        Ok(Self { tables })
    }

    /// The maximum number of pieces of any table.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// The result, if the fifty-move rule counts from this position. `None` without a table for the
    /// position, or if a side may castle.
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

    /// Half-moves to the next capture, pawn move or mate; possibly one too low.
    ///
    /// Positive if the side to move wins, negative if it loses, 0 for a draw, beyond 100 if the
    /// fifty-move rule comes first. `None` as for [`Self::wdl`].
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        let dtz = self.tables.probe_dtz(&translate(position)?).ok()?;
        Some(dtz.ignore_rounding().0)
    }
}

/// Adds a table; ignores other files.
fn add(tables: &mut shakmaty_syzygy::Tablebase<Chess>, path: &Path) -> io::Result<()> {
    const KINDS: [TableType; 2] = [Chess::TBW, Chess::TBZ];
    let extension = path.extension();
    let Some(kind) = KINDS
        .into_iter()
        .find(|kind| extension.is_some_and(|extension| extension == kind.ext))
    else {
        return Ok(());
    };
    match tables.add_file(path) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(()),
        added => added?,
    }
    let mut magic = [0; 4];
    fs::File::open(path)?.read_exact(&mut magic)?;
    if magic != kind.magic {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the file does not begin as a tablebase does",
        ));
    }
    Ok(())
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
