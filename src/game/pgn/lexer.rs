//! Splits PGN text into tokens, one line at a time.
//!
//! Move numbers and escaped lines are dropped here. Bytes that are not UTF-8 are read as Latin-1.

use super::error::PgnErrorKind;
use super::note::Note;
use crate::game::GameResult;
use std::io::{self, BufRead};

/// A token of PGN text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// A blank line.
    Blank,
    /// A word in the place of a move.
    Move(String),
    /// `{…}`, or the text after a semicolon.
    Comment(String),
    /// `$4`, or a separate mark such as `!?`.
    Glyph(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// One of the four termination markers.
    Result(GameResult),
    /// Invalid text.
    Error(PgnErrorKind),
}

/// A stream of tokens with their line numbers.
pub(super) struct Lexer<R> {
    input: R,
    line: Vec<u8>,
    /// Number of bytes of the line that have been read.
    at: usize,
    /// The line number, from 1.
    number: usize,
    /// Whether the rest of the line is known to have no `>`.
    lacks_closing: bool,
    /// The open comment: the line on which it started, and its text so far.
    comment: Option<(usize, Vec<u8>)>,
    /// The text read since [`start_capture`](Lexer::start_capture).
    capture: Option<Vec<u8>>,
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The start of a game, which also ends an unclosed comment. Comments hardly ever have such a line,
/// and almost all files of games do.
const NEW_GAME: &[u8] = b"[Event \"";

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            at: 0,
            number: 0,
            lacks_closing: false,
            comment: None,
            capture: None,
        }
    }

    /// Starts to capture the text that is read, and drops what was captured before.
    pub(super) fn start_capture(&mut self) {
        self.capture.get_or_insert_default().clear();
    }

    /// Length of the captured text.
    pub(super) fn captured(&self) -> usize {
        self.capture.as_ref().map_or(0, Vec::len)
    }

    /// The captured text from the byte `start` on.
    pub(super) fn captured_from(&self, start: usize) -> String {
        let capture = self.capture.as_deref().unwrap_or_default();
        decode(capture.get(start..).unwrap_or_default())
    }

    /// Shortens the captured text to `length` bytes.
    pub(super) fn truncate_capture(&mut self, length: usize) {
        if let Some(capture) = &mut self.capture {
            capture.truncate(length);
        }
    }

    /// Stops capturing and returns the text.
    pub(super) fn end_capture(&mut self) -> Option<String> {
        self.capture.take().map(|text| decode(&text))
    }

    /// Skips `length` bytes of the line.
    fn advance(&mut self, length: usize) {
        let passed = self.line.get(self.at..self.at + length).unwrap_or_default();
        if let Some(capture) = &mut self.capture {
            capture.extend(passed);
        }
        self.at += length;
    }

    /// Returns the next token and its line, or `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<(usize, Token)>> {
        loop {
            if self.at == self.line.len() {
                if !self.read_line()? {
                    let unclosed = self.comment.take();
                    let error = |(line, _)| (line, Token::Error(PgnErrorKind::OpenComment));
                    return Ok(unclosed.map(error));
                }
                let is_blank = self.rest().trim_ascii().is_empty();
                if is_blank && self.comment.is_none() {
                    self.advance(self.line.len() - self.at);
                    return Ok(Some((self.number, Token::Blank)));
                }
            }
            if let Some((began, text)) = self.comment.take() {
                if self.at == 0 && self.rest().starts_with(NEW_GAME) {
                    return Ok(Some((began, Token::Error(PgnErrorKind::OpenComment))));
                }
                if let Some(text) = self.read_comment(began, text) {
                    return Ok(Some((began, Token::Comment(text))));
                }
            } else if let Some(token) = self.read_token() {
                return Ok(Some((self.number, token)));
            }
        }
    }

    /// Reads the next line; returns `false` at the end of the input.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.at = 0;
        self.lacks_closing = false;
        let length = self.input.read_until(b'\n', &mut self.line)?;
        self.number += 1;
        if self.line.starts_with(BOM) {
            self.line.drain(..BOM.len());
        }
        if self.line.starts_with(b"%") && self.comment.is_none() {
            self.at = self.line.len();
        }
        Ok(length > 0)
    }

    /// The unread part of the line.
    fn rest(&self) -> &[u8] {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// Continues a comment that started on line `began`. Returns its text if it ends on this line.
    fn read_comment(&mut self, began: usize, mut text: Vec<u8>) -> Option<String> {
        let end = self.rest().iter().position(|&byte| byte == b'}');
        let length = end.unwrap_or(self.rest().len());
        text.extend(self.rest().iter().take(length));
        if end.is_some() {
            self.advance(length + 1);
            return Some(decode(&text));
        }
        self.advance(length);
        self.comment = Some((began, text));
        None
    }

    /// Reads the token at the current place, unless it is white space or the start of a comment.
    fn read_token(&mut self) -> Option<Token> {
        let first = *self.rest().first()?;
        match first {
            b'[' => return Some(self.read_tag()),
            b';' => {
                let text = decode(self.rest()).split_off(1);
                self.at = self.line.len();
                if let Some(capture) = &mut self.capture {
                    // The captured text becomes one line, so a comment up to the end of the line
                    // needs braces.
                    capture.extend(format!("{{{}}} ", text.trim().replace('}', ")")).bytes());
                }
                return Some(Token::Comment(text));
            }
            b'{' => {
                self.comment = Some((self.number, Vec::new()));
                self.advance(1);
            }
            b'$' => {
                self.advance(1);
                let number = self.take_while(|byte| byte.is_ascii_digit());
                return number.parse().ok().map(Token::Glyph);
            }
            b'<' if self.closes_reserved() => {
                let mut text = self.take_while(|byte| byte != b'>');
                self.advance(1);
                text.push('>');
                return Some(Token::Error(PgnErrorKind::Reserved(text)));
            }
            b'(' | b')' | b'*' | b'}' | b']' => {
                self.advance(1);
                return Some(match first {
                    b'(' => Token::Open,
                    b')' => Token::Close,
                    b'*' => Token::Result(GameResult::Unknown),
                    other => Token::Error(PgnErrorKind::Unexpected(other.into())),
                });
            }
            _ if first.is_ascii_whitespace() => self.advance(1),
            _ => {
                let mut word = self.take_while(|byte| {
                    !byte.is_ascii_whitespace() && !b"[]{}();$*".contains(&byte)
                });
                // A promotion in the form a8(Q).
                if let [b'(', letter, b')', ..] = *self.rest()
                    && word.ends_with(['1', '8'])
                    && b"QRBNqrbn".contains(&letter)
                {
                    self.advance(3);
                    word.extend(['(', letter.into(), ')']);
                }
                return read_word(&word);
            }
        }
        None
    }

    /// Whether the line has a `>` from here on. It is searched once.
    fn closes_reserved(&mut self) -> bool {
        self.lacks_closing = self.lacks_closing || !self.rest().contains(&b'>');
        !self.lacks_closing
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> String {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !accept(byte));
        let taken = rest.split_at(length.unwrap_or(rest.len())).0;
        let (text, length) = (decode(taken), taken.len());
        self.advance(length);
        text
    }

    /// Reads the tag pair at the current place. If it is invalid, the line is skipped.
    fn read_tag(&mut self) -> Token {
        match split_tag(self.rest()) {
            Some((name, value, length)) => {
                self.advance(length);
                Token::Tag(name, value)
            }
            None => {
                let text = decode(self.rest().trim_ascii());
                self.at = self.line.len();
                Token::Error(PgnErrorKind::Tag(text.chars().take(40).collect()))
            }
        }
    }
}

