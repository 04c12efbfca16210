//! Polyglot books: any file is refused or yields legal moves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;
use tabiya::board::Position;
use tabiya::book::{self, Book};
use tabiya::game::{History, lan};

fuzz_target!(|data: &[u8]| {
    let path = std::env::temp_dir().join(format!("tabiya-fuzz-{}.bin", std::process::id()));
    fs::write(&path, data).expect("a file can be written");
    if let Ok(book) = Book::open(&path) {
        let mut history = History::new(Position::start());
        for text in ["e2e4", "d7d5", "e4e5", "f7f5"] {
            let moves = book.moves(&history);
            for found in &moves {
                assert!(history.position().is_legal(found.mv));
            }
            assert_eq!(
                book::best(&moves).is_some(),
                moves.iter().any(|mv| mv.weight > 0)
            );
            let mv = lan::parse(history.position(), text).expect("a legal move");
            history.play(mv).expect("a legal move");
        }
    }
    fs::remove_file(&path).expect("the file can be removed");
});
