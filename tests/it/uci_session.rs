//! UCI sessions: the transcripts of `tests/data/uci`, in process and through the program, and tests
//! of noise, delays and the end of the input.

#![allow(clippy::print_stdout)] // Delays, shown with --nocapture.

use crate::book::start_book;
use crate::process;
use crate::random_games::KIWIPETE;
use crate::session::{
    InProcess, Peer, Program, TIMEOUT, matches, play, play_all_in_process,
    play_all_through_the_program,
};
use crate::temporary::Folder;
use crossbeam_channel::{Receiver, Sender, unbounded};
use proptest::prelude::*;
use std::io::{self, LineWriter, Write};
use std::thread;
use std::time::{Duration, Instant};
use tabiya::engine::{Engine, Kind, OptionValues};
use tabiya::protocol::{self, UciCommand, parse_uci};
use tabiya::types::MAX_PLY;

#[test]
fn transcripts_hold_in_process() {
    play_all_in_process("uci");
}

#[test]
fn transcripts_hold_through_the_program() {
    play_all_through_the_program("uci");
}

#[test]
fn options_are_printed_with_their_defaults_and_can_be_set() {
    let mut peer = InProcess::start();
    let mut defaults = OptionValues::default();
    // UCI has no way to resign.
    peer.send("uci");
    let lines = std::iter::from_fn(|| peer.receive()).take_while(|line| line != "uciok");
    let names: Vec<_> = lines
        .filter_map(|line| {
            Some(
                line.strip_prefix("option name ")?
                    .split_once(" type ")?
                    .0
                    .to_owned(),
            )
        })
        .collect();
    let expected = tabiya::engine::OPTIONS.iter().map(|option| option.name);
    let expected: Vec<_> = expected.filter(|&name| name != "Resign").collect();
    assert_eq!(names, expected);
    let shown = tabiya::engine::OPTIONS
        .iter()
        .filter(|option| option.name != "Resign");
    let transcript: String = shown
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
    // No error comes before the answer.
    assert_eq!(peer.receive().as_deref(), Some("readyok"));
    peer.finish();
}

#[test]
fn the_end_of_the_input_is_quit_even_within_a_line() {
    let mut peer = Program::start();
    peer.send_bytes(b"position startpos\r\ngo infinite\r\nisre");
    let output = peer.finish();
    assert!(
        output
            .last()
            .is_some_and(|line| line.starts_with("bestmove ")),
        "{output:?}"
    );
}

/// The limit of the file size stands for a full disk.
#[cfg(unix)]
#[test]
fn a_log_that_cannot_be_written_is_reported_once() {
    let folder = Folder::new("log_full");
    let log = folder.path("log").display().to_string();
    for (script, message) in [
        (
            format!(
                "uci\nsetoption name Debug Log File value {log}\nisready\n\
                 setoption name Hash value 8\nisready\nquit\n"
            ),
            "info string ",
        ),
        (
            format!(
                "xboard\noption Debug Log File={log}\nping 1\noption Move Overhead=20\nping 2\nquit\n"
            ),
            "tellusererror ",
        ),
    ] {
        let output = process::run(&mut process::limited("-f 0"), &script).stdout;
        let output = String::from_utf8(output).unwrap();
        let message = format!("{message}the log cannot be written and is closed: ");
        assert_eq!(output.matches(&message).count(), 1, "{output}");
    }
}

/// A person who types `quit` during a perft does not wait for it.
#[test]
fn a_late_quit_stops_a_perft_at_once() {
    let mut peer = Program::start();
    peer.send("go perft 12");
    // Answered during the perft, so that the program has started.
    peer.send("isready");
    assert_eq!(peer.receive().as_deref(), Some("readyok"));
    // A script that sends everything at once is waited for; this is later.
    thread::sleep(Duration::from_millis(300));
    peer.send("quit");
    let start = Instant::now();
    let output = peer.finish();
    // A script would have been given five seconds.
    assert!(start.elapsed() < Duration::from_millis(4_500));
    assert!(
        output
            .iter()
            .any(|line| line == "info string perft was stopped"),
        "{output:?}"
    );
}

