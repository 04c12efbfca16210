//! Tag pairs, `[Name "value"]`, as the standard has them and as people and programs write them.

use super::text::{is_blank, is_tag_name};

/// Returns name, value and length of the tag pair at the start of the text.
///
/// A quote that is not escaped belongs to the value unless a bracket follows it. An escaped quote
/// ends the value if the bracket after it ends the line or another tag follows: then the backslash
/// is the last character of the value, as in a path of Windows.
pub(super) fn split_tag(text: &str) -> Option<(String, String, usize)> {
    let opening = text.find('"')?;
    let name = text.get(1..opening)?.trim_matches(is_blank);
    if !is_tag_name(name) {
        return None;
    }
    if let Some((value, end)) = strict_value(text, opening) {
        return Some((name.to_owned(), without_controls(value), end));
    }
    let mut value = String::new();
    let mut letters = text.char_indices().skip_while(|&(at, _)| at <= opening);
    while let Some((at, letter)) = letters.next() {
        // The length of the tag if its value ends with the quote at this place.
        let end_after = |quote: usize| {
            let after = text.get(quote + 1..)?;
            let close = after.trim_start_matches(is_blank);
            close.starts_with(']').then(|| text.len() - close.len() + 1)
        };
        match letter {
            '\\' => match text.as_bytes().get(at + 1) {
                Some(b'"') => match end_after(at + 1).filter(|&end| is_last(text, end)) {
                    Some(end) => {
                        value.push('\\');
                        return Some((name.to_owned(), without_controls(value), end));
                    }
                    None => value.extend(letters.next().map(|(_, escaped)| escaped)),
                },
                Some(b'\\') => value.extend(letters.next().map(|(_, escaped)| escaped)),
                _ => value.push('\\'),
            },
            '"' => match end_after(at) {
                Some(end) => return Some((name.to_owned(), without_controls(value), end)),
                None => value.push('"'),
            },
            _ => value.push(letter),
        }
    }
    None
}

/// The value whose opening quote is at this place, and the end of the tag, if the value is written
/// as the standard has it and nothing but another tag follows.
fn strict_value(text: &str, opening: usize) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut letters = text.char_indices().skip_while(|&(at, _)| at <= opening);
    loop {
        match letters.next()? {
            (_, '\\') => match letters.next()? {
                (_, letter @ ('"' | '\\')) => value.push(letter),
                _ => return None,
            },
            (at, '"') => {
                let close = text.get(at + 1..)?.trim_start_matches(is_blank);
                let end = text.len() - close.len() + 1;
                return (close.starts_with(']') && is_last(text, end)).then_some((value, end));
            }
            (_, letter) => value.push(letter),
        }
    }
}

/// Whether nothing but another tag follows.
fn is_last(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let rest = rest.trim_start_matches(is_blank);
    rest.is_empty() || rest.starts_with('[')
}

/// Replaces control characters, which cannot be written in a tag, by blanks.
fn without_controls(value: String) -> String {
    if !value.contains(char::is_control) {
        return value;
    }
    let clean = value.replace(char::is_control, " ");
    clean.trim().to_owned()
}

/// The name and value of a tag that lacks a quote or the bracket, or has typographic quotes.
pub(super) fn salvage_tag(text: &str) -> Option<(String, String)> {
    const QUOTES: &str = "\"'“”„‟‘’‚«»´`";
    let text = text.strip_prefix('[')?.trim_start_matches(is_blank);
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let rest = text.trim_start_matches(is_name);
    let name = text.strip_suffix(rest).filter(|name| !name.is_empty())?;
    let value = rest.trim_end_matches(|letter| is_blank(letter) || letter == ']');
    let begins = |letter: char| is_blank(letter) || QUOTES.contains(letter);
    value.chars().next().filter(|&letter| begins(letter))?;
    let value = value.trim_matches(begins);
    Some((name.to_owned(), without_controls(value.to_owned())))
        .filter(|_| !value.contains(['[', ']']))
}

#[cfg(test)]
mod tests {
    use super::split_tag;

    #[test]
    fn a_tag_has_its_name_value_and_length() {
        for (text, name, value, length) in [
            ("[White \"A\"]", "White", "A", 11),
            ("[ White  \"A\" ] [Black \"B\"]", "White", "A", 14),
            ("[a \"\"]1. e4", "a", "", 6),
        ] {
            let expected = Some((name.to_owned(), value.to_owned(), length));
            assert_eq!(split_tag(text), expected, "{text}");
        }
        assert_eq!(split_tag("[White A]"), None);
    }
}
