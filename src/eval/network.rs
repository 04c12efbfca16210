//! The network: its weights and biases.
//!
//! For each side, the weights of its set inputs (see [`features`](super::features)) add up to an
//! *accumulator* of [`HIDDEN`] neurons. These are clipped to 0..=1 and squared (SCReLU), the side
//! to move first. The *direct path* multiplies them by the output weights; the small [`Layers`]
//! take the same squares; the output is the sum of both. All weights after the accumulators exist
//! once for each of [`OUTPUT_BUCKETS`] buckets. The forward pass skips layers whose output is 0 in
//! every position: `tabiya-train fold` has replaced them by their mean, which is in the bias of the
//! output.
//!
//! The large parts are quantised to integers: 1.0 is [`QA`](super::QA) in the accumulators, [`QB`]
//! in the output weights and [`QL2`](super::QL2) in the weights of L2.

use super::features::{KING_BUCKETS, MOTIF_INPUTS, OUTPUT_BUCKETS};
use super::format::{Header, NetworkError, Parameters};
use super::layers::{Inspection, Layers, OutputWeights};
use super::shape::{
    Accumulator, HIDDEN, InputColumn, InputWeights, L3, MAX_INPUT_BIAS, MAX_MOTIF_WEIGHT,
    MAX_SQUARE_WEIGHTS, QB, SQUARE_ONE, boxed, squared,
};
use super::simd::{Forward, Kernels};
use crate::files::open_regular;
use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// Maximum size of a file, its header included.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// A validated network: no sum can overflow in any position.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    header: Header,
    fingerprint: u64,
    pub(super) inputs: Box<InputWeights>,
    pub(super) input_bias: Accumulator,
    output_weights: Box<[OutputWeights; OUTPUT_BUCKETS]>,
    output_bias: [f32; OUTPUT_BUCKETS],
    layers: Box<[Layers; OUTPUT_BUCKETS]>,
    /// Whether the layers of a bucket have output 0 in every position.
    is_folded: [bool; OUTPUT_BUCKETS],
}

/// A file that is not a network, and why.
#[derive(Debug)]
struct NoNetwork(PathBuf, NetworkError);

impl fmt::Display for NoNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.display(), self.1)
    }
}

impl Error for NoNetwork {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.1)
    }
}

