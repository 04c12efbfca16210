//! AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019), with clamped
//! weights and a shared step for all output buckets.
//!
//! Each bucket sees an eighth of the positions, so its layers learn slowly and may die. Therefore
//! every weight after the accumulators is the sum of a part shared by all buckets and a part of its
//! own, as nnue-pytorch factorises inputs. Only the sum is stored: each step adds the step of the
//! shared part, whose gradient is the sum over the buckets, to all of them.

use super::model::{
    FEATURE_BIAS, L2_WEIGHTS, LAYERS, Model, OUTPUT_BIAS, OUTPUT_WEIGHTS, PARAMETERS, TILE,
};
use tabiya::eval::{
    FEATURES, HIDDEN, L2, Layers, MAX_L2_WEIGHT, MAX_PIECE_WEIGHT, MAX_STATE_WEIGHT,
    OUTPUT_BUCKETS, PIECE_FEATURES, QA, QL2,
};

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The parts of the model that exist once per output bucket: first index, parameters per bucket.
const BUCKETED: [(usize, usize); 4] = [
    (OUTPUT_WEIGHTS, 2 * HIDDEN),
    (OUTPUT_BIAS, 1),
    (L2_WEIGHTS, 2 * HIDDEN * L2),
    (LAYERS, Layers::PARAMETERS),
];
/// Number of parameters of one bucket.
pub(super) const BUCKET_PARAMETERS: usize = (PARAMETERS - OUTPUT_WEIGHTS) / OUTPUT_BUCKETS;

const _: () = {
    let [output, bias, l2, layers] = BUCKETED;
    assert!(output.1 + bias.1 + l2.1 + layers.1 == BUCKET_PARAMETERS);
};

/// Maximum absolute value of a parameter, so that its quantised form fits.
fn limit(index: usize) -> f32 {
    if index < FEATURE_BIAS && index / TILE % FEATURES >= PIECE_FEATURES {
        f32::from(MAX_STATE_WEIGHT) / QA as f32
    } else if index < OUTPUT_WEIGHTS {
        f32::from(MAX_PIECE_WEIGHT) / QA as f32
    } else if index < L2_WEIGHTS {
        // Output weights up to 0.5 fit the finest grid of quantisation.
        0.49
    } else {
        f32::from(MAX_L2_WEIGHT) / QL2 as f32
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
    /// Moments of the parameters of one bucket, summed over all buckets.
    pub(super) shared: Moments,
    pub(super) steps: u64,
}

impl AdamW {
    pub(super) fn new() -> Self {
        Self {
            own: Moments::new(PARAMETERS),
            shared: Moments::new(BUCKET_PARAMETERS),
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
        for (begin, length) in BUCKETED {
            for index in begin..begin + length {
                let places = (index..).step_by(length).take(OUTPUT_BUCKETS);
                let gradient = places.clone().map(|place| first.0[place]).sum::<f32>() * share;
                let direction = self
                    .shared
                    .update(shared_index, gradient, square_correction);
                for place in places {
                    model.0[place] -= corrected_rate * direction;
                }
                shared_index += 1;
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

    /// A bucket without positions learns from the others.
    #[test]
    fn the_shared_step_moves_every_bucket() {
        for (begin, length) in BUCKETED {
            let (mut model, mut gradient) = (Model::zero(), Model::zero());
            gradient.0[begin] = 1.0;
            AdamW::new().step(&mut model, &mut [&mut gradient], 1, 0.01, 0.0);
            let steps: Vec<_> = (0..OUTPUT_BUCKETS)
                .map(|b| model.0[begin + b * length])
                .collect();
            assert!(
                steps.iter().all(|&step| step < -0.009),
                "{begin}: {steps:?}"
            );
            assert!(steps[0] < 1.9 * steps[1], "{begin}: {steps:?}");
            assert_eq!(
                model.0.iter().filter(|&&value| value != 0.0).count(),
                OUTPUT_BUCKETS
            );
        }
    }

    #[test]
    fn weight_decay_shrinks_weights_without_a_gradient() {
        let (mut model, mut gradient) = (Model::zero(), Model::zero());
        model.0[0] = 1.0;
        AdamW::new().step(&mut model, &mut [&mut gradient], 1, 0.1, 0.5);
        assert!((model.0[0] - 0.95).abs() < 1e-6, "{}", model.0[0]);
    }
}
