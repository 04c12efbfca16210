//! A game with variations as calls from JavaScript. What a call answers is JSON, whose types are in
//! `web/engine/rules.d.ts`.
//!
//! The game stays here, so that a call about a long game carries one move and not all of them.

use crate::line::{self, legal_line};
use crate::positions;
use serde::{Deserialize, Serialize};
use tabiya::board::Position;
use tabiya::game::draw::Claim;
use tabiya::game::pgn::{GameTree, NodeId, Note, Reader, TreeError};
use tabiya::game::{Draw, Game, GameEvent, Outcome, Win, lan, opening, san};
use tabiya::types::{CastlingMode, Color, Move, PieceKind};
use wasm_bindgen::prelude::*;

/// The games of a PGN text, or the positions of a FEN or EPD text, one at a time.
#[wasm_bindgen]
pub struct GameReader {
    source: Source,
    chess960: Option<bool>,
    faults: Vec<String>,
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
                self.faults = read.errors.iter().map(ToString::to_string).collect();
                self.line = read.line;
                let tree = GameTree::from(read.game);
                Ok(Some(RulesGame { tree }))
            }
            Source::Positions(found) => {
                let Some(found) = found.next() else {
                    return Ok(None);
                };
                self.line = found.line;
                let mode = self.chess960.map(CastlingMode::from_chess960);
                let (tree, faults) = found.read(mode).map_err(|error| JsError::new(&error))?;
                self.faults = faults;
                Ok(Some(RulesGame { tree }))
            }
        }
    }

    /// What is wrong with the last game, one sentence each.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        self.faults.clone()
    }

    /// The line on which the last game begins, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }
}

/// A game with variations, and a place in it.
#[wasm_bindgen]
pub struct RulesGame {
    tree: GameTree,
}

/// A legal move.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveAnswer {
    uci: String,
    san: String,
    from: String,
    to: String,
    piece: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    captured: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    castles: bool,
}

/// Serde passes a reference.
fn is_false(value: &bool) -> bool {
    !value
}

/// How a game stands.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Status {
    Playing,
    Won {
        winner: &'static str,
        by: &'static str,
        article: &'static str,
        text: String,
    },
    Drawn {
        by: &'static str,
        article: &'static str,
        text: String,
    },
}

/// A draw that the side to move may claim.
#[derive(Serialize)]
struct ClaimAnswer {
    by: &'static str,
    article: &'static str,
    /// The move to announce, in coordinates; absent if the claim holds now.
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
}

/// The place that is looked at.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlaceAnswer {
    node: usize,
    parent: Option<usize>,
    ply: usize,
    fen: String,
    turn: &'static str,
    check: bool,
    fullmove: u32,
    halfmove: u32,
    repetitions: u32,
    status: Status,
    claims: Vec<ClaimAnswer>,
    offer: Option<&'static str>,
    moves: Vec<MoveAnswer>,
    last_move: Option<MoveAnswer>,
    opening: Option<&'static str>,
    can_undo: bool,
    can_redo: bool,
}

/// A move of the tree.
#[derive(Serialize)]
struct NodeAnswer {
    id: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    /// Number of moves before and with this one.
    ply: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    san: String,
    /// Such as `12.` or `12...`.
    #[serde(skip_serializing_if = "String::is_empty")]
    number: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<u8>,
    /// Variations that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<String>,
    children: Vec<usize>,
}

/// New comments and glyphs of a node.
#[derive(Deserialize)]
struct NodeNotes {
    node: usize,
    comments: Vec<String>,
    glyphs: Vec<u8>,
}

