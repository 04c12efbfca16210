//! What the command lines of the tools have in common: numbers within a range.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a number that has to be within a range.
pub(crate) fn number<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (least, most) = (range.start(), range.end());
        number.ok_or_else(|| format!("it must be a number from {least} to {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_within_their_range() {
        let reason = Err("it must be a number from 1 to 40".to_owned());
        for text in ["0", "41", "-1", "1.5", "", "x", "99999999999999999999"] {
            assert_eq!(number(1_u32..=40)(text), reason, "{text}");
        }
        assert_eq!(number(1_u32..=40)("40"), Ok(40));
        assert_eq!(number(0.0..=1.0)("0.25"), Ok(0.25));
        assert!(number(0.0..=1.0)("NaN").is_err());
    }
}
