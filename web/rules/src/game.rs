//! A game with variations as calls from JavaScript. What a call answers is JSON, whose types are in
//! `web/engine/rules.d.ts`.
//!
//! The game stays here, so that a call that changes a long game carries one move and not all of
//! them.

use crate::line::{self, legal_line};
use crate::node::{self, NodeNotes};
use crate::place::Place;
use serde::Serialize;
use tabiya::board::Position;
use tabiya::game::pgn::GameTree;
use tabiya::game::{Game, GameEvent, lan, san};
use tabiya::types::{CastlingMode, Color};
use wasm_bindgen::prelude::*;

/// A game with variations, and a place in it.
#[wasm_bindgen]
pub struct RulesGame {
    tree: GameTree,
}

/// What a claim brought.
#[derive(Serialize)]
struct ClaimResult {
    /// Why it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// JSON. It is an error only where a call says so: all answers can be written.
type Answer = Result<String, JsError>;

#[wasm_bindgen]
impl RulesGame {
    /// A game from a position; by default the standard one.
    ///
    /// # Errors
    /// If the position cannot be played.
    #[wasm_bindgen(constructor)]
    pub fn new(fen: Option<String>, chess960: Option<bool>) -> Result<Self, JsError> {
        let wanted = chess960.map(CastlingMode::from_chess960);
        let (position, mode) = match fen {
            None => (Position::start(), wanted.unwrap_or(CastlingMode::Standard)),
            Some(fen) => {
                let read = Position::from_fen_repaired(&fen, wanted)?;
                (read.position, read.mode)
            }
        };
        Ok(Self {
            tree: GameTree::new(position, mode),
        })
    }

    /// Whether castling follows the rules of Chess960.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn chess960(&self) -> bool {
        self.tree.mode() == CastlingMode::Chess960
    }

    /// The place that is looked at.
    pub fn place(&self) -> Answer {
        write(&Place::of(&self.tree))
    }

    /// All moves with their notes, the start of the game first.
    pub fn nodes(&self) -> Answer {
        write(&node::nodes(&self.tree))
    }

    /// The start position and the moves up to the cursor in coordinates, for a search.
    #[wasm_bindgen(js_name = searchPosition)]
    pub fn search_position(&self) -> Answer {
        #[derive(Serialize)]
        struct SearchAnswer {
            fen: String,
            moves: Vec<String>,
        }
        let history = self.tree.line().history();
        write(&SearchAnswer {
            fen: history.start().to_fen(self.tree.mode()),
            moves: history
                .moves()
                .map(|mv| lan::write(mv, self.tree.mode()))
                .collect(),
        })
    }

    /// Plays a move in coordinates or SAN. Returns its node.
    ///
    /// # Errors
    /// If it is not a legal move.
    pub fn play(&mut self, text: &str) -> Result<usize, JsError> {
        let mv = san::parse(self.tree.position(), text)?;
        Ok(self.tree.play(mv)?.index())
    }

    /// Plays a move as `play` does, but leaves the result of the game as it is. Returns its node.
    ///
    /// # Errors
    /// If it is not a legal move.
    pub fn consider(&mut self, text: &str) -> Result<usize, JsError> {
        let mv = san::parse(self.tree.position(), text)?;
        Ok(self.tree.consider(mv)?.index())
    }

    /// Writes a line of moves from the cursor, such as `12... Nf6 13. e5`, up to the first move
    /// that is not legal.
    #[must_use]
    pub fn write(&self, moves: Vec<String>) -> String {
        let position = self.tree.position();
        san::write_line(position, &legal_line(position, &moves))
    }

    /// The moves of a line from the cursor with their positions, up to the first that is not legal.
    pub fn line(&self, moves: Vec<String>) -> Answer {
        write(&line::describe(
            self.tree.position(),
            self.tree.mode(),
            &moves,
        ))
    }

    /// The position if the side to move passed, as a FEN: what it threatens is what the opponent
    /// would play there. `None` in check, where passing leaves no position.
    #[must_use]
    pub fn passed(&self) -> Option<String> {
        let position = self.tree.position();
        (!position.in_check()).then(|| position.play_null().to_fen(self.tree.mode()))
    }

