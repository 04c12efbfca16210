//! Moves as people type them: `nf3`, `oo`, `Ke1-g1`, `E4`.

use crate::board::Position;
use crate::game::san::{self, SanError};
use crate::types::Move;

/// Parses a move in algebraic notation, or in a form that people type instead. The strict reading
/// comes first, so `bxc4` is a pawn's capture if that is legal, and otherwise a bishop's.
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, SanError> {
    let text = san::after_number(text).trim_start();
    let strict = san::parse(position, text);
    if !matches!(strict, Err(SanError::Syntax(_) | SanError::Illegal(_))) {
        return strict;
    }
    let lower = text.to_ascii_lowercase();
    let castling = match lower.replace('-', "").replace('o', "0").as_str() {
        "00" => "O-O",
        "000" => "O-O-O",
        _ => "",
    };
    // A king's move of two squares; `Ke1-g1` without its letter is castling in coordinates.
    let king = lower.strip_prefix('k').unwrap_or_default().replace('-', "");
    let castles = |text: &str| {
        san::parse(position, text)
            .ok()
            .filter(|mv| mv.is_castling())
    };
    let piece = format!(
        "{}{}",
        text.get(..1).unwrap_or_default().to_ascii_uppercase(),
        lower.get(1..).unwrap_or_default()
    );
    [castling, king.as_str()]
        .into_iter()
        .find_map(castles)
        .or_else(|| {
            [piece.as_str(), lower.as_str()]
                .into_iter()
                .find_map(|text| san::parse(position, text).ok())
        })
        .map_or(strict, Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_people_type_them() {
        let table = [
            ("4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1", "nf3", Some("g1f3")),
            ("4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1", "E4", Some("e2e4")),
            ("4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1", "RD1", Some("a1d1")),
            ("4k3/8/8/8/8/8/4PB2/R3K2R w KQ - 0 1", "oo", Some("e1g1")),
            ("4k3/8/8/8/8/8/4PB2/R3K2R w KQ - 0 1", "OO", Some("e1g1")),
            ("4k3/8/8/8/8/8/4PB2/R3K2R w KQ - 0 1", "000", Some("e1c1")),
            ("4k3/8/8/8/8/8/4PB2/R3K2R w KQ - 0 1", "o-o-o", Some("e1c1")),
            (
                "4k3/8/8/8/8/8/4PB2/R3K2R w KQ - 0 1",
                "Ke1-g1",
                Some("e1g1"),
            ),
            ("4k3/8/8/8/8/8/4PB2/R3K2R w KQ - 0 1", "ke1c1", Some("e1c1")),
            (
                "4k3/8/8/8/8/8/4PB2/R3K2R w KQ - 0 1",
                "ke1-d1",
                Some("e1d1"),
            ),
            (
                "4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1",
                "1. e4",
                Some("e2e4"),
            ),
            (
                "4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1",
                "12...nf3",
                Some("g1f3"),
            ),
            ("4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1", "1.", None),
            // The pawn's capture comes before the bishop's move.
            ("4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1", "bxc4", Some("b3c4")),
            ("4k3/8/8/8/2p5/3B4/8/4K3 w - - 0 1", "bxc4", Some("d3c4")),
            ("4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1", "oo", None),
            ("4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1", "kg1", None),
            ("4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1", "é", None),
            ("4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1", "k", None),
            ("4k3/8/8/8/8/8/4PB2/R3K1NR w KQ - 0 1", "", None),
        ];
        for (fen, text, expected) in table {
            let position = Position::from_fen(fen).ok();
            let read = position.and_then(|position| parse(&position, text).ok());
            // Castling is printed as king takes rook.
            let target = |mv: Move| mv.castling_king_target().unwrap_or(mv.to());
            let read = read.map(|mv| format!("{}{}", mv.from(), target(mv)));
            assert_eq!(read.as_deref(), expected, "{fen} {text}");
        }
    }
}
