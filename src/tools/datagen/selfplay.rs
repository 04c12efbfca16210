//! One game of the engine against itself.

use super::adjudication::{Adjudication, Adjudicator, SelfPlayOutcome, finished};
use super::start::{Start, play_random_moves};
use crate::board::Position;
use crate::game::Game;
use crate::search::{Answer, Limits, Root, SearchRequest, Searcher, StopToken};
use crate::types::{Color, FIFTY_MOVES, Move, Score};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::{AtomicBool, Ordering};

/// When a game is called before its end.
const ADJUDICATION: Adjudication = Adjudication {
    win: (2_000, 4),
    draw: (8, 12),
    draw_from_ply: 60,
    longest: 400,
};
/// A single iteration may take so many times the nodes after which none begins.
const HARD_NODES: u64 = 8;
/// A position inside the tree is so many random half-moves off the game, at most.
const MAX_TREE_PLIES: u32 = 3;
/// It is searched with so much less than the positions of the game: it is one of many that a search looks at.
const TREE_SHARE: u64 = 4;
/// In check the search only has to find a move, with so much less: training leaves such positions out.
const IN_CHECK_SHARE: u64 = 3;

/// How much is searched before a move: playout cap randomization (Wu, "Accelerating Self-Play Learning in Go", 2019).
///
/// The positions of a game are so much alike that a few of them teach what all would. So only some are searched in full,
/// and the time goes to more games.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Soft nodes of a full search, whose score is learned from.
    pub(super) full: u64,
    /// Soft nodes of the others, which only find a move.
    pub(super) fast: u64,
    /// Of a hundred searches, so many are full.
    pub(super) full_percent: u32,
}

impl Effort {
    /// All searches are full.
    pub(super) const fn always(nodes: u64) -> Self {
        Self {
            full: nodes,
            fast: nodes,
            full_percent: 100,
        }
    }
}

/// A game that was finished.
#[derive(Debug, Clone)]
pub(in crate::tools) struct Record {
    pub(in crate::tools) start: Start,
    /// Each move and what a full search found, as White counts.
    pub(in crate::tools) moves: Vec<(Move, Option<Score>)>,
    pub(in crate::tools) outcome: SelfPlayOutcome,
    /// Positions from the tree beside the game.
    pub(in crate::tools) tree: Vec<TreePosition>,
}

/// A position that a search looks at and no game reaches: a few random moves off the line.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct TreePosition {
    pub(super) start: Start,
    /// The best move there, and what it comes to as White counts.
    pub(super) best: (Move, Score),
}

/// Plays a game to its end, with so many positions beside each that is searched in full; `None` if it was interrupted.
pub(super) fn play(
    start: Start,
    effort: Effort,
    tree_positions: u32,
    searcher: &mut Searcher,
    random: &mut ChaCha8Rng,
    interrupted: &AtomicBool,
) -> Option<Record> {
    searcher.clear();
    let mut game = Game::new(start.position, start.mode);
    let mut moves = Vec::new();
    let mut tree = Vec::new();
    let mut adjudicator = Adjudicator::new(ADJUDICATION);
    loop {
        if interrupted.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(outcome) = finished(&game).or_else(|| adjudicator.decided(moves.len())) {
            return Some(Record {
                start,
                moves,
                outcome,
                tree,
            });
        }
        let root = Root::from(&game);
        let ((mv, score), is_full) = choose(&root, effort, searcher, random)?;
        if is_full {
            tree.extend((0..tree_positions).filter_map(|_| {
                let here = Start {
                    position: root.position,
                    mode: start.mode,
                };
                search_tree_position(here, effort.full / TREE_SHARE, searcher, random)
            }));
        }
        adjudicator.note(score);
        moves.push((mv, is_full.then_some(score)));
        game.replay(mv).ok()?;
    }
}

/// Whether a score says what a position is worth as it stands: nobody is in check, and the best move is no capture or
/// promotion; else the score says more of the exchange that is to come.
pub(in crate::tools) fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_check() && !position.is_noisy(best)
}

/// The best move, what it comes to as White counts, and whether a full search says so.
fn choose(
    root: &Root,
    effort: Effort,
    searcher: &mut Searcher,
    random: &mut ChaCha8Rng,
) -> Option<((Move, Score), bool)> {
    if effort.full_percent < 100 {
        let wants_full = random.random_range(0..100) < effort.full_percent;
        let best = search(root, effort.fast, searcher)?;
        // Training leaves other positions out.
        if !wants_full || !is_quiet(&root.position, best.0) {
            return Some((best, false));
        }
    }
    Some((search(root, effort.full, searcher)?, true))
}

/// The best move and what it comes to, as White counts; `None` if the game is over.
fn search(root: &Root, nodes: u64, searcher: &mut Searcher) -> Option<(Move, Score)> {
    let share = match root.position.in_check() {
        true => IN_CHECK_SHARE,
        false => 1,
    };
    let nodes = (nodes / share).max(1);
    let limits = Limits {
        soft_nodes: Some(nodes),
        nodes: Some(nodes * HARD_NODES),
        ..Limits::default()
    };
    let request = SearchRequest::new(root.clone(), limits);
    let Answer { best, score, .. } = searcher.search(&request, &StopToken::new(), &mut |_| {});
    let score = match root.position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    };
    best.map(|mv| (mv, score))
}

/// Goes a few random moves off the line and looks what the position there is worth; `None` where nothing can be learned,
/// because the game is over or somebody is in check.
fn search_tree_position(
    line: Start,
    nodes: u64,
    searcher: &mut Searcher,
    random: &mut ChaCha8Rng,
) -> Option<TreePosition> {
    let plies = random.random_range(1..=MAX_TREE_PLIES);
    let start = play_random_moves(line, plies, random).filter(|start| {
        // With fifty moves played a draw would have been claimed.
        !start.position.in_check() && start.position.halfmove_clock() < FIFTY_MOVES
    })?;
    let best = search(&Root::from(start.position), nodes, searcher)?;
    Some(TreePosition { start, best })
}
