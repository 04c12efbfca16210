//! Training games: any bytes are refused or are games that are written and read back equal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::tools::viriformat::{TrainingGame, read_games, write_game};
use tabiya_fuzz::check_position;

fuzz_target!(|data: &[u8]| {
    for (_, game) in read_games(data) {
        let Ok(game) = game else { continue };
        if game.is_lone_position() {
            continue;
        }
        let (Ok(result), Ok(positions)) = (game.result(), game.positions()) else {
            continue;
        };
        let Some(first) = positions.first() else {
            continue;
        };
        let written = TrainingGame {
            start: first.position,
            positions: positions.clone(),
            result,
            tree: Vec::new(),
        };
        let mut bytes = Vec::new();
        write_game(&written, &mut bytes);
        let mut games = read_games(&bytes);
        let (_, again) = games.next().expect("a game was written");
        let again = again.expect("a written game can be read");
        assert_eq!(again.result(), Ok(result));
        let again = again.positions().expect("a written game can be read");
        assert_eq!(again.len(), positions.len());
        for (new, old) in again.iter().zip(&positions) {
            assert_eq!(new.position.key(), old.position.key());
            assert_eq!((new.best, new.score), (old.best, old.score));
        }
        assert!(games.next().is_none());
        check_position(&positions[positions.len() - 1].position);
    }
});