    /// Moves the cursor to a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn go(&mut self, node: usize) -> Result<(), JsError> {
        let id = self.tree.find(node)?;
        Ok(self.tree.go(id)?)
    }

    /// Moves the cursor by a number of moves, along the main moves if it is positive. Returns
    /// whether it moved.
    pub fn step(&mut self, moves: i32) -> bool {
        let from = self.tree.cursor();
        let mut to = from;
        for _ in 0..moves.unsigned_abs() {
            let next = if moves < 0 {
                Some(self.tree.parent(to))
            } else {
                self.tree.children(to).first().copied()
            };
            match next {
                Some(next) if next != to => to = next,
                _ => break,
            }
        }
        // Both are nodes of the tree.
        self.tree.go(to).is_ok() && to != from
    }

    /// Moves a variation one place up.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn promote(&mut self, node: usize) -> Result<(), JsError> {
        let id = self.tree.find(node)?;
        Ok(self.tree.promote(id)?)
    }

    /// Deletes a move and all that follows it.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn remove(&mut self, node: usize) -> Result<(), JsError> {
        let id = self.tree.find(node)?;
        Ok(self.tree.delete(id)?)
    }

    /// Replaces comments and glyphs of a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn annotate(
        &mut self,
        node: usize,
        comments: Vec<String>,
        glyphs: Vec<u8>,
    ) -> Result<(), JsError> {
        let new = NodeNotes {
            node,
            comments,
            glyphs,
        };
        let (id, notes) = new.notes(&self.tree)?;
        Ok(self.tree.set_notes(id, notes)?)
    }

    /// Replaces comments and glyphs of many nodes in one change: a JSON list such as
    /// `[{ "node": 1, "comments": ["good"], "glyphs": [1] }]`.
    ///
    /// # Errors
    /// If there is no such node; then nothing is changed.
    #[wasm_bindgen(js_name = annotateAll)]
    pub fn annotate_all(&mut self, all: &str) -> Result<(), JsError> {
        let all: Vec<NodeNotes> = serde_json::from_str(all)?;
        let all: Result<Vec<_>, _> = all.into_iter().map(|new| new.notes(&self.tree)).collect();
        Ok(self.tree.set_all_notes(all?)?)
    }

    /// Undoes the last change. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        self.tree.undo()
    }

    /// Makes the last undone change again. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        self.tree.redo()
    }

    /// Claims a draw, now or with a move.
    ///
    /// # Errors
    /// If the game has ended, or the move is not legal.
    pub fn claim(&mut self, with: Option<String>) -> Answer {
        let position = self.tree.position();
        let intended = with.map(|text| san::parse(position, &text)).transpose()?;
        let events = self.tree.act(|game| game.claim_draw(intended))?;
        let refused = events.iter().find_map(|event| match event {
            GameEvent::ClaimRefused(_, counts) => Some(counts.to_string()),
            _ => None,
        });
        write(&ClaimResult { refused })
    }

    /// An act of the player of this colour: `resign`, `flag`, `offer`, `accept` or `decline`.
    ///
    /// # Errors
    /// If there is no such act or colour, the game has ended, or the act is not possible.
    pub fn act(&mut self, name: &str, color: &str) -> Result<(), JsError> {
        let color = match color {
            "white" => Color::White,
            "black" => Color::Black,
            _ => {
                return Err(JsError::new(&format!(
                    "'{color}' is neither 'white' nor 'black'"
                )));
            }
        };
        let act = match name {
            "resign" => Game::resign,
            "flag" => Game::overstep_time,
            "offer" => Game::offer_draw,
            "accept" => Game::accept_draw,
            "decline" => Game::decline_draw,
            _ => return Err(JsError::new(&format!("'{name}' is not an act of a player"))),
        };
        self.tree.act(|game| act(game, color))?;
        Ok(())
    }

    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn result(&self) -> String {
        self.tree.result().to_string()
    }

    /// All tags, in the order of PGN.
    pub fn tags(&self) -> Answer {
        write(&self.tree.tags())
    }

    /// Sets a tag.
    ///
    /// # Errors
    /// If the tag cannot be written, or follows from the game.
    #[wasm_bindgen(js_name = setTag)]
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), JsError> {
        Ok(self.tree.set_tag(name, value)?)
    }

    /// The game as PGN.
    #[must_use]
    pub fn pgn(&self) -> String {
        self.tree.to_pgn().to_string()
    }
}

impl From<GameTree> for RulesGame {
    fn from(tree: GameTree) -> Self {
        Self { tree }
    }
}

fn write(answer: &impl Serialize) -> Answer {
    Ok(serde_json::to_string(answer)?)
}
