//! Splits PGN text into tokens, one line at a time.
//!
//! Move numbers and escaped lines are dropped here, and so are blanks of all kinds: no-break
//! spaces, zero-width characters, and control characters such as the `^Z` that ends a file of DOS.

use super::error::PgnErrorKind;
use super::note::Note;
use super::result::{self, Found};
use super::tag::{salvage_tag, split_tag};
use super::text::{Lines, is_blank};
use crate::game::GameResult;
use crate::game::encoding::without_mark;
use crate::game::san::{self, is_dash};
use std::io::{self, BufRead};
use std::ops::Range;

/// A token of PGN text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// A line that is not a tag in the standard's form, but has a name and a value: the line first.
    BadTag(String, String, String),
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
    /// A sign without a meaning among moves, or a glyph beyond `$255`.
    Skipped(String),
    /// Invalid text.
    Error(PgnErrorKind),
}

/// A stream of tokens with their line numbers.
pub(super) struct Lexer<R> {
    input: Lines<R>,
    line: String,
    /// The line after this one, if it has been looked at; `None` within at the end of the input.
    ahead: Option<Option<String>>,
    /// Number of bytes of the line that have been read.
    at: usize,
    /// The line number, from 1.
    number: usize,
    /// Whether the rest of the line is known to have no `>`.
    lacks_closing: bool,
    /// The open comment: the line on which it started, and its text so far.
    comment: Option<(usize, String)>,
    /// The text read since [`start_capture`](Lexer::start_capture).
    capture: Option<String>,
    /// Length of the captured text before the last token.
    before_token: usize,
}

/// The start of a game, which also ends an unclosed comment. Comments hardly ever have such a line,
/// and almost all files of games do.
const NEW_GAME: &str = "[Event \"";

impl<R: BufRead> Lexer<R> {
    pub(super) const fn new(input: R) -> Self {
        Self {
            input: Lines::new(input),
            line: String::new(),
            ahead: None,
            at: 0,
            number: 0,
            lacks_closing: false,
            comment: None,
            capture: None,
            before_token: 0,
        }
    }

    /// Starts to capture the text that is read, and drops what was captured before.
    pub(super) fn start_capture(&mut self) {
        self.capture.get_or_insert_default().clear();
        self.before_token = 0;
    }

    /// Length of the captured text.
    pub(super) fn captured(&self) -> usize {
        self.capture.as_ref().map_or(0, String::len)
    }

    /// A part of the captured text.
    pub(super) fn captured_in(&self, bytes: Range<usize>) -> &str {
        let capture = self.capture.as_deref().unwrap_or_default();
        capture.get(bytes).unwrap_or_default()
    }

    /// Takes the last token from the captured text.
    pub(super) fn uncapture_token(&mut self) {
        if let Some(capture) = &mut self.capture {
            capture.truncate(self.before_token);
        }
    }

    /// Stops capturing and returns the text.
    pub(super) fn end_capture(&mut self) -> Option<String> {
        self.capture.take()
    }

    /// Skips `length` bytes of the line.
    fn advance(&mut self, length: usize) {
        let passed = self.line.get(self.at..self.at + length).unwrap_or_default();
        if let Some(capture) = &mut self.capture {
            capture.push_str(passed);
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
                // An escaped line is not even a blank one.
                if self.comment.is_none() && self.line.starts_with('%') {
                    self.at = self.line.len();
                    continue;
                }
                if self.comment.is_none() && self.rest().chars().all(is_blank) {
                    self.at = self.line.len();
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
            } else {
                while result::find(self.rest()) == Found::Part && self.join_result()? {}
                self.before_token = self.captured();
                if let Some(token) = self.read_token() {
                    return Ok(Some((self.number, token)));
                }
            }
        }
    }

