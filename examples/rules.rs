//! The rules of a game: legal moves, their events, draw claims, the outcome.
//!
//!     cargo run --no-default-features --example rules
//!
//! It prints:
//!
//!     e4 of 20 legal moves: Some(Moved(White, Move(e2e4)))
//!     e5 of 20 legal moves: Some(Moved(Black, Move(e7e5)))
//!     Bc4 of 29 legal moves: Some(Moved(White, Move(f1c4)))
//!     Nc6 of 29 legal moves: Some(Moved(Black, Move(b8c6)))
//!     Qh5 of 33 legal moves: Some(Moved(White, Move(d1h5)))
//!     Nf6 of 28 legal moves: Some(Moved(Black, Move(g8f6)))
//!     Qxf7# of 43 legal moves: Some(GameOver(Won { winner: White, by: Checkmate }))
//!     White wins by checkmate, 1-0
//!     [ClaimAvailable(Threefold)]
//!     bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9
//!     4k3/8/8/8/8/8/8/4K2R b K - 0 1 (a castling right lacks its king or rook)
//!     4k2P/8/8/8/8/8/8/8 w - - 0 1: no position

#![allow(clippy::print_stdout)]

use tabiya::board::Position;
use tabiya::game::draw::Claim;
use tabiya::game::{Game, san};
use tabiya::types::CastlingMode;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Scholar's mate.
    let mut game = Game::default();
    for text in ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"] {
        let mv = san::parse(game.position(), text)?;
        let (name, moves) = (
            san::write(game.position(), mv),
            game.position().legal_moves(),
        );
        println!(
            "{name} of {} legal moves: {:?}",
            moves.len(),
            game.play(mv)?.last()
        );
    }
    let outcome = game.outcome().ok_or("the game is not over")?;
    println!("{outcome}, {}", game.result().token());
    assert_eq!(game.result().token(), "1-0");

    // The knights go out and back twice. At the third occurrence of the position, a draw may be
    // claimed. Without a claim, the game continues.
    let mut game = Game::default();
    for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
        let mv = san::parse(game.position(), text)?;
        game.play(mv)?;
    }
    println!("{:?}", game.available_claims());
    assert!(Claim::Threefold.holds_now(game.history()));
    assert_eq!(game.outcome(), None);

    // A FEN is parsed, then validated. The error has every defect of the position.
    for fen in [
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "4k3/8/8/8/8/8/8/4K2R b KQ - 0 1",
        "4k2P/8/8/8/8/8/8/8 w - - 0 1",
    ] {
        let setup: tabiya::board::Setup = fen.parse()?;
        match setup.validate(CastlingMode::Chess960) {
            Ok(validated) if validated.defects.is_empty() => println!("{}", validated.position),
            Ok(validated) => println!("{} ({})", validated.position, validated.defects),
            Err(_) => println!("{fen}: no position"),
        }
    }
    assert!(Position::from_fen("4k2P/8/8/8/8/8/8/8 w - - 0 1").is_err());
    Ok(())
}
