//! PGN: what is read from any text is written so that it reads back equal, without errors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::game::pgn::Reader;

fuzz_target!(|data: &[u8]| {
    for read in Reader::new(data) {
        let game = read.expect("memory can be read").game;
        let text = game.to_string();
        let again: Vec<_> = Reader::new(text.as_bytes())
            .map(|read| read.expect("memory can be read"))
            .collect();
        assert_eq!(again.len(), 1, "{text}");
        assert!(again[0].errors.is_empty(), "{:?}\n{text}", again[0].errors);
        assert_eq!(again[0].game, game, "{text}");
    }
});
