//! The network: its weights and biases, and the file they come in.
//!
//! For each side, the inputs that are set (see [`features`](super::features)) add up columns of weights to an
//! *accumulator* of [`HIDDEN`] neurons. These are clipped to 0..=1 and squared (SCReLU), those of the side to move first,
//! multiplied by the output weights and summed. To it is added what the small [`Layers`] make of the same squares. There are
//! [`OUTPUT_BUCKETS`] sets of all weights behind the accumulators.
//!
//! The large parts are quantised to integers: 1.0 is [`QA`] in the accumulators, [`Network::qb`] in the output weights, and
//! [`QL2`] in the weights of L2.
//!
//! A file is one line of JSON, a [`Header`], that says what it is and how it was made, and then the [`Parameters`], the
//! low byte first.

use super::features::{FEATURES, OUTPUT_BUCKETS};
use super::layers::{Layers, OutputWeights};
use super::shape::{
    Accumulator, HIDDEN, L2, L3, MAX_FEATURE_WEIGHT, MAX_L2_WEIGHT, MAX_OUTPUT_WEIGHT, MAX_QB,
    MAX_SCALE, QA, QL2,
};
use super::simd::Kernels;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::{fmt, fs, io};

/// What a file says of itself in its first line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always [`Header::FORMAT`].
    pub format: String,
    /// Inputs of one side.
    pub features: usize,
    /// The size of an accumulator.
    pub hidden: usize,
    /// The size of the layer behind the accumulators.
    #[serde(default)]
    pub l2: usize,
    /// The size of the layer behind that.
    #[serde(default)]
    pub l3: usize,
    /// Sets of the weights behind the accumulators.
    pub output_buckets: usize,
    /// The scale of the accumulators: 1.0 is this integer.
    pub qa: i32,
    /// The scale of the output weights: 1.0 is this integer.
    pub qb: i32,
    /// The scale of the weights of L2: 1.0 is this integer.
    #[serde(default)]
    pub ql2: i32,
    /// The output 1.0 in centipawns.
    pub scale: i32,
    /// How it was made: data, commands, figures.
    pub provenance: serde_json::Value,
}

impl Header {
    /// The name and version of the format.
    pub const FORMAT: &str = "tabiya network 2";

    /// The header of a network of this program's shape, whose output 1.0 is so many centipawns.
    pub fn new(qb: i32, scale: i32, provenance: serde_json::Value) -> Self {
        Self {
            format: Self::FORMAT.to_owned(),
            features: FEATURES,
            hidden: HIDDEN,
            l2: L2,
            l3: L3,
            output_buckets: OUTPUT_BUCKETS,
            qa: QA,
            qb,
            ql2: QL2,
            scale,
            provenance,
        }
    }
}

/// A network that was found to be sound: no sum that it can come to overflows.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    header: Header,
    fingerprint: u64,
    pub(super) feature_weights: Box<[Accumulator; FEATURES]>,
    pub(super) feature_bias: Accumulator,
    output_weights: Box<[OutputWeights; OUTPUT_BUCKETS]>,
    /// In units of one over `QA * qb`.
    output_bias: [i32; OUTPUT_BUCKETS],
    layers: Box<[Layers; OUTPUT_BUCKETS]>,
}

/// The weights and biases of a network in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parameters {
    /// The weights of each input, the biases of the accumulator, and for each bucket the weights in the output and in
    /// each neuron of L2, those of the side to move first.
    pub words: Vec<i16>,
    /// The bias of the output for each bucket.
    pub output_bias: [i32; OUTPUT_BUCKETS],
    /// The [`Layers`] of each bucket.
    pub layers: Vec<f32>,
}

