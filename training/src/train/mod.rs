//! Trains a network on self-play games.
//!
//! All positions are read, filtered and kept in memory, 32 bytes each and a few more for their
//! order. One game in a hundred is held out for validation. The other positions are shuffled for
//! each epoch and passed through the network in batches; after each batch the optimiser takes a
//! step.
//!
//! Positions are shuffled in short *runs* of neighbours from one game. Neighbours share most
//! inputs, so their sums are computed once. Longer runs train faster, but a batch then sees fewer
//! games.

mod adamw;
mod checkpoint;
mod layers;
mod manifest;
mod model;
mod quantise;
mod revive;
mod sample;
mod samples;

use crate::targets::Targets;
use crate::wdl::Results;
use adamw::{AdamW, StepSize};
use checkpoint::Checkpoint;
use clap::Parser;
use model::{Loss, Model, Pass, WdlTable};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sample::Sample;
use samples::{Filter, Samples};
use serde_json::{Value, json};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tabiya::engine::WdlModel;
use tabiya::eval::{MAX_SCALE, Network, NetworkError, OUTPUT_BUCKETS, SCALE, output_bucket};
use tabiya::search::on_threads;
use tabiya::tools::files::{
    self, LockFile, read_bytes, refuse_standard, try_to_write, write_whole,
};
use tabiya::tools::net::mean_eval;
use tabiya::tools::number;
use tabiya::tools::progress::{Progress, status};

pub(crate) use manifest::manifest;
pub(crate) use model::{INITIAL_BIAS, INITIAL_WEIGHT};
pub use quantise::Error as QuantisationError;
pub use samples::Counts;

/// Train a network on self-play games
///
/// Trains a network on games made by 'tabiya datagen'. Writes NAME.net, which the option EvalFile
/// loads, and after each epoch NAME.checkpoint, from which --resume continues. Until the end,
/// NAME.lock keeps other trainings from these files. Counts and losses appear on standard error.
/// Losses can be compared only between trainings with the same games and targets.
#[derive(Debug, Clone, PartialEq, serde::Serialize, Parser)]
#[command(name = "train")]
pub struct Settings {
    /// Prefix of the output files.
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    pub out: PathBuf,
    /// Network or checkpoint to start from; if repeated, the mean of all [default: random weights]
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub init: Vec<PathBuf>,
    /// Continue from NAME.checkpoint.
    #[arg(long)]
    pub resume: bool,
    /// Overwrite NAME.net and NAME.checkpoint.
    #[arg(long)]
    #[serde(skip)]
    pub force: bool,
    /// Number of epochs, with those before --resume.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number(1..=100_000_u32))]
    pub epochs: u32,
    /// Batch size, in positions.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = number(1..=1_000_000_usize))]
    pub batch: usize,
    /// Neighbouring positions of a game kept together; more is faster, but a batch has fewer
    /// games.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number(1..=1_000_usize))]
    pub run: usize,
    /// Initial learning rate, which falls along a cosine.
    #[arg(long, value_name = "RATE", default_value_t = 1e-3, value_parser = number(0.0..=1.0_f32))]
    pub rate: f32,
    /// Final learning rate.
    #[arg(long, value_name = "RATE", default_value_t = 1e-5, value_parser = number(0.0..=1.0_f32))]
    pub last_rate: f32,
    /// Weight decay: each step multiplies every weight and bias by 1 - X * the learning rate.
    #[arg(long, value_name = "X", default_value_t = 0.3, value_parser = number(0.0..=10.0_f32))]
    pub weight_decay: f32,
    /// Train only the layers behind the accumulators, and leave the weights of the inputs as they
    /// are. These layers have so few weights that a few million positions do not teach them by
    /// heart.
    #[arg(long)]
    pub layers_only: bool,
    /// Exponent of the loss: |error of the expected score| to this power.
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = number(1.0..=4.0_f32))]
    pub exponent: f32,
    /// Weight of positions with two pieces; it rises evenly to 1 with 16 pieces. Searches evaluate
    /// few positions with few pieces, and games have many.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = number(0.0..=1.0_f32))]
    pub few_pieces_weight: f32,
    #[command(flatten)]
    filter: Filter,
    // Networks of older versions call it `labels` in their headers.
    #[serde(rename = "labels")]
    #[command(flatten)]
    targets: Targets,
    /// Scale of the score sigmoid: this many centipawns mean an expected score of 0.73.
    #[arg(long, value_name = "CP", default_value_t = 180.0, value_parser = number(10.0..=10_000.0_f64))]
    pub score_scale: f64,
    /// Fit the meaning of scores to the results of the games instead, as 'tabiya-train wdl' does.
    #[arg(long, conflicts_with = "score_scale")]
    pub fit_scores: bool,
    /// Scale the network to this mean |evaluation|, as 'tabiya net' prints it; the search is tuned
    /// to it.
    #[arg(long, value_name = "CP", value_parser = number(10.0..=1_000.0_f64))]
    pub mean_eval: Option<f64>,
    /// Number of threads. The weights depend on it a little, because each thread has its own sums.
    /// Each takes memory for a gradient, four bytes for each weight.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_usize))]
    pub threads: usize,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Files of games in viriformat.
    #[arg(required = true, value_name = "GAMES.vf")]
    pub files: Vec<PathBuf>,
}

