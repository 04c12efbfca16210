//! The engine in WebAssembly: UCI by messages, and the rules as calls.
//!
//! JavaScript calls [`Uci`] in a worker, since a search runs until it ends. [`referee`] answers
//! questions about the rules at once, on any thread.

use std::io::{self, Write};
use tabiya::board::Position;
use tabiya::protocol::HostedUci;
use tabiya::tools::referee as rules;
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

/// Passes each line of output to JavaScript.
struct Output {
    print: Print,
    /// The line that has not ended yet.
    line: Vec<u8>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.pop_if(|byte| *byte == b'\n').is_some() {
                let line = String::from_utf8_lossy(&self.line);
                self.print.print(&JsValue::UNDEFINED, &line);
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A UCI session.
#[wasm_bindgen]
pub struct Uci {
    session: HostedUci<Output>,
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
        let line = Vec::new();
        Ok(Self {
            session: HostedUci::new(Output { print, line })?,
            poll,
        })
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

/// The start position of Chess960 with this number, from 0 to 959, as a FEN.
#[wasm_bindgen(js_name = chess960Start)]
#[must_use]
pub fn chess960_start(number: u32) -> Option<String> {
    Position::chess960(number).map(|position| position.to_string())
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
