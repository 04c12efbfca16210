//! XBoard sessions: the transcripts of `tests/data/xboard`, in process and through the program, and
//! tests of noise, single writes, the change to UCI and the end of the input.

use crate::book::start_book;
use crate::session::{
    InProcess, Peer, Program, TIMEOUT, play, play_all_in_process, play_all_through_the_program,
};
use crate::temporary::Folder;
use crossbeam_channel::{Sender, unbounded};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};
use tabiya::board::Position;
use tabiya::engine::Engine;
use tabiya::game::san;
use tabiya::protocol;

#[test]
fn transcripts_hold_in_process() {
    play_all_in_process("xboard");
}

#[test]
fn transcripts_hold_through_the_program() {
    play_all_through_the_program("xboard");
}

/// After `nps`, thinking output shows CPU time, which does not advance while the program is
/// stopped.
#[cfg(target_os = "linux")]
#[test]
fn thinking_output_shows_cpu_time_after_nps() {
    let signal = |name: &str, child: u32| {
        let sent = std::process::Command::new("kill")
            .args([name, &child.to_string()])
            .status();
        assert!(sent.unwrap().success());
    };
    let check = |rate: &str, shows_cpu_time: bool| {
        let mut peer = Program::start();
        peer.send_all(&["xboard", "protover 2", "post", rate, "ping 1"]);
        play("nps", ".. pong 1", &mut peer);
        peer.send("analyze");
        thread::sleep(Duration::from_millis(300));
        signal("-STOP", peer.child.id());
        thread::sleep(Duration::from_secs(2));
        signal("-CONT", peer.child.id());
        peer.send(".");
        let status = loop {
            let line = peer.receive().unwrap();
            if let Some(rest) = line.strip_prefix("stat01: ") {
                break rest.to_owned();
            }
        };
        let centiseconds: u32 = status.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(centiseconds < 200, shows_cpu_time, "{rate}: {status}");
        peer.finish();
    };
    // At the same time, because each is stopped for seconds.
    thread::scope(|scope| {
        for (rate, shows_cpu_time) in [("nps 0", true), ("nps 100000", true), ("nps -1", false)] {
            scope.spawn(move || check(rate, shows_cpu_time));
        }
    });
}

/// The four numbers that the protocol asks for and the three that XBoard shows in columns of their
/// own, a tab, and the moves in SAN; also while the engine ponders.
#[test]
fn thinking_output_has_the_columns_of_xboard_and_san() {
    let mut peer = InProcess::start();
    peer.send_all(&[
        "xboard",
        "protover 2",
        "new",
        "post",
        "hard",
        "st 0.3",
        "usermove e2e4",
    ]);
    let mut position = Position::start();
    position = position.play(san::parse(&position, "e4").unwrap()).unwrap();
    let (mut lines, mut pondered, mut has_answered) = (0, 0, false);
    let deadline = Instant::now() + TIMEOUT;
    while pondered < 5 && Instant::now() < deadline {
        let Some(line) = peer.receive() else {
            break;
        };
        if let Some(mv) = line.strip_prefix("move ") {
            position = position.play(san::parse(&position, mv).unwrap()).unwrap();
            peer.send("ping 9");
        }
        has_answered |= line == "pong 9";
        let Some((numbers, moves)) = line.split_once('\t') else {
            continue;
        };
        let numbers: Vec<i64> = numbers
            .split(' ')
            .map(|text| text.parse().unwrap())
            .collect();
        let [depth, _, time, nodes, selective, knps, _] = numbers[..] else {
            panic!("{line}")
        };
        assert!(selective >= depth, "{line}");
        // Centiseconds and thousands are cut off.
        assert!(
            (knps + 1) * 10 * (time + 1) >= nodes && knps * 10 * time <= nodes,
            "{line}"
        );
        let moves = moves.trim_end_matches([' ', '!', '?']);
        let expected = moves
            .strip_prefix('(')
            .and_then(|moves| moves.split_once(") "));
        let (expected, moves) = expected.map_or((None, moves), |(mv, moves)| (Some(mv), moves));
        let mut after = position;
        for text in expected.into_iter().chain(moves.split(' ')) {
            let mv = san::parse(&after, text).unwrap();
            assert_eq!(san::write(&after, mv), text, "{line}");
            after = after.play(mv).unwrap();
        }
        lines += 1;
        pondered += u32::from(expected.is_some());
        // python-chess sends a ping after the move, and takes lines before the pong for its own.
        assert!(expected.is_none() || has_answered, "{line}");
    }
    assert!(pondered >= 5 && lines > 10, "{pondered} of {lines}");
    peer.finish();
}

