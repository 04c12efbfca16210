//! How long to think.
//!
//! Two bounds come from the clock: past the *soft* one no new iteration begins, at the *hard* one the search ends in
//! the middle. The soft bound moves with what the search sees: less for a best move that stands, more for one that
//! wavers or loses ground.
//!
//! Time may be counted in nodes instead, so that the same search takes the same time on every machine.

use super::limits::{Limits, TimeControl};
use crate::types::Score;
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

/// Moves to plan for when the time is for the whole game.
const PLANNED_MOVES: f64 = 24.0;
/// The share of the increment that each move may use.
const INCREMENT_SHARE: f64 = 0.75;
/// So many times the overhead stays on the clock, for the day when the machine is busy with something else.
const RESERVED_OVERHEADS: u32 = 10;
/// The most of the usable time that one move may take.
const HARD_SHARE: f64 = 0.5;
/// The most that the hard bound may exceed the planned time.
const HARD_FACTOR: f64 = 5.0;

/// Watches the time of one search.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    start: Instant,
    /// Nodes that count as a second, if time is counted in nodes.
    node_rate: Option<NonZeroU64>,
    /// What had passed when our own clock began to run: nothing at the start, something at a ponderhit.
    own_start: Duration,
    soft: Option<Duration>,
    hard: Option<Duration>,
    stability: Stability,
}

/// What the last iterations say about how settled the choice is.
#[derive(Debug, Clone, Copy, Default)]
struct Stability {
    /// Iterations for which the best move has stood.
    iterations: u32,
    last_score: Option<Score>,
}

impl Clock {
    /// Starts to run.
    pub(super) fn start(limits: &Limits) -> Self {
        let (soft, hard) = limits.clock.map_or((None, None), |control| {
            let (soft, hard) = bounds(control, limits.move_overhead);
            (Some(soft), Some(hard))
        });
        let movetime = limits
            .movetime
            .map(|time| least(time.saturating_sub(limits.move_overhead)));
        Self {
            start: Instant::now(),
            node_rate: limits.node_rate,
            own_start: Duration::ZERO,
            soft,
            hard: hard.into_iter().chain(movetime).min(),
            stability: Stability::default(),
        }
    }

    /// Time since the search began, in which all workers have searched so many nodes.
    pub(super) fn elapsed(&self, nodes: u64) -> Duration {
        self.node_rate.map_or_else(
            || self.start.elapsed(),
            |rate| Duration::from_secs_f64(nodes as f64 / rate.get() as f64),
        )
    }

    /// Our own clock begins to run. The soft bound still counts from the start: what was pondered need not be thought.
    pub(super) fn ponderhit(&mut self, nodes: u64) {
        self.own_start = self.elapsed(nodes);
    }

    /// Whether the search must end at once.
    pub(super) fn is_out_of_time(&self, nodes: u64) -> bool {
        self.hard
            .is_some_and(|hard| self.elapsed(nodes).saturating_sub(self.own_start) >= hard)
    }

    /// After an iteration: whether another one is not worth beginning.
    ///
    /// `best_move_changed` since the last iteration; `best_move_share` of all nodes went to it, from 0 to 1.
    pub(super) fn is_time_to_answer(
        &mut self,
        best_move_changed: bool,
        best_move_share: f64,
        score: Score,
        nodes: u64,
    ) -> bool {
        let factor = self
            .stability
            .factor(best_move_changed, best_move_share, score);
        self.soft
            .is_some_and(|soft| self.elapsed(nodes) >= soft.mul_f64(factor))
    }
}

impl Stability {
    fn factor(&mut self, best_move_changed: bool, best_move_share: f64, score: Score) -> f64 {
        self.iterations = if best_move_changed {
            0
        } else {
            self.iterations + 1
        };
        let wavering = [2.0, 1.3, 1.05, 0.92, 0.85][self.iterations.min(4) as usize];
        let effort = (1.5 - best_move_share) * 1.35;
        let lost = self
            .last_score
            .map_or(0, |last| last - score)
            .clamp(-30, 80);
        let falling = 1.0 + f64::from(lost) / 160.0;
        self.last_score = Some(score);
        wavering * effort * falling
    }
}

/// The soft and hard bound.
fn bounds(control: TimeControl, overhead: Duration) -> (Duration, Duration) {
    let usable = control
        .remaining
        .saturating_sub(overhead * RESERVED_OVERHEADS);
    let moves = control
        .moves_to_go
        .map_or(PLANNED_MOVES, |moves| f64::from(moves.clamp(1, 40)) + 0.5);
    let increment = control.increment.mul_f64(INCREMENT_SHARE);
    let planned = usable.div_f64(moves) + increment;
    // With one move to go, all of the time may go into it.
    let share = if control.moves_to_go == Some(1) {
        0.9
    } else {
        HARD_SHARE
    };
    let hard = planned
        .mul_f64(HARD_FACTOR)
        .min(usable.mul_f64(share) + increment)
        .min(control.remaining.saturating_sub(overhead));
    (least(planned.min(hard)), least(hard))
}

/// A search gets this even if there is no time left: it finds a sensible move.
fn least(time: Duration) -> Duration {
    time.max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(20);

    #[test]
    fn bounds_leave_time_on_the_clock() {
        for remaining in [30, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 20, 1_000, 30_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let control = TimeControl {
                        remaining: Duration::from_millis(remaining),
                        increment: Duration::from_millis(increment),
                        moves_to_go,
                    };
                    let (soft, hard) = bounds(control, OVERHEAD);
                    assert!(soft <= hard, "{control:?}");
                    assert!(
                        hard + OVERHEAD <= control.remaining,
                        "{control:?}: {hard:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_time_at_all_still_gives_a_moment() {
        let (soft, hard) = bounds(TimeControl::default(), OVERHEAD);
        assert_eq!(
            (soft, hard),
            (Duration::from_millis(1), Duration::from_millis(1))
        );
    }

    #[test]
    fn a_move_that_stands_takes_less_time_than_one_that_wavers() {
        let mut calm = Stability::default();
        let mut nervous = Stability::default();
        let calm = (0..6).map(|_| calm.factor(false, 0.9, Score(20))).last();
        let nervous = (0..6)
            .map(|i| nervous.factor(true, 0.3, Score(20 - 40 * i)))
            .last();
        assert!(calm < nervous);
    }
}