    /// Reads the next line; returns `false` at the end of the input.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.at = 0;
        self.lacks_closing = false;
        let is_read = match self.ahead.take() {
            Some(next) => {
                let is_read = next.is_some();
                self.line = next.unwrap_or_default();
                is_read
            }
            None => self.input.read(&mut self.line)?,
        };
        self.number += 1;
        if let Some(capture) = &mut self.capture {
            capture.push(' ');
        }
        // Further on, letters that look like a mark are letters.
        let text = if self.number == 1 {
            without_mark(&self.line)
        } else {
            self.line.trim_start_matches('\u{FEFF}')
        };
        let mark = self.line.len() - text.len();
        self.line.drain(..mark);
        Ok(is_read)
    }

    /// Puts the next line after this one, if the result, or castling with zeros, at the end of this
    /// one goes on there. Returns whether it did.
    fn join_result(&mut self) -> io::Result<bool> {
        if self.ahead.is_none() {
            let mut line = String::new();
            let is_read = self.input.read(&mut line)?;
            self.ahead = Some(is_read.then_some(line));
        }
        let Some(Some(next)) = &self.ahead else {
            return Ok(false);
        };
        // The end of a result never comes after a blank line.
        if next.chars().all(is_blank) {
            return Ok(false);
        }
        let joined = format!("{} {next}", self.rest());
        let goes_on = result::find(&joined) != Found::Other;
        if !goes_on && castling_with_blanks(&joined).is_none() {
            return Ok(false);
        }
        self.line.truncate(self.at);
        self.line.push_str(&joined);
        self.ahead = None;
        self.lacks_closing = false;
        self.number += 1;
        Ok(true)
    }

    /// The unread part of the line.
    fn rest(&self) -> &str {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// Continues a comment that started on line `began`. Returns its text if it ends on this line.
    fn read_comment(&mut self, began: usize, mut text: String) -> Option<String> {
        let rest = self.rest();
        let end = rest.find('}');
        let length = end.unwrap_or(rest.len());
        text.push_str(rest.get(..length).unwrap_or_default());
        if end.is_some() {
            self.advance(length + 1);
            return Some(text);
        }
        self.advance(length);
        text.push('\n');
        self.comment = Some((began, text));
        None
    }

    /// Reads the token at the current place, unless it is white space or the start of a comment.
    fn read_token(&mut self) -> Option<Token> {
        let first = self.rest().chars().next()?;
        match first {
            '[' => return Some(self.read_tag()),
            ';' => {
                let text = self.rest().get(1..).unwrap_or_default().to_owned();
                self.at = self.line.len();
                if let Some(capture) = &mut self.capture {
                    // The captured text becomes one line, so a comment up to the end of the line
                    // needs braces.
                    capture.push_str(&format!("{{{}}} ", text.trim().replace('}', ")")));
                }
                return Some(Token::Comment(text));
            }
            '{' => {
                self.comment = Some((self.number, String::new()));
                self.advance(1);
            }
            '$' => {
                self.advance(1);
                let number = self.take_while(|letter| letter.is_ascii_digit());
                let glyph = number.parse().map(Token::Glyph);
                return Some(glyph.unwrap_or_else(|_| Token::Skipped(format!("${number}"))));
            }
            '<' if self.rest().starts_with("<>") => {
                self.advance(2);
                return Some(Token::Move("<>".to_owned()));
            }
            '<' if self.closes_reserved() => {
                let mut text = self.take_while(|letter| letter != '>');
                self.advance(1);
                text.push('>');
                return Some(Token::Error(PgnErrorKind::Reserved(text)));
            }
            '(' | ')' | '*' | '}' | ']' => {
                self.advance(1);
                return Some(match first {
                    '(' => Token::Open,
                    ')' => Token::Close,
                    '*' => Token::Result(GameResult::Unknown),
                    other => Token::Error(PgnErrorKind::Unexpected(other)),
                });
            }
            _ if is_blank(first) => {
                self.take_while(is_blank);
            }
            _ => return self.read_word(),
        }
        None
    }

    /// Whether the line has a `>` from here on. It is searched once.
    fn closes_reserved(&mut self) -> bool {
        self.lacks_closing = self.lacks_closing || !self.rest().contains('>');
        !self.lacks_closing
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(accept).len();
        let text = rest.get(..length).unwrap_or_default().to_owned();
        self.advance(length);
        text
    }

    /// Reads a word, or a result or castling with blanks in it.
    fn read_word(&mut self) -> Option<Token> {
        if let Found::Result(result, length) = result::find(self.rest()) {
            self.advance(length);
            return Some(Token::Result(result));
        }
        if let Some(length) = castling_with_blanks(self.rest()) {
            let mut text = self.rest().get(..length).unwrap_or_default().to_owned();
            self.advance(length);
            text += &self.take_while(|letter| "+#!?".contains(letter));
            return Some(Token::Move(text));
        }
        // A number joined to what follows, so that `4.O - O` is read as `4. O - O` is.
        let length = self.rest().len() - san::after_number(self.rest()).len();
        if length > 0 {
            self.advance(length);
            return None;
        }
        let mut word = self.take_while(|letter| !is_blank(letter) && !"[]{}();$*".contains(letter));
        // A promotion in the form a8(Q).
        if let [b'(', letter, b')', ..] = *self.rest().as_bytes()
            && word.ends_with(['1', '8'])
            && b"QRBNqrbn".contains(&letter)
        {
            self.advance(3);
            word.extend(['(', letter.into(), ')']);
        }
        read_word(&word)
    }

    /// Reads the tag pair at the current place. If it is invalid, the line is skipped.
    fn read_tag(&mut self) -> Token {
        let rest = self.rest();
        // A command outside a comment: [%clk 0:01:00].
        if rest.starts_with("[%")
            && let Some(close) = rest.find(']')
        {
            let text = rest.get(..=close).unwrap_or_default().to_owned();
            self.advance(close + 1);
            return Token::Comment(text);
        }
        if let Some((name, value, length)) = split_tag(rest) {
            self.advance(length);
            return Token::Tag(name, value);
        }
        let text = rest.trim_matches(is_blank);
        let shown = text.chars().take(40).collect();
        let salvaged = salvage_tag(text);
        self.advance(self.line.len() - self.at);
        match salvaged {
            Some((name, value)) => Token::BadTag(shown, name, value),
            None => Token::Error(PgnErrorKind::Tag(shown)),
        }
    }
}

