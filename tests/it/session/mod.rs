//! Sessions as data: what is said to the engine, and what it must answer.
//!
//! A transcript is lines of four kinds: `# ` a remark, `> ` a line to send, `< ` a pattern that the next line must match,
//! `.. ` a pattern that a later line must match, whatever comes before it. In a pattern `*` stands for any text.

mod peers;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) use peers::{InProcess, Program};

/// Longer than any answer takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// The other side of a session.
pub(crate) trait Peer {
    /// Sends a line.
    fn send(&mut self, line: &str);
    /// The next line, or `None` if none comes in that time.
    fn receive(&mut self, within: Duration) -> Option<String>;
}

/// The transcripts in a folder of `tests/data`: names and texts.
pub(crate) fn transcripts(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder);
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

/// Plays a transcript; panics at the first line that is not as it should be.
pub(crate) fn play(name: &str, transcript: &str, peer: &mut impl Peer) {
    for (number, line) in transcript.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        match line.split_once(' ') {
            Some((">", text)) => peer.send(text),
            Some(("<", pattern)) => {
                let answer = peer
                    .receive(PATIENCE)
                    .unwrap_or_else(|| panic!("{place}: no answer"));
                assert!(
                    matches(pattern, &answer),
                    "{place}: expected '{pattern}', got '{answer}'"
                );
            }
            Some(("..", pattern)) => {
                let mut skipped = Vec::new();
                let deadline = Instant::now() + PATIENCE;
                loop {
                    let left = deadline.saturating_duration_since(Instant::now());
                    match peer.receive(left) {
                        Some(answer) if matches(pattern, &answer) => break,
                        Some(answer) => skipped.push(answer),
                        None => panic!("{place}: expected '{pattern}' after {skipped:#?}"),
                    }
                }
            }
            _ => assert!(
                line.is_empty() || line.starts_with('#'),
                "{place}: what is '{line}'?"
            ),
        }
    }
}

/// Whether a text matches a pattern in which `*` stands for any text.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).any(|at| tail.is_char_boundary(at) && matches(rest, &tail[at..]))
        }),
    }
}
