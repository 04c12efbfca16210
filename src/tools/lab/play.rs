//! One game of the lab.

use crate::board::Position;
use crate::game::Game;
use crate::search::{Limits, SearchRequest, SearchSettings, Searcher, StopToken, TimeControl};
use crate::tools::datagen::Record;
use crate::tools::datagen::adjudication::{Adjudication, Adjudicator, SelfPlayOutcome, finished};
use crate::tools::datagen::start::Start;
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

/// When a game is called before its end.
const ADJUDICATION: Adjudication = Adjudication {
    win: (900, 6),
    draw: (8, 10),
    draw_from_ply: 60,
    longest: 300,
};
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
    mut sides: [(&mut Searcher, &dyn Fn()); 2],
    pace: &Pace,
) -> Played {
    let start = Start {
        position: *start,
        mode: CastlingMode::Standard,
    };
    let mut game = Game::new(start.position, start.mode);
    for (searcher, _) in &mut sides {
        searcher.clear();
    }
    let mut clocks = match *pace {
        Pace::Nodes(_) => [0.0; 2],
        Pace::Clock { seconds, .. } => [seconds; 2],
    };
    let mut adjudicator = Adjudicator::new(ADJUDICATION);
    let mut moves = Vec::new();
    let mut lost_on_time = false;
    let outcome = loop {
        if let Some(outcome) = finished(&game).or_else(|| adjudicator.decided(moves.len())) {
            break outcome;
        }
        let side = game.position().side_to_move();
        let (searcher, apply) = &mut sides[side.index()];
        apply();
        searcher.set_settings(settings(pace));
        let request = SearchRequest::new(&game, limits(pace, clocks[side.index()]));
        let answer = searcher.search(&request, &StopToken::new(), &mut |_| {});
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
                break match side {
                    Color::White => SelfPlayOutcome::BlackWins,
                    Color::Black => SelfPlayOutcome::WhiteWins,
                };
            }
            *clock += increment;
        }
        let Some(mv) = answer.best else {
            break SelfPlayOutcome::Draw;
        };
        let score = match side {
            Color::White => answer.score,
            Color::Black => -answer.score,
        };
        adjudicator.note(score);
        moves.push((mv, Some(score)));
        if game.replay(mv).is_err() {
            break SelfPlayOutcome::Draw;
        }
    };
    Played {
        record: Record {
            start,
            moves,
            outcome,
            tree: Vec::new(),
        },
        lost_on_time,
    }
}

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

fn settings(pace: &Pace) -> SearchSettings {
    match *pace {
        Pace::Nodes(_) => SearchSettings::default(),
        Pace::Clock { node_rate, .. } => SearchSettings {
            move_overhead: MOVE_OVERHEAD,
            node_rate: Some(node_rate),
            ..SearchSettings::default()
        },
    }
}
