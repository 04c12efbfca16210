//! Time management: how long to think.
//!
//! Two limits come from the clock: past the *soft* limit no new iteration begins, at the *hard* limit the search ends in
//! the middle. The soft limit moves with what the search sees: less time for a best move that is stable and takes most
//! of the nodes, more for one that changes or loses ground. (Hyatt, "Using Time Wisely", 1984, has the idea; the share of
//! the nodes is seen in most engines of today.)
//!
//! Time may be counted in nodes instead, so that the same search takes the same time on every machine.

use super::limits::{Limits, TimeControl};
use super::params;
use crate::types::Score;
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

/// Watches the time of one search.
#[derive(Debug, Clone)]
pub(super) struct TimeManager {
    start: Instant,
    /// Nodes that count as a second, if time is counted in nodes.
    node_rate: Option<NonZeroU64>,
    /// What had passed when our own clock began to run: nothing at the start, something at a ponderhit.
    own_start: Duration,
    soft: Option<Duration>,
    hard: Option<Duration>,
    stability: Stability,
    /// What the soft limit is multiplied by, after the last iteration.
    factor: f64,
}

/// What the last iterations say about how settled the choice is.
#[derive(Debug, Clone, Copy, Default)]
struct Stability {
    /// Iterations for which the best move has stood.
    iterations: u32,
    last_score: Option<Score>,
}

impl TimeManager {
    /// Starts to run.
    pub(super) fn start(limits: &Limits) -> Self {
        let (soft, hard) = limits.clock.map_or((None, None), |control| {
            let (soft, hard) = time_limits(control, limits.settings.move_overhead);
            (Some(soft), Some(hard))
        });
        let movetime = limits
            .movetime
            .map(|time| least(time.saturating_sub(limits.settings.move_overhead)));
        Self {
            start: limits.asked.unwrap_or_else(Instant::now),
            node_rate: limits.settings.node_rate,
            own_start: Duration::ZERO,
            soft,
            hard: hard.into_iter().chain(movetime).min(),
            stability: Stability::default(),
            factor: 1.0,
        }
    }

    /// Time since the search began, in which all workers have searched so many nodes.
    pub(super) fn elapsed(&self, nodes: u64) -> Duration {
        self.node_rate.map_or_else(
            || self.start.elapsed(),
            |rate| Duration::from_secs_f64(nodes as f64 / rate.get() as f64),
        )
    }

    /// Our own clock begins to run. The soft limit still counts from the start: what was pondered need not be thought, and
    /// if it is past already the answer is due.
    pub(super) fn ponderhit(&mut self, nodes: u64) {
        self.own_start = self.elapsed(nodes);
        if self.is_time_to_answer(nodes) {
            self.hard = Some(Duration::ZERO);
        }
    }

    /// Whether the search must end at once.
    pub(super) fn is_out_of_time(&self, nodes: u64) -> bool {
        self.hard
            .is_some_and(|hard| self.elapsed(nodes).saturating_sub(self.own_start) >= hard)
    }

    /// Notes what an iteration has come to, on our own time or not: `best_move_changed` since the last one;
    /// `best_move_share` of all nodes went to it, from 0 to 1.
    pub(super) fn note_iteration(
        &mut self,
        best_move_changed: bool,
        best_move_share: f64,
        score: Score,
    ) {
        self.factor = self
            .stability
            .factor(best_move_changed, best_move_share, score);
    }

    /// Whether another iteration is not worth beginning.
    pub(super) fn is_time_to_answer(&self, nodes: u64) -> bool {
        self.soft
            .is_some_and(|soft| self.elapsed(nodes) >= soft.mul_f64(self.factor))
    }
}

impl Stability {
    fn factor(&mut self, best_move_changed: bool, best_move_share: f64, score: Score) -> f64 {
        self.iterations = if best_move_changed {
            0
        } else {
            self.iterations + 1
        };
        let stability = percent(match self.iterations {
            0 => params::time_stability_0(),
            1 => params::time_stability_1(),
            2 => params::time_stability_2(),
            3 => params::time_stability_3(),
            _ => params::time_stability_4(),
        });
        let node_share = (percent(params::time_node_share_base()) - best_move_share)
            * percent(params::time_node_share_weight());
        let lost = self.last_score.map_or(0, |last| last - score).clamp(
            -params::time_rising_score_max(),
            params::time_falling_score_max(),
        );
        let falling = 1.0 + f64::from(lost) / f64::from(params::time_falling_score());
        self.last_score = Some(score);
        // Only values far from those built in, which a tuner may try, come to less than nothing.
        (stability * node_share * falling).max(0.0)
    }
}