/// The length of `O - O` or `O - O - O` at the start of the text, if it has blanks.
fn castling_with_blanks(text: &str) -> Option<usize> {
    let mut length = 0;
    let mut has_blanks = false;
    let mut letters = 0;
    loop {
        let rest = text.get(length..)?;
        let Some(letter) = rest
            .chars()
            .next()
            .filter(|&letter| san::is_castling_letter(letter))
        else {
            break;
        };
        (length, letters) = (length + letter.len_utf8(), letters + 1);
        let rest = text.get(length..)?;
        let sign = rest.trim_start_matches(is_blank);
        let Some(dash) = sign
            .chars()
            .next()
            .filter(|&sign| is_dash(sign) && letters < 3)
        else {
            break;
        };
        let next = sign.get(dash.len_utf8()..)?.trim_start_matches(is_blank);
        if !next.starts_with(san::is_castling_letter) {
            break;
        }
        let whole = text.len() - next.len() - length;
        has_blanks |= whole > dash.len_utf8();
        length += whole;
    }
    let is_end = !text
        .get(length..)?
        .starts_with(|next: char| next.is_alphanumeric() || is_dash(next));
    (has_blanks && letters > 1 && is_end).then_some(length)
}

/// Converts a word of movetext into a token. Returns `None` for a move number, and for the mark of
/// an en passant capture.
fn read_word(word: &str) -> Option<Token> {
    let after_number = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_dot = |letter| matches!(letter, '.' | '…' | '‥');
    let word = if after_number.starts_with(is_dot) {
        after_number.trim_start_matches(is_dot)
    } else if after_number.is_empty() {
        // Castling and the null move in a non-standard form are no move numbers.
        if matches!(word, "00" | "000" | "0000") {
            word
        } else {
            ""
        }
    } else if after_number.starts_with(|letter: char| letter.is_alphabetic()) {
        // A number without a dot.
        after_number
    } else {
        word
    };
    // The mark of a check may stand alone too: a8(Q) +.
    let says_nothing = |letter| is_dot(letter) || matches!(letter, '+' | '#');
    if matches!(word, "e.p." | "e.p" | "ep") || word.chars().all(says_nothing) {
        return None;
    }
    if let Found::Result(result, length) = result::find(word)
        && length == word.len()
    {
        return Some(Token::Result(result));
    }
    if matches!(word, "1/2" | "½") {
        return Some(Token::Result(GameResult::Drawn));
    }
    let is_sign = !word.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    let is_word = matches!(word, "N" | "TN" | "D" | "R" | "RR" | "forced" | "worst");
    if (is_sign || is_word)
        && let Some(number) = sign(word)
    {
        return Some(Token::Glyph(number));
    }
    if san::is_null(word) {
        return Some(Token::Move(word.to_owned()));
    }
    let is_text = word.contains(char::is_alphanumeric) || word.contains(san::is_figurine);
    Some(if is_text {
        Token::Move(word.to_owned())
    } else {
        Token::Skipped(word.to_owned())
    })
}

