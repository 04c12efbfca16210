//! The tree of moves: whatever is played, promoted and deleted in a game that was read, the game
//! is written so that it reads back equal, and undo and redo lead to the same games.
//!
//! The first byte of the input is the length of the edits, of two bytes each; the rest is PGN.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::game::pgn::{GameTree, PgnGame, Reader};

fuzz_target!(|data: &[u8]| {
    let Some((&length, rest)) = data.split_first() else {
        return;
    };
    let (edits, text) = rest.split_at(rest.len().min(usize::from(length)));
    let Some(mut tree) = read(text) else {
        return;
    };
    let before = tree.to_pgn();
    for &[what, value] in edits.as_chunks().0 {
        edit(&mut tree, what, usize::from(value));
    }
    let after = tree.to_pgn();
    assert_eq!(read_back(&after), after, "{after}");
    let changes = std::iter::from_fn(|| tree.undo().then_some(())).count();
    assert_eq!(tree.to_pgn(), before);
    for _ in 0..changes {
        assert!(tree.redo());
    }
    assert_eq!(tree.to_pgn(), after);
});

fn read(text: &[u8]) -> Option<GameTree> {
    let read = Reader::new(text).next()?;
    Some(GameTree::from(read.expect("memory can be read").game))
}

fn read_back(game: &PgnGame) -> PgnGame {
    let tree = read(game.to_string().as_bytes());
    tree.expect("a written game can be read").to_pgn()
}

/// One change of the tree; it may be refused.
fn edit(tree: &mut GameTree, what: u8, value: usize) {
    let node = tree.find(value);
    match what % 6 {
        0 => {
            let moves = tree.position().legal_moves();
            let _ = moves.get(value).map(|&mv| tree.play(mv));
        }
        1 => _ = node.map(|id| tree.go(id)),
        2 => _ = node.map(|id| tree.promote(id)),
        3 => _ = node.map(|id| tree.delete(id)),
        4 => _ = tree.undo(),
        _ => _ = tree.redo(),
    }
}
