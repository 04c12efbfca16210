//! What a network file is, how it was made, and what it says of a few positions.

use crate::board::Position;
use crate::engine::bench;
use crate::eval::{Network, evaluate};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Describes the network in the file, or that of the program.
///
/// # Errors
/// If the file cannot be read or is no network, or nobody reads the output.
pub fn run(file: Option<&Path>, mut output: impl Write) -> io::Result<()> {
    let network = match file {
        Some(file) => Arc::new(Network::load(file)?),
        None => Network::embedded(),
    };
    let header = network.header();
    writeln!(
        output,
        "shape         ({} -> {})x2 -> 1x{}, mirrored inputs, SCReLU",
        header.features, header.hidden, header.output_buckets
    )?;
    writeln!(
        output,
        "numbers       QA {}, QB {}, scale {} centipawns",
        header.qa, header.qb, header.scale
    )?;
    writeln!(output, "fingerprint   {:016x}", network.fingerprint())?;
    let scores: Vec<_> = bench::POSITIONS
        .iter()
        .filter_map(|fen| Position::from_fen(fen).ok())
        .map(|position| evaluate(&network, &position).0)
        .collect();
    let mean =
        scores.iter().map(|score| score.abs()).sum::<i32>() as f64 / scores.len().max(1) as f64;
    writeln!(
        output,
        "mean |eval|   {mean:.0} centipawns over the {} positions of bench",
        scores.len()
    )?;
    writeln!(
        output,
        "provenance    {}",
        serde_json::to_string_pretty(&header.provenance)?
    )
}