/// The signs of Chess Informant, ChessBase and Scid, with their glyphs: up to `$139` those of
/// the PGN standard (10), beyond it those of these programs.
const SIGNS: [(&str, u8); 39] = [
    ("□", 7),
    ("forced", 7),
    ("worst", 9),
    ("=", 10),
    ("∞", 13),
    ("~", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("+--", 20),
    ("--+", 21),
    ("⨀", 22),
    ("⊙", 22),
    ("○", 26),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("=/∞", 44),
    ("⯹", 44),
    ("⇆", 132),
    ("⇄", 132),
    ("⊕", 138),
    ("∆", 140),
    ("△", 140),
    ("⌓", 142),
    ("N", 146),
    ("TN", 146),
    ("R", 144),
    ("RR", 145),
    ("D", 201),
];

/// Whether a character after a move belongs to a sign. Letters belong to the move, and so does
/// the plus sign of a check.
pub(super) fn is_of_sign(letter: char) -> bool {
    let may_follow = letter != '+' && !letter.is_ascii_alphabetic();
    may_follow && SIGNS.iter().any(|(sign, _)| sign.contains(letter))
}

/// The glyph of a sign or mark; a typographic dash in it is a hyphen.
pub(super) fn sign(text: &str) -> Option<u8> {
    let text: String = text
        .chars()
        .map(|sign| if is_dash(sign) { '-' } else { sign })
        .collect();
    let text = match text.as_str() {
        "‼" => "!!",
        "⁇" => "??",
        "⁉" => "!?",
        "⁈" => "?!",
        other => other,
    };
    match Note::mark(text) {
        Some(Note::Glyph(number)) => Some(number),
        _ => SIGNS
            .iter()
            .find(|(known, _)| *known == text)
            .map(|&(_, number)| number),
    }
}

#[cfg(test)]
mod tests {
    use super::{Lexer, SIGNS};
    use crate::game::GameResult;
    use crate::game::pgn::{Note, Reader};

    #[test]
    fn every_sign_is_read_apart_from_a_move_and_at_its_end() {
        for (sign, glyph) in SIGNS {
            let is_letters = sign.contains(char::is_alphabetic);
            for between in ["", " "] {
                if is_letters && between.is_empty() {
                    continue;
                }
                let text = format!("1. e4 e5 2. Nf3{between}{sign} Nc6{between}{sign} 1-0");
                let read = Reader::new(text.as_bytes()).next().unwrap().unwrap();
                assert_eq!(read.game.history().moves().len(), 4, "{text}");
                assert_eq!(read.game.notes(3), [Note::Glyph(glyph)], "{text}");
                assert_eq!(read.game.notes(4), [Note::Glyph(glyph)], "{text}");
            }
        }
    }

    #[test]
    fn the_closing_sign_of_a_line_is_looked_for_once() {
        let mut lexer = Lexer::new("".as_bytes());
        for (line, closes, lacks) in [
            ("<x> e5", true, false),
            ("< e5", false, true),
            // The line does not change while it is read.
            ("<x> e5", false, true),
        ] {
            lexer.line = line.to_owned();
            assert_eq!(lexer.closes_reserved(), closes, "{line}");
            assert_eq!(lexer.lacks_closing, lacks, "{line}");
        }
    }

    #[test]
    fn a_sign_that_no_other_closes_takes_nothing_with_it() {
        for (text, plies) in [
            ("1. e4 < e5 2. Nf3 1-0", 3),
            ("1. e4 <x> e5 2. Nf3 < Nc6 1-0", 4),
            ("1. e4 <x e5> 1... e6 2. d4 1-0", 3),
        ] {
            let read = Reader::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(read.game.history().moves().len(), plies, "{text}");
            assert_eq!(read.game.result(), GameResult::WhiteWins, "{text}");
        }
    }
}
