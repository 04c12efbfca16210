//! The tunable parameters of search and time management, one line each: name, value, range, unit.
//!
//! Without the feature `tune` each is a constant. With it each is a UCI option that takes effect
//! with the next search at the latest, and `tabiya params` prints the lines that OpenBench's SPSA
//! reads. To add a parameter, add its line here; the code reads it by a function of that name. A
//! `step` after the range is the last step of SPSA where a twentieth of the range is wrong: the
//! range ends with 99, which switches a rule off; the value divides, so small values act strongly;
//! or the value acts in steps. Sizes and units that a tuner cannot change stay next to the code
//! that uses them.

/// A parameter of the search, for listing and tuning.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Name, also of the UCI option under the feature `tune`.
    pub name: &'static str,
    /// Built-in value.
    pub value: i32,
    /// Minimum value for a tuner.
    pub min: i32,
    /// Maximum value for a tuner.
    pub max: i32,
    /// Step of a tuner at the end of its run: the smallest change that games can measure.
    pub last_step: f64,
    /// Unit.
    pub unit: &'static str,
}

/// A twentieth of the range, at least one half. This suits most parameters.
const fn usual_step(min: i32, max: i32) -> f64 {
    let step = (max - min) as f64 / 20.0;
    if step > 0.5 { step } else { 0.5 }
}

impl Parameter {
    /// The line that OpenBench's SPSA reads: name, type, value, range, final step size and learning
    /// rate (Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
    /// optimization", 1998).
    ///
    /// ```
    /// use tabiya::search::PARAMETERS;
    /// let parameter = PARAMETERS.iter().find(|p| p.name == "razor_margin").unwrap();
    /// assert!(parameter.spsa_line().starts_with("razor_margin, int, "));
    /// ```
    pub fn spsa_line(&self) -> String {
        let Self {
            name,
            value,
            min,
            max,
            last_step,
            ..
        } = self;
        format!("{name}, int, {value}.0, {min}.0, {max}.0, {last_step}, 0.002")
    }
}

