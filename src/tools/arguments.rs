//! What the command lines of the tools have in common.

use pico_args::Arguments;
use std::ffi::OsString;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// The arguments make no sense; the sentence says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentError {
    command: &'static str,
    reason: String,
}

impl ArgumentError {
    pub(super) fn new(command: &'static str, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { command, reason }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; try 'tabiya {} --help'", self.reason, self.command)
    }
}

impl std::error::Error for ArgumentError {}

/// The file that an option names.
pub(super) fn path(
    command: &'static str,
    arguments: &mut Arguments,
    name: &'static str,
) -> Result<Option<PathBuf>, ArgumentError> {
    let path = arguments.opt_value_from_os_str(name, |text| Ok::<_, String>(PathBuf::from(text)));
    path.map_err(|_| ArgumentError::new(command, format!("{name} needs the name of a file")))
}

/// The number that an option gives.
pub(super) fn number<T: FromStr + PartialOrd + fmt::Display>(
    command: &'static str,
    arguments: &mut Arguments,
    name: &'static str,
    range: RangeInclusive<T>,
) -> Result<Option<T>, ArgumentError> {
    let wanted = || {
        let (least, most) = (range.start(), range.end());
        ArgumentError::new(
            command,
            format!("{name} needs a number from {least} to {most}"),
        )
    };
    let value: Option<String> = arguments.opt_value_from_str(name).map_err(|_| wanted())?;
    match value.map(|text| text.parse()) {
        None => Ok(None),
        Some(Ok(number)) if range.contains(&number) => Ok(Some(number)),
        Some(_) => Err(wanted()),
    }
}

/// What is left: words that belong to no option.
pub(super) fn rest(
    command: &'static str,
    arguments: Arguments,
) -> Result<Vec<OsString>, ArgumentError> {
    let words = arguments.finish();
    let option = words
        .iter()
        .find(|word| word.as_encoded_bytes().starts_with(b"-"));
    match option {
        None => Ok(words),
        Some(word) => Err(ArgumentError::new(
            command,
            format!("'{}' is no option", word.to_string_lossy()),
        )),
    }
}
