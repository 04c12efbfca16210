//! The files of a datagen run: games in viriformat, and a manifest in JSON lines.

use super::Settings;
use crate::eval::Network;
use crate::files::names_folder;
use crate::tools::files::{
    create_new, named, open_to_append_alone, read_bytes, refuse_standard, write_line,
};
use crate::tools::viriformat::{TrainingGame, read_games, write_game};
use serde::Serialize;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files of a run.
pub(crate) struct Files {
    manifest: File,
    manifest_path: PathBuf,
    /// The files of games.
    pub(crate) games: Vec<GameFile>,
}

impl Files {
    /// Creates the files, and writes `head` to the manifest: how the games are made.
    ///
    /// # Errors
    /// If a file exists already, or cannot be created or written. Files created before the error
    /// are removed.
    pub(crate) fn create(manifest: &Path, games: &[PathBuf], head: &Value) -> io::Result<Self> {
        let mut files = Self {
            manifest: create_new(manifest)?,
            manifest_path: manifest.to_owned(),
            games: Vec::new(),
        };
        let mut begin = || {
            for path in games {
                files.games.push(GameFile::create(path)?);
            }
            files.write_line(head)
        };
        match begin() {
            Ok(()) => Ok(files),
            Err(error) => {
                files.remove_if_empty();
                Err(error)
            }
        }
    }

    /// Writes the totals, the last line of the manifest.
    pub(crate) fn end(&self, totals: &impl Serialize) -> io::Result<()> {
        self.write_line(&json!({ "totals": totals }))
    }

    fn write_line(&self, line: &Value) -> io::Result<()> {
        write_line(&self.manifest, line).map_err(named(&self.manifest_path))
    }

    /// Removes the files of a run that has failed before its first game, so that it can be
    /// repeated.
    pub(crate) fn remove_if_empty(self) {
        let games = self.games.into_iter().map(|game| game.path);
        let games: Vec<_> = games.collect();
        let is_empty = |path: &PathBuf| fs::metadata(path).is_ok_and(|data| data.len() == 0);
        if games.iter().all(is_empty) {
            for path in games.iter().chain([&self.manifest_path]) {
                // The error of the run is the one to report.
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Creates the files of a run of datagen.
///
/// # Errors
/// As [`Files::create`], or if the name is `-` or a folder.
pub(super) fn create(settings: &Settings, network: &Network) -> io::Result<Files> {
    refuse_standard(&settings.out, "--out")?;
    refuse_folder(&settings.out)?;
    let name = |suffix: &str| {
        let mut name = settings.out.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let games = (0..settings.threads).map(|index| name(&format!("-{index}.vf")));
    let games: Vec<_> = games.collect();
    let engine = env!("CARGO_PKG_VERSION");
    let network = format!("{:016x}", network.fingerprint());
    let head = json!({ "engine": engine, "network": network, "settings": settings });
    Files::create(&name(".jsonl"), &games, &head)
}

/// Refuses a beginning of file names that is only a folder: the manifest would be hidden, and games
/// would have a name like an option.
fn refuse_folder(out: &Path) -> io::Result<()> {
    if names_folder(out) {
        let (shown, example) = (out.display(), out.join("games"));
        let example = example.display();
        let reason = format!("--out {shown} needs the beginning of file names, such as {example}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    Ok(())
}

/// A file of training games, written one whole game at a time.
#[derive(Debug)]
pub struct GameFile {
    file: File,
    path: PathBuf,
}

impl GameFile {
    fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: create_new(path)?,
            path: path.to_owned(),
        })
    }

    /// Opens a file to append to, and creates it if it does not exist. A last game that was cut off
    /// is removed, because a reader could not find the games behind it.
    ///
    /// # Errors
    /// If the file cannot be opened or created, is in use by another process, or has no games.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = open_to_append_alone(path)?;
        let bytes = read_bytes(path)?;
        if let Some((end, _)) = read_games(&bytes).find(|(_, game)| game.is_err()) {
            // Nothing is cut off a file of another kind.
            let first = read_games(&bytes).next().and_then(|(_, game)| game.ok());
            if first.is_none_or(|game| game.positions().is_err()) {
                let reason = format!("{} is not a file of training games", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
            }
            file.set_len(end as u64).map_err(named(path))?;
        }
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// Appends a game and its tree positions in one write. A process killed between two games
    /// leaves a valid file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, game: &TrainingGame) -> io::Result<()> {
        let mut bytes = Vec::new();
        write_game(game, &mut bytes);
        let length = self.file.metadata().map_err(named(&self.path))?.len();
        self.file.write_all(&bytes).map_err(|error| {
            // A disk that is full takes a part. The first error is the one to report.
            let _ = self.file.set_len(length);
            named(&self.path)(error)
        })
    }
}
