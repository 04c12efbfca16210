//! The network in floating point: parameters, forward pass, backpropagation.
//!
//! Two ideas make it fast. First, the input weights are stored in *tiles* of [`TILE`] hidden
//! neurons: all inputs of the first tile, then all of the second. A block of positions passes
//! through one tile after another, so that the rows of its inputs stay in the L2 cache; the larger
//! the block, the more often each is used there. Second, neighbours from one game differ in few
//! inputs, so sums are carried from one position to the next, forward and backward.
//!
//! The small layers behind the accumulators process each position by itself after the last tile.

use super::layers;
use super::sample::{Board, Inputs, Sample};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;
use tabiya::engine::WdlModel;
use tabiya::eval::{
    FEATURES, HIDDEN, L2, L3, Layers, OUTPUT_BUCKETS, SCALE, output_bucket, sum_of,
};
use tabiya::tools::viriformat::MAX_PIECES;
use tabiya::types::Color;

/// Hidden neurons per tile.
pub(super) const TILE: usize = 32;
pub(super) const TILES: usize = HIDDEN / TILE;
/// Positions per block.
const BLOCK: usize = 1024;

type Row = [f32; TILE];

// Layout of the parameters: the index at which each part begins. The input weights come first. Each
// part after the accumulators exists once per output bucket, one bucket after the other.
pub(super) const FEATURE_BIAS: usize = FEATURES * HIDDEN;
/// The input weights and biases, which make the accumulators, end here.
pub(super) const OUTPUT_WEIGHTS: usize = FEATURE_BIAS + HIDDEN;
pub(super) const OUTPUT_BIAS: usize = OUTPUT_WEIGHTS + OUTPUT_BUCKETS * 2 * HIDDEN;
/// The weights of L2 begin here.
pub(super) const L2_WEIGHTS: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;
/// The [`Layers`] begin here, one per output bucket.
pub(super) const LAYERS: usize = L2_WEIGHTS + OUTPUT_BUCKETS * 2 * HIDDEN * L2;
/// Number of weights and biases.
pub(super) const PARAMETERS: usize = LAYERS + OUTPUT_BUCKETS * Layers::PARAMETERS;

/// Maximum absolute weight of an input, or of L2, in an untrained network.
pub(crate) const INITIAL_WEIGHT: f32 = 0.08;
/// Bias of a hidden neuron in an untrained network.
pub(crate) const INITIAL_BIAS: f32 = 0.3;

/// The weights and biases of a network, or their gradient.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model(pub(super) Vec<f32>);

impl Model {
    /// All parameters are zero.
    pub(super) fn zero() -> Self {
        Self(vec![0.0; PARAMETERS])
    }

    /// An untrained network: small random weights, and hidden neurons within their clipping range.
    pub(super) fn random(random: &mut ChaCha8Rng) -> Self {
        const OUTPUT: f32 = 0.04;
        let mut model = Self::zero();
        let mut fill = |range: Range<usize>, max: f32| {
            model.0[range].fill_with(|| random.random_range(-max..max));
        };
        fill(0..FEATURE_BIAS, INITIAL_WEIGHT);
        fill(OUTPUT_WEIGHTS..OUTPUT_BIAS, OUTPUT);
        fill(L2_WEIGHTS..LAYERS, INITIAL_WEIGHT);
        model.0[FEATURE_BIAS..OUTPUT_WEIGHTS].fill(INITIAL_BIAS);
        for bucket in 0..OUTPUT_BUCKETS {
            model.set_layers(bucket, &random_layers(random));
        }
        model
    }

    /// The weight of an input in one hidden neuron.
    pub(super) fn feature_weight(&self, feature: usize, hidden: usize) -> f32 {
        self.0[(hidden / TILE * FEATURES + feature) * TILE + hidden % TILE]
    }

    pub(super) fn feature_weight_mut(&mut self, feature: usize, hidden: usize) -> &mut f32 {
        &mut self.0[(hidden / TILE * FEATURES + feature) * TILE + hidden % TILE]
    }

    /// The bias of each hidden neuron.
    pub(super) fn feature_bias(&self) -> &[f32] {
        &self.0[FEATURE_BIAS..OUTPUT_WEIGHTS]
    }

    pub(super) fn feature_bias_mut(&mut self) -> &mut [f32] {
        &mut self.0[FEATURE_BIAS..OUTPUT_WEIGHTS]
    }

