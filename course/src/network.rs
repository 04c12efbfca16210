// ANCHOR: all
//! The network of step 10: 768 inputs, one hidden layer of 32 neurons, one output.
//!
//! The engine and the trainer use the same code, so that both compute the same number.

use crate::rules::{Color, PieceKind, Position};

// ANCHOR: network
/// Number of inputs: one for each side, kind of piece and square.
pub const INPUTS: usize = 2 * 6 * 64;

/// Number of hidden neurons.
pub const HIDDEN: usize = 32;

/// Centipawns for an output of 1.
pub const SCALE: f32 = 400.0;

/// The weights. All numbers are plain floats.
#[derive(Clone)]
pub struct Network {
    /// What each input adds to each hidden neuron.
    pub input: Vec<[f32; HIDDEN]>,
    /// What each hidden neuron starts with.
    pub hidden_bias: [f32; HIDDEN],
    /// What each hidden neuron adds to the output.
    pub output: [f32; HIDDEN],
    /// What the output starts with.
    pub output_bias: f32,
}
// ANCHOR_END: network

// ANCHOR: inputs
/// The inputs that are 1 in this position, one for each piece; all others are 0.
///
/// The board is seen from the side to move: its own pieces come first, and Black turns the board
/// around. So the network needs to learn only one colour.
pub fn inputs(position: &Position) -> impl Iterator<Item = usize> + '_ {
    let us = position.side_to_move();
    let sides_and_kinds = Color::ALL
        .into_iter()
        .flat_map(|color| PieceKind::ALL.map(|kind| (color, kind)));
    sides_and_kinds.flat_map(move |(color, kind)| {
        let side = if color == us { 0 } else { 1 };
        let pieces = position.pieces(color, kind).into_iter();
        pieces.map(move |square| (side * 6 + kind.index()) * 64 + square.relative_to(us).index())
    })
}
// ANCHOR_END: inputs

impl Network {
    // ANCHOR: forward
    /// The hidden neurons before activation: the bias and the weights of the inputs that are 1.
    pub fn hidden(&self, inputs: impl Iterator<Item = usize>) -> [f32; HIDDEN] {
        let mut sums = self.hidden_bias;
        for input in inputs {
            for (sum, weight) in sums.iter_mut().zip(&self.input[input]) {
                *sum += weight;
            }
        }
        sums
    }

    /// The output for these hidden neurons, each clipped to the range from 0 to 1.
    pub fn output(&self, hidden: &[f32; HIDDEN]) -> f32 {
        let active = hidden.iter().map(|sum| sum.clamp(0.0, 1.0));
        let products = active
            .zip(&self.output)
            .map(|(active, weight)| active * weight);
        self.output_bias + products.sum::<f32>()
    }

    /// The evaluation in centipawns for the side to move.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let output = self.output(&self.hidden(inputs(position)));
        (output * SCALE).clamp(-10_000.0, 10_000.0) as i32
    }
    // ANCHOR_END: forward

    // ANCHOR: file
    /// All weights, one after the other.
    pub fn weights(&mut self) -> impl Iterator<Item = &mut f32> {
        let input = self.input.iter_mut().flatten();
        let rest = self.hidden_bias.iter_mut().chain(&mut self.output);
        input.chain(rest).chain([&mut self.output_bias])
    }

    /// A network with all weights 0.
    pub fn zero() -> Self {
        Self {
            input: vec![[0.0; HIDDEN]; INPUTS],
            hidden_bias: [0.0; HIDDEN],
            output: [0.0; HIDDEN],
            output_bias: 0.0,
        }
    }

    /// Reads the bytes of a file: the weights as 32-bit floats, low byte first.
    ///
    /// # Panics
    /// If the file has another length. It is part of the program, so this is a mistake of its
    /// author.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut network = Self::zero();
        assert_eq!(
            bytes.len(),
            4 * network.weights().count(),
            "not a network of this size"
        );
        for (weight, bytes) in network.weights().zip(bytes.chunks_exact(4)) {
            *weight = f32::from_le_bytes(bytes.try_into().unwrap());
        }
        network
    }

    /// The opposite of [`Self::from_bytes`].
    pub fn to_bytes(&mut self) -> Vec<u8> {
        self.weights()
            .flat_map(|weight| weight.to_le_bytes())
            .collect()
    }
    // ANCHOR_END: file
}
// ANCHOR_END: all
