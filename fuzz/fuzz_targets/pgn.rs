//! PGN: what is read from any text is written so that it reads back equal. No error remains but a
//! result that the board contradicts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::game::pgn::{PgnErrorKind, ReadGame, Reader};

fuzz_target!(|data: &[u8]| {
    for read in Reader::new(data) {
        let read = read.expect("memory can be read");
        let text = read.game.to_string();
        let again: Vec<_> = Reader::new(text.as_bytes())
            .map(|read| read.expect("memory can be read"))
            .collect();
        assert_eq!(again.len(), 1, "{text}");
        assert_eq!(again[0].game, read.game, "{text}");
        let mut lasting = kinds(&read);
        lasting.retain(|kind| matches!(kind, PgnErrorKind::BoardMismatch(..)));
        assert_eq!(kinds(&again[0]), lasting, "{text}");
    }
});

fn kinds(read: &ReadGame) -> Vec<PgnErrorKind> {
    read.errors.iter().map(|error| error.kind.clone()).collect()
}
