//! Lines of PGN text, in the encodings and with the line ends that files have.
//!
//! The text is UTF-8, as the files of today are, or UTF-16 or UTF-32, with or without a byte order
//! mark. A word that is not UTF-8 is read as Windows-1252, which has all letters of Latin-1, and
//! quotes, dashes and the euro sign besides. A line ends with LF, CR LF, or CR alone, as on old
//! Macintosh computers; CR CR LF is the mark of a file that was converted twice.

use crate::game::encoding::Utf8;
use std::io::{self, BufRead};

/// Whether the character is white space, invisible, or a control character.
pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(letter, '\u{FEFF}' | '\u{AD}' | '\u{200B}'..='\u{200F}')
        || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}')
}

/// Whether a tag of this name reads back as it was written.
pub(super) fn is_tag_name(name: &str) -> bool {
    let is_bad = |letter: char| is_blank(letter) || "\"[]".contains(letter);
    !name.is_empty() && !name.starts_with('%') && !name.contains(is_bad)
}

/// Reads lines one at a time. Memory is needed for one line.
pub(super) struct Lines<R> {
    input: Utf8<R>,
    bytes: Vec<u8>,
    /// Number of empty lines that follow the last one.
    empty: usize,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(input: R) -> Self {
        Self {
            input: Utf8::new(input),
            bytes: Vec::new(),
            empty: 0,
        }
    }

    /// Appends the next line, without its end, to `line`; returns `false` at the end of the input.
    pub(super) fn read(&mut self, line: &mut String) -> io::Result<bool> {
        if self.empty > 0 {
            self.empty -= 1;
            return Ok(true);
        }
        self.bytes.clear();
        let mut is_read = false;
        loop {
            let available = self.input.fill_buf()?;
            if available.is_empty() {
                break;
            }
            is_read = true;
            let end = available.iter().position(|byte| b"\r\n".contains(byte));
            let (text, rest) = available.split_at(end.unwrap_or(available.len()));
            let (length, end) = (text.len(), rest.first().copied());
            self.bytes.extend(text);
            self.input.consume(length + usize::from(end.is_some()));
            match end {
                None => {}
                Some(b'\r') => {
                    self.skip_line_ends()?;
                    break;
                }
                Some(_) => break,
            }
        }
        decode(&self.bytes, line);
        Ok(is_read)
    }

    /// After a CR: skips more of them, and an LF, which makes one line end of all.
    fn skip_line_ends(&mut self) -> io::Result<()> {
        loop {
            match self.input.fill_buf()?.first() {
                Some(b'\r') => self.empty += 1,
                Some(b'\n') => {
                    self.input.consume(1);
                    self.empty = 0;
                    return Ok(());
                }
                _ => return Ok(()),
            }
            self.input.consume(1);
        }
    }
}

/// Appends the text of a line: words in UTF-8, others in Windows-1252.
fn decode(bytes: &[u8], text: &mut String) {
    if let Ok(line) = str::from_utf8(bytes) {
        text.push_str(line);
        return;
    }
    for word in bytes.split_inclusive(u8::is_ascii_whitespace) {
        match str::from_utf8(word) {
            Ok(word) => text.push_str(word),
            Err(_) => text.extend(word.iter().copied().map(from_windows_1252)),
        }
    }
}

/// The characters of the bytes 0x80 to 0x9F in Windows-1252. Five of them are not defined.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž',
    '\u{FFFD}', '\u{FFFD}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{FFFD}',
    'ž', 'Ÿ',
];

fn from_windows_1252(byte: u8) -> char {
    let index = usize::from(byte).wrapping_sub(0x80);
    WINDOWS_1252.get(index).copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    /// Reads one byte at a time, so that each line end and character is split.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut buffer[..1])
        }
    }

    fn lines(bytes: &[u8]) -> Vec<String> {
        fn all(input: impl BufRead) -> Vec<String> {
            let mut lines = Lines::new(input);
            let next = || {
                let mut line = String::new();
                lines.read(&mut line).unwrap().then_some(line)
            };
            std::iter::from_fn(next).collect()
        }
        let whole = all(bytes);
        assert_eq!(all(BufReader::with_capacity(1, Trickle(bytes))), whole);
        whole
    }

    #[test]
    fn every_line_end_ends_one_line() {
        let table: [(&str, &[&str]); 9] = [
            ("a\nb\n", &["a", "b"]),
            ("a\r\nb\r\n", &["a", "b"]),
            ("a\rb\r", &["a", "b"]),
            ("a\r\r\nb", &["a", "b"]),
            ("a\r\rb", &["a", "", "b"]),
            ("a\n\nb", &["a", "", "b"]),
            ("a\r\n\r\nb", &["a", "", "b"]),
            ("\r", &[""]),
            ("", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(lines(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn every_encoding_is_read() {
        let text = "[White \"Müller ♘ 😀\"]";
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let wide = |mark: bool, big: bool| -> Vec<u8> {
            let mark = mark.then_some(0xFEFF_u16);
            let units = mark.into_iter().chain(utf16.iter().copied());
            units
                .flat_map(|unit| {
                    if big {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                })
                .collect()
        };
        for (mark, big) in [(true, true), (true, false), (false, true), (false, false)] {
            let read = lines(&wide(mark, big)).remove(0);
            assert_eq!(read.trim_start_matches('\u{FEFF}'), text, "{mark} {big}");
        }
        let utf32: Vec<u8> = text
            .chars()
            .flat_map(|letter| (letter as u32).to_le_bytes())
            .collect();
        assert_eq!(lines(&utf32), [text]);
        let utf32: Vec<u8> = text
            .chars()
            .flat_map(|letter| (letter as u32).to_be_bytes())
            .collect();
        assert_eq!(lines(&utf32), [text]);
        assert_eq!(lines(text.as_bytes()), [text]);
        // An odd last byte.
        assert_eq!(lines(b"\xFF\xFEe\x004\x00x"), ["\u{FEFF}e4"]);
    }

    #[test]
    fn words_that_are_not_utf_8_are_windows_1252() {
        let table: [(&[u8], &str); 6] = [
            (b"M\xFCller", "Müller"),
            (b"\x93Tal\x94 \x96 \x91M\x92", "“Tal” – ‘M’"),
            (b"100 \x80", "100 €"),
            (b"1.e4\x85", "1.e4…"),
            (b"M\xC3\xBCller M\xFCller", "Müller Müller"),
            (
                b"\x81\x8D\x8F\x90\x9D",
                "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
            ),
        ];
        for (bytes, expected) in table {
            assert_eq!(lines(bytes), [expected]);
        }
    }
}
