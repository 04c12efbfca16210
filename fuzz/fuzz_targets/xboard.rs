//! XBoard sessions: no line ends the program, and the engine answers afterwards.
#![no_main]

use crossbeam_channel::unbounded;
use libfuzzer_sys::fuzz_target;
use tabiya::engine::Engine;
use tabiya::protocol;
use tabiya_fuzz::session_lines;

fuzz_target!(|data: &[u8]| {
    let lines = session_lines(data);
    let ends = |line: &&String| line.contains("quit") || line.contains("uci");
    let lines = lines.iter().filter(|line| !ends(line)).map(String::as_str);
    let (sender, input) = unbounded();
    // `.` ends edit mode, `force` a search.
    for line in ["xboard"]
        .into_iter()
        .chain(lines)
        .chain([".", "force", "ping 4711"])
    {
        sender.send(line.to_owned()).expect("the receiver exists");
    }
    drop(sender);
    let mut output = Vec::new();
    let engine = Engine::new().expect("there is memory");
    protocol::run(input, engine, &mut output).expect("memory can be written");
    let output = String::from_utf8(output).expect("output is UTF-8");
    assert_eq!(output.lines().last(), Some("pong 4711"), "{output}");
});
