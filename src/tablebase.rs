//! Endgame tablebases: what perfect play comes to with few pieces on the board. Syzygy's files, by Ronald de Man.
//!
//! Two tables belong to each combination of pieces. WDL says who wins, given that the fifty-move rule counts from now; DTZ
//! says how many half-moves the next capture or pawn move is away, which is what it takes to get there in time.
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
//! This is the only file that names the crate. It reads files with ordinary reads and checks what it reads, so a broken
//! table is an error and not the end of the program; it is maintained (0.28.1 of June 2026), tested against the whole
//! set of tables, asks for the Rust that we ask for, and is under our licence, GPL-3.0-or-later. `pyrrhic-rs` 0.2 takes
//! bitboards directly, where this one wants a position of `shakmaty` for each probe, but it is Fathom put through C2Rust
//! (two releases, both of 2024), 3400 lines of raw pointers that trust the files, in global tables.

use crate::board::Position;
use crate::types::{Color, PieceKind};
use shakmaty::{Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::{Syzygy, TableType};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

/// Who wins with perfect play, from the view of the side to move, if the last move was a capture or pawn move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// The opponent wins.
    Loss,
    /// The opponent would win, but not within the fifty-move rule.
    BlessedLoss,
    /// Nobody wins.
    Draw,
    /// The side to move would win, but not within the fifty-move rule.
    CursedWin,
    /// The side to move wins.
    Win,
}

/// A set of tables.
#[derive(Debug)]
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
}

/// Why there are no tables.
#[derive(Debug)]
pub enum TablebaseError {
    /// A folder cannot be read.
    Folder(PathBuf, io::Error),
    /// A file is named like a table and is none.
    Table(PathBuf, io::Error),
    /// No folder holds a table.
    Empty(String),
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
            Self::Empty(paths) => write!(f, "there are no tablebases in {paths}"),
        }
    }
}

impl std::error::Error for TablebaseError {}

impl Tablebase {
    /// Finds the tables in some folders, separated as in the system's `PATH`. A table's name, size and first bytes must
    /// be right; the rest of it is read when it is asked.
    ///
    /// # Errors
    /// If a folder or a table cannot be read, or there is no table.
    pub fn open(folders: &str) -> Result<Self, TablebaseError> {
        let mut tables = shakmaty_syzygy::Tablebase::new();
        for folder in env::split_paths(folders) {
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

    /// The most pieces of any table.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// Who wins, if the fifty-move rule counts from here; `None` if no table knows, or somebody may castle.
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

    /// Half-moves to the next capture, pawn move or mate: positive if the side to move wins, negative if it loses, 0 for a
    /// draw, beyond 100 if the fifty-move rule would come first. It may be one too few. `None` as for [`Self::wdl`].
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        let dtz = self.tables.probe_dtz(&translate(position)?).ok()?;
        Some(dtz.ignore_rounding().0)
    }
}

/// Adds a table; other files are left alone.
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
            "its first bytes are not those of a tablebase",
        ));
    }
    Ok(())
}

/// The position in the crate's terms; `None` if somebody may castle, which tables know nothing of.
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
        turn: shakmaty::Color::from_white(position.side_to_move() == Color::White),
        ep_square: position
            .en_passant()
            .map(|square| shakmaty::Square::new(square.index() as u32)),
        ..Setup::empty()
    };
    // What the two libraries call impossible need not be the same; tables answer for what is on the board.
    Chess::from_setup(setup, shakmaty::CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .ok()
}
