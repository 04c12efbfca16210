//! Notes next to the moves of a game.

/// A note on a move, or on the start of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// `{text}`. Comments after a semicolon are written in this form too.
    Comment(String),
    /// `$4`, a numeric annotation glyph (PGN standard, 10). A mark such as `??` is one too.
    Glyph(u8),
    /// `(1. d4 d5)`: other moves, as text without the parentheses. A text that would not end at
    /// its closing parenthesis, or has a tag, becomes a comment.
    Variation(String),
}

/// The marks of the glyphs from `$1` on.
const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

impl Note {
    /// The glyph of a mark such as `?!`.
    ///
    /// ```
    /// use tabiya::game::pgn::Note;
    /// assert_eq!(Note::mark("??"), Some(Note::Glyph(4)));
    /// assert_eq!(Note::mark("+-"), None);
    /// ```
    pub fn mark(text: &str) -> Option<Self> {
        let number = MARKS.iter().position(|&mark| mark == text)?;
        u8::try_from(number + 1).ok().map(Self::Glyph)
    }

    /// Prepares the note for writing: single blanks between words, and no closing brace in a
    /// comment. Returns `None` if no text is left.
    pub(super) fn tidy(self) -> Option<Self> {
        Some(match self {
            Self::Comment(text) => Self::Comment(tidy_text(&text.replace('}', ")"))?),
            Self::Variation(text) => {
                let moves = without_reserved(&text);
                if !is_closed(&moves, &[';', '[', ']']) {
                    return Self::Comment(format!("({text})")).tidy();
                }
                Self::Variation(tidy_text(&moves)?)
            }
            Self::Glyph(number) => Self::Glyph(number),
        })
    }

    /// The tidy note as written; empty if no text is left.
    pub(super) fn written(self) -> String {
        let note = self.tidy();
        note.map_or_else(String::new, |note| note.words().join(" "))
    }

    /// The words of the note as written; a line may break between them.
    pub(super) fn words(&self) -> Vec<String> {
        let enclosed = |text: &str, open, close| words(&format!("{open}{text}{close}"));
        match self {
            Self::Comment(text) => enclosed(text, '{', '}'),
            Self::Variation(text) => enclosed(text, '(', ')'),
            Self::Glyph(number) => vec![format!("${number}")],
        }
    }
}

/// Adds a tidy note to those at its place. A comment after a comment becomes one with it, because
/// some programs read only one, but not if a command that the first has left open, such as
/// `[%eval 0.3`, would end in the second and take its text.
pub(super) fn push(notes: &mut Vec<Note>, note: Note) {
    match (note, notes.last_mut()) {
        (Note::Comment(text), Some(Note::Comment(last)))
            if !(text.contains(']') && ends_in_command(last)) =>
        {
            last.push(' ');
            last.push_str(&text);
        }
        (note, _) => notes.push(note),
    }
}

/// Whether a command is open at the end of the text. Only the part after the last bracket is looked
/// at, so that many comments in a row take linear time.
fn ends_in_command(text: &str) -> bool {
    let after = text.rfind(']').map_or(0, |bracket| bracket + 1);
    text[after..].contains("[%")
}

/// Moves without the signs `<` and what they enclose, which the standard reserves. On one line a
/// `>` far behind could close them, and the moves between would be lost. The null move `<>` stays.
fn without_reserved(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    let mut is_in_comment = false;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        match letter {
            '<' if !is_in_comment && !after.starts_with('>') => {
                let end = after.find(['<', '>', '{', '(', ')']);
                let closed = end.and_then(|end| after[end..].strip_prefix('>'));
                rest = closed.unwrap_or(after);
                continue;
            }
            '{' => is_in_comment = true,
            '}' => is_in_comment = false,
            _ => {}
        }
        kept.push(letter);
        rest = after;
    }
    kept
}

/// The words of the text with single blanks between them; `None` if it has none.
pub(super) fn tidy_text(text: &str) -> Option<String> {
    let words = text.split(|letter: char| letter.is_whitespace() || is_invisible(letter));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    Some(words.join(" ")).filter(|text| !text.is_empty())
}

/// Whether the movetext ends outside of comments and variations, and has no brackets, reserved
/// signs or comments up to the end of a line, which would read differently on one line.
pub(super) fn is_complete(text: &str) -> bool {
    is_closed(text, &['[', ']', '<', ';'])
}

/// Whether the movetext ends outside of comments and variations, and has none of the letters
/// `excluded` outside of comments and commands such as `[%clk 0:01]`.
fn is_closed(text: &str, excluded: &[char]) -> bool {
    let mut variations = 0_u32;
    // The sign that ends the open comment or command.
    let mut closing = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            _ if closing == Some(letter) => closing = None,
            _ if closing.is_some() => {}
            '{' => closing = Some('}'),
            '[' if letters.peek() == Some(&'%') => closing = Some(']'),
            '}' => return false,
            '(' => variations += 1,
            ')' if variations == 0 => return false,
            ')' => variations -= 1,
            _ if excluded.contains(&letter) => return false,
            _ => {}
        }
    }
    variations == 0 && closing.is_none()
}

/// Splits text with single blanks where a line may break.
///
/// A line must not start with `%` (an escaped line) or `[` (a tag). A command such as [%eval 0.3]
/// stays on one line, because some readers expect that.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut is_in_command = false;
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(last) if word.starts_with(['%', '[']) || is_in_command => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        is_in_command = match (word.rfind("[%"), word.rfind(']')) {
            (None, None) => is_in_command,
            (begin, end) => begin > end,
        };
    }
    words
}

/// Whether the character is a byte order mark or a control character.
fn is_invisible(letter: char) -> bool {
    letter == '\u{FEFF}' || letter.is_control()
}

/// The text without what changes a terminal: control characters, and the marks that turn the
/// direction of writing. Each becomes a replacement character.
///
/// ```
/// use tabiya::game::pgn::printable;
/// assert_eq!(printable("A\u{1b}]0;B\u{7}"), "A\u{fffd}]0;B\u{fffd}");
/// ```
pub fn printable(text: &str) -> String {
    let is_harmful = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
            || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{FEFF}')
    };
    text.replace(is_harmful, "\u{FFFD}")
}
