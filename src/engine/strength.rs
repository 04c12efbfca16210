//! Limited playing strength: `UCI_Elo` and `Skill Level`.
//!
//! Both use one mechanism. The search gets a node limit, looks at several lines, and adds a random
//! error to the score of each; the line that then seems best is played. A win proven within those
//! nodes is played out, so a weak engine still mates. [`LEVELS`] maps ratings to nodes and errors.

use crate::search::Handicap;
use rand::RngExt;

/// Minimum `UCI_Elo`, which is also the rating of `Skill Level` 0.
pub const MIN_ELO: u32 = LEVELS[0].elo;
/// Maximum `UCI_Elo`.
pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;
/// The `Skill Level` of full strength.
pub const FULL_SKILL: u32 = 20;

/// The settings that play at a rating.
struct Level {
    elo: u32,
    /// Node limit per move.
    nodes: f64,
    /// Standard deviation of the errors, in centipawns.
    error: f64,
}

/// Measured against Stockfish with the same `UCI_Elo` by `scripts/levels.py`; `docs/levels.md` has
/// the results. Weak levels search few nodes with large errors, strong ones only fewer nodes.
const LEVELS: [Level; 10] = [
    level(1000, 115.0, 430.0),
    level(1350, 230.0, 187.0),
    level(1500, 249.0, 154.0),
    level(1600, 283.0, 109.0),
    level(1800, 781.0, 50.0),
    level(2000, 5_610.0, 34.0),
    level(2100, 10_720.0, 28.0),
    level(2200, 18_640.0, 20.0),
    level(2400, 69_800.0, 10.0),
    level(2600, 204_600.0, 0.0),
];

const fn level(elo: u32, nodes: f64, error: f64) -> Level {
    Level { elo, nodes, error }
}

/// The handicap for a rating. Between two levels, nodes grow geometrically and errors shrink
/// linearly.
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

/// The handicap for a `Skill Level`; `None` at full strength.
pub(super) fn of_skill(skill: u32) -> Option<Handicap> {
    (skill < FULL_SKILL).then(|| of_elo(MIN_ELO + (MAX_ELO - MIN_ELO) * skill / FULL_SKILL))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::search::{Limits, SearchRequest, SearchSettings, Searcher};
    use crate::types::PieceKind;

    #[test]
    fn a_higher_rating_means_more_nodes_and_smaller_errors() {
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

    /// At 1600 the engine errs, but does not overlook an attack on its queen.
    #[test]
    fn a_club_player_does_not_leave_its_queen_hanging() {
        let mut searcher = Searcher::new(1).unwrap();
        let settings = SearchSettings {
            handicap: Some(of_elo(1600)),
            ..SearchSettings::default()
        };
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
                let request = SearchRequest {
                    settings,
                    ..SearchRequest::new(position, Limits::default())
                };
                let answer = searcher.search_silently(&request).unwrap();
                let mv = answer.best.unwrap();
                let next = position.play_unchecked(mv);
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
