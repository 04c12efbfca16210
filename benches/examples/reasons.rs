//! How often the coach has a reason, and how often a deeper search agrees.
//!
//!     cargo run --release -p tabiya-benches --example reasons -- GAMES.pgn [N [NODES [DEEP]]]
//!
//! Searches the games until N blunders (200) are found, each position with NODES nodes (100,000). A
//! blunder with a reason is searched again with DEEP nodes (1,000,000) before and after the move.
//! Prints each blunder, and at the end how many there are of each kind.

#![allow(clippy::print_stdout)]

use std::env::args;
use std::fs::File;
use std::io::BufReader;
use tabiya::board::Position;
use tabiya::game::Game;
use tabiya::game::pgn::Reader;
use tabiya::game::san;
use tabiya::review::{Evaluation, Mark, MoveReview, moves};
use tabiya::search::{Limits, SearchRequest, Searcher};

fn evaluate(searcher: &mut Searcher, game: &Game, nodes: u64) -> std::io::Result<Evaluation> {
    let position: &Position = game.position();
    if !position.has_legal_move() {
        return Ok(Evaluation::of_end(position));
    }
    let request = SearchRequest::new(game, Limits::nodes(nodes));
    let answer = searcher.search_silently(&request)?;
    let line = answer.pv().to_vec();
    Ok(Evaluation::new(position, answer.score, line))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = args().nth(1).ok_or("the first argument is a PGN file")?;
    let number = |index, otherwise| match args().nth(index) {
        Some(text) => text.parse(),
        None => Ok(otherwise),
    };
    let (wanted, nodes, deep_nodes) = (number(2, 200)?, number(3, 100_000)?, number(4, 1_000_000)?);
    let mut searcher = Searcher::new(64)?;
    let [
        mut blunders,
        mut with_reason,
        mut confirmed,
        mut still_blunders,
    ] = [0; 4];
    for read in Reader::new(BufReader::new(File::open(path)?)) {
        let pgn = read?.game;
        let history = pgn.history();
        searcher.clear();
        let game = |plies| Game::resume(history.until(plies), pgn.mode());
        let mut found = Vec::new();
        for plies in 0..=history.moves().len() {
            found.push(evaluate(&mut searcher, &game(plies), nodes)?);
        }
        for (plies, review) in moves(history, &found).enumerate() {
            if review.mark() != Some(Mark::Blunder) || blunders >= wanted {
                continue;
            }
            blunders += 1;
            let played = san::write_line(review.position, &[review.played]);
            let fen = review.position.to_fen(pgn.mode());
            let Some(reason) = review.reason() else {
                println!("none       {fen} | {played}??");
                continue;
            };
            with_reason += 1;
            searcher.clear();
            let before = evaluate(&mut searcher, &game(plies), deep_nodes)?;
            searcher.clear();
            let after = evaluate(&mut searcher, &game(plies + 1), deep_nodes)?;
            let deeper = MoveReview {
                before: &before,
                after: &after,
                ..review
            };
            still_blunders += u64::from(deeper.mark().is_some());
            let other = deeper.reason();
            let agrees = (other.as_ref()).is_some_and(|other| reason.fact.agrees_with(other.fact));
            confirmed += u64::from(agrees);
            let sentence = reason.sentence(review.position, review.played);
            let verdict = if agrees { "confirmed" } else { "other" };
            println!("{verdict:10} {fen} | {played}?? | {sentence}");
            if let Some(other) = other.filter(|_| !agrees) {
                let sentence = other.sentence(review.position, review.played);
                println!("           deeper: {sentence}");
            }
        }
        if blunders >= wanted {
            break;
        }
    }
    println!(
        "{blunders} blunders, {with_reason} with a reason, {confirmed} confirmed, {still_blunders} of \
         those with a reason still marked"
    );
    Ok(())
}
