//! AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019), with clamped
//! weights.

use super::model::{L2_WEIGHTS, Model, OUTPUT_WEIGHTS, PARAMETERS};
use tabiya::eval::{MAX_FEATURE_WEIGHT, MAX_L2_WEIGHT, QA, QL2};

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;

/// Maximum absolute value of a parameter, so that its quantised form fits.
fn limit(index: usize) -> f32 {
    if index < OUTPUT_WEIGHTS {
        MAX_FEATURE_WEIGHT as f32 / QA as f32
    } else if index < L2_WEIGHTS {
        // Output weights up to 0.5 fit the finest grid of quantisation.
        0.49
    } else {
        f32::from(MAX_L2_WEIGHT) / QL2 as f32
    }
}

/// State of the optimiser: the moments of each gradient component.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AdamW {
    /// First moments: running means of the gradient.
    pub(super) mean: Vec<f32>,
    /// Second moments: running means of its square.
    pub(super) square: Vec<f32>,
    pub(super) steps: u64,
}

impl AdamW {
    pub(super) fn new() -> Self {
        Self {
            mean: vec![0.0; PARAMETERS],
            square: vec![0.0; PARAMETERS],
            steps: 0,
        }
    }

    /// Takes one step with the mean gradient of a batch, and resets the gradients to zero.
    ///
    /// `gradients` are sums over parts of the batch, which has `batch_size` positions.
    pub(super) fn step(
        &mut self,
        model: &mut Model,
        gradients: &mut [&mut Model],
        batch_size: usize,
        learning_rate: f32,
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
        let state = self.mean.iter_mut().zip(&mut self.square);
        let parameters = model.0.iter_mut().zip(&mut first.0).zip(state);
        for (index, ((value, sum), (mean, square))) in parameters.enumerate() {
            let limit = limit(index);
            let gradient = std::mem::take(sum) * share;
            *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
            *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
            *value *= 1.0 - learning_rate * WEIGHT_DECAY;
            *value -= corrected_rate * *mean / ((*square * square_correction).sqrt() + EPSILON);
            *value = value.clamp(-limit, limit);
        }
    }
}
