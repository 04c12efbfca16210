//! Time management: how long to think about a move.
//!
//! The clock gives two limits. After the *soft* limit no iteration starts; at the *hard* limit the
//! search stops in the middle of one. The soft limit follows the search: a best move that is stable
//! and takes most of the nodes shortens it, one that changes or loses ground extends it. The idea
//! is Hyatt's ("Using Time Wisely", 1984); the share of nodes is used by most engines of today.
//!
//! Time can be counted in nodes instead, so that a search takes the same time on every machine.

use super::clock::Instant;
use super::limits::{Limits, TimeControl};
use super::params;
use super::settings::SearchSettings;
use crate::types::Score;
use std::num::NonZeroU64;
use std::time::Duration;

/// Watches the time of one search.
#[derive(Debug, Clone)]
pub(super) struct TimeManager {
    started: Instant,
    /// Nodes that count as one second, if time is counted in nodes.
    node_rate: Option<NonZeroU64>,
    /// Time lost between the GUI's clock and the engine on each move.
    overhead: Duration,
    /// Time that the move will cost on the clock beyond the search.
    lag: Duration,
    /// Time that had passed when our own clock started: zero, or the time of the ponderhit.
    own_start: Duration,
    soft: Option<Duration>,
    hard: Option<Duration>,
    stability: Stability,
    /// Factor of the soft limit, updated after each iteration.
    factor: f64,
}

/// How settled the choice of the best move is.
#[derive(Debug, Clone, Copy, Default)]
struct Stability {
    /// Number of iterations since the best move last changed.
    iterations: u32,
    last_score: Option<Score>,
}

impl TimeManager {
    /// Computes the limits of a search whose clock started at `started`.
    pub(super) fn start(
        started: Instant,
        limits: &Limits,
        lag: Duration,
        settings: &SearchSettings,
    ) -> Self {
        let mut time = Self {
            started,
            node_rate: settings.node_rate,
            overhead: settings.move_overhead,
            lag,
            own_start: Duration::ZERO,
            soft: None,
            hard: None,
            stability: Stability::default(),
            factor: 1.0,
        };
        time.set_limits(limits);
        time
    }

    /// Computes the soft and the hard limit.
    fn set_limits(&mut self, limits: &Limits) {
        let (overhead, lag) = (self.overhead, self.lag);
        let of_clock = limits
            .clock
            .map(|control| time_limits(control, overhead, lag));
        let movetime = limits
            .movetime
            .map(|time| time.saturating_sub(overhead).max(MIN_MOVETIME));
        self.soft = of_clock.map(|(soft, _)| soft);
        self.hard = of_clock
            .map(|(_, hard)| hard)
            .into_iter()
            .chain(movetime)
            .min();
    }

    /// Time since the clock started; `nodes` is the number searched by all workers.
    pub(super) fn elapsed(&self, nodes: u64) -> Duration {
        self.node_rate.map_or_else(
            || self.started.elapsed(),
            |rate| Duration::from_secs_f64(nodes as f64 / rate.get() as f64),
        )
    }

    /// Starts our own clock, which has run since `at`, with these limits. The soft limit still
    /// counts from the start of pondering.
    pub(super) fn ponderhit(&mut self, nodes: u64, at: Instant, limits: &Limits) {
        self.set_limits(limits);
        self.own_start = match self.node_rate {
            None => at.saturating_duration_since(self.started),
            Some(_) => self.elapsed(nodes),
        };
    }

    /// Whether the search must stop at once.
    pub(super) fn is_past_hard_limit(&self, nodes: u64) -> bool {
        self.hard
            .is_some_and(|hard| self.elapsed(nodes).saturating_sub(self.own_start) >= hard)
    }

    /// Updates the soft limit after an iteration, while pondering too. `best_move_share` is the
    /// share of all nodes spent on the best move, from 0 to 1.
    pub(super) fn update(&mut self, best_move_changed: bool, best_move_share: f64, score: Score) {
        self.factor = self
            .stability
            .factor(best_move_changed, best_move_share, score);
    }

    /// Whether no further iteration should start.
    pub(super) fn is_past_soft_limit(&self, nodes: u64) -> bool {
        self.soft
            .is_some_and(|soft| self.elapsed(nodes) >= soft.mul_f64(self.factor))
    }
}

impl Stability {
    // ANCHOR: factor
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
        // Only extreme parameter values, which a tuner may try, make this negative.
        (stability * node_share * falling).max(0.0)
    }
    // ANCHOR_END: factor
}

