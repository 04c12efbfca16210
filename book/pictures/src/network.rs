//! The inputs of the network, and what each piece is worth to it.

use crate::position::{Board, read_fen};
use crate::{Refusal, answer};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use tabiya::board::Position;
use tabiya::eval::insides::{Input, InputKind, input_changes, inputs};
use tabiya::eval::{Motif, Network, evaluate};
use tabiya::game::{lan, san};
use tabiya::types::{CastlingMode, Color, Piece, PieceKind, Score, Square};
use wasm_bindgen::prelude::*;

/// A position and the network that evaluates it.
#[wasm_bindgen]
pub struct NetworkPicture {
    network: Arc<Network>,
    position: Position,
    changes: Option<ChangesAnswer>,
}

/// What the network says about the position.
#[derive(Debug, Serialize)]
pub struct NetworkAnswer {
    /// The position.
    pub board: Board,
    /// In centipawns, positive if White is better.
    pub evaluation: i32,
    /// By square: the evaluation minus that without the piece, in centipawns for its owner. Kings
    /// and pieces without which there is no legal position are absent.
    pub worth: BTreeMap<String, i32>,
    /// Number of inputs that are 1, for White's accumulator and for Black's.
    inputs: [usize; 2],
    moves: Vec<MoveAnswer>,
    /// What the last move changed; absent in a new position.
    changes: Option<ChangesAnswer>,
}

#[derive(Debug, Serialize)]
struct MoveAnswer {
    uci: String,
    from: String,
    to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<&'static str>,
}

/// What a move changed.
#[derive(Debug, Clone, Serialize)]
pub struct ChangesAnswer {
    san: String,
    from: String,
    to: String,
    evaluation_before: i32,
    /// In White's accumulator and in Black's.
    sides: [SideAnswer; 2],
}

/// What a move changed in one accumulator.
#[derive(Debug, Clone, Serialize)]
struct SideAnswer {
    side: &'static str,
    /// Whether the king chose another perspective, in which all inputs have other numbers.
    refreshed: bool,
    added: Vec<InputAnswer>,
    removed: Vec<InputAnswer>,
}

#[derive(Debug, Clone, Serialize)]
struct InputAnswer {
    index: usize,
    /// Not for a motif.
    piece: Option<char>,
    square: String,
    /// In words, if the input is about more than that the piece stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
}

impl From<&Input> for InputAnswer {
    fn from(input: &Input) -> Self {
        let (piece, state) = match input.kind {
            InputKind::Piece(piece) => (Some(piece), None),
            InputKind::Attacked(piece, state) => (Some(piece), Some(state_in_words(state))),
            InputKind::Motif(side, motif) => (None, Some(motif_in_words(side, motif))),
        };
        Self {
            index: input.index,
            piece: piece.map(Piece::letter),
            square: input.square.to_string(),
            state,
        }
    }
}

/// The state of an attacked piece.
fn state_in_words(state: usize) -> String {
    let attacker = match state / 3 {
        0 => "a pawn",
        1 => "a minor piece",
        2 => "a rook",
        _ => "the queen or king",
    };
    let defence = match state % 3 {
        0 => "not defended",
        1 => "defended",
        _ => "defended by a pawn",
    };
    format!("attacked by {attacker}, {defence}")
}

/// A motif of one side.
fn motif_in_words(side: Color, motif: Motif) -> String {
    let (own, enemy) = (side.name(), (!side).name());
    let safe = |what| format!("a safe {what} against {own}");
    match motif {
        Motif::KnightCheck => safe("check by a knight"),
        Motif::BishopCheck => safe("check by a bishop"),
        Motif::RookCheck => safe("check by a rook"),
        Motif::QueenCheck => safe("check by a queen"),
        Motif::Fork => safe("fork by a knight"),
        Motif::PawnThreat => format!("a safe step for a pawn of {enemy}, to attack a piece"),
        Motif::LoosePawnThreat => format!("a step for a pawn of {enemy}, to attack a piece"),
        Motif::Outnumbered => "attacked more often than defended".to_owned(),
        Motif::FreePassedPawn => "a passed pawn that can step forward".to_owned(),
        Motif::WeakKingSquare => format!("attacked twice, and defended only by the king of {own}"),
    }
}

impl NetworkPicture {
    /// A picture of a position with this network.
    ///
    /// # Errors
    /// If no position can be played from the FEN.
    pub fn with(network: Arc<Network>, fen: &str) -> Result<Self, Refusal> {
        Ok(Self {
            network,
            position: read_fen(fen)?,
            changes: None,
        })
    }

    /// Another position.
    ///
    /// # Errors
    /// If no position can be played from the FEN.
    pub fn replace(&mut self, fen: &str) -> Result<(), Refusal> {
        self.position = read_fen(fen)?;
        self.changes = None;
        Ok(())
    }