    /// The weight of a hidden neuron in a neuron of L2; `side` is 0 for the side to move, else 1.
    pub(super) fn l2_weight(&self, bucket: usize, l2: usize, side: usize, hidden: usize) -> f32 {
        self.0[Self::l2_index(bucket, l2, side, hidden)]
    }

    pub(super) fn l2_weight_mut(
        &mut self,
        bucket: usize,
        l2: usize,
        side: usize,
        hidden: usize,
    ) -> &mut f32 {
        &mut self.0[Self::l2_index(bucket, l2, side, hidden)]
    }

    const fn l2_index(bucket: usize, l2: usize, side: usize, hidden: usize) -> usize {
        let row = ((bucket * 2 + side) * TILES + hidden / TILE) * L2 + l2;
        L2_WEIGHTS + row * TILE + hidden % TILE
    }

    /// The output weights of each bucket: first for the side to move, then for the other side.
    pub(super) fn output_weights(&self) -> &[f32] {
        &self.0[OUTPUT_WEIGHTS..OUTPUT_BIAS]
    }

    /// The output weights of one bucket.
    pub(super) fn output_weights_mut(&mut self, bucket: usize) -> &mut [f32] {
        &mut self.0[OUTPUT_WEIGHTS..OUTPUT_BIAS][bucket * 2 * HIDDEN..][..2 * HIDDEN]
    }

    /// The bias of each bucket's output.
    pub(super) fn output_bias(&self) -> &[f32] {
        &self.0[OUTPUT_BIAS..L2_WEIGHTS]
    }

    pub(super) fn output_bias_mut(&mut self) -> &mut [f32] {
        &mut self.0[OUTPUT_BIAS..L2_WEIGHTS]
    }

    /// The small layers of each bucket.
    pub(super) fn layers(&self) -> impl Iterator<Item = Layers> {
        let buckets = self.0[LAYERS..].chunks_exact(Layers::PARAMETERS);
        buckets.map(|parameters| Layers::from_parameters(parameters.iter().copied()))
    }

    pub(super) fn set_layers(&mut self, bucket: usize, layers: &Layers) {
        let parameters = &mut self.0[LAYERS + bucket * Layers::PARAMETERS..];
        for (place, &parameter) in parameters.iter_mut().zip(layers.parameters()) {
            *place = parameter;
        }
    }

    /// The L2 weights that belong to a row of output weights.
    #[inline(always)]
    fn l2_rows(&self, row: usize) -> &[Row; L2] {
        &self.0[L2_WEIGHTS..LAYERS].as_chunks().0.as_chunks().0[row]
    }

    /// The weights of all inputs in one tile.
    #[inline(always)]
    fn tile(&self, tile: usize) -> &[Row] {
        &self.0[..FEATURE_BIAS].as_chunks().0[tile * FEATURES..][..FEATURES]
    }

    #[inline(always)]
    fn row(&self, begin: usize, index: usize) -> &Row {
        &self.0[begin..].as_chunks().0[index]
    }
}

/// Untrained small layers, with small outputs.
fn random_layers(random: &mut ChaCha8Rng) -> Layers {
    const WEIGHT: f32 = 0.3;
    const OUTPUT: f32 = 0.02;
    Layers {
        l2_bias: [0.2; L2],
        l3_weights: [[(); L3]; 2 * L2]
            .map(|row| row.map(|()| random.random_range(-WEIGHT..WEIGHT))),
        l3_bias: [0.1; L3],
        output_weights: [(); L3].map(|()| random.random_range(-OUTPUT..OUTPUT)),
    }
}

/// Selects the output weights of a position.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    bucket: u8,
    /// Index of the side to move.
    mover: u8,
}

impl Place {
    /// The row of output weights for the accumulator of `side`, in a tile.
    #[inline(always)]
    fn row(self, side: usize, tile: usize) -> usize {
        (usize::from(self.bucket) * 2 + (side ^ usize::from(self.mover))) * TILES + tile
    }
}

/// A [`WdlModel`] tabulated by number of pieces: converts network outputs to expected scores.
#[derive(Debug, Clone)]
pub(super) struct WdlTable([[f32; 2]; MAX_PIECES + 1]);

impl WdlTable {
    pub(super) fn new(model: &WdlModel) -> Self {
        Self(std::array::from_fn(|pieces| {
            let [half, spread] = model.at(pieces);
            [half / spread, f64::from(SCALE) / spread].map(|number| number as f32)
        }))
    }