/// The soft and the hard limit. If both are zero, the first iteration gives the answer.
///
/// `lag` is the mean of the last moves. It is lost with every move, so it reduces the time planned
/// for each. Where it is high, single moves lose far more, so a multiple of it stays in reserve,
/// but no more than the moves that can still lose it.
fn time_limits(control: TimeControl, overhead: Duration, lag: Duration) -> (Duration, Duration) {
    let control = TimeControl {
        remaining: control.remaining.min(LONGEST),
        increment: control.increment.min(LONGEST),
        ..control
    };
    let [overhead, lag] = [overhead, lag].map(|time| time.min(LONGEST));
    // ANCHOR: limits
    let most_lags = params::time_reserved_lags() as u32;
    let lags = control
        .moves_to_go
        .map_or(most_lags, |moves| moves.max(1).min(most_lags));
    let reserve =
        (overhead * params::time_reserved_overheads() as u32 + lag * lags).max(MIN_RESERVE);
    let usable = control.remaining.saturating_sub(reserve);
    let moves = control
        .moves_to_go
        .map_or(f64::from(params::time_planned_moves()) / 10.0, |moves| {
            f64::from(moves.clamp(1, params::time_max_moves_to_go() as u32)) + 0.5
        });
    // On a nearly empty clock, each move saves a part of the increment, until a delay does no harm.
    let enough = reserve * params::time_recovery_reserves() as u32;
    let increment = control.increment.mul_f64(
        percent(params::time_increment_share())
            * control.remaining.div_duration_f64(enough).min(1.0),
    );
    let planned = (usable.div_f64(moves) + increment).saturating_sub(lag);
    // With one move to go, nearly all of the time may go into it.
    let share = if control.moves_to_go == Some(1) {
        percent(params::time_hard_share_last_move())
    } else {
        percent(params::time_hard_share())
    };
    // A single iteration blunders, so a hundredth of what this move cannot lose may go in any case.
    // The reserve lasts for many such moves.
    let least = control.remaining.saturating_sub(overhead + lag) / 100;
    // Otherwise it stays untouched, except on a nearly empty clock, of which half may go.
    let max = usable.max(control.remaining.saturating_sub(overhead) / 2);
    let hard = planned
        .mul_f64(percent(params::time_hard_factor()))
        .min(usable.mul_f64(share) + increment)
        .min(max.saturating_sub(lag))
        .max(least);
    // ANCHOR_END: limits
    (planned.max(least).min(hard), hard)
}

fn percent(value: i32) -> f64 {
    f64::from(value) / 100.0
}

/// Minimum time left on the clock, also where `Move Overhead` says that none is lost: the search
/// may notice its limit some milliseconds late.
const MIN_RESERVE: Duration = Duration::from_millis(10);

/// Longer than any game, and short enough for the arithmetic of [`time_limits`].
const LONGEST: Duration = Duration::from_secs(1 << 32);

