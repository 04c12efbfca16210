//! How large a network's evaluations are: the search's margins are in centipawns, so a network that says more for the same
//! advantage would be searched with other margins.

use crate::board::Position;
use crate::eval::{Network, evaluate};

/// Quiet positions of 200 games of the engine against itself, at 2,000 nodes a move with generation 8, from the opening to
/// the end, none of them decided.
const POSITIONS: &str = include_str!("scale.epd");

/// The mean of |evaluation| over a fixed set of positions, in centipawns.
#[must_use]
pub fn mean_eval(network: &Network) -> f64 {
    let scores: Vec<_> = POSITIONS
        .lines()
        .filter_map(|fen| Position::from_fen(fen).ok())
        .map(|position| f64::from(evaluate(network, &position).0.abs()))
        .collect();
    scores.iter().sum::<f64>() / scores.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_read() {
        let read = POSITIONS
            .lines()
            .filter(|fen| Position::from_fen(fen).is_ok());
        assert_eq!(read.count(), 200);
        assert!((100.0..400.0).contains(&mean_eval(&Network::embedded())));
    }
}