macro_rules! parameters {
    ($($(#[$meta:meta])* $name:ident = $value:literal, $min:literal ..= $max:literal $(step $step:literal)?, $unit:literal;)+) => {
        /// All parameters.
        pub const PARAMETERS: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                value: $value,
                min: $min,
                max: $max,
                // The given step, or the usual one.
                last_step: [$($step,)? usual_step($min, $max)][0],
                unit: $unit,
            }),+
        ];

        #[cfg(not(feature = "tune"))]
        mod values {
            $($(#[$meta])* #[inline(always)] pub(in crate::search) const fn $name() -> i32 { $value })+
        }

        #[cfg(feature = "tune")]
        mod values {
            use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Index { $($name),+ }

            static VALUES: [AtomicI32; super::PARAMETERS.len()] = [$(AtomicI32::new($value)),+];

            $($(#[$meta])* #[inline(always)] pub(in crate::search) fn $name() -> i32 {
                VALUES[Index::$name as usize].load(Relaxed)
            })+

            pub(super) fn set(index: usize, value: i32) {
                VALUES[index].store(value, Relaxed);
            }
        }

        pub(super) use values::*;
    };
}

/// Sets a parameter for every searcher of the process, within its range or beyond. Returns `false`
/// if the name is unknown.
#[cfg(feature = "tune")]
pub fn set_parameter(name: &str, value: i32) -> bool {
    let index = PARAMETERS
        .iter()
        .position(|parameter| parameter.name == name);
    index.is_some_and(|index| {
        set(index, value);
        true
    })
}

parameters! {
    // Aspiration windows
    aspiration_depth = 4, 2..=8, "plies";
    aspiration_margin = 10, 5..=40, "centipawns";
    aspiration_growth = 60, 20..=150, "percent at each failure";
    /// Maximum depth reduction after repeated fail highs, one ply each.
    aspiration_max_fail_highs = 3, 0..=5, "plies";
    /// A bound beyond this is opened fully.
    aspiration_limit = 2000, 800..=5000, "centipawns";

    // Transposition table
    /// From this halfmove clock on, no TT cutoffs in the main search: the stored score was found at
    /// another clock.
    tt_cutoff_rule50 = 90, 80..=100, "plies";
    /// From this halfmove clock on, the key depends on the clock, in steps of 8 plies.
    tt_key_rule50 = 60, 8..=100 step 8.0, "plies";
    /// Depth added to the stored result of a tablebase probe.
    syzygy_depth_bonus = 6, 0..=12, "plies";
    /// An entry of the same position is replaced if the new depth is lower by less than this.
    tt_replace_margin = 4, 0..=8, "plies";
    /// Added to the margin if the new entry is on the principal variation.
    tt_replace_pv_margin = 2, 0..=6, "plies";
    /// Depth that an entry loses with each later search when the least valuable is replaced.
    tt_plies_per_age = 4, 1..=8, "plies";

    // Reverse futility pruning (static null move pruning)
    reverse_futility_depth = 10, 4..=14, "plies";
    reverse_futility_per_squared_ply = 8, 0..=16, "centipawns per squared ply";
    reverse_futility_per_ply = 7, 0..=80, "centipawns per ply";
    /// Part of the last ply's margin that is spared if the evaluation is improving.
    reverse_futility_improving = 42, 0..=100, "percent";
    /// Part of the correction histories' sum that is added to the margin.
    reverse_futility_correction = 50, 0..=150, "percent";
    /// Position of the returned score between beta (0) and the evaluation (100).
    reverse_futility_blend = 50, 0..=100, "percent";

    // Razoring
    razor_depth = 4, 1..=8, "plies";
    razor_margin = 140, 50..=400, "centipawns";
    razor_per_ply = 220, 100..=400, "centipawns per ply";

    // Null move pruning
    null_move_depth = 3, 2..=99 step 0.5, "plies";
    null_move_reduction = 4, 2..=6, "plies";
    null_move_depth_divisor = 3, 2..=8, "plies of depth per ply of reduction";
    null_move_eval_divisor = 140, 80..=400 step 10.0, "centipawns above beta per ply of reduction";
    null_move_max_eval_reduction = 3, 1..=6, "plies";
    null_move_verification_depth = 14, 8..=30, "plies";
    /// Share of the verification search in which no null move is tried.
    null_move_verification_share = 75, 25..=100, "percent of its depth";

    // ProbCut
    probcut_depth = 5, 3..=99 step 0.5, "plies";
    probcut_margin = 200, 80..=400, "centipawns above beta";
    probcut_improving = 60, 0..=150, "centipawns";
    probcut_reduction = 5, 2..=6, "plies";
    /// An entry at most this much shallower can refute ProbCut.
    probcut_tt_depth_margin = 3, 1..=6, "plies";

    // Singular extensions
    singular_depth = 6, 4..=99 step 0.5, "plies";
    singular_tt_depth_margin = 3, 1..=5, "plies";
    singular_margin = 14, 4..=48, "1/16 centipawn per ply";
    singular_double_margin = 15, 0..=60, "centipawns";
    singular_triple_margin = 90, 40..=300, "centipawns";
    singular_negative_fail_high = 3, 0..=4, "plies";
    singular_negative_cut_node = 2, 0..=4, "plies";
    /// No extension from the ply on that is this many times the depth of the iteration.
    singular_max_ply = 2, 1..=4, "times the depth";

    // Internal iterative reduction (IIR)
    iir_depth = 6, 2..=8, "plies";

    // After a move that has raised alpha
    /// Depth reduction of the moves after it, at depths between the two limits.
    raised_alpha_reduction = 1, 0..=3, "plies";
    raised_alpha_min_depth = 3, 1..=6, "plies";
    raised_alpha_max_depth = 13, 6..=20, "plies";

    // Late move pruning (LMP)
    lmp_base = 4, 1..=99 step 0.5, "moves";
    lmp_per_squared_ply = 105, 40..=200, "hundredths of a move per squared ply";
    lmp_not_improving = 45, 30..=100, "percent";

    // Futility pruning of quiet moves
    futility_depth = 8, 4..=12, "plies";
    futility_margin = 120, 30..=250, "centipawns";
    futility_per_ply = 80, 30..=160, "centipawns per ply";

    // History pruning
    history_pruning_depth = 7, 2..=10, "plies";
    history_pruning_per_ply = -4500, -8000..=-500, "history per ply";

    // Pruning by static exchange evaluation (SEE)
    see_pruning_depth = 8, 4..=14, "plies";
    see_quiet_per_ply = -62, -140..=-20, "centipawns per ply";
    see_noisy_per_squared_ply = -23, -80..=-10, "centipawns per squared ply";
    /// History score that counts as one ply in the depth used to prune quiet moves.
    reduced_depth_history_divisor = 4500, 2000..=20000 step 400.0, "history per ply";

    // Late move reductions (LMR): base + ln(depth) * ln(move number) / divisor
    lmr_depth = 2, 2..=4, "plies";
    lmr_quiet_base = 850, 0..=2000, "1/1024 ply";
    lmr_quiet_divisor = 240, 150..=400, "hundredths";
    lmr_noisy_base = 50, -500..=1000, "1/1024 ply";
    lmr_noisy_divisor = 320, 200..=500, "hundredths";
    lmr_not_improving = 475, 0..=1500, "1/1024 ply";
    lmr_cut_node = 1950, 0..=2500, "1/1024 ply";
    lmr_pv = 1350, 0..=2000, "1/1024 ply";
    lmr_tt_pv = 950, 0..=2000, "1/1024 ply";
    lmr_check = 1000, 0..=2000, "1/1024 ply";
    lmr_noisy_tt_move = 1150, 0..=2000, "1/1024 ply";
    lmr_history_divisor = 6700, 4000..=30000 step 600.0, "history per ply";
    /// The re-search is a ply deeper if the reduced search beats the best score by this…
    lmr_deeper_margin = 45, 10..=120, "centipawns";
    lmr_deeper_per_ply = 2, 0..=8, "centipawns per ply";
    /// … and a ply shallower if it beats the best score by less than this.
    lmr_shallower_margin = 7, -10..=30, "centipawns";
    /// Reduce more once more than this many nodes one ply below have failed high.
    lmr_child_cutoffs_min = 2, 0..=6, "nodes";
    lmr_child_cutoffs = 1350, 0..=2000, "1/1024 ply";

    // Quiescence search
    /// Number of captures and promotions searched out of check; the others are skipped.
    quiescence_max_moves = 3, 1..=99 step 0.5, "moves";
    quiescence_futility_margin = 160, 50..=400, "centipawns";
    quiescence_see = -60, -200..=0, "centipawns";

    // Histories
    history_bonus_per_ply = 180, 50..=400, "history per ply";
    history_bonus_offset = 80, 0..=300, "history";
    history_bonus_max = 1400, 800..=4000, "history";
    history_malus_per_ply = 235, 50..=400, "history per ply";
    history_malus_offset = 80, 0..=300, "history";
    history_malus_max = 1800, 800..=4000, "history";
    /// Weight of each table in the history score of a quiet move.
    butterfly_weight = 85, 0..=200, "percent";
    continuation_1_weight = 110, 0..=200, "percent";
    continuation_2_weight = 88, 0..=200, "percent";
    continuation_4_weight = 50, 0..=200, "percent";
    pawn_history_weight = 115, 0..=200, "percent";
    /// Bonus of the previous quiet move for the gain of the static evaluation.
    eval_difference_weight = 6, 0..=20, "history per centipawn";
    eval_difference_offset = 20, -50..=100, "centipawns";
    eval_difference_max = 150, 50..=400, "centipawns";
    /// Bonus of the quiet move before a fail low.
    prior_move_bonus_per_ply = 140, 0..=300, "history per ply";
    prior_move_bonus_offset = 0, 0..=300, "history";
    prior_move_bonus_max = 1200, 400..=3000, "history";
    /// Correction by an entry at its maximum.
    correction_pawn_weight = 50, 0..=300, "centipawns";
    correction_minor_weight = 50, 0..=300, "centipawns";
    correction_non_pawn_weight = 50, 0..=300, "centipawns";
    correction_continuation_weight = 77, 0..=300, "centipawns";
    /// Share of the difference added to an entry for each ply of depth.
    correction_rate = 30, 4..=64, "1/128";
    /// Larger differences count as this.
    correction_max_difference = 1000, 200..=4000, "centipawns";

    // Move ordering
    /// Bonus of a quiet move off a square attacked by a less valuable piece; malus of one onto it.
    ordering_escape_bonus = 11000, 0..=24000, "history";
    /// Bonus of a quiet move that gives check.
    ordering_check_bonus = 8000, 0..=24000, "history";
    /// Minimum exchange value of such a check.
    ordering_check_see = -60, -200..=0, "centipawns";
    /// Minimum exchange value of a capture that is searched before quiet moves.
    good_capture_see = -25, -150..=50, "centipawns";
    /// Weight of the victim's value (MVV) relative to the capture history.
    capture_victim_weight = 1000, 400..=3000, "percent";

    // Time management
    /// Number of moves to plan for in sudden death.
    time_planned_moves = 340, 150..=500, "tenths of a move";
    /// Share of the increment that each move may use.
    time_increment_share = 95, 40..=100, "percent";
    /// Reserve that stays on the clock, in case the machine is busy.
    time_reserved_overheads = 3, 2..=20, "overheads";
    /// Lags kept in reserve.
    time_reserved_lags = 20, 0..=60, "lags";
    /// With less than this on the clock, a move uses less of the increment.
    time_recovery_reserves = 2, 1..=6, "reserves";
    /// Maximum share of the usable time for one move.
    time_hard_share = 60, 20..=90, "percent";
    /// The same with one move to the time control.
    time_hard_share_last_move = 90, 50..=95, "percent";
    /// Maximum number of moves to plan for before the time control.
    time_max_moves_to_go = 40, 20..=80, "moves";
    /// Maximum of the hard limit relative to the planned time.
    time_hard_factor = 500, 200..=800, "percent";
    /// Soft limit by the number of iterations since the best move changed.
    time_stability_0 = 200, 100..=300, "percent";
    time_stability_1 = 130, 80..=200, "percent";
    time_stability_2 = 105, 70..=150, "percent";
    time_stability_3 = 92, 60..=130, "percent";
    time_stability_4 = 85, 50..=120, "percent";
    /// Soft limit by the best move's share of the nodes: (base - share) * weight.
    time_node_share_base = 130, 100..=250, "percent";
    time_node_share_weight = 165, 80..=250, "percent";
    /// Fall of the score since the last iteration that doubles the soft limit.
    time_falling_score = 145, 60..=400, "centipawns";
    /// Maximum rise and fall that count.
    time_rising_score_max = 30, 0..=100, "centipawns";
    time_falling_score_max = 80, 20..=200, "centipawns";
}

#[cfg(test)]
mod tests {
    use super::PARAMETERS;
    use std::collections::HashSet;

    /// Where 99 switches a rule off, a step of five plies would switch it on and off.
    #[test]
    fn steps_suit_the_parameters() {
        for (name, step) in [
            ("probcut_depth", "0.5"),
            ("lmr_history_divisor", "600"),
            ("razor_margin", "17.5"),
            ("iir_depth", "0.5"),
        ] {
            let parameter = PARAMETERS.iter().find(|p| p.name == name).unwrap();
            let line = parameter.spsa_line();
            assert!(line.ends_with(&format!(", {step}, 0.002")), "{line}");
        }
        for parameter in PARAMETERS {
            let is_switch = parameter.max == 99 && parameter.last_step > 0.5;
            let is_rough = parameter.name.ends_with("divisor")
                && parameter.last_step > (f64::from(parameter.value) / 10.0).max(0.5);
            assert!(!is_switch && !is_rough, "{parameter:?}");
        }
    }

    #[test]
    fn values_are_in_range_and_names_are_unique() {
        for parameter in PARAMETERS {
            assert!(
                (parameter.min..=parameter.max).contains(&parameter.value),
                "{parameter:?}"
            );
        }
        for parameter in PARAMETERS {
            let range = f64::from(parameter.max - parameter.min);
            assert!(
                (0.5..=range / 4.0).contains(&parameter.last_step),
                "{parameter:?}"
            );
        }
        let names: HashSet<_> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
        assert_eq!(names.len(), PARAMETERS.len());
    }
}
