//! The steps as programs: what a chess program would see.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

const STEPS: [&str; 10] = [
    env!("CARGO_BIN_EXE_step01"),
    env!("CARGO_BIN_EXE_step02"),
    env!("CARGO_BIN_EXE_step03"),
    env!("CARGO_BIN_EXE_step04"),
    env!("CARGO_BIN_EXE_step05"),
    env!("CARGO_BIN_EXE_step06"),
    env!("CARGO_BIN_EXE_step07"),
    env!("CARGO_BIN_EXE_step08"),
    env!("CARGO_BIN_EXE_step09"),
    env!("CARGO_BIN_EXE_step10"),
];

/// What step `number` prints for an input, which ends without `quit`. Parts of the input are sent
/// with a pause before each but the first. The step must end within two minutes.
fn say(number: usize, parts: &[&[u8]]) -> String {
    let mut child = Command::new(STEPS[number - 1])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the step starts");
    let mut input = child.stdin.take().expect("a pipe");
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            thread::sleep(Duration::from_millis(200));
        }
        input.write_all(part).expect("the step reads");
    }
    drop(input);
    let deadline = Instant::now() + Duration::from_secs(120);
    while child.try_wait().expect("a status").is_none() {
        if Instant::now() > deadline {
            child.kill().expect("it can be ended");
            panic!("step {number} does not end");
        }
        thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("the step ends");
    assert!(output.status.success(), "step {number}: {}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

fn search(number: usize, fen: &str, limit: &str) -> String {
    say(
        number,
        &[format!("position fen {fen}\ngo {limit}\n").as_bytes()],
    )
}

/// The text after the last ` score ` up to ` nodes`.
fn last_score(output: &str) -> &str {
    let (_, rest) = output.rsplit_once(" score ").expect("a score");
    rest.split_once(" nodes").expect("nodes").0
}

fn lines(file: &str) -> Vec<String> {
    let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).expect("the file is there");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_step_answers_uci_and_plays_a_legal_first_move() {
    for number in 1..=10 {
        let output = say(
            number,
            &[b"uci\nisready\nucinewgame\nposition startpos\ngo depth 2\n"],
        );
        let lines: Vec<_> = output
            .lines()
            .filter(|line| !line.starts_with("info"))
            .collect();
        assert!(
            lines[0].starts_with(&format!("id name Step {number}: ")),
            "{output}"
        );
        assert_eq!(lines[2..4], ["uciok", "readyok"]);
        let legal = course::rules::Position::start().legal_moves();
        let best = lines[4].strip_prefix("bestmove ").expect("a move");
        assert!(
            legal.iter().any(|&mv| course::rules::move_text(mv) == best),
            "{best}"
        );
    }
}

#[test]
fn mates_in_two_are_found_from_step_3_on() {
    for fen in lines("tests/mates.epd") {
        for number in 3..=10 {
            // Step 9 begins to leave moves out, and sees some mates later.
            let depth = if number < 9 { "depth 3" } else { "depth 8" };
            let output = search(number, &fen, depth);
            assert_eq!(
                last_score(&output),
                "mate 2",
                "step {number}, {fen}: {output}"
            );
        }
    }
}

#[test]
fn alpha_beta_has_the_score_of_negamax() {
    for fen in lines("positions.epd") {
        let scores = [3, 4].map(|number| search(number, &fen, "depth 3"));
        assert_eq!(last_score(&scores[0]), last_score(&scores[1]), "{fen}");
    }
}

#[test]
fn iterative_deepening_does_not_change_the_score() {
    for fen in lines("positions.epd") {
        let scores = [6, 7].map(|number| search(number, &fen, "depth 3"));
        assert_eq!(last_score(&scores[0]), last_score(&scores[1]), "{fen}");
    }
}

#[test]
fn no_input_ends_a_step_before_its_end() {
    let inputs: [&[u8]; 8] = [
        b"position startpos moves e2e5\ngo depth 1\n",
        b"position fen 8/8/8/8/8/8/8/8 w - - 0 1\ngo depth 1\n",
        b"position fen\nposition\nposition startpos moves\ngo depth 1\n",
        b"\xff\xfe\n\0\n\ngo depth 1\n",
        b"position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo depth 1\n",
        b"position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1\ngo\n",
        b"go depth\ngo nodes -1 depth 1\ngo depth 99999999999999999999 nodes 1\n",
        b"setoption name Hash value 1\nxyzzy\ngo wtime -5 btime -5 movestogo 0 depth 1\n",
    ];
    for number in 1..=10 {
        for input in inputs {
            let output = say(number, &[input]);
            assert!(output.contains("bestmove "), "step {number}: {output}");
        }
    }
}

#[test]
fn a_search_without_limits_ends_when_the_chess_program_goes_away() {
    for number in 7..=10 {
        let output = say(number, &[b"go infinite\n"]);
        assert!(output.contains("bestmove "), "step {number}: {output}");
    }
}

#[test]
fn a_mated_side_answers_with_the_null_move() {
    let output = search(1, "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "depth 1");
    assert!(output.ends_with("bestmove 0000\n"), "{output}");
}

#[test]
fn an_infinite_search_answers_isready_and_waits_for_stop() {
    for number in [3, 7, 10] {
        let parts: [&[u8]; 3] = [b"go infinite\n", b"isready\n", b"stop\nisready\n"];
        let output = say(number, &parts);
        let lines: Vec<_> = output
            .lines()
            .filter(|line| !line.starts_with("info"))
            .collect();
        assert_eq!(lines[0], "readyok", "step {number}: {output}");
        // `stop` and the second `isready` arrive together; either answer may come first.
        let mut rest = lines[1..].to_vec();
        rest.sort_unstable();
        assert!(rest[0].starts_with("bestmove "), "step {number}: {output}");
        assert_eq!(rest[1..], ["readyok"], "step {number}: {output}");
    }
}

#[test]
fn a_limit_of_nodes_ends_a_search() {
    for number in 7..=10 {
        let output = say(number, &[b"go nodes 5000\n"]);
        assert!(output.contains("bestmove "), "step {number}: {output}");
        // That of the last whole iteration.
        let (_, rest) = output.rsplit_once(" nodes ").expect("nodes");
        let nodes = rest.split(' ').next().expect("a number");
        let nodes: u64 = nodes.parse().expect("a number");
        assert!(nodes <= 5_000, "step {number}: {output}");
    }
}

#[test]
fn a_repetition_is_a_draw_from_step_8_on() {
    // White is lost, and has a perpetual check: the queen goes to and fro between e8 and h5.
    let fen = "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1";
    let draws = |number| last_score(&search(number, fen, "depth 7")) == "cp 0";
    assert!(
        !draws(6),
        "step 6 does not know repetitions: the test needs another position"
    );
    for number in 8..=10 {
        assert!(draws(number), "step {number}");
    }
}
