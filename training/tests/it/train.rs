//! Training at toy size: datagen makes games, a network is trained, and the engine plays with it.

use crate::games::{self, with_name, words};
use crate::temporary::Folder;
use clap::Parser;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::{fs, io};
use tabiya::board::Position;
use tabiya::eval::{HIDDEN, Header, MAX_SCALE, Network, SCALE};
use tabiya::search::{Limits, SearchRequest, Searcher};
use tabiya::tools::files::LockFile;
use tabiya_train::train::{self, Outcome};

/// A folder with 40 games in `games-0.vf`.
fn folder_with_games(name: &str) -> Folder {
    games::folder_with_games(name, "--games 40 --nodes 40 --tree-positions 2")
}

/// Trains on `file`; `out` is the prefix of the output files.
fn train(folder: &Folder, out: &str, options: &str, file: &str) -> io::Result<Outcome> {
    train_from(folder, None, out, options, file)
}

/// Trains on from a file of the folder.
fn train_from(
    folder: &Folder,
    init: Option<&str>,
    out: &str,
    options: &str,
    file: &str,
) -> io::Result<Outcome> {
    let mut words = words(&format!("--batch 128 --rate 0.002 {options}"));
    for (option, name) in [("--init", init), ("--out", Some(out))] {
        words.extend(
            name.map(|name| [option.into(), folder.path(name).into()])
                .into_iter()
                .flatten(),
        );
    }
    words.push(folder.path(file).into());
    train::run(&parse(words).unwrap())
}

fn parse(words: Vec<OsString>) -> Result<train::Settings, clap::Error> {
    train::Settings::try_parse_from(with_name(words))
}

/// The weights and biases of a network file, without its header.
fn parameters(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    bytes[end..].to_vec()
}

#[test]
fn a_trained_network_plays() {
    let folder = folder_with_games("train_recipe");
    let first = train(&folder, "first", "--epochs 1", "games-0.vf").unwrap();
    let last = train(&folder, "last", "--epochs 6", "games-0.vf").unwrap();
    assert_eq!(first.counts.games, 40);
    assert!(first.training > 1_000, "{first:?}");
    assert_eq!(
        first.counts.kept as usize,
        first.training + first.validation
    );
    assert!(
        last.training_loss < 0.6 * first.training_loss,
        "{first:?} {last:?}"
    );
    assert!(
        last.quantisation.mean < 5.0 && last.quantisation.max < 25.0,
        "{last:?}"
    );

    let network = Network::load(&folder.path("last.net")).unwrap();
    let provenance = &network.header().provenance;
    assert_eq!(provenance["outcome"]["training"], last.training);
    assert_eq!(provenance["outcome"]["held_out"], last.validation);
    assert!(provenance["training"]["labels"]["lambda"].is_number());
    assert_eq!(provenance["games"][0][0]["settings"]["nodes"], 40);
    let mut searcher = Searcher::new(1).unwrap();
    let request = SearchRequest::new(Position::start(), Limits::depth(6));
    let mut nodes = |network: Arc<Network>| {
        searcher.set_network(network);
        let answer = searcher.search_silently(&request).unwrap();
        assert!(request.root.position.is_legal(answer.best.unwrap()));
        answer.nodes
    };
    assert_ne!(nodes(Arc::new(network)), nodes(Network::embedded()));
}

/// A file of that name may be somebody's, such as `Cargo.lock`.
#[test]
fn a_file_that_is_not_a_lock_is_kept() {
    let folder = Folder::new("train_lock");
    folder.write("net.lock", "kept");
    let error = train(&folder, "net", "", "no-games.vf")
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("is not an empty lock file"), "{error}");
    assert_eq!(fs::read(folder.path("net.lock")).unwrap(), b"kept");
}

/// The scores of won games mean more than those of drawn ones.
#[test]
fn scores_are_fitted_to_results() {
    let folder = folder_with_games("train_fit");
    let outcome = train(&folder, "fitted", "--epochs 1 --fit-scores", "games-0.vf").unwrap();
    let fixed = train(&folder, "fixed", "--epochs 1", "games-0.vf").unwrap();
    assert_eq!(fixed.score_model.spread, [180.0, 180.0]);
    assert_ne!(outcome.score_model.spread, fixed.score_model.spread);
    let mut shown = Command::new(env!("CARGO_BIN_EXE_tabiya-train"));
    let shown = shown.arg("wdl").arg(folder.path("games-0.vf"));
    let text = String::from_utf8(shown.output().unwrap().stdout).unwrap();
    assert!(text.starts_with("half "), "{text}");
}

