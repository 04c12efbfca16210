//! The answers in the book that need no change of a program: each transcript in `exercises` is
//! typed again. `scripts/exercises` runs the others too.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// The folder of the programs: that of one of them.
fn programs() -> PathBuf {
    let step = Path::new(env!("CARGO_BIN_EXE_step01"));
    step.parent().expect("a folder").to_owned()
}

/// A line without what differs from run to run.
fn without_times(line: &str) -> String {
    match line.split_once(" nps ") {
        Some((before, rest)) => {
            let after = rest.split_once(" pv ").map_or("", |(_, pv)| pv);
            format!("{before} pv {after}")
        }
        None => line.to_owned(),
    }
}

/// The printed lines with `...` for as many as the transcript leaves out.
fn shortened(printed: Vec<String>, shown: &[&str]) -> Vec<String> {
    let Some(before) = shown.iter().position(|&line| line == "...") else {
        return printed;
    };
    let after = shown.len() - before - 1;
    let (head, tail) = (&printed[..before], &printed[printed.len() - after..]);
    [head, &["...".to_owned()], tail].concat()
}

/// Types the lines of a session, which begins with the command line. Returns it as the terminal
/// would show it.
fn replay(session: &[&str]) -> Vec<String> {
    let mut words = session[0].split(' ');
    let program = programs().join(words.next().expect("a program"));
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let typed: Vec<_> = session
        .iter()
        .filter_map(|line| line.strip_prefix("> "))
        .collect();
    let mut input = child.stdin.take().expect("a pipe");
    for line in &typed {
        writeln!(input, "{line}").expect("the program reads");
    }
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    let printed = String::from_utf8(output.stdout).expect("text");
    let shown = typed.iter().map(|line| format!("> {line}"));
    let printed = printed.lines().map(without_times).collect();
    shown
        .chain(shortened(printed, &session[1 + typed.len()..]))
        .collect()
}

#[test]
fn the_answers_in_the_book_are_what_the_programs_print() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("exercises");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let is_transcript = path.extension().is_some_and(|extension| extension == "txt");
        if !is_transcript || path.with_extension("patch").exists() {
            continue;
        }
        let text = fs::read_to_string(&path).expect("the file is readable");
        for session in text.split("$ ").skip(1) {
            let lines: Vec<_> = session.lines().collect();
            assert_eq!(replay(&lines), lines[1..], "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 15, "{count}");
}
