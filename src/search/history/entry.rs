//! A history entry: a number that follows its latest bonuses.
//!
//! Each bonus also pulls the value back towards 0, by the share of the range that the value has ("gravity"): results of long ago
//! fade, nothing overflows, and all tables have the same range, so that their entries can be added.

/// A running mean of bonuses between -[`Self::MAX`] and [`Self::MAX`].
///
/// It is pulled back the more the further it has gone ("gravity"), so recent results count most and it cannot overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct HistoryEntry(i16);

impl HistoryEntry {
    /// The greatest value, and the greatest bonus.
    pub(super) const MAX: i32 = 16_384;

    #[inline(always)]
    pub(super) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-Self::MAX, Self::MAX);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / Self::MAX) as i16;
    }

    #[inline(always)]
    pub(super) fn value(self) -> i32 {
        i32::from(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stays_in_range_and_follows_the_latest_results() {
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
