//! How the small layers behind the accumulators should change; what they say is the engine's own [`Layers`].

use crate::eval::{L2, L3, Layers};

/// Adds to the gradient what a sample teaches, whose output should change by `slope` and whose layers were `l2` and `l3`
/// before they were clipped. Returns by how much each number of L2 should change.
#[inline(never)]
pub(super) fn backward(
    layers: &Layers,
    slope: f32,
    l2: &[f32; L2],
    l3: &[f32; L3],
    gradient: &mut Layers,
) -> [f32; L2] {
    let mut l3_slopes = [0.0; L3];
    for lane in 0..L3 {
        gradient.output_weights[lane] += slope * l3[lane].clamp(0.0, 1.0);
        let inside = f32::from(l3[lane] > 0.0 && l3[lane] < 1.0);
        l3_slopes[lane] = slope * layers.output_weights[lane] * inside;
        gradient.l3_bias[lane] += l3_slopes[lane];
    }
    let activations = Layers::activations(l2);
    let mut slopes = [0.0; 2 * L2];
    for (index, &activation) in activations.iter().enumerate() {
        let weights = &layers.l3_weights[index];
        let weight_gradient = &mut gradient.l3_weights[index];
        let mut parts = [0.0; L3];
        for lane in 0..L3 {
            weight_gradient[lane] += activation * l3_slopes[lane];
            parts[lane] = weights[lane] * l3_slopes[lane];
        }
        slopes[index] = parts.iter().sum();
    }
    let mut l2_slopes = [0.0; L2];
    for (index, &number) in l2.iter().enumerate() {
        let inside = f32::from(number > 0.0 && number < 1.0);
        let square_inside = f32::from(number.abs() < 1.0);
        l2_slopes[index] =
            slopes[index] * inside + slopes[L2 + index] * 2.0 * number * square_inside;
        gradient.l2_bias[index] += l2_slopes[index];
    }
    l2_slopes
}
