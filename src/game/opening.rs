//! Names of openings, with their codes in the Encyclopaedia of Chess Openings.
//!
//! The list is that of Lichess (<https://github.com/lichess-org/chess-openings>), which is in the
//! public domain (CC0). `build.rs` packs it; it is unpacked at its first use.

use super::{History, san};
use crate::board::Position;
use crate::types::Key;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The list as `build.rs` packs it.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openings.bin"));

/// A named opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opening {
    /// Code, such as `C70`.
    pub eco: &'static str,
    /// Name, without the code.
    pub name: &'static str,
}

/// The opening of a position, by any move order; `None` if it has no name. The first call takes
/// longer, because it unpacks the list.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::game::opening;
/// let fen = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4";
/// let opening = opening::of_position(&Position::from_fen(fen).unwrap()).unwrap();
/// assert_eq!((opening.eco, opening.name), ("C70", "Ruy Lopez: Morphy Defense"));
/// ```
pub fn of_position(position: &Position) -> Option<Opening> {
    let (eco, name) = code_and_name(position)?.split_once(' ')?;
    Some(Opening { eco, name })
}

/// The opening of a game: that of the last position that has one.
pub fn of(history: &History) -> Option<Opening> {
    history.positions().rev().find_map(of_position)
}

/// The code and name of a game's opening, as one text.
///
/// ```
/// use tabiya::game::{Game, opening};
/// let mut game = Game::default();
/// for text in ["Nf3", "Nc6", "e4", "e5", "Bb5", "a6"] {
///     game.push_san(text).unwrap();
/// }
/// let name = "C70 Ruy Lopez: Morphy Defense";
/// assert_eq!(opening::name(game.history()), Some(name));
/// ```
pub fn name(history: &History) -> Option<&'static str> {
    history.positions().rev().find_map(code_and_name)
}

/// The code and name of a position's opening.
fn code_and_name(position: &Position) -> Option<&'static str> {
    static NAMES: LazyLock<HashMap<Key, String>> = LazyLock::new(|| {
        let openings = unpack(PACKED).into_iter();
        openings
            .map(|opening| (opening.position.key(), opening.name))
            .collect()
    });
    NAMES.get(&position.key()).map(String::as_str)
}

/// An opening of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unpacked {
    /// Code and name: `A82 Dutch Defense: Staunton Gambit`.
    name: String,
    /// The position after its moves.
    position: Position,
}

/// Unpacks the list. What is not in the format ends it, which a test excludes.
fn unpack(packed: &[u8]) -> Vec<Unpacked> {
    let end = packed.windows(2).position(|pair| pair == b"\n\n");
    let (dictionary, records) = packed.split_at(end.map_or(0, |end| end + 2));
    let dictionary = str::from_utf8(dictionary).unwrap_or_default();
    let dictionary: Vec<_> = dictionary.lines().collect();
    let mut bytes = records.iter().map(|&byte| usize::from(byte));
    let mut openings = Vec::new();
    let mut name: Vec<&str> = Vec::new();
    // The start position and those after each move.
    let mut positions = vec![Position::start()];
    let mut read = || -> Option<Unpacked> {
        let word = |bytes: &mut dyn Iterator<Item = usize>| {
            let number = match bytes.next()? {
                first @ 0..240 => first,
                first => 240 + ((first - 240) << 8 | bytes.next()?),
            };
            dictionary.get(number).copied()
        };
        name.truncate(bytes.next()?);
        for _ in 0..bytes.next()? {
            name.push(word(&mut bytes)?);
        }
        positions.truncate(1 + bytes.next()?);
        for _ in 0..bytes.next()? {
            let position = *positions.last()?;
            let mv = san::parse(&position, word(&mut bytes)?).ok()?;
            positions.push(position.play_unchecked(mv));
        }
        Some(Unpacked {
            name: name.join(" "),
            position: *positions.last()?,
        })
    };
    while let Some(opening) = read() {
        openings.push(opening);
    }
    openings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list before it is packed: code, name and moves, with a line of titles.
    const LIST: &str = include_str!("openings.tsv");

    #[test]
    fn every_line_of_the_list_is_unpacked() {
        let openings = unpack(PACKED);
        assert_eq!(openings.len(), 3807);
        for (line, opening) in LIST.lines().skip(1).zip(&openings) {
            let [code, name, moves] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
            assert_eq!(opening.name, format!("{code} {name}"));
            let mut position = Position::start();
            for text in moves.split(' ').filter(|word| !word.ends_with('.')) {
                position = position.play_unchecked(san::parse(&position, text).unwrap());
            }
            assert_eq!(opening.position, position, "{line}");
        }
    }

    #[test]
    fn every_opening_has_a_position_of_its_own() {
        let mut names = HashMap::new();
        for Unpacked { name, position } in unpack(PACKED) {
            let other = names.insert(position.key(), name.clone());
            assert_eq!(other, None, "{name}");
        }
    }

    #[test]
    fn the_packed_list_is_small() {
        assert!(PACKED.len() < 64 << 10, "{}", PACKED.len());
    }

    #[test]
    fn the_last_named_position_gives_the_name() {
        let table = [
            ("d4 f5 e4", "A82 Dutch Defense: Staunton Gambit"),
            ("d4 f5 e4 a6 h3 h6", "A82 Dutch Defense: Staunton Gambit"),
            // By another order of moves.
            ("e4 f5 d4", "A82 Dutch Defense: Staunton Gambit"),
            ("c4 e6 d4 Nf6 g3", "E00 Catalan Opening"),
            ("e4", "B00 King's Pawn Game"),
        ];
        for (moves, expected) in table {
            let mut history = History::new(Position::start());
            for text in moves.split(' ') {
                let mv = san::parse(history.position(), text).unwrap();
                history.play(mv).unwrap();
            }
            assert_eq!(name(&history), Some(expected), "{moves}");
            let Opening { eco, name } = of(&history).unwrap();
            assert_eq!(format!("{eco} {name}"), expected, "{moves}");
        }
    }
}
