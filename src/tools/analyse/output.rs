//! The output of an analysis. Finished games are appended to a file; a second file next to it keeps
//! the search results of the game in progress.
//!
//! `--resume` compares the games of the file with those of the input before it continues. A game
//! that is cut off at the end of the file, as after a crash, is removed and analysed again. The
//! results that were kept of it are used but not the transposition table, so later evaluations may
//! differ a little from those of a run in one go.

use super::input::Games;
use super::note::{OWN_TAGS, is_own_tag};
use crate::game::lan;
use crate::game::pgn::{PgnGame, ReadGame, Reader};
use crate::review::Evaluation;
use crate::tools::files::{STANDARD_OUTPUT, StandardOutput, named, open, read_bytes, write_whole};
use crate::types::{Move, Score};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Minimum time between two writes of the game in progress: each waits for the disk.
const KEEP_INTERVAL: Duration = Duration::from_millis(500);

/// The finished games and the game in progress.
pub(super) struct Output {
    /// The path; `None` for standard output.
    path: Option<PathBuf>,
    /// The open file, once a game is written.
    file: Option<File>,
    /// Whether an existing file is replaced.
    is_forced: bool,
    /// The length of the file up to the last finished game.
    length: u64,
    /// The length that the file should have, since only this run writes it. A game that is cut off
    /// is in it until the next one is written.
    length_on_disk: u64,
    /// Number of finished games.
    pub(super) done: usize,
    /// When a game in progress was kept last.
    kept_at: Option<Instant>,
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
    /// Prepares the output to a file, or to standard output for `None`. The file is created with
    /// the first game.
    ///
    /// # Errors
    /// Without `resume` and `is_forced`, if an earlier run has left files. Standard output cannot
    /// be resumed.
    pub(super) fn open(path: Option<PathBuf>, resume: bool, is_forced: bool) -> io::Result<Self> {
        let refuse = |reason| Err(io::Error::new(ErrorKind::AlreadyExists, reason));
        match &path {
            None if resume => return refuse("--resume needs an output file".to_owned()),
            Some(file) if !resume && !is_forced => {
                let left = [file.clone(), kept_file(file)];
                if let Some(file) = left.iter().find(|file| file.exists()) {
                    return refuse(format!(
                        "{} exists: use --resume to continue after its games, or --force to replace it",
                        file.display()
                    ));
                }
            }
            _ => {}
        }
        Ok(Self {
            path,
            file: None,
            is_forced,
            length: 0,
            length_on_disk: 0,
            done: 0,
            kept_at: None,
        })
    }

    /// Empties a file that is to be replaced, and forgets the game in progress of an earlier run: a
    /// later `--resume` must not take them for its own.
    ///
    /// # Errors
    /// If the file cannot be emptied.
    pub(super) fn start_anew(&mut self) -> io::Result<()> {
        let Some(path) = self.path.as_ref().filter(|_| self.is_forced) else {
            return Ok(());
        };
        forget_kept(path)?;
        if path.exists() {
            let emptied = File::options().write(true).truncate(true).open(path);
            emptied.map_err(named(path))?;
        }
        Ok(())
    }

    /// Skips the games of the input that the file has already.
    ///
    /// # Errors
    /// If the file cannot be read, or has other games than the input and is not forced.
    pub(super) fn resume(&mut self, games: &mut Peekable<Games<'_>>) -> io::Result<()> {
        let Some(path) = self.path.clone().filter(|path| path.exists()) else {
            return Ok(());
        };
        let file = open(&path)?;
        let length = file.metadata()?.len();
        let mut reader = Reader::new(BufReader::new(file)).peekable();
        let is_whole = length == 0 || byte_at(&path, length - 1)? == b'\n';
        self.length = length;
        self.length_on_disk = length;
        while let Some(read) = reader.next() {
            let read = read.map_err(named(&path))?;
            let is_last = reader.peek().is_none();
            let is_cut = is_last && !(read.is_terminated && is_whole);
            let number = self.done + 1;
            games.next_if(Result::is_err).transpose()?;
            let original = games.peek().and_then(|game| game.as_ref().ok());
            let cut_from = match original {
                Some(original) if is_cut => {
                    let start = start_of_line(&path, read.line)?;
                    let bytes = bytes_from(&path, start)?;
                    is_beginning(&read, &bytes, original).then_some(start)
                }
                _ => None,
            };
            if let Some(start) = cut_from {
                self.length = start;
            } else if original.is_some_and(|game| is_same(&read.game, game)) {
                self.done = number;
                games.next();
            } else if self.is_forced {
                // A game of another input.
                self.done = number;
            } else {
                return Err(io::Error::other(format!(
                    "game {number} of {} is not game {number} of the input: name another --out, or use \
                     --force to append to it",
                    path.display()
                )));
            }
        }
        // One line end ends the last game; the next one begins with another.
        while self.length > 1
            && byte_at(&path, self.length - 1)? == b'\n'
            && byte_at(&path, self.length - 2)? == b'\n'
        {
            self.length -= 1;
        }
        Ok(())
    }

