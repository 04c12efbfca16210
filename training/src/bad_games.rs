//! The games of a file that cannot be read.

use std::path::Path;
use tabiya::tools::viriformat::GameError;

/// The bad games of a file: how many there are, and what is wrong with the first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BadGames {
    pub(crate) count: u64,
    first: Option<(usize, GameError)>,
}

impl BadGames {
    /// Counts the game that begins at byte `offset`.
    pub(crate) fn add(&mut self, offset: usize, error: GameError) {
        self.count += 1;
        self.first.get_or_insert((offset, error));
    }

    /// One line on the bad games of `file`; `None` if it has none.
    pub(crate) fn line(&self, file: &Path) -> Option<String> {
        let (offset, error) = self.first?;
        let (file, count) = (file.display(), self.count);
        let games = if count == 1 { "game" } else { "games" };
        Some(format!(
            "{file}: skipped {count} bad {games}, the first at byte {offset}: {error}"
        ))
    }
}