/// Minimum time of a search of fixed time.
const MIN_MOVETIME: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use super::*;

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
                    let (soft, hard) = time_limits(control, OVERHEAD, Duration::ZERO);
                    assert!(soft <= hard, "{control:?}");
                    let spare = control.remaining - OVERHEAD;
                    let reserve = OVERHEAD + (spare / 2).min(2 * OVERHEAD);
                    assert!(hard + reserve <= control.remaining, "{control:?}: {hard:?}");
                }
            }
        }
    }

    /// A program may say so that there is no limit.
    #[test]
    fn the_longest_times_have_limits() {
        for moves_to_go in [None, Some(1), Some(2), Some(40)] {
            let control = TimeControl {
                remaining: Duration::MAX,
                increment: Duration::MAX,
                moves_to_go,
            };
            let (soft, hard) = time_limits(control, OVERHEAD, Duration::ZERO);
            assert!(soft <= hard && hard > Duration::from_secs(1 << 20));
            for (overhead, lag) in [(Duration::MAX, Duration::ZERO), (OVERHEAD, Duration::MAX)] {
                time_limits(control, overhead, lag);
            }
        }
    }

    #[test]
    fn lag_reduces_the_time_of_each_move() {
        let control = |remaining| TimeControl {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(2),
            moves_to_go: None,
        };
        let limits =
            |remaining, lag| time_limits(control(remaining), OVERHEAD, Duration::from_millis(lag));
        let (soft, hard) = limits(200, 0);
        assert!(soft > Duration::from_millis(4));
        let (less, less_hard) = limits(200, 1);
        assert!(less + Duration::from_millis(1) < soft && less_hard < hard);
        // More lag than the move may cost: a hundredth of what this move leaves.
        for (remaining, lag, least) in [(200, 10, 1_700), (50, 2, 280), (25, 5, 0), (0, 2, 0)] {
            let least = Duration::from_micros(least);
            assert_eq!(limits(remaining, lag), (least, least));
        }
    }

    #[test]
    fn no_more_lags_are_reserved_than_moves_are_to_go() {
        let control = |moves_to_go| TimeControl {
            remaining: Duration::from_secs(1),
            increment: Duration::ZERO,
            moves_to_go,
        };
        let soft = |moves| time_limits(control(moves), OVERHEAD, Duration::from_millis(50)).0;
        assert!(soft(Some(1)) > Duration::from_millis(500));
        assert!(soft(Some(4)) > Duration::from_millis(80));
        assert!(soft(None) < Duration::from_millis(10));
    }

    #[test]
    fn an_empty_clock_without_reserve_has_limits() {
        let (soft, hard) = time_limits(TimeControl::default(), Duration::ZERO, Duration::ZERO);
        assert_eq!((soft, hard), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn some_time_stays_without_overhead() {
        for (remaining, increment) in [(200, 200), (200, 150), (1_000, 1_000), (15, 1_000)] {
            let control = TimeControl {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go: None,
            };
            let (_, hard) = time_limits(control, Duration::ZERO, Duration::ZERO);
            let least = MIN_RESERVE.min(control.remaining / 2);
            assert!(hard + least <= control.remaining, "{control:?}: {hard:?}");
        }
    }

    #[test]
    fn a_nearly_empty_clock_recovers() {
        // The milliseconds of lag, and the reserve that the clock should reach.
        for (lag, reserve) in [(0, 60), (3, 120)] {
            let lag = Duration::from_millis(lag);
            let mut control = TimeControl {
                remaining: Duration::from_millis(30),
                increment: Duration::from_millis(10),
                moves_to_go: None,
            };
            for _ in 0..20 {
                let (soft, _) = time_limits(control, OVERHEAD, lag);
                control.remaining = control.remaining + control.increment - soft - lag;
            }
            assert!(
                control.remaining >= Duration::from_millis(reserve),
                "{control:?}"
            );
        }
    }

    #[test]
    fn a_stable_best_move_takes_less_time_than_a_changing_one() {
        let mut stable = Stability::default();
        let mut changing = Stability::default();
        let stable = (0..6).map(|_| stable.factor(false, 0.9, Score(20))).last();
        let changing = (0..6)
            .map(|i| changing.factor(true, 0.3, Score(20 - 40 * i)))
            .last();
        assert!(stable < changing);
    }

    #[test]
    fn time_between_request_and_search_counts() {
        let control = TimeControl {
            remaining: Duration::from_secs(1),
            ..TimeControl::default()
        };
        let limits = Limits {
            clock: Some(control),
            ..Limits::default()
        };
        let settings = SearchSettings::default();
        let start = |at| TimeManager::start(at, &limits, Duration::ZERO, &settings);
        let now = Instant::now();
        let long_ago = now.checked_sub(control.remaining).unwrap();
        assert!(start(long_ago).is_past_hard_limit(0));
        assert!(!start(now).is_past_hard_limit(0));
    }

    fn seconds(remaining: u64) -> Limits {
        Limits {
            clock: Some(TimeControl {
                remaining: Duration::from_secs(remaining),
                ..TimeControl::default()
            }),
            ..Limits::default()
        }
    }

    /// A thousand nodes count as one second, so that nothing depends on the machine.
    fn pondering() -> TimeManager {
        let limits = seconds(60);
        let settings = SearchSettings {
            node_rate: NonZeroU64::new(1_000),
            ..SearchSettings::default()
        };
        TimeManager::start(Instant::now(), &limits, Duration::ZERO, &settings)
    }

    #[test]
    fn a_late_ponderhit_comes_after_the_soft_limit_and_an_early_one_does_not() {
        let now = Instant::now();
        let mut late = pondering();
        late.ponderhit(50_000, now, &seconds(60));
        assert!(late.is_past_soft_limit(50_000));
        let mut early = pondering();
        early.ponderhit(10, now, &seconds(60));
        assert!(!early.is_past_soft_limit(10) && !early.is_past_hard_limit(10));
        assert!(early.is_past_hard_limit(60_000));
    }

    #[test]
    fn the_limits_of_the_ponderhit_replace_those_before() {
        let now = Instant::now();
        let mut more = pondering();
        more.ponderhit(50_000, now, &seconds(6_000));
        assert!(!more.is_past_hard_limit(60_000));
        let mut less = pondering();
        less.ponderhit(10, now, &seconds(1));
        assert!(less.is_past_hard_limit(1_000));
        let mut fixed = pondering();
        fixed.ponderhit(50_000, now, &Limits::movetime(Duration::from_secs(3)));
        assert!(!fixed.is_past_soft_limit(90_000) && !fixed.is_past_hard_limit(52_000));
        assert!(fixed.is_past_hard_limit(53_000));
    }

    /// Our clock starts at the ponderhit, even if the search has not begun.
    #[test]
    fn time_before_the_ponderhit_does_not_count() {
        let now = Instant::now();
        let long_ago = now.checked_sub(Duration::from_secs(30)).unwrap();
        let limits = Limits::movetime(Duration::from_secs(20));
        let settings = SearchSettings::default();
        let start = || TimeManager::start(long_ago, &limits, Duration::ZERO, &settings);
        let mut hit_now = start();
        hit_now.ponderhit(0, now, &limits);
        assert!(!hit_now.is_past_hard_limit(0));
        let mut hit_at_once = start();
        hit_at_once.ponderhit(0, long_ago, &limits);
        assert!(hit_at_once.is_past_hard_limit(0));
    }

    #[test]
    fn stability_counts_while_pondering() {
        let mut stable = pondering();
        let mut unstable = pondering();
        for iteration in 0..8 {
            stable.update(false, 0.9, Score(20));
            unstable.update(true, 0.3, Score(20 - 40 * iteration));
        }
        // Between the soft limits of the two.
        let nodes = 2_500;
        assert!(stable.is_past_soft_limit(nodes));
        assert!(!unstable.is_past_soft_limit(nodes));
    }
}
