//! How a network learns from games.
//!
//! All positions are read, filtered and held in memory, 32 bytes each. Those of one game in a hundred are held out, to
//! measure what was learned on what was never seen. The others pass by in random order, epoch after epoch, in batches;
//! after each batch the weights change a little. A few neighbours of a game stay together, since what they have in common
//! need be summed only once.

mod adamw;
mod checkpoint;
mod labels;
mod layers;
mod model;
mod quantise;
mod read;
mod sample;
mod scale;

use crate::engine::{WdlModel, refuse_special};
use crate::eval::{Network, NetworkError, OUTPUT_BUCKETS, SCALE, output_bucket};
use crate::tools::files::{self, read_bytes, try_to_write, write_whole};
use crate::tools::number;
use crate::tools::progress::{Progress, tell};
use crate::tools::wdl::Results;
use adamw::AdamW;
use checkpoint::Checkpoint;
use clap::Parser;
use model::{Model, Pass, WdlTable};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use read::{Filter, Samples};
use sample::Sample;
use serde_json::{Value, json};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io, thread};

pub(in crate::tools) use labels::Labels;
pub use quantise::Error as QuantisationError;
pub use read::Counts;
pub use scale::mean_eval;

/// Train a network on self-play games
///
/// Learns a network from files of games that datagen has made. Writes NAME.net, which EvalFile loads, and after each
/// epoch NAME.checkpoint, from which training can go on. What it finds in the files and how well it learns is told as
/// it goes.
#[derive(Debug, Clone, PartialEq, serde::Serialize, Parser)]
#[command(name = "train")]
pub struct Settings {
    /// What the names of the files begin with that are written.
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    pub out: PathBuf,
    /// A network or a checkpoint whose weights are the first, of several their mean; without it they are random.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub init: Vec<PathBuf>,
    /// Go on from the checkpoint of the same name.
    #[arg(long)]
    #[serde(skip)]
    pub resume: bool,
    /// Write over a network and a checkpoint of the same name.
    #[arg(long)]
    #[serde(skip)]
    pub force: bool,
    /// How often all positions are seen.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number(1..=100_000_u32))]
    pub epochs: u32,
    /// Positions between two changes of the weights.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = number(1..=1_000_000_usize))]
    pub batch: usize,
    /// So many neighbours of a game are seen together: faster, but a batch is of fewer games.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number(1..=1_000_usize))]
    pub run: usize,
    /// The learning rate at the start; it falls along a cosine.
    #[arg(long, value_name = "X", default_value_t = 1e-3, value_parser = number(0.0..=1.0_f32))]
    pub rate: f32,
    /// The learning rate at the end.
    #[arg(long, value_name = "X", default_value_t = 1e-5, value_parser = number(0.0..=1.0_f32))]
    pub last_rate: f32,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    labels: Labels,
    /// So many centipawns promise 0.73 of a point, when scores become expected points to be averaged and compared.
    #[arg(long, value_name = "N", default_value_t = SCALE.into(), value_parser = number(10.0..=10_000.0_f64))]
    pub score_scale: f64,
    /// What scores promise is fitted to how the games ended.
    #[arg(long, conflicts_with = "score_scale")]
    pub fit_scores: bool,
    /// The mean |evaluation| in centipawns that the network is scaled to, as 'tabiya net' tells it: what the search is
    /// tuned to.
    #[arg(long, value_name = "N", value_parser = number(10.0..=1_000.0_f64))]
    pub mean_eval: Option<f64>,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_usize))]
    #[serde(skip)]
    pub threads: usize,
    /// What all that is random follows from.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// The games to learn from.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// What training came to.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Outcome {
    /// What was read.
    pub counts: Counts,
    /// What scores, and the network's output, were taken to mean.
    pub score_model: WdlModel,
    /// Positions learned from.
    pub training: usize,
    /// Positions held out.
    pub held_out: usize,
    /// The mean loss over the last epoch: the squared distance to the target, a share of a point.
    pub training_loss: f64,
    /// The mean loss over the positions held out.
    pub held_out_loss: f64,
    /// The same for each bucket of pieces on the board; `None` where there are none.
    pub held_out_loss_by_pieces: [Option<f64>; OUTPUT_BUCKETS],
    /// What is lost by quantisation.
    pub quantisation: QuantisationError,
}

/// More than this should not be lost by rounding, in centipawns.
const ROUNDING: QuantisationError = QuantisationError {
    mean: 5.0,
    max: 25.0,
};
/// Over so many positions held out, the loss by rounding is measured.
const QUANTISATION_POSITIONS: usize = 50_000;

