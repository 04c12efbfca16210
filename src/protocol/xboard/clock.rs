//! The engine's clock, as set by `level`, `st`, `sd` and `time`.

use crate::search::{Limits, TimeControl};
use std::num::NonZeroU32;
use std::time::Duration;

/// A time control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Control {
    /// `level`: time for a session of moves, and an increment for each move.
    Level {
        /// Moves in a session; `None` for the whole game.
        moves: Option<NonZeroU32>,
        base: Duration,
        increment: Duration,
    },
    /// `st`: time for each move.
    PerMove(Duration),
}

/// The time control of a session that sets none.
const DEFAULT: Control = Control::PerMove(Duration::from_secs(5));

/// The engine's clock.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    control: Option<Control>,
    remaining: Duration,
    /// Half-moves of the game before the time control was set. Its sessions begin there.
    plies_before: usize,
    /// Depth limit in plies.
    depth: Option<u32>,
}

impl Clock {
    /// Sets the time control after this number of half-moves, and resets the remaining time.
    pub(super) fn set(&mut self, control: Control, plies: usize) {
        self.control = Some(control);
        self.plies_before = plies;
        self.refill();
    }

    /// The game has been replaced by one with this number of half-moves, or moves were taken back.
    pub(super) fn shorten(&mut self, plies: usize) {
        self.plies_before = self.plies_before.min(plies);
    }

    /// Number of moves that the side to move has made since the time control was set.
    fn moves_played(&self, plies: usize) -> u32 {
        let since = plies.saturating_sub(self.plies_before);
        u32::try_from(since / 2).unwrap_or(u32::MAX)
    }

    /// `time`: sets the remaining time. Without a time control, this time is for the whole game.
    pub(super) fn set_remaining(&mut self, remaining: Duration) {
        self.control.get_or_insert(Control::Level {
            moves: None,
            base: remaining,
            increment: Duration::ZERO,
        });
        self.remaining = remaining;
    }

    /// `sd`: sets the depth limit in plies. Returns whether that changes it.
    pub(super) fn limit_depth(&mut self, depth: u32) -> bool {
        self.depth.replace(depth) != Some(depth)
    }

    /// Resets the remaining time and removes the depth limit.
    pub(super) fn new_game(&mut self) {
        self.depth = None;
        self.plies_before = 0;
        self.refill();
    }

    fn refill(&mut self) {
        if let Some(Control::Level { base, .. }) = self.control {
            self.remaining = base;
        }
    }

    /// Subtracts the time of the engine's move after `plies` half-moves, and adds the increment
    /// and, after the last move of a session, the time of the next one. A later `time` command
    /// overrides this.
    pub(super) fn spend(&mut self, time: Duration, plies: usize) {
        let played = self.moves_played(plies).saturating_add(1);
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

    /// The limits of a search for the engine's move after `plies` half-moves.
    pub(super) fn limits(&self, plies: usize) -> Limits {
        let played = self.moves_played(plies);
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

/// User CPU time of this process so far; `None` where `/proc` does not provide it.
pub(super) fn cpu_time() -> Option<Duration> {
    // `utime` is field 14, in hundredths of a second (proc_pid_stat(5)). Field 2, the name in
    // parentheses, may contain blanks.
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
        clock.set(minute(moves), 0);
        clock
    }

    fn minute(moves: u32) -> Control {
        Control::Level {
            moves: NonZeroU32::new(moves),
            base: Duration::from_secs(60),
            increment: Duration::from_secs(1),
        }
    }

    #[test]
    fn moves_to_go_restart_with_each_session() {
        let clock = level(40);
        let to_go = |plies| clock.limits(plies).clock.unwrap().moves_to_go;
        assert_eq!(
            [0, 1, 78, 79, 80, 158, 160].map(to_go),
            [40, 40, 1, 1, 40, 1, 40].map(Some)
        );
        assert_eq!(level(0).limits(14).clock.unwrap().moves_to_go, None);
    }

    /// python-chess sends `level` before every move, with the number of moves that are left.
    #[test]
    fn moves_to_go_count_from_the_level_command() {
        let mut clock = Clock::default();
        let mut to_go = |set: Option<(u32, usize)>, plies| {
            if let Some((moves, before)) = set {
                clock.set(minute(moves), before);
            }
            clock.limits(plies).clock.unwrap().moves_to_go
        };
        assert_eq!(to_go(Some((27, 52)), 52), Some(27));
        assert_eq!(to_go(None, 54), Some(26));
        // The engine may play either side.
        assert_eq!(to_go(Some((26, 53)), 53), Some(26));
        assert_eq!(to_go(Some((26, 53)), 54), Some(26));
        assert_eq!(to_go(None, 55), Some(25));
        assert_eq!(to_go(Some((1, 101)), 101), Some(1));
        assert_eq!(to_go(None, 103), Some(1));
        // After takebacks and in another game, the sessions begin where the game is.
        clock.set(minute(40), 100);
        clock.shorten(60);
        assert_eq!(clock.limits(62).clock.unwrap().moves_to_go, Some(39));
        clock.set(minute(40), 100);
        clock.new_game();
        assert_eq!(clock.limits(4).clock.unwrap().moves_to_go, Some(38));
    }

    #[test]
    fn a_clock_runs_without_time_commands() {
        let mut clock = level(2);
        clock.spend(Duration::from_secs(10), 0);
        assert_eq!(clock.remaining, Duration::from_secs(51));
        clock.spend(Duration::from_secs(100), 2);
        assert_eq!(clock.remaining, Duration::from_secs(61));
        clock.set_remaining(Duration::from_secs(7));
        assert_eq!(
            clock.limits(2).clock.unwrap().remaining,
            Duration::from_secs(7)
        );
        clock.new_game();
        assert_eq!(clock.remaining, Duration::from_secs(60));
    }

    #[test]
    fn a_time_command_alone_sets_a_clock() {
        let mut clock = Clock::default();
        clock.set_remaining(Duration::from_secs(7));
        let control = clock.limits(3).clock.unwrap();
        assert_eq!(
            (control.remaining, control.increment, control.moves_to_go),
            (Duration::from_secs(7), Duration::ZERO, None)
        );
    }

    #[test]
    fn a_depth_limit_works_without_a_clock_and_ends_with_the_game() {
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
