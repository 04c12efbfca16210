//! The lines that an engine gives. They may end in a move that is not legal.

use serde::Serialize;
use tabiya::board::Position;
use tabiya::game::{lan, san};
use tabiya::types::{CastlingMode, Color, Move};

/// A move of a line.
#[derive(Serialize)]
pub(crate) struct LineAnswer {
    uci: String,
    san: String,
    /// Such as `12.`; empty for Black's moves after the first.
    number: String,
    /// The position after the move.
    fen: String,
}

/// The moves of a line, in coordinates or SAN, up to the first that is not legal.
pub(crate) fn legal_line(position: &Position, texts: &[String]) -> Vec<Move> {
    let mut position = *position;
    let moves = texts.iter().map_while(|text| {
        let mv = san::parse(&position, text).ok()?;
        position = position.play_unchecked(mv);
        Some(mv)
    });
    moves.collect()
}

/// The legal moves of a line with their positions.
pub(crate) fn describe(
    position: &Position,
    mode: CastlingMode,
    texts: &[String],
) -> Vec<LineAnswer> {
    let mut position = *position;
    let mut line = Vec::new();
    for mv in legal_line(&position, texts) {
        let after = position.play_unchecked(mv);
        line.push(LineAnswer {
            uci: lan::write(mv, mode),
            san: san::write(&position, mv),
            number: match (position.side_to_move(), line.is_empty()) {
                (Color::White, _) => format!("{}.", position.fullmove_number()),
                (Color::Black, true) => format!("{}...", position.fullmove_number()),
                (Color::Black, false) => String::new(),
            },
            fen: after.to_fen(mode),
        });
        position = after;
    }
    line
}
