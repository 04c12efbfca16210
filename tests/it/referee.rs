//! The referee: every scenario of `data/scenarios.jsonl`, and its answers to bad requests.

use serde_json::{Map, Value, json};
use tabiya::board::{Position, Setup, perft};
use tabiya::tools::referee;
use tabiya::types::{CastlingMode, Square};

const SCENARIOS: &str = include_str!("../data/scenarios.jsonl");

/// Expectations about XBoard's claims, which are tested with the protocol.
const OTHER_KINDS: [&str; 2] = ["xboard-claim", "xboard-live"];

fn ask(request: &Value) -> Value {
    let mut answer = Vec::new();
    referee::run(request.to_string().as_bytes(), &mut answer).unwrap();
    serde_json::from_slice(&answer).unwrap()
}

/// The request for a scenario.
fn request_for(scenario: &Value) -> Value {
    let mut request = Map::new();
    for name in ["fen", "moves", "chess960", "pgn"] {
        if let Some(value) = scenario.get(name) {
            request.insert(name.to_owned(), value.clone());
        }
    }
    let expect = &scenario["expect"];
    let accepted = expect["san_accept"].as_object().into_iter();
    let accepted = accepted.flat_map(|texts| texts.keys().map(|text| json!(text)));
    let rejected = expect["san_reject"]
        .as_array()
        .into_iter()
        .flatten()
        .cloned();
    let texts: Vec<Value> = accepted.chain(rejected).collect();
    request.insert("san".to_owned(), texts.into());
    request.into()
}

/// The part of the answer that an expectation is about, in the form of the expectation; `None` if
/// its name is unknown.
fn find(name: &str, expected: &Value, scenario: &Value, answer: &Value) -> Option<Value> {
    let found = &answer[name];
    let fen = || answer["fen"].as_str().unwrap();
    Some(match name {
        // The expectation has only some of the members.
        "san" | "san_accept" | "claim_threefold_with" | "claim_fifty_with" | "pgn_header" => {
            let part = |key: &String| (key.clone(), found[key].clone());
            expected.as_object().unwrap().keys().map(part).collect()
        }
        "legal" => {
            let legal = answer["legal_moves"].as_array().unwrap();
            let is_legal = |mv: &String| (mv.clone(), json!(legal.contains(&json!(mv))));
            expected.as_object().unwrap().keys().map(is_legal).collect()
        }
        "legal_moves" | "errors" => in_order_of(expected, found),
        "san_reject" => {
            let found = found.as_array().unwrap();
            let mut expected = expected.as_array().unwrap().clone();
            expected.retain(|text| found.contains(text));
            expected.into()
        }
        "piece_at" => {
            let position = Position::from_fen(fen()).unwrap();
            let piece = |square: &String| {
                let piece = position.piece_at(square.parse::<Square>().unwrap());
                (square.clone(), json!(piece.map(|piece| piece.to_string())))
            };
            expected.as_object().unwrap().keys().map(piece).collect()
        }
        "castling_fen" => {
            let setup: Setup = fen().parse().unwrap();
            json!(setup.to_shredder_fen().split(' ').nth(2))
        }
        "xfen_castling" => answer["castling"].clone(),
        "fen_out_strict" => answer["fen"].clone(),
        "root_legal_ep" => ask(&json!({ "fen": scenario["fen"] }))["legal_ep"].clone(),
        // A mate with the same pieces.
        "mate_fen" => {
            let mate = ask(&json!({ "fen": expected }));
            let is_proof =
                mate["checkmate"] == true && pieces(expected) == pieces(&scenario["fen"]);
            if is_proof { expected.clone() } else { mate }
        }
        "perft" => {
            let setup: Setup = scenario["fen"].as_str().unwrap().parse().unwrap();
            let position = setup.validate(CastlingMode::Chess960).unwrap().position;
            let count = |depth: &String| {
                let leaves = perft::count(&position, depth.parse().unwrap());
                (depth.clone(), json!(leaves))
            };
            expected.as_object().unwrap().keys().map(count).collect()
        }
        _ => return answer.get(name).cloned(),
    })
}

