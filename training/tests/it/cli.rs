//! The command line of `tabiya-train`.

use crate::temporary::Folder;
use std::process::{Command, Output};

fn run(words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-train"));
    command.args(words.split_whitespace());
    command.output().unwrap()
}

#[test]
fn every_command_has_help() {
    let ran = run("--help");
    assert_eq!(ran.status.code(), Some(0));
    let help = String::from_utf8(ran.stdout).unwrap();
    for command in ["train", "judge", "targets", "wdl"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
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
    let judged = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1; 900\n4k3/8/8/8/8/8/8/Q3K3 b - - 0 1; -900\n";
    let file = folder.write("judged.csv", judged);
    for words in ["judge", "judge --nodes 100", "targets --nodes 20"] {
        let ran = run(&format!("{words} {}", file.display()));
        let text = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(ran.status.code(), Some(0), "{words}");
        assert!(text.contains("of the expected score"), "{words}: {text}");
    }
}