#[test]
fn quit_lets_a_short_perft_finish() {
    let mut peer = Program::start();
    peer.send_bytes(
        b"position startpos\ngo perft 4\nposition startpos moves e2e4\ngo perft 3\nquit\n",
    );
    let output = peer.finish();
    let totals: Vec<_> = output
        .iter()
        .filter(|line| line.starts_with("Nodes searched"))
        .collect();
    assert_eq!(totals, ["Nodes searched: 197281", "Nodes searched: 13160"]);
}

/// The end of the input stops a perft before the five seconds that `quit` gives it.
#[test]
fn quit_and_the_end_of_the_input_stop_a_long_perft() {
    let check = |script: &str, max_seconds| {
        let mut peer = Program::start();
        peer.send_bytes(script.as_bytes());
        let start = Instant::now();
        let output = peer.finish();
        assert!(
            start.elapsed() < Duration::from_secs(max_seconds),
            "{script}"
        );
        let stopped = output
            .iter()
            .filter(|line| *line == "info string perft was stopped");
        assert_eq!(
            stopped.count(),
            script.matches("perft").count(),
            "{script}: {output:?}"
        );
    };
    // At the same time, because a perft may go on for seconds after `quit`.
    thread::scope(|scope| {
        for (script, max_seconds) in [
            ("go perft 12\n", 5),
            ("go perft 12\ngo perft 12\n", 5),
            ("go perft 12\nquit\n", 15),
            ("go perft 12\ngo perft 12\nquit\n", 15),
        ] {
            scope.spawn(move || check(script, max_seconds));
        }
    });
}

#[test]
fn each_search_answers_once_when_searches_and_stops_come_in_one_write() {
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

/// The queue of a peer that sends lines without end stays small.
#[cfg(target_os = "linux")]
#[test]
fn a_flood_of_input_does_not_fill_the_memory() {
    use std::io::Read;
    use std::process::Stdio;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    for line in [
        "isready\n",
        "position startpos moves e2e4 e7e5\n",
        "d\n",
        "go\n",
    ] {
        let mut child = process::tabiya()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"go infinite\n").unwrap();
        let chunk = line.repeat(1_000).into_bytes();
        let sent = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&sent);
        let flood = thread::spawn(move || {
            // The output is not read. The pipe fills up, or the engine accepts all lines.
            while counter.load(Ordering::Relaxed) < 100 << 20 && input.write_all(&chunk).is_ok() {
                counter.fetch_add(chunk.len(), Ordering::Relaxed);
            }
        });
        // Until nothing more has been taken for half a second.
        let mut taken = 0;
        let mut since = Instant::now();
        while since.elapsed() < Duration::from_millis(500) && !flood.is_finished() {
            let now = sent.load(Ordering::Relaxed);
            if now != taken {
                (taken, since) = (now, Instant::now());
            }
            thread::sleep(Duration::from_millis(20));
        }
        assert!(taken < 32 << 20, "{line:?}: {taken} bytes were taken");
        let peak = process::peak_memory(&child).unwrap();
        assert!(peak < 200 << 10, "{line:?}: {peak} kB");
        child.kill().unwrap();
        let _ = child.stdout.take().unwrap().read_to_end(&mut Vec::new());
        child.wait().unwrap();
        flood.join().unwrap();
    }
}

/// Reading a device may never end, and reading a pipe may block.
#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused_at_once() {
    let folder = Folder::new("special");
    let pipe = process::named_pipe(&folder);
    folder.write("zeros.net", vec![0; 1 << 20]);
    folder.write("text.net", "not a network\n");
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
        let name = file.display();
        let script =
            format!("> setoption name {option} value {name}\n< info string *{name}*{reason}");
        play(option, &script, &mut peer);
    }
    peer.finish();
}

/// An engine that needs no registration and has no more to say may ignore these commands.
#[test]
fn debug_and_register_are_known_and_do_nothing() {
    let mut peer = InProcess::start();
    let script = "> debug on\n> register later\n> debug off\n> isready\n< readyok";
    play("ignored", script, &mut peer);
    let rest = peer.finish();
    assert!(rest.is_empty(), "{rest:?}");
}

