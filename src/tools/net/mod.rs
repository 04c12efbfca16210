//! `tabiya net`: shape, origin and scale of a network file.

use crate::board::Position;
use crate::eval::{Header, Inspection, L2, L3, Network, OUTPUT_BUCKETS, evaluate, inspect};
use crate::tools::files::network_or_embedded;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;

/// 200 quiet, undecided positions of self-play games, from the opening to the endgame. Generation 8
/// played the games with 2,000 nodes per move.
const POSITIONS: &str = include_str!("scale.epd");

/// Mean |evaluation| over a fixed set of positions, in centipawns.
///
/// The margins of the search are in centipawns. A network whose evaluations are larger for the same
/// advantage would in effect be searched with smaller margins.
#[must_use]
pub fn mean_eval(network: &Network) -> f64 {
    let scores: Vec<_> = positions()
        .map(|position| f64::from(evaluate(network, &position).0.abs()))
        .collect();
    scores.iter().sum::<f64>() / scores.len().max(1) as f64
}

fn positions() -> impl Iterator<Item = Position> {
    POSITIONS
        .lines()
        .filter_map(|fen| Position::from_fen(fen).ok())
}

/// How much the layers of one output bucket react to the position.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct LayerActivity {
    /// Number of positions looked at.
    pub positions: usize,
    /// Mean of the layers' output, in centipawns.
    pub mean: f64,
    /// Standard deviation of the layers' output, in centipawns.
    pub spread: f64,
    /// Neurons of L2 and L3 that give the next layer the same values in all positions.
    pub dead: [usize; 2],
}

/// The largest difference between the values of a dead neuron.
const DEAD_RANGE: f32 = 0.01;

/// The activity of each bucket's layers.
#[must_use]
pub fn layer_activity(
    network: &Network,
    positions: impl Iterator<Item = Position>,
) -> [LayerActivity; OUTPUT_BUCKETS] {
    let mut buckets: [Vec<Inspection>; OUTPUT_BUCKETS] = Default::default();
    for position in positions {
        let inspection = inspect(network, &position);
        buckets[inspection.bucket].push(inspection);
    }
    buckets.map(|inspections| {
        let count = inspections.len().max(1) as f64;
        let outputs = || inspections.iter().map(|one| f64::from(one.layers));
        let mean = outputs().sum::<f64>() / count;
        let variance = outputs().map(|output| (output - mean).powi(2)).sum::<f64>() / count;
        LayerActivity {
            positions: inspections.len(),
            mean,
            spread: variance.sqrt(),
            dead: [dead_in_l2(&inspections), dead_in_l3(&inspections)],
        }
    })
}

/// A neuron of L2 has two values: while one is clipped, the other may vary.
fn dead_in_l2(inspections: &[Inspection]) -> usize {
    let is_dead = |&neuron: &usize| {
        [neuron, L2 + neuron]
            .into_iter()
            .all(|place| is_constant(inspections, |one| one.activations[place]))
    };
    (0..L2).filter(is_dead).count()
}

fn dead_in_l3(inspections: &[Inspection]) -> usize {
    let is_dead = |&neuron: &usize| is_constant(inspections, |one| one.l3[neuron]);
    (0..L3).filter(is_dead).count()
}

/// Whether a value stays within [`DEAD_RANGE`].
fn is_constant(inspections: &[Inspection], value: impl Fn(&Inspection) -> f32) -> bool {
    let values = inspections.iter().map(&value);
    let max = values.clone().fold(f32::MIN, f32::max);
    max - values.fold(f32::MAX, f32::min) < DEAD_RANGE
}

/// Everything about a network, as JSON.
#[derive(Serialize)]
struct Description<'a> {
    header: &'a Header,
    fingerprint: String,
    mean_eval: f64,
    /// The activity of each bucket's layers, over the positions of [`mean_eval`].
    layers: [LayerActivity; OUTPUT_BUCKETS],
}

