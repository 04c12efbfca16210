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
use std::io;
use std::ops::Range;
use tabiya::eval::{
    FEATURES, HIDDEN, KING_BUCKETS, Layers, MAX_INPUT_BIAS, MAX_MOTIF_WEIGHT, MAX_SQUARE_WEIGHTS,
    MOTIF_INPUTS, OUTPUT_BUCKETS, PIECE_FEATURES, QA, QB, QL2, STATE_FEATURES,
};
use tabiya::search::on_threads;
use tabiya::types::Square;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Parameters that share a part of their steps: `members` blocks of `length` parameters, one after
/// another. The parameters at the same place of each block share.
#[derive(Debug, Clone, Copy)]
struct Family {
    /// Index within its [`Part`].
    begin: usize,
    length: usize,
    members: usize,
}

impl Family {
    fn blocks<'a>(&self, parameters: &'a mut [f32]) -> impl Iterator<Item = &'a mut [f32]> {
        parameters[self.begin..][..self.length * self.members].chunks_exact_mut(self.length)
    }
}

/// Number of families of squares in a tile: one for each piece in a king bucket, and for each piece
/// and state.
const SQUARE_FAMILIES: usize = FEATURES / Square::COUNT;
/// Number of parameters that are shared.
pub(super) const SHARED_PARAMETERS: usize = TILES * (SQUARE_FAMILIES + PIECE_FEATURES) * TILE
    + (PARAMETERS - OUTPUT_WEIGHTS) / OUTPUT_BUCKETS;

/// Maximum absolute value of an output weight or a weight of L2, as an integer of the network file:
/// an equal share of the maximum sum.
const MAX_SQUARE_WEIGHT: f32 = (MAX_SQUARE_WEIGHTS / (2 * HIDDEN as u32)) as f32;

/// Maximum absolute value of the weight of a motif.
const MAX_MOTIF: f32 = MAX_MOTIF_WEIGHT as f32 / QA as f32;

/// Parameters with one limit, which share with no others. The parts can take a step at the same
/// time.
#[derive(Debug, Clone)]
struct Part {
    range: Range<usize>,
    families: Vec<Family>,
    /// Maximum absolute value of a parameter, so that the engine accepts its quantised form.
    limit: f32,
    /// Weights of motifs, whose limit is lower.
    motifs: Range<usize>,
}

impl Part {
    /// The weights of all inputs in one tile. All squares of one kind of input share, and all king
    /// buckets.
    fn tile(tile: usize) -> Self {
        let squares = (0..SQUARE_FAMILIES).map(|index| Family {
            begin: index * Square::COUNT * TILE,
            length: TILE,
            members: Square::COUNT,
        });
        let king_buckets = Family {
            begin: STATE_FEATURES * TILE,
            length: PIECE_FEATURES * TILE,
            members: KING_BUCKETS,
        };
        Self {
            range: tile * FEATURES * TILE..(tile + 1) * FEATURES * TILE,
            families: squares.chain([king_buckets]).collect(),
            limit: f32::from(i8::MAX) / QA as f32,
            motifs: MOTIF_INPUTS.start * TILE..MOTIF_INPUTS.end * TILE,
        }
    }

    /// What exists once for each output bucket, one after the other.
    fn of_output_buckets(range: Range<usize>, limit: f32) -> Self {
        let family = Family {
            begin: 0,
            length: range.len() / OUTPUT_BUCKETS,
            members: OUTPUT_BUCKETS,
        };
        Self {
            range,
            families: vec![family],
            limit,
            motifs: 0..0,
        }
    }

