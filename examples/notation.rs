//! Notation: moves in SAN and coordinates, games in PGN.
//!
//!     cargo run --no-default-features --example notation
//!
//! It prints:
//!
//!     O-O: O-O e1g1
//!     Rxa8: Rxa8+ a1a8
//!     0-0-0: O-O-O e1c1
//!     Rh1-g1: Rg1 h1g1
//!     e1c1: O-O-O e1c1
//!     Nf3 is not a legal move here
//!     33 half-moves, then 1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17
//!     2 half-moves, then rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
//!     game 2, line 12: Ke3 is not a legal move here; the rest of the game is kept as a comment
//!     [Event "?"]
//!     [Site "?"]
//!     [Date "????.??.??"]
//!     [Round "?"]
//!     [White "Anon"]
//!     [Black "?"]
//!     [Result "0-1"]
//!     [Termination "normal"]
//!     1. f3 e5 2. g4 Qh4# 0-1

#![allow(clippy::print_stdout)]

use tabiya::board::Position;
use tabiya::game::pgn::{PgnGame, Reader};
use tabiya::game::{lan, san};
use tabiya::types::CastlingMode;

const GAMES: &str = "\
[Event \"Opera\"]
[White \"Morphy\"]
[Black \"Duke Karl / Count Isouard\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 {the threat is stronger} b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O
Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

[Event \"With an error\"]

1. d4 d5 2. Ke3 *
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Moves in SAN and in coordinates.
    let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
    for text in ["O-O", "Rxa8", "0-0-0", "Rh1-g1", "e1c1"] {
        let mv = san::parse(&position, text)?;
        let coordinates = lan::write(mv, CastlingMode::Standard);
        println!("{text}: {} {coordinates}", san::write(&position, mv));
    }
    println!("{}", san::parse(&position, "Nf3").unwrap_err());

    // Errors in a game are listed; the moves before an error are kept.
    let mut plies = Vec::new();
    for read in Reader::new(GAMES.as_bytes()) {
        let read = read?;
        let history = read.game.history();
        plies.push(history.moves().len());
        println!(
            "{} half-moves, then {}",
            history.moves().len(),
            history.position()
        );
        for error in &read.errors {
            println!("{error}");
        }
    }
    assert_eq!(plies, [33, 2]);

    // A game played here, as PGN.
    let mut game = tabiya::game::Game::default();
    for text in ["f3", "e5", "g4", "Qh4"] {
        let mv = san::parse(game.position(), text)?;
        game.play(mv)?;
    }
    let mut pgn = PgnGame::from_game(&game);
    pgn.set_tag("White", "Anon")?;
    print!("{pgn}");
    Ok(())
}