/// The soft and hard limit.
fn time_limits(control: TimeControl, overhead: Duration) -> (Duration, Duration) {
    let usable = control
        .remaining
        .saturating_sub(overhead * params::time_reserved_overheads() as u32);
    let moves = control
        .moves_to_go
        .map_or(f64::from(params::time_planned_moves()) / 10.0, |moves| {
            f64::from(moves.clamp(1, 40)) + 0.5
        });
    let increment = control
        .increment
        .mul_f64(percent(params::time_increment_share()));
    let planned = usable.div_f64(moves) + increment;
    // With one move to go, all of the time may go into it.
    let share = if control.moves_to_go == Some(1) {
        0.9
    } else {
        percent(params::time_hard_share())
    };
    // The reserve stays untouched, but on a clock that is nearly empty half of what is left may go.
    let most = usable.max(control.remaining.saturating_sub(overhead) / 2);
    let hard = planned
        .mul_f64(percent(params::time_hard_factor()))
        .min(usable.mul_f64(share) + increment)
        .min(most);
    (least(planned.min(hard)), least(hard))
}

fn percent(value: i32) -> f64 {
    f64::from(value) / 100.0
}

/// A search gets this even if there is no time left: it finds a sensible move.
fn least(time: Duration) -> Duration {
    time.max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SearchSettings;

    const OVERHEAD: Duration = Duration::from_millis(20);

    #[test]
    fn limits_leave_time_on_the_clock() {
        for remaining in [30, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 20, 1_000, 30_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let control = TimeControl {
                        remaining: Duration::from_millis(remaining),
                        increment: Duration::from_millis(increment),
                        moves_to_go,
                    };
                    let (soft, hard) = time_limits(control, OVERHEAD);
                    assert!(soft <= hard, "{control:?}");
                    let spare = control.remaining - OVERHEAD;
                    let reserve = OVERHEAD + (spare / 2).min(2 * OVERHEAD);
                    assert!(hard + reserve <= control.remaining, "{control:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn no_time_at_all_still_gives_a_moment() {
        let (soft, hard) = time_limits(TimeControl::default(), OVERHEAD);
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

    #[test]
    fn time_that_passed_between_question_and_search_counts() {
        let control = TimeControl {
            remaining: Duration::from_secs(1),
            ..TimeControl::default()
        };
        let limits = |asked| Limits {
            clock: Some(control),
            asked,
            ..Limits::default()
        };
        let long_ago = Instant::now().checked_sub(control.remaining);
        assert!(TimeManager::start(&limits(long_ago)).is_out_of_time(0));
        assert!(!TimeManager::start(&limits(None)).is_out_of_time(0));
    }

    /// Time is counted in nodes, a thousand a second, so that nothing depends on the machine.
    fn pondering() -> TimeManager {
        TimeManager::start(&Limits {
            clock: Some(TimeControl {
                remaining: Duration::from_secs(60),
                ..TimeControl::default()
            }),
            settings: SearchSettings {
                node_rate: NonZeroU64::new(1_000),
                ..SearchSettings::default()
            },
            ..Limits::default()
        })
    }

    #[test]
    fn a_ponderhit_that_comes_late_is_answered_at_once_and_an_early_one_is_not() {
        let mut late = pondering();
        late.ponderhit(50_000);
        assert!(late.is_out_of_time(50_000));
        let mut early = pondering();
        early.ponderhit(10);
        assert!(!early.is_out_of_time(10));
        assert!(early.is_out_of_time(60_000));
    }

    #[test]
    fn stability_counts_while_pondering() {
        let mut stable = pondering();
        let mut unstable = pondering();
        for iteration in 0..8 {
            stable.note_iteration(false, 0.9, Score(20));
            unstable.note_iteration(true, 0.3, Score(20 - 40 * iteration));
        }
        // Between the soft limits of the two.
        let nodes = 2_500;
        assert!(stable.is_time_to_answer(nodes));
        assert!(!unstable.is_time_to_answer(nodes));
    }
}
