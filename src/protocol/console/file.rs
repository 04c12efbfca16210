//! Saves and loads games as PGN files.

use crate::files::{open_regular, write_whole};
use crate::game::Game;
use crate::game::pgn::{PgnGame, ReadGame, Reader};
use std::fmt;
use std::io::{self, BufReader};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Why a game was not saved or loaded, with the name of the file.
#[derive(Debug)]
pub(super) enum FileError {
    Io(String, io::Error),
    /// The path is a folder, where a file is to be written or read.
    Folder(String),
    /// The folder of a new file is missing.
    NoFolder(String),
    /// The file does not contain a game.
    Empty(String),
    /// The file has only this many games.
    NoSuchGame(String, usize),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) if error.kind() == io::ErrorKind::AlreadyExists => {
                write!(
                    f,
                    "{path} already exists: choose another name, or type save -f {path}"
                )
            }
            Self::Io(path, error) => write!(f, "{path}: {error}"),
            Self::Folder(path) => write!(f, "{path} is a folder: add the name of a file"),
            Self::NoFolder(path) => write!(f, "there is no folder {path}"),
            Self::Empty(path) => write!(f, "no game found in {path}"),
            Self::NoSuchGame(path, 1) => write!(f, "{path} has one game only"),
            Self::NoSuchGame(path, games) => write!(f, "{path} has {games} games only"),
        }
    }
}

impl std::error::Error for FileError {}

/// The game as PGN. A loaded game keeps its tags and notes; another gets tags for the players and
/// the date.
pub(super) fn to_pgn(game: &Game, loaded: Option<&PgnGame>, players: [&str; 2]) -> PgnGame {
    if let Some(loaded) = loaded {
        return loaded.continued(game);
    }
    let mut pgn = PgnGame::from_game(game);
    let date = date(SystemTime::now());
    let [white, black] = players;
    let tags = [("Date", date.as_str()), ("White", white), ("Black", black)];
    for (name, value) in tags {
        // These tags are valid.
        let _ = pgn.set_tag(name, value);
    }
    pgn
}

/// Writes the game to a file. Replaces an existing file only with `replaces`. After an error
/// nothing has changed.
pub(super) fn save(pgn: &PgnGame, path: &str, replaces: bool) -> Result<(), FileError> {
    let file = Path::new(path);
    if file.is_dir() {
        return Err(FileError::Folder(path.to_owned()));
    }
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(FileError::NoFolder(folder.display().to_string()));
    }
    let write = || {
        if file.exists() && !replaces {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        write_whole(file, pgn.to_string().as_bytes())
    };
    write().map_err(|error| FileError::Io(path.to_owned(), error))
}

/// Reads the game with this number, from 1. Returns it and the number of games in the file.
pub(super) fn load(path: &str, number: usize) -> Result<(ReadGame, usize), FileError> {
    let io_error = |error| FileError::Io(path.to_owned(), error);
    if Path::new(path).is_dir() {
        return Err(FileError::Folder(path.to_owned()));
    }
    let file = open_regular(Path::new(path)).map_err(io_error)?;
    let (mut found, mut games, mut is_empty) = (None, 0, true);
    for read in Reader::new(BufReader::new(file)) {
        let read = read.map_err(io_error)?;
        games += 1;
        is_empty &= read.is_blank();
        if games == number {
            found = Some(read);
        }
    }
    if is_empty {
        return Err(FileError::Empty(path.to_owned()));
    }
    let found = found.ok_or_else(|| FileError::NoSuchGame(path.to_owned(), games))?;
    Ok((found, games))
}

/// The game after its first `plies` half-moves, or after all if it has fewer.
pub(super) fn game_after(pgn: &PgnGame, plies: usize) -> Game {
    Game::resume(pgn.history().until(plies), pgn.mode())
}

/// The UTC date in PGN's form, `2026.11.21`; question marks before 1970.
fn date(time: SystemTime) -> String {
    let Ok(since) = time.duration_since(UNIX_EPOCH) else {
        return "????.??.??".to_owned();
    };
    let mut days = since.as_secs() / (24 * 60 * 60);
    let mut year = 1970;
    while days >= days_in_year(year) {
        days -= days_in_year(year);
        year += 1;
    }
    let february = days_in_year(year) - 337;
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}.{month:02}.{:02}", days + 1)
}

const fn days_in_year(year: u64) -> u64 {
    if year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400) {
        366
    } else {
        365
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_are_written_in_pgn_form() {
        let table = [
            (0, "1970.01.01"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_704_067_199, "2023.12.31"),
            (1_795_219_200, "2026.11.21"),
        ];
        for (seconds, expected) in table {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }
}
