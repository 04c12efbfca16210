//! The program `tabiya-train`. Exit codes: 0 success, 1 failure, 2 wrong usage.

use clap::{CommandFactory, FromArgMatches};
use std::io::ErrorKind;
use std::process::ExitCode;
use tabiya::tools::files::StandardOutput;
use tabiya::tools::progress::status;
use tabiya::tools::with_negative_numbers;
use tabiya_train::cli::{CommandLine, run};

fn main() -> ExitCode {
    let matches = with_negative_numbers(CommandLine::command()).get_matches();
    let command = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match run(command.command, &mut StandardOutput::open()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            status(&format!("tabiya-train: {error}"));
            ExitCode::FAILURE
        }
    }
}
