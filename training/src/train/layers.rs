//! Backpropagation through the small layers after the accumulators. The forward pass is the
//! engine's own [`Layers`].
//!
//! The neurons are clipped, and outside the range of the clip the true slope is 0. There the slope
//! of the unclipped function, times a small factor (a *leak*), takes its place, so that a neuron
//! that has left the range can come back.

use tabiya::eval::{L2, L3, Layers};

/// Factor on the slope of the unclipped functions outside their range, in training.
pub(super) const LEAK: f32 = 0.1;

/// 1 inside the range of a clip, `leak` outside.
#[inline(always)]
fn clip_slope(inside: bool, leak: f32) -> f32 {
    if inside { 1.0 } else { leak }
}

/// Adds one sample to `gradient` and returns the gradient with respect to the L2 neurons.
///
/// `slope` is the gradient with respect to the output; `l2` and `l3` are the sample's neurons
/// before clipping.
#[inline(never)]
pub(super) fn backward(
    layers: &Layers,
    slope: f32,
    l2: &[f32; L2],
    l3: &[f32; L3],
    leak: f32,
    gradient: &mut Layers,
) -> [f32; L2] {
    let mut l3_slopes = [0.0; L3];
    for lane in 0..L3 {
        gradient.output_weights[lane] += slope * l3[lane].clamp(0.0, 1.0);
        let inside = clip_slope(l3[lane] > 0.0 && l3[lane] < 1.0, leak);
        l3_slopes[lane] = slope * layers.output_weights[lane] * inside;
        gradient.l3_bias[lane] += l3_slopes[lane];
    }
    let activations = Layers::activations(l2);
    let mut slopes = [0.0; 2 * L2];
    for (index, &activation) in activations.iter().enumerate() {
        let weights = &layers.l3_weights[index];
        let weight_gradient = &mut gradient.l3_weights[index];
        let mut products = [0.0; L3];
        for lane in 0..L3 {
            weight_gradient[lane] += activation * l3_slopes[lane];
            products[lane] = weights[lane] * l3_slopes[lane];
        }
        slopes[index] = products.iter().sum();
    }
    let mut l2_slopes = [0.0; L2];
    for (index, &neuron) in l2.iter().enumerate() {
        // The activations of a neuron are itself and its square, both clipped.
        let inside = clip_slope(neuron > 0.0 && neuron < 1.0, leak);
        let square_inside = clip_slope(neuron.abs() < 1.0, leak);
        l2_slopes[index] =
            slopes[index] * inside + slopes[L2 + index] * 2.0 * neuron * square_inside;
        gradient.l2_bias[index] += l2_slopes[index];
    }
    l2_slopes
}