    /// The expected score, and its derivative with respect to the output.
    #[inline(always)]
    pub(super) fn expected(&self, output: f32, pieces: usize) -> (f32, f32) {
        let [half, unit] = self.0[pieces];
        let [win, loss] = [output, -output].map(|x| 1.0 / (1.0 + (half - unit * x).exp()));
        let slope = win * (1.0 - win) + loss * (1.0 - loss);
        (0.5 * (1.0 + win - loss), 0.5 * unit * slope)
    }
}

/// What a training minimises.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loss {
    /// Power of the error of the expected score.
    pub(super) exponent: f32,
    /// Weight of positions with [`FEWEST_PIECES`]; it rises evenly to 1 with
    /// [`FULL_WEIGHT_PIECES`].
    pub(super) few_pieces_weight: f32,
}

const FEWEST_PIECES: usize = 2;
const FULL_WEIGHT_PIECES: usize = 16;

impl Loss {
    /// The squared error, whatever the number of pieces.
    #[cfg(test)]
    pub(super) const SQUARES: Self = Self {
        exponent: 2.0,
        few_pieces_weight: 1.0,
    };

    /// The loss, and its derivative with respect to the expected score.
    #[inline(always)]
    fn of(self, error: f32, pieces: usize) -> (f32, f32) {
        let above = pieces.clamp(FEWEST_PIECES, FULL_WEIGHT_PIECES) - FEWEST_PIECES;
        let share = above as f32 / (FULL_WEIGHT_PIECES - FEWEST_PIECES) as f32;
        let weight = self.few_pieces_weight + share * (1.0 - self.few_pieces_weight);
        // `powf` is slow, and the usual exponent 2 needs none.
        let power = if self.exponent == 2.0 {
            error.abs()
        } else {
            error.abs().powf(self.exponent - 1.0)
        };
        (
            weight * power * error.abs(),
            weight * self.exponent * power.copysign(error),
        )
    }
}

/// The buffers with which one thread passes blocks of positions through a network.
pub(super) struct Pass {
    /// Sum of the gradients of all positions so far.
    pub(super) gradient: Model,
    /// Whether the weights and biases of the inputs get no gradient.
    layers_only: bool,
    /// Factor on the slopes of the small layers outside their clipping ranges.
    leak: f32,
    wdl: WdlTable,
    loss: Loss,
    /// The inputs from White's and from Black's perspective.
    inputs: [Vec<Inputs>; Color::COUNT],
    places: Vec<Place>,
    /// For each tile, the hidden neurons of White and of Black for each position, before clipping.
    hidden: Vec<[[Row; BLOCK]; Color::COUNT]>,
    /// Partial sums of each position's output, one per lane.
    partial_outputs: Vec<Row>,
    /// The small layers of each bucket, and their gradient.
    layers: Vec<Layers>,
    layers_gradient: Vec<Layers>,
    /// L2 and L3 of each position before clipping, and the gradient with respect to L2.
    l2: Vec<[f32; L2]>,
    l3: Vec<[f32; L3]>,
    l2_slopes: Vec<[f32; L2]>,
    output: [f32; BLOCK],
}

impl Pass {
    /// With `layers_only` the gradient of the weights and biases of the inputs stays zero.
    pub(super) fn new(wdl: WdlTable, loss: Loss, layers_only: bool) -> Self {
        Self {
            layers_only,
            gradient: Model::zero(),
            leak: layers::LEAK,
            wdl,
            loss,
            inputs: [vec![Inputs::NONE; BLOCK], vec![Inputs::NONE; BLOCK]],
            places: vec![Place::default(); BLOCK],
            hidden: vec![[[[0.0; TILE]; BLOCK]; Color::COUNT]; TILES],
            partial_outputs: vec![[0.0; TILE]; BLOCK],
            layers: vec![Layers::ZERO; OUTPUT_BUCKETS],
            layers_gradient: vec![Layers::ZERO; OUTPUT_BUCKETS],
            l2: vec![[0.0; L2]; BLOCK],
            l3: vec![[0.0; L3]; BLOCK],
            l2_slopes: vec![[0.0; L2]; BLOCK],
            output: [0.0; BLOCK],
        }
    }

