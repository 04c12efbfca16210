//! The command line of `tabiya train`.

use super::Settings;
use super::labels::Labels;
use super::read::Filter;
use crate::eval::SCALE;
use crate::tools::arguments::{ArgumentError, number, path, rest};
use pico_args::Arguments;
use std::ffi::OsString;
use std::path::PathBuf;

/// What the command takes.
pub const HELP: &str = "\
Usage: tabiya train --out NAME [OPTIONS] FILE...

Learns a network from files of games that datagen has made. Writes NAME.net, which EvalFile loads, and after each epoch
NAME.checkpoint, from which training can go on. What it finds in the files and how well it learns is told as it goes.

  --out NAME            what the names of the files begin with
  --init FILE           begin with the weights of this network or checkpoint, not with
                        random ones
  --resume              go on from NAME.checkpoint
  --epochs N            how often all positions are seen                            [8]
  --batch N             positions between two changes of the weights             [4096]
  --run N               so many neighbours of a game are seen together: faster, but a
                        batch is of fewer games                                   [8]
  --rate X              learning rate at the start; it falls along a cosine     [0.001]
  --last-rate X         learning rate at the end                              [0.00001]
  --lambda X            how much what comes later in the game counts beside the
                        position's own score: each half-move on counts by this
                        factor less                                             [0.8]
  --wdl X               how much the outcome of the game counts beside that       [0]
  --score-scale N       so many centipawns promise 0.73 of a point, when scores become
                        expected points to be averaged and compared             [400]
  --fit-scores          what scores promise is fitted to how the games ended
  --mean-eval N         scale the output so that the mean |evaluation| that 'tabiya net'
                        tells is so many centipawns: what the search is tuned to
  --skip-plies N        leave out so many half-moves at the start of each game      [2]
  --max-score N         leave out scores beyond so many centipawns               [3000]
  --threads N           threads                                                     [1]
  --seed N              what all that is random follows from                        [1]
";

/// Reads the arguments that follow `train`.
///
/// # Errors
/// If one is missing, unknown or out of range.
///
/// ```
/// use tabiya::tools::train;
/// let settings = train::parse(["--out", "net", "games-0.vf"].map(Into::into).to_vec()).unwrap();
/// assert_eq!((settings.epochs, settings.batch), (8, 4096));
/// let error = train::parse(["--out", "net"].map(Into::into).to_vec()).unwrap_err();
/// assert_eq!(error.to_string(), "there is no file to learn from; try 'tabiya train --help'");
/// ```
pub fn parse(arguments: Vec<OsString>) -> Result<Settings, ArgumentError> {
    let command = "train";
    let fail = |reason: &str| ArgumentError::new(command, reason);
    let mut words = Arguments::from_vec(arguments);
    let arguments = &mut words;
    let out = path(command, arguments, "--out")?.ok_or_else(|| fail("--out is missing"))?;
    let init = path(command, arguments, "--init")?;
    let resume = arguments.contains("--resume");
    let fit_scores = arguments.contains("--fit-scores");
    let score_scale = number(command, arguments, "--score-scale", 10.0..=10_000.0)?;
    if fit_scores && score_scale.is_some() {
        return Err(fail("--score-scale and --fit-scores exclude each other"));
    }
    let settings = Settings {
        out,
        epochs: number(command, arguments, "--epochs", 1..=100_000)?.unwrap_or(8),
        batch: number(command, arguments, "--batch", 1..=1_000_000)?.unwrap_or(4_096),
        run: number(command, arguments, "--run", 1..=1_000)?.unwrap_or(8),
        rate: number(command, arguments, "--rate", 0.0..=1.0)?.unwrap_or(1e-3),
        last_rate: number(command, arguments, "--last-rate", 0.0..=1.0)?.unwrap_or(1e-5),
        filter: Filter {
            skip_plies: number(command, arguments, "--skip-plies", 0..=1_000)?.unwrap_or(2),
            max_score: number(command, arguments, "--max-score", 1..=32_000)?.unwrap_or(3_000),
        },
        labels: Labels {
            lambda: number(command, arguments, "--lambda", 0.0..=1.0)?.unwrap_or(0.8),
            wdl: number(command, arguments, "--wdl", 0.0..=1.0)?.unwrap_or(0.0),
        },
        score_scale: (!fit_scores).then(|| score_scale.unwrap_or(SCALE.into())),
        mean_eval: number(command, arguments, "--mean-eval", 10.0..=1_000.0)?,
        threads: number(command, arguments, "--threads", 1..=1024)?.unwrap_or(1),
        seed: number(command, arguments, "--seed", 0..=u64::MAX)?.unwrap_or(1),
        init,
        resume,
        files: rest(command, words)?
            .into_iter()
            .map(PathBuf::from)
            .collect(),
    };
    if settings.files.is_empty() {
        return Err(fail("there is no file to learn from"));
    }
    if settings.resume && settings.init.is_some() {
        return Err(fail("--init and --resume exclude each other"));
    }
    Ok(settings)
}
