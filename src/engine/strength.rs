//! Limited playing strength: `UCI_Elo` and `Skill Level`.
//!
//! Both use one mechanism. The search gets a node limit, looks at several lines, and adds a random
//! error to the score of each; the line that then seems best is played. Below 1000, some moves are
//! chosen at a glance: by the evaluation after each legal move, with such an error and without a
//! look at the replies. A win proven within those nodes is played out, and against a bare king
//! every level searches enough to mate. [`LEVELS`] maps ratings to these settings.

use crate::search::Handicap;
use rand::RngExt;

/// Minimum `UCI_Elo`.
pub const MIN_ELO: u32 = LEVELS[0].elo;
/// Maximum `UCI_Elo`.
pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;
/// The rating of `Skill Level` 0.
const LOWEST_SKILL_ELO: u32 = 1000;
/// The `Skill Level` of full strength.
pub const FULL_SKILL: u32 = 20;

/// Levels by name, the weakest first, with their ratings.
pub const NAMED_LEVELS: [(&str, u32); 7] = [
    ("beginner", 400),
    ("novice", 700),
    ("casual", 1000),
    ("intermediate", 1350),
    ("club", 1700),
    ("expert", 2100),
    ("master", 2400),
];

/// The rating of a level by its name, in either case.
pub fn of_name(name: &str) -> Option<u32> {
    let mut levels = NAMED_LEVELS.into_iter();
    levels
        .find(|(level, _)| level.eq_ignore_ascii_case(name))
        .map(|(_, elo)| elo)
}

/// The settings that play at a rating.
struct Level {
    elo: u32,
    /// Node limit per move.
    nodes: f64,
    /// Standard deviation of the errors, in centipawns.
    error: f64,
    /// Moves in a thousand that are chosen at a glance.
    glances: f64,
}

/// Measured by `scripts/levels.py`, from 1350 on against Stockfish with the same `UCI_Elo`;
/// `docs/levels.md` has the results. The lower the rating, the fewer the nodes and the larger the
/// errors; below 1000 a level instead chooses more moves at a glance.
const LEVELS: [Level; 12] = [
    level(400, 115.0, 430.0, 550.0),
    level(700, 115.0, 430.0, 240.0),
    level(1000, 115.0, 430.0, 0.0),
    level(1350, 230.0, 187.0, 0.0),
    level(1500, 249.0, 154.0, 0.0),
    level(1600, 283.0, 109.0, 0.0),
    level(1800, 781.0, 50.0, 0.0),
    level(2000, 5_610.0, 34.0, 0.0),
    level(2100, 10_720.0, 28.0, 0.0),
    level(2200, 18_640.0, 20.0, 0.0),
    level(2400, 69_800.0, 10.0, 0.0),
    level(2600, 204_600.0, 0.0, 0.0),
];

const fn level(elo: u32, nodes: f64, error: f64, glances: f64) -> Level {
    Level {
        elo,
        nodes,
        error,
        glances,
    }
}

/// The handicap for a rating. Between two levels, nodes grow geometrically, errors and glances
/// shrink linearly.
pub(super) fn of_elo(elo: u32) -> Handicap {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let above = LEVELS.partition_point(|level| level.elo < elo).max(1);
    let (low, high) = (&LEVELS[above - 1], &LEVELS[above]);
    let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
    let between = |low: f64, high: f64| (low + (high - low) * share).round();
    Handicap {
        nodes: (low.nodes * (high.nodes / low.nodes).powf(share)).round() as u64,
        error: between(low.error, high.error) as u16,
        glances: between(low.glances, high.glances) as u32,
        seed: rand::rng().random(),
    }
}

