//! `tabiya net`: shape, origin and scale of a network file.

use crate::board::Position;
use crate::eval::{Network, evaluate};
use crate::tools::files::network_or_embedded;
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
    let scores: Vec<_> = POSITIONS
        .lines()
        .filter_map(|fen| Position::from_fen(fen).ok())
        .map(|position| f64::from(evaluate(network, &position).0.abs()))
        .collect();
    scores.iter().sum::<f64>() / scores.len().max(1) as f64
}

/// Describes the network in `file`, or the built-in one.
///
/// # Errors
/// If the file cannot be read or is not a network, or the output cannot be written.
pub fn run(file: Option<&Path>, mut output: impl Write) -> io::Result<()> {
    let network = network_or_embedded(file)?;
    let header = network.header();
    writeln!(
        output,
        "shape         ({} -> {})x2 -> ({} -> {} -> 1, and 1)x{}, mirrored inputs, SCReLU",
        header.features, header.hidden, header.l2, header.l3, header.output_buckets
    )?;
    writeln!(
        output,
        "quantisation  QA {}, QB {}, QL2 {}, scale {} centipawns",
        header.qa, header.qb, header.ql2, header.scale
    )?;
    writeln!(output, "fingerprint   {:016x}", network.fingerprint())?;
    writeln!(
        output,
        "mean |eval|   {:.0} centipawns over a fixed set of positions",
        mean_eval(&network)
    )?;
    writeln!(
        output,
        "provenance    {}",
        serde_json::to_string_pretty(&header.provenance)?
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_the_scale_is_read() {
        let read = POSITIONS
            .lines()
            .filter(|fen| Position::from_fen(fen).is_ok());
        assert_eq!(read.count(), 200);
        assert!((100.0..400.0).contains(&mean_eval(&Network::embedded())));
    }
}