impl Network {
    /// The built-in network: `assets/tabiya.net`, or the file named by `EVALFILE` at build time.
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let bytes = include_bytes!(env!("TABIYA_NETWORK"));
            let network = Network::from_bytes(bytes);
            // `build.rs` checks the format, and a test reads the file in `assets/`.
            Arc::new(network.unwrap_or_else(|error| panic!("the built-in network: {error}")))
        });
        EMBEDDED.clone()
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is too large, or for the reasons of
    /// [`from_bytes`](Self::from_bytes), whose [`NetworkError`] is then the
    /// [source](Error::source). The error names the file.
    pub fn load(path: &Path) -> io::Result<Self> {
        let named = |kind, reason: &dyn fmt::Display| {
            io::Error::new(kind, format!("{}: {reason}", path.display()))
        };
        let mut bytes = Vec::new();
        open_regular(path)
            .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| named(error.kind(), &error))?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            let reason = "too large for a network";
            return Err(named(io::ErrorKind::InvalidData, &reason));
        }
        Self::from_bytes(&bytes).map_err(|error| {
            let path = path.to_owned();
            io::Error::new(io::ErrorKind::InvalidData, NoNetwork(path, error))
        })
    }

    /// Reads a network.
    ///
    /// # Errors
    /// If the bytes are not a network, have another shape, or could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (header, parameters) = Parameters::read(bytes)?;
        if (header.hidden, header.king_buckets) != (HIDDEN, KING_BUCKETS) {
            return Err(NetworkError::OtherShape);
        }
        let inputs: &[[i8; HIDDEN]] = parameters.input_weights.as_chunks().0;
        let mut columns = parameters
            .words
            .as_chunks()
            .0
            .iter()
            .copied()
            .map(Accumulator);
        let mut column = || columns.next().unwrap_or(Accumulator::ZERO);
        let layers: &[[f32; Layers::PARAMETERS]] = parameters.layers.as_chunks().0;
        let mut network = Self {
            header,
            fingerprint: fingerprint(bytes),
            inputs: boxed(|input| InputColumn(inputs[input])),
            input_bias: column(),
            output_weights: boxed(|_| OutputWeights::ZERO),
            output_bias: parameters.output_bias,
            is_folded: [false; OUTPUT_BUCKETS],
            layers: boxed(|bucket| Layers::from_parameters(layers[bucket].iter().copied())),
        };
        network
            .output_weights
            .iter_mut()
            .flat_map(OutputWeights::columns_mut)
            .for_each(|accumulator| *accumulator = column());
        network.is_folded =
            std::array::from_fn(|bucket| network.layers[bucket].output_weights == [0.0; L3]);
        if network.is_sound() {
            Ok(network)
        } else {
            Err(NetworkError::TooLarge)
        }
    }

    /// The file of a network with these weights and biases.
    ///
    /// # Errors
    /// If the header is of another format, shape or scale than this program reads, if there are too
    /// few or too many parameters, or if they could overflow.
    pub fn to_bytes(header: &Header, parameters: &Parameters) -> Result<Vec<u8>, NetworkError> {
        let bytes = parameters.write(header)?;
        Self::from_bytes(&bytes).map(|_| bytes)
    }

    /// The weights and biases as [`to_bytes`](Self::to_bytes) takes them.
    pub fn parameters(&self) -> Parameters {
        let columns = [&self.input_bias]
            .into_iter()
            .chain(self.output_weights.iter().flat_map(OutputWeights::columns));
        Parameters {
            input_weights: self.inputs.iter().flat_map(|column| column.0).collect(),
            words: columns.flat_map(|column| column.0).collect(),
            output_bias: self.output_bias,
            layers: (self.layers.iter().flat_map(Layers::parameters).copied()).collect(),
        }
    }

    /// The header of the file.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The 64-bit FNV-1a hash of the file.
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The output in centipawns, given the accumulators of the side to move and of the other side.
    #[inline]
    pub(super) fn output(
        &self,
        kernels: Kernels,
        accumulators: [&Accumulator; 2],
        bucket: usize,
    ) -> i32 {
        let weights = &self.output_weights[bucket];
        let forward = if self.is_folded[bucket] {
            Forward {
                direct: kernels.direct(accumulators, &weights.output),
                layers: 0.0,
            }
        } else {
            kernels.forward(accumulators, weights, &self.layers[bucket])
        };
        let output = self.direct(forward, bucket) + forward.layers;
        (output * self.header.scale as f32) as i32
    }

    /// Output of the direct path with its bias.
    #[inline(always)]
    fn direct(&self, forward: Forward, bucket: usize) -> f32 {
        forward.direct as f32 / (SQUARE_ONE * QB) as f32 + self.output_bias[bucket]
    }

    /// The output and its parts, in the terms of [`Inspection`].
    pub(super) fn inspect(
        &self,
        kernels: Kernels,
        accumulators: [&Accumulator; 2],
        bucket: usize,
    ) -> Inspection {
        let (weights, layers) = (&self.output_weights[bucket], &self.layers[bucket]);
        let forward = kernels.forward(accumulators, weights, layers);
        let scale = self.header.scale as f32;
        let l2 = layers.l2(&std::array::from_fn(|neuron| {
            let sides = accumulators.into_iter().zip(&weights.l2[neuron]);
            let terms = sides.flat_map(|(accumulator, weights)| {
                let pairs = accumulator.0.iter().zip(&weights.0);
                pairs.map(|(&neuron, &weight)| i32::from(squared(neuron)) * i32::from(weight))
            });
            terms.sum()
        }));
        let activations = Layers::activations(&l2);
        let l3 = layers.l3(&activations);
        Inspection {
            bucket,
            direct: self.direct(forward, bucket) * scale,
            layers: forward.layers * scale,
            activations,
            l3: l3.map(|neuron| neuron.clamp(0.0, 1.0)),
        }
    }

    /// Whether no sum can overflow in any position.
    fn is_sound(&self) -> bool {
        let bias_fits = |bias: &i16| bias.unsigned_abs() <= MAX_INPUT_BIAS.unsigned_abs();
        let sum_fits = |columns: &[Accumulator; 2]| {
            let weights = columns.iter().flat_map(|column| column.0);
            let absolute = weights.map(|weight| u32::from(weight.unsigned_abs()));
            absolute.sum::<u32>() <= MAX_SQUARE_WEIGHTS
        };
        let motif_weights = self.inputs[MOTIF_INPUTS]
            .iter()
            .flat_map(|column| &column.0);
        self.input_bias.0.iter().all(bias_fits)
            && motif_weights
                .map(|weight| weight.unsigned_abs())
                .all(|weight| weight <= MAX_MOTIF_WEIGHT.unsigned_abs())
            && self
                .output_weights
                .iter()
                .flat_map(OutputWeights::rows)
                .all(sum_fits)
            // This rejects NaN too.
            && (self.layers.iter().flat_map(Layers::parameters))
                .chain(&self.output_bias)
                .all(|parameter| parameter.abs() <= Layers::MAX)
    }
}

/// A hash by which files are told apart: FNV-1a, 64 bits.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