    /// Plays a move in coordinates or SAN.
    ///
    /// # Errors
    /// If it is not a legal move.
    pub fn make(&mut self, text: &str) -> Result<(), Refusal> {
        let before = self.position;
        let mv = san::parse(&before, text).map_err(|error| error.to_string())?;
        let after = before.play_unchecked(mv);
        let uci = lan::write(mv, CastlingMode::Standard);
        self.changes = Some(ChangesAnswer {
            san: san::write(&before, mv),
            from: mv.from().to_string(),
            to: uci.get(2..4).unwrap_or_default().to_owned(),
            evaluation_before: self.for_white(&before).0,
            sides: Color::ALL.map(|color| {
                let changes = input_changes(&before, &after, color);
                SideAnswer {
                    side: color.name(),
                    refreshed: changes.is_refreshed,
                    added: changes.added.iter().map(InputAnswer::from).collect(),
                    removed: changes.removed.iter().map(InputAnswer::from).collect(),
                }
            }),
        });
        self.position = after;
        Ok(())
    }

    /// What the network says about the position.
    #[must_use]
    pub fn look(&self) -> NetworkAnswer {
        let position = &self.position;
        let moves = position.legal_moves().into_iter();
        NetworkAnswer {
            board: Board::of(position),
            evaluation: self.for_white(position).0,
            worth: self.worth(),
            inputs: Color::ALL.map(|color| inputs(position, color).len()),
            moves: moves
                .map(|mv| {
                    let uci = lan::write(mv, CastlingMode::Standard);
                    MoveAnswer {
                        from: mv.from().to_string(),
                        to: uci.get(2..4).unwrap_or_default().to_owned(),
                        promotion: mv.promotion().map(PieceKind::name),
                        uci,
                    }
                })
                .collect(),
            changes: self.changes.clone(),
        }
    }

    fn for_white(&self, position: &Position) -> Score {
        evaluate(&self.network, position).for_white(position.side_to_move())
    }

    fn worth(&self) -> BTreeMap<String, i32> {
        let whole = self.for_white(&self.position).0;
        let squares = self.position.occupied().into_iter();
        squares
            .filter_map(|square| {
                let owner = self.position.piece_at(square)?.color();
                let without = without(&self.position, square)?;
                let difference = whole - self.for_white(&without).0;
                Some((square.to_string(), Score(difference).for_white(owner).0))
            })
            .collect()
    }
}

/// The position without the piece on a square, if it can be played.
fn without(position: &Position, square: Square) -> Option<Position> {
    let mut setup = position.to_setup();
    if position.piece_at(square)?.kind() == PieceKind::King {
        return None;
    }
    setup.board[square.index()] = None;
    let mode = setup.castling_mode();
    setup
        .validate(mode)
        .ok()
        .map(|validated| validated.position)
}

#[wasm_bindgen]
impl NetworkPicture {
    /// A picture of a position with the network in a file of these bytes.
    ///
    /// # Errors
    /// If it is not a network, or if no position can be played from the FEN.
    #[wasm_bindgen(constructor)]
    pub fn new(network: &[u8], fen: &str) -> Result<Self, JsError> {
        let network = Arc::new(Network::from_bytes(network)?);
        Self::with(network, fen).map_err(|refusal| JsError::new(&refusal))
    }

    /// Another position; see [`replace`](Self::replace).
    ///
    /// # Errors
    /// As there.
    pub fn show(&mut self, fen: &str) -> Result<(), JsError> {
        self.replace(fen).map_err(|refusal| JsError::new(&refusal))
    }

    /// Plays a move; see [`make`](Self::make).
    ///
    /// # Errors
    /// As there.
    pub fn play(&mut self, text: &str) -> Result<(), JsError> {
        self.make(text).map_err(|refusal| JsError::new(&refusal))
    }

    /// What the network says: [`NetworkAnswer`].
    ///
    /// # Errors
    /// Never: all of it can be written.
    pub fn state(&self) -> Result<String, JsError> {
        answer(Ok(self.look()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_quiet_move_changes_one_input_of_a_piece_for_each_side() {
        let mut picture = NetworkPicture::with(Network::embedded(), START).unwrap();
        picture.make("e4").unwrap();
        let changes = picture.look().changes.unwrap();
        for side in &changes.sides {
            assert!(!side.refreshed);
            let squares = |inputs: &[InputAnswer]| -> Vec<_> {
                inputs.iter().map(|input| input.square.clone()).collect()
            };
            assert_eq!(squares(&side.added), ["e4"]);
            assert_eq!(squares(&side.removed), ["e2"]);
        }
    }

    #[test]
    fn a_queen_is_worth_more_than_a_pawn_and_a_king_has_no_worth() {
        let picture = NetworkPicture::with(Network::embedded(), START).unwrap();
        let worth = picture.look().worth;
        assert_eq!(worth.len(), 30);
        assert!(worth["d1"] > worth["e2"] && worth["d8"] > worth["e7"]);
        assert!(!worth.contains_key("e1"));
    }

    #[test]
    fn a_king_that_crosses_the_middle_refreshes_its_own_side() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let mut picture = NetworkPicture::with(Network::embedded(), fen).unwrap();
        picture.make("O-O-O").unwrap();
        let changes = picture.look().changes.unwrap();
        assert!(changes.sides[0].refreshed && !changes.sides[1].refreshed);
        assert!(picture.make("e4").is_err());
    }
}