/// The letters of the pieces in a FEN, sorted.
fn pieces(fen: &Value) -> Vec<char> {
    let board = fen.as_str().unwrap().split(' ').next().unwrap();
    let mut letters: Vec<_> = board
        .chars()
        .filter(|letter| letter.is_alphabetic())
        .collect();
    letters.sort_unstable();
    letters
}

/// The list, in the order of the expected one if both have the same members.
fn in_order_of(expected: &Value, found: &Value) -> Value {
    let sorted = |list: &Value| {
        let list = list.as_array().into_iter().flatten();
        let mut members: Vec<_> = list.map(Value::to_string).collect();
        members.sort();
        members
    };
    if sorted(expected) == sorted(found) {
        expected.clone()
    } else {
        found.clone()
    }
}

#[test]
#[allow(clippy::print_stdout)]
fn every_scenario_passes() {
    let (mut run, mut left_out, mut failures) = (0, 0, Vec::new());
    for line in SCENARIOS.lines() {
        let scenario: Value = serde_json::from_str(line).unwrap();
        if OTHER_KINDS.contains(&scenario["kind"].as_str().unwrap()) {
            left_out += 1;
            continue;
        }
        run += 1;
        let answer = ask(&request_for(&scenario));
        for (name, expected) in scenario["expect"].as_object().unwrap() {
            let found = find(name, expected, &scenario, &answer);
            if found.as_ref() != Some(expected) {
                failures.push(format!(
                    "{}: {name}: {expected}, not {found:?}",
                    scenario["id"]
                ));
            }
        }
    }
    println!("{run} scenarios run, {left_out} left out ({OTHER_KINDS:?})");
    assert!(failures.is_empty(), "{failures:#?}");
    assert_eq!(run + left_out, 215);
}

#[test]
fn a_bad_line_gets_an_error_and_the_next_is_read() {
    // Line, ok, part of the error.
    let table = [
        ("nonsense", false, "not a request"),
        (
            "[]",
            false,
            "not a request: a request is a JSON object on one line",
        ),
        (
            "[1, \"8/8/8/8/8/4k3/8/4K2R w K - 0 1\"]",
            false,
            "a request is a JSON object",
        ),
        ("3", false, "not a request"),
        (
            "{\"fen\": null, \"moves\": 3}",
            false,
            "the value of the field `moves` has the wrong type",
        ),
        ("{\"chess960\": \"yes\"}", false, "field `chess960` has"),
        ("{\"fen\": \"nonsense\"}", false, "bad FEN"),
        (
            "{\"move\": []}",
            false,
            "unknown field `move`, expected one of `id`, `fen`, `moves`",
        ),
        (
            "{\"fen\": \"8/8/8/8/8/8/8/8 w\"}",
            false,
            "the board is empty",
        ),
        (
            "{\"moves\": [\"e2e4\", \"e2e4\"]}",
            false,
            "move 2: no piece of the side to move stands on e2",
        ),
        ("\u{fffd}\0", false, "not a request"),
        ("{}", true, ""),
    ];
    let lines: Vec<_> = table.iter().map(|(line, ..)| *line).collect();
    let mut answers = Vec::new();
    referee::run(lines.join("\n\n").as_bytes(), &mut answers).unwrap();
    let answers = String::from_utf8(answers).unwrap();
    assert_eq!(answers.lines().count(), table.len());
    for ((line, ok, reason), answer) in table.into_iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(answer["ok"], ok, "{line}");
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(reason), "{line}: {error}");
        assert_eq!(error.is_empty(), ok, "{line}: {error}");
        // Rust's names and the place in the line are of no use to a peer.
        for internal in ["struct", "sequence", "column", "Referee"] {
            assert!(!error.contains(internal), "{line}: {error}");
        }
    }
}

