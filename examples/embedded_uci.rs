//! An engine inside another program: UCI through channels, without a separate process.
//!
//!     cargo run --release --no-default-features --example embedded_uci
//!
//! It prints:
//!
//!     > uci
//!     < uciok
//!     > isready
//!     < readyok
//!     > position startpos moves f2f3 e7e5 g2g4
//!     > go depth 6
//!     < bestmove d8h4

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::thread;
use tabiya::crossbeam_channel::unbounded;
use tabiya::engine::Engine;
use tabiya::protocol::{self, EachLine};

fn main() -> Result<(), Box<dyn Error>> {
    let (input, commands) = unbounded();
    let (sender, answers) = unbounded();
    let session = thread::spawn(move || {
        let output = EachLine::new(|line: &str| {
            // Without a receiver, no one wants the line.
            let _ = sender.send(line.to_owned());
            Ok(())
        });
        protocol::run(commands, Engine::new()?, output)
    });
    let send = |line: &str| {
        println!("> {line}");
        input.send(line.to_owned())
    };
    // Other lines, such as `option` and `info`, are of no interest here.
    let wait_for = |word: &str| -> Result<(), Box<dyn Error>> {
        let answer = answers.iter().find(|line| line.starts_with(word));
        println!("< {}", answer.ok_or("the session has ended")?);
        Ok(())
    };
    send("uci")?;
    wait_for("uciok")?;
    send("isready")?;
    wait_for("readyok")?;
    send("position startpos moves f2f3 e7e5 g2g4")?;
    send("go depth 6")?;
    wait_for("bestmove")?;
    // The end of the input acts as `quit`.
    drop(input);
    session.join().map_err(|_| "the session panicked")??;
    Ok(())
}
