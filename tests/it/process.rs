//! Runs programs, this one above all, and measures their memory.

use std::fs;
use std::io::{ErrorKind, Write};
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

/// A call of the program that is tested.
pub(crate) fn tabiya() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tabiya"))
}

/// A call of the program under a limit of the shell's `ulimit`: `-f 0` stands for a full disk, and
/// `-v 600000` is an address space in KiB.
#[cfg(unix)]
pub(crate) fn limited(limit: &str) -> Command {
    let mut shell = Command::new("sh");
    // A signal would end the program before it can report the full disk.
    let script = format!("trap '' XFSZ; ulimit {limit}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_tabiya")]);
    shell
}

/// Runs a command with this input and returns its output. The program may end before it has read
/// all of the input.
pub(crate) fn run(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let Err(error) = child.stdin.take().unwrap().write_all(input.as_bytes()) {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
    }
    child.wait_with_output().unwrap()
}

/// Asserts that eight times the work at once takes about as long as eight times the work, and not
/// eight times as long. Both take the same time, so that a busy machine delays both alike; and the
/// least of three times counts.
pub(crate) fn assert_linear(name: &str, size: usize, mut work: impl FnMut(usize)) {
    let mut least = |size, times| {
        let times = (0..3).map(|_| {
            let start = Instant::now();
            (0..times).for_each(|_| work(size));
            start.elapsed()
        });
        times.min().unwrap()
    };
    let (parts, whole) = (least(size, 8), least(8 * size, 1));
    assert!(
        whole < 3 * parts,
        "{name}: {parts:?} in parts, {whole:?} at once"
    );
}

/// Makes a named pipe in a folder and returns its path.
#[cfg(unix)]
pub(crate) fn named_pipe(folder: &crate::temporary::Folder) -> std::path::PathBuf {
    let path = folder.path("pipe");
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    path
}

/// The most memory that a running program has had so far, in KiB; only Linux shows it.
pub(crate) fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.split_whitespace().next()?.parse().ok()
}

/// Sends `count` games to a program that reads standard input, and checks that the later ones need
/// no more memory than the first tenth, but for `noise` KiB of the allocator.
pub(crate) fn feed_games<'a>(
    child: &mut Child,
    games: impl Iterator<Item = &'a str>,
    count: usize,
    noise: u64,
) {
    let mut input = child.stdin.take().unwrap();
    let mut early = None;
    for (number, game) in games.take(count).enumerate() {
        input.write_all(game.as_bytes()).unwrap();
        if number == count / 10 {
            early = peak_memory(child);
        }
    }
    if !cfg!(target_os = "linux") {
        return crate::shared::skipped("only Linux shows the memory of a program");
    }
    let (early, late) = (early.unwrap(), peak_memory(child).unwrap());
    assert!(late < early + noise, "{early} KiB, then {late} KiB");
}