#[test]
fn a_bracket_costs_moves_only_among_them() {
    for (text, plies, is_complete) in [
        ("[bad tag\n\n1. e4 e5 2. Nf3 Nc6 1-0", 4, true),
        ("1. e4 e5 2. Nf3 [x] Nc6 1-0", 3, false),
    ] {
        let answer = ask(&json!({ "pgn": text }));
        assert_eq!(answer["pgn_plies"], plies, "{text}");
        assert_eq!(answer["pgn_complete"], is_complete, "{text}");
        assert_eq!(answer["pgn_errors"], 1, "{text}");
    }
}

/// Requests, and parts of their answers.
#[test]
fn answers_have_the_expected_parts() {
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(5);
    // Black takes the last piece that can mate, and the kings go to and fro.
    let to_and_fro = ["h5h4", "c8d8", "h4h5", "d8c8"].repeat(5);
    let long_dead = [&["b8c8"], &to_and_fro[..]].concat();
    let table = [
        // Any id is repeated, also in the answer to a bad request.
        (json!({ "id": 7 }), json!({ "id": 7, "ok": true })),
        (
            json!({ "id": {"a": [1]}, "fen": "x" }),
            json!({ "id": {"a": [1]}, "ok": false }),
        ),
        (
            json!({ "id": "q", "colour": 3 }),
            json!({ "id": "q", "ok": false }),
        ),
        (json!({}), json!({ "id": null })),
        // Moves in either notation, mixed.
        (
            json!({ "moves": ["e4", "e7e5", "Nf3", "b8c6", "Bb5", "a6", "O-O-O"] }),
            json!({ "ok": false, "error": "move 7: O-O-O is not legal here" }),
        ),
        (
            json!({ "moves": ["e4", "e7e5", "Nf3", "b8c6", "Bb5", "g8f6", "O-O"] }),
            json!({ "ok": true, "san_last": "O-O" }),
        ),
        (
            json!({ "moves": ["Ke2"] }),
            json!({ "error": "move 1: Ke2 is not a legal move here" }),
        ),
        (
            json!({ "moves": ["what"] }),
            json!({ "error": "move 1: 'what' is not a move such as Nf3, exd5, e8=Q or O-O" }),
        ),
        // Moves after the end of the game are marked.
        (
            json!({ "moves": shuffle }),
            json!({ "ok": true, "over_at": 16, "auto_draw": "fivefold" }),
        ),
        (
            json!({ "moves": shuffle[..16] }),
            json!({ "over_at": null, "auto_draw": "fivefold", "result": "1/2-1/2" }),
        ),
        (
            json!({ "fen": "8/8/4k3/8/8/4K3/8/8 w - - 0 1", "moves": ["Ke4", "Kf6"] }),
            json!({ "over_at": 0 }),
        ),
        // Where the game has ended, there is nothing to claim.
        (
            json!({ "fen": "4k3/8/8/8/8/8/8/4K3 w - - 100 80" }),
            json!({
                "auto_draw": "insufficient",
                "claim_fifty_now": false,
                "claim_fifty_with": { "e1d1": false, "e1d2": false, "e1e2": false, "e1f1": false, "e1f2": false },
            }),
        ),
        (
            json!({ "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 100 80" }),
            json!({ "auto_draw": null, "claim_fifty_now": true }),
        ),
        // A dead position that only a long proof shows.
        (
            json!({ "fen": "2k5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1" }),
            json!({ "dead": true, "auto_draw": "dead", "result": "1/2-1/2" }),
        ),
        // The game was over there, although only the last position was asked about.
        (
            json!({ "fen": "1N1N1b1N/pPpPpPp1/P1P1P1P1/8/8/8/8/K1k5 w - - 0 1", "moves": ["a1a2"] }),
            json!({ "over_at": 0, "auto_draw": "dead" }),
        ),
        (
            json!({ "fen": "1kN5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1", "moves": long_dead[..1] }),
            json!({ "over_at": null, "auto_draw": "dead" }),
        ),
        (
            json!({ "fen": "1kN5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1", "moves": long_dead[..4] }),
            json!({ "over_at": 1, "auto_draw": "dead" }),
        ),
        (
            json!({ "fen": "1kN5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1", "moves": long_dead }),
            json!({ "over_at": 1, "auto_draw": "fivefold" }),
        ),
        // A readable FEN that deviates from the standard.
        (
            json!({ "fen": "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" }),
            json!({ "ok": true, "fen_deviations": ["two digits stand side by side in a rank"] }),
        ),
        (
            json!({ "fen": "4k3/8/8/8/8/8/8/4K3 w - -" }),
            json!({ "ok": true, "fen_deviations": ["a FEN has six fields"] }),
        ),
        (
            json!({ "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1" }),
            json!({ "ok": true, "fen_deviations": [] }),
        ),
        // A result that the board contradicts.
        (
            json!({ "pgn": "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0" }),
            json!({ "pgn_errors": 1, "pgn_faults": ["game 1, line 1: the recorded result is 1-0, the board gives 0-1"] }),
        ),
    ];
    for (question, expected) in table {
        let answer = ask(&question);
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&answer[name], value, "{question}: {name}");
        }
    }
}

