//! Endings to practise: positions with a known result, by theme.
//!
//! The learner plays one side against the engine, which defends most stubbornly.
//! `benches/examples/endings.rs` plays each out with the engine on both sides.

use crate::types::Color;

/// What the learner is to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// A win.
    Win,
    /// A draw.
    Draw,
}

/// An ending to practise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The theme, such as "Rook endings".
    pub theme: &'static str,
    /// The name of the position.
    pub name: &'static str,
    /// The position.
    pub fen: &'static str,
    /// The learner's side.
    pub side: Color,
    /// The result with best play.
    pub goal: Goal,
    /// The idea, in one sentence.
    pub idea: &'static str,
}

const fn ending(
    theme: &'static str,
    name: &'static str,
    fen: &'static str,
    side: Color,
    goal: Goal,
    idea: &'static str,
) -> Ending {
    Ending {
        theme,
        name,
        fen,
        side,
        goal,
        idea,
    }
}

use Color::{Black, White};
use Goal::{Draw, Win};

const MATES: &str = "Mates";
const KING_AND_PAWN: &str = "King and pawn";
const PAWNS: &str = "Pawn endings";
const ROOKS: &str = "Rook endings";
const QUEENS: &str = "Queen against pawn or rook";
const PIECES: &str = "Bishops and knights";