#[test]
fn an_option_that_is_forgotten_with_resume_is_reported() {
    let folder = folder_with_games("train_forgotten");
    let run = |options: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-train"));
        command.arg("train").arg("--out").arg(folder.path("net"));
        command
            .args(options.split_whitespace())
            .arg(folder.path("games-0.vf"));
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    run("--epochs 1 --mean-eval 176 --rate 0.002 --weight-decay 0.03");
    let text = run("--epochs 2 --resume --rate 0.002 --weight-decay 0.03");
    let line = "--resume: mean_eval is null now, and was 176.0\n";
    assert!(
        text.contains(line) && text.matches("--resume").count() == 1,
        "{text}"
    );
}

/// With a constant rate the weights do not depend on where a training was interrupted.
#[test]
fn a_resumed_training_equals_one_in_one_piece() {
    let folder = folder_with_games("train_pieces");
    let constant = "--last-rate 0.002";
    let epochs = |out, epochs| {
        let options = format!("--epochs {epochs} {constant}");
        train(&folder, out, &options, "games-0.vf").unwrap();
    };
    epochs("whole", "3");
    epochs("parts", "1");
    epochs("parts", "3 --resume");
    let [whole, parts] = ["whole.net", "parts.net"].map(|name| parameters(&folder.path(name)));
    assert!(whole == parts);
}

#[test]
fn files_of_one_run_have_one_manifest() {
    let folder = folder_with_games("train_manifest");
    fs::copy(folder.path("games-0.vf"), folder.path("games-1.vf")).unwrap();
    let mut words = words("--epochs 1 --out");
    words.extend(["net", "games-0.vf", "games-1.vf"].map(|name| folder.path(name).into()));
    train::run(&parse(words).unwrap()).unwrap();
    let network = Network::load(&folder.path("net.net")).unwrap();
    let games = network.header().provenance["games"].as_array().unwrap();
    assert_eq!(games.len(), 1);
}

/// What can be read of it is kept.
#[test]
fn a_manifest_that_is_missing_or_cut_off_is_reported() {
    let folder = folder_with_games("train_cut_manifest");
    let mut manifest = fs::read(folder.path("games.jsonl")).unwrap();
    manifest.truncate(manifest.len() - 5);
    folder.write("games.jsonl", manifest);
    fs::copy(folder.path("games-0.vf"), folder.path("alone.vf")).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_tabiya-train"))
        .args(["train", "--epochs", "1", "--out"])
        .args(["net", "games-0.vf", "alone.vf"].map(|name| folder.path(name)))
        .output()
        .unwrap();
    let text = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(0), "{text}");
    for report in [
        "games.jsonl: skipped 1 bad line, the first is line 2",
        "alone.vf: no manifest tells how these games were made",
    ] {
        assert_eq!(text.matches(report).count(), 1, "{text}");
    }
    let network = Network::load(&folder.path("net.net")).unwrap();
    let games = &network.header().provenance["games"];
    assert_eq!(games.as_array().unwrap().len(), 1);
    assert_eq!(games[0].as_array().unwrap().len(), 1);
    assert_eq!(games[0][0]["settings"]["nodes"], 40);
}

#[test]
fn a_resumed_training_records_what_it_started_from() {
    let folder = folder_with_games("train_provenance");
    train(&folder, "old", "--epochs 1 --seed 3", "games-0.vf").unwrap();
    let options = "--epochs 1 --seed 5";
    train_from(&folder, Some("old.net"), "net", options, "games-0.vf").unwrap();
    fs::copy(folder.path("games-0.vf"), folder.path("more-0.vf")).unwrap();
    folder.write("more.jsonl", "{\"more\":1}\n");
    let options = "--epochs 2 --seed 77 --threads 2 --resume";
    train(&folder, "net", options, "more-0.vf").unwrap();
    let network = Network::load(&folder.path("net.net")).unwrap();
    let last = &network.header().provenance;
    assert_eq!(last["training"]["seed"], 77);
    assert_eq!(last["training"]["threads"], 2);
    assert_eq!(last["games"][0][0]["more"], 1);
    let [old, first] = &last["before"].as_array().unwrap()[..] else {
        panic!("{last}");
    };
    assert_eq!(first["epochs"], 1);
    let provenance = &first["provenance"];
    assert_eq!(provenance["training"]["seed"], 5);
    assert_eq!(provenance["games"][0][0]["settings"]["nodes"], 40);
    let fingerprint = Network::load(&folder.path("old.net"))
        .unwrap()
        .fingerprint();
    assert_eq!(old["network"], format!("{fingerprint:016x}"));
    assert_eq!(old["provenance"]["training"]["seed"], 3);
    // The same games are recorded once.
    assert_eq!(old["provenance"].get("games"), None);
}