    /// The kept results of the first positions of `game`.
    pub(super) fn kept(&self, game: &PgnGame) -> Vec<Evaluation> {
        let Some(file) = &self.path else {
            return Vec::new();
        };
        let read = read_bytes(&kept_file(file)).ok();
        let kept = read.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
        let Some(kept) = kept.filter(|kept| kept.game == game.to_string()) else {
            return Vec::new();
        };
        let positions = game.history().positions().copied();
        let restored = positions.zip(&kept.positions).map(|(mut position, kept)| {
            let line = kept.line.iter().map_while(|text| {
                let mv = lan::parse(&position, text).ok()?;
                position = position.play_unchecked(mv);
                Some(mv)
            });
            let line: Vec<Move> = line.collect();
            Evaluation {
                score: kept.score.map(Score),
                expected: kept.expected,
                line,
            }
        });
        restored.collect()
    }

    /// Keeps the results of the first positions of `game`, unless that was done a moment ago.
    pub(super) fn keep(&mut self, game: &PgnGame, found: &[Evaluation]) -> io::Result<()> {
        let is_new = self.kept_at.is_none_or(|at| at.elapsed() >= KEEP_INTERVAL);
        if is_new {
            self.keep_now(game, found)?;
        }
        Ok(())
    }

    /// Keeps the results of the first positions of `game`.
    pub(super) fn keep_now(&mut self, game: &PgnGame, found: &[Evaluation]) -> io::Result<()> {
        let Some(path) = self.path.as_ref().filter(|_| !found.is_empty()) else {
            return Ok(());
        };
        let write = |mv| lan::write(mv, game.mode());
        let position = |found: &Evaluation| KeptPosition {
            score: found.score.map(|score| score.0),
            expected: found.expected,
            line: found.line.iter().copied().map(write).collect(),
        };
        let kept = Kept {
            game: game.to_string(),
            positions: found.iter().map(position).collect(),
        };
        write_whole(&kept_file(path), &serde_json::to_vec(&kept)?)?;
        self.kept_at = Some(Instant::now());
        Ok(())
    }

    /// Appends a finished game. After an error the file is as before.
    pub(super) fn finish(&mut self, game: &PgnGame) -> io::Result<()> {
        let separator = if self.done > 0 { "\n" } else { "" };
        let text = format!("{separator}{game}");
        let Some(path) = self.path.clone() else {
            self.done += 1;
            let mut output = StandardOutput::open();
            output.write_all(text.as_bytes())?;
            return output.flush();
        };
        self.append(&path, text.as_bytes()).map_err(named(&path))?;
        self.done += 1;
        forget_kept(&path)
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => {
                let mut options = File::options();
                options
                    .write(true)
                    .create(true)
                    .truncate(false)
                    .open(path)?
            }
        };
        if file.metadata()?.len() != self.length_on_disk {
            return Err(io::Error::other("another program has changed it meanwhile"));
        }
        file.set_len(self.length)?;
        self.length_on_disk = self.length;
        file.seek(SeekFrom::End(0))?;
        if let Err(error) = file.write_all(bytes) {
            // The first error is the one to report.
            let _ = file.set_len(self.length);
            if self.length == 0 {
                let _ = fs::remove_file(path);
            }
            return Err(error);
        }
        self.length += bytes.len() as u64;
        self.length_on_disk = self.length;
        self.file = Some(file);
        Ok(())
    }

    /// Waits until the finished games are on the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        match (&self.file, &self.path) {
            (Some(file), Some(path)) => file.sync_all().map_err(named(path)),
            _ => Ok(()),
        }
    }

    /// The path; `None` for standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The name of the output.
    pub(super) fn name(&self) -> String {
        match &self.path {
            None => STANDARD_OUTPUT.to_owned(),
            Some(path) => path.display().to_string(),
        }
    }
}

