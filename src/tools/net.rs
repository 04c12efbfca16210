//! What a network file is, how it was made, and what it says of a few positions.

use crate::engine::load_network;
use crate::eval::Network;
use crate::tools::train::mean_eval;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Describes the network in the file, or that of the program.
///
/// # Errors
/// If the file cannot be read or is no network, or nobody reads the output.
pub fn run(file: Option<&Path>, mut output: impl Write) -> io::Result<()> {
    let network = match file {
        Some(file) => Arc::new(load_network(file)?),
        None => Network::embedded(),
    };
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
