//! A history entry: a running mean of success and failure, in which a larger bonus counts for more.
//!
//! Each bonus also pulls the value back towards 0, in proportion to the value and to the bonus
//! ("gravity"). So recent results count most, and no entry overflows. Bonuses of one sign drive the
//! value to its maximum, whatever their size.

/// A value between `-MAX` and `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Entry<const MAX: i32>(i16);

/// Maximum absolute value of an entry of a move history. It is the same in all tables, so that
/// their entries can be added.
const MAX: i32 = 16_384;

/// An entry of a move history.
pub(super) type HistoryEntry = Entry<MAX>;

impl<const MAX: i32> Entry<MAX> {
    // ANCHOR: gravity
    #[inline(always)]
    pub(super) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-MAX, MAX);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / MAX) as i16;
    }
    // ANCHOR_END: gravity

    #[inline(always)]
    pub(super) fn value(self) -> i32 {
        i32::from(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stays_in_range_and_follows_recent_bonuses() {
        let mut entry = HistoryEntry::default();
        for _ in 0..1000 {
            entry.update(MAX);
            assert!(entry.value() <= MAX);
        }
        assert_eq!(entry.value(), MAX);
        for _ in 0..10 {
            entry.update(-2000);
        }
        assert!(entry.value() < 0);
    }
}
