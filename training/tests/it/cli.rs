//! The command line of `tabiya-train`.

use crate::temporary::Folder;
use clap::Parser;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tabiya_train::cli::CommandLine;

fn command(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-train"));
    command.args(words.split_whitespace());
    command
}

fn run(words: &str) -> Output {
    command(words).output().unwrap()
}

#[test]
fn every_command_has_help() {
    let ran = run("--help");
    assert_eq!(ran.status.code(), Some(0));
    let help = String::from_utf8(ran.stdout).unwrap();
    let commands: Vec<_> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 6 && commands.contains(&"train"), "{help}");
    for command in commands {
        let ran = run(&format!("{command} --help"));
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(
            text.contains(&format!("Usage: tabiya-train {command}")),
            "{text}"
        );
    }
}

#[test]
fn wrong_usage_has_exit_code_2() {
    for words in ["", "learn", "wdl", "train --out"] {
        assert_eq!(run(words).status.code(), Some(2), "{words}");
    }
}

#[test]
fn a_failure_has_exit_code_1_and_names_the_file() {
    let ran = run("judge no/such/file");
    let text = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{text}");
    assert!(text.starts_with("tabiya-train: no/such/file: "), "{text}");
}

#[test]
fn evaluations_and_targets_are_compared_with_a_judge() {
    let folder = Folder::new("judge");
    let judged = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1; 900\n\n4k3/8/8/8/8/8/8/Q3K3 b - - 0 1; -900\n\n";
    let file = folder.write("judged.csv", judged);
    for words in ["judge", "judge --nodes 100", "targets --nodes 20"] {
        let ran = command(words).arg(&file).output().unwrap();
        let text = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(ran.status.code(), Some(0), "{words}");
        assert!(text.contains("of the expected score"), "{words}: {text}");
    }
    // They only measure.
    assert_eq!(folder.names(), ["judged.csv"]);
}

#[test]
fn a_negative_number_is_a_value_out_of_range() {
    let ran = run("judge x.csv --nodes -5");
    let error = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2), "{error}");
    assert!(
        error.contains("invalid value '-5' for '--nodes <N>'"),
        "{error}"
    );
}

#[test]
fn a_network_is_not_written_to_a_file_called_dash() {
    for words in [
        "fold --out - --net x.net x.vf",
        "widen --out - x.net",
        "train --out - x.vf",
    ] {
        let ran = run(words);
        let error = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{words}");
        assert!(
            error.contains("--out needs the name of a file"),
            "{words}: {error}"
        );
    }
}

/// The calls of this program in the documents, as lists of words.
fn documented_calls() -> Vec<Vec<String>> {
    let pages = [
        "docs/training.md",
        "docs/tuning.md",
        "docs/openbench.md",
        "assets/README.md",
    ];
    let mut calls = Vec::new();
    for page in pages {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
        let text = fs::read_to_string(path).unwrap().replace("\\\n", " ");
        for line in text.lines().map(str::trim_start) {
            let words = line.split_whitespace().take_while(|word| *word != "#");
            let mut words = words.map(str::to_owned);
            let program = words.next().unwrap_or_default();
            if program.rsplit('/').next() == Some("tabiya-train") {
                calls.push(words.collect());
            }
        }
    }
    calls
}

/// `match`, `factorial` and `effects` exist with the feature `tune` only.
#[test]
fn every_call_in_the_documents_is_right_usage() {
    let mut count = 0;
    for words in documented_calls() {
        if !cfg!(feature = "tune") && ["match", "factorial", "effects"].contains(&words[0].as_str())
        {
            continue;
        }
        let words = words.iter().map(|word| word.trim_matches('\''));
        let call: Vec<_> = ["tabiya-train"].into_iter().chain(words).collect();
        if let Err(error) = CommandLine::try_parse_from(&call) {
            panic!("{call:?}: {error}");
        }
        count += 1;
    }
    assert!(count > 8, "{count}");
}