/// A terminal obeys control characters.
#[test]
fn messages_quote_the_peer_without_control_characters() {
    for script in [
        "> setoption name \x1b[31m value 1\n< info string no option is called '\u{fffd}[31m'",
        "> setoption name BookFile value \x07\n< info string the book \u{fffd} cannot be read: *",
        "> \x1bc\n< info string unknown command '\u{fffd}c'",
        "> xboard\n> \x1b]0;x\x07\n< Error (unknown command): \u{fffd}]0;x\u{fffd}",
        "> xboard\n> option \u{9b}=1\n< Error (no option is called '\u{fffd}'): option \u{fffd}=1",
        "> xboard\n> usermove \x1bc\n< Illegal move (*): \u{fffd}c",
        "> xboard\n> setboard \x1b\n< tellusererror Illegal position: *",
    ] {
        let mut peer = InProcess::start();
        let (sent, expected) = script.split_once("\n< ").expect("a message");
        for line in sent.lines() {
            peer.send(line.trim_start_matches("> "));
        }
        let output = peer.finish();
        assert!(
            output.iter().any(|line| matches(expected, line)),
            "{output:?}"
        );
        assert!(!output.concat().contains(char::is_control), "{output:?}");
    }
}

#[test]
fn a_book_move_has_a_line_with_its_score() {
    let folder = Folder::new("book");
    let book = folder.write("book.bin", start_book(&[("e2e4", 1)]));
    for script in [
        "> setoption name BookFile value BOOK\n> setoption name OwnBook value true\n> go movetime 50\n\
         < info string the move is from the book*\n\
         < info depth 0 seldepth 0 * score cp * nodes 0 * pv e2e4\n< bestmove e2e4",
        "> xboard\n> option BookFile=BOOK\n> option OwnBook=1\n> post\n> go\n< 0 * 0 *\te4\n< move e2e4",
    ] {
        let mut peer = InProcess::start();
        let script = script.replace("BOOK", &book.display().to_string());
        play("book", &script, &mut peer);
        peer.finish();
    }
}

#[test]
fn the_book_is_closed_in_analysis() {
    let folder = Folder::new("book");
    let book = folder.write("book.bin", start_book(&[("a2a3", 1)]));
    let script = format!(
        "> setoption name BookFile value {}\n> setoption name OwnBook value true\n\
         > setoption name UCI_AnalyseMode value true\n> go depth 1\n\
         < info depth 1 *\n.. bestmove *\n\
         > setoption name UCI_AnalyseMode value false\n> go depth 1\n\
         < info string the move is from the book*\n.. bestmove a2a3",
        book.display()
    );
    let mut peer = InProcess::start();
    play("analysis", &script, &mut peer);
    peer.finish();
}

/// Four lines of a megabyte are kept, and the fifth is not. When the search has ended, there is
/// room again.
#[test]
fn input_queued_behind_a_search_is_limited() {
    let mut peer = InProcess::start();
    let dropped = ".. info string too much input is queued behind the search; line dropped";
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(50_000);
    for (lasts, board) in [
        (
            ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3"],
            "8/8/8/3P4/PPP1PPPP",
        ),
        (
            ["e2e4", "d2d4", "c2c4", "b2b4", "a2a4"],
            "8/8/1P6/8/P1PPPPPP",
        ),
    ] {
        peer.send("go infinite");
        for last in lasts {
            peer.send(&format!("position startpos moves {moves}{last}"));
        }
        let script = format!(
            "{dropped}\n> isready\n.. readyok\n> stop\n.. bestmove *\n> d\n\
             .. Fen: rnbqkbnr/pppppppp/{board}/RNBQKBNR b KQkq * 0 *"
        );
        play("queue", &script, &mut peer);
    }
    peer.finish();
}

