//! Playing worse on purpose.
//!
//! One mechanism for `UCI_Elo` and `Skill Level`: the search may use only so many nodes, looks at several lines, and errs
//! in judging them, each by a random number of centipawns; the line that seems best then is played. A win that is proven
//! within those nodes is played out, so a weak engine still mates. [`LEVELS`] says which numbers make which rating.

use crate::search::Handicap;
use rand::RngExt;

/// The least `UCI_Elo`, that of `Skill Level` 0.
pub const MIN_ELO: u32 = LEVELS[0].elo;
/// The greatest `UCI_Elo`.
pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;
/// The `Skill Level` that means full strength.
pub const FULL_SKILL: u32 = 20;

/// What plays at a rating.
struct Level {
    elo: u32,
    nodes: f64,
    /// The spread of the errors, in centipawns.
    error: f64,
}

/// Measured by `tests/strength/levels.py` against Stockfish with the same `UCI_Elo`; `docs/levels.md` has the games. Weak
/// levels see little and misjudge much; strong ones only see less far.
const LEVELS: [Level; 9] = [
    level(1000, 130.0, 360.0),
    level(1350, 245.0, 120.0),
    level(1600, 310.0, 60.0),
    level(1800, 930.0, 45.0),
    level(2000, 8_000.0, 30.0),
    level(2100, 15_000.0, 25.0),
    level(2200, 32_000.0, 20.0),
    level(2400, 140_000.0, 10.0),
    level(2600, 450_000.0, 0.0),
];

const fn level(elo: u32, nodes: f64, error: f64) -> Level {
    Level { elo, nodes, error }
}

/// What plays at about that rating: between two measured levels nodes grow by equal factors and errors shrink by equal steps.
pub(super) fn of_elo(elo: u32) -> Handicap {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let above = LEVELS.partition_point(|level| level.elo < elo).max(1);
    let (low, high) = (&LEVELS[above - 1], &LEVELS[above]);
    let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
    Handicap {
        nodes: (low.nodes * (high.nodes / low.nodes).powf(share)).round() as u64,
        error: (low.error + (high.error - low.error) * share).round() as i32,
        seed: rand::rng().random(),
    }
}

/// What plays at that `Skill Level`; `None` at the full one.
pub(super) fn of_skill(skill: u32) -> Option<Handicap> {
    (skill < FULL_SKILL).then(|| of_elo(MIN_ELO + (MAX_ELO - MIN_ELO) * skill / FULL_SKILL))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::search::{Limits, Root, Searcher, StopToken};
    use crate::types::PieceKind;

    #[test]
    fn a_higher_rating_sees_more_and_errs_less() {
        let handicaps: Vec<_> = (MIN_ELO..=MAX_ELO).step_by(10).map(of_elo).collect();
        assert!(handicaps.is_sorted_by(|low, high| low.nodes < high.nodes));
        assert!(handicaps.is_sorted_by(|low, high| low.error >= high.error));
        for level in &LEVELS {
            let handicap = of_elo(level.elo);
            assert_eq!(handicap.nodes, level.nodes as u64);
            assert_eq!(handicap.error, level.error as i32);
        }
        assert_eq!(of_skill(0).unwrap().nodes, LEVELS[0].nodes as u64);
        assert!(of_skill(FULL_SKILL).is_none());
    }

    /// Who is rated 1600 errs, but sees that the queen is attacked.
    #[test]
    fn a_club_player_does_not_leave_the_queen_to_be_taken() {
        let mut searcher = Searcher::new(1).unwrap();
        for fen in [
            // By a bishop, a pawn, a knight that also attacks a rook, a rook.
            "rnbqkbnr/ppp2ppp/3p4/4p3/3PP1Q1/8/PPP2PPP/RNB1KBNR w KQkq - 0 4",
            "r1b1kbnr/pppp1ppp/2n5/4q3/3P4/5N2/PPP1BPPP/RNBQK2R b KQkq - 0 5",
            "r1bqkb1r/ppp2ppp/5n2/3p4/3P4/1Q3N2/PPn1PPPP/R1B1KB1R w KQkq - 0 9",
            "2r2rk1/pp1q1ppp/3p1n2/4p3/4P3/2Q2N2/PPP2PPP/2KR3R w - - 0 14",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for _ in 0..50 {
                searcher.clear();
                let mut limits = Limits::default();
                limits.settings.handicap = Some(of_elo(1600));
                let answer = searcher.search(
                    &Root::new(position),
                    &limits,
                    &StopToken::new(),
                    &mut |_| {},
                );
                let mv = answer.best.unwrap();
                let next = position.play(mv);
                let queen = next.pieces(position.side_to_move(), PieceKind::Queen);
                let replies = next.legal_moves();
                let loses_queen = replies
                    .iter()
                    .any(|&reply| queen.contains(reply.to()) && next.see_at_least(reply, 500));
                assert!(!loses_queen, "{fen}: {mv}");
            }
        }
    }
}
