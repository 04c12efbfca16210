//! A look inside the network: the parts of its output and the neurons of the small layers.
//!
//! A bucket whose layers do not react to the position pays for three layers and plays with one.
//! `tabiya net` shows that by these figures.

use super::accumulator::AccumulatorStack;
use super::features::output_bucket;
use super::layers::Inspection;
use super::network::Network;
use super::simd::Kernels;
use crate::board::Position;

/// Computes the network's output for a position and keeps its parts.
pub fn inspect(network: &Network, position: &Position) -> Inspection {
    let kernels = Kernels::best();
    let mut stack = AccumulatorStack::new(position);
    let accumulators = stack.accumulators(network, kernels, position);
    let bucket = output_bucket(position.occupied().len() as usize);
    network.inspect(kernels, accumulators, bucket)
}
