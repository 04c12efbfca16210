//! AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019), with weights held in a range.

use super::model::{L2_WEIGHTS, Model, OUTPUT_WEIGHTS, PARAMETERS};
use crate::eval::{MAX_FEATURE_WEIGHT, MAX_L2_WEIGHT, QA, QL2};

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const DECAY: f32 = 0.01;
/// No parameter of the network may grow beyond what its quantised form can hold: those that make the accumulators,
/// those of the output, of which small ones can be written more finely, and those of L2 and behind.
fn limit(index: usize) -> f32 {
    if index < OUTPUT_WEIGHTS {
        MAX_FEATURE_WEIGHT as f32 / QA as f32
    } else if index < L2_WEIGHTS {
        0.49
    } else {
        f32::from(MAX_L2_WEIGHT) / QL2 as f32
    }
}

/// The state of the optimiser: running means of each gradient and of its square.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AdamW {
    pub(super) mean: Vec<f32>,
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

    /// Changes the model by the mean of the gradients over `samples` positions, and sets the gradients back to zero.
    pub(super) fn step(
        &mut self,
        model: &mut Model,
        gradients: &mut [&mut Model],
        samples: usize,
        rate: f32,
    ) {
        self.steps += 1;
        let steps = self.steps.min(1 << 30) as i32;
        let rate_of_mean = rate / (1.0 - BETA_1.powi(steps));
        let scale_of_square = 1.0 / (1.0 - BETA_2.powi(steps));
        let share = 1.0 / samples as f32;
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
            *value *= 1.0 - rate * DECAY;
            *value -= rate_of_mean * *mean / ((*square * scale_of_square).sqrt() + EPSILON);
            *value = value.clamp(-limit, limit);
        }
    }
}
