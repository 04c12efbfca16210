//! The export format of PGN (PGN standard, 3.2 and 8).

use super::note::words;
use super::{Note, PgnGame};
use crate::game::san;
use std::fmt::{self, Write as _};

/// Maximum line length: fewer than 80 characters (PGN standard, 4.3).
const WIDTH: usize = 79;

/// The export format, with a blank line after the tags and none at the end: put one between games.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        let mut column = 0;
        for token in self.movetext() {
            let width = token.chars().count();
            if column == 0 || column + 1 + width > WIDTH {
                f.write_char('\n')?;
                column = width;
            } else {
                f.write_char(' ')?;
                column += 1 + width;
            }
            f.write_str(&token)?;
        }
        f.write_char('\n')
    }
}

impl PgnGame {
    /// Move numbers, moves with their notes, and the result. Black's moves are numbered at the
    /// start and after comments and variations.
    fn movetext(&self) -> Vec<String> {
        let notes = |plies| self.notes(plies).iter().flat_map(Note::words);
        let mut tokens: Vec<_> = notes(0).collect();
        if let Some(foreign) = &self.foreign {
            tokens.extend(words(&foreign.movetext));
        }
        let mut is_interrupted = true;
        for (plies, (position, mv)) in (1..).zip(self.history.steps()) {
            tokens.extend(san::move_number(position, is_interrupted));
            tokens.push(san::write(position, mv));
            tokens.extend(notes(plies));
            is_interrupted = self
                .notes(plies)
                .iter()
                .any(|note| !matches!(note, Note::Glyph(_)));
        }
        tokens.push(self.result.to_string());
        tokens
    }
}
