//! The living pictures of the book: what the engine computes, as answers for JavaScript that only
//! draws.
//!
//! A picture is an object with a position. What its calls answer is JSON. What they refuse is one
//! sentence.
//!
//! | module | picture | shows |
//! |---|---|---|
//! | [`attacks`] | a look-up of attacks | the tables of `tabiya` |

pub mod attacks;
pub mod position;

use serde::Serialize;
use wasm_bindgen::prelude::*;

/// What a picture refuses, as the reader sees it.
type Refusal = String;

/// An answer as JSON, or a refusal as an exception.
fn answer<T: Serialize>(answer: Result<T, Refusal>) -> Result<String, JsError> {
    let answer = answer.map_err(|refusal| JsError::new(&refusal))?;
    Ok(serde_json::to_string(&answer)?)
}
