//! The network while it learns: its weights and biases in floating point, what it says, and how it should change.
//!
//! The weights of the inputs lie in *tiles* of [`TILE`] hidden neurons: all inputs of the first tile, then all of the
//! second. A block of positions passes through one tile after another, and each tile stays in the fastest cache while
//! it does. Neighbours in a block that come from the same game differ in a few inputs, so sums are carried from one to the
//! next, forward and backward. These two are the whole secret of the speed. The layers behind the accumulators take each
//! position by itself, when all tiles are done.

use super::layers;
use super::sample::{Board, Inputs, Sample};
use crate::engine::WdlModel;
use crate::eval::{FEATURES, HIDDEN, L2, L3, Layers, OUTPUT_BUCKETS, SCALE, output_bucket, sum_of};
use crate::tools::datagen::MAX_PIECES;
use crate::types::Color;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// Hidden neurons that are worked on at a time.
const TILE: usize = 32;
const TILES: usize = HIDDEN / TILE;
/// Positions that pass through the tiles together.
const BLOCK: usize = 256;

type Row = [f32; TILE];

/// Where what begins in the list of all parameters.
const FEATURE_BIAS: usize = FEATURES * HIDDEN;
/// Before these are the parameters that make the accumulators.
pub(super) const OUTPUT_WEIGHTS: usize = FEATURE_BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT_WEIGHTS + OUTPUT_BUCKETS * 2 * HIDDEN;
/// Here begin the weights of L2.
pub(super) const L2_WEIGHTS: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;
/// Here begin the [`Layers`], as many as there are buckets.
const LAYERS: usize = L2_WEIGHTS + OUTPUT_BUCKETS * 2 * HIDDEN * L2;
/// How many weights and biases there are to learn.
pub(super) const PARAMETERS: usize = LAYERS + OUTPUT_BUCKETS * Layers::PARAMETERS;

/// The weights and biases of a network, or what each of them should change by.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model(pub(super) Vec<f32>);

impl Model {
    /// All parameters zero.
    pub(super) fn zero() -> Self {
        Self(vec![0.0; PARAMETERS])
    }

    /// A network that knows nothing: small random weights, all hidden neurons in the middle of their range.
    pub(super) fn random(random: &mut ChaCha8Rng) -> Self {
        const WEIGHT: f32 = 0.08;
        const BIAS: f32 = 0.3;
        const OUTPUT: f32 = 0.04;
        let mut model = Self::zero();
        let mut fill = |range: Range<usize>, most: f32| {
            model.0[range].fill_with(|| random.random_range(-most..most));
        };
        fill(0..FEATURE_BIAS, WEIGHT);
        fill(OUTPUT_WEIGHTS..OUTPUT_BIAS, OUTPUT);
        fill(L2_WEIGHTS..LAYERS, WEIGHT);
        model.0[FEATURE_BIAS..OUTPUT_WEIGHTS].fill(BIAS);
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

    /// The weight of a hidden neuron, of the side to move or of the other, in a neuron of L2.
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

    /// The output weights: for each bucket those of the side to move, then those of the other.
    pub(super) fn output_weights(&self) -> &[f32] {
        &self.0[OUTPUT_WEIGHTS..OUTPUT_BIAS]
    }

    /// Those of one bucket.
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

    /// The weights of L2 for a row of output weights.
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

/// Small layers that know nothing, and say little.
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

/// Which output weights a position has.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    bucket: u8,
    /// The index of the side to move.
    mover: u8,
}

impl Place {
    /// The row of output weights for what a side sees, in a tile.
    #[inline(always)]
    fn row(self, side: usize, tile: usize) -> usize {
        (usize::from(self.bucket) * 2 + (side ^ usize::from(self.mover))) * TILES + tile
    }
}

/// What the network's output means, for each number of pieces: a [`WdlModel`] made fast.
#[derive(Debug, Clone)]
pub(super) struct WdlTable([[f32; 2]; MAX_PIECES + 1]);

impl WdlTable {
    pub(super) fn new(model: &WdlModel) -> Self {
        Self(std::array::from_fn(|pieces| {
            let [half, spread] = model.at(pieces);
            [half / spread, f64::from(SCALE) / spread].map(|number| number as f32)
        }))
    }

