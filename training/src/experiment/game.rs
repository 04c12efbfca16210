//! One game of an experiment.

use std::io;
use std::num::NonZeroU64;
use std::time::Duration;
use tabiya::engine::OptionValues;
use tabiya::game::{Game, GameResult};
use tabiya::search::{Limits, SearchRequest, SearchSettings, Searcher, TimeControl};
use tabiya::tools::datagen::adjudication::{Adjudication, Adjudicator, finished};
use tabiya::tools::openings::Start;
use tabiya::tools::viriformat::{ScoredPosition, TrainingGame};
use tabiya::types::Color;

/// The limit of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Pace {
    /// Number of nodes.
    Nodes(u64),
    /// A clock that counts nodes.
    Clock {
        /// Time at the start, in seconds.
        seconds: f64,
        /// Increment per move, in seconds.
        increment: f64,
        /// Nodes that count as one second.
        node_rate: NonZeroU64,
    },
}

/// When a game is stopped early.
const ADJUDICATION: Adjudication = Adjudication {
    win: (900, 6),
    draw: (8, 10),
    draw_from_ply: 60,
    max_plies: 300,
};

/// A finished game.
pub(super) struct Played {
    pub(super) game: TrainingGame,
    /// Such a game is not recorded: the outcome does not follow from the positions.
    pub(super) lost_on_time: bool,
}

impl Played {
    /// White's result: 1, 0 or -1.
    pub(super) fn result(&self) -> i32 {
        match self.game.result.winner() {
            Some(Color::White) => 1,
            Some(Color::Black) => -1,
            None => 0,
        }
    }
}

/// Plays a game. `sides` are White and Black: a searcher, and a function that sets its parameters.
///
/// # Errors
/// If the system refuses a thread.
pub(super) fn play(
    start: &Start,
    mut sides: [(&mut Searcher, &dyn Fn()); 2],
    pace: &Pace,
) -> io::Result<Played> {
    let mut game = Game::new(start.position, start.mode);
    for (searcher, _) in &mut sides {
        searcher.clear();
    }
    let mut clocks = match *pace {
        Pace::Nodes(_) => [0.0; 2],
        Pace::Clock { seconds, .. } => [seconds; 2],
    };
    let mut adjudicator = Adjudicator::new(ADJUDICATION);
    let mut positions = Vec::new();
    let mut lost_on_time = false;
    let result = loop {
        if let Some(result) = finished(&game).or_else(|| adjudicator.decided(positions.len())) {
            break result;
        }
        let position = *game.position();
        let side = position.side_to_move();
        let (searcher, set_parameters) = &mut sides[side.index()];
        set_parameters();
        let request = SearchRequest {
            settings: settings(pace),
            ..SearchRequest::new(&game, limits(pace, clocks[side.index()]))
        };
        let answer = searcher.search_silently(&request)?;
        if let Pace::Clock {
            increment,
            node_rate,
            ..
        } = *pace
        {
            let clock = &mut clocks[side.index()];
            *clock -= answer.nodes as f64 / node_rate.get() as f64;
            if *clock < 0.0 {
                lost_on_time = true;
                break GameResult::won_by(!side);
            }
            *clock += increment;
        }
        // The game is not over, so anything else is a fault of the search.
        let no_move = || io::Error::other(format!("the search found no move in {position}"));
        let mv = answer.best.ok_or_else(no_move)?;
        let score = answer.score.for_white(side);
        adjudicator.record(score);
        positions.push(ScoredPosition {
            position,
            best: Some(mv),
            score: Some(score),
        });
        game.replay(mv).map_err(io::Error::other)?;
    };
    Ok(Played {
        game: TrainingGame {
            start: start.position,
            positions,
            result,
            tree: Vec::new(),
        },
        lost_on_time,
    })
}

/// The search limits of a move with `seconds_left` on the clock.
fn limits(pace: &Pace, seconds_left: f64) -> Limits {
    match *pace {
        Pace::Nodes(nodes) => Limits::nodes(nodes),
        Pace::Clock { increment, .. } => Limits {
            clock: Some(TimeControl {
                remaining: Duration::from_secs_f64(seconds_left),
                increment: Duration::from_secs_f64(increment),
                moves_to_go: None,
            }),
            ..Limits::default()
        },
    }
}

/// The settings of a search: on a clock, its nodes per second.
fn settings(pace: &Pace) -> SearchSettings {
    match *pace {
        Pace::Nodes(_) => SearchSettings::default(),
        Pace::Clock { node_rate, .. } => SearchSettings {
            move_overhead: OptionValues::default().search.move_overhead,
            node_rate: Some(node_rate),
            ..SearchSettings::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::board::Position;
    use tabiya::types::CastlingMode;

    fn play_on_clock(seconds: f64, increment: f64) -> Played {
        let fen = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
        let start = Start {
            position: Position::from_fen(fen).unwrap(),
            mode: CastlingMode::Standard,
        };
        let pace = Pace::Clock {
            seconds,
            increment,
            node_rate: NonZeroU64::new(100_000).unwrap(),
        };
        let mut searchers = [Searcher::new(1).unwrap(), Searcher::new(1).unwrap()];
        let [white, black] = &mut searchers;
        play(&start, [(white, &|| ()), (black, &|| ())], &pace).unwrap()
    }

    #[test]
    fn a_clock_of_nodes_lets_a_game_end_and_a_flag_fall() {
        let ended = play_on_clock(0.5, 0.01);
        assert!(!ended.lost_on_time && ended.result() == 1);
        // Ten nodes, and no search is as short as that.
        let lost = play_on_clock(1e-4, 0.0);
        assert!(lost.lost_on_time && lost.result() == -1);
        assert!(lost.game.positions.is_empty());
    }
}
