//! Games to files: viriformat for the games, JSON lines for how they were made.

use super::selfplay::{Outcome, Record};
use super::{Settings, Totals};
use crate::types::{CastlingMode, Move, MoveKind, PieceKind, Square};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as VfMove, MoveFlags};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square as VfSquare;
use viriformat::dataformat::Game;

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

    /// Appends a game with one write, so that a kill between two games leaves a whole file.
    pub(super) fn append(&mut self, record: &Record) -> io::Result<()> {
        let mut bytes = Vec::new();
        to_viriformat(record)?.serialise_into(&mut bytes)?;
        self.0.write_all(&bytes)
    }
}

fn to_viriformat(record: &Record) -> io::Result<Game> {
    let setup = record.start.position.to_setup();
    let is_chess960 = record.start.mode == CastlingMode::Chess960;
    let fen = if is_chess960 {
        setup.to_shredder_fen()
    } else {
        setup.to_string()
    };
    let mut board = Board::new();
    board
        .set_from_fen(&fen, is_chess960)
        .map_err(io::Error::other)?;
    let mut game = Game::new(&board);
    for &(mv, score) in &record.moves {
        // Scores fit: the range of mates ends at 32000.
        game.add_move(to_viriformat_move(mv), score.0 as i16);
    }
    game.set_outcome(match record.outcome {
        Outcome::WhiteWins => GameOutcome::WhiteWin(WinType::Mate),
        Outcome::BlackWins => GameOutcome::BlackWin(WinType::Mate),
        Outcome::Draw => GameOutcome::Draw(DrawType::Adjudication),
    });
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
pub(super) fn begin_manifest(settings: &Settings) -> io::Result<()> {
    let engine = env!("CARGO_PKG_VERSION");
    append_to_manifest(
        settings,
        &json!({ "engine": engine, "evaluation": "hand-made", "settings": settings }),
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
