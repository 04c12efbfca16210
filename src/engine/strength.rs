//! Playing worse on purpose.
//!
//! One mechanism for `UCI_Elo` and `Skill Level`: the search may use only so many nodes, looks at several lines, and errs
//! in judging them, each by a random number of centipawns; the line that seems best then is played. A win that is proven
//! within those nodes is played out, so a weak engine still mates. A level from 0 to 1 sets both numbers: nodes grow and
//! errors shrink in equal steps of strength.

use crate::search::Handicap;
use rand::RngExt;

/// The least `UCI_Elo`, that of `Skill Level` 0.
pub const MIN_ELO: u32 = 800;
/// The greatest `UCI_Elo`.
pub const MAX_ELO: u32 = 2200;
/// The `Skill Level` that means full strength.
pub const FULL_SKILL: u32 = 20;

/// Nodes at the least level, and how often they double up to the greatest.
const LEAST_NODES: f64 = 300.0;
const DOUBLINGS: f64 = 8.0;
/// The spread of errors at the least level, in centipawns; none at the greatest.
const GREATEST_ERROR: f64 = 200.0;

/// What plays at about that rating.
pub(super) fn of_elo(elo: u32) -> Handicap {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    of_level(f64::from(elo - MIN_ELO) / f64::from(MAX_ELO - MIN_ELO))
}

/// What plays at that `Skill Level`; `None` at the full one.
pub(super) fn of_skill(skill: u32) -> Option<Handicap> {
    (skill < FULL_SKILL).then(|| of_level(f64::from(skill) / f64::from(FULL_SKILL)))
}

fn of_level(level: f64) -> Handicap {
    Handicap {
        nodes: (LEAST_NODES * (DOUBLINGS * level).exp2()) as u64,
        error: (GREATEST_ERROR * (1.0 - level)) as i32,
        seed: rand::rng().random(),
    }
}