/// The handicap for a `Skill Level`; `None` at full strength.
pub(super) fn of_skill(skill: u32) -> Option<Handicap> {
    (skill < FULL_SKILL)
        .then(|| of_elo(LOWEST_SKILL_ELO + (MAX_ELO - LOWEST_SKILL_ELO) * skill / FULL_SKILL))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::game::{Game, Outcome, lan};
    use crate::search::{Limits, SearchRequest, SearchSettings, Searcher};
    use crate::types::{CastlingMode, Color, Move, PieceKind};

    #[test]
    fn a_higher_rating_means_more_nodes_smaller_errors_and_fewer_glances() {
        let handicaps: Vec<_> = (MIN_ELO..=MAX_ELO).step_by(10).map(of_elo).collect();
        assert!(handicaps.is_sorted_by(|low, high| low.nodes <= high.nodes));
        assert!(handicaps.is_sorted_by(|low, high| low.error >= high.error));
        assert!(handicaps.is_sorted_by(|low, high| low.glances >= high.glances));
        assert!(
            handicaps
                .is_sorted_by(|low, high| low.nodes < high.nodes || low.glances > high.glances)
        );
        for level in &LEVELS {
            let handicap = of_elo(level.elo);
            assert_eq!(handicap.nodes, level.nodes as u64);
            assert_eq!(handicap.error, level.error as u16);
            assert_eq!(handicap.glances, level.glances as u32);
        }
    }

    #[test]
    fn skills_are_even_steps_of_the_rating() {
        for skill in 0..FULL_SKILL {
            let (by_skill, by_elo) = (of_skill(skill).unwrap(), of_elo(1000 + 80 * skill));
            assert_eq!(
                (by_skill.nodes, by_skill.error, by_skill.glances),
                (by_elo.nodes, by_elo.error, 0),
                "{skill}"
            );
        }
        assert!(of_skill(FULL_SKILL).is_none());
    }

    #[test]
    fn named_levels_rise_within_the_range() {
        assert!(NAMED_LEVELS.is_sorted_by(|low, high| low.1 < high.1));
        for (name, elo) in NAMED_LEVELS {
            assert!((MIN_ELO..=MAX_ELO).contains(&elo), "{name}");
        }
        assert_eq!(NAMED_LEVELS[0].1, MIN_ELO);
    }

    /// The settings of a level, whose errors are the same in each run of a test. Each search of a
    /// searcher has other ones.
    fn reproducible(elo: u32) -> SearchSettings {
        SearchSettings {
            handicap: Some(Handicap {
                seed: 1,
                ..of_elo(elo)
            }),
            ..SearchSettings::default()
        }
    }

    /// The move that a level plays in a game.
    fn answer(searcher: &mut Searcher, game: &Game, elo: u32) -> Move {
        let settings = reproducible(elo);
        let request = SearchRequest {
            settings,
            ..SearchRequest::new(game, Limits::default())
        };
        let answer = searcher.search_silently(&request);
        answer.unwrap().best.unwrap()
    }

    /// The bare king is played by a search that sees farther than the weak levels do elsewhere.
    #[test]
    fn every_level_mates_a_bare_king() {
        const ENDINGS: [&str; 12] = [
            "8/8/8/8/3k4/8/8/KQ6 w - - 0 1",
            "8/8/8/3Q4/1k6/8/8/7K w - - 0 1",
            "8/8/8/8/3k4/8/8/KR6 w - - 0 1",
            "8/2R5/8/4k3/8/8/8/7K w - - 0 1",
            "8/8/8/3k4/8/8/8/KQQ5 w - - 0 1",
            "8/8/8/3k4/8/8/8/QK5R w - - 0 1",
            "8/8/8/8/3k4/8/8/KBB5 w - - 0 1",
            "8/8/2B5/4k3/8/8/3B4/7K w - - 0 1",
            "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
            "7k/8/8/5B2/8/2N5/8/K7 w - - 0 1",
            "8/8/8/4k3/8/4K3/4P3/8 b - - 0 1",
            "k7/P7/8/1K6/8/8/6P1/8 w - - 0 1",
        ];
        let [mut attacker, mut defender] = [(); 2].map(|()| Searcher::new(1).unwrap());
        for fen in ENDINGS {
            for elo in [MIN_ELO, 1000, 1500] {
                attacker.clear();
                defender.clear();
                let mut game = Game::new(Position::from_fen(fen).unwrap(), CastlingMode::Standard);
                while game.outcome().is_none()
                    && game.history().occurrences() < 3
                    && game.position().halfmove_clock() < 100
                {
                    let mv = match game.position().side_to_move() {
                        Color::White => answer(&mut attacker, &game, elo),
                        Color::Black => defender
                            .best_move(&game, Limits::nodes(5_000))
                            .unwrap()
                            .best
                            .unwrap(),
                    };
                    game.play(mv).unwrap();
                }
                let expected = Outcome::checkmate(game.position());
                assert!(expected.is_some(), "{fen} at {elo}: {:?}", game.outcome());
            }
        }
    }

    /// Each of these moves wins material and stalemates.
    #[test]
    fn a_depth_of_one_sees_stalemate() {
        let mut searcher = Searcher::new(1).unwrap();
        for (fen, stalemate) in [
            ("7k/5Q2/8/8/8/8/1r6/K7 w - - 0 1", "a1b2"),
            ("k7/2Q5/8/1p6/2B5/8/8/7K w - - 0 1", "c4b5"),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let after = position.play_unchecked(lan::parse(&position, stalemate).unwrap());
            assert!(after.is_stalemate(), "{fen}");
            let best = searcher.best_move(position, Limits::depth(1)).unwrap().best;
            assert_ne!(best.unwrap().to_string(), stalemate, "{fen}");
        }
    }

    /// At 1600 the engine errs, but hardly ever overlooks an attack on its queen, and not in these
    /// positions.
    #[test]
    fn a_club_player_does_not_leave_its_queen_hanging() {
        let mut searcher = Searcher::new(1).unwrap();
        let settings = reproducible(1600);
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
