//! The file of a network: one line of JSON, the [`Header`], followed by the [`Parameters`] in
//! little-endian order.

use super::features::{FEATURES, KING_BUCKETS, OUTPUT_BUCKETS, PIECE_FEATURES, STATE_FEATURES};
use super::layers::Layers;
use super::shape::{HIDDEN, L2, L3, MAX_SCALE, QA, QB, QL2};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The first line of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always [`Header::FORMAT`].
    pub format: String,
    /// Number of inputs of one side.
    pub features: usize,
    /// Number of king buckets. The defaults are for older formats without the field, so that their
    /// error is [`NetworkError::OtherShape`] and not `NoHeader`.
    #[serde(default)]
    pub king_buckets: usize,
    /// Size of an accumulator.
    pub hidden: usize,
    /// Size of L2.
    #[serde(default)]
    pub l2: usize,
    /// Size of L3.
    #[serde(default)]
    pub l3: usize,
    /// Number of output buckets.
    pub output_buckets: usize,
    /// Scale of the accumulators: the integer that means 1.0.
    pub qa: i32,
    /// Scale of the output weights: the integer that means 1.0.
    pub qb: i32,
    /// Scale of the weights of L2: the integer that means 1.0.
    #[serde(default)]
    pub ql2: i32,
    /// Output 1.0 in centipawns.
    pub scale: i32,
    /// How the network was made: data, commands, figures.
    pub provenance: serde_json::Value,
}

impl Header {
    /// Name and version of the format.
    pub const FORMAT: &str = "tabiya network 6";

    /// The header of a network of this program's shape; `scale` is the output 1.0 in centipawns.
    pub fn new(scale: i32, provenance: serde_json::Value) -> Self {
        Self {
            format: Self::FORMAT.to_owned(),
            features: FEATURES,
            king_buckets: KING_BUCKETS,
            hidden: HIDDEN,
            l2: L2,
            l3: L3,
            output_buckets: OUTPUT_BUCKETS,
            qa: QA,
            qb: QB,
            ql2: QL2,
            scale,
            provenance,
        }
    }

    /// Whether the format and all sizes but the number of neurons and of king buckets are this
    /// program's.
    fn differs_at_most_in_width(&self) -> bool {
        let pieces = self.king_buckets.checked_mul(PIECE_FEATURES);
        let features = pieces.and_then(|pieces| pieces.checked_add(STATE_FEATURES));
        let own = Self {
            features: self.features,
            king_buckets: self.king_buckets,
            hidden: self.hidden,
            ..Self::new(self.scale, self.provenance.clone())
        };
        *self == own && features == Some(self.features)
    }
}

/// The weights and biases in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parameters {
    /// Weights of each input.
    pub input_weights: Vec<i8>,
    /// Biases of the accumulator, and for each bucket the weights in the output and in each neuron
    /// of L2, the side to move first.
    pub words: Vec<i16>,
    /// Bias of the output for each bucket.
    pub output_bias: [f32; OUTPUT_BUCKETS],
    /// The [`Layers`] of each bucket.
    pub layers: Vec<f32>,
}

impl Parameters {
    /// Reads a file of a network with any number of neurons and king buckets; all else is as in
    /// this program.
    ///
    /// # Errors
    /// If the bytes have no header, or one of another format or shape or with a scale out of range,
    /// or too few or too many bytes behind it.
    pub fn read(bytes: &[u8]) -> Result<(Header, Self), NetworkError> {
        let end = bytes
            .iter()
            .position(|&byte| byte == b'\n')
            .ok_or(NetworkError::NoHeader)?;
        let (line, body) = (&bytes[..end], &bytes[end + 1..]);
        let header: Header = serde_json::from_slice(line).map_err(|_| NetworkError::NoHeader)?;
        if !header.differs_at_most_in_width() {
            return Err(NetworkError::OtherShape);
        }
        if !(1..=MAX_SCALE).contains(&header.scale) {
            return Err(NetworkError::Scale(header.scale));
        }
        // 16-bit words of each neuron, and bytes of what does not depend on the number of neurons.
        let words = 1 + OUTPUT_BUCKETS * 2 * (1 + L2);
        let floats = size_of::<f32>() * OUTPUT_BUCKETS * (1 + Layers::PARAMETERS);
        let expected = (header.features)
            .checked_add(size_of::<i16>() * words)
            .and_then(|bytes| bytes.checked_mul(header.hidden))
            .and_then(|bytes| bytes.checked_add(floats));
        if expected != Some(body.len()) {
            return Err(NetworkError::Length(body.len()));
        }
        let (inputs, rest) = body.split_at(header.features * header.hidden);
        let (words, floats) = rest.split_at(size_of::<i16>() * words * header.hidden);
        let words = words.as_chunks().0.iter();
        let mut floats = (floats.as_chunks().0.iter()).map(|&bytes| f32::from_le_bytes(bytes));
        let parameters = Self {
            input_weights: inputs.iter().map(|byte| byte.cast_signed()).collect(),
            words: words.map(|&bytes| i16::from_le_bytes(bytes)).collect(),
            output_bias: std::array::from_fn(|_| floats.next().unwrap_or_default()),
            layers: floats.collect(),
        };
        Ok((header, parameters))
    }

    /// The file with this header.
    pub(super) fn write(&self, header: &Header) -> Result<Vec<u8>, NetworkError> {
        let mut bytes = serde_json::to_vec(header).map_err(|_| NetworkError::NoHeader)?;
        bytes.push(b'\n');
        bytes.extend(
            self.input_weights
                .iter()
                .map(|weight| weight.cast_unsigned()),
        );
        bytes.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
        let floats = self.output_bias.iter().chain(&self.layers);
        bytes.extend(floats.flat_map(|parameter| parameter.to_le_bytes()));
        Ok(bytes)
    }
}

/// Why a file is not a network for this program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file does not begin with a header.
    NoHeader,
    /// The network has another format version, shape or quantisation.
    OtherShape,
    /// The scale of the header, which is out of range.
    Scale(i32),
    /// Number of bytes of weights and biases, which is wrong.
    Length(usize),
    /// A weight or bias is so large that a sum could overflow.
    TooLarge,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => write!(f, "not a Tabiya network"),
            Self::OtherShape => write!(
                f,
                "the network is of another format or shape than '{}' with {FEATURES} inputs, \
                 {HIDDEN}, {L2} and {L3} hidden neurons, {OUTPUT_BUCKETS} buckets",
                Header::FORMAT
            ),
            Self::Scale(scale) => write!(
                f,
                "the scale of the network is {scale} centipawns, not 1 to {MAX_SCALE}"
            ),
            Self::Length(bytes) => write!(
                f,
                "the network has {bytes} bytes of weights and biases, not as many as its header says"
            ),
            Self::TooLarge => write!(f, "the weights or biases are too large"),
        }
    }
}

impl std::error::Error for NetworkError {}
