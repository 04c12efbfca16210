//! What setting an option may have to say: remarks on what was found, and errors.

use crate::book::BookError;
use crate::tablebase::TablebaseError;
use std::{fmt, io};

/// What is to be said about a value that was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// What was found.
    Found(String),
    /// A part of the value cannot be used, for the reason given.
    Unusable(String),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found(text) | Self::Unusable(text) => f.write_str(text),
        }
    }
}

/// Why a text option was not set.
#[derive(Debug)]
pub enum TextError {
    /// The network file is unusable; the error names it.
    Network(io::Error),
    /// The tablebases are unusable.
    Tablebase(TablebaseError),
    /// The book is unusable.
    Book(BookError),
    /// The log file cannot be opened.
    LogFile(String, io::Error),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(error) => error.fmt(f),
            Self::Tablebase(error) => error.fmt(f),
            Self::Book(error) => error.fmt(f),
            Self::LogFile(path, error) => write!(f, "the log {path} cannot be written: {error}"),
        }
    }
}

impl std::error::Error for TextError {}

/// Why an option was not set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionError {
    /// No option has this name.
    Unknown(String),
    /// The value is missing or has the wrong type.
    BadValue {
        /// Name of the option.
        name: &'static str,
        /// The value.
        value: String,
        /// What the option takes.
        wanted: Wanted,
    },
    /// The value cannot be used, for the reason given in one sentence.
    Refused(String),
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A whole number between two limits, both included.
    NumberBetween(i64, i64),
    /// True or false.
    TrueOrFalse,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NumberBetween(min, max) => write!(f, "a whole number from {min} to {max}"),
            Self::TrueOrFalse => f.write_str("true or false"),
        }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "no option is called '{name}'"),
            Self::BadValue {
                name,
                value,
                wanted,
            } => write!(f, "option {name} takes {wanted}, not '{value}'"),
            Self::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for OptionError {}
