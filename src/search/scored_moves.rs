//! A list of scored moves from which the best is taken out, one at a time.
//!
//! Most nodes need only a few of their moves, so a full sort would be wasted. A linear search for
//! the best score mispredicts a branch at each new maximum. So each score is packed into one key
//! with the index of its move: the greatest key gives the best score and its place, and is found
//! without branches, in vectors.

use crate::board::MAX_MOVES;
use crate::types::Move;
use arrayvec::ArrayVec;

/// The number of keys is a multiple of this, so that whole vectors are compared.
const LANES: usize = 8;
/// Number of bits below the score in a key.
const PLACE_BITS: u32 = 9;
const PLACE_MASK: i32 = (1 << PLACE_BITS) - 1;
/// Maximum number of keys: one for each move, rounded up to whole vectors.
const MAX_KEYS: usize = MAX_MOVES.next_multiple_of(LANES);

const _: () = assert!(MAX_KEYS <= 1 << PLACE_BITS);

/// A move and its history score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HistoryMove {
    pub(super) mv: Move,
    pub(super) history: i32,
}

/// A move and its scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScoredMove {
    pub(super) mv: Move,
    /// Orders the moves; its absolute value is below [`ScoredMoves::SCORE_LIMIT`].
    pub(super) score: i32,
    /// History score, which is part of the score.
    pub(super) history: i32,
}

/// The moves not taken yet.
#[derive(Debug, Default)]
pub(super) struct ScoredMoves {
    moves: ArrayVec<HistoryMove, MAX_MOVES>,
    /// For each move its score and, in the low bits, its index counted from the end, so that the
    /// first of equal moves has the greatest key. Padded with the smallest key to whole vectors.
    keys: ArrayVec<i32, MAX_KEYS>,
}

impl ScoredMoves {
    /// Upper limit of the absolute value of a score, exclusive.
    pub(super) const SCORE_LIMIT: i32 = 1 << (i32::BITS - PLACE_BITS - 1);

    /// Replaces all moves.
    #[inline(always)]
    pub(super) fn fill(&mut self, moves: impl Iterator<Item = ScoredMove>) {
        self.moves.clear();
        self.keys.clear();
        for ScoredMove { mv, score, history } in moves {
            debug_assert!(score.abs() < Self::SCORE_LIMIT, "{mv} has score {score}");
            self.keys.push(key(score, self.moves.len()));
            self.moves.push(HistoryMove { mv, history });
        }
        while self.keys.len() % LANES != 0 {
            self.keys.push(i32::MIN);
        }
    }

    /// Takes out the move with the highest score, the first among equals. The last move takes its
    /// place.
    #[inline(always)]
    pub(super) fn take_best(&mut self) -> Option<HistoryMove> {
        let last = self.moves.len().checked_sub(1)?;
        let place = self.place_of_best(self.moves.len());
        self.keys[place] = key(self.keys[last] >> PLACE_BITS, place);
        self.keys[last] = i32::MIN;
        Some(self.moves.swap_remove(place))
    }

    #[inline(always)]
    fn place_of_best(&self, len: usize) -> usize {
        let keys = &self.keys[..len.next_multiple_of(LANES)];
        let best = keys.iter().fold(i32::MIN, |best, &key| best.max(key));
        (!best & PLACE_MASK) as usize
    }
}

#[inline(always)]
fn key(score: i32, place: usize) -> i32 {
    score << PLACE_BITS | (!place as i32 & PLACE_MASK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;
    use rand::{RngExt, SeedableRng};

    /// What the keys are to find, one after another.
    fn take_best_slowly(moves: &mut Vec<ScoredMove>) -> Option<HistoryMove> {
        let best = moves.iter().map(|scored| scored.score).max()?;
        let place = moves.iter().position(|scored| scored.score == best)?;
        let ScoredMove { mv, history, .. } = moves.swap_remove(place);
        Some(HistoryMove { mv, history })
    }

    #[test]
    fn the_first_of_the_best_moves_comes_first() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut scored = ScoredMoves::default();
        for len in (0..40).chain([MAX_MOVES]) {
            for spread in [0, 3, ScoredMoves::SCORE_LIMIT - 1] {
                let mut moves: Vec<_> = (0..len)
                    .map(|place| ScoredMove {
                        mv: Move::normal(Square::A1, Square::H8),
                        score: random.random_range(-spread..=spread),
                        history: place as i32,
                    })
                    .collect();
                scored.fill(moves.iter().copied());
                for _ in 0..=len {
                    assert_eq!(scored.take_best(), take_best_slowly(&mut moves));
                }
            }
        }
    }
}