#[test]
fn the_same_seed_trains_the_same_network() {
    let folder = folder_with_games("train_seed");
    for out in ["a", "b"] {
        train(&folder, out, "--epochs 2 --seed 3", "games-0.vf").unwrap();
    }
    train(&folder, "c", "--epochs 2 --seed 4", "games-0.vf").unwrap();
    let [a, b, c] = ["a.net", "b.net", "c.net"].map(|name| parameters(&folder.path(name)));
    assert!(a == b);
    assert!(a != c);
}

#[test]
fn training_starts_from_the_mean_of_several_networks() {
    let folder = folder_with_games("train_mean");
    for (out, seed) in [("a", 3), ("b", 4)] {
        train(
            &folder,
            out,
            &format!("--epochs 1 --seed {seed}"),
            "games-0.vf",
        )
        .unwrap();
    }
    let [a, b] = ["a", "b"].map(|name| folder.path(&format!("{name}.checkpoint")));
    let mut mean = words("--epochs 1 --rate 0 --last-rate 0");
    for init in [a, b] {
        mean.extend(["--init".into(), init.into()]);
    }
    mean.extend(["--out".into(), folder.path("mean").into()]);
    mean.push(folder.path("games-0.vf").into());
    train::run(&parse(mean).unwrap()).unwrap();
    // The input weights are rounded alike in all networks.
    let weights = |name: &str| {
        let network = Network::load(&folder.path(name)).unwrap();
        network.parameters().input_weights
    };
    let [a, b, mean] = ["a.net", "b.net", "mean.net"].map(weights);
    assert!(a != b);
    for ((a, b), mean) in a.into_iter().zip(b).zip(mean) {
        assert!((i32::from(a) + i32::from(b) - 2 * i32::from(mean)).abs() <= 2);
    }
}

#[test]
fn a_training_of_the_layers_keeps_the_weights_of_the_inputs() {
    let folder = folder_with_games("train_layers_only");
    let start = folder.path("start.net");
    train(&folder, "start", "--epochs 2", "games-0.vf").unwrap();
    let mut settings = words("--epochs 1 --rate 0.002 --batch 128 --layers-only --init");
    settings.extend([start.clone().into(), "--out".into()]);
    settings.push(folder.path("tuned").into());
    settings.push(folder.path("games-0.vf").into());
    train::run(&parse(settings).unwrap()).unwrap();
    let [before, after] =
        [start, folder.path("tuned.net")].map(|file| Network::load(&file).unwrap().parameters());
    assert_eq!(before.input_weights, after.input_weights);
    // The first words are the biases of the accumulator.
    let (biases, rest) = before.words.split_at(HIDDEN);
    assert_eq!(after.words[..HIDDEN], *biases);
    assert_ne!(after.words[HIDDEN..], *rest);
    assert_ne!(before.layers, after.layers);
}

/// Without a learning rate no weight changes, however large it is.
#[test]
fn rate_0_writes_the_exact_mean() {
    let folder = folder_with_games("train_exact_mean");
    let mut parameters = Network::embedded().parameters();
    // The first output weight gets more than an equal share of the largest sum.
    let mut network = |word| {
        parameters.words[HIDDEN] = word;
        let header = Header::new(SCALE, "large".into());
        Network::to_bytes(&header, &parameters).unwrap()
    };
    let inits = [("a.net", 20_000), ("b.net", 24_000)];
    let mut arguments = words("--epochs 1 --rate 0 --last-rate 0 --weight-decay 0 --out");
    arguments.push(folder.path("mean").into());
    for (name, word) in inits {
        arguments.extend(["--init".into(), folder.write(name, network(word)).into()]);
    }
    arguments.push(folder.path("games-0.vf").into());
    train::run(&parse(arguments).unwrap()).unwrap();
    let mean = Network::load(&folder.path("mean.net"))
        .unwrap()
        .parameters();
    parameters.words[HIDDEN] = 22_000;
    assert!(mean == parameters);
}

#[test]
fn the_quantisation_error_is_measured_without_validation_positions() {
    let folder = games::folder_with_games("train_few", "--games 3 --nodes 40");
    let outcome = train(&folder, "net", "--epochs 1", "games-0.vf").unwrap();
    assert_eq!(outcome.validation, 0);
    assert!(outcome.quantisation.mean > 0.0, "{outcome:?}");
}

