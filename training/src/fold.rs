//! `tabiya-train fold`: replaces layers that hardly react by their mean, so that they cost nothing.
//!
//! The layers of a bucket may die in training: their output is nearly the same in all positions.
//! Then its mean, added to the bias of the output, does the same work. The engine skips layers
//! whose output weights are zero.

use crate::bad_games::BadGames;
use clap::Parser;
use serde_json::json;
use std::io;
use std::path::PathBuf;
use tabiya::board::Position;
use tabiya::eval::{HIDDEN, Header, L2, Layers, Network, OUTPUT_BUCKETS, Parameters};
use tabiya::tools::files::{read_bytes, refuse_standard, refuse_to_replace, write_whole};
use tabiya::tools::net::{LayerActivity, layer_activity};
use tabiya::tools::number;
use tabiya::tools::progress::status;
use tabiya::tools::viriformat::{ScoredPosition, read_games};

/// Fold away the layers of a network that hardly react
///
/// Measures the layers of each bucket on positions of games. Where the standard deviation of their
/// output is below a limit, replaces them by their mean. A bucket with fewer than 1,000 positions
/// stays as it is. Prints the figures as JSON.
#[derive(Debug, Clone, PartialEq, Parser)]
#[command(name = "fold")]
pub struct Settings {
    /// Output file.
    #[arg(long, value_name = "FILE.net")]
    pub out: PathBuf,
    /// Replace the output file if it exists.
    #[arg(long)]
    pub force: bool,
    /// Network to fold.
    #[arg(long, value_name = "FILE.net")]
    pub net: PathBuf,
    /// Fold layers whose output has a smaller standard deviation.
    #[arg(long, value_name = "CP", default_value_t = 10.0, value_parser = number(0.0..=10_000.0_f64))]
    pub below: f64,
    /// Maximum number of positions to measure: the first quiet ones of the files.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = number(1..=10_000_000_usize))]
    pub positions: usize,
    /// Files of games in viriformat.
    #[arg(required = true, value_name = "GAMES.vf")]
    pub files: Vec<PathBuf>,
}

/// Minimum number of positions for folding a bucket: a few from one game may be too much alike.
const MIN_POSITIONS: usize = 1_000;

/// Folds a network and writes it. Returns the activity of each bucket's layers before.
///
/// # Errors
/// If a file cannot be read or written, or is not a network.
pub fn run(settings: &Settings) -> io::Result<[LayerActivity; OUTPUT_BUCKETS]> {
    refuse_standard(&settings.out, "--out")?;
    let inputs = settings.files.iter().chain([&settings.net]);
    let inputs: Vec<_> = inputs.map(PathBuf::as_path).collect();
    refuse_to_replace(&settings.out, &inputs, settings.force)?;
    let network = Network::load(&settings.net)?;
    let mut positions = Vec::new();
    for file in &settings.files {
        let missing = settings.positions - positions.len();
        if missing == 0 {
            break;
        }
        let mut bad = BadGames::default();
        positions.extend(quiet_positions(&read_bytes(file)?, &mut bad).take(missing));
        if let Some(line) = bad.line(file) {
            status(&line);
        }
    }
    if positions.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the files have no quiet positions",
        ));
    }
    let activity = layer_activity(&network, positions.iter().copied());
    write_whole(&settings.out, &fold(&network, &activity, settings.below)?)?;
    Ok(activity)
}

/// The quiet positions of games. Bad games are skipped and counted.
fn quiet_positions(bytes: &[u8], bad: &mut BadGames) -> impl Iterator<Item = Position> {
    let positions = read_games(bytes).filter_map(|(offset, game)| {
        let read = game.and_then(|game| game.positions());
        read.map_err(|error| bad.add(offset, error)).ok()
    });
    let quiet = positions.flatten().filter(ScoredPosition::is_quiet);
    quiet.map(|scored| scored.position)
}

/// The file of the network, with the layers of buckets below the limit folded away. Buckets with
/// too few positions stay.
fn fold(
    network: &Network,
    activity: &[LayerActivity; OUTPUT_BUCKETS],
    below: f64,
) -> io::Result<Vec<u8>> {
    let header = network.header();
    let mut parameters = network.parameters();
    let mut folded = Vec::new();
    for (bucket, activity) in activity.iter().enumerate() {
        if activity.positions >= MIN_POSITIONS && activity.spread < below {
            let mean = activity.mean / f64::from(header.scale);
            fold_bucket(&mut parameters, bucket, mean as f32);
            folded.push(bucket);
        }
    }
    let provenance = json!({
        "folded": {
            "from": format!("{:016x}", network.fingerprint()),
            "buckets": folded,
            "below": below,
            "activity": activity,
        },
        "before": header.provenance,
    });
    let header = Header::new(header.scale, provenance);
    Network::to_bytes(&header, &parameters).map_err(io::Error::other)
}

