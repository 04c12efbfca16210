//! Results as people write them: `1 - 0`, `1:0`, `½–½`, `0.5-0.5`.

use super::text::is_blank;
use crate::game::GameResult;
use crate::game::san::is_dash;

/// What stands at the start of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A result, and its length.
    Result(GameResult, usize),
    /// A result that the next line may complete: `1/2`, or `1/2 -`.
    Part,
    /// Something else.
    Other,
}

/// A player's half points, by the text. A longer text comes before its own beginning.
const POINTS: [(&str, u8); 7] = [
    ("1/2", 1),
    ("0.5", 1),
    ("0,5", 1),
    ("½", 1),
    ("1", 2),
    ("0", 0),
    (".5", 1),
];

/// A game that both players have lost (FIDE 11.8), and castling as the Laws write it.
pub(super) const LOST_BY_BOTH: &str = "0-0";

/// Finds a result of two numbers at the start of the text, with or without blanks.
pub(super) fn find(text: &str) -> Found {
    let points = |text: &str| {
        let found = POINTS.iter().find(|(name, _)| text.starts_with(name));
        found.map(|&(name, points)| (points, name.len()))
    };
    let skip = |text: &str| text.len() - text.trim_start_matches(is_blank).len();
    let Some((white, mut length)) = points(text) else {
        return Found::Other;
    };
    length += skip(&text[length..]);
    if length == text.len() {
        return Found::Part;
    }
    let Some(sign) = text[length..]
        .chars()
        .next()
        .filter(|&sign| sign == ':' || is_dash(sign))
    else {
        return Found::Other;
    };
    length += sign.len_utf8();
    length += skip(&text[length..]);
    if length == text.len() {
        return Found::Part;
    }
    let Some((black, digits)) = points(&text[length..]) else {
        return Found::Other;
    };
    length += digits;
    let is_end = |next: char| is_blank(next) || "[]{}();$*,.".contains(next);
    let result = match (white, black) {
        (2, 0) => GameResult::WhiteWins,
        (0, 2) => GameResult::BlackWins,
        (1, 1) => GameResult::Drawn,
        // Castling with zeros, and others.
        _ => return Found::Other,
    };
    match text[length..].chars().next() {
        Some(next) if !is_end(next) => Found::Other,
        _ => Found::Result(result, length),
    }
}

/// Reads the value of a `Result` tag; `None` if it is not a result.
pub(super) fn read(text: &str) -> Option<GameResult> {
    let text = text.trim_matches(is_blank);
    Some(match text {
        // A forfeit, as in tables of tournaments.
        "+:-" | "+/-" => GameResult::WhiteWins,
        "-:+" | "-/+" => GameResult::BlackWins,
        "1/2" | "½" | "=:=" => GameResult::Drawn,
        "*" => GameResult::Unknown,
        _ => match find(text) {
            Found::Result(result, length) if length == text.len() => result,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_people_write_them() {
        use GameResult::{BlackWins, Drawn, Unknown, WhiteWins};
        let table = [
            ("1-0", Some(WhiteWins)),
            ("1 - 0", Some(WhiteWins)),
            ("1–0", Some(WhiteWins)),
            ("1:0", Some(WhiteWins)),
            ("+:-", Some(WhiteWins)),
            ("0 -1", Some(BlackWins)),
            ("0—1", Some(BlackWins)),
            ("1/2 - 1/2", Some(Drawn)),
            ("½-½", Some(Drawn)),
            ("½ – ½", Some(Drawn)),
            ("0.5-0.5", Some(Drawn)),
            ("1/2", Some(Drawn)),
            (" 1-0 ", Some(WhiteWins)),
            ("*", Some(Unknown)),
            ("", None),
            ("?", None),
            ("0-0", None),
            ("1-1", None),
            ("1-0 ff", None),
            ("draw", None),
            ("1-", None),
            ("10-0", None),
            ("1-01", None),
        ];
        for (text, expected) in table {
            assert_eq!(read(text), expected, "{text}");
        }
        for part in ["1/2", "1 ", "0 -", "1/2 - "] {
            assert_eq!(find(part), Found::Part, "{part}");
        }
        assert_eq!(find("1 - 0 {x}"), Found::Result(WhiteWins, 5));
    }
}
