//! Correction history: the recent error of the static evaluation in positions that share a feature.
//!
//! A search shows that an evaluation was too high or too low. Positions with the same pawns, or the
//! same pieces of one side, probably have the same error. So the error is stored by a key of each
//! feature and added to later evaluations. It corrects what the network misses. A tactical
//! difference would only add noise, so captures, and bounds on the wrong side, are left out. The
//! idea comes from Caissa and Stockfish (2024).

use super::Continuations;
use super::entry::Entry;
use crate::board::Position;
use crate::search::params;
use crate::types::{Color, Key};

/// Number of entries of each table; a power of two.
const SIZE: usize = 8_192;
/// Maximum absolute value of an entry.
const MAX: i32 = 1_024;
/// Maximum change of an entry by one search: a quarter of [`MAX`], so that one deep search may move
/// the sum of all tables by 69 centipawns. Half of this maximum gave -3 ± 11 Elo (with larger
/// weights, by which a search could move the sum by 87 centipawns), and slower rates had lost
/// before.
const MAX_BONUS: i32 = MAX / 4;

/// The unit of `correction_rate`.
const RATE_UNIT: i32 = 128;

/// The errors that remained after earlier corrections, added up with gravity. At [`MAX`] an entry
/// corrects by the whole weight of its feature.
type CorrectionEntry = Entry<MAX>;

/// Number of features: pawns; kings, knights and bishops; the pieces of White except pawns; those
/// of Black; the last two moves.
const FEATURES: usize = 5;

/// The corrections of one worker, by side to move, feature and key.
pub(in crate::search) struct CorrectionHistory {
    by_key: Box<[[[CorrectionEntry; SIZE]; FEATURES]]>,
}

impl CorrectionHistory {
    pub(super) fn new() -> Self {
        let empty = CorrectionEntry::default();
        Self {
            by_key: vec![[[empty; SIZE]; FEATURES]; Color::COUNT].into(),
        }
    }

    /// Size of the table, in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.by_key)
    }

    pub(super) fn clear(&mut self) {
        let tables = self.by_key.as_flattened_mut();
        tables.as_flattened_mut().fill(CorrectionEntry::default());
    }

    /// Correction of the static evaluation, in centipawns.
    #[inline]
    pub(in crate::search) fn correction(
        &self,
        position: &Position,
        continuations: Continuations,
    ) -> i32 {
        let tables = &self.by_key[position.side_to_move().index()];
        let weights = [
            params::correction_pawn_weight(),
            params::correction_minor_weight(),
            params::correction_non_pawn_weight(),
            params::correction_non_pawn_weight(),
            params::correction_continuation_weight(),
        ];
        let mut sum = 0;
        for ((table, slot), weight) in tables
            .iter()
            .zip(slots(position, continuations))
            .zip(weights)
        {
            sum += table[slot].value() * weight;
        }
        sum / MAX
    }

    /// Adds the difference between the score of a search of `depth` plies and the static
    /// evaluation.
    #[inline]
    pub(in crate::search) fn update(
        &mut self,
        position: &Position,
        continuations: Continuations,
        difference: i32,
        depth: i32,
    ) {
        let bonus = (difference * depth * params::correction_rate() / RATE_UNIT)
            .clamp(-MAX_BONUS, MAX_BONUS);
        let tables = &mut self.by_key[position.side_to_move().index()];
        for (table, slot) in tables.iter_mut().zip(slots(position, continuations)) {
            table[slot].update(bonus);
        }
    }
}

#[inline(always)]
fn slots(position: &Position, continuations: Continuations) -> [usize; FEATURES] {
    [
        slot(position.pawn_key()),
        slot(position.minor_key()),
        slot(position.non_pawn_key(Color::White)),
        slot(position.non_pawn_key(Color::Black)),
        // The last two moves. For the same squares some pairs of pieces share a slot; an index by a
        // product, which keeps most of them apart, gave -1 ± 8 Elo.
        (continuations[1] * 31 + continuations[0]) % SIZE,
    ]
}

#[inline(always)]
fn slot(key: Key) -> usize {
    key.0 as usize % SIZE
}
