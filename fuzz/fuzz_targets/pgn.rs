//! PGN: what is read from any text is written so that it reads back equal. No error remains but
//! null moves, a result that the board contradicts, and a variant or position that is not played.
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
        lasting.retain(|kind| is_lasting(kind));
        // A null move is written in one form.
        let mut remaining = kinds(&again[0]);
        remaining.retain(|kind| !matches!(kind, PgnErrorKind::NullMove(_)));
        assert_eq!(remaining, lasting, "{text}");
    }
});

fn is_lasting(kind: &PgnErrorKind) -> bool {
    matches!(
        kind,
        PgnErrorKind::BoardMismatch(..) | PgnErrorKind::Setup(_) | PgnErrorKind::Variant(_)
    )
}

fn kinds(read: &ReadGame) -> Vec<PgnErrorKind> {
    read.errors.iter().map(|error| error.kind.clone()).collect()
}
