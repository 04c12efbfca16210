//! The program `tabiya-train`. Exit codes: 0 success, 1 failure, 2 wrong usage.

use clap::Parser;
use std::io::{self, ErrorKind};
use std::process::ExitCode;
use tabiya::tools::progress::status;
use tabiya_train::cli::{CommandLine, run};

fn main() -> ExitCode {
    match run(CommandLine::parse().command, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            status(&format!("tabiya-train: {error}"));
            ExitCode::FAILURE
        }
    }
}
