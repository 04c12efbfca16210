//! Games of the engine against itself: what an evaluation learns from.
//!
//! Each game has a random generator of its own, made from the seed and the number of the game, and a searcher that has
//! forgotten everything: so the same settings give the same bytes, whatever the machine does meanwhile. Each thread
//! writes a file of its own, `NAME-0.vf`, `NAME-1.vf` and so on, in viriformat, game by game as they end; a run that
//! is cut off loses the games under way and nothing else. A manifest, `NAME.jsonl`, says how the files were made. If one of
//! these files is there already, none is touched.

pub(in crate::tools) mod adjudication;
mod selfplay;
pub(crate) mod start;
mod write;

use crate::board::Position;
use crate::engine::load_network;
use crate::eval::Network;
use crate::search::{Searcher, new_thread};
use crate::tools::number;
use crate::tools::progress::Progress;
use crate::types::{CastlingMode, Score};
use adjudication::SelfPlayOutcome;
use clap::Parser;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use selfplay::Effort;
use start::{Start, Starts};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use write::Files;

#[cfg(feature = "tune")]
pub(in crate::tools) use selfplay::Record;
pub(in crate::tools) use selfplay::is_quiet;
pub(crate) use start::MAX_PIECES;
pub(in crate::tools) use write::GameFile;
pub(crate) use write::{LONE_POSITION, NO_SCORE};

/// Generate self-play games for training
///
/// Writes games to NAME-0.vf, NAME-1.vf and so on (viriformat, a file a thread), and how they were made to NAME.jsonl.
/// The same options give the same files.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, Parser)]
#[command(name = "datagen")]
pub struct Settings {
    /// What the names of the files begin with.
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    pub out: PathBuf,
    /// How many games.
    #[arg(long, value_name = "N", value_parser = number(1..=1_000_000_000_u64))]
    pub games: u64,
    /// After so many nodes no new iteration begins; in check, where there is nothing to learn, after a third.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = number(1..=100_000_000_u64))]
    pub nodes: u64,
    /// Of a hundred moves, so many are searched with these nodes and learned from.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number(1..=100_u32))]
    pub full_percent: u32,
    /// Nodes for the other moves, and for captures, promotions and checks, from which nothing is learned then.
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = number(1..=100_000_000_u64))]
    pub fast_nodes: u64,
    /// What all that is random follows from.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Games at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_usize))]
    pub threads: usize,
    /// Random half-moves before a game; every other game has one more, so that both sides begin.
    #[arg(long, value_name = "N", default_value_t = RANDOM_PLIES, value_parser = number(0..=40_u32))]
    pub random_plies: u32,
    /// Of a hundred games, so many begin from a start position of Chess960.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=100_u32))]
    pub chess960_percent: u32,
    /// Of a hundred games, so many begin from an endgame with pieces on random squares.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = number(0..=100_u32))]
    pub endgame_percent: u32,
    /// For each position of a game, so many from the search tree are kept too, with a shallower score.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=100_u32))]
    pub tree_positions: u32,
    /// Another network than the program's own, to play with.
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// A file of positions to begin from, one FEN or EPD a line.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
}

impl Settings {
    const fn effort(&self) -> Effort {
        Effort {
            full: self.nodes,
            fast: self.fast_nodes,
            full_percent: self.full_percent,
        }
    }
}

/// What a run has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Totals {
    /// Games finished.
    pub games: u64,
    /// Positions in them and beside them that were searched in full.
    pub positions: u64,
    /// Won by White.
    pub white_wins: u64,
    /// Won by Black.
    pub black_wins: u64,
    /// Drawn.
    pub draws: u64,
}

impl Totals {
    fn add(&mut self, played: Played) {
        self.games += 1;
        self.positions += played.positions;
        *match played.outcome {
            SelfPlayOutcome::WhiteWins => &mut self.white_wins,
            SelfPlayOutcome::BlackWins => &mut self.black_wins,
            SelfPlayOutcome::Draw => &mut self.draws,
        } += 1;
    }
}

/// A game that was finished and written.
#[derive(Debug, Clone, Copy)]
struct Played {
    positions: u64,
    outcome: SelfPlayOutcome,
}

pub(super) const HASH_MIB: usize = 4;
/// Random half-moves before a game, if nothing else is said; every other has one more.
pub(super) const RANDOM_PLIES: u32 = 8;

