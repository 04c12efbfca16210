//! An engine inside another program: UCI through channels, without a separate process.
//!
//!     cargo run --release --no-default-features --example embedded_uci

#![allow(clippy::print_stdout)]

use crossbeam_channel::{Sender, unbounded};
use std::io::{self, LineWriter, Write};
use std::thread;
use tabiya::engine::Engine;
use tabiya::protocol;

/// Sends each line of output to a channel.
struct Lines(Sender<String>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in String::from_utf8_lossy(bytes).lines() {
            let sent = self.0.send(line.to_owned());
            sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (input, commands) = unbounded();
    let (output, answers) = unbounded();
    let session = thread::spawn(move || {
        // `LineWriter` passes whole lines on.
        protocol::run(commands, Engine::new()?, LineWriter::new(Lines(output)))
    });
    let request = |line: &str, last: &str| -> Result<String, Box<dyn std::error::Error>> {
        println!("> {line}");
        input.send(line.to_owned())?;
        loop {
            let answer = answers.recv()?;
            println!("< {answer}");
            if answer.starts_with(last) {
                return Ok(answer);
            }
        }
    };
    request("uci", "uciok")?;
    request("isready", "readyok")?;
    let mut moves = String::new();
    for _ in 0..6 {
        input.send(format!("position startpos moves{moves}"))?;
        let answer = request("go depth 6", "bestmove")?;
        let best = answer.split(' ').nth(1).ok_or("bestmove without a move")?;
        moves = format!("{moves} {best}");
    }
    println!("played:{moves}");
    // The end of the input acts as `quit`.
    drop(input);
    session.join().map_err(|_| "the session panicked")??;
    Ok(())
}
