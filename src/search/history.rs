//! What worked before: for each kind of move, how often it has refuted a position lately.

use super::stack::Step;
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// A running tally between -[`Self::MAX`] and [`Self::MAX`].
///
/// It is pulled back the more the further it has gone ("gravity"), so recent results count most and it cannot overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tally(i16);

impl Tally {
    const MAX: i32 = 16_384;

    #[inline(always)]
    fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-Self::MAX, Self::MAX);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / Self::MAX) as i16;
    }

    #[inline(always)]
    fn value(self) -> i32 {
        i32::from(self.0)
    }
}

/// A tally for each man on each square of arrival.
type ByStep = [[Tally; Square::COUNT]; Piece::COUNT];

/// The tallies of one worker.
pub(super) struct Histories {
    /// Quiet moves by side, from and to.
    quiet: Box<[[[Tally; Square::COUNT]; Square::COUNT]; Color::COUNT]>,
    /// Captures by man, square and victim; a promotion without capture has the pawn as victim.
    capture: Box<[[[Tally; PieceKind::COUNT]; Square::COUNT]; Piece::COUNT]>,
    /// Quiet moves by the step one ply before, and two plies before: replies and plans.
    continuation: [Box<[ByStep]>; 2],
}

impl Histories {
    pub(super) fn new() -> Self {
        let continuation = || {
            vec![[[Tally::default(); Square::COUNT]; Piece::COUNT]; Piece::COUNT * Square::COUNT]
        };
        Self {
            quiet: Box::new([[[Tally::default(); Square::COUNT]; Square::COUNT]; Color::COUNT]),
            capture: Box::new(
                [[[Tally::default(); PieceKind::COUNT]; Square::COUNT]; Piece::COUNT],
            ),
            continuation: [continuation().into(), continuation().into()],
        }
    }

    /// How well a quiet move has done, here and after the last two steps.
    #[inline]
    pub(super) fn quiet(
        &self,
        side: Color,
        mv: Move,
        step: Step,
        before: [Option<Step>; 2],
    ) -> i32 {
        let mut sum = self.quiet[side.index()][mv.from().index()][mv.to().index()].value();
        for (table, before) in self.continuation.iter().zip(before) {
            if let Some(before) = before {
                sum +=
                    table[continuation_index(before)][step.piece.index()][step.to.index()].value();
            }
        }
        sum
    }

    /// Notes that a quiet move did well or badly.
    #[inline]
    pub(super) fn update_quiet(
        &mut self,
        side: Color,
        mv: Move,
        step: Step,
        before: [Option<Step>; 2],
        bonus: i32,
    ) {
        self.quiet[side.index()][mv.from().index()][mv.to().index()].update(bonus);
        for (table, before) in self.continuation.iter_mut().zip(before) {
            if let Some(before) = before {
                table[continuation_index(before)][step.piece.index()][step.to.index()]
                    .update(bonus);
            }
        }
    }

    /// How well a capture or promotion has done.
    #[inline]
    pub(super) fn capture(&self, step: Step, victim: PieceKind) -> i32 {
        self.capture[step.piece.index()][step.to.index()][victim.index()].value()
    }

    /// Notes that a capture or promotion did well or badly.
    #[inline]
    pub(super) fn update_capture(&mut self, step: Step, victim: PieceKind, bonus: i32) {
        self.capture[step.piece.index()][step.to.index()][victim.index()].update(bonus);
    }
}

#[inline(always)]
fn continuation_index(step: Step) -> usize {
    step.piece.index() * Square::COUNT + step.to.index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_stays_in_range_and_follows_the_latest_results() {
        let mut tally = Tally::default();
        for _ in 0..1000 {
            tally.update(Tally::MAX);
            assert!(tally.value() <= Tally::MAX);
        }
        assert_eq!(tally.value(), Tally::MAX);
        for _ in 0..10 {
            tally.update(-2000);
        }
        assert!(tally.value() < 0);
    }
}
