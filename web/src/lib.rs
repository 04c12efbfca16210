//! The engine in WebAssembly: UCI by messages.
//!
//! JavaScript calls it in a worker, since a search runs until it ends. The rules without the engine
//! are the package `web/rules`.

use std::fmt;
use std::io::Write;
use tabiya::board::Position;
use tabiya::game::{lan, san};
use tabiya::protocol::{EachLine, HostedUci};
use tabiya::types::CastlingMode;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A function of JavaScript that takes a line.
    #[wasm_bindgen(typescript_type = "(line: string) => void")]
    pub type Print;
    #[wasm_bindgen(method, js_name = call)]
    fn print(this: &Print, that: &JsValue, line: &str);

    /// A function of JavaScript that returns a line that has arrived, or `undefined`.
    #[wasm_bindgen(typescript_type = "() => string | undefined")]
    pub type Poll;
    #[wasm_bindgen(method, js_name = call)]
    fn poll(this: &Poll, that: &JsValue) -> Option<String>;
}

/// A UCI session.
#[wasm_bindgen]
pub struct Uci {
    session: HostedUci<Box<dyn Write>>,
    poll: Poll,
}

#[wasm_bindgen]
impl Uci {
    /// A session that prints by `print`. During a search, `poll` returns lines that have arrived.
    ///
    /// # Errors
    /// If the memory of the hash table is refused.
    #[wasm_bindgen(constructor)]
    pub fn new(print: Print, poll: Poll) -> Result<Self, JsError> {
        let output = EachLine::new(move |line: &str| {
            print.print(&JsValue::UNDEFINED, line);
            Ok(())
        });
        let session = HostedUci::new(Box::new(output) as Box<dyn Write>)?;
        Ok(Self { session, poll })
    }

    /// Handles a line. A search runs until it ends. Returns whether the session continues.
    ///
    /// # Errors
    /// Never: the output cannot fail.
    pub fn send(&mut self, line: &str) -> Result<bool, JsError> {
        let poll = &self.poll;
        let mut poll = || poll.poll(&JsValue::UNDEFINED);
        Ok(self.session.handle_line(line, &mut poll)?)
    }
}

/// The words of UCI for a position: the `position` line, and root moves in coordinates.
///
/// `moves` and `search_moves` are in coordinates or SAN; the first are played from `fen` or the
/// standard start position, the second are moves in the position after them. A null move, such as
/// `--`, among the first passes.
///
/// # Errors
/// If the position cannot be played, if its castling rights are of Chess960 and `chess960` is
/// false, or if a move is not legal.
#[wasm_bindgen(js_name = readPosition)]
pub fn read_position(
    fen: Option<String>,
    moves: Vec<String>,
    search_moves: Vec<String>,
    chess960: bool,
) -> Result<Vec<String>, JsError> {
    let mode = CastlingMode::from_chess960(chess960);
    let mut position = Position::start();
    let mut start = "position startpos".to_owned();
    if let Some(fen) = fen {
        position = read_fen(&fen, mode).map_err(|error| JsError::new(&error))?;
        start = format!("position fen {}", position.to_fen(mode));
    }
    let refusal = |what: &str, index: usize, reason: &dyn fmt::Display| {
        JsError::new(&format!("{what} {}: {reason}", index + 1))
    };
    let mut played = Vec::new();
    for (index, text) in moves.iter().enumerate() {
        let mv = match san::parse(&position, text) {
            Ok(mv) => mv,
            Err(san::SanError::Null) if position.in_check() => {
                return Err(refusal("move", index, &"a side in check cannot pass"));
            }
            // UCI has no null move, so the line begins anew with the position after it.
            Err(san::SanError::Null) => {
                position = position.play_null();
                start = format!("position fen {}", position.to_fen(mode));
                played.clear();
                continue;
            }
            Err(error) => return Err(refusal("move", index, &error)),
        };
        played.push(lan::write(mv, mode));
        position = position.play(mv)?;
    }
    let roots: Result<Vec<_>, _> = search_moves
        .iter()
        .enumerate()
        .map(|(index, text)| match san::parse(&position, text) {
            Ok(mv) => Ok(lan::write(mv, mode)),
            Err(error) => Err(refusal("search move", index, &error)),
        })
        .collect();
    let line = if played.is_empty() {
        start
    } else {
        format!("{start} moves {}", played.join(" "))
    };
    roots.map(|roots| vec![line, roots.join(" ")])
}

/// The position of a FEN for a game of this castling mode. It is read again only if its letters
/// tell Chess960 in a game of standard chess.
fn read_fen(fen: &str, mode: CastlingMode) -> Result<Position, String> {
    let read = |mode| Position::from_fen_repaired(fen, mode).map_err(|error| error.to_string());
    if mode.is_chess960() {
        return Ok(read(Some(mode))?.position);
    }
    let told = read(None)?;
    if told.mode.is_chess960() && read(Some(mode))?.position != told.position {
        let message = "fen: these castling rights are of Chess960: set the option UCI_Chess960";
        return Err(message.to_owned());
    }
    Ok(told.position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_is_read_for_the_castling_mode_of_the_game() {
        let [standard, chess960] = [false, true].map(CastlingMode::from_chess960);
        let outer = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let by_file = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
        for fen in [outer, by_file] {
            assert_eq!(read_fen(fen, standard).unwrap(), Position::start());
            assert_eq!(read_fen(fen, chess960).unwrap(), Position::start());
        }
        let other = "8/8/8/8/8/4k3/8/5K1R w H - 0 1";
        let error = read_fen(other, standard).unwrap_err();
        assert!(error.contains("set the option UCI_Chess960"), "{error}");
        assert_eq!(
            read_fen(other, chess960).unwrap().to_fen(chess960),
            other.replace('H', "K")
        );
        // Some of these rights are of Chess960 only: they are dropped, or kept.
        let mixed = "r2k3r/8/8/8/8/8/8/R3K3 b Qkq - 0 1";
        let written = |mode| read_fen(mixed, mode).unwrap().to_fen(mode);
        assert_eq!(written(standard), mixed.replace("Qkq", "Q"));
        assert!(written(chess960).contains(" Aha "), "{}", written(chess960));
    }
}
