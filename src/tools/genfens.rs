//! `genfens`: start positions for OpenBench's data generation.

use super::datagen::start::Starts;
use super::datagen::{HASH_MIB, MAX_RANDOM_PLIES, RANDOM_PLIES};
use super::openings::read_openings;
use crate::search::{Searcher, on_thread};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

/// A `genfens` request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenfensRequest {
    /// Number of positions.
    pub count: u64,
    /// Random seed.
    pub seed: u64,
    /// File of openings to play random moves from, one FEN or EPD a line; `None` for the start
    /// position.
    pub book: Option<PathBuf>,
    /// Random half-moves before a game; odd game numbers have one more.
    pub plies: u32,
}

/// The request is not `N seed S book None|PATH [plies=N]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestError;

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected 'genfens N seed S book None|PATH [plies=N]', with at most {MAX_RANDOM_PLIES} \
             plies"
        )
    }
}

impl std::error::Error for RequestError {}

/// Reads what follows the word `genfens`. After the book, `plies=N` sets the number of random
/// half-moves. Other words there are for other engines and ignored.
///
/// # Errors
/// If the text does not have the form `N seed S book None|PATH [plies=N]`.
///
/// ```
/// use tabiya::tools::genfens::parse;
/// let request = parse("16 seed 42 book None plies=6").unwrap();
/// assert_eq!((request.count, request.seed, request.book, request.plies), (16, 42, None, 6));
/// assert!(parse("many").is_err());
/// ```
pub fn parse(text: &str) -> Result<GenfensRequest, RequestError> {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    let [count, "seed", seed, "book", book, ref extra @ ..] = words[..] else {
        return Err(RequestError);
    };
    let plies = match extra.iter().find_map(|word| word.strip_prefix("plies=")) {
        None => RANDOM_PLIES,
        Some(plies) => plies
            .parse()
            .ok()
            .filter(|&plies| plies <= MAX_RANDOM_PLIES)
            .ok_or(RequestError)?,
    };
    Ok(GenfensRequest {
        count: count.parse().map_err(|_| RequestError)?,
        seed: seed.parse().map_err(|_| RequestError)?,
        book: (!book.eq_ignore_ascii_case("none")).then(|| book.into()),
        plies,
    })
}

/// Writes the positions, each on a line `info string genfens FEN`.
///
/// # Errors
/// If the book cannot be read or has no balanced position, the output cannot be written, or memory
/// or a thread is not available.
pub fn run(request: &GenfensRequest, output: &mut (impl Write + Send)) -> io::Result<()> {
    let starts = Starts {
        random_plies: request.plies,
        by_kind_percent: 0,
        chess960_percent: 0,
        endgame_percent: 0,
        openings: match &request.book {
            Some(file) => read_openings(file)?,
            None => Vec::new(),
        },
    };
    let write_all = move || {
        let mut searcher = Searcher::new(HASH_MIB)?;
        let mut random = ChaCha8Rng::seed_from_u64(request.seed);
        for number in 0..request.count {
            let start = starts.choose(number, &mut searcher, &mut random)?;
            writeln!(output, "info string genfens {}", start.fen())?;
        }
        output.flush()
    };
    // Choosing a balanced position takes a search, which needs a thread with a large stack.
    on_thread(write_all)?
}