/// XBoard's status bar shows the last line.
#[test]
fn of_several_lines_the_best_comes_last() {
    let mut peer = InProcess::start();
    peer.send_all(&[
        "xboard",
        "protover 2",
        "option MultiPV=3",
        "force",
        "setboard 4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1",
        "analyze",
    ]);
    let mut lines: Vec<(i64, i64)> = Vec::new();
    while lines.last().is_none_or(|&(depth, _)| depth < 7) {
        let line = peer.receive().unwrap();
        if let Some((numbers, _)) = line.split_once('\t') {
            let numbers: Vec<_> = numbers
                .split(' ')
                .map(|text| text.parse().unwrap())
                .collect();
            lines.push((numbers[0], numbers[1]));
        }
    }
    for depth in 1..7 {
        let scores: Vec<_> = lines
            .iter()
            .filter(|&&(of, _)| of == depth)
            .map(|&(_, score)| score)
            .collect();
        assert_eq!(scores.len(), 3, "{depth}: {lines:?}");
        assert!(scores.is_sorted(), "{depth}: {lines:?}");
    }
    peer.finish();
}

/// 52 half-moves recorded in force mode do not count among the 27 moves that follow.
#[test]
fn level_counts_moves_from_where_it_comes() {
    let mut peer = InProcess::start();
    peer.send_all(&["xboard", "protover 2", "new", "force"]);
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for mv in shuffle.iter().cycle().take(48) {
        peer.send(&format!("usermove {mv}"));
    }
    for mv in ["a2a3", "a7a6", "h2h3", "h7h6"] {
        peer.send(&format!("usermove {mv}"));
    }
    peer.send_all(&["level 27 0:10 0", "time 1000", "ping 1"]);
    play("level", ".. pong 1", &mut peer);
    let start = Instant::now();
    peer.send("go");
    play("level", ".. move *", &mut peer);
    let time = start.elapsed();
    assert!(time < Duration::from_secs(3), "{time:?}");
    peer.finish();
}

/// The pings behind a search are limited by their length, not by their number.
#[test]
fn long_pings_do_not_fill_the_memory() {
    let mut peer = InProcess::start();
    peer.send_all(&[
        "xboard",
        "protover 2",
        "new",
        "level 0 100:00 0",
        "usermove e2e4",
    ]);
    play("start", ".. feature done=1", &mut peer);
    let long = "7".repeat(40_000);
    for _ in 0..50 {
        peer.send(&format!("ping {long}"));
    }
    for _ in 0..49 {
        let line = peer.receive().unwrap();
        assert!(
            line.starts_with("Error (too many pings during a search): ping 777"),
            "{line}"
        );
    }
    peer.send("?");
    play("end", &format!(".. move *\n< pong {long}"), &mut peer);
    peer.finish();
}

/// PowerShell puts a byte order mark before the first command, or sends UTF-16.
#[test]
fn a_byte_order_mark_hides_no_protocol() {
    let utf16: Vec<u8> = "\u{FEFF}xboard\r\nprotover 2\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for bytes in [&b"\xEF\xBB\xBFxboard\r\nprotover 2\r\n"[..], &utf16] {
        let mut peer = Program::start();
        peer.send_bytes(bytes);
        play("mark", "< feature myname=*\n.. feature done=1", &mut peer);
        peer.finish();
    }
    let mut peer = Program::start();
    // An answer does not wait for more bytes.
    peer.send_bytes(b"d\n");
    play("short", ".. Fen: *", &mut peer);
    peer.finish();
}

