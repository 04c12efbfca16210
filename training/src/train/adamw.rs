//! AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019), with clamped
//! weights and shared steps.
//!
//! Many weights see few positions: the weights of a rare input, such as an attacked queen on
//! a7, and the weights of one bucket. Alone they learn slowly, and much of what they learn is
//! chance. Therefore such a weight is the sum of its own part and of parts shared by a [`Family`]:
//! all squares of an input, all king buckets, or all output buckets. nnue-pytorch factorises inputs
//! in this way. Only the sum is stored: each step adds the step of a shared part, whose gradient is
//! the sum over the family, to all members.

use super::model::{
    FEATURE_BIAS, L2_WEIGHTS, LAYERS, Model, OUTPUT_BIAS, OUTPUT_WEIGHTS, PARAMETERS, TILE, TILES,
};
use tabiya::eval::{
    FEATURES, HIDDEN, KING_BUCKETS, L2, Layers, MAX_INPUT_BIAS, MAX_SQUARE_WEIGHTS, OUTPUT_BUCKETS,
    PIECE_FEATURES, QA, QB, QL2, STATE_FEATURES,
};
use tabiya::types::Square;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Parameters that share a part of their steps: `members` blocks of `length` parameters, one after
/// another. The parameters at the same place of each block share.
#[derive(Debug, Clone, Copy)]
struct Family {
    begin: usize,
    length: usize,
    members: usize,
}

impl Family {
    /// All squares of one kind of input in one tile; they follow one another.
    const fn of_squares(index: usize) -> Self {
        Self {
            begin: index * Square::COUNT * TILE,
            length: TILE,
            members: Square::COUNT,
        }
    }

    /// All king buckets of the inputs for pieces in one tile.
    const fn of_king_buckets(tile: usize) -> Self {
        Self {
            begin: (tile * FEATURES + STATE_FEATURES) * TILE,
            length: PIECE_FEATURES * TILE,
            members: KING_BUCKETS,
        }
    }

    /// All output buckets of a part of the model.
    const fn of_output_buckets(begin: usize, length: usize) -> Self {
        Self {
            begin,
            length,
            members: OUTPUT_BUCKETS,
        }
    }

    fn blocks<'a>(&self, parameters: &'a mut [f32]) -> impl Iterator<Item = &'a mut [f32]> {
        parameters[self.begin..][..self.length * self.members].chunks_exact_mut(self.length)
    }
}

/// The parts of the model that exist once per output bucket.
const BUCKETS: [Family; 4] = [
    Family::of_output_buckets(OUTPUT_WEIGHTS, 2 * HIDDEN),
    Family::of_output_buckets(OUTPUT_BIAS, 1),
    Family::of_output_buckets(L2_WEIGHTS, 2 * HIDDEN * L2),
    Family::of_output_buckets(LAYERS, Layers::PARAMETERS),
];
/// Number of families of squares in the whole model: one per tile, and per piece in a king bucket
/// or piece and state.
const SQUARE_FAMILIES: usize = FEATURE_BIAS / TILE / Square::COUNT;
/// Number of parameters that are shared.
pub(super) const SHARED_PARAMETERS: usize = SQUARE_FAMILIES * TILE
    + PIECE_FEATURES * HIDDEN
    + (PARAMETERS - OUTPUT_WEIGHTS) / OUTPUT_BUCKETS;

/// All families, of [`SHARED_PARAMETERS`] places.
fn families() -> impl Iterator<Item = Family> {
    (0..SQUARE_FAMILIES)
        .map(Family::of_squares)
        .chain((0..TILES).map(Family::of_king_buckets))
        .chain(BUCKETS)
}

/// Maximum absolute value of an output weight or a weight of L2: an equal share of the maximum sum.
const MAX_SQUARE_WEIGHT: f32 = (MAX_SQUARE_WEIGHTS / (2 * HIDDEN as u32)) as f32;

/// Maximum absolute value of a parameter, so that the engine accepts its quantised form.
fn limit(index: usize) -> f32 {
    match index {
        0..FEATURE_BIAS => f32::from(i8::MAX) / QA as f32,
        FEATURE_BIAS..OUTPUT_WEIGHTS => f32::from(MAX_INPUT_BIAS) / QA as f32,
        OUTPUT_WEIGHTS..OUTPUT_BIAS => MAX_SQUARE_WEIGHT / QB as f32,
        L2_WEIGHTS..LAYERS => MAX_SQUARE_WEIGHT / QL2 as f32,
        // An output bias, or a parameter of the layers.
        _ => Layers::MAX,
    }
}

/// The moments of some gradient components.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moments {
    /// First moments: running means of the gradient.
    pub(super) mean: Vec<f32>,
    /// Second moments: running means of its square.
    pub(super) square: Vec<f32>,
}

impl Moments {
    fn new(parameters: usize) -> Self {
        Self {
            mean: vec![0.0; parameters],
            square: vec![0.0; parameters],
        }
    }

    /// Updates the moments of one component. Returns the direction of the step.
    #[inline(always)]
    fn update(&mut self, index: usize, gradient: f32, square_correction: f32) -> f32 {
        let (mean, square) = (&mut self.mean[index], &mut self.square[index]);
        *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
        *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
        *mean / ((*square * square_correction).sqrt() + EPSILON)
    }
}

/// State of the optimiser.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AdamW {
    /// Moments of every parameter.
    pub(super) own: Moments,
    /// Moments of the shared parameters, in the order of [`families`].
    pub(super) shared: Moments,
    pub(super) steps: u64,
}

impl AdamW {
    pub(super) fn new() -> Self {
        Self {
            own: Moments::new(PARAMETERS),
            shared: Moments::new(SHARED_PARAMETERS),
            steps: 0,
        }
    }