    /// All parts, in the order of the model.
    fn all() -> impl Iterator<Item = Self> {
        let biases = Self {
            range: FEATURE_BIAS..OUTPUT_WEIGHTS,
            families: Vec::new(),
            limit: f32::from(MAX_INPUT_BIAS) / QA as f32,
            motifs: 0..0,
        };
        let buckets = [
            (OUTPUT_WEIGHTS..OUTPUT_BIAS, MAX_SQUARE_WEIGHT / QB as f32),
            (OUTPUT_BIAS..L2_WEIGHTS, Layers::MAX),
            (L2_WEIGHTS..LAYERS, MAX_SQUARE_WEIGHT / QL2 as f32),
            (LAYERS..PARAMETERS, Layers::MAX),
        ]
        .map(|(range, limit)| Self::of_output_buckets(range, limit));
        (0..TILES).map(Self::tile).chain([biases]).chain(buckets)
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

    fn as_mut(&mut self) -> MomentsMut<'_> {
        MomentsMut {
            mean: &mut self.mean,
            square: &mut self.square,
        }
    }
}

/// A part of [`Moments`].
struct MomentsMut<'a> {
    mean: &'a mut [f32],
    square: &'a mut [f32],
}

impl<'a> MomentsMut<'a> {
    /// Takes the first `length` moments off.
    fn split_off(&mut self, length: usize) -> Self {
        Self {
            mean: first(&mut self.mean, length),
            square: first(&mut self.square, length),
        }
    }
}

/// Takes the first `length` numbers off.
fn first<'a>(numbers: &mut &'a mut [f32], length: usize) -> &'a mut [f32] {
    (numbers.split_off_mut(..length)).expect("the parts are no longer than the whole")
}

/// What a step does to every parameter.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Learning rate, corrected for the first moments, which begin at 0.
    rate: f32,
    /// The same correction for the second moments.
    square_correction: f32,
    /// Factor from the sum of the gradients to their mean.
    share: f32,
    /// Factor on each parameter: what weight decay leaves.
    kept: f32,
}

impl Step {
    /// Updates the moments of a component, and returns how far to go against it.
    #[inline(always)]
    fn length(self, gradient: f32, mean: &mut f32, square: &mut f32) -> f32 {
        let gradient = gradient * self.share;
        *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
        *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
        self.rate * (*mean / ((*square * self.square_correction).sqrt() + EPSILON))
    }
}

/// A [`Part`] with its parameters and all that moves them.
struct PartOfStep<'a> {
    part: Part,
    values: &'a mut [f32],
    gradients: Vec<&'a mut [f32]>,
    own: MomentsMut<'a>,
    shared: MomentsMut<'a>,
}

impl PartOfStep<'_> {
    fn take(mut self, step: Step) {
        let Some((gradient, others)) = self.gradients.split_first_mut() else {
            return;
        };
        for other in others {
            for (sum, part) in gradient.iter_mut().zip(other.iter_mut()) {
                *sum += std::mem::take(part);
            }
        }
        let mut sums = Vec::new();
        for family in self.part.families {
            sums.clear();
            sums.resize(family.length, 0.0);
            for block in family.blocks(gradient) {
                (sums.iter_mut().zip(block)).for_each(|(sum, component)| *sum += *component);
            }
            let MomentsMut { mean, square } = self.shared.split_off(family.length);
            for ((sum, mean), square) in sums.iter_mut().zip(mean).zip(square) {
                *sum = step.length(*sum, mean, square);
            }
            for block in family.blocks(self.values) {
                (block.iter_mut().zip(&sums)).for_each(|(value, length)| *value -= length);
            }
        }
        let limit = self.part.limit;
        let moments = self.own.mean.iter_mut().zip(self.own.square);
        let parameters = self.values.iter_mut().zip(gradient.iter_mut());
        for ((value, sum), (mean, square)) in parameters.zip(moments) {
            let length = step.length(std::mem::take(sum), mean, square);
            *value = (*value * step.kept - length).clamp(-limit, limit);
        }
        for value in &mut self.values[self.part.motifs] {
            *value = value.clamp(-MAX_MOTIF, MAX_MOTIF);
        }
    }
}

/// How far a step goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepSize {
    pub(super) learning_rate: f32,
    /// Each parameter loses the fraction `learning_rate * weight_decay` of its value.
    pub(super) weight_decay: f32,
    /// The weights and biases of the inputs stay as they are.
    pub(super) layers_only: bool,
}