/// Result of training. Networks of older versions use the serialised names in their headers.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Outcome {
    /// What was read from the files.
    pub counts: Counts,
    /// Meaning of scores and of the network's output.
    pub score_model: WdlModel,
    /// Number of training positions.
    pub training: usize,
    /// Number of validation positions.
    #[serde(rename = "held_out")]
    pub validation: usize,
    /// Mean loss over the last epoch. The loss is the error of the expected score, to the power of
    /// the exponent and with the weight of its number of pieces.
    pub training_loss: f64,
    /// Mean squared error over the validation positions, whatever the loss in training is.
    #[serde(rename = "held_out_loss")]
    pub validation_loss: f64,
    /// The same for each output bucket; `None` for buckets without positions.
    #[serde(rename = "held_out_loss_by_pieces")]
    pub validation_loss_by_pieces: [Option<f64>; OUTPUT_BUCKETS],
    /// Error of quantisation, on validation positions or, without them, on training positions.
    pub quantisation: QuantisationError,
}

/// Quantisation errors above this get a warning, in centipawns.
const QUANTISATION_LIMIT: QuantisationError = QuantisationError {
    mean: 5.0,
    max: 25.0,
};
/// Maximum number of positions for measuring the quantisation error.
const QUANTISATION_POSITIONS: usize = 50_000;

/// Trains a network and writes it. Reports counts and losses on standard error.
///
/// # Errors
/// If a file cannot be read or written, or the files have no training positions.
pub fn run(settings: &Settings) -> io::Result<Outcome> {
    refuse_standard(&settings.out, "--out")?;
    let output = OutputFiles::check(settings)?;
    let (mut checkpoint, before) = initial_checkpoint(settings, &output.checkpoint)?;
    let score_model = settings.score_model()?;
    let samples = read_samples(settings, &score_model)?;
    // Before the long work, so that a manifest that is missing can still be put there.
    checkpoint.provenance = manifest::provenance(settings, before);
    let mut trainer = Trainer::new(settings, &samples, &score_model, checkpoint);
    let training_loss = trainer.run_epochs(&output.checkpoint)?;
    let (validation_loss, validation_loss_by_pieces) = trainer.validate();
    let (scale, quantisation) = trainer.measure()?;
    let outcome = Outcome {
        counts: samples.counts,
        score_model,
        training: samples.training.len(),
        validation: samples.validation.len(),
        training_loss,
        validation_loss,
        validation_loss_by_pieces,
        quantisation,
    };
    trainer.write(scale, &outcome, &output.network)?;
    Ok(outcome)
}

/// The files that training writes.
struct OutputFiles {
    network: PathBuf,
    checkpoint: PathBuf,
    /// Keeps other trainings from these files until the end.
    _lock: LockFile,
}

impl OutputFiles {
    /// Checks before the long work that the files can be written.
    ///
    /// # Errors
    /// If a file cannot be written, exists and may not be overwritten, or is of a training that
    /// runs.
    fn check(settings: &Settings) -> io::Result<Self> {
        let name = |extension| settings.out.with_added_extension(extension);
        let files = Self {
            _lock: LockFile::create(&name("lock"))?,
            network: name("net"),
            checkpoint: name("checkpoint"),
        };
        for file in [&files.network, &files.checkpoint] {
            if file.exists() && !settings.resume && !settings.force {
                let (name, hint) = (
                    file.display(),
                    "use --resume to continue or --force to overwrite",
                );
                let reason = format!("{name} exists: {hint}");
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
            }
            try_to_write(file)?;
        }
        Ok(files)
    }
}

