//! Builds games from tokens.

use super::error::{PgnError, PgnErrorKind};
use super::lexer::{Lexer, Token};
use super::note::Note;
use super::result;
use super::word::{Word, is_standard};
use super::{FEN, Foreign, PLY_COUNT, PgnGame, RESULT, VARIANT, is_derived};
use crate::board::Position;
use crate::game::san::{self, SanError};
use crate::game::{GameResult, History, Outcome};
use crate::types::CastlingMode;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead};

/// A game and the errors found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGame {
    /// The game, up to the first place among its moves that cannot be read. A comment has the text
    /// from there on.
    pub game: PgnGame,
    /// Whether all moves were read. If not, the result may be in that comment too.
    pub is_complete: bool,
    /// The line on which the game begins, from 1.
    pub line: usize,
    /// Whether the moves end with a termination marker. A game that is cut off has none.
    pub is_terminated: bool,
    /// The errors in the order of the text.
    pub errors: Vec<PgnError>,
}

/// Reads games from a stream, one at a time. Memory is needed for one game and one line.
///
/// Each item is a game with its errors, or an I/O error, which is the last item. Comments that
/// belong to no game, such as those after a blank line at the end, are left out.
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// The token that ended the last game and belongs to the next.
    pending: Option<(usize, Token)>,
    games: usize,
    is_broken: bool,
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("games", &self.games)
            .finish_non_exhaustive()
    }
}

impl<R: BufRead> Reader<R> {
    /// A reader of the games in `input`.
    pub fn new(input: R) -> Self {
        Self {
            lexer: Lexer::new(input),
            pending: None,
            games: 0,
            is_broken: false,
        }
    }

    fn read_game(&mut self) -> io::Result<Option<ReadGame>> {
        let mut draft = Draft::new(self.games + 1);
        loop {
            if !draft.has_failed && !draft.is_in_variation() {
                self.lexer.start_capture();
            }
            let token = match self.pending.take() {
                Some(token) => Some(token),
                None => self.lexer.next()?,
            };
            let Some((line, token)) = token else {
                break;
            };
            if draft.ends_before(&token) {
                self.lexer.uncapture_token();
                self.pending = Some((line, token));
                break;
            }
            let was_in_variation = draft.is_in_variation();
            let is_over = draft.add(line, token);
            match (was_in_variation, draft.is_in_variation()) {
                _ if draft.has_failed => {}
                (false, true) => self.lexer.start_capture(),
                (true, false) => {
                    let text = self.lexer.end_capture().unwrap_or_default();
                    let text = text.strip_suffix(')').unwrap_or(&text);
                    draft.add_note(Note::Variation(text.to_owned()));
                }
                _ => {}
            }
            if is_over {
                self.lexer.uncapture_token();
                draft.keep_rest(self.lexer.end_capture());
                self.read_last_comments(&mut draft)?;
                break;
            }
        }
        // A variation without an end is a place that cannot be read.
        if let Some(&line) = draft.variations.first() {
            draft.fail(line, PgnErrorKind::OpenVariation);
        }
        draft.keep_rest(self.lexer.end_capture());
        if !draft.has_begun() {
            return Ok(None);
        }
        self.games += 1;
        Ok(Some(draft.finish()))
    }

