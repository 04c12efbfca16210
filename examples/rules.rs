//! The rules of a game: legal moves, their events, draw claims, the outcome.
//!
//!     cargo run --no-default-features --example rules

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
        println!(
            "{} of {} legal moves: {:?}",
            san::write(game.position(), mv),
            game.position().legal_moves().len(),
            game.play(mv)?
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

    // A FEN is parsed, then validated. The error lists every defect of the position.
    for fen in [
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "4k3/8/8/8/8/8/8/4K2R b KQ - 0 1",
        "4k2P/8/8/8/8/8/8/8 w - - 0 1",
    ] {
        let setup: tabiya::board::Setup = fen.parse()?;
        match setup.validate(CastlingMode::Chess960) {
            Ok(validated) if validated.defects.is_empty() => println!("{}", validated.position),
            Ok(validated) => println!("{} ({})", validated.position, validated.defects),
            Err(error) => println!("{fen}: {error}"),
        }
    }
    assert!(Position::from_fen("4k2P/8/8/8/8/8/8/8 w - - 0 1").is_err());
    Ok(())
}
