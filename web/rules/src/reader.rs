//! The games of a text or file, as calls from JavaScript.

use crate::game::RulesGame;
use crate::positions;
use tabiya::game::pgn::{GameTree, Reader};
use tabiya::types::CastlingMode;
use wasm_bindgen::prelude::*;

/// Letters of a fault that are kept.
const LONGEST_FAULT: usize = 240;

/// The games of a PGN text, or the positions of a FEN or EPD text, one at a time.
#[wasm_bindgen]
pub struct GameReader {
    source: Source,
    chess960: Option<bool>,
    faults: Vec<String>,
    complete: bool,
    line: usize,
}

enum Source {
    Games(Box<Reader<std::io::Cursor<Vec<u8>>>>),
    Positions(std::vec::IntoIter<positions::Found>),
}

#[wasm_bindgen]
impl GameReader {
    /// A reader of a file, in the encodings that [`Reader`] knows. `chess960` is for positions.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(bytes: Vec<u8>, chess960: Option<bool>) -> Self {
        // Positions have only ASCII characters; those of UTF-16 have a zero beside each.
        let text: String = String::from_utf8_lossy(&bytes).replace('\0', "");
        let text = text.trim_start_matches(['\u{FEFF}', char::REPLACEMENT_CHARACTER]);
        let found = positions::find(text);
        let source = if found.is_empty() {
            Source::Games(Box::new(Reader::new(std::io::Cursor::new(bytes))))
        } else {
            Source::Positions(found.into_iter())
        };
        Self {
            source,
            chess960,
            faults: Vec::new(),
            complete: true,
            line: 0,
        }
    }

    /// The next game, if there is one.
    ///
    /// # Errors
    /// If a position cannot be played. The next call reads what follows it.
    pub fn read(&mut self) -> Result<Option<RulesGame>, JsError> {
        match &mut self.source {
            Source::Games(reader) => {
                // Reading from memory cannot fail.
                let Some(Ok(read)) = reader.next() else {
                    return Ok(None);
                };
                self.faults = read
                    .errors
                    .iter()
                    .map(|error| shortened(error.to_string()))
                    .collect();
                self.complete = read.is_complete;
                self.line = read.line;
                Ok(Some(GameTree::from(read.game).into()))
            }
            Source::Positions(found) => {
                let Some(found) = found.next() else {
                    return Ok(None);
                };
                self.line = found.line;
                let mode = self.chess960.map(CastlingMode::from_chess960);
                let (tree, faults) = found
                    .read(mode)
                    .map_err(|error| JsError::new(&shortened(error)))?;
                self.faults = faults.into_iter().map(shortened).collect();
                Ok(Some(tree.into()))
            }
        }
    }

    /// What is wrong with the last game, one sentence each.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        self.faults.clone()
    }

    /// Whether all moves of the last game were read.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// The line on which the last game begins, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }
}

/// A fault without the middle of a word that it quotes: the word may be as long as the text.
fn shortened(fault: String) -> String {
    let letters = fault.chars().count();
    if letters <= LONGEST_FAULT {
        return fault;
    }
    let start: String = fault.chars().take(LONGEST_FAULT / 2).collect();
    let end: String = fault.chars().skip(letters - LONGEST_FAULT / 2).collect();
    format!("{start}…{end}")
}
