//! Quantisation: from floating point to the integers of the engine, and back.

use super::model::{Model, Pass};
use super::sample::Sample;
use serde_json::Value;
use std::io;
use std::ops::Range;
use tabiya::eval::{
    self, FEATURES, HIDDEN, Header, L2, Layers, MAX_OUTPUT_WEIGHT, MAX_QB, Network, OUTPUT_BUCKETS,
    PIECE_FEATURES, Parameters, QA, QL2, SCALE,
};

/// Error of the quantised network over a set of positions, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Error {
    /// Mean |error|.
    pub mean: f32,
    /// Maximum |error|.
    pub max: f32,
}

/// The network file of a model; an output of 1 means `scale` centipawns.
///
/// # Errors
/// If a weight or bias is too large.
pub(super) fn quantise(model: &Model, scale: i32, provenance: Value) -> io::Result<Vec<u8>> {
    let largest = model
        .output_weights()
        .iter()
        .fold(0.0_f32, |max, weight| max.max(weight.abs()));
    // The finest grid on which all output weights fit.
    let mut qb = MAX_QB;
    while qb > 1 && (largest * qb as f32).round() > f32::from(MAX_OUTPUT_WEIGHT) {
        qb /= 2;
    }
    let round = |value: f32, one: i32| (value * one as f32).round();
    let weights = |features: Range<usize>| {
        let columns = features.flat_map(|feature| (0..HIDDEN).map(move |hidden| (feature, hidden)));
        columns.map(|(feature, hidden)| round(model.feature_weight(feature, hidden), QA))
    };
    let mut words: Vec<_> = weights(0..PIECE_FEATURES)
        .chain(model.feature_bias().iter().map(|&bias| round(bias, QA)))
        .collect();
    for (bucket, weights) in model.output_weights().chunks_exact(2 * HIDDEN).enumerate() {
        words.extend(weights.iter().map(|&weight| round(weight, qb)));
        words.extend(
            l2_places()
                .map(|[l2, side, hidden]| round(model.l2_weight(bucket, l2, side, hidden), QL2)),
        );
    }
    let mut output_bias = [0; OUTPUT_BUCKETS];
    for (whole, &bias) in output_bias.iter_mut().zip(model.output_bias()) {
        *whole = round(bias, QA * qb) as i32;
    }
    let mut layers = Vec::new();
    for bucket in model.layers() {
        layers.extend(bucket.parameters());
    }
    let parameters = Parameters {
        words: words.into_iter().map(|word| word as i16).collect(),
        state_weights: weights(PIECE_FEATURES..FEATURES)
            .map(|weight| weight as i8)
            .collect(),
        output_bias,
        layers,
    };
    Network::to_bytes(&Header::new(qb, scale, provenance), &parameters).map_err(io::Error::other)
}

/// The L2 weights in the order of the file: neuron of L2, side, hidden neuron.
fn l2_places() -> impl Iterator<Item = [usize; 3]> {
    (0..L2 * 2 * HIDDEN).map(|index| [index / (2 * HIDDEN), index / HIDDEN % 2, index % HIDDEN])
}

/// The model of a network, exact up to the rounding of [`quantise`].
pub(super) fn dequantise(network: &Network) -> Model {
    let parameters = network.parameters();
    let (piece_weights, rest) = parameters.words.split_at(PIECE_FEATURES * HIDDEN);
    let (feature_bias, buckets) = rest.split_at(HIDDEN);
    // A model's output is in units of SCALE, whatever the scale of the network.
    let scale = network.header().scale as f32 / SCALE as f32;
    let output_one = network.qb() as f32 / scale;
    let mut model = Model::zero();
    let weights = (piece_weights.iter().copied())
        .chain(parameters.state_weights.iter().map(|&byte| byte.into()));
    for (index, weight) in weights.enumerate() {
        *model.feature_weight_mut(index / HIDDEN, index % HIDDEN) = f32::from(weight) / QA as f32;
    }
    for (bias, &word) in model.feature_bias_mut().iter_mut().zip(feature_bias) {
        *bias = f32::from(word) / QA as f32;
    }
    for (bucket, words) in buckets.chunks_exact(2 * HIDDEN * (1 + L2)).enumerate() {
        let (output, l2) = words.split_at(2 * HIDDEN);
        for (weight, &word) in model.output_weights_mut(bucket).iter_mut().zip(output) {
            *weight = f32::from(word) / output_one;
        }
        for ([neuron, side, hidden], &word) in l2_places().zip(l2) {
            *model.l2_weight_mut(bucket, neuron, side, hidden) = f32::from(word) / QL2 as f32;
        }
    }
    for (output_bias, &bias) in model
        .output_bias_mut()
        .iter_mut()
        .zip(&parameters.output_bias)
    {
        *output_bias = bias as f32 / (QA as f32 * output_one);
    }
    for (bucket, layers) in parameters
        .layers
        .chunks_exact(Layers::PARAMETERS)
        .enumerate()
    {
        let mut layers = Layers::from_parameters(layers.iter().copied());
        layers.output_weights = layers.output_weights.map(|weight| weight * scale);
        model.set_layers(bucket, &layers);
    }
    model
}

