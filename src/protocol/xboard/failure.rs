//! Commands that fail. Functions below `run_command` return the reason, and one place reports it.

use std::fmt::Display;
use std::io;

/// Why a command was not done.
pub(super) enum Failure {
    /// The output failed, which ends the session.
    Output(io::Error),
    /// XBoard gets an error line with this reason, which quotes the command.
    Refused(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

pub(super) fn refused(reason: impl Display) -> Failure {
    Failure::Refused(reason.to_string())
}
