//! UCI sessions: no line ends the program, and the engine answers afterwards.
//!
//! The session has no threads, so a finding can be repeated. Lines that follow a `go` arrive during
//! its search.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::protocol::HostedUci;
use tabiya_fuzz::session_lines;

fuzz_target!(|data: &[u8]| {
    let mut output = Vec::new();
    let mut session = HostedUci::new(&mut output).expect("there is memory");
    let mut lines = session_lines(data)
        .into_iter()
        .filter(|line| !line.contains("quit"));
    while let Some(line) = lines.next() {
        // After the last line, the search is stopped.
        let mut poll = || Some(lines.next().unwrap_or_else(|| "stop".to_owned()));
        session
            .handle_line(&line, &mut poll)
            .expect("memory can be written");
    }
    for line in ["stop", "isready"] {
        session
            .handle_line(line, &mut || None)
            .expect("memory can be written");
    }
    drop(session);
    let output = String::from_utf8(output).expect("output is UTF-8");
    assert_eq!(output.lines().last(), Some("readyok"), "{output}");
});