    /// Takes one step with the mean gradient of a batch, and resets the gradients to zero.
    ///
    /// `gradients` are sums over parts of the batch, which has `batch_size` positions. Each
    /// parameter loses the fraction `learning_rate * weight_decay` of its value.
    pub(super) fn step(
        &mut self,
        model: &mut Model,
        gradients: &mut [&mut Model],
        batch_size: usize,
        learning_rate: f32,
        weight_decay: f32,
    ) {
        self.steps += 1;
        let steps = self.steps.min(1 << 30) as i32;
        let corrected_rate = learning_rate / (1.0 - BETA_1.powi(steps));
        let square_correction = 1.0 / (1.0 - BETA_2.powi(steps));
        let share = 1.0 / batch_size as f32;
        let Some((first, others)) = gradients.split_first_mut() else {
            return;
        };
        for other in others {
            for (sum, part) in first.0.iter_mut().zip(&mut other.0) {
                *sum += std::mem::take(part);
            }
        }
        let mut shared_index = 0;
        let mut shared = Vec::new();
        for family in families() {
            shared.clear();
            shared.resize(family.length, 0.0);
            for block in family.blocks(&mut first.0) {
                (shared.iter_mut().zip(block)).for_each(|(sum, component)| *sum += *component);
            }
            for component in &mut shared {
                let direction =
                    (self.shared).update(shared_index, *component * share, square_correction);
                *component = corrected_rate * direction;
                shared_index += 1;
            }
            for block in family.blocks(&mut model.0) {
                (block.iter_mut().zip(&shared)).for_each(|(value, step)| *value -= step);
            }
        }
        for (index, (value, sum)) in model.0.iter_mut().zip(&mut first.0).enumerate() {
            let limit = limit(index);
            let gradient = std::mem::take(sum) * share;
            let direction = self.own.update(index, gradient, square_correction);
            *value *= 1.0 - learning_rate * weight_decay;
            *value -= corrected_rate * direction;
            *value = value.clamp(-limit, limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::quantise::quantise;
    use serde_json::Value;
    use tabiya::eval::SCALE;

    /// One step from zero, where only the first parameter of a family has a gradient. Returns the
    /// first parameter of each member, and the number of parameters that moved.
    fn step_from_zero(family: Family) -> (Vec<f32>, usize) {
        let (mut model, mut gradient) = (Model::zero(), Model::zero());
        gradient.0[family.begin] = 1.0;
        AdamW::new().step(&mut model, &mut [&mut gradient], 1, 0.01, 0.0);
        let moved = model.0.iter().filter(|&&value| value != 0.0).count();
        let steps = family.blocks(&mut model.0).map(|block| block[0]).collect();
        (steps, moved)
    }

    /// A bucket without positions learns from the others, and a square that a piece never stood on.
    #[test]
    fn a_shared_step_moves_every_member_of_a_family() {
        // The inputs for states; those for pieces are in two families.
        let last = STATE_FEATURES / Square::COUNT - 1;
        for family in BUCKETS
            .into_iter()
            .chain([0, 11, last].map(Family::of_squares))
        {
            let (steps, moved) = step_from_zero(family);
            assert!(
                steps.iter().all(|&step| step < -0.009),
                "{family:?}: {steps:?}"
            );
            assert!(steps[0] < 1.9 * steps[1], "{family:?}: {steps:?}");
            assert_eq!(moved, family.members);
        }
    }

    /// A piece on a square in one king bucket learns from its other squares and from the other king
    /// buckets.
    #[test]
    fn a_piece_shares_steps_with_its_squares_and_king_buckets() {
        for tile in [0, TILES - 1] {
            let (steps, moved) = step_from_zero(Family::of_king_buckets(tile));
            assert!(steps.iter().all(|&step| step < -0.009), "{steps:?}");
            assert!(steps[0] < 2.9 * steps[1], "{steps:?}");
            assert_eq!(moved, Square::COUNT + KING_BUCKETS - 1);
        }
    }

    /// A weight of a piece is in two families, any other parameter of the inputs and of the output
    /// buckets in one; the biases of the accumulators are in none.
    #[test]
    fn families_cover_each_parameter() {
        let mut counts = vec![0.0; PARAMETERS];
        let mut places = 0;
        for family in families() {
            places += family.length;
            (family.blocks(&mut counts).flatten()).for_each(|count| *count += 1.0);
        }
        assert_eq!(places, SHARED_PARAMETERS);
        let expected = |index| match index {
            0..FEATURE_BIAS if index / TILE % FEATURES < STATE_FEATURES => 1.0,
            0..FEATURE_BIAS => 2.0,
            FEATURE_BIAS..OUTPUT_WEIGHTS => 0.0,
            _ => 1.0,
        };
        assert!((counts.iter().enumerate()).all(|(index, &count)| count == expected(index)));
    }

    #[test]
    fn weight_decay_shrinks_weights_without_a_gradient() {
        let (mut model, mut gradient) = (Model::zero(), Model::zero());
        model.0[0] = 0.4;
        AdamW::new().step(&mut model, &mut [&mut gradient], 1, 0.1, 0.5);
        assert!((model.0[0] - 0.38).abs() < 1e-6, "{}", model.0[0]);
    }

    /// Even a training whose weights all grow ends with a network that the engine accepts.
    #[test]
    fn limited_weights_are_accepted() {
        let (mut model, mut gradient) = (Model::zero(), Model::zero());
        gradient.0.fill(-1.0);
        AdamW::new().step(&mut model, &mut [&mut gradient], 1, 1_000.0, 0.0);
        let limits: Vec<_> = (0..PARAMETERS).map(limit).collect();
        assert_eq!(model.0, limits);
        quantise(&model, SCALE, Value::Null).unwrap();
    }
}