/// Describes the network in `file`, or the built-in one: in five lines, or with `json` completely.
///
/// # Errors
/// If the file cannot be read or is not a network, or the output cannot be written.
pub fn run(file: Option<&Path>, json: bool, mut output: impl Write) -> io::Result<()> {
    let network = network_or_embedded(file)?;
    let header = network.header();
    let fingerprint = format!("{:016x}", network.fingerprint());
    let mean_eval = mean_eval(&network);
    if json {
        let description = Description {
            header,
            fingerprint,
            mean_eval,
            layers: layer_activity(&network, positions()),
        };
        return writeln!(output, "{}", serde_json::to_string_pretty(&description)?);
    }
    writeln!(
        output,
        "shape         ({} -> {})x2 -> ({} -> {} -> 1, and 1)x{}, {} king buckets, mirrored inputs, SCReLU\n\
         quantisation  QA {}, QB {}, QL2 {}, scale {} centipawns\n\
         fingerprint   {fingerprint}\n\
         mean |eval|   {mean_eval:.0} centipawns over a fixed set of positions\n\
         trained on    {}",
        header.features,
        header.hidden,
        header.l2,
        header.l3,
        header.output_buckets,
        header.king_buckets,
        header.qa,
        header.qb,
        header.ql2,
        header.scale,
        training(&header.provenance),
    )
}

/// What a network was trained on. The trainer counts also the games of interrupted self-play, whose
/// manifests have no totals.
fn training(provenance: &Value) -> String {
    // That of a network that `fold` or `widen` made has the one before as an object.
    if provenance["before"].is_object() {
        return training(&provenance["before"]);
    }
    let counts = &provenance["outcome"]["counts"];
    if let (Some(games), Some(kept)) = (counts["games"].as_u64(), counts["kept"].as_u64()) {
        return format!("{games} games of self-play, of which {kept} positions were kept");
    }
    let [games, positions] = ["games", "positions"].map(|key| sum_of_totals(provenance, key));
    format!("{games} games of self-play with {positions} positions")
}

/// The sum of a number in all objects `totals` of a provenance.
fn sum_of_totals(provenance: &Value, key: &str) -> u64 {
    match provenance {
        Value::Array(values) => values.iter().map(|value| sum_of_totals(value, key)).sum(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| match name.as_str() {
                "totals" => value.get(key).and_then(Value::as_u64).unwrap_or(0),
                _ => sum_of_totals(value, key),
            })
            .sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Layers;

    #[test]
    fn every_position_of_the_scale_is_read() {
        assert_eq!(positions().count(), 200);
        assert!((100.0..400.0).contains(&mean_eval(&Network::embedded())));
    }

    #[test]
    fn the_layers_of_each_bucket_with_enough_positions_are_active() {
        let activity = layer_activity(&Network::embedded(), positions());
        let total: usize = activity.iter().map(|bucket| bucket.positions).sum();
        assert_eq!(total, 200);
        let measurable = |bucket: &&LayerActivity| bucket.positions > 20;
        let buckets: Vec<_> = activity.iter().filter(measurable).collect();
        assert_eq!(buckets.len(), OUTPUT_BUCKETS - 2);
        for bucket in buckets {
            assert!(bucket.spread > 20.0, "{bucket:?}");
            assert!(bucket.dead[0] < 4 && bucket.dead[1] < 8, "{bucket:?}");
        }
    }

    #[test]
    fn games_are_counted_as_the_trainer_did_or_by_the_manifests() {
        let manifests = serde_json::json!({"games": [
            [{"seed": 1}, {"totals": {"games": 2, "positions": 30}}],
            [{"seed": 2}],
        ]});
        assert_eq!(
            training(&manifests),
            "2 games of self-play with 30 positions"
        );
        let mut trained = manifests;
        trained["outcome"] = serde_json::json!({"counts": {"games": 5, "kept": 40}});
        let text = training(&trained);
        assert_eq!(
            text,
            "5 games of self-play, of which 40 positions were kept"
        );
        let folded = serde_json::json!({"folded": {}, "before": trained});
        assert_eq!(training(&folded), text);
    }

    #[test]
    fn a_neuron_is_dead_if_all_its_values_are_constant() {
        let inspections = [-0.5, -0.9].map(|neuron| {
            // The first neuron varies in its square, the second is constant, the others vary.
            let mut l2 = [neuron + 1.0; L2];
            l2[..2].copy_from_slice(&[neuron, 0.5]);
            let mut l3 = [neuron + 1.0; L3];
            l3[..3].fill(1.0);
            Inspection {
                bucket: 0,
                direct: 0.0,
                layers: 0.0,
                activations: Layers::activations(&l2),
                l3,
            }
        });
        assert_eq!((dead_in_l2(&inspections), dead_in_l3(&inspections)), (1, 3));
    }
}