impl StepSize {
    /// Moves all parameters.
    #[cfg(test)]
    fn of_all(learning_rate: f32, weight_decay: f32) -> Self {
        Self {
            learning_rate,
            weight_decay,
            layers_only: false,
        }
    }
}

/// State of the optimiser.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AdamW {
    /// Moments of every parameter.
    pub(super) own: Moments,
    /// Moments of the shared parameters, in the order of the families of all parts.
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
    /// `gradients` are sums over parts of the batch, which has `batch_size` positions. There are as
    /// many threads as gradients.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub(super) fn step(
        &mut self,
        model: &mut Model,
        gradients: &mut [&mut Model],
        batch_size: usize,
        size: StepSize,
    ) -> io::Result<()> {
        self.steps += 1;
        let steps = self.steps.min(1 << 30) as i32;
        let step = Step {
            rate: size.learning_rate / (1.0 - BETA_1.powi(steps)),
            square_correction: 1.0 / (1.0 - BETA_2.powi(steps)),
            share: 1.0 / batch_size as f32,
            kept: 1.0 - size.learning_rate * size.weight_decay,
        };
        let mut works: Vec<_> = gradients.iter().map(|_| Vec::new()).collect();
        let (mut own, mut shared) = (self.own.as_mut(), self.shared.as_mut());
        let mut values = &mut model.0[..];
        let mut gradients: Vec<_> = gradients.iter_mut().map(|part| &mut part.0[..]).collect();
        // The tiles, which are nearly all, are of one size.
        for (part, thread) in Part::all().zip((0..works.len()).cycle()) {
            let length = part.range.len();
            let shared_length = part.families.iter().map(|family| family.length).sum();
            let moves = !size.layers_only || part.range.start >= OUTPUT_WEIGHTS;
            let part = PartOfStep {
                values: first(&mut values, length),
                gradients: (gradients.iter_mut())
                    .map(|gradient| first(gradient, length))
                    .collect(),
                own: own.split_off(length),
                shared: shared.split_off(shared_length),
                part,
            };
            if moves {
                works[thread].push(part);
            }
        }
        on_threads(works, |work| {
            work.into_iter().for_each(|part| part.take(step));
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::quantise::quantise;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use serde_json::Value;
    use tabiya::eval::SCALE;

    /// One step from zero of a model with one parameter that has a gradient.
    fn step_from_zero(index: usize) -> Model {
        let (mut model, mut gradient) = (Model::zero(), Model::zero());
        gradient.0[index] = 1.0;
        let mut optimiser = AdamW::new();
        (optimiser.step(
            &mut model,
            &mut [&mut gradient],
            1,
            StepSize::of_all(0.01, 0.0),
        ))
        .unwrap();
        model
    }

    /// A bucket without positions learns from the others, and a square that a piece never stood on.
    #[test]
    fn a_shared_step_moves_every_member_of_a_family() {
        for part in Part::all() {
            // In a tile, the inputs for states; those for pieces are in two families.
            let states = |family: &Family| {
                part.range.start >= FEATURE_BIAS || family.begin < STATE_FEATURES * TILE
            };
            let families: Vec<_> = part
                .families
                .iter()
                .filter(|family| states(family))
                .collect();
            for family in [families.first(), families.last()].into_iter().flatten() {
                let begin = part.range.start + family.begin;
                let mut model = step_from_zero(begin);
                let moved = model.0.iter().filter(|&&value| value != 0.0).count();
                let values = &mut model.0[part.range.clone()];
                let steps: Vec<_> = family.blocks(values).map(|block| block[0]).collect();
                assert!(
                    steps.iter().all(|&step| step < -0.009),
                    "{family:?}: {steps:?}"
                );
                assert!(steps[0] < 1.9 * steps[1], "{family:?}: {steps:?}");
                assert_eq!(moved, family.members);
            }
        }
    }

    /// A piece on a square in one king bucket learns from its other squares and from the other king
    /// buckets.
    #[test]
    fn a_piece_shares_steps_with_its_squares_and_king_buckets() {
        for tile in [0, TILES - 1] {
            let part = Part::tile(tile);
            let family = part.families[SQUARE_FAMILIES];
            let mut model = step_from_zero(part.range.start + family.begin);
            let moved = model.0.iter().filter(|&&value| value != 0.0).count();
            let values = &mut model.0[part.range.clone()];
            let steps: Vec<_> = family.blocks(values).map(|block| block[0]).collect();
            assert!(steps.iter().all(|&step| step < -0.009), "{steps:?}");
            assert!(steps[0] < 2.9 * steps[1], "{steps:?}");
            assert_eq!(moved, Square::COUNT + KING_BUCKETS - 1);
        }
    }

    /// A weight of a piece is in two families, any other parameter of the inputs and of the output
    /// buckets in one; the biases of the accumulators are in none.
    #[test]
    fn parts_and_families_cover_each_parameter() {
        let mut counts = vec![0.0; PARAMETERS];
        let (mut end, mut places) = (0, 0);
        for part in Part::all() {
            assert_eq!(part.range.start, end);
            end = part.range.end;
            for family in part.families {
                places += family.length;
                let blocks = family.blocks(&mut counts[part.range.clone()]);
                blocks.flatten().for_each(|count| *count += 1.0);
            }
        }
        assert_eq!(end, PARAMETERS);
        assert_eq!(places, SHARED_PARAMETERS);
        let expected = |index| match index {
            0..FEATURE_BIAS if index / TILE % FEATURES < STATE_FEATURES => 1.0,
            0..FEATURE_BIAS => 2.0,
            FEATURE_BIAS..OUTPUT_WEIGHTS => 0.0,
            _ => 1.0,
        };
        assert!((counts.iter().enumerate()).all(|(index, &count)| count == expected(index)));
    }

    /// The threads only share the work.
    #[test]
    fn a_step_on_three_threads_is_that_of_one() {
        let gradient = Model::random(&mut ChaCha8Rng::seed_from_u64(1));
        let steps = [1, 3].map(|threads| {
            let mut model = Model::random(&mut ChaCha8Rng::seed_from_u64(2));
            let mut optimiser = AdamW::new();
            for _ in 0..2 {
                let mut gradients = vec![Model::zero(); threads];
                gradients[0] = gradient.clone();
                let mut gradients: Vec<_> = gradients.iter_mut().collect();
                (optimiser.step(&mut model, &mut gradients, 7, StepSize::of_all(0.01, 0.3)))
                    .unwrap();
                let is_reset = |gradient: &&mut Model| gradient.0.iter().all(|&sum| sum == 0.0);
                assert!(gradients.iter().all(is_reset));
            }
            (model, optimiser)
        });
        assert!(steps[0] == steps[1]);
    }

    #[test]
    fn weight_decay_shrinks_weights_without_a_gradient() {
        let (mut model, mut gradient) = (Model::zero(), Model::zero());
        model.0[0] = 0.4;
        let mut optimiser = AdamW::new();
        (optimiser.step(
            &mut model,
            &mut [&mut gradient],
            1,
            StepSize::of_all(0.1, 0.5),
        ))
        .unwrap();
        assert!((model.0[0] - 0.38).abs() < 1e-6, "{}", model.0[0]);
    }

    /// Even a training whose weights all grow ends with a network that the engine accepts.
    #[test]
    fn limited_weights_are_accepted() {
        let (mut model, mut gradient) = (Model::zero(), Model::zero());
        gradient.0.fill(-1.0);
        let mut optimiser = AdamW::new();
        (optimiser.step(
            &mut model,
            &mut [&mut gradient],
            1,
            StepSize::of_all(1_000.0, 0.0),
        ))
        .unwrap();
        for part in Part::all() {
            let values = &model.0[part.range.clone()];
            for (index, &value) in values.iter().enumerate() {
                let is_motif = part.motifs.contains(&index);
                let limit = if is_motif { MAX_MOTIF } else { part.limit };
                assert_eq!(value, limit, "{index} in {part:?}");
            }
        }
        quantise(&model, SCALE, Value::Null).unwrap();
    }
}
