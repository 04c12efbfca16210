//! Lag: what a move costs on the clock beyond the search.
//!
//! Lines travel through pipes, and threads wait for a processor that other programs use. The option
//! `Move Overhead` guesses that time; this module measures it. The clock of each `go` should show
//! what the last one showed, plus the increment, minus the time of the last answer. The rest is
//! lag. It is measured only where the game has gone on by our move and its answer: the clock of
//! another game, or of the other side, says nothing. On a crowded processor it exceeds a short
//! increment, and an engine that ignores it loses on time.

use crate::board::Position;
use crate::game::History;
use crate::search::{Instant, TimeControl};
use crate::types::Key;
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
    /// The position searched, and the number of half-moves before it.
    key: Key,
    plies: usize,
    started: Instant,
    /// Time on the clock at the start, with the increment for this move.
    clock: Duration,
    /// Time from the request to the answer, once it is known.
    taken: Option<Duration>,
}

/// One in this many parts of the mean is replaced by each move.
const SMOOTHING: u32 = 4;

/// Maximum lag of one move. What a clock loses beyond it, as when a network stalls or a computer
/// sleeps, says nothing about the next move.
const MAX_LAG: Duration = Duration::from_millis(200);

impl LagMeter {
    /// The lag to expect: the mean of the last moves.
    pub(super) const fn expected(&self) -> Duration {
        self.mean
    }

    /// Begins a move with this clock. Returns the lag to expect. A search without a clock measures
    /// nothing. A ponder search begins no move: it takes the opponent's time, so the next clock of
    /// our own is still that after our last move.
    pub(super) fn begin(
        &mut self,
        control: Option<TimeControl>,
        history: &History,
        started: Instant,
    ) -> Duration {
        let last = self.last.take();
        let Some(control) = control else {
            return self.mean;
        };
        let plies = history.moves().len();
        // The position before the last two half-moves: that of our last turn, if this is the next.
        let earlier = history.positions().rev().nth(2).map(Position::key);
        if let Some(TimedMove {
            key,
            plies: before,
            clock,
            taken: Some(taken),
            ..
        }) = last
            && plies == before + 2
            && earlier == Some(key)
        {
            let lag = clock
                .saturating_sub(taken)
                .saturating_sub(control.remaining)
                .min(MAX_LAG);
            self.mean = (self.mean * (SMOOTHING - 1) + lag) / SMOOTHING;
        }
        self.last = Some(TimedMove {
            key: history.position().key(),
            plies,
            started,
            clock: control.remaining.saturating_add(control.increment),
            taken: None,
        });
        self.mean
    }

    /// Ends the move: its answer is here. What ends later, such as a ponder search, changes
    /// nothing.
    pub(super) fn end(&mut self, now: Instant) {
        if let Some(last) = &mut self.last
            && last.taken.is_none()
        {
            last.taken = Some(now.saturating_duration_since(last.started));
        }
    }

    /// Forgets a move that gets no answer.
    pub(super) fn abandon(&mut self) {
        self.last.take_if(|last| last.taken.is_none());
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

    /// The start position after this many half-moves, the first of them in turn.
    fn after(plies: usize) -> History {
        let mut history = History::new(Position::start());
        for _ in 0..plies {
            let mv = history.position().legal_moves()[0];
            history.play(mv).unwrap();
        }
        history
    }

    /// Plays moves that take 30 ms each, with these clocks. Returns the lag after the last.
    fn lag_of(clocks: &[u64]) -> Duration {
        let mut meter = LagMeter::default();
        let start = Instant::now();
        let play = |(turn, &clock)| {
            let lag = meter.begin(control(clock), &after(2 * turn), start);
            meter.end(start + ms(30));
            lag
        };
        let turns = clocks.iter().enumerate();
        turns.map(play).last().unwrap_or_default()
    }

    #[test]
    fn the_lag_is_what_the_clock_lost_beyond_the_answer() {
        for (clocks, lag) in [
            (&[1_000][..], 0),
            // 30 ms of search less 10 ms of increment.
            (&[1_000, 980, 960], 0),
            // Eight milliseconds more; a quarter of the mean is new.
            (&[1_000, 972], 2),
            // Another time control.
            (&[1_000, 972, 60_000], 1),
            // A stall of three seconds and a half says little about the next move.
            (&[8_000, 4_000], 50),
        ] {
            assert_eq!(lag_of(clocks).as_millis(), lag, "{clocks:?}");
        }
        let constant: Vec<_> = (0..40).map(|number| 10_000 - 28 * number).collect();
        assert!((ms(7)..=ms(8)).contains(&lag_of(&constant)));
    }

    #[test]
    fn a_ponder_search_between_two_moves_leaves_their_lag() {
        let mut meter = LagMeter::default();
        let start = Instant::now();
        meter.begin(control(1_000), &after(0), start);
        meter.end(start + ms(30));
        assert_eq!(meter.expected(), Duration::ZERO);
        // The ponder search ends, or is abandoned because the opponent plays another move.
        meter.end(start + ms(500));
        meter.abandon();
        assert_eq!(meter.begin(control(972), &after(2), start), ms(2));
        // A move without an answer is not timed by what ends after it.
        meter.abandon();
        meter.end(start + ms(30));
        assert_eq!(meter.begin(control(500), &after(4), start), ms(2));
    }

    #[test]
    fn a_search_without_a_clock_expects_the_lag_of_the_last_ones() {
        let mut meter = LagMeter::default();
        let start = Instant::now();
        for (plies, clock) in [(0, 1_000), (2, 972)] {
            meter.begin(control(clock), &after(plies), start);
            meter.end(start + ms(30));
        }
        assert_eq!(meter.begin(None, &after(4), start), ms(2));
    }

    /// A new game without `ucinewgame`, the clock of the other side, or a hint.
    #[test]
    fn only_the_next_turn_of_a_game_is_measured() {
        for (plies, lag) in [(2, 50), (0, 0), (1, 0), (3, 0), (4, 0)] {
            let mut meter = LagMeter::default();
            let start = Instant::now();
            meter.begin(control(10_000), &after(0), start);
            meter.end(start + ms(30));
            let found = meter.begin(control(2_000), &after(plies), start);
            assert_eq!(found, ms(lag), "{plies}");
        }
    }

    #[test]
    fn a_move_without_a_clock_or_an_answer_measures_nothing() {
        let mut meter = LagMeter::default();
        let start = Instant::now();
        meter.begin(control(1_000), &after(0), start);
        assert_eq!(meter.begin(control(500), &after(2), start), Duration::ZERO);
        meter.end(start + ms(30));
        assert_eq!(meter.begin(None, &after(4), start), Duration::ZERO);
        assert_eq!(meter.begin(control(100), &after(6), start), Duration::ZERO);
    }
}
