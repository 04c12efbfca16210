//! The output of an analysis. A file has the finished games; a second file next to it keeps the
//! search results of the game in progress. Both are replaced only by complete new ones, so a run
//! that is cut off, or finds the disk full, loses one position at most.

use super::Found;
use crate::game::lan;
use crate::game::pgn::{PgnGame, Reader};
use crate::tools::files::{named, read_bytes, write_whole};
use crate::types::{Move, Score};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The finished games and the game in progress.
pub(super) struct Output {
    /// The file; `None` for standard output.
    file: Option<PathBuf>,
    /// The finished games of the file.
    text: String,
    /// Number of finished games.
    pub(super) done: usize,
}

/// The game in progress, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// The game without the analysis; results for another game are not used.
    game: String,
    positions: Vec<KeptPosition>,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptPosition {
    /// Score in centipawns for the side to move.
    score: Option<i32>,
    /// White's expected score.
    expected: f64,
    /// The best line in coordinates.
    line: Vec<String>,
}

impl Output {
    /// Opens the output file, or standard output for `None`.
    ///
    /// # Errors
    /// Without `resume`, if an earlier run has left files. Standard output cannot be resumed.
    pub(super) fn open(file: Option<PathBuf>, resume: bool) -> io::Result<Self> {
        let refuse = |reason| Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        let mut output = Self {
            file,
            text: String::new(),
            done: 0,
        };
        match &output.file {
            None if resume => return refuse("--resume needs an output file".to_owned()),
            Some(file) if !resume => {
                let left = [file.clone(), kept_file(file)];
                if let Some(file) = left.iter().find(|file| file.exists()) {
                    return refuse(format!(
                        "{} exists: use --resume to continue after its games",
                        file.display()
                    ));
                }
            }
            Some(file) if file.exists() => {
                let bytes = read_bytes(file)?;
                output.done = Reader::new(bytes.as_slice()).count();
                output.text = String::from_utf8_lossy(&bytes).into_owned();
            }
            _ => {}
        }
        Ok(output)
    }

    /// The kept results of the first positions of `game`.
    pub(super) fn kept(&self, game: &PgnGame) -> Vec<Found> {
        let Some(file) = &self.file else {
            return Vec::new();
        };
        let read = fs::read(kept_file(file)).ok();
        let kept = read.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
        let Some(kept) = kept.filter(|kept| kept.game == game.to_string()) else {
            return Vec::new();
        };
        let history = game.history();
        let positions = (0..=history.moves().len()).map(|plies| *history.until(plies).position());
        let restored = positions.zip(&kept.positions).map(|(mut position, kept)| {
            let line = kept.line.iter().map_while(|text| {
                let mv = lan::parse(&position, text).ok()?;
                position = position.play_unchecked(mv);
                Some(mv)
            });
            let line: Vec<Move> = line.collect();
            Found {
                score: kept.score.map(Score),
                expected: kept.expected,
                line,
            }
        });
        restored.collect()
    }

    /// Keeps the results of the first positions of `game`.
    pub(super) fn keep(&self, game: &PgnGame, found: &[Found]) -> io::Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let write = |mv| lan::write(mv, game.mode());
        let position = |found: &Found| KeptPosition {
            score: found.score.map(|score| score.0),
            expected: found.expected,
            line: found.line.iter().copied().map(write).collect(),
        };
        let kept = Kept {
            game: game.to_string(),
            positions: found.iter().map(position).collect(),
        };
        write_whole(&kept_file(file), &serde_json::to_vec(&kept)?)
    }

    /// Writes a finished game.
    pub(super) fn finish(&mut self, game: &PgnGame) -> io::Result<()> {
        let separator = if self.done > 0 { "\n" } else { "" };
        let text = format!("{separator}{game}");
        self.done += 1;
        match &self.file {
            None => {
                let mut output = io::stdout().lock();
                output.write_all(text.as_bytes())?;
                output.flush()
            }
            Some(file) => {
                self.text += &text;
                write_whole(file, self.text.as_bytes())?;
                let kept = kept_file(file);
                fs::remove_file(&kept).map_err(named(&kept))
            }
        }
    }

    /// The name of the output.
    pub(super) fn name(&self) -> String {
        match &self.file {
            None => "standard output".to_owned(),
            Some(file) => file.display().to_string(),
        }
    }
}

/// The file that keeps the game in progress.
fn kept_file(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".progress");
    output.with_file_name(name)
}
