//! Names of openings, with their codes in the Encyclopaedia of Chess Openings.

use super::{History, san};
use crate::board::Position;
use crate::types::Key;
use std::collections::HashMap;
use std::sync::LazyLock;

/// In each line: a code, a name, a colon, and the moves that lead to the position.
const OPENINGS: &str = include_str!("openings.txt");

/// The code and name of a game's opening: the name of the last position that has one, by any move
/// order.
///
/// ```
/// use tabiya::game::{Game, opening};
/// let mut game = Game::default();
/// for text in ["Nf3", "Nc6", "e4", "e5", "Bb5", "a6"] {
///     game.push_san(text).unwrap();
/// }
/// assert_eq!(opening::name(game.history()), Some("C70 Ruy Lopez, Morphy Defence"));
/// ```
pub fn name(history: &History) -> Option<&'static str> {
    static NAMES: LazyLock<HashMap<Key, &'static str>> = LazyLock::new(|| {
        let named = OPENINGS.lines().filter_map(read);
        named
            .map(|(name, position)| (position.key(), name))
            .collect()
    });
    let positions = history
        .steps()
        .map(|(position, mv)| position.play_unchecked(mv));
    positions
        .filter_map(|position| NAMES.get(&position.key()).copied())
        .last()
}

/// Parses a line into a name and a position.
fn read(line: &'static str) -> Option<(&'static str, Position)> {
    let (name, moves) = line.split_once(": ")?;
    let play =
        |position: Position, text| Some(position.play_unchecked(san::parse(&position, text).ok()?));
    let position = moves.split(' ').try_fold(Position::start(), play)?;
    Some((name, position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_a_position_of_its_own() {
        let mut names = HashMap::new();
        for line in OPENINGS.lines() {
            let (name, position) = read(line).unwrap_or_else(|| panic!("{line}"));
            let (code, _) = name.split_once(' ').unwrap();
            let is_code = matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
            assert!(is_code, "{line}");
            assert_eq!(names.insert(position.key(), name), None, "{line}");
        }
        assert!(names.len() > 100);
    }
}
