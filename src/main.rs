//! The program `tabiya`. Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted work.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use tabiya::cli;
use tabiya::tools::files::{STANDARD_OUTPUT, named};
use tabiya::tools::progress::status;
use tabiya::tools::{interrupt, processor};

fn main() -> ExitCode {
    match processor::complaint() {
        Some(complaint) => {
            // Formatting might use the missing instructions.
            let _ = io::stderr().write_all(complaint.as_bytes());
            ExitCode::FAILURE
        }
        None => run(),
    }
}

/// Runs the command. Not part of `main`, whose code must run on every processor.
#[inline(never)]
fn run() -> ExitCode {
    let command = match cli::parse(std::env::args_os().skip(1)) {
        Ok(command) => command,
        // The error may also be the help, which goes to standard output with exit code 0.
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => {
            let printed = help.print().and_then(|()| io::stdout().flush());
            return exit_code(printed.map_err(named(Path::new(STANDARD_OUTPUT))));
        }
    };
    exit_code(cli::run(command))
}

fn exit_code(outcome: io::Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            status(&format!("tabiya: {error}"));
            match error.kind() {
                ErrorKind::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
                _ => ExitCode::FAILURE,
            }
        }
    }
}
