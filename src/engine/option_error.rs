//! What setting an option may have to say: remarks on what was found, and errors.

use std::fmt;

/// What is to be said about a value that was set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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

/// Why an option was not set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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
#[non_exhaustive]
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