#[test]
fn training_continues_from_a_checkpoint() {
    let folder = folder_with_games("train_resume");
    let short = train(&folder, "net", "--epochs 3", "games-0.vf").unwrap();
    let long = train(&folder, "net", "--epochs 9 --resume", "games-0.vf").unwrap();
    assert!(
        long.training_loss < short.training_loss,
        "{short:?} {long:?}"
    );
    // All epochs are finished, so the network does not change.
    let before = parameters(&folder.path("net.net"));
    train(&folder, "net", "--epochs 9 --resume", "games-0.vf").unwrap();
    assert!(parameters(&folder.path("net.net")) == before);

    let fresh = train(&folder, "fresh", "--epochs 1", "games-0.vf").unwrap();
    for file in ["net.checkpoint", "net.net"] {
        let options = "--force --epochs 1";
        let better = train_from(&folder, Some(file), "other", options, "games-0.vf").unwrap();
        assert!(
            2.0 * better.training_loss < fresh.training_loss,
            "{file}: {fresh:?} {better:?}"
        );
    }

    fs::write(folder.path("net.checkpoint"), "no checkpoint\n").unwrap();
    let error = train(&folder, "net", "--resume", "games-0.vf").unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("not a checkpoint of a network of this shape"),
        "{error}"
    );
    // For --init, which takes networks too.
    let error =
        train_from(&folder, Some("net.checkpoint"), "other2", "", "games-0.vf").unwrap_err();
    let error = error.to_string();
    assert!(
        error.ends_with("neither a Tabiya network nor a checkpoint"),
        "{error}"
    );
}

/// Good games of a damaged file are still read.
#[test]
fn bad_games_are_skipped_and_counted() {
    let folder = folder_with_games("train_corrupt");
    let bytes = fs::read(folder.path("games-0.vf")).unwrap();
    let whole = train(&folder, "whole", "--epochs 1", "games-0.vf")
        .unwrap()
        .counts;
    let games = whole.games + whole.lone_positions;
    assert_eq!(whole.bad_games, 0);

    let count = |bytes: &[u8]| {
        fs::write(folder.path("bad-0.vf"), bytes).unwrap();
        train(&folder, "bad", "--force --epochs 1", "bad-0.vf")
            .unwrap()
            .counts
    };
    let read = |counts: train::Counts| counts.games + counts.lone_positions;
    let cut_off = count(&bytes[..bytes.len() - 1]);
    assert_eq!((read(cut_off), cut_off.bad_games), (games - 1, 1));
    // The first position loses its pieces: no kings.
    let empty = count(&[&[0; 8], &bytes[8..]].concat());
    assert_eq!((read(empty), empty.bad_games), (games - 1, 1));
    // The first move is from a square to itself.
    let no_move = count(&[&bytes[..32], &[0, 0, 1, 0], &bytes[36..]].concat());
    assert_eq!((read(no_move), no_move.bad_games), (games - 1, 1));
    // Noise at many places does not panic.
    let mut noise = bytes.clone();
    (0..noise.len())
        .step_by(611)
        .for_each(|index| noise[index] ^= 0x5A);
    let noisy = count(&noise);
    assert!(noisy.bad_games > 0 && read(noisy) > 0, "{noisy:?}");

    fs::write(folder.path("empty-0.vf"), "").unwrap();
    let error = train(&folder, "empty", "", "empty-0.vf").unwrap_err();
    assert_eq!(error.to_string(), "no training positions in these files");
    assert!(train(&folder, "none", "", "none-0.vf").is_err());
}

#[test]
fn only_force_overwrites_files() {
    let folder = folder_with_games("train_over");
    train(&folder, "net", "--epochs 1", "games-0.vf").unwrap();
    let files = ["net.net", "net.checkpoint"];
    let before = files.map(|file| fs::read(folder.path(file)).unwrap());
    let error = train(&folder, "net", "--epochs 1 --seed 2", "games-0.vf").unwrap_err();
    let expected = "net.net exists: use --resume to continue or --force to overwrite";
    assert!(error.to_string().ends_with(expected), "{error}");
    assert!(files.map(|file| fs::read(folder.path(file)).unwrap()) == before);
    // A checkpoint alone is kept too.
    fs::remove_file(folder.path("net.net")).unwrap();
    let error = train(&folder, "net", "", "games-0.vf").unwrap_err();
    assert!(
        error.to_string().contains("net.checkpoint exists"),
        "{error}"
    );
    train(&folder, "net", "--epochs 1 --seed 2 --force", "games-0.vf").unwrap();
    assert!(fs::read(folder.path("net.net")).unwrap() != before[0]);
}

