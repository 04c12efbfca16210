//! Dead neurons of a network that is trained on.
//!
//! A neuron of the accumulator that is clipped in every position gets no gradient, and weight decay
//! takes its weights, until all of them are 0. No training from such a network would ever use it.
//! With the inputs of an untrained network it can learn again. Nothing leads on from it at first,
//! so the evaluation stays the same.

use super::model::{INITIAL_BIAS, INITIAL_WEIGHT, Model};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use tabiya::eval::{FEATURES, HIDDEN, L2, OUTPUT_BUCKETS};

impl Model {
    /// Gives neurons without any weight the inputs of an untrained network. Returns their number.
    pub(super) fn revive(&mut self, random: &mut ChaCha8Rng) -> usize {
        let dead: Vec<_> = (0..HIDDEN).filter(|&hidden| self.is_dead(hidden)).collect();
        for &hidden in &dead {
            for feature in 0..FEATURES {
                *self.feature_weight_mut(feature, hidden) =
                    random.random_range(-INITIAL_WEIGHT..INITIAL_WEIGHT);
            }
            self.feature_bias_mut()[hidden] = INITIAL_BIAS;
        }
        dead.len()
    }

    /// Whether no weight leads to the neuron or on from it.
    fn is_dead(&self, hidden: usize) -> bool {
        let leads_on = |bucket, side| {
            let direct = self.output_weights()[(2 * bucket + side) * HIDDEN + hidden];
            direct != 0.0 || (0..L2).any(|l2| self.l2_weight(bucket, l2, side, hidden) != 0.0)
        };
        let has_inputs =
            || (0..FEATURES).any(|feature| self.feature_weight(feature, hidden) != 0.0);
        !(0..OUTPUT_BUCKETS).any(|bucket| leads_on(bucket, 0) || leads_on(bucket, 1))
            && !has_inputs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn a_neuron_without_weights_gets_inputs_and_no_other_changes() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let untrained = Model::random(&mut random);
        assert_eq!(untrained.clone().revive(&mut random), 0);
        let mut model = untrained;
        let dead = 77;
        for feature in 0..FEATURES {
            *model.feature_weight_mut(feature, dead) = 0.0;
        }
        // What leads on from it may still teach it.
        assert_eq!(model.clone().revive(&mut random), 0);
        for bucket in 0..OUTPUT_BUCKETS {
            for side in 0..2 {
                model.output_weights_mut(bucket)[side * HIDDEN + dead] = 0.0;
                for l2 in 0..L2 {
                    *model.l2_weight_mut(bucket, l2, side, dead) = 0.0;
                }
            }
        }
        let before = model.clone();
        assert_eq!(model.revive(&mut random), 1);
        assert_eq!(model.revive(&mut random), 0);
        let changed = (0..FEATURES).filter(|&feature| model.feature_weight(feature, dead) != 0.0);
        assert!(changed.count() > FEATURES / 2);
        let differ = model
            .0
            .iter()
            .zip(&before.0)
            .filter(|(new, old)| new != old);
        assert!(differ.count() <= FEATURES + 1);
        assert_eq!(model.output_weights(), before.output_weights());
    }
}