    /// Adds the gradient of the samples to [`Self::gradient`]. Returns the sum of their losses.
    pub(super) fn add_gradient(&mut self, model: &Model, samples: &[Sample]) -> f64 {
        let mut total = 0.0;
        for block in samples.chunks(BLOCK) {
            self.forward(model, block);
            let mut slopes = [0.0; BLOCK];
            for (index, sample) in block.iter().enumerate() {
                let (expected, slope) = self.wdl.expected(self.output[index], sample.piece_count());
                let error = expected - sample.target;
                let (loss, loss_slope) = self.loss.of(error, sample.piece_count());
                total += f64::from(loss);
                slopes[index] = loss_slope * slope;
            }
            self.backward(model, &slopes[..block.len()]);
        }
        let parts = self
            .layers_gradient
            .iter_mut()
            .flat_map(Layers::parameters_mut);
        for (sum, part) in self.gradient.0[LAYERS..].iter_mut().zip(parts) {
            *sum += std::mem::take(part);
        }
        total
    }

    /// Calls `report` with each sample and the network's output, in units of [`SCALE`].
    pub(super) fn outputs(
        &mut self,
        model: &Model,
        samples: &[Sample],
        mut report: impl FnMut(&Sample, f32),
    ) {
        for block in samples.chunks(BLOCK) {
            self.forward(model, block);
            block
                .iter()
                .zip(self.output)
                .for_each(|(sample, output)| report(sample, output));
        }
    }

    fn forward(&mut self, model: &Model, block: &[Sample]) {
        let mut before = None;
        for (index, sample) in block.iter().enumerate() {
            let board = Board::new(sample);
            for (list, inputs) in self.inputs.iter_mut().zip(board.inputs(before.as_ref())) {
                list[index] = inputs;
            }
            before = Some(board);
            let place = Place {
                bucket: output_bucket(sample.piece_count()) as u8,
                mover: sample.side_to_move().index() as u8,
            };
            self.places[index] = place;
        }
        self.partial_outputs.fill([0.0; TILE]);
        for (tile, hidden) in self.hidden.iter_mut().enumerate() {
            let weights = model.tile(tile);
            let bias = model.row(FEATURE_BIAS, tile);
            for (side, (inputs, hidden)) in self.inputs.iter().zip(hidden).enumerate() {
                let mut sum = *bias;
                for (index, inputs) in inputs[..block.len()].iter().enumerate() {
                    if let Some((added, removed)) = inputs.change() {
                        gather(&mut sum, weights, added, add);
                        gather(&mut sum, weights, removed, subtract);
                    } else {
                        sum = *bias;
                        gather(&mut sum, weights, inputs.set(), add);
                    }
                    let weights = model.row(OUTPUT_WEIGHTS, self.places[index].row(side, tile));
                    multiply_add(&mut self.partial_outputs[index], &squares(&sum), weights);
                    hidden[index] = sum;
                }
            }
        }
        self.layers.clear();
        self.layers.extend(model.layers());
        for index in 0..block.len() {
            let place = self.places[index];
            let bucket = usize::from(place.bucket);
            let layers = &self.layers[bucket];
            let l2 = l2(model, &self.hidden, index, place, &layers.l2_bias);
            let l3 = layers.l3(&Layers::activations(&l2));
            self.output[index] = model.output_bias()[bucket]
                + sum_of(self.partial_outputs[index])
                + layers.output(&l3);
            self.l2[index] = l2;
            self.l3[index] = l3;
        }
    }