/// Trains a network and writes it; tells how it goes on standard error.
///
/// # Errors
/// If a file cannot be read or written, or there is nothing to learn.
pub fn run(settings: &Settings) -> io::Result<Outcome> {
    let network_file = settings.out.with_added_extension("net");
    let checkpoint_file = settings.out.with_added_extension("checkpoint");
    for file in [&network_file, &checkpoint_file] {
        if file.exists() && !settings.resume && !settings.force {
            let (name, hint) = (file.display(), "--resume goes on, --force writes over it");
            let reason = format!("{name} is there already: {hint}");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        // Better now than after the last epoch.
        try_to_write(file)?;
    }
    let mut checkpoint = begin(settings, &checkpoint_file)?;
    let score_model = settings.score_model()?;
    let mut samples = Samples::default();
    for file in &settings.files {
        samples.read(
            file,
            &settings.filter,
            settings.labels,
            &score_model,
            &mut tell,
        )?;
    }
    tell(&samples.counts.to_string());
    let Samples {
        training,
        games,
        held_out,
        counts,
    } = samples;
    if training.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "there is nothing to learn in these files",
        ));
    }

    let wdl = WdlTable::new(&score_model);
    let mut passes: Vec<_> = (0..settings.threads)
        .map(|_| Pass::new(wdl.clone()))
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut runs = runs(&games, training.len(), settings.run);
    let mut batch = Vec::with_capacity(settings.batch + settings.run);
    // Not a number, and so null in the file, where nothing is learned any more.
    let mut training_loss = f64::NAN;
    let mut measured = None;
    for epoch in 0..settings.epochs {
        runs.shuffle(&mut random);
        if epoch < checkpoint.epochs {
            continue;
        }
        let template = format!(
            "epoch {} {{bar:24}} {{human_pos}}/{{human_len}} positions, {{per_sec}}, {{msg}}, {{eta}} left",
            epoch + 1
        );
        let progress = Progress::new(training.len() as u64, &template);
        let (mut sum, mut seen) = (0.0, 0);
        let mut left = runs.iter();
        while seen < training.len() {
            batch.clear();
            while batch.len() < settings.batch
                && let Some(run) = left.next()
            {
                batch.extend_from_slice(&training[run.clone()]);
            }
            let done = f64::from(epoch) + seen as f64 / training.len() as f64;
            let rate = settings.rate_at(done / f64::from(settings.epochs));
            sum += learn(&mut checkpoint, &mut passes, &batch, rate);
            seen += batch.len();
            let loss = format!("loss {:.6}", sum / seen as f64);
            progress.advance(batch.len() as u64, "positions", loss);
        }
        progress.clear();
        training_loss = sum / training.len() as f64;
        checkpoint.epochs = epoch + 1;
        checkpoint.save(&checkpoint_file)?;
        let (held_out_loss, by_pieces) =
            *measured.insert(measure(&checkpoint.model, &wdl, &mut passes, &held_out));
        let by_pieces =
            by_pieces.map(|loss| loss.map_or("-".to_owned(), |loss| format!("{loss:.4}")));
        tell(&format!(
            "epoch {}: loss {training_loss:.6}, held out {held_out_loss:.6}, from few pieces to many {}",
            epoch + 1,
            by_pieces.join(" ")
        ));
    }

    // All epochs may have been done before.
    let (held_out_loss, held_out_loss_by_pieces) =
        measured.unwrap_or_else(|| measure(&checkpoint.model, &wdl, &mut passes, &held_out));
    let mut outcome = Outcome {
        counts,
        score_model,
        training: training.len(),
        held_out: held_out.len(),
        training_loss,
        held_out_loss,
        held_out_loss_by_pieces,
        quantisation: QuantisationError {
            mean: 0.0,
            max: 0.0,
        },
    };
    // Rounding is measured with the very file that is written, so the file cannot say how large its own error is…
    let bytes = quantise::quantise(&checkpoint.model, SCALE, Value::Null)?;
    let mut network = Network::from_bytes(&bytes).map_err(io::Error::other)?;
    let mut scale = SCALE;
    if let Some(mean) = settings.mean_eval {
        scale = (f64::from(SCALE) * mean / mean_eval(&network)).round() as i32;
        let bytes = quantise::quantise(&checkpoint.model, scale, Value::Null)?;
        network = Network::from_bytes(&bytes).map_err(io::Error::other)?;
    }
    let sample = &held_out[..held_out.len().min(QUANTISATION_POSITIONS)];
    let (model, pass) = (&checkpoint.model, &mut passes[0]);
    outcome.quantisation = quantise::error(model, scale, &network, pass, sample);
    let QuantisationError { mean, max } = outcome.quantisation;
    if mean > ROUNDING.mean || max > ROUNDING.max {
        tell(&format!(
            "rounding costs {mean:.1} centipawns on average and {max:.1} at worst, which is much"
        ));
    }
    // … but one with the same weights can.
    let bytes = quantise::quantise(&checkpoint.model, scale, provenance(settings, &outcome))?;
    write_whole(&network_file, &bytes)?;
    Ok(outcome)
}

impl Settings {
    /// What scores mean.
    fn score_model(&self) -> io::Result<WdlModel> {
        if self.fit_scores {
            let mut results = Results::new();
            results.read(&self.files)?;
            let model = results.fit();
            tell(&format!(
                "every other game is won with {:.0} to {:.0} cp, spread {:.0} to {:.0} cp, from few pieces to many ({} games)",
                model.half[0], model.half[1], model.spread[0], model.spread[1], results.games
            ));
            return Ok(model);
        }
        Ok(WdlModel::logistic(self.score_scale))
    }

