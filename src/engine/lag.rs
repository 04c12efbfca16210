//! Lag: what a move costs on the clock beyond the search.
//!
//! Lines travel through pipes, and threads wait for a processor that other programs use. The option
//! `Move Overhead` guesses that time; this module measures it. The clock of each `go` should show
//! what the last one showed, plus the increment, minus the time of the last answer. The rest is
//! lag. On a crowded processor it exceeds a short increment, and an engine that ignores it loses on
//! time.

use crate::search::{Instant, TimeControl};
use std::time::Duration;

/// Measures the lag of one game.
#[derive(Debug, Clone, Default)]
pub(super) struct LagMeter {
    /// The move being searched, or the last one.
    last: Option<TimedMove>,
    /// Mean lag, in which recent moves count most.
    mean: Duration,
}

#[derive(Debug, Clone)]
struct TimedMove {
    started: Instant,
    /// Time on the clock at the start, with the increment for this move.
    clock: Duration,
    /// Time from the request to the answer, once it is known.
    taken: Option<Duration>,
}

/// One in this many parts of the mean is replaced by each move.
const SMOOTHING: u32 = 4;

impl LagMeter {
    /// Begins a move with this clock. Returns the lag to expect. A search without a clock, as while
    /// pondering, measures nothing, but may get one later.
    pub(super) fn begin(&mut self, control: Option<TimeControl>, started: Instant) -> Duration {
        let last = self.last.take();
        let Some(control) = control else {
            return self.mean;
        };
        if let Some(TimedMove {
            clock,
            taken: Some(taken),
            ..
        }) = last
        {
            let lag = clock
                .saturating_sub(taken)
                .saturating_sub(control.remaining);
            self.mean = (self.mean * (SMOOTHING - 1) + lag) / SMOOTHING;
        }
        self.last = Some(TimedMove {
            started,
            clock: control.remaining + control.increment,
            taken: None,
        });
        self.mean
    }

    /// Ends the move: its answer is here.
    pub(super) fn end(&mut self, now: Instant) {
        if let Some(last) = &mut self.last {
            last.taken = Some(now.saturating_duration_since(last.started));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn control(remaining: u64) -> Option<TimeControl> {
        Some(TimeControl {
            remaining: ms(remaining),
            increment: ms(10),
            moves_to_go: None,
        })
    }

    /// Plays moves that take 30 ms each, with these clocks. Returns the lag after the last.
    fn lag_of(clocks: &[u64]) -> Duration {
        let mut meter = LagMeter::default();
        let start = Instant::now();
        let play = |&clock| {
            let lag = meter.begin(control(clock), start);
            meter.end(start + ms(30));
            lag
        };
        clocks.iter().map(play).last().unwrap_or_default()
    }

    #[test]
    fn the_lag_is_what_the_clock_lost_beyond_the_answer() {
        for (clocks, lag) in [
            (&[1_000][..], 0),
            // 30 ms of search less 10 ms of increment.
            (&[1_000, 980, 960], 0),
            // Eight milliseconds more; a quarter of the mean is new.
            (&[1_000, 972], 2),
            // A new game or another time control.
            (&[1_000, 972, 60_000], 1),
        ] {
            assert_eq!(lag_of(clocks).as_millis(), lag, "{clocks:?}");
        }
        let constant: Vec<_> = (0..40).map(|number| 10_000 - 28 * number).collect();
        assert!((ms(7)..=ms(8)).contains(&lag_of(&constant)));
    }

    /// A ponder search has no clock until `ponderhit`.
    #[test]
    fn a_search_without_a_clock_expects_the_lag_of_the_last_ones() {
        let mut meter = LagMeter::default();
        let start = Instant::now();
        for clock in [1_000, 972] {
            meter.begin(control(clock), start);
            meter.end(start + ms(30));
        }
        assert_eq!(meter.begin(None, start), ms(2));
    }

    #[test]
    fn a_move_without_a_clock_or_an_answer_measures_nothing() {
        let mut meter = LagMeter::default();
        let start = Instant::now();
        meter.begin(control(1_000), start);
        assert_eq!(meter.begin(control(500), start), Duration::ZERO);
        meter.end(start + ms(30));
        assert_eq!(meter.begin(None, start), Duration::ZERO);
        assert_eq!(meter.begin(control(100), start), Duration::ZERO);
    }
}
