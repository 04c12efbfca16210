//! `tabiya-train widen`: makes a larger network with the same evaluations.
//!
//! A network with more inputs, neurons or king buckets need not learn everything again. One of
//! format 5 has fewer states of attacked pieces: each new state begins as a copy of the old one,
//! and motifs begin with weights 0. Each new king bucket begins as a copy of an old one. Each
//! new neuron begins with small random weights of its inputs, and with outgoing weights 0, so that
//! it does not change the output until a training moves them (after Chen, Goodfellow and Shlens,
//! "Net2Net", 2016). The program has one shape, to which the file is widened.

use crate::format5;
use crate::train::{INITIAL_BIAS, INITIAL_WEIGHT};
use clap::Parser;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::io;
use std::path::PathBuf;
use tabiya::eval::{
    HIDDEN, Header, KING_BUCKETS, Network, PIECE_FEATURES, Parameters, QA, STATE_FEATURES,
};
use tabiya::tools::files::{named, read_bytes, refuse_standard, refuse_to_replace, write_whole};
use tabiya::tools::number;

/// Make a larger network with the same evaluations
///
/// Reads a network with fewer neurons or other king buckets than this program's, or of format 5,
/// and writes one of its shape that evaluates alike, for 'train --init'. New neurons have random
/// weights of their inputs and no effect yet.
#[derive(Debug, Clone, PartialEq, Parser)]
#[command(name = "widen")]
pub struct Settings {
    /// Output file.
    #[arg(long, value_name = "FILE.net")]
    pub out: PathBuf,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub force: bool,
    /// For each king bucket of this program, the number of the file's bucket that it copies, such
    /// as 0,0,1,1,2,2,3,3 [default: the same numbers]
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', num_args = 1)]
    pub king_buckets: Vec<usize>,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Network to widen.
    #[arg(value_name = "FILE.net")]
    pub net: PathBuf,
}

/// Widens a network and writes it.
///
/// # Errors
/// If a file cannot be read or written, or is not a network with fewer or as many neurons and with
/// the king buckets that the settings name.
pub fn run(settings: &Settings) -> io::Result<()> {
    refuse_standard(&settings.out, "--out")?;
    refuse_to_replace(&settings.out, &[&settings.net], settings.force)?;
    let bytes = read_bytes(&settings.net)?;
    let bytes = format5::converted(&bytes).unwrap_or(bytes);
    let (old, parameters) = Parameters::read(&bytes)
        .map_err(|error| invalid(error.to_string()))
        .map_err(named(&settings.net))?;
    if !(1..=HIDDEN).contains(&old.hidden) {
        let reason = format!("{} neurons, not 1 to {HIDDEN}", old.hidden);
        return Err(named(&settings.net)(invalid(reason)));
    }
    let sources = if settings.king_buckets.is_empty() {
        (0..KING_BUCKETS).collect()
    } else {
        settings.king_buckets.clone()
    };
    let king_buckets = old.king_buckets;
    if sources.len() != KING_BUCKETS || sources.iter().any(|&source| source >= king_buckets) {
        return Err(named(&settings.net)(invalid(format!(
            "the network has {king_buckets} king buckets and this program {KING_BUCKETS}: \
             --king-buckets needs {KING_BUCKETS} numbers from 0 to {}",
            king_buckets.saturating_sub(1)
        ))));
    }
    let provenance = json!({
        "widened": {
            "hidden": old.hidden,
            "king_buckets": sources,
            "seed": settings.seed,
        },
        "before": old.provenance,
    });
    let header = Header::new(old.scale, provenance);
    let parameters = widened(
        &old,
        parameters,
        &sources,
        &mut ChaCha8Rng::seed_from_u64(settings.seed),
    );
    let bytes = Network::to_bytes(&header, &parameters).map_err(io::Error::other)?;
    write_whole(&settings.out, &bytes)
}

fn invalid(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// The parameters of a network of this program's shape, from those of a network with this header;
/// `sources` are the king buckets that its own copy.
fn widened(
    header: &Header,
    parameters: Parameters,
    sources: &[usize],
    random: &mut ChaCha8Rng,
) -> Parameters {
    let new_neurons = HIDDEN - header.hidden;
    let inputs: Vec<_> = (parameters.input_weights)
        .chunks_exact(header.hidden)
        .collect();
    let (states, pieces) = inputs.split_at(STATE_FEATURES);
    let max = (INITIAL_WEIGHT * QA as f32) as i8;
    // One row of new weights for each input of a piece: the king buckets begin alike.
    let mut row = || -> Vec<i8> {
        (0..new_neurons)
            .map(|_| random.random_range(-max..=max))
            .collect()
    };
    let state_rows: Vec<_> = (0..STATE_FEATURES).map(|_| row()).collect();
    let piece_rows: Vec<_> = (0..PIECE_FEATURES).map(|_| row()).collect();
    let buckets = sources.iter().flat_map(|&source| {
        let pieces = &pieces[source * PIECE_FEATURES..][..PIECE_FEATURES];
        pieces.iter().zip(&piece_rows)
    });
    let input_weights = (states.iter().zip(&state_rows).chain(buckets))
        .flat_map(|(old, new)| old.iter().chain(new))
        .copied()
        .collect();
    // The first row of words are the biases, all others are outgoing weights.
    let bias = (INITIAL_BIAS * QA as f32) as i16;
    let new_words = std::iter::once(bias).chain(std::iter::repeat(0));
    let words = (parameters.words.chunks_exact(header.hidden).zip(new_words))
        .flat_map(|(old, new)| {
            old.iter()
                .copied()
                .chain(std::iter::repeat_n(new, new_neurons))
        })
        .collect();
    Parameters {
        input_weights,
        words,
        ..parameters
    }
}
