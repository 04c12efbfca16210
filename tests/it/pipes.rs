//! What comes through a pipe, in both protocols: noise, endless lines, a named pipe with several
//! writers.

use crate::session::{Peer, Program, play};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::io::Write;

/// What a session begins with, a question, and its answer.
const PROTOCOLS: [(&str, &str, &str); 2] = [
    ("uci", "isready", "readyok"),
    ("xboard", "ping 1", "pong 1"),
];

#[test]
fn binary_noise_is_survived() {
    // Within a session of each protocol, and before any greeting, which makes a UCI session.
    let sessions = PROTOCOLS.into_iter().chain([("", "isready", "readyok")]);
    for (seed, (hello, question, answer)) in (1..).zip(sessions) {
        let mut noise = vec![0; 1 << 18];
        ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut noise);
        let mut peer = Program::start();
        if !hello.is_empty() {
            peer.send(hello);
        }
        peer.send_bytes(&noise);
        let script = format!("> \n> {question}\n.. {answer}\n");
        play(hello, &script, &mut peer);
        peer.finish();
    }
}

#[test]
fn a_line_of_a_megabyte_is_read() {
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat((1 << 20) / 20);
    let mut peer = Program::start();
    peer.send(&format!("position startpos moves {moves}e2e4"));
    let script = "> d\n.. Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq * 0 *\n> go depth 2\n.. bestmove *\n";
    play("long game", script, &mut peer);
    peer.finish();
    for (hello, question, answer) in PROTOCOLS {
        let mut peer = Program::start();
        peer.send(hello);
        peer.send(&"\u{0}é x".repeat(1 << 18));
        play(hello, &format!("> {question}\n.. {answer}\n"), &mut peer);
        peer.finish();
    }
}

/// A script's `echo go > pipe` opens and closes it each time; the end of the input is when the last
/// writer is gone.
#[cfg(unix)]
#[test]
fn a_named_pipe_serves_as_input() {
    use crate::temporary::Folder;
    use std::fs::{File, OpenOptions};
    use std::process::Stdio;

    let folder = Folder::new("pipe");
    let pipe = crate::process::named_pipe(&folder);
    // Whoever opens one end waits for the other; who opens both does not.
    let keeper = OpenOptions::new()
        .read(true)
        .write(true)
        .open(&pipe)
        .unwrap();
    let child = crate::process::tabiya()
        .stdin(File::open(&pipe).unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    for line in [
        "isready\n",
        "position startpos moves e2e4\n",
        "go depth 3\n",
    ] {
        let mut writer = OpenOptions::new().write(true).open(&pipe).unwrap();
        writer.write_all(line.as_bytes()).unwrap();
    }
    drop(keeper);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = said.lines().collect();
    assert!(output.status.success() && lines[0] == "readyok", "{said}");
    assert!(lines.last().unwrap().starts_with("bestmove "), "{said}");
}
