//! Results and draw claims by XBoard's rules.
//!
//! An engine whose result line XBoard finds false loses the game. XBoard is stricter than FIDE in
//! counting repetitions. It does not count
//!
//! - a position after a double pawn step that ended next to an enemy pawn,
//! - the start position, unless it knows that no en passant capture was possible,
//! - a position more than 100 plies ago.
//!
//! It accepts no claim before the first move. Result lines therefore follow this module, and draw
//! offers, which risk nothing, follow [`Claim`].
//!
//! Source: `Adjudicate` and `GameEnds` in `backend.c` of XBoard 4.9.1, and games in XBoard.

use crate::board::Position;
use crate::game::draw::{Claim, THREEFOLD};
use crate::game::{Draw, Game, Outcome, Win};
use crate::types::{FIFTY_MOVES, Move};

/// Number of plies that XBoard looks back for repetitions.
const MAX_PLIES_BACK: usize = 100;

/// The state of a game by XBoard's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Open,
    /// A player may claim this draw.
    Claimable(Draw),
    Over(Outcome),
}

/// The state of a game by XBoard's rules. `start_counts` is whether XBoard counts the start
/// position in repetitions.
pub(super) fn standing(game: &Game, start_counts: bool) -> Standing {
    let position = game.position();
    if let Some(mate) = Outcome::checkmate(position) {
        Standing::Over(mate)
    } else if position.is_stalemate() {
        Standing::Over(Outcome::Drawn(Draw::Stalemate))
    } else if game.history().moves().len() == 0 {
        Standing::Open
    } else if position.is_insufficient_material() {
        Standing::Over(Outcome::Drawn(Draw::InsufficientMaterial))
    } else if occurrences(game, start_counts) >= THREEFOLD {
        Standing::Claimable(Draw::ThreefoldRepetition)
    } else if position.halfmove_clock() >= FIFTY_MOVES {
        Standing::Claimable(Draw::FiftyMoves)
    } else {
        Standing::Open
    }
}

/// Whether FIDE's laws allow a draw claim with the move, or the move itself ends the game in a
/// draw.
///
/// XBoard may not accept a claim then, but an offer is always possible.
pub(super) fn move_draws(game: &Game, mv: Move) -> bool {
    let mut after = game.clone();
    Claim::find(game.history(), Some(mv)).is_some()
        || (after.replay(mv).is_ok() && matches!(after.outcome(), Some(Outcome::Drawn(_))))
}

/// The result line, which reports or claims the outcome.
pub(super) fn result_line(outcome: Outcome) -> String {
    let comment = match outcome {
        Outcome::Won { winner, by } => match by {
            Win::Checkmate => format!("{winner} mates"),
            Win::Resignation => format!("{} resigns", !winner),
            Win::Time => format!("{winner} wins on time"),
        },
        Outcome::Drawn(draw) => match draw {
            Draw::Stalemate => "Stalemate",
            Draw::InsufficientMaterial => "Draw by insufficient material",
            Draw::FiftyMoves => "Draw by fifty-move rule",
            Draw::ThreefoldRepetition => "Draw by repetition",
            _ => "Draw",
        }
        .to_owned(),
    };
    format!("{} {{{comment}}}", outcome.result())
}

/// A position of a game, with XBoard's flags for the move that led to it.
struct CountedPosition<'a> {
    position: &'a Position,
    /// Whether the move was neither a capture nor a pawn move.
    is_reversible: bool,
    /// Whether XBoard counts the position in repetitions.
    counts: bool,
}

/// Number of occurrences of the current position by XBoard's rules.
fn occurrences(game: &Game, start_counts: bool) -> u32 {
    let history = game.history();
    let moves = history.moves().rev().map(Some).chain([None]);
    let plies = history.positions().rev().zip(moves);
    let plies = plies.map(|(position, mv)| CountedPosition {
        position,
        is_reversible: mv.is_some() && position.halfmove_clock() > 0,
        counts: mv.map_or(start_counts, |mv| !position.is_double_step_beside_pawn(mv)),
    });
    let plies: Vec<_> = plies.take(MAX_PLIES_BACK + 1).collect();
    let repetitions = plies
        .windows(3)
        .step_by(2)
        .take(MAX_PLIES_BACK / 2)
        .map_while(|plies| match plies {
            [after, between, ply] => {
                let may_count = after.is_reversible && between.is_reversible && ply.counts;
                may_count.then_some(ply.position)
            }
            _ => None,
        })
        .filter(|position| same_board(position, history.position()));
    1 + repetitions.count() as u32
}

/// Whether two positions have the same pieces and castling rights. En passant does not matter.
fn same_board(a: &Position, b: &Position) -> bool {
    a.castling() == b.castling() && a.differing_squares(b).is_empty()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::game::lan;
    use crate::types::{CastlingMode, Color};

    /// The draws that XBoard grants, and the draws that only FIDE grants, in each scenario.
    #[test]
    fn claims_follow_xboard_and_offers_follow_fide() {
        let scenarios = include_str!("../../../tests/data/xboard_claims.txt");
        let mut count = 0;
        for line in scenarios.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<_> = line.split(';').map(str::trim).collect();
            let [name, fen, moves, claim, offer] = fields[..] else {
                panic!("not five fields: {line}")
            };
            let read = Position::from_fen_repaired(fen, Some(CastlingMode::Standard));
            let position = read.unwrap().position;
            let mut game = Game::new(position, CastlingMode::Standard);
            for text in moves.split_ascii_whitespace() {
                let mv = lan::parse(game.position(), text).unwrap();
                game.replay(mv).unwrap();
            }
            let expected = match claim {
                "-" => Standing::Open,
                "repetition" => Standing::Claimable(Draw::ThreefoldRepetition),
                "fifty" => Standing::Claimable(Draw::FiftyMoves),
                "insufficient" => Standing::Over(Outcome::Drawn(Draw::InsufficientMaterial)),
                _ => panic!("unknown claim: {line}"),
            };
            let start_counts = fen.split(' ').nth(3) == Some("-");
            assert_eq!(standing(&game, start_counts), expected, "{name}");
            if offer != "-" {
                let mv = lan::parse(game.position(), offer).unwrap();
                assert!(move_draws(&game, mv), "{name}");
            }
            count += 1;
        }
        assert_eq!(count, 18);
    }

    #[test]
    fn of_the_legal_moves_only_the_one_that_repeats_draws() {
        let mut game = Game::default();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
            let drawing = |mv: &Move| move_draws(&game, *mv);
            assert!(!game.position().legal_moves().iter().any(drawing), "{text}");
            let mv = lan::parse(game.position(), text).unwrap();
            game.replay(mv).unwrap();
        }
        let moves = game.position().legal_moves();
        let drawing = moves.iter().filter(|mv| move_draws(&game, **mv));
        let drawing: Vec<_> = drawing.map(ToString::to_string).collect();
        assert_eq!(drawing, ["f6g8"]);
    }

    #[test]
    fn result_lines_name_the_reason() {
        let lines = [
            Outcome::Won {
                winner: Color::White,
                by: Win::Checkmate,
            },
            Outcome::Drawn(Draw::Stalemate),
            Outcome::Drawn(Draw::FiftyMoves),
        ];
        assert_eq!(
            lines.map(result_line),
            [
                "1-0 {White mates}",
                "1/2-1/2 {Stalemate}",
                "1/2-1/2 {Draw by fifty-move rule}"
            ]
        );
    }
}