/// What a claim brought.
#[derive(Serialize)]
struct ClaimResult {
    /// Why it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

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
    ///
    /// # Errors
    /// Never: all of it can be written.
    pub fn place(&self) -> Answer {
        let (game, position) = (self.tree.line(), self.tree.position());
        let history = game.history();
        let id = self.tree.cursor();
        let status = self.tree.outcome().map_or(Status::Playing, status);
        let is_playing = matches!(status, Status::Playing);
        let last = self.tree.move_of(id);
        let before = self.tree.position_of(self.tree.parent(id));
        write(&PlaceAnswer {
            node: id.index(),
            parent: last.map(|_| self.tree.parent(id).index()),
            ply: history.moves().len(),
            fen: position.to_fen(self.tree.mode()),
            turn: color_name(position.side_to_move()),
            check: position.in_check(),
            fullmove: position.fullmove_number(),
            halfmove: position.halfmove_clock(),
            repetitions: history.occurrences(),
            status,
            claims: if is_playing {
                self.claims()
            } else {
                Vec::new()
            },
            offer: game.offer().map(color_name),
            moves: self.moves(position),
            last_move: last.map(|mv| self.describe(before, mv)),
            opening: opening::name(history),
            can_undo: self.tree.can_undo(),
            can_redo: self.tree.can_redo(),
        })
    }

    /// All moves with their notes, the start of the game first.
    ///
    /// # Errors
    /// Never: all of it can be written.
    pub fn nodes(&self) -> Answer {
        let mut answers = Vec::new();
        let mut waiting = vec![(NodeId::ROOT, 0)];
        while let Some((id, ply)) = waiting.pop() {
            answers.push(self.node(id, ply));
            let children = self.tree.children(id).iter().rev();
            waiting.extend(children.map(|&child| (child, ply + 1)));
        }
        write(&answers)
    }

    /// The start position and the moves up to the cursor in coordinates, for a search.
    ///
    /// # Errors
    /// Never: all of it can be written.
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

    /// Writes a line of moves from the cursor, such as `12... Nf6 13. e5`, up to the first move
    /// that is not legal.
    #[must_use]
    pub fn write(&self, moves: Vec<String>) -> String {
        let position = self.tree.position();
        san::write_line(position, &legal_line(position, &moves))
    }

    /// The moves of a line from the cursor with their positions, up to the first that is not legal.
    ///
    /// # Errors
    /// Never: all of it can be written.
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
        let (id, notes) = self.notes(NodeNotes {
            node,
            comments,
            glyphs,
        })?;
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
        let all: Result<Vec<_>, _> = all.into_iter().map(|notes| self.notes(notes)).collect();
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
    ///
    /// # Errors
    /// Never: all of it can be written.
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

impl RulesGame {
    /// The new notes of a node. Variations that could not be read stay.
    fn notes(&self, new: NodeNotes) -> Result<(NodeId, Vec<Note>), TreeError> {
        let id = self.tree.find(new.node)?;
        let unread = self.tree.notes(id).iter();
        let unread = unread.filter(|note| matches!(note, Note::Variation(_)));
        let notes = new.glyphs.into_iter().map(Note::Glyph);
        let notes = notes.chain(new.comments.into_iter().map(Note::Comment));
        Ok((id, notes.chain(unread.cloned()).collect()))
    }

    fn moves(&self, position: &Position) -> Vec<MoveAnswer> {
        let moves = position.legal_moves();
        moves
            .into_iter()
            .map(|mv| self.describe(position, mv))
            .collect()
    }

    fn describe(&self, position: &Position, mv: Move) -> MoveAnswer {
        let kind_at = |square| position.piece_at(square).map(|piece| piece.kind().name());
        let captured = position.captured(mv).map(|piece| piece.kind().name());
        let uci = lan::write(mv, self.tree.mode());
        MoveAnswer {
            from: mv.from().to_string(),
            // Where the king goes in standard chess, and its rook in Chess960, as the coordinates.
            to: uci.get(2..4).unwrap_or_default().to_owned(),
            san: san::write(position, mv),
            piece: kind_at(mv.from()).unwrap_or_default(),
            captured,
            promotion: mv.promotion().map(PieceKind::name),
            castles: mv.is_castling(),
            uci,
        }
    }