#[test]
fn a_second_training_of_the_same_name_is_refused() {
    let folder = folder_with_games("train_twice");
    let lock = LockFile::create(&folder.path("net.lock")).unwrap();
    for options in ["--epochs 1", "--epochs 1 --force", "--resume"] {
        let error = train(&folder, "net", options, "games-0.vf").unwrap_err();
        let error = error.to_string();
        assert!(
            error.ends_with("net.lock is in use by another process"),
            "{error}"
        );
    }
    drop(lock);
    train(&folder, "net", "--epochs 1", "games-0.vf").unwrap();
    // One that a killed process has left behind.
    folder.write("net.lock", "");
    train(&folder, "net", "--epochs 1 --force", "games-0.vf").unwrap();
    assert!(!folder.path("net.lock").exists());
}

/// The network would be called one of fewer epochs than it is.
#[test]
fn a_training_is_not_resumed_with_fewer_epochs_than_are_finished() {
    let folder = folder_with_games("train_fewer");
    train(&folder, "net", "--epochs 2", "games-0.vf").unwrap();
    let before = fs::read(folder.path("net.net")).unwrap();
    let error = train(&folder, "net", "--epochs 1 --resume", "games-0.vf").unwrap_err();
    let expected = "has finished 2 epochs: --epochs must be at least 2";
    assert!(error.to_string().ends_with(expected), "{error}");
    assert!(fs::read(folder.path("net.net")).unwrap() == before);
}

/// Before games are read.
#[test]
fn an_output_that_cannot_be_written_is_an_error_at_once() {
    let folder = Folder::new("train_output");
    let error = train(&folder, "no/folder/net", "", "no-games.vf").unwrap_err();
    assert!(error.to_string().contains("no/folder/net"), "{error}");
    #[cfg(unix)]
    {
        let error = train(&folder, "net", "--init /dev/zero", "no-games.vf").unwrap_err();
        assert!(error.to_string().starts_with("/dev/zero: "), "{error}");
    }
}

/// Not one line for each bad game.
#[test]
fn a_file_that_has_no_games_is_one_line_of_output() {
    let folder = Folder::new("train_zeros");
    folder.write("zeros-0.vf", vec![0; 4 << 20]);
    let ran = Command::new(env!("CARGO_BIN_EXE_tabiya-train"))
        .args(["train", "--out"])
        .args([folder.path("net"), folder.path("zeros-0.vf")])
        .output()
        .unwrap();
    let text = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(
        text.contains(
            "zeros-0.vf: skipped 116509 bad games, the first at byte 0: illegal start position"
        ),
        "{text}"
    );
    assert_eq!(text.lines().count(), 3, "{text}");
}

/// Arguments, and a part of the error message.
const BAD_ARGUMENTS: [(&str, &str); 9] = [
    ("games.vf", "not provided:\n  --out <NAME>"),
    ("--out net", "not provided:\n  <GAMES.vf>..."),
    (
        "--out net --epochs 0 games.vf",
        "'--epochs <N>': expected a number from 1 to 100000",
    ),
    (
        "--out net --wdl 1.5 games.vf",
        "'--wdl <X>': expected a number from 0 to 1",
    ),
    (
        "--out net --rate fast games.vf",
        "'--rate <RATE>': expected a number from 0 to 1",
    ),
    (
        "--out net --colour red games.vf",
        "unexpected argument '--colour'",
    ),
    (
        "--out net --init a --resume games.vf",
        "'--init <FILE>' cannot be used with '--resume'",
    ),
    (
        "--out net --fit-scores --score-scale 300 games.vf",
        "'--fit-scores' cannot be used with '--score-scale <CP>'",
    ),
    (
        "--out net --seed 1 --seed 2 games.vf",
        "'--seed <N>' cannot be used multiple times",
    ),
];

#[test]
fn bad_arguments_are_named() {
    for (text, reason) in BAD_ARGUMENTS {
        let error = parse(words(text)).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// The evaluations of a network that has learned little are too small for any scale to reach it.
#[test]
fn a_mean_that_no_scale_reaches_does_not_cost_the_network() {
    let folder = folder_with_games("train_mean");
    // One step from random weights.
    let mut arguments = words("--epochs 1 --batch 100000 --rate 0.0001 --mean-eval 1000 --out");
    arguments.extend(["net", "games-0.vf"].map(|name| folder.path(name).into()));
    train::run(&parse(arguments).unwrap()).unwrap();
    let network = Network::load(&folder.path("net.net")).unwrap();
    assert_eq!(network.header().scale, MAX_SCALE);
}
