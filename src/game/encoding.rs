//! Encodings of text: UTF-8, and UTF-16 and UTF-32 with or without a byte order mark.
//!
//! The shell of Windows writes UTF-16 or a byte order mark into files and pipes, and so does its
//! editor. Every text that is read here goes through [`Utf8`], and [`without_mark`] drops the mark.

use std::fmt;
use std::io::{self, BufRead, ErrorKind, Read};

/// The byte order mark, and what it becomes if its bytes are taken for Latin-1 and written as
/// UTF-8.
const MARKS: [&str; 2] = ["\u{FEFF}", "ï»¿"];

/// The text without a byte order mark in front.
///
/// ```
/// use tabiya::game::encoding::without_mark;
/// assert_eq!(without_mark("\u{FEFF}uci"), "uci");
/// ```
pub fn without_mark(text: &str) -> &str {
    let stripped = MARKS.iter().find_map(|mark| text.strip_prefix(mark));
    stripped.unwrap_or(text)
}

/// How the units of a text are stored.
#[derive(Clone, Copy)]
enum Encoding {
    /// UTF-8, or one byte a character.
    Bytes,
    /// UTF-16 (`width` 2) or UTF-32 (`width` 4).
    Wide { width: usize, is_big_endian: bool },
}

impl Encoding {
    /// The encoding of a text that begins with these bytes, at most four; `None` if the next byte
    /// matters. Text without a byte order mark begins with ASCII characters.
    ///
    /// Two bytes are enough for most texts, so that a program that has sent no more gets an answer.
    const fn of(head: &[u8]) -> Option<Self> {
        if let [] | [_] | [0xFF, 0xFE] | [_, 0] | [0xFF, 0xFE, _] | [_, 0, _] | [0, _] | [0, _, _] =
            head
        {
            return None;
        }
        Some(Self::of_whole(head))
    }

    /// The encoding of a text that begins with these bytes, and has no more if they are not four.
    const fn of_whole(head: &[u8]) -> Self {
        let (width, is_big_endian) = match head {
            [0xFF, 0xFE, 0, 0] | [1..=255, 0, 0, 0] => (4, false),
            [0, 0, 0xFE, 0xFF] | [0, 0, 0, 1..=255] => (4, true),
            [0xFF, 0xFE, ..] | [1..=255, 0, 1..=255, 0] => (2, false),
            [0xFE, 0xFF, ..] | [0, 1..=255, 0, 1..=255] => (2, true),
            _ => return Self::Bytes,
        };
        Self::Wide {
            width,
            is_big_endian,
        }
    }
}

/// A reader that converts UTF-16 and UTF-32 to UTF-8. Other bytes pass unchanged: UTF-8, or text of
/// one byte a character, which the caller has to convert. A byte order mark is kept.
///
/// ```
/// use std::io::read_to_string;
/// use tabiya::game::encoding::Utf8;
/// let utf16 = b"\xFF\xFEu\0c\0i\0";
/// assert_eq!(read_to_string(Utf8::new(&utf16[..])).unwrap(), "\u{FEFF}uci");
/// assert_eq!(read_to_string(Utf8::new(&b"uci"[..])).unwrap(), "uci");
/// ```
pub struct Utf8<R> {
    input: R,
    /// `None` before the first byte.
    encoding: Option<Encoding>,
    /// Converted text, of which `at` bytes have been consumed.
    ready: Vec<u8>,
    at: usize,
    /// Bytes of a wide character that is not complete.
    rest: Vec<u8>,
    /// Whether the input has ended. It is not read again: a terminal would wait for another line.
    has_ended: bool,
}

impl<R> fmt::Debug for Utf8<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Utf8").finish_non_exhaustive()
    }
}

impl<R: BufRead> Utf8<R> {
    /// A reader of `input`.
    pub const fn new(input: R) -> Self {
        Self {
            input,
            encoding: None,
            ready: Vec::new(),
            at: 0,
            rest: Vec::new(),
            has_ended: false,
        }
    }

    /// Reads the first bytes, which show the encoding.
    fn read_head(&mut self) -> io::Result<()> {
        let encoding = loop {
            if let Some(encoding) = Encoding::of(&self.rest) {
                break encoding;
            }
            let Some(&byte) = fill(&mut self.input, &mut self.has_ended)?.first() else {
                break Encoding::of_whole(&self.rest);
            };
            self.rest.push(byte);
            self.input.consume(1);
        };
        if matches!(encoding, Encoding::Bytes) {
            self.ready.append(&mut self.rest);
        }
        self.encoding = Some(encoding);
        Ok(())
    }

