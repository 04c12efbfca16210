//! One self-play game.

use super::adjudication::{Adjudication, Adjudicator, finished};
use super::start::{any_move, play_random_moves};
use crate::board::{GamePosition, Position};
use crate::game::{Game, GameResult};
use crate::search::{Answer, Limits, SearchRequest, Searcher};
use crate::tools::openings::Start;
use crate::tools::viriformat::{ScoredPosition, TrainingGame, is_quiet};
use crate::types::{FIFTY_MOVES, Move, Score};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of random half-moves from a game to a tree position.
const MAX_TREE_PLIES: u32 = 3;
/// Divides the nodes for a tree position. A search visits many such positions.
const TREE_DIVISOR: u64 = 4;
/// Divides the nodes in check. Training leaves such positions out, so only the move matters.
const IN_CHECK_DIVISOR: u64 = 3;
/// Divides the nodes while the best move is a capture or promotion, for the same reason.
const NOISY_DIVISOR: u64 = 3;

/// Nodes per move: playout cap randomization (Wu, "Accelerating Self-Play Learning in Go", 2019).
///
/// Positions of one game are alike, so a few of them teach as much as all. Only some are searched
/// in full, and the time saved goes into more games.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Soft nodes of a full search, whose score is stored.
    pub(super) full: u64,
    /// Soft nodes of a fast search, which only finds a move.
    pub(super) fast: u64,
    /// Percentage of full searches.
    pub(super) full_percent: u32,
}

impl Effort {
    /// Full searches only.
    pub(super) const fn always(nodes: u64) -> Self {
        Self {
            full: nodes,
            fast: nodes,
            full_percent: 100,
        }
    }
}

/// When a game ends early.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending {
    /// A win is adjudicated at this many centipawns for the same side, for this many plies in a
    /// row.
    pub(super) win: (i32, u32),
    /// The game is cut off once fewer pieces than this are left, kings and pawns included. A game
    /// that starts with fewer is played to its end.
    pub(super) min_pieces: u32,
}

impl Ending {
    /// Whether the game is cut off before a move is played from `position`.
    fn cuts(self, start: &Position, position: &Position) -> bool {
        position.occupied().len() < self.min_pieces && start.occupied().len() >= self.min_pieces
    }
}

/// How a game is played.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conduct {
    pub(super) effort: Effort,
    /// Maximum number of search tree positions for each position that is searched in full.
    pub(super) tree_positions: u32,
    pub(super) ending: Ending,
}

/// Plays a game to its end; `None` if it was interrupted.
///
/// # Errors
/// If the search finds no legal move, which is a fault.
pub(super) fn play(
    start: Start,
    conduct: Conduct,
    searcher: &mut Searcher,
    random: &mut ChaCha8Rng,
    interrupted: &AtomicBool,
) -> io::Result<Option<TrainingGame>> {
    searcher.clear();
    let mut game = Game::new(start.position, start.mode);
    let mut positions = Vec::new();
    let mut tree = Vec::new();
    let mut adjudicator = Adjudicator::new(Adjudication {
        win: conduct.ending.win,
        draw: (8, 12),
        draw_from_ply: 60,
        max_plies: 400,
    });
    let end = |game: &Game, adjudicator: &Adjudicator, plies| {
        let is_cut = conduct.ending.cuts(&start.position, game.position());
        finished(game)
            .or_else(|| adjudicator.decided(plies))
            .or_else(|| is_cut.then_some(GameResult::Unknown))
    };
    loop {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if let Some(result) = end(&game, &adjudicator, positions.len()) {
            return Ok(Some(TrainingGame {
                start: start.position,
                positions,
                result,
                tree,
            }));
        }
        let root = GamePosition::from(&game);
        // The game is not over.
        let no_move = || {
            let position = game.position();
            io::Error::other(format!("the search found no move in {position}"))
        };
        let chosen = choose(&root, conduct.effort, searcher, random);
        let ((mv, score), is_full) = chosen.ok_or_else(no_move)?;
        if is_full {
            tree.extend((0..conduct.tree_positions).filter_map(|_| {
                let here = Start {
                    position: root.position,
                    mode: start.mode,
                };
                search_tree_position(here, conduct.effort.full / TREE_DIVISOR, searcher, random)
            }));
        }
        adjudicator.record(score);
        positions.push(ScoredPosition {
            position: root.position,
            best: Some(mv),
            score: is_full.then_some(score),
        });
        game.replay(mv).map_err(io::Error::other)?;
    }
}

/// The best move, its score from White's point of view, and whether the search was a full one.
fn choose(
    root: &GamePosition,
    effort: Effort,
    searcher: &mut Searcher,
    random: &mut ChaCha8Rng,
) -> Option<((Move, Score), bool)> {
    if effort.full_percent < 100 {
        let is_chosen = random.random_range(0..100) < effort.full_percent;
        let best = search(root, effort.fast, searcher)?;
        // Training leaves other positions out.
        if !is_chosen || !is_quiet(&root.position, best.0) {
            return Some((best, false));
        }
    }
    Some((search(root, effort.full, searcher)?, true))
}

/// The best move and its score from White's point of view; `None` if the game is over.
fn search(root: &GamePosition, nodes: u64, searcher: &mut Searcher) -> Option<(Move, Score)> {
    let divisor = if root.position.in_check() {
        IN_CHECK_DIVISOR
    } else {
        1
    };
    let nodes = (nodes / divisor).max(1);
    let limits = Limits {
        soft_nodes_if_noisy: Some((nodes / NOISY_DIVISOR).max(1)),
        ..Limits::nodes(nodes).with_soft_nodes()
    };
    let request = SearchRequest::new(root.clone(), limits);
    let Answer { best, score, .. } = searcher.run(&request, None);
    best.map(|mv| (mv, score.for_white(root.position.side_to_move())))
}

/// Plays a few random moves from a position of the game and searches the position reached.
///
/// `None` if training could not use it: the game is over, or the side to move is in check.
fn search_tree_position(
    from: Start,
    nodes: u64,
    searcher: &mut Searcher,
    random: &mut ChaCha8Rng,
) -> Option<ScoredPosition> {
    let plies = random.random_range(1..=MAX_TREE_PLIES);
    let start = play_random_moves(from, plies, any_move, random).filter(|start| {
        // After fifty moves a draw would have been claimed.
        !start.position.in_check() && start.position.halfmove_clock() < FIFTY_MOVES
    })?;
    let (mv, score) = search(&GamePosition::from(start.position), nodes, searcher)?;
    Some(ScoredPosition {
        position: start.position,
        best: Some(mv),
        score: Some(score),
    })
}
