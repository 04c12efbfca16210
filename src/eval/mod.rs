//! The static evaluation of a position by a neural network (NNUE).
//!
//! [`Evaluator`] is the interface for the search. It keeps the accumulators of the line being
//! searched; the search calls `make` and `undo`.
//!
//! | module | contents |
//! |---|---|
//! | `states` | the states of attacked pieces, and motifs |
//! | `features` | the inputs, from each side's perspective |
//! | `format` | the file format of a network |
//! | `network` | the network: its weights and biases |
//! | `layers` | the layers after the accumulators |
//! | `shape` | sizes of the layers and ranges of the weights |
//! | `accumulator` | the accumulator stack and the refresh table |
//! | `endgame` | mop-up evaluation against a bare king, without the network |
//! | `simd` | accumulator update and forward pass for each kind of processor |
//! | `insides` | the inputs of a position and what a move changes in them, for pictures |

mod accumulator;
mod endgame;
mod features;
mod format;
#[cfg(feature = "insides")]
pub mod insides;
mod layers;
mod network;
mod shape;
mod simd;
mod states;

use crate::board::Position;
use crate::types::{MAX_PLY, Move, Score};
use accumulator::AccumulatorStack;
use simd::Kernels;
use std::sync::Arc;

pub use endgame::{KNOWN_WIN, is_drawn_ending};
pub use features::{
    FEATURES, Feature, KING_BUCKETS, MOTIF_INPUTS, OUTPUT_BUCKETS, PIECE_FEATURES, Perspective,
    STATE_FEATURES, output_bucket,
};
pub use format::{Header, NetworkError, Parameters};
pub use layers::{Inspection, Layers, sum_of};
pub use network::{Network, fingerprint};
pub use shape::{
    Accumulator, HIDDEN, L2, L3, MAX_INPUT_BIAS, MAX_MOTIF_WEIGHT, MAX_SCALE, MAX_SQUARE_WEIGHTS,
    QA, QB, QL2, SCALE,
};
pub use states::{Motif, PieceStates};

/// Evaluates the positions of one line, or, after a [`reset`](Self::reset), of another.
///
/// For many positions this is far faster than [`evaluate`], also if they have nothing to do with
/// each other: it keeps its memory, and accumulators of which little has to change. Each thread
/// needs its own; they share the network.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::eval::{Evaluator, Network, evaluate};
/// let network = Network::embedded();
/// let mut evaluator = Evaluator::new(network.clone());
/// for fen in ["4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "4k3/p7/8/8/8/8/8/4K2R b - - 0 1"] {
///     let position = Position::from_fen(fen).unwrap();
///     evaluator.reset();
///     assert_eq!(evaluator.evaluate(&position), evaluate(&network, &position));
/// }
///
/// // The moves of a line. The caller keeps the position before each.
/// let start = Position::start();
/// evaluator.reset();
/// for mv in start.legal_moves() {
///     let mut position = start;
///     evaluator.make(&mut position, mv);
///     assert_eq!(evaluator.evaluate(&position), evaluate(&network, &position));
///     evaluator.undo();
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Evaluator {
    network: Arc<Network>,
    kernels: Kernels,
    stack: AccumulatorStack,
}

impl Evaluator {
    /// An evaluator without a line. The position of the first call begins one.
    pub fn new(network: Arc<Network>) -> Self {
        Self {
            kernels: Kernels::best(),
            stack: AccumulatorStack::new(MAX_PLY + 1),
            network,
        }
    }

    /// Memory besides that of the network, in bytes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.stack.bytes()
    }

    /// Forgets the line: the position of the next call begins another. Faster than a new evaluator.
    pub fn reset(&mut self) {
        self.stack.reset();
    }

    /// Makes a legal move in `position`, which must be the present position.
    #[inline(always)]
    pub fn make(&mut self, position: &mut Position, mv: Move) {
        self.stack.make(position, mv);
    }

    /// Makes a null move, like [`Self::make`].
    #[inline]
    pub fn make_null(&mut self, position: &mut Position) {
        self.stack.make_null(position);
    }

    /// Takes back the last move or null move. There must be one.
    ///
    /// # Panics
    /// If there is none: in debug builds at once, in others perhaps later.
    #[inline]
    pub fn undo(&mut self) {
        self.stack.undo();
    }

    /// The evaluation of `position`, which must be the present position, for the side to move, in
    /// centipawns of the network (see [`Score`]). It depends on the board and the side to move, not
    /// on the clocks.
    ///
    /// # Panics
    /// In debug builds, if another position was evaluated here. In others the result is wrong then.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        mop_up_or(position, || {
            run_network(&self.network, self.kernels, &mut self.stack, position)
        })
    }
}

/// The mop-up evaluation, or the output of the network below a known win.
#[inline(always)]
fn mop_up_or(position: &Position, output: impl FnOnce() -> i32) -> Score {
    let max = KNOWN_WIN - 1;
    let score = endgame::evaluate(position).unwrap_or_else(|| output().clamp(-max, max));
    Score::evaluation(score)
}

/// The output of the network for the last position of the stack, in centipawns for the side to
/// move.
#[inline]
fn run_network(
    network: &Network,
    kernels: Kernels,
    stack: &mut AccumulatorStack,
    position: &Position,
) -> i32 {
    let accumulators = stack.accumulators(network, kernels, position);
    let bucket = output_bucket(position.occupied().len() as usize);
    network.output(kernels, accumulators, bucket)
}

/// The evaluation of a single position; see [`Evaluator::evaluate`]. For more than one, use an
/// [`Evaluator`]: each call of this function makes another one.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::eval::{Network, evaluate};
/// let queen_up = Position::from_fen("4k3/8/8/8/8/8/8/3QK3 w - - 0 1").unwrap();
/// assert!(evaluate(&Network::embedded(), &queen_up).0 > 300);
/// ```
pub fn evaluate(network: &Network, position: &Position) -> Score {
    mop_up_or(position, || output(network, position))
}

/// The name of the vector code that this machine runs.
pub fn kernel_name() -> &'static str {
    Kernels::best().name
}

/// The output of the network for a position, in centipawns for the side to move, without the mop-up
/// evaluation.
pub fn output(network: &Network, position: &Position) -> i32 {
    let kernels = Kernels::best();
    let mut stack = AccumulatorStack::new(1);
    run_network(network, kernels, &mut stack, position)
}

/// The parts of the network's output for a position, and the neurons of the small layers.
///
/// A bucket whose layers do not react to the position pays for three layers and plays with one;
/// `tabiya net` shows that by these figures.
pub fn inspect(network: &Network, position: &Position) -> Inspection {
    let kernels = Kernels::best();
    let mut stack = AccumulatorStack::new(1);
    let accumulators = stack.accumulators(network, kernels, position);
    let bucket = output_bucket(position.occupied().len() as usize);
    network.inspect(kernels, accumulators, bucket)
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    #[test]
    #[should_panic = "make a move or reset"]
    fn another_position_without_a_reset_is_noticed() {
        let mut evaluator = Evaluator::new(Network::embedded());
        evaluator.evaluate(&Position::start());
        let endgame = Position::from_fen("4k3/p7/8/8/8/8/8/4K2R b - - 0 1").unwrap();
        evaluator.evaluate(&endgame);
    }
}