    /// Converts the next bytes; returns `false` at the end of the input.
    fn convert(&mut self, width: usize, is_big_endian: bool) -> io::Result<bool> {
        let available = fill(&mut self.input, &mut self.has_ended)?;
        let (length, is_end) = (available.len(), available.is_empty());
        self.rest.extend(available);
        self.input.consume(length);
        let mut complete = self.rest.len() - self.rest.len() % width;
        let unit = |bytes: &[u8]| {
            let add = |unit: u32, &byte: &u8| unit << 8 | u32::from(byte);
            if is_big_endian {
                bytes.iter().fold(0, add)
            } else {
                bytes.iter().rev().fold(0, add)
            }
        };
        // The first half of a surrogate pair waits for the second.
        let last = complete.saturating_sub(width)..complete;
        if width == 2 && !is_end && (0xD800..0xDC00).contains(&unit(&self.rest[last])) {
            complete -= width;
        }
        let units = self.rest[..complete].chunks(width).map(unit);
        let text: String = match width {
            2 => char::decode_utf16(units.map(|unit| unit as u16))
                .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
            _ => units
                .map(|unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
        };
        self.rest.drain(..complete);
        self.ready = text.into_bytes();
        self.at = 0;
        Ok(!is_end)
    }
}

impl<R: BufRead> BufRead for Utf8<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.encoding.is_none() {
            self.read_head()?;
        }
        if let Some(Encoding::Wide {
            width,
            is_big_endian,
        }) = self.encoding
        {
            while self.at == self.ready.len() && self.convert(width, is_big_endian)? {}
        }
        if self.at < self.ready.len() {
            return Ok(&self.ready[self.at..]);
        }
        match self.encoding {
            Some(Encoding::Wide { .. }) => Ok(&[]),
            _ => fill(&mut self.input, &mut self.has_ended),
        }
    }

    fn consume(&mut self, length: usize) {
        if self.at < self.ready.len() {
            self.at += length;
        } else {
            self.input.consume(length);
        }
    }
}

impl<R: BufRead> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let length = available.len().min(buffer.len());
        buffer[..length].copy_from_slice(&available[..length]);
        self.consume(length);
        Ok(length)
    }
}

/// Fills the buffer of a reader, also after a signal; it is empty once the input has ended.
fn fill<'a>(input: &'a mut impl BufRead, has_ended: &mut bool) -> io::Result<&'a [u8]> {
    while !*has_ended {
        match input.fill_buf() {
            Ok([]) => *has_ended = true,
            // The buffer is not empty, so this does not read again.
            Ok(_) => return input.fill_buf(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bytes_tell_most_texts() {
        let told = |head: &[u8]| Encoding::of(head).is_some();
        for head in [&b"d\n"[..], b"uc", b"\n\n", b"\xEF\xBB", b"\x0Bx"] {
            assert!(told(head), "{head:?}");
        }
        for head in [&b"u\0"[..], b"\xFF\xFE", b"\0u", b"u"] {
            assert!(!told(head), "{head:?}");
        }
    }

    /// A terminal: an end for each Ctrl-D, and lines after it.
    struct Terminal<'a>(std::vec::IntoIter<&'a [u8]>);

    impl Read for Terminal<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let bytes = self.0.next().unwrap_or_default();
            buffer[..bytes.len()].copy_from_slice(bytes);
            Ok(bytes.len())
        }
    }

    #[test]
    fn the_first_end_is_the_end() {
        for (typed, expected) in [
            (vec![&b"uci\n"[..], b"", b"more\n"], "uci\n"),
            (vec![b"", b"more\n"], ""),
            (vec![b"u", b"", b"more\n"], "u"),
            (vec![b"\xFF\xFEu\0", b"", b"m\0"], "\u{FEFF}u"),
        ] {
            let mut input = Utf8::new(io::BufReader::new(Terminal(typed.into_iter())));
            for expected in [expected, ""] {
                assert_eq!(io::read_to_string(&mut input).unwrap(), expected);
            }
        }
    }

    #[test]
    fn a_mark_is_dropped_once_and_only_in_front() {
        for (text, rest) in [
            ("\u{FEFF}uci", "uci"),
            ("ï»¿uci", "uci"),
            ("uci", "uci"),
            ("u\u{FEFF}ci", "u\u{FEFF}ci"),
            ("", ""),
        ] {
            assert_eq!(without_mark(text), rest, "{text:?}");
        }
    }
}
