//! UCI sessions: the transcripts of `tests/data/uci`, played in process and through the program, and what no transcript
//! can say: noise, delays, the end of the input.

#![allow(clippy::print_stdout)] // Delays, for whoever asks with --nocapture.

use crate::session::{InProcess, Peer, Program, matches, play, transcripts};
use crate::temporary::Folder;
use crossbeam_channel::{Receiver, Sender, unbounded};
use proptest::prelude::*;
use std::io::{self, LineWriter, Write};
use std::thread;
use std::time::{Duration, Instant};
use tabiya::engine::{Engine, Kind, Settings};
use tabiya::protocol;
use tabiya::types::MAX_PLY;

#[test]
fn transcripts_hold_in_process() {
    for (name, transcript) in transcripts("uci") {
        let mut peer = InProcess::start();
        play(&name, &transcript, &mut peer);
        peer.finish();
    }
}

#[test]
fn transcripts_hold_through_the_program() {
    for (name, transcript) in transcripts("uci") {
        let mut peer = Program::start();
        play(&name, &transcript, &mut peer);
        peer.finish();
    }
}

#[test]
fn every_option_is_shown_with_its_default_and_can_be_set() {
    let mut peer = InProcess::start();
    let mut defaults = Settings::default();
    let transcript: String = tabiya::engine::OPTIONS
        .iter()
        .map(|option| {
            let kind = match option.kind {
                Kind::Spin { min, max, get, .. } => {
                    format!("spin default {} min {min} max {max}", get(&defaults))
                }
                Kind::Check { field } => format!("check default {}", field(&mut defaults)),
                Kind::Text { .. } => "string default <empty>".to_owned(),
                Kind::Button { .. } => "button".to_owned(),
            };
            format!(
                "> uci\n.. option name {} type {kind}\n.. uciok\n",
                option.name
            )
        })
        .collect();
    play("options", &transcript, &mut peer);
    peer.send("setoption name move overhead value 55");
    peer.send("setoption name UCI_CHESS960 value true");
    peer.send("setoption name Clear Hash");
    peer.send("isready");
    // No complaint comes before the answer.
    assert_eq!(
        peer.receive(Duration::from_secs(5)).as_deref(),
        Some("readyok")
    );
    peer.finish();
}

#[test]
fn the_end_of_the_input_is_quit_even_in_the_middle_of_a_line() {
    let mut peer = Program::start();
    peer.send_bytes(b"position startpos\r\ngo infinite\r\nisre");
    let start = Instant::now();
    let said = peer.finish();
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    assert!(
        said.last()
            .is_some_and(|line| line.starts_with("bestmove ")),
        "{said:?}"
    );
}

#[test]
fn a_perft_in_a_script_is_finished() {
    let mut peer = Program::start();
    peer.send_bytes(
        b"position startpos\ngo perft 4\nposition startpos moves e2e4\ngo perft 3\nquit\n",
    );
    let said = peer.finish();
    let totals: Vec<_> = said
        .iter()
        .filter(|line| line.starts_with("Nodes searched"))
        .collect();
    assert_eq!(totals, ["Nodes searched: 197281", "Nodes searched: 13160"]);
}

/// A perft that has no end is not waited for: not at all by who has gone, and not long by who has said `quit`.
#[test]
fn a_perft_without_end_is_left_behind() {
    for (script, patience) in [
        ("go perft 12\n", 3),
        ("go perft 12\ngo perft 12\n", 3),
        ("go perft 12\nquit\n", 15),
        ("go perft 12\ngo perft 12\nquit\n", 15),
    ] {
        let mut peer = Program::start();
        peer.send_bytes(script.as_bytes());
        let start = Instant::now();
        let said = peer.finish();
        assert!(start.elapsed() < Duration::from_secs(patience), "{script}");
        let stopped = said
            .iter()
            .filter(|line| *line == "info string perft was stopped");
        assert_eq!(
            stopped.count(),
            script.matches("perft").count(),
            "{script}: {said:?}"
        );
    }
}

/// However searches and stops are mixed in one write, each search has one answer.
#[test]
fn searches_and_a_stop_in_one_write() {
    for (script, answers) in [
        ("go infinite\nstop\n", 1),
        ("go infinite\ngo infinite\ngo infinite\nstop\n", 3),
        (
            "go infinite\ngo infinite\ngo infinite\nstop\nstop\nstop\n",
            3,
        ),
        (
            "go infinite\nstop\ngo infinite\nstop\ngo infinite\nstop\n",
            3,
        ),
        (
            "go infinite\nposition startpos moves e2e4\ngo infinite\nstop\ngo depth 1\n",
            3,
        ),
    ] {
        let mut peer = Program::start();
        peer.send_bytes(script.as_bytes());
        for number in 0..answers {
            play(&format!("{script} {number}"), ".. bestmove *", &mut peer);
        }
        play(script, "> isready\n< readyok", &mut peer);
        peer.finish();
    }
}

