//! The interactive figures of the book: what the engine computes, as answers for JavaScript that
//! only draws.
//!
//! A picture is an object with a position. What its calls answer is JSON. What they refuse is one
//! sentence.
//!
//! | module | picture | shows |
//! |---|---|---|
//! | [`attacks`] | a look-up of attacks | the tables of `tabiya` |
//! | [`tree`] | an alpha-beta search, step by step | steps 4 and 6 of `course` |
//! | [`table`] | two move orders in one entry | step 8 of `course`, the table of `tabiya` |
//! | [`network`] | inputs, and the worth of pieces | the network of `tabiya` |
//!
//! The game with its arbiter is drawn from `web/rules`.

pub mod attacks;
mod clock;
pub mod network;
pub mod position;
mod steps;
pub mod table;
mod trace;
pub mod tree;

use serde::Serialize;
use wasm_bindgen::prelude::*;

/// What a picture refuses, as the reader sees it.
type Refusal = String;

/// An answer as JSON, or a refusal as an exception.
fn answer<T: Serialize>(answer: Result<T, Refusal>) -> Result<String, JsError> {
    let answer = answer.map_err(|refusal| JsError::new(&refusal))?;
    Ok(serde_json::to_string(&answer)?)
}
