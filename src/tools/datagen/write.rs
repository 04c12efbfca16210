//! Games to files: viriformat for the games, JSON lines for how they were made.

use super::selfplay::{Record, SelfPlayOutcome};
use super::start::Start;
use super::{Settings, Totals};
use crate::eval::Network;
use crate::types::{CastlingMode, Move, MoveKind, PieceKind, Score, Square};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as VfMove, MoveFlags};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square as VfSquare;
use viriformat::dataformat::Game;

/// What the spare byte of a game's first position says: that this is a game…
pub(crate) const GAME: u8 = 0;
/// … or a lone position with its best move, whose outcome nobody knows.
pub(crate) const LONE_POSITION: u8 = 1;

/// A file that games are appended to, each whole and at once.
pub(super) struct GameFile(File);

impl GameFile {
    /// Creates the file of one thread.
    ///
    /// # Errors
    /// If it exists already or cannot be created.
    pub(super) fn create(out: &Path, index: usize) -> io::Result<Self> {
        let path = with_suffix(out, &format!("-{index}.vf"));
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .map(Self)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }

    /// Appends a game, and the positions beside it, with one write: a kill between two games leaves a whole file.
    pub(super) fn append(&mut self, record: &Record) -> io::Result<()> {
        let mut bytes = Vec::new();
        let (outcome, extra) = (record.outcome, GAME);
        to_viriformat(&record.start, &record.moves, outcome, extra)?.serialise_into(&mut bytes)?;
        for aside in &record.aside {
            let (outcome, extra) = (SelfPlayOutcome::Draw, LONE_POSITION);
            let game = to_viriformat(&aside.start, &[aside.best], outcome, extra)?;
            game.serialise_into(&mut bytes)?;
        }
        self.0.write_all(&bytes)
    }
}

fn to_viriformat(
    start: &Start,
    moves: &[(Move, Score)],
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
        game.add_move(to_viriformat_move(mv), score.0 as i16);
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

/// Begins the manifest with what the games are made with.
pub(super) fn begin_manifest(settings: &Settings, network: &Network) -> io::Result<()> {
    let engine = env!("CARGO_PKG_VERSION");
    let network = format!("{:016x}", network.fingerprint());
    append_to_manifest(
        settings,
        &json!({ "engine": engine, "network": network, "settings": settings }),
    )
}

/// Ends the manifest with what was made.
pub(super) fn end_manifest(settings: &Settings, totals: &Totals) -> io::Result<()> {
    append_to_manifest(settings, &json!({ "totals": totals }))
}

fn append_to_manifest(settings: &Settings, line: &serde_json::Value) -> io::Result<()> {
    let path = with_suffix(&settings.out, ".jsonl");
    writeln!(
        OpenOptions::new().append(true).create(true).open(path)?,
        "{line}"
    )
}

fn with_suffix(out: &Path, suffix: &str) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