/// Reads the training and validation positions of all files.
fn read_samples(settings: &Settings, score_model: &WdlModel) -> io::Result<Samples> {
    let samples = Samples::read(settings, score_model)?;
    status(&samples.counts.to_string());
    if samples.training.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "no training positions in these files",
        ));
    }
    Ok(samples)
}

/// A network in training.
struct Trainer<'a> {
    settings: &'a Settings,
    samples: &'a Samples,
    wdl: WdlTable,
    /// One per thread.
    passes: Vec<Pass>,
    checkpoint: Checkpoint,
}

impl<'a> Trainer<'a> {
    fn new(
        settings: &'a Settings,
        samples: &'a Samples,
        score_model: &WdlModel,
        checkpoint: Checkpoint,
    ) -> Self {
        let wdl = WdlTable::new(score_model);
        Self {
            settings,
            samples,
            passes: (0..settings.threads)
                .map(|_| Pass::new(wdl.clone(), settings.loss(), settings.layers_only))
                .collect(),
            wdl,
            checkpoint,
        }
    }

    /// Runs the epochs that the checkpoint has not finished, and saves a checkpoint after each.
    ///
    /// Returns the mean loss of the last epoch, or NaN (`null` in JSON) if there was none left to
    /// run.
    fn run_epochs(&mut self, checkpoint_file: &Path) -> io::Result<f64> {
        let (samples, settings) = (self.samples, self.settings);
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        let mut runs = runs(&samples.games, samples.training.len(), settings.run);
        let mut training_loss = f64::NAN;
        for epoch in 0..settings.epochs {
            // Finished epochs are shuffled too, so that a resumed training sees the same order.
            runs.shuffle(&mut random);
            if epoch < self.checkpoint.epochs {
                continue;
            }
            training_loss = self.run_epoch(epoch, &runs)?;
            if !training_loss.is_finite() {
                // The checkpoint of the epoch before stays.
                let reason = "the training has diverged, its loss is not finite: lower --rate";
                return Err(io::Error::other(reason));
            }
            self.checkpoint.epochs = epoch + 1;
            self.checkpoint.save(checkpoint_file)?;
            let (validation_loss, by_pieces) = self.validate();
            // Small sets of games may have none to hold out.
            let of_held_out = Some(validation_loss).filter(|loss| loss.is_finite());
            let text = |loss: Option<f64>, digits| {
                loss.map_or("-".to_owned(), |loss| format!("{loss:.digits$}"))
            };
            status(&format!(
                "epoch {}: training loss {training_loss:.6}, validation loss {}, from few pieces \
                 to many {}",
                epoch + 1,
                text(of_held_out, 6),
                by_pieces.map(|loss| text(loss, 4)).join(" ")
            ));
        }
        Ok(training_loss)
    }

    /// Passes the runs once through the network, in batches. Returns the mean loss.
    fn run_epoch(&mut self, epoch: u32, runs: &[Range<usize>]) -> io::Result<f64> {
        let (training, settings) = (&self.samples.training, self.settings);
        let progress = Progress::new("positions", Some(training.len() as u64))
            .with_title(format!("epoch {}: ", epoch + 1));
        let mut batch = Vec::with_capacity(settings.batch + settings.run);
        let (mut sum, mut seen) = (0.0, 0);
        let mut runs = runs.iter();
        while seen < training.len() {
            batch.clear();
            while batch.len() < settings.batch
                && let Some(run) = runs.next()
            {
                batch.extend_from_slice(&training[run.clone()]);
            }
            let done = f64::from(epoch) + seen as f64 / training.len() as f64;
            let learning_rate = settings.learning_rate(done / f64::from(settings.epochs));
            sum += self.train_batch(&batch, learning_rate)?;
            seen += batch.len();
            let loss = format!("loss {:.6}", sum / seen as f64);
            progress.advance(batch.len() as u64, &loss);
        }
        progress.clear();
        Ok(sum / training.len() as f64)
    }