    /// Reads comments, glyphs and other results after the result, such as `1-0 {Black resigns}`. Up
    /// to a blank line they belong to the game. Another result than the first is kept as a comment.
    fn read_last_comments(&mut self, draft: &mut Draft) -> io::Result<()> {
        while let Some((line, token)) = self.lexer.next()? {
            let note = match token {
                Token::Comment(text) => Note::Comment(text),
                Token::Glyph(number) => Note::Glyph(number),
                Token::Result(again) => match draft.add_result(line, again) {
                    Some(text) => Note::Comment(text),
                    None => continue,
                },
                Token::Blank => break,
                other => {
                    // It becomes a game of its own.
                    if other == Token::Open {
                        draft.report(line, PgnErrorKind::NonStandard("(".to_owned()));
                    }
                    self.pending = Some((line, other));
                    break;
                }
            };
            // Where the moves are kept as text, so is this.
            if draft.has_failed {
                draft.rest += " ";
                draft.rest += &note.written();
            } else {
                draft.add_note(note);
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_broken {
            return None;
        }
        let read = self.read_game();
        self.is_broken = read.is_err();
        read.transpose()
    }
}

struct Tag {
    line: usize,
    name: String,
    value: String,
}

/// A partly read game.
struct Draft {
    number: usize,
    /// The line of the first token that belongs to the game; 0 before it.
    line: usize,
    tags: Vec<Tag>,
    /// The index of each tag by its name.
    tag_indices: HashMap<String, usize>,
    /// Whether a blank line followed the last tag.
    is_blank_since_tag: bool,
    /// The moves; `None` before the movetext.
    moves: Option<History>,
    mode: CastlingMode,
    /// The variant and start position, if the game cannot be played here.
    foreign: Option<Foreign>,
    /// Whether a place among the moves could not be read. Later moves are not read.
    has_failed: bool,
    /// Whether that place is in a variation, whose opening parenthesis is not captured.
    has_failed_in_variation: bool,
    /// The text from there on.
    rest: String,
    /// The notes, each with the number of moves before it.
    notes: Vec<(usize, Note)>,
    /// The lines on which the open variations started.
    variations: Vec<usize>,
    /// The termination marker and its line.
    end: Option<(usize, GameResult)>,
    /// Whether the last text among the moves is `0-0`.
    ends_with_zeros: bool,
    errors: Vec<PgnError>,
}

impl Draft {
    fn new(number: usize) -> Self {
        Self {
            number,
            line: 0,
            tags: Vec::new(),
            tag_indices: HashMap::new(),
            is_blank_since_tag: false,
            moves: None,
            mode: CastlingMode::Standard,
            foreign: None,
            has_failed: false,
            has_failed_in_variation: false,
            rest: String::new(),
            notes: Vec::new(),
            variations: Vec::new(),
            end: None,
            ends_with_zeros: false,
            errors: Vec::new(),
        }
    }

    fn has_begun(&self) -> bool {
        let is_error = |error: &PgnError| !matches!(error.kind, PgnErrorKind::Reserved(_));
        !self.tags.is_empty() || self.moves.is_some() || self.errors.iter().any(is_error)
    }

    const fn is_in_variation(&self) -> bool {
        !self.variations.is_empty()
    }

    /// Adds a note, unless an error came before it: then its place is not known.
    fn add_note(&mut self, note: Note) {
        if !self.has_failed && !self.is_in_variation() {
            self.notes.push((self.plies(), note));
        }
    }

    /// The number of moves read.
    fn plies(&self) -> usize {
        let moves = self.moves.as_ref();
        moves.map_or(0, |history| history.moves().len())
    }

    /// Reports a result after the result. Returns the text to keep, if it says something else.
    fn add_result(&mut self, line: usize, again: GameResult) -> Option<String> {
        let (_, first) = self.end?;
        let kind = if first == again {
            PgnErrorKind::NonStandard(again.to_string())
        } else {
            PgnErrorKind::TwoResults(first, again)
        };
        // Once: a text may have nothing but results.
        if self.errors.last().is_none_or(|last| last.kind != kind) {
            self.report(line, kind);
        }
        if first == again {
            return None;
        }
        if first == GameResult::Unknown {
            self.end = Some((line, again));
            return None;
        }
        Some(again.to_string())
    }

    /// Keeps the captured text if there was an error among the moves.
    fn keep_rest(&mut self, captured: Option<String>) {
        if self.has_failed
            && let Some(text) = captured
        {
            self.rest = if self.has_failed_in_variation {
                format!("({}", text.trim_start())
            } else {
                text
            };
        }
    }

    fn tag(&self, name: &str) -> Option<&Tag> {
        self.tag_indices.get(name).map(|&index| &self.tags[index])
    }

    /// The tag, if it has a value. An empty one and a question mark say nothing.
    fn stated(&self, name: &str) -> Option<&Tag> {
        let says_nothing = |tag: &Tag| matches!(tag.value.trim(), "" | "?");
        self.tag(name).filter(|tag| !says_nothing(tag))
    }

    /// Whether the token belongs to the next game: a tag after the moves, or a repeated tag after a
    /// blank line.
    fn ends_before(&self, token: &Token) -> bool {
        match token {
            Token::Tag(name, _) => {
                self.moves.is_some() || self.is_blank_since_tag && self.tag(name).is_some()
            }
            _ => false,
        }
    }

    /// Adds a token; returns whether it was the last one of the game.
    fn add(&mut self, line: usize, token: Token) -> bool {
        if self.line == 0 && !matches!(token, Token::Blank | Token::Comment(_)) {
            self.line = line;
        }
        match token {
            Token::Tag(name, value) => self.add_tag(line, name, value),
            Token::BadTag(text, ..) if self.moves.is_some() => {
                self.fail(line, PgnErrorKind::Bracket(text));
            }
            Token::BadTag(text, name, value) => {
                self.report(line, PgnErrorKind::Tag(text));
                self.add_tag(line, name, value);
            }
            Token::Blank => self.is_blank_since_tag = true,
            Token::Error(PgnErrorKind::Tag(text)) if self.moves.is_some() => {
                self.fail(line, PgnErrorKind::Bracket(text));
            }
            Token::Error(kind @ PgnErrorKind::Tag(_)) => self.report(line, kind),
            Token::Error(kind @ PgnErrorKind::Reserved(_)) => self.report(line, kind),
            Token::Skipped(text) => {
                self.begin_moves();
                if !self.has_failed && !self.is_in_variation() {
                    self.report(line, PgnErrorKind::NonStandard(text));
                }
            }
            Token::Error(kind) => self.fail(line, kind),
            Token::Comment(text) => {
                // Before the first tag and between tags it does not start the moves: other tags
                // are still to come.
                if self.is_blank_since_tag && !self.tags.is_empty() {
                    self.begin_moves();
                }
                self.add_note(Note::Comment(text));
            }
            Token::Glyph(number) => self.add_note(Note::Glyph(number)),
            Token::Open => {
                self.begin_moves();
                self.variations.push(line);
            }
            Token::Close => {
                self.begin_moves();
                if self.variations.pop().is_none() {
                    self.report(line, PgnErrorKind::Unexpected(')'));
                }
            }
            Token::Move(text) => self.play(line, &text),
            Token::Result(result) => {
                self.begin_moves();
                if self.variations.is_empty() {
                    self.end = Some((line, result));
                    return true;
                }
            }
        }
        false
    }

    fn add_tag(&mut self, line: usize, name: String, value: String) {
        if self.tag(&name).is_some() {
            self.report(line, PgnErrorKind::DuplicateTag(name));
        } else {
            self.tag_indices.insert(name.clone(), self.tags.len());
            self.tags.push(Tag { line, name, value });
            self.is_blank_since_tag = false;
        }
    }

    #[cold]
    fn report(&mut self, line: usize, kind: PgnErrorKind) {
        let game = self.number;
        // Some are found only when the game is complete.
        let place = self.errors.partition_point(|error| error.line <= line);
        self.errors.insert(place, PgnError { game, line, kind });
    }

    /// Reports the first error among the moves. Later moves are not read.
    fn fail(&mut self, line: usize, kind: PgnErrorKind) {
        self.begin_moves();
        if !self.has_failed {
            self.report(line, kind);
            self.has_failed_in_variation = self.is_in_variation();
        }
        self.has_failed = true;
    }

    fn play(&mut self, line: usize, text: &str) {
        self.begin_moves();
        if self.has_failed || !self.variations.is_empty() {
            return;
        }
        let Some(history) = &mut self.moves else {
            return;
        };
        if san::is_null(text) {
            match history.pass() {
                Ok(()) => self.report(line, PgnErrorKind::NullMove(text.to_owned())),
                Err(_) => self.fail(line, PgnErrorKind::Move(SanError::Null)),
            }
            return;
        }
        self.ends_with_zeros = text == result::LOST_BY_BOTH;
        let Word { mv, glyphs } = Word::read(text);
        let position = *history.position();
        match san::parse(&position, &mv) {
            Ok(played) => {
                // The move is legal, because `parse` returned it.
                let _ = history.play(played);
                if !is_standard(&position, played, &mv, text) {
                    self.report(line, PgnErrorKind::NonStandard(text.to_owned()));
                }
                for glyph in glyphs {
                    self.add_note(Note::Glyph(glyph));
                }
            }
            Err(error) => self.fail(line, PgnErrorKind::Move(error.about(text))),
        }
    }

    /// Sets up the start position, once the tags are complete.
    fn begin_moves(&mut self) {
        if self.moves.is_some() {
            return;
        }
        let variant = self.stated(VARIANT);
        let variant = variant.map(|tag| (tag.line, tag.value.clone()));
        let fen = self.stated(FEN).map(|tag| (tag.line, tag.value.clone()));
        // A tag decides always; without one, the letters of the castling field do.
        let mut stated = None;
        if let Some((line, name)) = variant {
            match mode_of(&name) {
                Some(mode) => stated = Some(mode),
                None => {
                    self.refuse_start(line, PgnErrorKind::Variant(name));
                    self.moves = Some(History::new(Position::start()));
                    return;
                }
            }
        }
        self.mode = stated.unwrap_or_default();
        let mut start = Position::start();
        if let Some((line, fen)) = fen {
            match Position::from_fen_repaired(&fen, stated) {
                Ok(validated) => {
                    (start, self.mode) = (validated.position, validated.mode);
                    if !validated.repairs().is_empty() {
                        self.report(line, PgnErrorKind::Repaired(validated.repairs()));
                    }
                }
                Err(error) => self.refuse_start(line, PgnErrorKind::Setup(error)),
            }
        }
        self.moves = Some(History::new(start));
    }

    /// Reports that the game cannot be played here. Its tags and text are kept.
    fn refuse_start(&mut self, line: usize, kind: PgnErrorKind) {
        self.report(line, kind);
        self.has_failed = true;
        let value = |name| self.stated(name).map(|tag| tag.value.clone());
        self.foreign = Some(Foreign {
            variant: value(VARIANT),
            fen: value(FEN),
            movetext: String::new(),
        });
        self.mode = CastlingMode::Standard;
    }

    fn finish(mut self) -> ReadGame {
        self.begin_moves();
        self.read_double_loss();
        let result = self.decide_result();
        let history = self
            .moves
            .unwrap_or_else(|| History::new(Position::start()));
        let mut game = PgnGame::new(history, self.mode, result);
        let lacks_moves = self.has_failed && self.foreign.is_none();
        if let Some(mut foreign) = self.foreign.take() {
            // Comments before the moves are part of the text.
            let before = self.notes.drain(..).map(|(_, note)| note.written() + " ");
            foreign.movetext = before.collect::<String>() + &std::mem::take(&mut self.rest);
            game.set_foreign(foreign);
        }
        for (plies, note) in self.notes {
            game.add_note(plies, note);
        }
        let plies = game.history().moves().len();
        game.add_note(plies, Note::Comment(self.rest.replace('{', "(")));
        let own = self.tags.into_iter().filter(|tag| !is_derived(&tag.name));
        game.tags.extend(own.map(|tag| (tag.name, tag.value)));
        if lacks_moves {
            // It also counts the moves that could not be read.
            game.tags.remove(PLY_COUNT);
        }
        ReadGame {
            game,
            is_complete: !self.has_failed,
            line: self.line,
            is_terminated: self.end.is_some(),
            errors: self.errors,
        }
    }

    /// A final `0-0` is no castling if the tag has it as the result: both have lost (FIDE 11.8).
    fn read_double_loss(&mut self) {
        let is_stated = self
            .stated(RESULT)
            .is_some_and(|tag| tag.value.trim() == result::LOST_BY_BOTH);
        if is_stated
            && self.ends_with_zeros
            && self.end.is_none()
            && !self.has_failed
            && let Some(history) = &mut self.moves
        {
            history.undo();
            history.forget_undone();
        }
    }

    /// Returns the result: the tag's, unless it is unknown, else the termination marker's. Reports
    /// a different result on the board.
    fn decide_result(&mut self) -> GameResult {
        let stated = self.stated_result();
        let position = self.moves.as_ref().map(History::position);
        let end = position.filter(|position| !position.has_legal_move());
        if let Some(position) = end {
            let mate = Outcome::checkmate(position);
            let board = mate.map_or(GameResult::Drawn, Outcome::result);
            if stated != GameResult::Unknown && stated != board {
                let tag = self.tag(RESULT).map(|tag| tag.line);
                let line = tag.or(self.end.map(|(line, _)| line)).unwrap_or_default();
                self.report(line, PgnErrorKind::BoardMismatch(stated, board));
            }
        }
        stated
    }

    fn stated_result(&mut self) -> GameResult {
        let tag = self.stated(RESULT);
        let tag = tag.map(|tag| (tag.line, tag.value.clone()));
        let tag = tag.and_then(|(line, value)| {
            let read = result::read(&value);
            if read.is_none() {
                // A foreign game keeps only what is in its movetext.
                if self.foreign.is_none() {
                    let text = format!("Result: {}", value.trim()).replace('{', "(");
                    self.notes.push((self.plies(), Note::Comment(text)));
                }
                self.report(line, PgnErrorKind::Result(value));
            }
            read
        });
        match (tag, self.end) {
            (None, None) => GameResult::Unknown,
            (Some(tag), None) => tag,
            (None, Some((_, end))) => end,
            (Some(tag), Some((line, end))) => {
                if tag != end {
                    self.report(line, PgnErrorKind::ResultMismatch(tag, end));
                }
                if tag == GameResult::Unknown { end } else { tag }
            }
        }
    }
}

/// The castling mode of a variant, by the names that programs and servers use; `None` if its rules
/// are not those of chess or Chess960.
fn mode_of(variant: &str) -> Option<CastlingMode> {
    let name: String = variant
        .to_ascii_lowercase()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let name = name.strip_prefix("chess").unwrap_or(&name);
    let name = name.strip_suffix("chess").unwrap_or(name);
    match name {
        "" | "standard" | "normal" | "classical" | "classic" | "regular" | "orthodox"
        | "western" | "international" | "fide" | "illegal" | "fromposition" | "position"
        | "setup" | "custom" | "thematic" | "handicap" | "odds" | "armageddon" | "blitz"
        | "rapid" | "bullet" | "lightning" | "correspondence" | "shuffle" | "wild2" | "wild3"
        | "wild4" | "wild8" => Some(CastlingMode::Standard),
        "960"
        | "9lx"
        | "fischerandom"
        | "fischerrandom"
        | "fischerrandom960"
        | "fischer"
        | "frc"
        | "dfrc"
        | "doublefischerrandom"
        | "doublefischerandom"
        | "double960"
        | "freestyle"
        | "random"
        | "wildfr"
        | "wild22"
        | "w22" => Some(CastlingMode::Chess960),
        _ => None,
    }
}
