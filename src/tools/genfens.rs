//! Positions to begin games from, as OpenBench asks for them before it makes data.

use super::datagen::{self, start::Starts};
use crate::search::{Searcher, new_thread};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::io::{self, Write};
use std::path::PathBuf;
use std::{fmt, thread};

/// What OpenBench asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenfensRequest {
    /// How many positions.
    pub count: u64,
    /// What all that is random follows from.
    pub seed: u64,
    /// Positions from which random moves are played, one FEN or EPD a line; `None` for the start position.
    pub book: Option<PathBuf>,
}

/// The request is not `N seed S book None|PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestError;

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it must be 'genfens N seed S book None|PATH'")
    }
}

impl std::error::Error for RequestError {}

/// Reads a request, with or without its first word. What comes after the book is for engines that know it, and left alone.
///
/// # Errors
/// If it is none.
///
/// ```
/// use tabiya::tools::genfens::parse;
/// let request = parse("genfens 16 seed 42 book None").unwrap();
/// assert_eq!((request.count, request.seed, request.book), (16, 42, None));
/// assert!(parse("genfens many").is_err());
/// ```
pub fn parse(text: &str) -> Result<GenfensRequest, RequestError> {
    let text = text.strip_prefix("genfens ").unwrap_or(text);
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    let request =
        match words[..] {
            [count, "seed", seed, "book", book, ..] => count
                .parse()
                .ok()
                .zip(seed.parse().ok())
                .map(|(count, seed)| GenfensRequest {
                    count,
                    seed,
                    book: (!book.eq_ignore_ascii_case("none")).then(|| book.into()),
                }),
            _ => None,
        };
    request.ok_or(RequestError)
}

/// Writes the positions, each on a line `info string genfens FEN`.
///
/// # Errors
/// If the book cannot be read, the output not written, or there is no memory or thread to be had.
pub fn run(request: &GenfensRequest, output: &mut (impl Write + Send)) -> io::Result<()> {
    let starts = Starts::new(&datagen::Settings {
        out: PathBuf::new(),
        games: request.count,
        nodes: 0,
        full_percent: 100,
        fast_nodes: 0,
        seed: request.seed,
        threads: 1,
        random_plies: datagen::RANDOM_PLIES,
        chess960_percent: 0,
        endgame_percent: 0,
        tree_positions: 0,
        net: None,
        openings: request.book.clone(),
    })?;
    let write_all = move || {
        let mut searcher = Searcher::new(datagen::HASH_MIB)?;
        let mut random = ChaCha8Rng::seed_from_u64(request.seed);
        for number in 0..request.count {
            let start = starts.choose(number, &mut searcher, &mut random);
            writeln!(output, "info string genfens {}", start.fen())?;
        }
        output.flush()
    };
    // Balance is judged by a search.
    thread::scope(|scope| {
        new_thread()
            .spawn_scoped(scope, write_all)?
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the search did not come to its end")))
    })
}