/// Whether a game of the output is this game of the input, analysed.
fn is_same(written: &PgnGame, original: &PgnGame) -> bool {
    let tags = |game: &PgnGame| -> Vec<(String, String)> {
        let tags = game.tags().into_iter();
        let others = tags.filter(|(name, _)| !is_own_tag(name));
        others
            .map(|(name, value)| (name.to_owned(), value.into_owned()))
            .collect()
    };
    tags(written) == tags(original) && written.history().moves().eq(original.history().moves())
}

/// Whether a game that is cut off, written as `bytes`, is the beginning of this game of the input.
/// The last move may be cut too, and a tag.
///
/// Tags are compared as they are written, because a value that is cut may read as another one: in
/// a character, after an escape, in a FEN, or before the tag of the variant.
fn is_beginning(cut: &ReadGame, bytes: &[u8], original: &PgnGame) -> bool {
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        // Cut in a character.
        Err(error) if error.error_len().is_none() => {
            str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let (tags, last) = match text.split_once("\n\n") {
        Some((tags, _)) => (tags, ""),
        None => text.rsplit_once('\n').unwrap_or(("", text)),
    };
    let written = original.to_string();
    let (of_original, _) = written.split_once("\n\n").unwrap_or_default();
    let is_own = |line: &str| {
        let name = line.split('"').next().unwrap_or_default();
        OWN_TAGS
            .iter()
            .any(|own| format!("[{own} ").starts_with(name))
    };
    let is_whole = |line: &str| is_own(line) || of_original.lines().any(|tag| tag == line);
    let moves = cut.game.history().moves();
    let whole = moves.len().saturating_sub(1);
    tags.lines().all(is_whole)
        && (is_own(last) || of_original.lines().any(|tag| tag.starts_with(last)))
        && moves.len() <= original.history().moves().len()
        && moves.take(whole).eq(original.history().moves().take(whole))
}

/// The file that keeps the game in progress.
pub(super) fn kept_file(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".progress");
    output.with_file_name(name)
}

/// Removes the file of the game in progress, if there is one.
fn forget_kept(output: &Path) -> io::Result<()> {
    let kept = kept_file(output);
    match fs::remove_file(&kept) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(named(&kept)(error)),
        _ => Ok(()),
    }
}

fn byte_at(path: &Path, offset: u64) -> io::Result<u8> {
    let mut byte = [0];
    let mut file = open(path)?;
    file.seek(SeekFrom::Start(offset)).map_err(named(path))?;
    file.read_exact(&mut byte).map_err(named(path))?;
    Ok(byte[0])
}

/// The bytes of a file from an offset on.
fn bytes_from(path: &Path, offset: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = open(path)?;
    file.seek(SeekFrom::Start(offset)).map_err(named(path))?;
    file.read_to_end(&mut bytes).map_err(named(path))?;
    Ok(bytes)
}

/// The offset of the line with this number, from 1.
fn start_of_line(path: &Path, number: usize) -> io::Result<u64> {
    let mut input = BufReader::new(open(path)?);
    let mut offset = 0;
    for _ in 1..number {
        offset += input.skip_until(b'\n').map_err(named(path))? as u64;
    }
    Ok(offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::game::{GameResult, History};
    use crate::types::CastlingMode;

    fn refuses_what_another_writes(output: &mut Output, game: &PgnGame, bytes: &str) {
        let path = output.path().unwrap().to_owned();
        fs::write(&path, bytes).unwrap();
        let error = output.finish(game).unwrap_err().to_string();
        assert!(error.contains("another program"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), bytes);
    }

    #[test]
    fn a_file_that_another_program_changes_is_not_written() {
        let path = std::env::temp_dir().join(format!("tabiya-output-{}", std::process::id()));
        let history = History::new(Position::start());
        let game = PgnGame::new(history, CastlingMode::Standard, GameResult::Unknown);
        for is_forced in [false, true] {
            // It was not there at the start.
            let mut output = Output::open(Some(path.clone()), false, is_forced).unwrap();
            output.start_anew().unwrap();
            refuses_what_another_writes(&mut output, &game, "precious");
            fs::remove_file(&path).unwrap();
            // Another analysis begins the file anew after the first game.
            let mut output = Output::open(Some(path.clone()), false, is_forced).unwrap();
            output.finish(&game).unwrap();
            refuses_what_another_writes(&mut output, &game, "");
            fs::remove_file(&path).unwrap();
        }
    }
}
