//! The clocks of a game at the console.

use crate::engine::TimeControl;
use crate::types::Color;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// What each side has for the game, and what it gets for each move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    base: Duration,
    increment: Duration,
}

/// `5+3`: minutes and seconds a move; the second may be left out.
impl FromStr for Pace {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        const LONGEST: f64 = 24.0 * 60.0;
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let read = |text: &str, seconds: f64| {
            let number = text.trim().parse::<f64>().ok();
            let number = number.filter(|number| (0.0..=LONGEST).contains(number));
            number
                .map(|number| Duration::from_secs_f64(number * seconds))
                .ok_or(())
        };
        let (base, increment) = (read(minutes, 60.0)?, read(seconds, 1.0)?);
        match (base + increment).is_zero() {
            true => Err(()),
            false => Ok(Self { base, increment }),
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, seconds) = (self.base.as_secs_f64() / 60.0, self.increment.as_secs_f64());
        write!(f, "{minutes} min each, and {seconds} s for each move")
    }
}

/// Two clocks, of which that of the side to move runs.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    pub(super) pace: Pace,
    left: [Duration; Color::COUNT],
    /// Whose clock runs, and since when.
    running: Color,
    since: Instant,
}

impl Clock {
    pub(super) fn new(pace: Pace, side_to_move: Color) -> Self {
        Self {
            pace,
            left: [pace.base.max(pace.increment); Color::COUNT],
            running: side_to_move,
            since: Instant::now(),
        }
    }

    /// What a side has left.
    pub(super) fn left(&self, side: Color) -> Duration {
        let [white, black] = self.left;
        let left = match side {
            Color::White => white,
            Color::Black => black,
        };
        match side == self.running {
            true => left.saturating_sub(self.since.elapsed()),
            false => left,
        }
    }

    /// The side to move has moved.
    pub(super) fn press(&mut self, side: Color) {
        *self.left_mut(side) = self.left(side) + self.pace.increment;
        self.restart(!side);
    }

    /// Adds to what a side has left.
    pub(super) fn add(&mut self, side: Color, time: Duration) {
        *self.left_mut(side) += time;
    }

    const fn left_mut(&mut self, side: Color) -> &mut Duration {
        let [white, black] = &mut self.left;
        match side {
            Color::White => white,
            Color::Black => black,
        }
    }

    /// The position has changed in another way than by a move: the time so far counts for nobody.
    pub(super) fn restart(&mut self, side_to_move: Color) {
        self.running = side_to_move;
        self.since = Instant::now();
    }

    /// What the engine may use.
    pub(super) fn control(&self, side: Color) -> TimeControl {
        TimeControl {
            remaining: self.left(side),
            increment: self.pace.increment,
            moves_to_go: None,
        }
    }

    /// What a side has left, as clocks show it: `4:59`, `0:07`; `0:00` is nothing at all.
    pub(super) fn shown(&self, side: Color) -> String {
        let seconds = self.left(side).as_secs_f64().ceil() as u64;
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}
