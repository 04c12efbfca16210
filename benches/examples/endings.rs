//! Plays out the endings to practise: the engine has both sides.
//!
//!     cargo run --release -p tabiya-benches --example endings -- [NODES]
//!
//! Prints the result of each. A win has to end in mate, a draw in a draw. With more nodes the play
//! is better; the default is 200,000 a move.

#![allow(clippy::print_stdout)]

use tabiya::board::Position;
use tabiya::game::{Game, Outcome};
use tabiya::review::{ENDINGS, Goal};
use tabiya::search::{Limits, Searcher};
use tabiya::types::CastlingMode;

/// Half-moves after which a game is broken off.
const MAX_PLIES: usize = 240;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let nodes = std::env::args()
        .nth(1)
        .map_or(Ok(200_000), |text| text.parse())?;
    let mut wrong = 0;
    for ending in &ENDINGS {
        // Each side has its own memory, as in a game.
        let mut searchers = [Searcher::new(32)?, Searcher::new(32)?];
        let position = Position::from_fen(ending.fen)?;
        let mut game = Game::new(position, CastlingMode::Standard);
        let is_drawn = |game: &Game| {
            game.history().occurrences() >= 3 || game.position().halfmove_clock() >= 100
        };
        while game.outcome().is_none()
            && !is_drawn(&game)
            && game.history().moves().len() < MAX_PLIES
        {
            let side = game.position().side_to_move();
            let answer = searchers[side.index()].best_move(&game, Limits::nodes(nodes))?;
            game.play(answer.best.ok_or("a game that goes on has a move")?)?;
        }
        let winner = match game.outcome() {
            Some(Outcome::Won { winner, .. }) => Some(winner),
            _ => None,
        };
        let is_over = game.outcome().is_some() || is_drawn(&game);
        let is_right = match ending.goal {
            Goal::Win => winner == Some(ending.side),
            Goal::Draw => is_over && winner.is_none(),
        };
        wrong += u32::from(!is_right);
        let verdict = if is_right { "as said" } else { "WRONG" };
        let end = match game.outcome() {
            Some(outcome) => outcome.to_string(),
            None if is_over => "drawn by rule".to_owned(),
            None => "not over".to_owned(),
        };
        let plies = game.history().moves().len();
        println!(
            "{verdict}: {}: {}: {end} after {plies} plies",
            ending.theme, ending.name
        );
    }
    println!("{wrong} of {} not as said", ENDINGS.len());
    Ok(())
}
