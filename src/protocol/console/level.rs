//! The level: how strongly the engine plays.

use crate::board::Position;
use crate::search::{Limits, NODES_AGAINST_BARE_KING};
use std::fmt;
use std::time::Duration;

/// Playing strength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Level {
    /// From 1 to [`Self::MAX_NUMBER`]. Each level searches four times the nodes of the one before.
    Number(u32),
    Time(Duration),
    Depth(u32),
    Nodes(u64),
    /// Plays at about this rating.
    Elo(u32),
}

impl Level {
    pub(super) const MAX_NUMBER: u32 = 10;
    /// Time limit per move of the levels by nodes and depth.
    const MAX_TIME: Duration = Duration::from_secs(60);
    const DEFAULT_TIME: Duration = Duration::from_secs(1);

    /// The limits of a move in `position`. Against a bare king every numbered level mates.
    pub(super) fn limits(self, position: &Position) -> Limits {
        let has_opponents = position.color(!position.side_to_move()).has_many();
        let min_nodes = if has_opponents {
            0
        } else {
            NODES_AGAINST_BARE_KING
        };
        let limits = match self {
            Self::Number(level) => Limits::nodes((1 << (2 * level + 4)).max(min_nodes)),
            Self::Time(_) | Self::Elo(_) => Limits::default(),
            Self::Depth(depth) => Limits::depth(depth),
            Self::Nodes(nodes) => Limits::nodes(nodes),
        };
        let movetime = match self {
            Self::Time(time) => time,
            Self::Elo(_) => Self::DEFAULT_TIME,
            _ => Self::MAX_TIME,
        };
        Limits {
            movetime: Some(movetime),
            ..limits
        }
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::Time(Self::DEFAULT_TIME)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(level) => write!(f, "level {level} of {}", Self::MAX_NUMBER),
            Self::Time(time) => write!(f, "full strength, {} s per move", time.as_secs_f64()),
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes per move"),
            Self::Elo(elo) => write!(f, "about {elo} Elo"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numbered_level_has_four_times_the_nodes_of_the_one_before_and_a_minute() {
        let limits = |number| Level::Number(number).limits(&Position::start());
        assert_eq!(limits(1).nodes, Some(64));
        for number in 2..=Level::MAX_NUMBER {
            let before = limits(number - 1).nodes;
            assert_eq!(limits(number).nodes, before.map(|nodes| 4 * nodes));
        }
        let movetime = limits(Level::MAX_NUMBER).movetime;
        assert_eq!(movetime, Some(Duration::from_secs(60)));
    }
}