/// Plays and writes the games, until all are done or `interrupted` is set; tells how it goes on standard error.
///
/// # Errors
/// If a file cannot be read or written, or the openings are no positions.
pub fn run(settings: &Settings, interrupted: &AtomicBool) -> io::Result<Totals> {
    let starts = Starts::new(settings)?;
    let network = match &settings.net {
        Some(file) => Arc::new(load_network(file)?),
        None => Network::embedded(),
    };
    let Files {
        mut manifest,
        games,
    } = Files::create(settings, &network)?;
    let (sender, finished) = mpsc::channel();
    let totals = thread::scope(|scope| {
        let workers: Vec<_> = games
            .into_iter()
            .enumerate()
            .map(|(index, file)| {
                let (starts, network, sender) = (&starts, network.clone(), sender.clone());
                new_thread().spawn_scoped(scope, move || {
                    play_games(
                        file,
                        index,
                        settings,
                        starts,
                        network,
                        interrupted,
                        |played| {
                            // The counter listens until the last worker has ended.
                            let _ = sender.send(played);
                        },
                    )
                })
            })
            .collect::<io::Result<_>>()?;
        drop(sender);
        let totals = count(settings.games, &finished);
        for worker in workers {
            worker.join().map_err(|_| {
                io::Error::other("a game was broken off by a fault of the engine")
            })??;
        }
        Ok::<_, io::Error>(totals)
    })?;
    manifest.end(&totals)?;
    Ok(totals)
}

/// Plays every game whose number leaves this remainder.
fn play_games(
    mut file: GameFile,
    index: usize,
    settings: &Settings,
    starts: &Starts,
    network: Arc<Network>,
    interrupted: &AtomicBool,
    mut tell: impl FnMut(Played),
) -> io::Result<()> {
    let mut searcher = Searcher::new(HASH_MIB)?;
    searcher.set_network(network);
    for number in (index as u64..settings.games).step_by(settings.threads) {
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(number);
        let start = starts.choose(number, &mut searcher, &mut random);
        let game = selfplay::play(
            start,
            settings.effort(),
            settings.tree_positions,
            &mut searcher,
            &mut random,
            interrupted,
        );
        // Cut off in the middle, it has no outcome.
        let Some(game) = game else { break };
        file.append(&game)?;
        let scored = game
            .moves
            .iter()
            .filter(|(_, score)| score.is_some())
            .count();
        tell(Played {
            positions: (scored + game.tree.len()) as u64,
            outcome: game.outcome,
        });
    }
    Ok(())
}

/// What labels are made of: the score of a full search, as White counts, and how many pieces are on the board.
pub(in crate::tools) type ScoredPly = (Option<Score>, usize);

/// Plays a game from a position, as those are played that networks learn from: what labels are made of at each half-move, and
/// White's points. `None` if it was broken off.
pub(crate) fn play_from(
    position: Position,
    nodes: u64,
    searcher: &mut Searcher,
) -> Option<(Vec<ScoredPly>, f32)> {
    let start = Start {
        position,
        mode: CastlingMode::Standard,
    };
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let never = AtomicBool::new(false);
    let game = selfplay::play(
        start,
        Effort::always(nodes),
        0,
        searcher,
        &mut random,
        &never,
    )?;
    let mut position = position;
    let plies = game.moves.into_iter().map(|(mv, score)| {
        let pieces = position.occupied().len() as usize;
        position = position.play_unchecked(mv);
        (score, pieces)
    });
    let points = match game.outcome {
        SelfPlayOutcome::WhiteWins => 1.0,
        SelfPlayOutcome::Draw => 0.5,
        SelfPlayOutcome::BlackWins => 0.0,
    };
    Some((plies.collect(), points))
}

/// Counts games as they are finished, and tells how it goes.
fn count(games: u64, finished: &mpsc::Receiver<Played>) -> Totals {
    let mut totals = Totals::default();
    let template = "{bar:24} {pos}/{len} games, {per_sec}, {msg}, {eta} left";
    let progress = Progress::new(games, template);
    for played in finished {
        totals.add(played);
        let Totals {
            positions,
            white_wins,
            draws,
            black_wins,
            ..
        } = totals;
        let message = format!("{positions} positions, +{white_wins} ={draws} -{black_wins}");
        progress.advance(1, "games", message);
    }
    progress.finish();
    totals
}

/// Sets a flag when the user presses Ctrl-C, so that games under way are dropped and the rest is kept.
///
/// # Errors
/// If the system does not allow it.
pub fn on_interrupt() -> io::Result<&'static AtomicBool> {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed)).map_err(io::Error::other)?;
    Ok(&INTERRUPTED)
}