/// What a peer sends and never waits for is not all kept.
#[cfg(target_os = "linux")]
#[test]
fn a_flood_is_not_kept() {
    use std::io::Read;
    use std::process::{Command, Stdio};

    for line in [
        "isready\n",
        "position startpos moves e2e4 e7e5\n",
        "d\n",
        "go\n",
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let chunk = [b"go infinite\n".to_vec(), line.repeat(10_000).into_bytes()].concat();
        let flood = thread::spawn(move || {
            let mut sent = 0;
            // Nobody reads what is said: the pipe fills up, or all is taken.
            while sent < 100 << 20 && input.write_all(&chunk).is_ok() {
                sent += chunk.len();
            }
        });
        let memory = || {
            let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
            let line = status
                .lines()
                .find_map(|line| line.strip_prefix("VmRSS:"))
                .unwrap();
            line.trim_end_matches("kB").trim().parse::<u64>().unwrap()
        };
        let (mut most, start) = (0, Instant::now());
        while !flood.is_finished() && start.elapsed() < Duration::from_secs(3) {
            most = most.max(memory());
            thread::sleep(Duration::from_millis(20));
        }
        assert!(most < 200 << 10, "{line:?}: {most} kB");
        child.kill().unwrap();
        let _ = child.stdout.take().unwrap().read_to_end(&mut Vec::new());
        child.wait().unwrap();
        flood.join().unwrap();
    }
}

/// Files that never end, or that nobody writes, are refused at once.
#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_files() {
    let folder = Folder::new("special");
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    folder.write("zeros.net", vec![0; 1 << 20]);
    folder.write("text.net", "this is no network\n");
    let large = folder.path("large.net");
    std::fs::File::create(&large)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let mut peer = InProcess::start();
    for (option, file, reason) in [
        ("EvalFile", "/dev/zero".into(), "not a regular file"),
        ("EvalFile", pipe.clone(), "not a regular file"),
        ("EvalFile", folder.path(""), "not a regular file"),
        ("EvalFile", large, "too large for a network"),
        ("EvalFile", folder.path("zeros.net"), "not a Tabiya network"),
        ("EvalFile", folder.path("text.net"), "not a Tabiya network"),
        ("BookFile", pipe.clone(), "not a regular file"),
        ("Debug Log File", pipe, "not a regular file"),
    ] {
        let (name, start) = (file.display(), Instant::now());
        let script =
            format!("> setoption name {option} value {name}\n< info string *{name}*{reason}");
        play(option, &script, &mut peer);
        assert!(start.elapsed() < Duration::from_secs(2), "{option} {name}");
    }
    peer.finish();
}

