//! Detection of an upcoming repetition: whether a single move leads from one position to another.
//!
//! The difference of the two keys is looked up in a table of all reversible moves, so a search sees
//! a repetition one ply before it happens.

mod cuckoo;

use super::{Position, attacks};
use crate::types::{Key, Square};

include!(concat!(env!("OUT_DIR"), "/cycle.rs"));

impl Position {
    /// Whether one move of a piece other than a pawn leads from this position to the position with
    /// key `other`, or back. Checks are ignored.
    ///
    /// ```
    /// use tabiya::board::Position;
    /// use tabiya::types::{Move, Square};
    /// let start = Position::start();
    /// let next = start.play(Move::normal(Square::G1, Square::F3)).unwrap();
    /// assert!(next.is_one_move_from(start.key()));
    /// assert!(!next.is_one_move_from(next.key()));
    /// let two_on = next.play(Move::normal(Square::G8, Square::F6)).unwrap();
    /// assert!(!two_on.is_one_move_from(start.key()));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_one_move_from(&self, other: Key) -> bool {
        let difference = self.key() ^ other;
        let place = [cuckoo::first(difference.0), cuckoo::second(difference.0)]
            .into_iter()
            .find(|&place| REVERSIBLE[place].0 == difference);
        let Some((_, from, to)) = place.map(|place| REVERSIBLE[place]) else {
            return false;
        };
        let [from, to] = [from, to].map(|index| Square::from_low_bits(index.into()));
        // Equal keys differ by 0 and find an unused place of the table, whose squares are the same.
        // Otherwise the piece stands on one of the two, and those between must be empty.
        from != to && !attacks::between(from, to).intersects(self.occupied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_reversible_move_is_in_the_table_once() {
        let mut keys = HashSet::new();
        for (place, &(key, from, to)) in REVERSIBLE.iter().enumerate() {
            if from != to {
                assert!([cuckoo::first(key.0), cuckoo::second(key.0)].contains(&place));
                assert!(keys.insert(key), "{from} {to}");
            }
        }
        assert_eq!(keys.len(), 3_668);
    }
}
