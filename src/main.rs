//! The `tabiya` program: reads its command line, does what it says, and exits with 0, 1 (it failed) or 2 (bad usage).

use std::io::ErrorKind;
use std::process::ExitCode;
use tabiya::cli;

#[allow(clippy::print_stderr)]
fn main() -> ExitCode {
    let command = match cli::parse(std::env::args_os().skip(1)) {
        Ok(command) => command,
        // It is help too, which is asked for.
        Err(error) => error.exit(),
    };
    match cli::run(command) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has gone, which is a normal end.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tabiya: {error}");
            ExitCode::FAILURE
        }
    }
}