#[test]
fn a_peer_that_does_not_listen_ends_the_session_quietly() {
    let mut peer = Program::start();
    peer.send("go infinite");
    let Program {
        mut child,
        mut input,
        output,
    } = peer;
    drop(output);
    let _ = input.write_all(&b"d\n".repeat(10_000));
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A peer that stops reading at the first news of the search, until the gate opens.
struct Gate {
    open: Receiver<()>,
    peer: Sender<String>,
}

impl Write for Gate {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        if text.starts_with("info") {
            // An open gate is one whose other end is gone.
            let _ = self.open.recv();
        }
        self.peer
            .send(text)
            .map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The search ends by the clock though nobody reads, and when somebody does, the answer is not far.
#[test]
fn a_slow_reader_misses_old_news_and_no_answers() {
    let (input, lines) = unbounded();
    let (gate, open) = unbounded();
    let (peer, said) = unbounded();
    let gated = LineWriter::new(Gate { open, peer });
    let session = thread::spawn(move || protocol::run(lines, Engine::new()?, gated));
    // Thousands of lines.
    for line in [
        "setoption name MultiPV value 200",
        "position fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "go movetime 1000",
        "isready",
    ] {
        input.send(line.to_owned()).unwrap();
    }
    thread::sleep(Duration::from_millis(1500));
    drop(gate);
    let start = Instant::now();
    let mut news = 0;
    let mut answers = 0;
    while answers < 2 {
        let text = said.recv_timeout(Duration::from_secs(20)).unwrap();
        news += usize::from(text.starts_with("info "));
        answers += usize::from(
            ["readyok", "bestmove "]
                .iter()
                .any(|word| text.starts_with(word)),
        );
    }
    let time = start.elapsed();
    assert!(time < Duration::from_millis(500), "{time:?}");
    assert!((200..=2 * MAX_PLY + 2).contains(&news), "{news}");
    drop(input);
    session.join().unwrap().unwrap();
}

#[test]
fn a_bench_holds_nothing_up() {
    let mut peer = InProcess::start();
    let script = "> bench 40\n> isready\n< readyok\n> stop\n< info string bench was stopped\n\
                  > bench 1\n> isready\n.. * nodes * nps\n> go depth 1\n.. bestmove *";
    play("bench", script, &mut peer);
    peer.finish();
    // Who closes the input waits for a bench of ordinary depth, and not for one that has no end.
    for (line, answer) in [
        ("bench 2\n", "* nodes * nps"),
        ("bench 40\n", "info string bench was stopped"),
        (
            "go infinite\nbench 40\nquit\n",
            "info string bench was stopped",
        ),
    ] {
        let mut peer = Program::start();
        peer.send_bytes(line.as_bytes());
        let start = Instant::now();
        let said = peer.finish();
        assert!(start.elapsed() < Duration::from_secs(20));
        assert!(
            said.last().is_some_and(|said| matches(answer, said)),
            "{said:?}"
        );
    }
}

#[test]
fn a_stop_is_never_lost() {
    let mut peer = InProcess::start();
    for _ in 0..200 {
        peer.send("go infinite");
        peer.send("stop");
    }
    for _ in 0..200 {
        loop {
            let line = peer
                .receive(Duration::from_secs(5))
                .expect("an answer to each search");
            if line.starts_with("bestmove ") {
                break;
            }
        }
    }
    peer.finish();
}

#[test]
#[allow(clippy::print_stdout)] // The figures, for whoever asks with --nocapture.
fn answers_come_soon() {
    // The shortest of several tries: on a machine that is busy with other tests any one may be late.
    let [mut ready, mut stopped] = [Duration::MAX; 2];
    let goals = [100, 50].map(Duration::from_millis);
    for _ in 0..20 {
        let start = Instant::now();
        let mut peer = Program::start();
        play("start", "> uci\n.. uciok\n> isready\n.. readyok", &mut peer);
        ready = ready.min(start.elapsed());
        peer.send("go infinite");
        thread::sleep(Duration::from_millis(50));
        let stop = Instant::now();
        play("stop", "> stop\n.. bestmove *", &mut peer);
        stopped = stopped.min(stop.elapsed());
        peer.finish();
        if ready < goals[0] && stopped < goals[1] {
            break;
        }
    }
    println!("start to readyok {ready:?}, stop to bestmove {stopped:?}");
    assert!(
        ready < goals[0] && stopped < goals[1],
        "{ready:?} {stopped:?}"
    );
}

#[test]
fn a_log_has_every_line_in_and_out() {
    let folder = Folder::new("log");
    let path = folder.path("log");
    let mut peer = InProcess::start();
    peer.send(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    play(
        "log",
        "> isready\n< readyok\n> setoption name Debug Log File value <empty>\n> isready\n< readyok",
        &mut peer,
    );
    peer.finish();
    let log = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<_> = log.lines().collect();
    let patterns = [
        "* > isready",
        "* < readyok",
        "* > setoption name Debug Log File value <empty>",
    ];
    assert_eq!(lines.len(), patterns.len(), "{log}");
    for (line, pattern) in lines.into_iter().zip(patterns) {
        assert!(matches(pattern, line), "{line}");
        let seconds = line
            .split(' ')
            .next()
            .and_then(|time| time.parse::<f64>().ok());
        assert!(seconds.is_some_and(|seconds| seconds > 1.7e9), "{line}");
    }
}

/// Words that mean something, so that noise gets past the first word.
const WORDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "depth",
    "nodes",
    "1",
    "2",
    "-3",
    "e2e4",
    "e7e5",
    "e1g1",
    "a7a8q",
    "0000",
    "searchmoves",
    "perft",
    "wtime",
    "btime",
    "winc",
    "movestogo",
    "movetime",
    "mate",
    "stop",
    "setoption",
    "name",
    "value",
    "Hash",
    "Move Overhead",
    "UCI_Chess960",
    "true",
    "d",
    "eval",
    "ponder",
    "ponderhit",
    "debug",
    "on",
    "99999999999999999999",
    "8/8/8/8/8/8/8/8",
    "4k3/8/8/8/8/8/8/4K2R",
    "w",
    "K",
    "-",
    "\u{FFFD}é♞",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is said, the engine answers the next question.
    #[test]
    fn noise_never_ends_a_session(
        lines in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(prop::sample::select(WORDS), 0..8).prop_map(|words| words.join(" ")),
                "\\PC{0,40}",
            ],
            0..30,
        )
    ) {
        let mut peer = InProcess::start();
        for line in &lines {
            // An endless perft would be what was asked for.
            if !line.contains("perft") && !line.contains("quit") && !line.contains("bench") {
                peer.send(line);
            }
        }
        peer.send("stop");
        peer.send("isready");
        loop {
            match peer.receive(Duration::from_secs(10)) {
                Some(line) if line == "readyok" => break,
                Some(_) => {}
                None => panic!("no answer after {lines:?}"),
            }
        }
        peer.finish();
    }
}

#[test]
fn patterns_match_as_they_say() {
    assert!(matches("bestmove * ponder *", "bestmove e2e4 ponder e7e5"));
    assert!(!matches("bestmove * ponder *", "bestmove e2e4"));
    assert!(matches("*", "") && !matches("readyok", "readyok "));
}
