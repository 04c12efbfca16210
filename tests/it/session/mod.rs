//! Plays transcripts: lines to send to the engine, and the answers expected.
//!
//! A transcript has four kinds of lines. `# ` begins a comment and `> ` a line to send. `< ` begins
//! a pattern for the next line of output, and `.. ` a pattern for a later line. In a pattern, `*`
//! matches any text. `{;}` is what separates the folders of a list on this system.

mod peers;

use crate::sources::root;
use std::fs;
use std::time::{Duration, Instant};
use tabiya::engine::Engine;
use tabiya::game::Game;
use tabiya::search::{Answer, Claims, Limits, What};

pub(crate) use peers::{InProcess, Program, wait_for};

/// How long to wait for an answer. No answer takes this long, even on a slow machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// What separates the folders of a list.
pub(crate) const SEPARATOR: &str = if cfg!(windows) { ";" } else { ":" };

/// The answer of an engine that is asked without a protocol.
pub(crate) fn answer_of(engine: &mut Engine, game: &Game, limits: Limits) -> Answer {
    let id = engine.go(game, limits, Claims::Players).id;
    loop {
        let event = engine.events().recv_timeout(TIMEOUT).unwrap();
        let of = event.id;
        if let Some(What::Answer(answer)) = engine.accept(event) {
            assert_eq!(of, id);
            assert!(!engine.is_searching());
            return answer;
        }
    }
}

/// An engine session to send lines to.
pub(crate) trait Peer {
    /// Sends a line.
    fn send(&mut self, line: &str);
    /// The next line of output, or `None` after `timeout`.
    fn receive_within(&mut self, timeout: Duration) -> Option<String>;

    /// Sends several lines.
    fn send_all(&mut self, lines: &[&str]) {
        for line in lines {
            self.send(line);
        }
    }

    /// The next line of output, or `None` after [`TIMEOUT`].
    fn receive(&mut self) -> Option<String> {
        self.receive_within(TIMEOUT)
    }
}

/// Names and texts of the transcripts in a folder of `tests/data`.
pub(crate) fn transcripts(folder: &str) -> Vec<(String, String)> {
    let folder = root().join("tests/data").join(folder);
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                fs::read_to_string(&path).unwrap(),
            )
        })
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

/// Plays the transcripts of a folder of `tests/data`, each with an engine in this process.
pub(crate) fn play_all_in_process(folder: &str) {
    for (name, transcript) in transcripts(folder) {
        let mut peer = InProcess::start();
        play(&name, &transcript, &mut peer);
        assert_no_answer(&name, &peer.finish());
    }
}

/// Plays the transcripts of a folder of `tests/data`, each with the program.
pub(crate) fn play_all_through_the_program(folder: &str) {
    for (name, transcript) in transcripts(folder) {
        let mut peer = Program::start();
        play(&name, &transcript, &mut peer);
        assert_no_answer(&name, &peer.finish());
    }
}

/// Whether a line answers a search. No pattern of a transcript skips one.
fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove ") || line.starts_with("move ")
}

fn assert_no_answer(name: &str, rest: &[String]) {
    assert!(!rest.iter().any(|line| is_answer(line)), "{name}: {rest:?}");
}

/// Plays a transcript. Panics if an answer does not match.
pub(crate) fn play(name: &str, transcript: &str, peer: &mut impl Peer) {
    for (number, line) in transcript.replace("{;}", SEPARATOR).lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        match line.split_once(' ') {
            Some((">", text)) => peer.send(text),
            Some(("<", pattern)) => {
                let answer = peer
                    .receive()
                    .unwrap_or_else(|| panic!("{place}: no answer"));
                assert!(
                    matches(pattern, &answer),
                    "{place}: expected '{pattern}', got '{answer}'"
                );
            }
            Some(("..", pattern)) => {
                let mut skipped = Vec::new();
                let deadline = Instant::now() + TIMEOUT;
                loop {
                    let left = deadline.saturating_duration_since(Instant::now());
                    match peer.receive_within(left) {
                        Some(answer) if matches(pattern, &answer) => break,
                        Some(answer) if is_answer(&answer) => {
                            panic!("{place}: expected '{pattern}', got '{answer}'")
                        }
                        Some(answer) => skipped.push(answer),
                        None => panic!("{place}: expected '{pattern}' after {skipped:#?}"),
                    }
                }
            }
            _ => assert!(
                line.is_empty() || line.starts_with('#'),
                "{place}: unknown kind of line '{line}'"
            ),
        }
    }
}

/// Whether `text` matches `pattern`, where `*` matches any text.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).any(|at| tail.is_char_boundary(at) && matches(rest, &tail[at..]))
        }),
    }
}
