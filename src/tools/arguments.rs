//! Command-line values: numbers within a range, negative ones too.

use std::fmt::{self, Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The text is not a number within the range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfRange<T>(pub RangeInclusive<T>);

impl<T: Display> Display for OutOfRange<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (self.0.start(), self.0.end());
        write!(f, "expected a number from {least} to {most}")
    }
}

impl<T: Debug + Display> std::error::Error for OutOfRange<T> {}

/// A command in which a negative number is read as a value, which may be out of range, and not as
/// an unknown option.
#[must_use]
pub fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| {
            let takes_values = argument.get_action().takes_values();
            argument.allow_negative_numbers(takes_values)
        })
        .mut_subcommands(with_negative_numbers)
}

/// A value parser for numbers within `range`.
pub fn number<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, OutOfRange<T>> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| OutOfRange(range.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_the_range_are_refused() {
        for text in ["0", "41", "-1", "1.5", "", "x", "99999999999999999999"] {
            let error = number(1_u32..=40)(text).unwrap_err();
            assert_eq!(
                error.to_string(),
                "expected a number from 1 to 40",
                "{text}"
            );
        }
        assert_eq!(number(1_u32..=40)("40"), Ok(40));
        assert_eq!(number(0.0..=1.0)("0.25"), Ok(0.25));
        assert!(number(0.0..=1.0)("NaN").is_err());
    }
}