    fn claims(&self) -> Vec<ClaimAnswer> {
        let (game, position) = (self.tree.line(), self.tree.position());
        let mut claims = Vec::new();
        for event in game.available_claims() {
            match event {
                GameEvent::ClaimAvailable(claim) => {
                    let (by, article) = claim_name(claim, false);
                    let (with, san) = (None, None);
                    claims.push(ClaimAnswer {
                        by,
                        article,
                        with,
                        san,
                    });
                }
                GameEvent::ClaimAvailableWith(claim, moves) => {
                    let (by, article) = claim_name(claim, true);
                    claims.extend(moves.into_iter().map(|mv| ClaimAnswer {
                        by,
                        article,
                        with: Some(lan::write(mv, self.tree.mode())),
                        san: Some(san::write(position, mv)),
                    }));
                }
                _ => {}
            }
        }
        claims
    }

    fn node(&self, id: NodeId, ply: usize) -> NodeAnswer {
        let tree = &self.tree;
        let before = tree.position_of(tree.parent(id));
        let comments = |notes: &[Note]| -> Vec<String> {
            let text = |note: &Note| match note {
                Note::Comment(text) => Some(text.clone()),
                _ => None,
            };
            notes.iter().filter_map(text).collect()
        };
        let notes = tree.notes(id);
        let is_move = id != NodeId::ROOT;
        NodeAnswer {
            id: id.index(),
            parent: is_move.then(|| tree.parent(id).index()),
            ply,
            uci: tree.move_of(id).map(|mv| lan::write(mv, tree.mode())),
            san: tree.san_of(id),
            number: match (is_move, before.side_to_move()) {
                (false, _) => String::new(),
                (true, Color::White) => format!("{}.", before.fullmove_number()),
                (true, Color::Black) => format!("{}...", before.fullmove_number()),
            },
            before: comments(tree.notes_before(id)),
            comments: comments(notes),
            glyphs: notes
                .iter()
                .filter_map(|note| match note {
                    Note::Glyph(number) => Some(*number),
                    _ => None,
                })
                .collect(),
            unread: notes
                .iter()
                .filter_map(|note| match note {
                    Note::Variation(text) => Some(text.clone()),
                    _ => None,
                })
                .collect(),
            after: comments(tree.notes_after(id)),
            children: tree
                .children(id)
                .iter()
                .map(|child| child.index())
                .collect(),
        }
    }
}

fn write(answer: &impl Serialize) -> Answer {
    Ok(serde_json::to_string(answer)?)
}

pub(crate) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The name of a claim and its article of the FIDE Laws, on the board or with an intended move.
const fn claim_name(claim: Claim, intends: bool) -> (&'static str, &'static str) {
    match (claim, intends) {
        (Claim::Threefold, false) => ("threefold", "9.2.2"),
        (Claim::Threefold, true) => ("threefold", "9.2.1"),
        (Claim::FiftyMoves, false) => ("fifty", "9.3.2"),
        (Claim::FiftyMoves, true) => ("fifty", "9.3.1"),
    }
}

/// An outcome with its article of the FIDE Laws.
fn status(outcome: Outcome) -> Status {
    let text = outcome.to_string();
    match outcome {
        Outcome::Won { winner, by } => {
            let (by, article) = match by {
                Win::Checkmate => ("checkmate", "5.1.1"),
                Win::Resignation => ("resignation", "5.1.2"),
                Win::Time => ("time", "6.9"),
            };
            Status::Won {
                winner: color_name(winner),
                by,
                article,
                text,
            }
        }
        Outcome::Drawn(draw) => {
            let (by, article) = match draw {
                Draw::Stalemate => ("stalemate", "5.2.1"),
                Draw::InsufficientMaterial => ("insufficient", "5.2.2"),
                Draw::DeadPosition => ("dead", "5.2.2"),
                Draw::Agreement => ("agreement", "5.2.3"),
                Draw::ThreefoldRepetition => ("threefold", "9.2"),
                Draw::FiftyMoves => ("fifty", "9.3"),
                Draw::FivefoldRepetition => ("fivefold", "9.6.1"),
                Draw::SeventyFiveMoves => ("seventyfive", "9.6.2"),
                Draw::Time => ("time", "6.9"),
            };
            Status::Drawn { by, article, text }
        }
    }
}