/// Error of the quantised network against the model; an output of 1 means `scale` centipawns.
pub(super) fn error(
    model: &Model,
    scale: i32,
    network: &Network,
    pass: &mut Pass,
    samples: &[Sample],
) -> Error {
    let (mut sum, mut max, mut count) = (0.0, 0.0_f32, 0);
    pass.outputs(model, samples, |sample, output| {
        if let Some(position) = sample.position() {
            let difference =
                (eval::output(network, &position) as f32 - output * scale as f32).abs();
            sum += difference;
            max = max.max(difference);
            count += 1;
        }
    });
    Error {
        mean: sum / count.max(1) as f32,
        max,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::model::WdlTable;
    use crate::train::sample::random_samples;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use tabiya::engine::WdlModel;

    fn pass() -> Pass {
        Pass::new(WdlTable::new(&WdlModel::logistic(SCALE.into())))
    }

    /// Same inputs, same sides, same bucket, same arithmetic.
    #[test]
    fn engine_and_trainer_agree_on_a_thousand_positions() {
        let model = Model::random(&mut ChaCha8Rng::seed_from_u64(5));
        let network = Network::from_bytes(&quantise(&model, SCALE, Value::Null).unwrap()).unwrap();
        assert_eq!(network.qb(), MAX_QB);
        let samples = random_samples(1_000, 5);
        let error = error(&model, SCALE, &network, &mut pass(), &samples);
        assert!(error.mean < 5.0 && error.max < 25.0, "{error:?}");
        // The outputs are not all near zero.
        let mut largest = 0.0_f32;
        pass().outputs(&model, &samples, |_, output| {
            largest = largest.max(output.abs())
        });
        assert!(largest * SCALE as f32 > 40.0, "{largest}");
    }

    /// Training that starts from a network loses nothing.
    #[test]
    fn a_network_survives_the_way_to_a_model_and_back() {
        let model = Model::random(&mut ChaCha8Rng::seed_from_u64(6));
        let bytes = quantise(&model, SCALE, Value::Null).unwrap();
        let network = Network::from_bytes(&bytes).unwrap();
        let again = dequantise(&network);
        assert!(bytes == quantise(&again, SCALE, Value::Null).unwrap());
        let pairs = model.0.iter().zip(&again.0);
        let max = pairs.fold(0.0_f32, |max, (a, b)| max.max((a - b).abs()));
        assert!(max <= 0.5001 / QA.min(MAX_QB) as f32, "{max}");

        // Another scale scales the outputs.
        let bytes = quantise(&model, 2 * SCALE, Value::Null).unwrap();
        let twice = dequantise(&Network::from_bytes(&bytes).unwrap());
        let mut outputs = [Vec::new(), Vec::new()];
        for (model, outputs) in [&again, &twice].into_iter().zip(&mut outputs) {
            pass().outputs(model, &random_samples(50, 7), |_, output| {
                outputs.push(output)
            });
        }
        for (once, twice) in outputs[0].iter().zip(&outputs[1]) {
            assert!((2.0 * once - twice).abs() < 1e-3, "{once} {twice}");
        }

        let shipped = Network::embedded();
        let samples = random_samples(1_000, 6);
        let model = dequantise(&shipped);
        let error = error(&model, SCALE, &shipped, &mut pass(), &samples);
        // The squares that enter L2 are rounded down, which the layers amplify.
        assert!(error.mean < 2.5 && error.max < 15.0, "{error:?}");
    }

    #[test]
    fn large_output_weights_are_quantised_more_coarsely() {
        let mut model = Model::zero();
        for (weight, qb) in [(0.4, 256), (0.5, 256), (0.6, 128), (1.0, 128), (1.98, 64)] {
            model.output_weights_mut(OUTPUT_BUCKETS - 1)[0] = weight;
            assert_eq!(
                Network::from_bytes(&quantise(&model, SCALE, Value::Null).unwrap())
                    .unwrap()
                    .qb(),
                qb
            );
        }
        model.0[0] = 3.0;
        assert!(quantise(&model, SCALE, Value::Null).is_err());
    }
}
