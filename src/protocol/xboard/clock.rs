//! The clock as XBoard sets it: `level`, `st`, `sd`, and the `time` it shows.

use crate::engine::{Limits, TimeControl};
use std::num::NonZeroU32;
use std::time::Duration;

/// How time is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Control {
    /// So much for so many moves, or for the whole game, and something added after each move.
    Level {
        moves: Option<NonZeroU32>,
        base: Duration,
        increment: Duration,
    },
    /// The same for each move.
    PerMove(Duration),
}

/// What a terminal gets that never sets a clock.
const DEFAULT: Control = Control::PerMove(Duration::from_secs(5));

/// The engine's clock.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    control: Option<Control>,
    remaining: Duration,
    /// The deepest search, in plies, whatever the time.
    depth: Option<u32>,
}

impl Clock {
    /// Time is given in this way from now on.
    pub(super) fn set(&mut self, control: Control) {
        self.control = Some(control);
        self.refill();
    }

    /// The clock shows this much. Who shows a clock and has set none has one all the same.
    pub(super) fn show(&mut self, remaining: Duration) {
        self.control.get_or_insert(Control::Level {
            moves: None,
            base: remaining,
            increment: Duration::ZERO,
        });
        self.remaining = remaining;
    }

    /// No deeper than so many plies.
    pub(super) const fn limit_depth(&mut self, depth: u32) {
        self.depth = Some(depth);
    }

    /// The time as at the start, and no limit of depth.
    pub(super) fn new_game(&mut self) {
        self.depth = None;
        self.refill();
    }

    fn refill(&mut self) {
        if let Some(Control::Level { base, .. }) = self.control {
            self.remaining = base;
        }
    }

    /// A move took so long, and was the engine's `played`-th. Only counts where nobody shows the clock.
    pub(super) fn spend(&mut self, time: Duration, played: u32) {
        if let Some(Control::Level {
            moves,
            base,
            increment,
        }) = self.control
        {
            self.remaining = self.remaining.saturating_sub(time) + increment;
            if moves.is_some_and(|moves| played % moves == 0) {
                self.remaining += base;
            }
        }
    }

    /// The limits of the next search, after so many moves of the engine.
    pub(super) fn limits(&self, played: u32) -> Limits {
        let only_depth = self.control.is_none() && self.depth.is_some();
        let control = self.control.unwrap_or(DEFAULT);
        let mut limits = Limits {
            depth: self.depth,
            ..Limits::default()
        };
        match control {
            _ if only_depth => {}
            Control::PerMove(time) => limits.movetime = Some(time),
            Control::Level {
                moves, increment, ..
            } => {
                limits.clock = Some(TimeControl {
                    remaining: self.remaining,
                    increment,
                    moves_to_go: moves.map(|moves| moves.get() - played % moves),
                });
            }
        }
        limits
    }
}

/// The processor time that this program has used so far, for itself and not in the system, where the system tells it.
pub(super) fn cpu_time() -> Option<Duration> {
    // Field 14 after a name that may hold blanks, in hundredths of a second (proc_pid_stat(5)).
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let ticks: u64 = fields.split_ascii_whitespace().nth(11)?.parse().ok()?;
    Some(Duration::from_millis(10 * ticks))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn level(moves: u32) -> Clock {
        let mut clock = Clock::default();
        clock.set(Control::Level {
            moves: NonZeroU32::new(moves),
            base: Duration::from_secs(60),
            increment: Duration::from_secs(1),
        });
        clock
    }

    #[test]
    fn moves_to_go_begin_anew_with_each_session() {
        let clock = level(40);
        let to_go = |played| clock.limits(played).clock.unwrap().moves_to_go;
        assert_eq!([0, 39, 40, 79, 80].map(to_go), [40, 1, 40, 1, 40].map(Some));
        assert_eq!(level(0).limits(7).clock.unwrap().moves_to_go, None);
    }

    #[test]
    fn a_clock_that_nobody_shows_runs_all_the_same() {
        let mut clock = level(2);
        clock.spend(Duration::from_secs(10), 1);
        assert_eq!(clock.remaining, Duration::from_secs(51));
        clock.spend(Duration::from_secs(100), 2);
        assert_eq!(clock.remaining, Duration::from_secs(61));
        clock.show(Duration::from_secs(7));
        assert_eq!(
            clock.limits(2).clock.unwrap().remaining,
            Duration::from_secs(7)
        );
        clock.new_game();
        assert_eq!(clock.remaining, Duration::from_secs(60));
    }

    #[test]
    fn a_clock_that_is_only_shown_counts() {
        let mut clock = Clock::default();
        clock.show(Duration::from_secs(7));
        let control = clock.limits(3).clock.unwrap();
        assert_eq!(
            (control.remaining, control.increment, control.moves_to_go),
            (Duration::from_secs(7), Duration::ZERO, None)
        );
    }

    #[test]
    fn a_depth_alone_needs_no_clock_and_ends_with_the_game() {
        let mut clock = Clock::default();
        clock.limit_depth(6);
        assert_eq!(clock.limits(0), Limits::depth(6));
        clock.new_game();
        assert_eq!(clock.limits(0).movetime, Some(Duration::from_secs(5)));
        let mut clock = level(0);
        clock.limit_depth(6);
        assert!(clock.limits(0).clock.is_some() && clock.limits(0).depth == Some(6));
    }
}
