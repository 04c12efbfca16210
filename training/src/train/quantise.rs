//! Quantisation: from floating point to the integers of the engine, and back.

use super::model::{Model, Pass};
use super::sample::Sample;
use serde_json::Value;
use std::io;
use tabiya::eval::{
    self, FEATURES, HIDDEN, Header, L2, Layers, Network, OUTPUT_BUCKETS, Parameters, QA, QB, QL2,
    SCALE,
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
/// If a weight or bias is too large or not a number.
pub(super) fn quantise(model: &Model, scale: i32, provenance: Value) -> io::Result<Vec<u8>> {
    let inputs = (0..FEATURES).flat_map(|feature| (0..HIDDEN).map(move |hidden| (feature, hidden)));
    let input_weights = inputs
        .map(|(feature, hidden)| rounded(model.feature_weight(feature, hidden), QA))
        .collect::<io::Result<_>>()?;
    let mut words: Vec<_> = (model.feature_bias().iter())
        .map(|&bias| rounded(bias, QA))
        .collect();
    for (bucket, weights) in model.output_weights().chunks_exact(2 * HIDDEN).enumerate() {
        words.extend(weights.iter().map(|&weight| rounded(weight, QB)));
        words.extend(
            l2_places()
                .map(|[l2, side, hidden]| rounded(model.l2_weight(bucket, l2, side, hidden), QL2)),
        );
    }
    let mut output_bias = [0.0; OUTPUT_BUCKETS];
    output_bias.copy_from_slice(model.output_bias());
    let mut layers = Vec::new();
    for bucket in model.layers() {
        layers.extend(bucket.parameters());
    }
    let parameters = Parameters {
        input_weights,
        words: words.into_iter().collect::<io::Result<_>>()?,
        output_bias,
        layers,
    };
    Network::to_bytes(&Header::new(scale, provenance), &parameters).map_err(io::Error::other)
}

/// The nearest integer to `value`; 1.0 is `one`.
fn rounded<T: TryFrom<i32>>(value: f32, one: i32) -> io::Result<T> {
    let integer = (value * one as f32).round();
    if integer.is_nan() {
        return Err(io::Error::other("a weight is not a number"));
    }
    T::try_from(integer as i32).map_err(|_| {
        let limit = ((1_i64 << (8 * size_of::<T>() - 1)) - 1) as f32 / one as f32;
        let reason = format!("the weight or bias {value} is not between -{limit} and {limit}");
        io::Error::other(reason)
    })
}

/// The L2 weights in the order of the file: neuron of L2, side, hidden neuron.
fn l2_places() -> impl Iterator<Item = [usize; 3]> {
    (0..L2 * 2 * HIDDEN).map(|index| [index / (2 * HIDDEN), index / HIDDEN % 2, index % HIDDEN])
}

/// The model of a network, exact up to the rounding of [`quantise`].
pub(super) fn dequantise(network: &Network) -> Model {
    let parameters = network.parameters();
    let (feature_bias, buckets) = parameters.words.split_at(HIDDEN);
    // A model's output is in units of SCALE, whatever the scale of the network.
    let scale = network.header().scale as f32 / SCALE as f32;
    let output_one = QB as f32 / scale;
    let mut model = Model::zero();
    for (index, &weight) in parameters.input_weights.iter().enumerate() {
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
        *output_bias = bias * scale;
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
    use crate::train::model::{FEATURE_BIAS, L2_WEIGHTS, Loss, OUTPUT_WEIGHTS, WdlTable};
    use crate::train::sample::random_samples;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use tabiya::engine::WdlModel;

    fn pass() -> Pass {
        Pass::new(
            WdlTable::new(&WdlModel::logistic(SCALE.into())),
            Loss::SQUARES,
            false,
        )
    }

    #[test]
    fn a_weight_that_is_not_a_number_is_an_error() {
        for bad in [f32::NAN, f32::INFINITY, 1e30] {
            let mut model = Model::random(&mut ChaCha8Rng::seed_from_u64(5));
            model.0[7] = bad;
            assert!(quantise(&model, SCALE, Value::Null).is_err(), "{bad}");
        }
    }

    /// Same inputs, same sides, same bucket, same arithmetic.
    #[test]
    fn engine_and_trainer_agree_on_a_thousand_positions() {
        let model = Model::random(&mut ChaCha8Rng::seed_from_u64(5));
        let network = Network::from_bytes(&quantise(&model, SCALE, Value::Null).unwrap()).unwrap();
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
        assert!(max <= 0.5001 / QA as f32, "{max}");

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
        assert!(error.mean < 1.0 && error.max < 6.0, "{error:?}");
    }

    #[test]
    fn weights_that_do_not_fit_are_refused() {
        for (part, largest) in [
            (0, 0.49),
            (FEATURE_BIAS, 1.99),
            (OUTPUT_WEIGHTS, 7.9),
            (L2_WEIGHTS, 31.0),
        ] {
            let mut model = Model::zero();
            for (weight, fits) in [(largest, true), (1.1 * largest, false)] {
                model.0[part] = weight;
                let bytes = quantise(&model, SCALE, Value::Null);
                assert_eq!(bytes.is_ok(), fits, "{part}, {weight}");
            }
        }
    }
}
