//! Self-play games for training.
//!
//! Each game has its own random generator, seeded with the seed and the number of the game, and a
//! cleared searcher. So the same settings give the same games on any machine and any number of
//! threads.
//!
//! Each thread writes its own file, `NAME-0.vf`, `NAME-1.vf` and so on, in viriformat, one game at
//! a time. An interrupted run loses only the games in progress. The manifest `NAME.jsonl` records
//! how the games were made. If one of these files exists, the run fails and changes none of them.

pub mod adjudication;
mod selfplay;
pub(crate) mod start;
mod write;

use crate::board::Position;
use crate::eval::Network;
use crate::game::GameResult;
use crate::search::{Searcher, on_threads};
use crate::tools::files::network_or_embedded;
use crate::tools::number;
use crate::tools::openings::{Start, read_openings};
use crate::tools::progress::Progress;
use crate::tools::viriformat::{MAX_PIECES, TrainingGame};
use crate::types::CastlingMode;
use clap::Parser;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use selfplay::{Conduct, Effort, Ending};
use start::Starts;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use write::Files;
pub use write::GameFile;

/// Generate self-play games for training
///
/// Writes the games to NAME-0.vf, NAME-1.vf and so on in viriformat, one file per thread, and the
/// settings and totals to NAME.jsonl. The same options give the same files. Ctrl-C drops the games
/// in progress and keeps the finished ones.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, Parser)]
#[command(name = "datagen")]
pub struct Settings {
    /// Prefix of the output files.
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    pub out: PathBuf,
    /// Number of games.
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_000_u64))]
    pub games: u64,
    /// Soft node limit per move. A third of it in check, and a third (in check a ninth) while the
    /// best move is a capture or promotion: training takes no such positions.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = number(1..=100_000_000_u64))]
    pub nodes: u64,
    /// Percentage of moves searched in full, with --nodes; only their scores are stored.
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = number(1..=100_u32))]
    pub full_percent: u32,
    /// Soft node limit of the other moves, and of captures, promotions and moves in check, if
    /// --full-percent is below 100.
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = number(1..=100_000_000_u64))]
    pub fast_nodes: u64,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Number of threads, each of which plays one game at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_usize))]
    pub threads: usize,
    /// Random half-moves before a game; every other game has one more, so that both sides begin.
    #[arg(long, value_name = "N", default_value_t = RANDOM_PLIES, value_parser = number(0..=MAX_RANDOM_PLIES))]
    pub random_plies: u32,
    /// Percentage of games whose random half-moves are drawn by kind of piece: among the kinds that
    /// can move, a pawn has the weight 35, a rook 5 and each other kind 15.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = number(0..=100_u32))]
    pub by_kind_percent: u32,
    /// Percentage of games from a Chess960 start position, of those that are not from an endgame.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = number(0..=100_u32))]
    pub chess960_percent: u32,
    /// Percentage of games from an endgame with pieces on random squares.
    #[arg(long, value_name = "PERCENT", default_value_t = 7, value_parser = number(0..=100_u32))]
    pub endgame_percent: u32,
    /// End a game once fewer than N pieces are left, kings and pawns included, with an unknown
    /// result. A game that starts with fewer is played out.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=MAX_PIECES as u32))]
    pub min_pieces: u32,
    /// Centipawns at which a game is given to the side that has them for --win-plies half-moves in
    /// a row.
    #[arg(long, value_name = "CP", default_value_t = WIN.0, value_parser = number(1..=30_000_i32))]
    pub win_score: i32,
    /// Half-moves in a row with --win-score that end a game.
    #[arg(long, value_name = "N", default_value_t = WIN.1, value_parser = number(1..=100_u32))]
    pub win_plies: u32,
    /// Maximum number of positions stored for each position of a game that is searched in full:
    /// those after one to three random moves, such as a search meets. They get a quarter of the
    /// nodes.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=100_u32))]
    pub tree_positions: u32,
    /// Network to play with [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// File of start positions, one FEN or EPD a line [default: the standard start position]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
}

impl Settings {
    const fn conduct(&self) -> Conduct {
        Conduct {
            effort: Effort {
                full: self.nodes,
                fast: self.fast_nodes,
                full_percent: self.full_percent,
            },
            tree_positions: self.tree_positions,
            ending: Ending {
                win: (self.win_score, self.win_plies),
                min_pieces: self.min_pieces,
            },
        }
    }

    fn starts(&self) -> io::Result<Starts> {
        Ok(Starts {
            random_plies: self.random_plies,
            by_kind_percent: self.by_kind_percent,
            chess960_percent: self.chess960_percent,
            endgame_percent: self.endgame_percent,
            openings: match &self.openings {
                Some(file) => read_openings(file)?,
                None => Vec::new(),
            },
        })
    }
}

/// Totals of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Totals {
    /// Finished games.
    pub games: u64,
    /// Positions searched in full, in games and search trees.
    pub positions: u64,
    /// Games won by White.
    pub white_wins: u64,
    /// Games won by Black.
    pub black_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that were cut off.
    pub cut: u64,
}

