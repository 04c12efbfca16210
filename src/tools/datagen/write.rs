//! The files of a datagen run: games in viriformat, and a manifest in JSON lines.

use super::{Settings, Totals};
use crate::eval::Network;
use crate::files::names_folder;
use crate::tools::files::{
    create_new, named, open_to_append_alone, read_bytes, refuse_standard, write_line,
};
use crate::tools::viriformat::{TrainingGame, read_games, write_game};
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files of a run.
pub(super) struct Files {
    pub(super) manifest: Manifest,
    /// One file per thread.
    pub(super) games: Vec<GameFile>,
}

impl Files {
    /// Creates the files and writes the settings to the manifest.
    ///
    /// # Errors
    /// If a file exists already or cannot be created, or the name is `-` or a folder. Files created
    /// before the error are removed.
    pub(super) fn create(settings: &Settings, network: &Network) -> io::Result<Self> {
        refuse_standard(&settings.out, "--out")?;
        refuse_folder(&settings.out)?;
        let name = |suffix: &str| {
            let mut name = settings.out.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        let games = (0..settings.threads).map(|index| name(&format!("-{index}.vf")));
        let paths: Vec<_> = [name(".jsonl")].into_iter().chain(games).collect();
        let mut files = Vec::new();
        for path in &paths {
            match create_new(path) {
                Ok(file) => files.push(file),
                Err(error) => {
                    for created in paths.iter().take(files.len()) {
                        // These files are empty. The first error is the one to report.
                        let _ = fs::remove_file(created);
                    }
                    return Err(error);
                }
            }
        }
        let mut files = files.into_iter().zip(paths);
        let (file, path) = files.next().ok_or(io::ErrorKind::NotFound)?;
        let mut manifest = Manifest { file, path };
        let begun = manifest.begin(settings, network);
        let games = files.map(|(file, path)| GameFile { file, path }).collect();
        let files = Self { manifest, games };
        match begun {
            Ok(()) => Ok(files),
            Err(error) => {
                remove_if_empty(&files.paths());
                Err(error)
            }
        }
    }

    /// The paths of the manifest and of the games.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let games = self.games.iter().map(|file| &file.path);
        [&self.manifest.path]
            .into_iter()
            .chain(games)
            .cloned()
            .collect()
    }
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

/// Removes the files of a run that has failed before its first game, so that it can be repeated.
/// The first one is the manifest.
pub(crate) fn remove_if_empty(paths: &[PathBuf]) {
    let is_empty = |path: &PathBuf| fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0);
    if paths.iter().skip(1).all(is_empty) {
        for path in paths {
            // The error of the run is the one to report.
            let _ = fs::remove_file(path);
        }
    }
}

/// How the games were made, in JSON lines.
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

    /// Writes the totals, the last line.
    pub(super) fn end(&mut self, totals: &Totals) -> io::Result<()> {
        self.append(&json!({ "totals": totals }))
    }

    fn append(&mut self, line: &serde_json::Value) -> io::Result<()> {
        write_line(&self.file, line).map_err(named(&self.path))
    }
}

/// A file of training games, written one whole game at a time.
#[derive(Debug)]
pub struct GameFile {
    file: File,
    path: PathBuf,
}

impl GameFile {
    /// Creates a file.
    ///
    /// # Errors
    /// If the file exists or cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
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
