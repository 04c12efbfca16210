//! The `tabiya` program: reads its command line, does what it says, and exits with 0, 1 (it failed) or 2 (bad usage).

use std::io::ErrorKind;
use std::process::ExitCode;
use tabiya::cli;

#[allow(clippy::print_stderr)]
fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let invocation = match cli::parse(&arguments) {
        Ok(invocation) => invocation,
        Err(error) => {
            eprintln!("tabiya: {error}");
            return ExitCode::from(2);
        }
    };
    match cli::run(invocation) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever started us has stopped listening: a normal way to be dismissed.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tabiya: {error}");
            ExitCode::FAILURE
        }
    }
}
