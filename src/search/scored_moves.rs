//! Moves with scores, of which the best is taken out, again and again.
//!
//! Few of them are wanted, so sorting them all would be a waste; but looking for the best by comparing one after another
//! mispredicts a branch at each that is better than those before it. So each score shares a number with the place of its
//! move: the greatest number is the best score and says where it is, and it is found without a branch, several at a time.

use crate::board::MAX_MOVES;
use crate::types::Move;
use arrayvec::ArrayVec;

/// How many keys are compared at a time.
const LANES: usize = 8;
/// The bits of a key below the score.
const PLACE_BITS: u32 = 9;
const PLACE_MASK: i32 = (1 << PLACE_BITS) - 1;
/// As many keys as moves, filled up to whole vectors.
const MAX_KEYS: usize = MAX_MOVES.next_multiple_of(LANES);

const _: () = assert!(MAX_KEYS <= 1 << PLACE_BITS);

/// A move, and why it comes when it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScoredMove {
    pub(super) mv: Move,
    /// By which it is ordered; its size is below [`ScoredMoves::SCORE_LIMIT`].
    pub(super) score: i32,
    /// What the histories say of it; a part of the score.
    pub(super) history: i32,
}

/// Moves that were not taken yet.
#[derive(Debug, Default)]
pub(super) struct ScoredMoves {
    moves: ArrayVec<ScoredMove, MAX_MOVES>,
    /// For each move its score and, in the bits below, its index counted from the end: of equals the first is the greatest.
    /// After them the least keys there are, up to a whole vector or more.
    keys: ArrayVec<i32, MAX_KEYS>,
}

impl ScoredMoves {
    /// Scores are smaller than this, and greater than its negative.
    pub(super) const SCORE_LIMIT: i32 = 1 << (i32::BITS - PLACE_BITS - 1);

    /// Takes these moves in place of all others.
    #[inline(always)]
    pub(super) fn fill(&mut self, moves: impl Iterator<Item = ScoredMove>) {
        self.moves.clear();
        self.keys.clear();
        for scored in moves {
            debug_assert!(scored.score.abs() < Self::SCORE_LIMIT, "{scored:?}");
            self.keys.push(key(scored.score, self.moves.len()));
            self.moves.push(scored);
        }
        while self.keys.len() % LANES != 0 {
            self.keys.push(i32::MIN);
        }
    }

    /// Takes out the move with the highest score, of equals the first. The last one takes its place.
    #[inline(always)]
    pub(super) fn take_best(&mut self) -> Option<ScoredMove> {
        let last = self.moves.len().checked_sub(1)?;
        let place = self.place_of_best(self.moves.len());
        self.keys[place] = key(self.moves[last].score, place);
        self.keys[last] = i32::MIN;
        Some(self.moves.swap_remove(place))
    }

    #[inline(always)]
    fn place_of_best(&self, len: usize) -> usize {
        let mut best = [i32::MIN; LANES];
        for keys in self.keys[..len.next_multiple_of(LANES)].chunks_exact(LANES) {
            for lane in 0..LANES {
                best[lane] = best[lane].max(keys[lane]);
            }
        }
        let best = best.into_iter().fold(i32::MIN, i32::max);
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
    fn take_best_slowly(moves: &mut Vec<ScoredMove>) -> Option<ScoredMove> {
        let best = moves.iter().map(|scored| scored.score).max()?;
        let place = moves.iter().position(|scored| scored.score == best)?;
        Some(moves.swap_remove(place))
    }

    #[test]
    fn the_best_comes_first_and_of_equals_the_first() {
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
