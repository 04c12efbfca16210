//! Correction history: by how much the static evaluation has lately been wrong in positions that have something in common.
//!
//! A search finds that the evaluation was too high or too low; positions with the same pawns, or the same pieces of one
//! side, are likely to be misjudged in the same way. The difference is kept by a key of that feature and added to the
//! evaluations to come. It learns what the network misses; where the difference is tactical it only adds noise, so
//! captures and scores that are bounds on the wrong side are left out. (Caissa and Stockfish, 2024.)

use super::Continuations;
use crate::board::Position;
use crate::search::params;
use crate::types::{Color, Key};

/// Entries of each table; a power of two.
const SIZE: usize = 8_192;
/// The greatest value of an entry.
const MAX: i32 = 1_024;
/// A single search changes an entry by a quarter of its range at most.
const MAX_BONUS: i32 = MAX / 4;

/// A running mean of what the evaluation was off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct CorrectionEntry(i16);

impl CorrectionEntry {
    #[inline(always)]
    fn update(&mut self, bonus: i32) {
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / MAX) as i16;
    }
}

/// What a position has in common with others.
const FEATURES: usize = 6;

/// All corrections of one worker, for each side to move.
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

    /// Centipawns to be added to the static evaluation.
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
            params::correction_major_weight(),
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
            sum += i32::from(table[slot].0) * weight;
        }
        sum / MAX
    }

    /// Notes that a search of that depth found the static evaluation off by so much.
    #[inline]
    pub(in crate::search) fn update(
        &mut self,
        position: &Position,
        continuations: Continuations,
        difference: i32,
        depth: i32,
    ) {
        let bonus =
            (difference * depth * params::correction_rate() / 128).clamp(-MAX_BONUS, MAX_BONUS);
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
        slot(position.major_key()),
        slot(position.non_pawn_key(Color::White)),
        slot(position.non_pawn_key(Color::Black)),
        // The last two moves; a few pairs share an entry.
        (continuations[1] * 31 + continuations[0]) % SIZE,
    ]
}

#[inline(always)]
fn slot(key: Key) -> usize {
    key.0 as usize % SIZE
}