/// Also in the answer to a bad request, and where the value is no number of this program.
#[test]
fn an_id_is_repeated_as_it_was_written() {
    for id in [
        "null",
        "7",
        "-0",
        "1.0",
        "1e2",
        "9007199254740993",
        "18446744073709551616",
        "123456789012345678901234567890.10",
        "1e400",
        "-1E-400",
        r#""\u00e9\ud83d\ude00""#,
        r#"{"b": 1, "a": [1e999, null]}"#,
    ] {
        for rest in ["", r#", "moves": 3"#, r#", "colour": 3"#, r#", "fen": "x""#] {
            let mut answer = Vec::new();
            let request = format!(r#"{{"id": {id}{rest}}}"#);
            referee::run(request.as_bytes(), &mut answer).unwrap();
            let answer = String::from_utf8(answer).unwrap();
            let repeated = format!(r#""id":{id}"#);
            assert!(answer.contains(&repeated), "{request}: {answer}");
            assert_eq!(answer.contains(r#""ok":true"#), rest.is_empty(), "{answer}");
        }
    }
    let without = ask(&json!({}));
    assert!(without.get("id").is_none(), "{without}");
    let mut answer = Vec::new();
    referee::run(&br#"{"moves": 1e400}"#[..], &mut answer).unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    let reason = "not a request: the value of the field `moves` has the wrong type";
    assert_eq!(answer["error"], reason);
}

/// In `--help` and in `docs/referee.md`.
#[test]
fn every_field_of_an_answer_is_documented() {
    let document = include_str!("../../docs/referee.md");
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(5);
    let question = json!({
        "id": 1, "moves": moves, "san": ["e4", "x"], "pgn": "*", "chess960": false,
        "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    });
    let answer = ask(&question);
    let names = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let mut fields = [names(&question), names(&answer)].concat();
    fields.push("error".to_owned());
    assert!(fields.len() > 45, "{fields:?}");
    for name in fields {
        let is_in = |text: &str| {
            text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .any(|word| word == name)
        };
        assert!(is_in(referee::HELP) && is_in(document), "{name}");
    }
}

/// Also the mark that was read as Latin-1 and written as UTF-8.
#[test]
fn a_byte_order_mark_is_dropped() {
    for mark in ["\u{FEFF}", "ï»¿"] {
        let mut answer = Vec::new();
        referee::run(format!("{mark}{{}}\n").as_bytes(), &mut answer).unwrap();
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(answer["ok"], json!(true), "{mark:?}");
    }
}