/// Why a file is no network for this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetworkError {
    /// It does not begin with a header.
    NoHeader,
    /// It is a network of another shape.
    OtherShape,
    /// It has so many bytes of weights and biases, not as many as it should.
    Length(usize),
    /// A weight or bias is so large that sums may overflow.
    TooLarge,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => write!(f, "it is no network of Tabiya"),
            Self::OtherShape => write!(
                f,
                "it is a network of another shape than {FEATURES} inputs, {HIDDEN}, {L2} and {L3} hidden, {OUTPUT_BUCKETS} buckets"
            ),
            Self::Length(bytes) => write!(
                f,
                "it has {bytes} bytes of weights and biases, not {BODY_BYTES}"
            ),
            Self::TooLarge => write!(f, "its weights or biases are too large"),
        }
    }
}

impl std::error::Error for NetworkError {}

const WORDS: usize = (FEATURES + 1 + OUTPUT_BUCKETS * 2 * (1 + L2)) * HIDDEN;
const BODY_BYTES: usize =
    size_of::<i16>() * WORDS + size_of::<i32>() * OUTPUT_BUCKETS * (1 + Layers::PARAMETERS);

impl Network {
    /// The network that is part of the program: `assets/tabiya.net`, or the file that `EVALFILE` named when it was built.
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let bytes = include_bytes!(env!("TABIYA_NETWORK"));
            Arc::new(Network::from_bytes(bytes).expect("a test reads the same file"))
        });
        EMBEDDED.clone()
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or as for [`from_bytes`](Self::from_bytes); the sentence names the file.
    pub fn load(path: &Path) -> io::Result<Self> {
        let named = |kind, reason: &dyn fmt::Display| {
            io::Error::new(kind, format!("{}: {reason}", path.display()))
        };
        let bytes = fs::read(path).map_err(|error| named(error.kind(), &error))?;
        Self::from_bytes(&bytes).map_err(|error| named(io::ErrorKind::InvalidData, &error))
    }

    /// Reads a network.
    ///
    /// # Errors
    /// If it is none, or of another shape, or could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let end = bytes
            .iter()
            .position(|&byte| byte == b'\n')
            .ok_or(NetworkError::NoHeader)?;
        let (line, body) = (&bytes[..end], &bytes[end + 1..]);
        let header: Header = serde_json::from_slice(line).map_err(|_| NetworkError::NoHeader)?;
        if header != Header::new(header.qb, header.scale, header.provenance.clone()) {
            return Err(NetworkError::OtherShape);
        }
        if body.len() != BODY_BYTES {
            return Err(NetworkError::Length(body.len()));
        }
        let (words, rest) = body.split_at(size_of::<i16>() * WORDS);
        let (output_bias, layers) = rest.as_chunks().0.split_at(OUTPUT_BUCKETS);
        let mut words = words
            .as_chunks()
            .0
            .iter()
            .map(|&word| i16::from_le_bytes(word));
        let mut column = || {
            let mut column = Accumulator::ZERO;
            column
                .0
                .iter_mut()
                .zip(&mut words)
                .for_each(|(weight, word)| *weight = word);
            column
        };
        let mut network = Self {
            header,
            fingerprint: fingerprint(bytes),
            feature_weights: boxed(|_| column()),
            feature_bias: Accumulator::ZERO,
            output_weights: boxed(|_| OutputWeights::ZERO),
            output_bias: [0; OUTPUT_BUCKETS],
            layers: boxed(|bucket| {
                let parameters = &layers[bucket * Layers::PARAMETERS..];
                Layers::from_parameters(parameters.iter().map(|&bytes| f32::from_le_bytes(bytes)))
            }),
        };
        network.feature_bias = column();
        network
            .output_weights
            .iter_mut()
            .flat_map(OutputWeights::columns_mut)
            .for_each(|accumulator| *accumulator = column());
        network
            .output_bias
            .iter_mut()
            .zip(output_bias)
            .for_each(|(bias, &bytes)| *bias = i32::from_le_bytes(bytes));
        if network.is_sound() {
            Ok(network)
        } else {
            Err(NetworkError::TooLarge)
        }
    }

    /// Writes a network of these weights and biases.
    ///
    /// # Errors
    /// If they are too few or too many, or could overflow.
    pub fn to_bytes(header: &Header, parameters: &Parameters) -> Result<Vec<u8>, NetworkError> {
        let mut bytes = serde_json::to_vec(header).map_err(|_| NetworkError::NoHeader)?;
        bytes.push(b'\n');
        bytes.extend(parameters.words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend((parameters.output_bias.iter()).flat_map(|bias| bias.to_le_bytes()));
        bytes.extend((parameters.layers.iter()).flat_map(|parameter| parameter.to_le_bytes()));
        Self::from_bytes(&bytes).map(|_| bytes)
    }

    /// The weights and biases as [`to_bytes`](Self::to_bytes) takes them.
    pub fn parameters(&self) -> Parameters {
        let columns = self
            .feature_weights
            .iter()
            .chain([&self.feature_bias])
            .chain(self.output_weights.iter().flat_map(OutputWeights::columns));
        Parameters {
            words: columns.flat_map(|column| column.0).collect(),
            output_bias: self.output_bias,
            layers: (self.layers.iter().flat_map(Layers::parameters).copied()).collect(),
        }
    }

    /// What the file says of itself.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The scale of the output weights: 1.0 is this integer.
    #[inline(always)]
    pub const fn qb(&self) -> i32 {
        self.header.qb
    }

    /// Tells this file from every other: the 64-bit FNV-1a hash of its bytes.
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The output in centipawns, of what the side to move and the other see.
    #[inline]
    pub(super) fn output(
        &self,
        kernels: Kernels,
        accumulators: [&Accumulator; 2],
        bucket: usize,
    ) -> i32 {
        let weights = &self.output_weights[bucket];
        let forward = kernels.forward(accumulators, weights, &self.layers[bucket]);
        let output = (forward.direct / QA + self.output_bias[bucket]) as f32;
        let one = (QA * self.header.qb) as f32;
        ((output / one + forward.layers) * self.header.scale as f32) as i32
    }

    /// Whether no sum can overflow, whatever the position.
    fn is_sound(&self) -> bool {
        let within = |column: &Accumulator, most: i16| {
            column
                .0
                .iter()
                .all(|weight| weight.unsigned_abs() <= most.unsigned_abs())
        };
        // The sum of one accumulator, at its clipped highest, of all weights of one sign.
        let highest = |perspectives: &[Accumulator; 2], sign: i32| {
            let weights = perspectives.iter().flat_map(|accumulator| {
                accumulator.0.iter().map(|&weight| i32::from(weight) * sign)
            });
            weights
                .filter(|&weight| weight > 0)
                .map(|weight| i64::from(weight * QA * QA))
                .sum::<i64>()
        };
        (1..=MAX_QB).contains(&self.header.qb)
            && (1..=MAX_SCALE).contains(&self.header.scale)
            && self
                .feature_weights
                .iter()
                .all(|column| within(column, MAX_FEATURE_WEIGHT))
            && within(&self.feature_bias, MAX_FEATURE_WEIGHT)
            && self.output_weights.iter().all(|weights| {
                let l2 = weights.l2.as_flattened();
                weights.output.iter().all(|column| within(column, MAX_OUTPUT_WEIGHT))
                    && l2.iter().all(|column| within(column, MAX_L2_WEIGHT))
                    && [1, -1]
                        .iter()
                        .all(|&sign| highest(&weights.output, sign) <= i64::from(i32::MAX))
            })
            // Neither is what is not a number.
            && (self.layers.iter().flat_map(Layers::parameters))
                .all(|parameter| parameter.abs() <= Layers::MAX)
            && self
                .output_bias
                .iter()
                .all(|bias| bias.unsigned_abs() <= 1 << 22)
    }
}

/// A large array, made in its place.
fn boxed<T, const N: usize>(make: impl FnMut(usize) -> T) -> Box<[T; N]> {
    let items: Box<[T]> = (0..N).map(make).collect();
    items
        .try_into()
        .unwrap_or_else(|_| unreachable!("it has N items"))
}

/// FNV-1a, 64 bits.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