impl Totals {
    /// Adds a game. Of its positions count those with a score and those of search trees.
    pub(super) fn add(&mut self, game: &TrainingGame) {
        let positions = game.positions.iter();
        let scored = positions.filter(|position| position.score.is_some());
        self.games += 1;
        self.positions += (scored.count() + game.tree.len()) as u64;
        *match game.result {
            GameResult::WhiteWins => &mut self.white_wins,
            GameResult::BlackWins => &mut self.black_wins,
            GameResult::Drawn => &mut self.draws,
            GameResult::Unknown => &mut self.cut,
        } += 1;
    }
}

/// Transposition table of each game, in MiB.
pub(super) const HASH_MIB: usize = 4;
/// Default threshold of a win: centipawns, and plies in a row.
const WIN: (i32, u32) = (2_000, 4);
/// Default number of random half-moves before a game.
pub(super) const RANDOM_PLIES: u32 = 8;
/// Maximum number of random half-moves before a game.
pub(super) const MAX_RANDOM_PLIES: u32 = 40;

/// Plays and writes the games until all are done or `interrupted` is set. Shows progress on
/// standard error.
///
/// # Errors
/// If a file cannot be read or written, the openings are not positions or not balanced, or the
/// search fails.
pub fn run(settings: &Settings, interrupted: &AtomicBool) -> io::Result<Totals> {
    let starts = settings.starts()?;
    let network = network_or_embedded(settings.net.as_deref())?;
    let mut files = write::create(settings, &network)?;
    let played = play_all(settings, &mut files, &starts, &network, interrupted);
    if played.is_err() {
        files.remove_if_empty();
    }
    played
}

/// Plays the games into the files.
fn play_all(
    settings: &Settings,
    files: &mut Files,
    starts: &Starts,
    network: &Arc<Network>,
    interrupted: &AtomicBool,
) -> io::Result<Totals> {
    let counter = Mutex::new(Counter::new(settings.games));
    let has_failed = AtomicBool::new(false);
    let played = on_threads(files.games.iter_mut().enumerate(), |(index, file)| {
        let network = network.clone();
        let report = |game: &TrainingGame| {
            let mut counter = counter.lock().unwrap_or_else(PoisonError::into_inner);
            counter.add(game);
            // After an error of one worker the others end too.
            !has_failed.load(Ordering::Relaxed)
        };
        play_games(file, index, settings, starts, network, interrupted, report)
            .inspect_err(|_| has_failed.store(true, Ordering::Relaxed))
    });
    let counter = counter.into_inner().unwrap_or_else(PoisonError::into_inner);
    counter.progress.finish();
    for result in played? {
        result?;
    }
    files.end(&counter.totals)?;
    Ok(counter.totals)
}

/// Plays the games whose number modulo the number of threads is `index`, while `report`, called
/// after each game, returns true.
fn play_games(
    file: &mut GameFile,
    index: usize,
    settings: &Settings,
    starts: &Starts,
    network: Arc<Network>,
    interrupted: &AtomicBool,
    mut report: impl FnMut(&TrainingGame) -> bool,
) -> io::Result<()> {
    let mut searcher = Searcher::new(HASH_MIB)?;
    searcher.set_network(network);
    for number in (index as u64..settings.games).step_by(settings.threads) {
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(number);
        let start = starts.choose(number, &mut searcher, &mut random)?;
        let game = selfplay::play(
            start,
            settings.conduct(),
            &mut searcher,
            &mut random,
            interrupted,
        )?;
        // An interrupted game is dropped.
        let Some(game) = game else { break };
        file.append(&game)?;
        if !report(&game) {
            break;
        }
    }
    Ok(())
}

/// Plays a training game from `position`, with `nodes` soft nodes per move.
///
/// # Errors
/// If the search finds no legal move, which is a fault.
pub fn play_from(
    position: Position,
    nodes: u64,
    searcher: &mut Searcher,
) -> io::Result<TrainingGame> {
    let start = Start {
        position,
        mode: CastlingMode::Standard,
    };
    let conduct = Conduct {
        effort: Effort::always(nodes),
        tree_positions: 0,
        ending: Ending {
            win: WIN,
            min_pieces: 0,
        },
    };
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let never = AtomicBool::new(false);
    let game = selfplay::play(start, conduct, searcher, &mut random, &never)?;
    game.ok_or_else(|| io::ErrorKind::Interrupted.into())
}

/// Adds up finished games and shows progress.
struct Counter {
    totals: Totals,
    progress: Progress,
}

impl Counter {
    fn new(games: u64) -> Self {
        Self {
            totals: Totals::default(),
            progress: Progress::new("games", Some(games)),
        }
    }

    fn add(&mut self, game: &TrainingGame) {
        self.totals.add(game);
        let Totals {
            positions,
            white_wins,
            draws,
            black_wins,
            cut,
            ..
        } = self.totals;
        let results = format!("+{white_wins} ={draws} -{black_wins}, {cut} cut off");
        self.progress
            .advance(1, &format!("{positions} positions, {results}"));
    }
}
