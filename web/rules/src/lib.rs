//! The laws of chess in WebAssembly, without the engine and its network.

mod game;
mod line;
mod node;
mod place;
mod positions;
mod reader;
mod review;

pub use game::RulesGame;
pub use reader::GameReader;
pub use review::{endings, levels, review};
use tabiya::board::Position;
use tabiya::tools::referee as rules;
use tabiya::types::CastlingMode;
use wasm_bindgen::prelude::*;

/// The start position of Chess960 with this number, from 0 to 959, as a FEN.
#[wasm_bindgen(js_name = chess960Start)]
#[must_use]
pub fn chess960_start(number: u32) -> Option<String> {
    Position::chess960(number).map(|position| position.to_fen(CastlingMode::Chess960))
}

/// Answers a question about the rules: a JSON object as `tabiya referee` takes it.
#[wasm_bindgen]
#[must_use]
pub fn referee(request: &str) -> String {
    let mut answer = Vec::new();
    // Memory can always be written.
    let _ = rules::run(request.as_bytes(), &mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// What is wrong with a position: a JSON list of severity (`fatal`, `repair`, `warn`) and sentence.
///
/// # Errors
/// Never: all of it can be written.
#[wasm_bindgen]
pub fn examine(fen: &str, chess960: Option<bool>) -> Result<String, JsError> {
    let mode = chess960.map(CastlingMode::from_chess960);
    Ok(serde_json::to_string(&positions::examine(fen, mode))?)
}
