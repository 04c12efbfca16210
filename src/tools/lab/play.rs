//! One game of the lab.

use crate::board::Position;
use crate::engine::root_of;
use crate::game::{Game, GameResult};
use crate::search::{Limits, SearchSettings, Searcher, StopToken, TimeControl};
use crate::tools::datagen::{Record, SelfPlayOutcome, Start};
use crate::types::{CastlingMode, Color, Move, Score};
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

/// A game that was played.
pub(super) struct Played {
    pub(super) record: Record,
    /// Nothing is to be learned from how it ended.
    pub(super) lost_on_time: bool,
}

impl Played {
    /// For White: 1, 0 or -1.
    pub(super) fn result(&self) -> i32 {
        match self.record.outcome {
            SelfPlayOutcome::WhiteWins => 1,
            SelfPlayOutcome::Draw => 0,
            SelfPlayOutcome::BlackWins => -1,
        }
    }
}

/// Plays a game, White's side first.
pub(super) fn game(
    start: &Position,
    sides: [(&mut Searcher, &dyn Fn()); 2],
    pace: &Pace,
) -> Played {
    let mut moves = Vec::new();
    let end = play(start, sides, pace, &mut moves);
    Played {
        record: Record {
            start: Start {
                position: *start,
                mode: CastlingMode::Standard,
            },
            moves,
            outcome: match end {
                End::Won(Color::White) | End::LostOnTime(Color::Black) => {
                    SelfPlayOutcome::WhiteWins
                }
                End::Won(Color::Black) | End::LostOnTime(Color::White) => {
                    SelfPlayOutcome::BlackWins
                }
                End::Drawn => SelfPlayOutcome::Draw,
            },
            aside: Vec::new(),
        },
        lost_on_time: matches!(end, End::LostOnTime(_)),
    }
}

/// How a game ended.
enum End {
    Won(Color),
    Drawn,
    LostOnTime(Color),
}

/// Plays a game to its end; notes each move and its score as White counts.
fn play(
    start: &Position,
    mut sides: [(&mut Searcher, &dyn Fn()); 2],
    pace: &Pace,
    moves: &mut Vec<(Move, Score)>,
) -> End {
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
            GameResult::WhiteWins => return End::Won(Color::White),
            GameResult::BlackWins => return End::Won(Color::Black),
            GameResult::Drawn => return End::Drawn,
            GameResult::Unknown if !game.available_claims().is_empty() => return End::Drawn,
            GameResult::Unknown => {}
        }
        if white_wins >= WIN.1 {
            return End::Won(Color::White);
        }
        if black_wins >= WIN.1 {
            return End::Won(Color::Black);
        }
        if ply >= DRAW_FROM_PLY && draws >= DRAW.1 {
            return End::Drawn;
        }
        let root = root_of(&game);
        let side = root.position.side_to_move();
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
                return End::LostOnTime(side);
            }
            *clock += increment;
        }
        let Some(mv) = answer.best else {
            return End::Drawn;
        };
        let score = match side {
            Color::White => answer.score,
            Color::Black => -answer.score,
        };
        let count = |counter: u32, holds: bool| if holds { counter + 1 } else { 0 };
        white_wins = count(white_wins, score.0 >= WIN.0);
        black_wins = count(black_wins, score.0 <= -WIN.0);
        draws = count(draws, score.0.abs() <= DRAW.0);
        moves.push((mv, score));
        if game.replay(mv).is_err() {
            return End::Drawn;
        }
    }
    End::Drawn
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
