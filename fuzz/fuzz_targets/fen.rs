//! FEN: reading never fails badly, and what was read is written and read back equal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::board::{Position, fen_deviations};
use tabiya::types::CastlingMode;
use tabiya_fuzz::check_position;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    fen_deviations(&text);
    for mode in [
        None,
        Some(CastlingMode::Standard),
        Some(CastlingMode::Chess960),
    ] {
        if let Ok(read) = Position::from_fen_repaired(&text, mode) {
            check_position(&read.position);
        }
    }
});
