//! The referee: each line gets one answer, a JSON object, in whatever encoding the input is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};
use std::io::Read;
use tabiya::game::encoding::Utf8;
use tabiya::tools::referee;

fuzz_target!(|data: &[u8]| {
    let mut answers = Vec::new();
    referee::run(data, &mut answers).expect("memory can be read and written");
    let mut text = Vec::new();
    Utf8::new(data)
        .read_to_end(&mut text)
        .expect("memory can be read");
    let requests = text.split(|&byte| byte == b'\n');
    let requests = requests
        .filter(|line| !line.trim_ascii().is_empty())
        .count();
    let answers = String::from_utf8(answers).expect("answers are UTF-8");
    assert_eq!(answers.lines().count(), requests);
    for answer in answers.lines() {
        let answer: Map<String, Value> = serde_json::from_str(answer).expect("an object");
        let is_ok = answer["ok"].as_bool().expect("a boolean");
        assert_eq!(is_ok, answer.get("error").is_none());
    }
});
