//! Games to files: viriformat for the games, JSON lines for how they were made.

use super::adjudication::SelfPlayOutcome;
use super::selfplay::Record;
use super::start::Start;
use super::{Settings, Totals};
use crate::eval::Network;
use crate::tools::files::named;
use crate::types::{CastlingMode, Move, MoveKind, PieceKind, Score, Square};
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as VfMove, MoveFlags};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square as VfSquare;
use viriformat::dataformat::Game;

/// What the spare byte of a game's first position says: that this is a game…
pub(crate) const GAME: u8 = 0;
/// … or a lone position with its best move, whose outcome nobody knows.
pub(crate) const LONE_POSITION: u8 = 1;

/// The score of a position that was not searched in full.
pub(crate) const NO_SCORE: i16 = i16::MIN;

/// The files of a run.
pub(super) struct Files {
    pub(super) manifest: Manifest,
    /// One for each thread.
    pub(super) games: Vec<GameFile>,
}

impl Files {
    /// Creates the files and begins the manifest with what the games are made with.
    ///
    /// # Errors
    /// If one of them exists already or cannot be created; then none is left of those that did not exist before.
    pub(super) fn create(settings: &Settings, network: &Network) -> io::Result<Self> {
        let name = |suffix: &str| {
            let mut name = settings.out.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        let games = (0..settings.threads).map(|index| name(&format!("-{index}.vf")));
        let paths: Vec<_> = [name(".jsonl")].into_iter().chain(games).collect();
        let mut files = Vec::new();
        for path in &paths {
            match File::create_new(path).map_err(named(path)) {
                Ok(file) => files.push(file),
                Err(error) => {
                    for created in paths.iter().take(files.len()) {
                        // Nothing is in it; whoever cannot remove it is told of the error that matters.
                        let _ = fs::remove_file(created);
                    }
                    return Err(error);
                }
            }
        }
        let mut files = files.into_iter().zip(paths);
        let (file, path) = files.next().ok_or(io::ErrorKind::NotFound)?;
        let mut manifest = Manifest { file, path };
        manifest.begin(settings, network)?;
        let games = files.map(|(file, path)| GameFile { file, path }).collect();
        Ok(Self { manifest, games })
    }
}

/// What says how the games were made, in lines of JSON.
pub(super) struct Manifest {
    file: File,
    path: PathBuf,
}

impl Manifest {
    fn begin(&mut self, settings: &Settings, network: &Network) -> io::Result<()> {
        let engine = env!("CARGO_PKG_VERSION");
        let network = format!("{:016x}", network.fingerprint());
        self.append(&json!({ "engine": engine, "network": network, "settings": settings }))
    }

    /// Ends it with what was made.
    pub(super) fn end(&mut self, totals: &Totals) -> io::Result<()> {
        self.append(&json!({ "totals": totals }))
    }

    fn append(&mut self, line: &serde_json::Value) -> io::Result<()> {
        writeln!(self.file, "{line}").map_err(named(&self.path))
    }
}

/// A file that games are appended to, each whole and at once.
pub(in crate::tools) struct GameFile {
    file: File,
    path: PathBuf,
}

impl GameFile {
    /// A file that may be there already.
    #[cfg(feature = "tune")]
    pub(in crate::tools) fn open(path: &std::path::Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(path);
        Ok(Self {
            file: file.map_err(named(path))?,
            path: path.to_owned(),
        })
    }

    /// Appends a game, and the positions beside it, with one write: a kill between two games leaves a whole file.
    pub(in crate::tools) fn append(&mut self, record: &Record) -> io::Result<()> {
        let mut bytes = Vec::new();
        let (outcome, extra) = (record.outcome, GAME);
        to_viriformat(&record.start, &record.moves, outcome, extra)?.serialise_into(&mut bytes)?;
        for position in &record.tree {
            let (outcome, extra) = (SelfPlayOutcome::Draw, LONE_POSITION);
            let (mv, score) = position.best;
            let game = to_viriformat(&position.start, &[(mv, Some(score))], outcome, extra)?;
            game.serialise_into(&mut bytes)?;
        }
        self.file.write_all(&bytes).map_err(named(&self.path))
    }
}

fn to_viriformat(
    start: &Start,
    moves: &[(Move, Option<Score>)],
    outcome: SelfPlayOutcome,
    extra: u8,
) -> io::Result<Game> {
    let is_chess960 = start.mode == CastlingMode::Chess960;
    let mut board = Board::new();
    board
        .set_from_fen(&start.fen(), is_chess960)
        .map_err(io::Error::other)?;
    let outcome = match outcome {
        SelfPlayOutcome::WhiteWins => GameOutcome::WhiteWin(WinType::Mate),
        SelfPlayOutcome::BlackWins => GameOutcome::BlackWin(WinType::Mate),
        SelfPlayOutcome::Draw => GameOutcome::Draw(DrawType::Adjudication),
    };
    let initial_position = board.to_marlinformat(0, outcome.as_packed_u8(), extra);
    let mut game = Game {
        initial_position,
        moves: Vec::new(),
    };
    for &(mv, score) in moves {
        // Scores fit: the range of mates ends at 32000.
        let score = score.map_or(NO_SCORE, |score| score.0 as i16);
        game.add_move(to_viriformat_move(mv), score);
    }
    Ok(game)
}

fn to_viriformat_move(mv: Move) -> VfMove {
    let square = |square: Square| VfSquare::new_clamped(square as u8);
    let (from, to) = (square(mv.from()), square(mv.to()));
    match mv.kind() {
        MoveKind::Normal => VfMove::new(from, to),
        MoveKind::EnPassant => VfMove::new_with_flags(from, to, MoveFlags::EnPassant),
        MoveKind::Castling => VfMove::new_with_flags(from, to, MoveFlags::Castle),
        MoveKind::Promotion(kind) => VfMove::new_with_promo(
            from,
            to,
            match kind {
                PieceKind::Knight => PieceType::Knight,
                PieceKind::Bishop => PieceType::Bishop,
                PieceKind::Rook => PieceType::Rook,
                _ => PieceType::Queen,
            },
        ),
    }
}
