//! A history entry: a running mean of bonuses.
//!
//! Each bonus also pulls the value back towards 0, in proportion to the value ("gravity"). So
//! recent results count most, and no entry overflows. All tables have the same range, so that their
//! entries can be added.

/// A value between -[`Self::MAX`] and [`Self::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct HistoryEntry(i16);

impl HistoryEntry {
    /// Maximum absolute value of an entry and of a bonus.
    pub(super) const MAX: i32 = 16_384;

    // ANCHOR: gravity
    #[inline(always)]
    pub(super) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-Self::MAX, Self::MAX);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / Self::MAX) as i16;
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
            entry.update(HistoryEntry::MAX);
            assert!(entry.value() <= HistoryEntry::MAX);
        }
        assert_eq!(entry.value(), HistoryEntry::MAX);
        for _ in 0..10 {
            entry.update(-2000);
        }
        assert!(entry.value() < 0);
    }
}
