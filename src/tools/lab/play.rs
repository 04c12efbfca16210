//! One game of the lab.

use crate::board::Position;
use crate::engine::root_of;
use crate::game::{Game, GameResult};
use crate::search::{Limits, SearchSettings, Searcher, StopToken, TimeControl};
use crate::types::{CastlingMode, Color};
use std::num::NonZeroU64;
use std::time::Duration;

/// What a move may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// So many nodes.
    Nodes(u64),
    /// A clock that counts nodes: seconds, increment, nodes in a second.
    Clock {
        /// At the start, in seconds.
        seconds: f64,
        /// After each move, in seconds.
        increment: f64,
        /// Nodes that count as a second.
        node_rate: NonZeroU64,
    },
}

/// Centipawns, and the plies in a row for which the scores agree on them, for a game to be won.
const WIN: (i32, u32) = (900, 6);
/// The same for a draw, from this ply on.
const DRAW: (i32, u32) = (8, 10);
const DRAW_FROM_PLY: u32 = 60;
/// No game is longer, in plies.
const LONGEST: u32 = 300;
const MOVE_OVERHEAD: Duration = Duration::from_millis(20);

/// Plays a game, White's side first; returns its result for White: 1, 0 or -1.
pub(super) fn game(
    start: &Position,
    mut sides: [(&mut Searcher, &dyn Fn()); 2],
    pace: &Pace,
) -> i32 {
    let mut game = Game::new(*start, CastlingMode::Standard);
    for (searcher, _) in &mut sides {
        searcher.clear();
    }
    let mut clocks = match *pace {
        Pace::Nodes(_) => [0.0; 2],
        Pace::Clock { seconds, .. } => [seconds; 2],
    };
    let (mut white_wins, mut black_wins, mut draws) = (0, 0, 0);
    for ply in 0..LONGEST {
        match game.result() {
            GameResult::WhiteWins => return 1,
            GameResult::BlackWins => return -1,
            GameResult::Drawn => return 0,
            GameResult::Unknown if !game.available_claims().is_empty() => return 0,
            GameResult::Unknown => {}
        }
        if white_wins >= WIN.1 {
            return 1;
        }
        if black_wins >= WIN.1 {
            return -1;
        }
        if ply >= DRAW_FROM_PLY && draws >= DRAW.1 {
            return 0;
        }
        let root = root_of(&game);
        let side = root.position.side_to_move();
        let sign = if side == Color::White { 1 } else { -1 };
        let (searcher, apply) = &mut sides[side.index()];
        apply();
        let answer = searcher.search(
            &root,
            &limits(pace, clocks[side.index()]),
            &StopToken::new(),
            &mut |_| {},
        );
        if let Pace::Clock {
            increment,
            node_rate,
            ..
        } = *pace
        {
            let clock = &mut clocks[side.index()];
            *clock -= answer.nodes as f64 / node_rate.get() as f64;
            if *clock < 0.0 {
                return -sign;
            }
            *clock += increment;
        }
        let Some(mv) = answer.best else { return 0 };
        let score = sign * answer.score.0;
        let count = |counter: u32, holds: bool| if holds { counter + 1 } else { 0 };
        white_wins = count(white_wins, score >= WIN.0);
        black_wins = count(black_wins, score <= -WIN.0);
        draws = count(draws, score.abs() <= DRAW.0);
        if game.replay(mv).is_err() {
            return 0;
        }
    }
    0
}

fn limits(pace: &Pace, seconds_left: f64) -> Limits {
    match *pace {
        Pace::Nodes(nodes) => Limits::nodes(nodes),
        Pace::Clock {
            increment,
            node_rate,
            ..
        } => Limits {
            clock: Some(TimeControl {
                remaining: Duration::from_secs_f64(seconds_left),
                increment: Duration::from_secs_f64(increment),
                moves_to_go: None,
            }),
            settings: SearchSettings {
                move_overhead: MOVE_OVERHEAD,
                node_rate: Some(node_rate),
                ..SearchSettings::default()
            },
            ..Limits::default()
        },
    }
}