/// All endings, those of a theme together.
#[rustfmt::skip]
pub const ENDINGS: [Ending; 35] = [
    ending(MATES, "Two rooks", "8/8/8/4k3/8/8/8/R3K2R w - - 0 1", White, Win, "One rook cuts the king off, the other gives check; they take turns."),
    ending(MATES, "Queen", "8/8/8/4k3/8/8/8/3QK3 w - - 0 1", White, Win, "The queen takes squares away until the king stands at the edge; beware of stalemate."),
    ending(MATES, "Rook", "8/8/8/4k3/8/8/8/4K2R w - - 0 1", White, Win, "Make the box of the rook smaller, and let your king help."),
    ending(MATES, "Two bishops", "8/8/3k4/8/8/8/8/2B1KB2 w - - 0 1", White, Win, "Side by side the bishops make a wall; mate comes in a corner."),
    ending(MATES, "Bishop and knight", "8/8/3k4/8/8/8/8/1N2KB2 w - - 0 1", White, Win, "Mate can be forced only in a corner of the bishop's colour."),
    ending(MATES, "Bishop and knight, the wrong corner", "7k/5K2/8/4NB2/8/8/8/8 w - - 0 1", White, Win, "The knight draws a W, from e5 over d7 and c5 to b7, while king and bishop keep the other king at the edge."),
    ending(KING_AND_PAWN, "The king on the sixth rank", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", White, Win, "A king on the sixth rank in front of its pawn wins, whoever is to move, unless it is a rook pawn."),
    ending(KING_AND_PAWN, "The spare tempo", "8/8/4k3/8/4K3/8/4P3/8 w - - 0 1", White, Win, "A pawn move gives the opposition."),
    ending(KING_AND_PAWN, "The way to the key squares", "8/8/1k6/8/8/8/3P4/3K4 w - - 0 1", White, Win, "The king goes first, to a square two ranks in front of its pawn."),
    ending(KING_AND_PAWN, "Straight back", "8/8/8/4k3/4P3/4K3/8/8 b - - 0 1", Black, Draw, "Go back in the pawn's file, and take the opposition when the king comes."),
    ending(KING_AND_PAWN, "The opposition", "4k3/8/8/4K3/4P3/8/8/8 w - - 0 1", White, Win, "The kings face each other with one square between, and the one that must move gives way."),
    ending(KING_AND_PAWN, "The rook pawn", "8/5k2/8/8/7P/6K1/8/8 b - - 0 1", Black, Draw, "The king in the corner in front of a rook pawn cannot be driven out."),
    ending(KING_AND_PAWN, "Outside the square", "8/8/8/P6k/8/8/8/7K w - - 0 1", White, Win, "The king must be able to step into the square of the pawn, or it is too late."),
    ending(KING_AND_PAWN, "Into the square", "8/8/8/P3k3/8/8/8/7K b - - 0 1", Black, Draw, "One step into the square of the pawn is enough."),
    ending(PAWNS, "Réti's manoeuvre", "7K/8/k1P5/7p/8/8/8/8 w - - 0 1", White, Draw, "The diagonal is as short as the file: the king runs after both pawns at once."),
    ending(PAWNS, "Breakthrough", "8/ppp5/8/PPP5/6k1/8/8/6K1 w - - 0 1", White, Win, "Two pawns are given so that the third runs."),
    ending(PAWNS, "Triangulation", "2k5/8/p1P5/P2K4/8/8/8/8 w - - 0 1", White, Win, "The king takes three moves to a square that it could reach in two, and the opponent is to move."),
    ending(PAWNS, "The outside passed pawn", "8/8/4k3/5p1p/P4P1P/4K3/8/8 w - - 0 1", White, Win, "The far pawn draws the king away, and the other pawns fall."),
    ending(PAWNS, "The protected passed pawn", "8/5k2/8/3Pp1p1/4P1P1/5K2/8/8 w - - 0 1", White, Win, "The other king must stay near the passed pawn, and yours walks around it."),
    ending(ROOKS, "Lucena", "1K6/1P1k4/8/8/8/8/r7/2R5 w - - 0 1", White, Win, "The rook on the fourth rank builds a bridge against the checks."),
    ending(ROOKS, "Philidor", "4k3/7R/8/3KP3/8/r7/8/8 b - - 0 1", Black, Draw, "Hold the sixth rank until the pawn steps there, then check from behind."),
    ending(ROOKS, "Vancura", "R7/6k1/P4r2/2K5/8/8/8/8 b - - 0 1", Black, Draw, "Attack the rook pawn from the side, and check when the king protects it."),
    ending(ROOKS, "The last rank against a knight pawn", "r5k1/1R6/6K1/6P1/8/8/8/8 b - - 0 1", Black, Draw, "Against a knight pawn a rook on its last rank holds."),
    ending(ROOKS, "Rook against pawn", "R7/8/8/3k4/3p4/8/8/4K3 w - - 0 1", White, Win, "The king in front of the pawn, the rook behind it."),
    ending(ROOKS, "The king cut off", "8/8/1KP2k2/8/8/8/3R4/2r5 w - - 0 1", White, Win, "The rook keeps the king three files away, and the pawn runs to Lucena's position."),
    ending(QUEENS, "A pawn in the middle", "Q7/8/8/K7/8/8/3pk3/8 w - - 0 1", White, Win, "Checks drive the king in front of its pawn; then your own king comes a step nearer."),
    ending(QUEENS, "The rook pawn on the seventh", "8/6K1/8/8/1Q6/8/pk6/8 b - - 0 1", Black, Draw, "With the king in the corner before its pawn, the queen's king has no time: it would be stalemate."),
    ending(QUEENS, "The bishop pawn", "8/5K2/8/8/1Q6/8/2p5/1k6 b - - 0 1", Black, Draw, "The king in the corner may leave the pawn, because taking it stalemates."),
    ending(QUEENS, "Philidor's queen against rook", "1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1", White, Win, "The same position with the other side to move separates rook and king."),
    ending(PIECES, "The wrong bishop", "7k/8/8/5K2/7P/8/8/3B4 b - - 0 1", Black, Draw, "The bishop does not control the corner, so the king cannot be driven out."),
    ending(PIECES, "The right bishop", "7k/8/8/5K2/7P/8/8/2B5 w - - 0 1", White, Win, "The bishop controls the corner."),
    ending(PIECES, "Bishops of opposite colours", "4k3/8/3K4/3P4/8/8/1b6/5B2 b - - 0 1", Black, Draw, "The bishop keeps a square in front of the pawn under control."),
    ending(PIECES, "A fortress: bishop against rook", "7k/8/6K1/8/8/8/b7/3R4 b - - 0 1", Black, Draw, "The corner that the bishop does not control is safe."),
    ending(PIECES, "A knight guards the pawn", "k7/P7/8/1N1K4/8/8/8/8 b - - 0 1", Black, Draw, "With the knight on guard the corner is stalemate when the king comes."),
    ending(PIECES, "Two knights", "4k3/8/8/8/8/8/8/1N2K1N1 b - - 0 1", Black, Draw, "Two knights cannot force mate; just do not step into one."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::types::CastlingMode;
    use std::collections::HashSet;

    #[test]
    fn every_ending_is_a_legal_position_with_the_learner_to_move() {
        let mut names = HashSet::new();
        for ending in &ENDINGS {
            let position = Position::from_fen(ending.fen).unwrap();
            assert_eq!(position.side_to_move(), ending.side, "{}", ending.name);
            assert_eq!(position.to_fen(CastlingMode::Standard), ending.fen);
            assert!(position.has_legal_move(), "{}", ending.name);
            assert!(names.insert((ending.theme, ending.name)), "{}", ending.name);
            let is_sentence = ending.idea.ends_with('.') && ending.idea.len() > 20;
            assert!(is_sentence, "{}", ending.name);
        }
    }
}