#[test]
fn bk_lists_the_book_moves() {
    let folder = Folder::new("bk");
    let path = folder.write("book.bin", start_book(&[("d2d4", 1), ("e2e4", 3)]));
    let mut peer = InProcess::start();
    let script = format!(
        "> xboard\n> option BookFile={}\n> bk\n<  e2e4 75 %\n<  d2d4 25 %\n< \n> usermove a2a3\n> bk\n<  no book move\n< ",
        path.display()
    );
    play("bk", &script, &mut peer);
    peer.finish();
}

/// Arena sends `xboard` and then `uci`, without waiting for an answer.
#[test]
fn a_peer_may_change_to_uci() {
    let mut peer = Program::start();
    peer.send_bytes(b"xboard\r\nuci\r\nisready\r\n");
    play(
        "Arena",
        "< id name Tabiya *\n.. uciok\n< readyok\n> go depth 3\n.. bestmove *",
        &mut peer,
    );
    peer.finish();
    // During a search too: its output is dropped.
    let mut peer = InProcess::start();
    play(
        "late",
        "> \n> xboard\n> new\n> level 0 100:00 0\n> e2e4\n> uci\n< id name Tabiya *\n.. uciok\n> isready\n< readyok",
        &mut peer,
    );
    peer.finish();
}

#[test]
fn the_end_of_the_input_is_quit() {
    for lines in [
        &b"xboard\nnew\nforce\nanalyze\nunfinished"[..],
        b"xboard\r\nnew\r\nlevel 0 100:00 0\r\ngo\r\n",
        b"xboard\nedit\n",
        b"\n\n",
        b"",
    ] {
        let mut peer = Program::start();
        peer.send_bytes(lines);
        peer.finish();
    }
}

#[test]
fn the_end_of_the_input_during_a_search_ends_with_the_move() {
    let mut peer = Program::start();
    peer.send_bytes(b"xboard\nhard\nlevel 0 100:00 0\ngo\n");
    let output = peer.finish();
    assert!(
        output.last().is_some_and(|line| line.starts_with("move ")),
        "{output:?}"
    );
}

#[test]
fn a_very_long_line_is_one_error() {
    let mut peer = Program::start();
    peer.send_bytes(b"xboard\n");
    peer.send_bytes(&[b'x'; 1 << 20]);
    play(
        "long",
        "> \n< Error (unknown command): xxx*…\n> ping 1\n< pong 1",
        &mut peer,
    );
    peer.finish();
}

/// Sends each write to a channel.
struct Writes(Sender<String>);

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.0.send(text).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// XBoard may act between two writes, so a move and its claim or offer must be one write.
#[test]
fn a_move_and_its_claim_are_one_write() {
    let (input, lines) = unbounded();
    let (sender, writes) = unbounded();
    let session = thread::spawn(move || protocol::run(lines, Engine::new()?, Writes(sender)));
    let ask = |script: &str| {
        for line in script.lines() {
            input.send(line.to_owned()).unwrap();
        }
        writes.recv_timeout(TIMEOUT).unwrap()
    };
    assert_eq!(
        ask("xboard\nforce\nsd 5\nsetboard 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\ngo"),
        "move d1d8\n1-0 {White mates}\n"
    );
    let text = ask("force\nsetboard 8/8/8/4k3/8/8/4K3/R7 b - - 99 80\ngo");
    assert!(text.starts_with("offer draw\nmove ") && text.lines().count() == 2);
    input.send("quit".to_owned()).unwrap();
    session.join().unwrap().unwrap();
}

/// In each scenario, a result line is sent only if XBoard grants it, and with the right comment.
/// The better side may play on, so not every draw that may be claimed is.
#[test]
fn result_lines_follow_xboards_rules() {
    let claims = include_str!("../data/xboard_claims.txt");
    let mut claimed = BTreeSet::new();
    for line in claims.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split(';').map(str::trim).collect();
        let [name, fen, moves, claim, _] = fields[..] else {
            panic!("not five fields: {line}")
        };
        let mut peer = InProcess::start();
        peer.send_all(&["xboard", "force", "sd 5", &format!("setboard {fen}")]);
        for mv in moves.split_ascii_whitespace() {
            peer.send(&format!("usermove {mv}"));
        }
        peer.send("go");
        peer.send("ping 1");
        let lines = std::iter::from_fn(|| peer.receive());
        let output: Vec<_> = lines.take_while(|line| line != "pong 1").collect();
        let words = match claim {
            "repetition" => "1/2-1/2 {Draw by repetition}",
            "fifty" => "1/2-1/2 {Draw by fifty-move rule}",
            "insufficient" => "1/2-1/2 {Draw by insufficient material}",
            _ => "",
        };
        let before_move: Vec<_> = output
            .iter()
            .map(String::as_str)
            .take_while(|line| !line.starts_with("move "))
            .collect();
        let is_move = before_move.len() < output.len();
        let is_right = match before_move[..] {
            [] | ["offer draw"] => is_move && claim != "insufficient",
            [result] => {
                claimed.insert(claim);
                !is_move && result == words
            }
            _ => false,
        };
        assert!(is_right, "{name}: {output:?}");
        peer.finish();
    }
    let all = ["fifty", "insufficient", "repetition"];
    assert_eq!(claimed, BTreeSet::from(all));
}