    /// The share of a point to be expected, and by how much it grows with the output.
    #[inline(always)]
    pub(super) fn expected(&self, output: f32, pieces: usize) -> (f32, f32) {
        let [half, unit] = self.0[pieces];
        let [win, loss] = [output, -output].map(|x| 1.0 / (1.0 + (half - unit * x).exp()));
        let slope = win * (1.0 - win) + loss * (1.0 - loss);
        (0.5 * (1.0 + win - loss), 0.5 * unit * slope)
    }
}

/// What one thread needs to pass blocks of positions through a network.
pub(super) struct Pass {
    /// The sum over all positions passed of what each parameter should change by.
    pub(super) gradient: Model,
    wdl: WdlTable,
    /// What White and Black see.
    inputs: [Vec<Inputs>; Color::COUNT],
    places: Vec<Place>,
    /// For each tile the hidden neurons of each position, of White and of Black, before clipping.
    hidden: Vec<[[Row; BLOCK]; Color::COUNT]>,
    /// Parts of the output of each position, to be summed at last.
    parts: Vec<Row>,
    /// The small layers of each bucket, and the sum of what they should change by.
    layers: Vec<Layers>,
    layers_gradient: Vec<Layers>,
    /// L2 and L3 of each position before clipping, and by how much L2 should change.
    l2: Vec<[f32; L2]>,
    l3: Vec<[f32; L3]>,
    l2_slopes: Vec<[f32; L2]>,
    output: [f32; BLOCK],
}

impl Pass {
    pub(super) fn new(wdl: WdlTable) -> Self {
        Self {
            gradient: Model::zero(),
            wdl,
            inputs: [vec![Inputs::NONE; BLOCK], vec![Inputs::NONE; BLOCK]],
            places: vec![Place::default(); BLOCK],
            hidden: vec![[[[0.0; TILE]; BLOCK]; Color::COUNT]; TILES],
            parts: vec![[0.0; TILE]; BLOCK],
            layers: vec![Layers::ZERO; OUTPUT_BUCKETS],
            layers_gradient: vec![Layers::ZERO; OUTPUT_BUCKETS],
            l2: vec![[0.0; L2]; BLOCK],
            l3: vec![[0.0; L3]; BLOCK],
            l2_slopes: vec![[0.0; L2]; BLOCK],
            output: [0.0; BLOCK],
        }
    }

    /// Adds what the samples teach to the gradient. Returns the sum of their losses: the square of the distance between
    /// the share of a point that the network expects and its target.
    pub(super) fn learn(&mut self, model: &Model, samples: &[Sample]) -> f64 {
        let mut total = 0.0;
        for block in samples.chunks(BLOCK) {
            self.forward(model, block);
            let mut slopes = [0.0; BLOCK];
            for (index, sample) in block.iter().enumerate() {
                let (expected, slope) = self.wdl.expected(self.output[index], sample.piece_count());
                let error = expected - sample.target;
                total += f64::from(error * error);
                slopes[index] = 2.0 * error * slope;
            }
            self.backward(model, &slopes[..block.len()]);
        }
        let changes = self
            .layers_gradient
            .iter_mut()
            .flat_map(Layers::parameters_mut);
        for (sum, change) in self.gradient.0[LAYERS..].iter_mut().zip(changes) {
            *sum += std::mem::take(change);
        }
        total
    }

    /// What the network says of each sample, in units of [`SCALE`].
    pub(super) fn outputs(
        &mut self,
        model: &Model,
        samples: &[Sample],
        mut tell: impl FnMut(&Sample, f32),
    ) {
        for block in samples.chunks(BLOCK) {
            self.forward(model, block);
            block
                .iter()
                .zip(self.output)
                .for_each(|(sample, output)| tell(sample, output));
        }
    }