/// Programs that referee a game warn about a line that goes on after its end. The search before
/// leaves replies in the table.
#[test]
fn a_move_that_draws_the_game_has_no_reply() {
    let mut peer = InProcess::start();
    for (position, next, mv) in [
        (
            "startpos",
            "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",
            "f6g8",
        ),
        (
            "fen 8/8/4k3/8/8/4K3/8/R6r b - - 100 90",
            "fen 8/8/4k3/8/8/4K3/8/1R5r w - - 99 90",
            "b1a1",
        ),
        (
            "fen 8/8/4k3/8/8/8/4K3/8 b - - 0 1",
            "fen 8/8/4k3/8/8/8/4r3/4K3 w - - 0 1",
            "e1e2",
        ),
    ] {
        let script = format!(
            "> ucinewgame\n> position {position}\n> go depth 7\n.. bestmove *\n\
             > position {next}\n> go depth 6 searchmoves {mv}\n.. bestmove {mv}"
        );
        play(next, &script, &mut peer);
    }
    peer.finish();
}

/// The nodes end most of these searches in the middle of an iteration, whose first line may be of
/// another move than before.
#[test]
fn the_answer_comes_with_all_lines() {
    let mut peer = InProcess::start();
    for (minimal, nodes) in [1, 5_003, 10_007, 20_011, 40_009]
        .into_iter()
        .flat_map(|nodes| [(false, nodes), (true, nodes)])
    {
        peer.send_all(&[
            "setoption name MultiPV value 3",
            &format!("setoption name Minimal value {minimal}"),
            &format!("position fen {KIWIPETE}"),
            &format!("go nodes {nodes}"),
        ]);
        let receive = || peer.receive().unwrap();
        let mut infos: Vec<_> = std::iter::repeat_with(receive)
            .take_while(|line| !line.starts_with("bestmove "))
            .collect();
        assert!(!minimal || infos.len() == 3, "{nodes}: {infos:?}");
        let last = infos.split_off(infos.len().saturating_sub(3));
        let word_after = |line: &str, word: &str| {
            let mut words = line.split(' ').skip_while(|&text| text != word);
            words.nth(1).unwrap_or_default().to_owned()
        };
        let words = |word: &str| {
            last.iter()
                .map(|line| word_after(line, word))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words("multipv"),
            ["1", "2", "3"],
            "{minimal} {nodes}: {last:?}"
        );
        assert_eq!(
            words("nodes"),
            [(); 3].map(|()| nodes.to_string()),
            "{last:?}"
        );
        let moves = words("pv");
        assert!(
            moves[0] != moves[1] && moves[0] != moves[2] && moves[1] != moves[2],
            "{last:?}"
        );
    }
    peer.finish();
}

#[test]
fn a_closed_output_ends_the_session_without_an_error() {
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

/// An output that blocks at the first `info` line until the gate opens.
struct Gate {
    open: Receiver<()>,
    peer: Sender<String>,
}

impl Write for Gate {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        if text.starts_with("info") {
            // The gate opens when the other end of the channel is dropped.
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

/// A blocked output does not delay the search. When the peer reads again, the answer follows soon:
/// after the lines of two iterations at most.
#[test]
fn a_slow_reader_misses_old_info_but_not_the_answer() {
    // A busy machine may begin the search late.
    let counts: Vec<_> = (0..5)
        .map(|_| infos_for_a_slow_reader())
        .take_while(|infos| !(200..=2 * MAX_PLY + 2).contains(infos))
        .collect();
    assert!(counts.len() < 5, "{counts:?}");
}

/// The number of `info` lines that a peer gets who reads only after the search.
fn infos_for_a_slow_reader() -> usize {
    let (input, lines) = unbounded();
    let (gate, open) = unbounded();
    let (peer, writes) = unbounded();
    let gated = LineWriter::new(Gate { open, peer });
    let session = thread::spawn(move || protocol::run(lines, Engine::new()?, gated));
    // This search prints thousands of lines.
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
    let mut infos = 0;
    let mut answers = 0;
    while answers < 2 {
        let text = writes.recv_timeout(TIMEOUT).unwrap();
        infos += usize::from(text.starts_with("info "));
        answers += usize::from(
            ["readyok", "bestmove "]
                .iter()
                .any(|word| text.starts_with(word)),
        );
    }
    drop(input);
    session.join().unwrap().unwrap();
    infos
}

#[test]
fn commands_are_answered_during_a_bench() {
    let mut peer = InProcess::start();
    let script = "> bench 40\n> isready\n< readyok\n> stop\n< info string bench was stopped\n\
                  > bench 1\n> isready\n.. * nodes * nps\n> go depth 1\n.. bestmove *";
    play("bench", script, &mut peer);
    peer.finish();
    // At the end of the input, a bench of default depth may finish; a deeper one is stopped.
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
        let output = peer.finish();
        assert!(
            output.last().is_some_and(|line| matches(answer, line)),
            "{output:?}"
        );
    }
}

fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove ")
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
            let line = peer.receive().expect("an answer to each search");
            if is_answer(&line) {
                break;
            }
        }
    }
    let rest = peer.finish();
    assert!(!rest.iter().any(|line| is_answer(line)), "{rest:?}");
}