    /// Computes the gradient of a batch on all threads and takes one step of the optimiser, unless
    /// the learning rate is always 0. Returns the sum of the losses.
    fn train_batch(&mut self, batch: &[Sample], learning_rate: f32) -> io::Result<f64> {
        let model = &self.checkpoint.model;
        let share = batch.len().div_ceil(self.passes.len());
        let parts = self.passes.iter_mut().zip(batch.chunks(share));
        let losses = on_threads(parts, |(pass, part)| pass.add_gradient(model, part))?;
        let loss = losses.into_iter().sum();
        if self.settings.keeps_weights() {
            return Ok(loss);
        }
        let passes = self.passes.iter_mut();
        let mut gradients: Vec<_> = passes.map(|pass| &mut pass.gradient).collect();
        let Checkpoint {
            model, optimiser, ..
        } = &mut self.checkpoint;
        let size = StepSize {
            learning_rate,
            weight_decay: self.settings.weight_decay,
            layers_only: self.settings.layers_only,
        };
        optimiser.step(model, &mut gradients, batch.len(), size)?;
        Ok(loss)
    }

    /// The mean loss over the validation positions, and the same for each output bucket.
    fn validate(&mut self) -> (f64, [Option<f64>; OUTPUT_BUCKETS]) {
        let mut sums = [(0.0, 0_u64); OUTPUT_BUCKETS];
        let (model, wdl) = (&self.checkpoint.model, &self.wdl);
        self.passes[0].outputs(model, &self.samples.validation, |sample, output| {
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

    /// Returns the scale of the network file, and the error that quantisation with it makes.
    fn measure(&mut self) -> io::Result<(i32, QuantisationError)> {
        let model = &self.checkpoint.model;
        // The error is part of the header. So it is measured with the same weights and an empty
        // header.
        let quantised = |scale| {
            let bytes = quantise::quantise(model, scale, Value::Null)?;
            Network::from_bytes(&bytes).map_err(io::Error::other)
        };
        let (mut scale, mut network) = (SCALE, quantised(SCALE)?);
        if let Some(mean) = self.settings.mean_eval {
            let wanted = (f64::from(SCALE) * mean / mean_eval(&network)).round() as i32;
            scale = wanted.clamp(1, MAX_SCALE);
            if scale != wanted {
                // It learned too little; it is written all the same.
                status(&format!(
                    "warning: --mean-eval {mean} needs a scale of {wanted} centipawns, and {scale} is the limit"
                ));
            }
            network = quantised(scale)?;
        }
        let Samples {
            training,
            validation,
            ..
        } = self.samples;
        // Few games may leave no validation positions, and the error needs no unseen ones.
        let positions = if validation.is_empty() {
            training
        } else {
            validation
        };
        let sample = &positions[..positions.len().min(QUANTISATION_POSITIONS)];
        let error = quantise::error(model, scale, &network, &mut self.passes[0], sample);
        let QuantisationError { mean, max } = error;
        if mean > QUANTISATION_LIMIT.mean || max > QUANTISATION_LIMIT.max {
            status(&format!(
                "warning: large quantisation error: {mean:.1} centipawns on average (limit {}), \
                 {max:.1} in the worst position (limit {})",
                QUANTISATION_LIMIT.mean, QUANTISATION_LIMIT.max
            ));
        }
        Ok((scale, error))
    }

    /// Quantises the network and writes the file.
    fn write(&self, scale: i32, outcome: &Outcome, file: &Path) -> io::Result<()> {
        let mut provenance = self.checkpoint.provenance.clone();
        provenance["outcome"] = json!(outcome);
        let model = &self.checkpoint.model;
        write_whole(file, &quantise::quantise(model, scale, provenance)?)
    }
}

impl Settings {
    const fn loss(&self) -> Loss {
        Loss {
            exponent: self.exponent,
            few_pieces_weight: self.few_pieces_weight,
        }
    }

    /// Whether the weights stay as they are. A step would still confine them to the limits of the
    /// optimiser, which a network of another scale may exceed.
    const fn keeps_weights(&self) -> bool {
        self.rate == 0.0 && self.last_rate == 0.0
    }

    /// The meaning of scores: fitted to the games, or a sigmoid.
    fn score_model(&self) -> io::Result<WdlModel> {
        if !self.fit_scores {
            return Ok(WdlModel::logistic(self.score_scale));
        }
        let mut results = Results::new();
        // `Samples::read` reports what is bad in these files.
        results.read(&self.files, &mut |_| ())?;
        let model = results.fit()?;
        status(&format!(
            "half of the games are won at {:.0} to {:.0} cp, spread {:.0} to {:.0} cp, from few pieces to many ({} games)",
            model.half[0], model.half[1], model.spread[0], model.spread[1], results.games
        ));
        Ok(model)
    }

    /// The learning rate when the fraction `done` of training is done: cosine annealing.
    fn learning_rate(&self, done: f64) -> f32 {
        let cosine = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
        self.last_rate + (self.rate - self.last_rate) * cosine as f32
    }
}

/// Cuts the samples into runs of `length` neighbours, or fewer at the end of a game.
///
/// `games` has the index of each game's first sample; `samples` is the number of samples.
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

/// The checkpoint to continue from, or a new one with initial weights; and the origins of these
/// weights, for [`manifest::provenance`].
fn initial_checkpoint(
    settings: &Settings,
    checkpoint_file: &Path,
) -> io::Result<(Checkpoint, Vec<Value>)> {
    if settings.resume {
        let checkpoint = Checkpoint::load(checkpoint_file)?;
        let finished = checkpoint.epochs;
        if settings.epochs < finished {
            let name = checkpoint_file.display();
            let reason = format!(
                "{name} has finished {finished} epochs: --epochs must be at least {finished}"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        if settings.epochs == finished {
            status(&format!(
                "all {finished} epochs are finished; only the network is written"
            ));
        }
        report_changes(settings, &checkpoint.provenance["training"]);
        let origin = checkpoint.origin();
        return Ok((checkpoint, vec![origin]));
    }
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let (model, before) = match &*settings.init {
        [] => (Model::random(&mut random), Vec::new()),
        files => {
            let (mut model, before) = mean_model(files)?;
            if !settings.keeps_weights() && !settings.layers_only {
                match model.revive(&mut random) {
                    0 => {}
                    count => status(&format!(
                        "neurons without weights, which begin anew: {count}"
                    )),
                }
            }
            (model, before)
        }
    };
    let checkpoint = Checkpoint {
        model,
        optimiser: AdamW::new(),
        epochs: 0,
        provenance: Value::Null,
    };
    Ok((checkpoint, before))
}

/// Reports options that differ from those with which the checkpoint was trained: one may have been
/// forgotten.
fn report_changes(settings: &Settings, before: &Value) {
    let now = json!(settings);
    for (name, value) in now.as_object().into_iter().flatten() {
        let may_change = ["init", "resume", "threads", "epochs"].contains(&name.as_str());
        // An older version may have had no such option.
        if let Some(old) = before.get(name)
            && !may_change
            && old != value
        {
            status(&format!("--resume: {name} is {value} now, and was {old}"));
        }
    }
}

/// The mean of the weights of several networks or checkpoints ("model soup"; Wortsman and others,
/// 2022), and their origins. Useful only for networks trained on from the same weights.
fn mean_model(files: &[PathBuf]) -> io::Result<(Model, Vec<Value>)> {
    let share = 1.0 / files.len() as f32;
    let mut mean = Model::zero();
    let mut origins = Vec::new();
    for file in files {
        let (model, origin) = load_model(file)?;
        for (sum, weight) in mean.0.iter_mut().zip(model.0) {
            *sum += weight * share;
        }
        origins.push(origin);
    }
    Ok((mean, origins))
}

/// The weights and the origin of a network or a checkpoint.
fn load_model(file: &Path) -> io::Result<(Model, Value)> {
    let bytes = read_bytes(file)?;
    match Network::from_bytes(&bytes) {
        Ok(network) => {
            let fingerprint = format!("{:016x}", network.fingerprint());
            let provenance = &network.header().provenance;
            let origin = json!({ "network": fingerprint, "provenance": provenance });
            Ok((quantise::dequantise(&network), origin))
        }
        Err(NetworkError::NoHeader) if Checkpoint::is_checkpoint(&bytes) => {
            let checkpoint = Checkpoint::from_bytes(&bytes, file)?;
            let origin = checkpoint.origin();
            Ok((checkpoint.model, origin))
        }
        Err(NetworkError::NoHeader) => Err(files::named(file)(io::Error::new(
            io::ErrorKind::InvalidData,
            "neither a Tabiya network nor a checkpoint",
        ))),
        Err(error) => Err(files::named(file)(io::Error::new(
            io::ErrorKind::InvalidData,
            error,
        ))),
    }
}