    fn forward(&mut self, model: &Model, block: &[Sample]) {
        let mut before = None;
        for (index, sample) in block.iter().enumerate() {
            let board = Board::new(sample);
            for (list, inputs) in self
                .inputs
                .iter_mut()
                .zip(board.inputs(sample, before.as_ref()))
            {
                list[index] = inputs;
            }
            before = Some(board);
            let place = Place {
                bucket: output_bucket(sample.piece_count()) as u8,
                mover: sample.side_to_move().index() as u8,
            };
            self.places[index] = place;
        }
        self.parts.fill([0.0; TILE]);
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
                    multiply_add(&mut self.parts[index], &squares(&sum), weights);
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
            self.output[index] =
                model.output_bias()[bucket] + sum_of(self.parts[index]) + layers.output(&l3);
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
                // The sum of what all positions so far say since the inputs were last all new. An input takes its share
                // when it is no longer set, less what the sum was when it was.
                let mut sum: Row = [0.0; TILE];
                let mut last: &[u16] = &[];
                for (index, &slope) in slopes.iter().enumerate() {
                    let inputs = &inputs[index];
                    if let Some((added, removed)) = inputs.change() {
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
                        // The square is flat where it is clipped.
                        let inside = f32::from(hidden[lane] > 0.0 && hidden[lane] < 1.0);
                        sum[lane] += slopes[lane] * 2.0 * hidden[lane] * inside;
                    }
                }
                scatter(&sum, features, last, add);
                add(&mut feature_bias[tile], &sum);
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

/// L2 of a position before clipping.
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

/// Adds to the gradient of the weights of L2, and to what the squares should change by.
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

/// Adds the products to a sum. Inlined, it is compiled to something much slower.
#[inline(never)]
fn multiply_add(sum: &mut Row, factors: &Row, weights: &Row) {
    for lane in 0..TILE {
        sum[lane] += factors[lane] * weights[lane];
    }
}

/// Works the rows of these inputs into a sum. Inlined, it is not compiled to vectors.
#[inline(never)]
fn gather(sum: &mut Row, rows: &[Row], inputs: &[u16], work: impl Fn(&mut Row, &Row)) {
    let mut local = *sum;
    for &input in inputs {
        work(&mut local, &rows[usize::from(input)]);
    }
    *sum = local;
}

/// Works a sum into the rows of these inputs; not inlined either.
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
    use crate::tools::train::sample::random_samples;
    use rand::SeedableRng;

    /// With draws, and another one for each number of pieces.
    fn pass() -> Pass {
        Pass::new(WdlTable::new(&WdlModel {
            half: [250.0, 100.0],
            spread: [100.0, 250.0],
        }))
    }

    fn loss(model: &Model, samples: &[Sample]) -> f64 {
        pass().learn(model, samples)
    }

    /// The gradient is the slope of the loss, along each parameter that matters.
    #[test]
    fn gradients_are_slopes() {
        const STEP: f32 = 2e-3;
        let samples = random_samples(300, 1);
        let mut model = Model::random(&mut ChaCha8Rng::seed_from_u64(1));
        let mut pass = pass();
        pass.learn(&model, &samples);
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
                    loss(&model, &samples)
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

    /// A parameter that no sample touches must not change.
    #[test]
    fn what_is_not_seen_is_not_changed() {
        let samples = random_samples(1, 2);
        let model = Model::random(&mut ChaCha8Rng::seed_from_u64(1));
        let mut pass = pass();
        pass.learn(&model, &samples);
        let touched = pass.gradient.0[..FEATURE_BIAS]
            .iter()
            .filter(|&&change| change != 0.0)
            .count();
        assert!(touched <= 2 * samples[0].piece_count() * HIDDEN);
        assert!(touched > 0);
    }

    /// Blocks and their order make no difference but for rounding.
    #[test]
    fn a_sample_says_the_same_in_any_block() {
        let samples = random_samples(BLOCK + 40, 3);
        let model = Model::random(&mut ChaCha8Rng::seed_from_u64(2));
        let mut pass = pass();
        let mut together = Vec::new();
        pass.outputs(&model, &samples, |_, output| together.push(output));
        for (sample, expected) in samples.iter().zip(together).step_by(17) {
            pass.outputs(&model, std::slice::from_ref(sample), |_, output| {
                assert!((output - expected).abs() < 1e-5, "{output} {expected}")
            });
        }
    }
}