/// It holds its answer until `stop` or `ponderhit`, which never come.
#[test]
fn a_search_without_a_position_ends_with_the_session() {
    for refused in ["go infinite", "go ponder"] {
        for last in [&["quit"][..], &[]] {
            let mut peer = InProcess::start();
            peer.send_all(&["go infinite", "position fen bad", refused]);
            peer.send_all(last);
            let output = peer.finish();
            let answers = output.iter().filter(|line| is_answer(line)).count();
            assert_eq!(answers, 2, "{refused} {last:?}: {output:?}");
        }
    }
}

#[test]
fn the_engine_starts_and_stops_quickly() {
    // The minimum of several tries, because a busy machine may delay any one of them.
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
fn the_log_has_every_line_of_input_and_output() {
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

/// Neither `quit` at the end of the input, nor `uci` again for the new protocol.
#[test]
fn the_log_has_no_line_that_was_not_sent() {
    let folder = Folder::new("log_end");
    let log = folder.path("log");
    let script = format!("xboard\noption Debug Log File={}\nuci\n", log.display());
    process::run(&mut process::tabiya(), &script);
    let text = std::fs::read_to_string(&log).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once(" > "));
    let inputs: Vec<_> = lines.map(|(_, input)| input).collect();
    assert_eq!(inputs, ["uci", "(end of input)"]);
}

#[test]
fn a_log_whose_name_is_not_utf_8_is_refused() {
    let folder = Folder::new("log_name");
    let name = folder.path("l\u{FFFD}g");
    let script = format!(
        "> setoption name Debug Log File value {}\n< info string *not UTF-8*",
        name.display()
    );
    let mut peer = InProcess::start();
    play("log name", &script, &mut peer);
    peer.finish();
    assert!(!name.exists());
}

/// Known words, so that random lines get past the first word.
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
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_go_among_random_lines_gets_one_answer(
        lines in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(prop::sample::select(WORDS), 0..8).prop_map(|words| words.join(" ")),
                "\\PC{0,40}",
            ],
            0..30,
        )
    ) {
        let mut peer = InProcess::start();
        let mut searches = 0;
        for line in &lines {
            // These may take long or end the session.
            if !["perft", "quit", "bench"].iter().any(|word| line.contains(word)) {
                peer.send(line);
                searches += usize::from(matches!(parse_uci(line).0, Some(UciCommand::Go(_))));
            }
        }
        peer.send("stop");
        peer.send("isready");
        let mut output = Vec::new();
        while output.last().is_none_or(|line| line != "readyok") {
            output.push(peer.receive().expect("an answer"));
        }
        output.extend(peer.finish());
        let answers = output.iter().filter(|line| is_answer(line)).count();
        prop_assert_eq!(answers, searches, "{:?}", output);
    }
}

#[test]
fn a_star_matches_any_text() {
    assert!(matches("bestmove * ponder *", "bestmove e2e4 ponder e7e5"));
    assert!(!matches("bestmove * ponder *", "bestmove e2e4"));
    assert!(matches("*", "") && !matches("readyok", "readyok "));
}