    fn backward(&mut self, model: &Model, slopes: &[f32]) {
        for (index, &slope) in slopes.iter().enumerate() {
            let bucket = usize::from(self.places[index].bucket);
            self.gradient.0[OUTPUT_BIAS + bucket] += slope;
            self.l2_slopes[index] = layers::backward(
                &self.layers[bucket],
                slope,
                &self.l2[index],
                &self.l3[index],
                self.leak,
                &mut self.layers_gradient[bucket],
            );
        }
        let (features, rest) = self.gradient.0.split_at_mut(FEATURE_BIAS);
        let (rest, l2_gradient) = rest.split_at_mut(L2_WEIGHTS - FEATURE_BIAS);
        let l2_gradient = l2_gradient.as_chunks_mut().0.as_chunks_mut().0;
        let (feature_bias, output) = rest.split_at_mut(HIDDEN);
        let features = features.as_chunks_mut::<TILE>().0;
        let feature_bias = feature_bias.as_chunks_mut::<TILE>().0;
        let output = output.as_chunks_mut::<TILE>().0;
        for (tile, hidden) in self.hidden.iter().enumerate() {
            let features = &mut features[tile * FEATURES..][..FEATURES];
            for (side, (inputs, hidden)) in self.inputs.iter().zip(hidden).enumerate() {
                // The sum of the slopes of all positions since the inputs were last replaced as a
                // whole. An input gets -sum when it is set and +sum when it is cleared. So it gets
                // the slopes of exactly the positions in which it was set.
                let mut sum: Row = [0.0; TILE];
                let mut last: &[u16] = &[];
                for (index, &slope) in slopes.iter().enumerate() {
                    let inputs = &inputs[index];
                    if self.layers_only {
                        // No input gets a slope.
                    } else if let Some((added, removed)) = inputs.change() {
                        scatter(&sum, features, added, subtract);
                        scatter(&sum, features, removed, add);
                    } else {
                        scatter(&sum, features, last, add);
                        add(&mut feature_bias[tile], &sum);
                        sum = [0.0; TILE];
                    }
                    last = inputs.set();
                    let row = self.places[index].row(side, tile);
                    let weights = model.row(OUTPUT_WEIGHTS, row);
                    let weight_gradient = &mut output[row];
                    let hidden = &hidden[index];
                    let squares = squares(hidden);
                    let mut slopes = [0.0; TILE];
                    for lane in 0..TILE {
                        weight_gradient[lane] += slope * squares[lane];
                        slopes[lane] = slope * weights[lane];
                    }
                    l2_backward(
                        &squares,
                        &self.l2_slopes[index],
                        model.l2_rows(row),
                        &mut l2_gradient[row],
                        &mut slopes,
                    );
                    for lane in 0..TILE {
                        // The clipped square is flat outside this range.
                        let inside = f32::from(hidden[lane] > 0.0 && hidden[lane] < 1.0);
                        sum[lane] += slopes[lane] * 2.0 * hidden[lane] * inside;
                    }
                }
                if !self.layers_only {
                    scatter(&sum, features, last, add);
                    add(&mut feature_bias[tile], &sum);
                }
            }
        }
    }
}

/// The neurons clipped and squared.
#[inline(always)]
fn squares(hidden: &Row) -> Row {
    let mut squares = [0.0; TILE];
    for lane in 0..TILE {
        let clipped = hidden[lane].clamp(0.0, 1.0);
        squares[lane] = clipped * clipped;
    }
    squares
}

/// The L2 neurons of a position before clipping.
#[inline(never)]
fn l2(
    model: &Model,
    hidden: &[[[Row; BLOCK]; Color::COUNT]],
    index: usize,
    place: Place,
    bias: &[f32; L2],
) -> [f32; L2] {
    let mut sums = [[0.0; TILE]; L2];
    for (tile, hidden) in hidden.iter().enumerate() {
        for (side, hidden) in hidden.iter().enumerate() {
            let squares = squares(&hidden[index]);
            for (sum, weights) in sums.iter_mut().zip(model.l2_rows(place.row(side, tile))) {
                multiply_add(sum, &squares, weights);
            }
        }
    }
    std::array::from_fn(|neuron| bias[neuron] + sum_of(sums[neuron]))
}

/// Adds to the gradient of the L2 weights, and to the gradient with respect to the squares,
/// `slopes`.
#[inline(never)]
fn l2_backward(
    squares: &Row,
    l2_slopes: &[f32; L2],
    weights: &[Row; L2],
    gradient: &mut [Row; L2],
    slopes: &mut Row,
) {
    let mut local = *slopes;
    for neuron in 0..L2 {
        for lane in 0..TILE {
            local[lane] += l2_slopes[neuron] * weights[neuron][lane];
            gradient[neuron][lane] += l2_slopes[neuron] * squares[lane];
        }
    }
    *slopes = local;
}

/// Adds the products to a sum. Not inlined: inlined code is much slower.
#[inline(never)]
fn multiply_add(sum: &mut Row, factors: &Row, weights: &Row) {
    for lane in 0..TILE {
        sum[lane] += factors[lane] * weights[lane];
    }
}

/// Adds or subtracts the rows of these inputs. Not inlined: inlined code is not vectorised.
#[inline(never)]
fn gather(sum: &mut Row, rows: &[Row], inputs: &[u16], work: impl Fn(&mut Row, &Row)) {
    let mut local = *sum;
    for &input in inputs {
        work(&mut local, &rows[usize::from(input)]);
    }
    *sum = local;
}