/// Clears the layers of a bucket and adds `mean` to the bias of the output.
fn fold_bucket(parameters: &mut Parameters, bucket: usize, mean: f32) {
    let output_weights = 2 * HIDDEN;
    let l2_weights = output_weights * L2;
    let begin = HIDDEN + bucket * (output_weights + l2_weights) + output_weights;
    parameters.words[begin..begin + l2_weights].fill(0);
    parameters.layers[bucket * Layers::PARAMETERS..][..Layers::PARAMETERS].fill(0.0);
    parameters.output_bias[bucket] += mean;
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::eval::{inspect, output, output_bucket};

    const FENS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqk2r/ppp2ppp/2n2n2/3pp3/8/2NP1NP1/PPP1PPBP/R1BQK2R w KQkq - 0 7",
        "8/5pk1/4p1p1/3r4/8/2R3P1/5P1P/6K1 w - - 0 40",
    ];

    #[test]
    fn a_folded_bucket_gives_its_direct_path_plus_the_mean() {
        let network = Network::embedded();
        let mean = 30.0;
        // Only the bucket of the first position is below the limit.
        let folded_bucket = output_bucket(32);
        let activity = std::array::from_fn(|bucket| LayerActivity {
            positions: 1_000,
            mean,
            spread: if bucket == folded_bucket { 1.0 } else { 50.0 },
            dead: [0; 2],
        });
        let bytes = fold(&network, &activity, 10.0).unwrap();
        let folded = Network::from_bytes(&bytes).unwrap();
        for fen in FENS {
            let position = Position::from_fen(fen).unwrap();
            let pieces = position.occupied().len() as usize;
            let before = inspect(&network, &position);
            let after = output(&folded, &position) as f32;
            if output_bucket(pieces) == folded_bucket {
                let expected = before.direct + mean as f32;
                assert!((after - expected).abs() < 2.0, "{fen}: {after}, {expected}");
                assert_eq!(inspect(&folded, &position).layers, 0.0);
            } else {
                assert_eq!(after as i32, output(&network, &position), "{fen}");
            }
        }
    }

    #[test]
    fn a_bucket_with_few_positions_is_not_folded() {
        let network = Network::embedded();
        let folded = |positions| {
            let activity = [LayerActivity {
                positions,
                mean: 30.0,
                ..LayerActivity::default()
            }; OUTPUT_BUCKETS];
            let bytes = fold(&network, &activity, 10.0).unwrap();
            Network::from_bytes(&bytes).unwrap().parameters() != network.parameters()
        };
        assert!(!folded(999));
        assert!(folded(1_000));
    }

    #[test]
    fn files_without_positions_fold_nothing() {
        let [games, out] = ["vf", "net"].map(|ending| {
            std::env::temp_dir().join(format!("no-positions-{}.{ending}", std::process::id()))
        });
        std::fs::write(&games, "").unwrap();
        let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/tabiya.net");
        let words = [
            "fold",
            "--net",
            net,
            "--out",
            out.to_str().unwrap(),
            games.to_str().unwrap(),
        ];
        let error = run(&Settings::try_parse_from(words).unwrap()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
        assert!(!out.exists());
        std::fs::remove_file(games).unwrap();
    }

    #[test]
    fn an_existing_file_is_not_replaced() {
        let file = std::env::temp_dir().join(format!("fold-{}.net", std::process::id()));
        std::fs::write(&file, "kept").unwrap();
        let name = file.to_str().unwrap();
        // The file itself, and the network that is folded.
        for words in [
            &["--out", name, "--net", "other.net"][..],
            &["--out", name, "--net", name, "--force"],
        ] {
            let all = ["fold"].iter().chain(words).chain(&["games.vf"]);
            let error = run(&Settings::try_parse_from(all).unwrap()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{error}");
        }
        assert_eq!(std::fs::read(&file).unwrap(), b"kept");
        std::fs::remove_file(file).unwrap();
    }
}