/// Every scenario for XBoard that can be played has a line in `xboard_claims.txt`.
#[test]
fn the_scenarios_for_xboard_are_complete() {
    let claims = include_str!("../data/xboard_claims.txt");
    // These have no claim: xb-009 concerns another program, and the others the wording of a line.
    let excluded = ["xb-009", "xl-015", "xl-016", "xl-017", "xl-018"];
    let mut count = 0;
    for line in include_str!("../data/scenarios.jsonl").lines() {
        let scenario: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| scenario[key].as_str().unwrap_or_default();
        if text("kind").starts_with("xboard-") && !excluded.contains(&text("id")) {
            let start = format!("; {}; ", text("fen"));
            let is_listed = claims.lines().any(|line| {
                line.split(';')
                    .next()
                    .is_some_and(|names| names.contains(text("id")))
                    && line.contains(&start)
            });
            assert!(is_listed, "{}", text("id"));
            count += 1;
        }
    }
    assert_eq!(count, 24);
}

/// Known words, so that random lines get past the first word.
const WORDS: &[&str] = &[
    "new",
    "force",
    "go",
    "playother",
    "white",
    "black",
    "level",
    "40",
    "0:01",
    "0",
    "st",
    "0.01",
    "sd",
    "2",
    "time",
    "-5",
    "usermove",
    "e2e4",
    "e7e5",
    "Nf3",
    "O-O",
    "?",
    "draw",
    "result",
    "1-0",
    "setboard",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "edit",
    "#",
    "c",
    "Ke1",
    "Kd8",
    ".",
    "hint",
    "bk",
    "undo",
    "remove",
    "hard",
    "easy",
    "post",
    "nopost",
    "analyze",
    "exit",
    "exclude",
    "include",
    "all",
    "e1g1",
    "option",
    "Move Overhead=5",
    "Clear Hash",
    "variant",
    "normal",
    "fischerandom",
    "ping",
    "99",
    "accepted",
    "debug",
    "memory",
    "cores",
    "egtpath",
    "protover",
    "Draw",
    "White",
    "\u{FFFD}é♞",
];

/// Whether XBoard takes the line for a claim.
fn is_claim(line: &str) -> bool {
    line.contains("Draw") || ["White", "Black"].iter().any(|word| line.starts_with(word))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// The engine still answers, and no answer is a claim by mistake.
    #[test]
    fn random_lines_never_end_a_session(
        lines in prop::collection::vec(
            prop_oneof![
                6 => prop::sample::select(WORDS).prop_map(str::to_owned),
                6 => prop::collection::vec(prop::sample::select(WORDS), 0..5).prop_map(|words| words.join(" ")),
                1 => "\\PC{0,40}",
            ],
            0..60,
        )
    ) {
        let mut peer = InProcess::start();
        peer.send("xboard");
        for line in &lines {
            let first = line.split_whitespace().next().unwrap_or_default();
            if !["quit", "uci"].contains(&first) {
                peer.send(line);
            }
        }
        peer.send("?");
        peer.send("ping 4711");
        loop {
            match peer.receive() {
                Some(line) if line == "pong 4711" => break,
                Some(line) => prop_assert!(!is_claim(&line) || line.starts_with("1/2-1/2 {"), "{line}"),
                None => panic!("no answer after {lines:?}"),
            }
        }
        peer.finish();
    }
}