    /// The learning rate when this share of training is done.
    fn rate_at(&self, done: f64) -> f32 {
        let fall = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
        self.last_rate + (self.rate - self.last_rate) * fall as f32
    }
}

/// The samples of games cut into pieces of so many neighbours, or fewer at the end of a game.
fn runs(games: &[usize], samples: usize, length: usize) -> Vec<Range<usize>> {
    let ends = games.iter().skip(1).chain([&samples]);
    games
        .iter()
        .zip(ends)
        .flat_map(|(&begin, &end)| {
            (begin..end)
                .step_by(length)
                .map(move |first| first..end.min(first + length))
        })
        .collect()
}

/// The weights to begin with.
fn begin(settings: &Settings, checkpoint_file: &Path) -> io::Result<Checkpoint> {
    if settings.resume {
        return Checkpoint::load(checkpoint_file);
    }
    let model = match &*settings.init {
        [] => Model::random(&mut ChaCha8Rng::seed_from_u64(settings.seed)),
        files => mean_model(files)?,
    };
    Ok(Checkpoint {
        model,
        optimiser: AdamW::new(),
        epochs: 0,
    })
}

/// The mean of the weights of several networks or checkpoints, which have something in common only if all learned on from the same
/// weights ("model soup"; Wortsman and others, 2022).
fn mean_model(files: &[PathBuf]) -> io::Result<Model> {
    let share = 1.0 / files.len() as f32;
    let mut mean = Model::zero();
    for file in files {
        for (sum, weight) in mean.0.iter_mut().zip(load_model(file)?.0) {
            *sum += weight * share;
        }
    }
    Ok(mean)
}

/// The weights of a network, or of a checkpoint: of a network that is shipped nothing else may be left.
fn load_model(file: &Path) -> io::Result<Model> {
    let refused = |reason| files::named(file)(io::Error::new(io::ErrorKind::InvalidInput, reason));
    refuse_special(file).map_err(refused)?;
    let bytes = read_bytes(file)?;
    match Network::from_bytes(&bytes) {
        Ok(network) => Ok(quantise::dequantise(&network)),
        Err(NetworkError::NoHeader) => Ok(Checkpoint::load(file)?.model),
        Err(error) => Err(files::named(file)(io::Error::new(
            io::ErrorKind::InvalidData,
            error,
        ))),
    }
}

/// Learns from one batch, shared among the threads; returns the sum of the losses.
fn learn(checkpoint: &mut Checkpoint, passes: &mut [Pass], batch: &[Sample], rate: f32) -> f64 {
    let model = &checkpoint.model;
    let share = batch.len().div_ceil(passes.len());
    let loss = thread::scope(|scope| {
        let workers: Vec<_> = passes
            .iter_mut()
            .zip(batch.chunks(share))
            .map(|(pass, part)| scope.spawn(move || pass.learn(model, part)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a pass does not panic"))
            .sum()
    });
    let mut gradients: Vec<_> = passes.iter_mut().map(|pass| &mut pass.gradient).collect();
    checkpoint
        .optimiser
        .step(&mut checkpoint.model, &mut gradients, batch.len(), rate);
    loss
}

/// The mean loss over samples, and the same for each bucket of pieces on the board.
fn measure(
    model: &Model,
    wdl: &WdlTable,
    passes: &mut [Pass],
    samples: &[Sample],
) -> (f64, [Option<f64>; OUTPUT_BUCKETS]) {
    let mut sums = [(0.0, 0_u64); OUTPUT_BUCKETS];
    passes[0].outputs(model, samples, |sample, output| {
        let error = wdl.expected(output, sample.piece_count()).0 - sample.target;
        let (sum, count) = &mut sums[output_bucket(sample.piece_count())];
        *sum += f64::from(error * error);
        *count += 1;
    });
    let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
    let (sum, count) = sums.iter().fold((0.0, 0), |(sum, count), bucket| {
        (sum + bucket.0, count + bucket.1)
    });
    (
        mean(sum, count).unwrap_or(f64::NAN),
        sums.map(|(sum, count)| mean(sum, count)),
    )
}

/// What the file says of how it was made: the settings, the outcome, and the manifests of the games.
fn provenance(settings: &Settings, outcome: &Outcome) -> Value {
    let manifest = |file: &PathBuf| -> Option<Vec<Value>> {
        // NAME-3.vf was made as NAME.jsonl says.
        let stem = file.file_stem()?.to_str()?;
        let (name, _) = stem.rsplit_once('-')?;
        let text = fs::read_to_string(file.with_file_name(format!("{name}.jsonl"))).ok()?;
        text.lines()
            .map(|line| serde_json::from_str(line).ok())
            .collect()
    };
    let games: Vec<_> = settings.files.iter().filter_map(manifest).collect();
    json!({
        "engine": env!("CARGO_PKG_VERSION"),
        "training": settings,
        "outcome": outcome,
        "games": games,
    })
}
