//! Every number of the search, each on one line: name, value, range that a tuner may try.
//!
//! Terms: a *margin* is in centipawns; a *reduction* is in 1/1024 of a ply; a *bonus* is in units of the history
//! tallies, which reach from -16384 to 16384; *per ply* is multiplied by the depth.

/// A number of the search, for listing and tuning.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: i32,
    /// The least value worth trying.
    pub min: i32,
    /// The greatest value worth trying.
    pub max: i32,
}

macro_rules! parameters {
    ($($(#[$meta:meta])* $name:ident = $value:literal, $min:literal ..= $max:literal;)+) => {
        $($(#[$meta])* pub(super) const $name: i32 = $value;)+

        /// All numbers of the search.
        pub const PARAMETERS: &[Parameter] =
            &[$(Parameter { name: stringify!($name), value: $value, min: $min, max: $max }),+];
    };
}

parameters! {
    // Aspiration windows
    ASPIRATION_DEPTH = 4, 2..=8;
    ASPIRATION_MARGIN = 15, 5..=40;
    /// Percent by which the margin grows at each failure.
    ASPIRATION_GROWTH = 60, 20..=150;

    // Reverse futility pruning
    REVERSE_FUTILITY_DEPTH = 8, 4..=12;
    REVERSE_FUTILITY_PER_PLY = 75, 40..=120;
    REVERSE_FUTILITY_IMPROVING = 65, 20..=120;

    // Razoring
    RAZOR_DEPTH = 4, 1..=8;
    RAZOR_MARGIN = 200, 50..=400;
    RAZOR_PER_PLY = 220, 100..=400;

    // Null move
    NULL_DEPTH = 3, 2..=6;
    NULL_REDUCTION = 4, 2..=6;
    /// One more ply of reduction for so many plies of depth.
    NULL_PLIES_PER_REDUCTION = 4, 2..=8;
    /// One more ply of reduction for so many centipawns above beta.
    NULL_MARGIN_PER_REDUCTION = 200, 80..=400;
    NULL_MAX_MARGIN_REDUCTION = 3, 1..=6;
    NULL_VERIFICATION_DEPTH = 14, 8..=30;

    // Internal iterative reduction
    INTERNAL_REDUCTION_DEPTH = 4, 2..=8;

    // Late move pruning
    LATE_MOVE_BASE = 4, 1..=10;
    /// Percent of the squared depth.
    LATE_MOVE_PERCENT = 90, 40..=160;

    // Futility pruning of quiet moves
    FUTILITY_DEPTH = 8, 4..=12;
    FUTILITY_MARGIN = 110, 30..=250;
    FUTILITY_PER_PLY = 85, 30..=160;

    // History pruning
    HISTORY_PRUNING_DEPTH = 5, 2..=10;
    HISTORY_PRUNING_PER_PLY = -3000, -8000..=-500;

    // Pruning by static exchange evaluation
    SEE_PRUNING_DEPTH = 9, 4..=14;
    SEE_QUIET_PER_PLY = -60, -140..=-20;
    /// Times the squared depth.
    SEE_NOISY_PER_SQUARED_PLY = -25, -80..=-10;

    // Late move reductions: base + ln(depth) * ln(move number) * 1024 / divisor
    REDUCTION_QUIET_BASE = 850, 0..=2000;
    /// In hundredths.
    REDUCTION_QUIET_DIVISOR = 240, 150..=400;
    REDUCTION_NOISY_BASE = 100, -500..=1000;
    /// In hundredths.
    REDUCTION_NOISY_DIVISOR = 320, 200..=500;
    REDUCTION_NOT_IMPROVING = 700, 0..=1500;
    REDUCTION_CUT_NODE = 1500, 0..=2500;
    REDUCTION_PV = 1000, 0..=2000;
    REDUCTION_TT_PV = 900, 0..=2000;
    REDUCTION_CHECK = 900, 0..=2000;
    REDUCTION_KILLER = 900, 0..=2000;
    REDUCTION_NOISY_TT_MOVE = 900, 0..=2000;
    /// A history of so much changes the reduction by one ply.
    REDUCTION_HISTORY = 14000, 6000..=30000;
    /// Search deeper after all if the reduced search beats the best by so much.
    REDUCTION_DEEPER_MARGIN = 45, 10..=120;

    // Quiescence search
    QUIESCENCE_FUTILITY_MARGIN = 150, 50..=400;
    QUIESCENCE_SEE = -60, -200..=0;

    // Histories
    HISTORY_BONUS_PER_PLY = 200, 50..=400;
    HISTORY_BONUS_OFFSET = 80, 0..=300;
    HISTORY_BONUS_MAX = 1800, 800..=4000;

    // Move ordering
    /// The exchange that a capture must win to go before quiet moves.
    GOOD_CAPTURE_SEE = -40, -150..=50;
    /// What the victim counts against the capture history, in percent.
    CAPTURE_VICTIM_PERCENT = 1200, 400..=3000;
}

#[cfg(test)]
mod tests {
    use super::PARAMETERS;

    #[test]
    fn values_are_in_their_ranges() {
        for parameter in PARAMETERS {
            assert!(
                (parameter.min..=parameter.max).contains(&parameter.value),
                "{parameter:?}"
            );
        }
    }
}