/// Returns name, value and length of the tag pair at the start of the text.
///
/// A quote that is not escaped belongs to the value unless a bracket follows it.
fn split_tag(text: &[u8]) -> Option<(String, String, usize)> {
    let opening = text.iter().position(|&byte| byte == b'"')?;
    let name = text.get(1..opening)?.trim_ascii();
    let is_bad = |byte: &u8| byte.is_ascii_whitespace() || b"[]".contains(byte);
    if name.is_empty() || name.iter().any(is_bad) {
        return None;
    }
    let mut value = Vec::new();
    let mut bytes = text.iter().copied().enumerate().skip(opening + 1);
    while let Some((index, byte)) = bytes.next() {
        match byte {
            b'\\'
                if text
                    .get(index + 1)
                    .is_some_and(|next| b"\"\\".contains(next)) =>
            {
                value.extend(bytes.next().map(|(_, escaped)| escaped));
            }
            b'"' => {
                let after = text.get(index + 1..)?;
                let blanks = after.len() - after.trim_ascii_start().len();
                if after.get(blanks) == Some(&b']') {
                    return Some((decode(name), decode(&value), index + blanks + 2));
                }
                value.push(byte);
            }
            b'\r' | b'\n' => return None,
            _ => value.push(byte),
        }
    }
    None
}

/// Converts a word of movetext into a token. Returns `None` for a move number, and for signs that
/// judge the position.
fn read_word(word: &str) -> Option<Token> {
    let after_number = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let word = match after_number.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        // Castling and the null move in a non-standard form, not move numbers.
        None if after_number.is_empty() && !matches!(word, "00" | "000" | "0000") => "",
        None => word,
    };
    let is_glyph = |letter| "!?+-=/".contains(letter);
    match word {
        "" | "e.p." | "e.p" | "ep" => None,
        "1/2" => Some(Token::Result(GameResult::Drawn)),
        _ if let Some(Note::Glyph(number)) = Note::mark(word) => Some(Token::Glyph(number)),
        "--" => Some(Token::Move(word.to_owned())),
        _ if word.chars().all(is_glyph) => None,
        _ => Some(match word.parse() {
            Ok(result) => Token::Result(result),
            Err(_) => Token::Move(word.to_owned()),
        }),
    }
}

/// Decodes UTF-8, or Latin-1 if the bytes are not UTF-8.
fn decode(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
