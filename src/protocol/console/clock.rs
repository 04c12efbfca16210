//! The clocks of a game at the console.

use crate::search::TimeControl;
use crate::types::Color;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// Time control: base time for the game, and increment for each move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    base: Duration,
    increment: Duration,
}

impl Pace {
    /// Time that a wrong claim of a draw gives the opponent: two minutes (FIDE 9.5.3), or one in
    /// rapid and blitz, where the base and sixty increments are less than an hour (FIDE A.1, A.3,
    /// B.3).
    pub(super) fn wrong_claim_bonus(self) -> Duration {
        let is_standard = self.base + 60 * self.increment >= Duration::from_secs(3600);
        Duration::from_secs(if is_standard { 120 } else { 60 })
    }
}

/// Parses `5+3`: base in minutes, increment in seconds. The increment is optional.
///
/// The error is a sentence, if these are numbers but not possible ones.
impl FromStr for Pace {
    type Err = Option<String>;

    fn from_str(text: &str) -> Result<Self, Option<String>> {
        const MAX: f64 = 24.0 * 60.0;
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let read = |text: &str, unit: f64| match text.trim().parse::<f64>() {
            Ok(number) if (0.0..=MAX).contains(&number) => {
                Ok(Duration::from_secs_f64(number * unit))
            }
            Ok(_) => Err(Some(format!(
                "Minutes and seconds are 0 to {MAX}, not {text}."
            ))),
            Err(_) => Err(None),
        };
        let (base, increment) = (read(minutes, 60.0)?, read(seconds, 1.0)?);
        if (base + increment).is_zero() {
            return Err(Some("A clock needs some time.".to_owned()));
        }
        Ok(Self { base, increment })
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, seconds) = (self.base.as_secs_f64() / 60.0, self.increment.as_secs_f64());
        write!(f, "{minutes} min each, and {seconds} s per move")
    }
}

/// The clocks of both sides. The clock of the side to move is running.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    pub(super) pace: Pace,
    /// Remaining time of each side when the running clock started.
    remaining: [Duration; Color::COUNT],
    /// The side whose clock is running.
    running: Color,
    started: Instant,
}

impl Clock {
    pub(super) fn new(pace: Pace, side_to_move: Color) -> Self {
        Self {
            pace,
            remaining: [pace.base.max(pace.increment); Color::COUNT],
            running: side_to_move,
            started: Instant::now(),
        }
    }

    /// Remaining time of a side.
    pub(super) fn remaining(&self, side: Color) -> Duration {
        let remaining = side.select(self.remaining);
        if side == self.running {
            remaining.saturating_sub(self.started.elapsed())
        } else {
            remaining
        }
    }

    /// Adds the increment to the clock of `side`, which has moved, and starts the other clock.
    pub(super) fn press(&mut self, side: Color) {
        *self.remaining_mut(side) = self.remaining(side) + self.pace.increment;
        self.restart(!side);
    }

    /// Adds `time` to the clock of a side.
    pub(super) fn add(&mut self, side: Color, time: Duration) {
        *self.remaining_mut(side) += time;
    }

    fn remaining_mut(&mut self, side: Color) -> &mut Duration {
        side.select(self.remaining.each_mut())
    }

    /// Starts the clock of the side to move. The time since the last start is not counted.
    pub(super) fn restart(&mut self, side_to_move: Color) {
        self.running = side_to_move;
        self.started = Instant::now();
    }

    /// The clock of a side, for the engine.
    pub(super) fn control(&self, side: Color) -> TimeControl {
        TimeControl {
            remaining: self.remaining(side),
            increment: self.pace.increment,
            moves_to_go: None,
        }
    }

    /// Remaining time of a side as `4:59`, rounded up, so that `0:00` means no time.
    pub(super) fn text(&self, side: Color) -> String {
        let seconds = self.remaining(side).as_secs_f64().ceil() as u64;
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}
