//! Results and claims, as XBoard judges them.
//!
//! A result line that XBoard does not agree with loses the game, and its board is stricter than FIDE: it counts no
//! occurrence that arose by a double step beside an enemy pawn, none at a start of which it does not know that no
//! capture en passant was possible, and none a hundred plies ago; and it flags nothing before the first move. So there
//! are two counters: this one for result lines, that of [`Claim`] for offers, which never cost anything.
//!
//! Read in `backend.c` of XBoard 4.9.1 (`Adjudicate`, `GameEnds`) and seen in its games.

use crate::board::Position;
use crate::game::draw::{Claim, THREEFOLD};
use crate::game::{Draw, Game, Outcome, Win, material};
use crate::types::{Color, FIFTY_MOVES, Move, PieceKind};

/// How many plies XBoard looks back for repetitions.
const LOOKS_BACK: usize = 100;

/// What XBoard's board says about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Open,
    /// Drawn if a player says so.
    Claimable(Draw),
    Over(Outcome),
}

/// What XBoard's board says. `start_counts` if the position before the first move may be one of a repetition.
pub(super) fn standing(game: &Game, start_counts: bool) -> Standing {
    let position = game.position();
    if !position.has_legal_move() {
        let (winner, by) = (!position.side_to_move(), Win::Checkmate);
        return Standing::Over(match position.in_check() {
            true => Outcome::Won { winner, by },
            false => Outcome::Drawn(Draw::Stalemate),
        });
    }
    if game.history().moves().len() == 0 {
        Standing::Open
    } else if material::is_insufficient(position) {
        Standing::Over(Outcome::Drawn(Draw::InsufficientMaterial))
    } else if occurrences(game, start_counts) >= THREEFOLD {
        Standing::Claimable(Draw::ThreefoldRepetition)
    } else if position.halfmove_clock() >= FIFTY_MOVES {
        Standing::Claimable(Draw::FiftyMoves)
    } else {
        Standing::Open
    }
}

/// Whether FIDE's laws let the player to move claim a draw with a move, or the move draws by itself.
///
/// XBoard may not see it, but may always be offered a draw.
pub(super) fn move_draws(game: &Game, mv: Move) -> bool {
    let mut after = game.clone();
    Claim::find(game.history(), Some(mv)).is_some()
        || (after.replay(mv).is_ok() && matches!(after.outcome(), Some(Outcome::Drawn(_))))
}

/// The line that tells or claims the result.
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

/// A position of a game, and what XBoard keeps about the move to it.
struct CountedPosition<'a> {
    position: &'a Position,
    /// Neither a capture nor a pawn move led here.
    is_reversible: bool,
    /// The position may be one of a repetition.
    counts: bool,
}

/// How often the position has been on the board, as XBoard counts.
fn occurrences(game: &Game, start_counts: bool) -> u32 {
    let history = game.history();
    let start = CountedPosition {
        position: history.start(),
        is_reversible: false,
        counts: start_counts,
    };
    let positions = history.steps().map(|(position, _)| position).skip(1);
    let positions = positions.chain([history.position()]);
    let plies = history.steps().zip(positions);
    let plies = plies.map(|((before, mv), position)| {
        let is_pawn = before.kind(PieceKind::Pawn).contains(mv.from());
        let is_capture = !mv.is_castling() && before.occupied().contains(mv.to());
        CountedPosition {
            position,
            is_reversible: !is_pawn && !is_capture,
            counts: !steps_beside_pawn(before, mv),
        }
    });
    let mut plies: Vec<_> = [start].into_iter().chain(plies).collect();
    plies.reverse();
    let earlier = plies
        .windows(3)
        .step_by(2)
        .take(LOOKS_BACK / 2)
        .map_while(|plies| match plies {
            [after, between, ply] => {
                let may_count = after.is_reversible && between.is_reversible && ply.counts;
                may_count.then_some(ply.position)
            }
            _ => None,
        })
        .filter(|position| same_board(position, history.position()));
    1 + earlier.count() as u32
}

/// A double step of a pawn to the side of an enemy pawn, whether that may take it or not.
fn steps_beside_pawn(before: &Position, mv: Move) -> bool {
    let us = before.side_to_move();
    let is_double_step = before.pieces(us, PieceKind::Pawn).contains(mv.from())
        && mv.from().rank().index().abs_diff(mv.to().rank().index()) == 2;
    let enemies = before.pieces(!us, PieceKind::Pawn);
    let mut sides = [-1, 1]
        .into_iter()
        .filter_map(|file| mv.to().offset(file, 0));
    is_double_step && sides.any(|square| enemies.contains(square))
}

/// The same pieces on the same squares with the same castling rights; captures en passant do not matter.
fn same_board(a: &Position, b: &Position) -> bool {
    a.castling() == b.castling()
        && a.color(Color::White) == b.color(Color::White)
        && a.color(Color::Black) == b.color(Color::Black)
        && PieceKind::ALL
            .into_iter()
            .all(|kind| a.kind(kind) == b.kind(kind))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::game::lan;
    use crate::types::CastlingMode;

    /// A draw that XBoard would grant, or FIDE, in each of its scenarios.
    #[test]
    fn xboard_and_the_laws_are_told_apart() {
        let scenarios = include_str!("../../../tests/data/xboard_claims.txt");
        let mut count = 0;
        for line in scenarios.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<_> = line.split(';').map(str::trim).collect();
            let [name, fen, moves, claim, offer] = fields[..] else {
                panic!("five fields: {line}")
            };
            let position = Position::from_fen(fen).unwrap();
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
                _ => panic!("no claim: {line}"),
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
    fn results_in_words() {
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