/// Adds a sum to the rows of these inputs, or subtracts it. Not inlined for the same reason.
#[inline(never)]
fn scatter(sum: &Row, rows: &mut [Row], inputs: &[u16], work: impl Fn(&mut Row, &Row)) {
    for &input in inputs {
        work(&mut rows[usize::from(input)], sum);
    }
}

#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    for lane in 0..TILE {
        sum[lane] += row[lane];
    }
}

#[inline(always)]
fn subtract(sum: &mut Row, row: &Row) {
    for lane in 0..TILE {
        sum[lane] -= row[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::sample::random_samples;
    use rand::SeedableRng;

    /// A pass whose win/draw/loss model has draws and depends on the number of pieces.
    fn pass(loss: Loss) -> Pass {
        let wdl = WdlTable::new(&WdlModel {
            half: [250.0, 100.0],
            spread: [100.0, 250.0],
        });
        Pass::new(wdl, loss, false)
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        check_gradient(Loss::SQUARES);
    }

    #[test]
    fn the_gradient_is_the_slope_of_a_weighted_loss() {
        check_gradient(Loss {
            exponent: 2.5,
            few_pieces_weight: 0.3,
        });
    }

    #[test]
    fn positions_with_few_pieces_weigh_less() {
        let loss = Loss {
            exponent: 3.0,
            few_pieces_weight: 0.4,
        };
        for (pieces, weight) in [(2, 0.4), (9, 0.7), (16, 1.0), (32, 1.0)] {
            let (value, slope) = loss.of(-0.5, pieces);
            assert!((value - weight * 0.125).abs() < 1e-6, "{pieces}: {value}");
            assert!((slope + weight * 0.75).abs() < 1e-6, "{pieces}: {slope}");
        }
    }

    /// Compares with difference quotients, for the largest components of each part, without leak.
    fn check_gradient(loss: Loss) {
        const STEP: f32 = 1e-3;
        let samples = random_samples(300, 1);
        let mut model = Model::random(&mut ChaCha8Rng::seed_from_u64(1));
        let total = |model: &Model| pass(loss).add_gradient(model, &samples);
        let mut pass = pass(loss);
        pass.leak = 0.0;
        pass.add_gradient(&model, &samples);
        let gradient = pass.gradient.0;
        let parts = [
            0..FEATURE_BIAS,
            FEATURE_BIAS..OUTPUT_WEIGHTS,
            OUTPUT_WEIGHTS..OUTPUT_BIAS,
            OUTPUT_BIAS..L2_WEIGHTS,
            L2_WEIGHTS..LAYERS,
            LAYERS..PARAMETERS,
        ];
        for part in parts {
            let mut indices: Vec<_> = part.collect();
            indices.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
            for &index in indices.iter().take(25) {
                let value = model.0[index];
                let [above, below] = [STEP, -STEP].map(|step| {
                    model.0[index] = value + step;
                    total(&model)
                });
                model.0[index] = value;
                let slope = (above - below) / f64::from(2.0 * STEP);
                let found = f64::from(gradient[index]);
                assert!(
                    (slope - found).abs() < 0.02 * slope.abs() + 1e-3,
                    "parameter {index}: {found}, not {slope}"
                );
            }
        }
    }

    #[test]
    fn inputs_that_are_never_set_have_no_gradient() {
        let samples = random_samples(1, 2);
        let model = Model::random(&mut ChaCha8Rng::seed_from_u64(1));
        let mut pass = pass(Loss::SQUARES);
        pass.add_gradient(&model, &samples);
        let touched = pass.gradient.0[..FEATURE_BIAS]
            .iter()
            .filter(|&&component| component != 0.0)
            .count();
        // Two sides, and at most two inputs per piece.
        assert!(touched <= 2 * 2 * samples[0].piece_count() * HIDDEN);
        assert!(touched > 0);
    }

    /// Up to rounding.
    #[test]
    fn the_output_of_a_sample_does_not_depend_on_its_block() {
        let samples = random_samples(BLOCK + 40, 3);
        let model = Model::random(&mut ChaCha8Rng::seed_from_u64(2));
        let mut pass = pass(Loss::SQUARES);
        let mut together = Vec::new();
        pass.outputs(&model, &samples, |_, output| together.push(output));
        for (sample, expected) in samples.iter().zip(together).step_by(17) {
            pass.outputs(&model, std::slice::from_ref(sample), |_, output| {
                assert!((output - expected).abs() < 1e-5, "{output} {expected}")
            });
        }
    }
}
