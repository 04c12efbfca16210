// ANCHOR: all
//! Step 10: a network that was trained on games of the engine itself.

// ANCHOR: imports
use course::network::Network;
use course::rules::{Move, PieceKind, Position, captured};
use course::uci::{self, Clock, Engine, MATE, MATE_BOUND};
// ANCHOR_END: imports

/// The value of a piece in centipawns, to order captures and for delta pruning. The evaluation no
/// longer uses it.
fn value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight => 320,
        PieceKind::Bishop => 330,
        PieceKind::Rook => 500,
        PieceKind::Queen => 900,
        PieceKind::King => 0,
    }
}

/// How early a move should be searched: promotions and captures first, the most valuable victim
/// before others, and among equal victims the least valuable attacker (MVV-LVA).
fn order_key(position: &Position, mv: Move) -> i32 {
    let promotion = mv.promotion().map_or(0, value);
    let Some(victim) = captured(position, mv) else {
        return promotion;
    };
    let attacker = position.piece_at(mv.from()).unwrap().kind();
    // The attacker decides only between equal victims: its value counts a hundredth.
    10 * value(victim) - value(attacker) / 10 + promotion
}

/// A score that no position reaches.
const INFINITY: i32 = MATE + 1;

/// No search goes deeper than this.
const MAX_DEPTH: i32 = 64;

/// No line is longer than this. A side in check gets a ply more, so that a line may be twice as
/// long as the depth, and quiescence goes beyond it; but captures run out.
const MAX_PLY: usize = 256;

/// No history counter grows beyond this.
const MAX_HISTORY: i32 = 10_000;

/// What a stored score says about the true one.
#[derive(Clone, Copy)]
enum Bound {
    Exact,
    /// The true score is at least this one: a move refuted the position.
    Lower,
    /// The true score is at most this one: no move beat alpha.
    Upper,
}

/// What a search learned about a position.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    best: Option<Move>,
    score: i16,
    depth: i8,
    bound: Bound,
}

/// Number of entries: a power of two. With 16 bytes each, this makes 16 MiB.
const ENTRIES: usize = 1 << 20;

/// The transposition table: positions that were searched before, perhaps by other move orders.
struct Table(Vec<Option<Entry>>);

impl Table {
    fn new() -> Self {
        Self(vec![None; ENTRIES])
    }

    /// The entry of the position with this key.
    fn probe(&self, key: u64) -> Option<Entry> {
        // Many keys share a place. The whole key tells whose entry it is.
        self.0[key as usize % ENTRIES].filter(|entry| entry.key == key)
    }

    /// Stores an entry, in place of whatever was there.
    fn store(&mut self, entry: Entry) {
        self.0[entry.key as usize % ENTRIES] = Some(entry);
    }
}

/// A score as the table stores it. The search counts a mate from the root; another path to the
/// same position has another length, so the table counts the mate from the position.
fn to_table(score: i32, ply: i32) -> i16 {
    let mate_distance = match score.abs() {
        MATE_BOUND.. => ply * score.signum(),
        _ => 0,
    };
    (score + mate_distance) as i16
}

/// The opposite of `to_table`.
fn from_table(score: i16, ply: i32) -> i32 {
    let score = i32::from(score);
    let mate_distance = match score.abs() {
        MATE_BOUND.. => ply * score.signum(),
        _ => 0,
    };
    score - mate_distance
}

/// The score of an entry, if it is deep enough and its bound decides this window.
fn cutoff(entry: &Entry, depth: i32, ply: i32, alpha: i32, beta: i32) -> Option<i32> {
    let score = from_table(entry.score, ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    (i32::from(entry.depth) >= depth && decides).then_some(score)
}

/// Whether a move neither captures nor promotes.
fn is_quiet(position: &Position, mv: Move) -> bool {
    captured(position, mv).is_none() && mv.promotion().is_none()
}

/// Late move reduction: how many plies less to search the quiet move at this place in the order.
fn reduction(depth: i32, index: usize) -> i32 {
    if depth < 3 || index < 3 {
        return 0;
    }
    (0.5 + (depth as f32).ln() * (index as f32).ln() / 2.0) as i32
}

/// Reverse futility pruning: how far above beta a position is given up as too good, for each ply of
/// the remaining depth.
const REVERSE_FUTILITY: i32 = 90;

/// Delta pruning: how much more than the captured piece a capture may gain, in quiescence.
const DELTA: i32 = 150;

// ANCHOR: searcher
struct Searcher {
    network: Network,
    /// Positions visited by the current search.
    nodes: u64,
    /// The best move at the root so far.
    best_move: Option<Move>,
    table: Table,
    /// The keys of the game's positions and of those from the root to the current one.
    path: Vec<u64>,
    /// Whether the last move was a null move.
    passed: bool,
    /// At each ply, two quiet moves that refuted a position there.
    killers: [[Option<Move>; 2]; MAX_PLY],
    /// How well quiet moves have done, by side, origin and target.
    history: [[[i32; 64]; 64]; 2],
}
// ANCHOR_END: searcher

impl Engine for Searcher {
    const NAME: &'static str = "Step 10: network";

    fn new_game(&mut self) {
        self.table = Table::new();
        self.history = [[[0; 64]; 64]; 2];
    }

    fn best_move(&mut self, game: &[Position], clock: &mut Clock) -> Move {
        let root = &game[game.len() - 1];
        self.nodes = 0;
        self.best_move = None;
        self.killers = [[None; 2]; MAX_PLY];
        self.passed = false;
        self.path = game.iter().map(|position| position.key().0).collect();
        for depth in 1..=clock.depth_or(MAX_DEPTH) {
            let Some(score) = self.negamax(root, depth, 0, -INFINITY, INFINITY, clock) else {
                break; // Stopped in the middle of an iteration.
            };
            clock.report(depth, score, self.nodes, self.best_move.unwrap());
            if clock.is_late() {
                break;
            }
        }
        // Not even depth 1 was finished: any move is better than none.
        self.best_move.unwrap_or_else(|| root.legal_moves()[0])
    }
}

impl Searcher {
    /// The score of `position` for the side to move, looking `depth` plies ahead and then until
    /// the captures are over; `None` if the time is up. At the root it sets `best_move`.
    fn negamax(
        &mut self,
        position: &Position,
        depth: i32,
        ply: i32,
        mut alpha: i32,
        beta: i32,
        clock: &mut Clock,
    ) -> Option<i32> {
        if depth <= 0 {
            return self.quiescence(position, ply, alpha, beta, clock);
        }
        self.count_node(clock)?;
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if position.in_check() { ply - MATE } else { 0 });
        }
        let key = position.key().0;
        let entry = self.table.probe(key);
        if ply > 0 {
            if self.is_draw(position) {
                return Some(0);
            }
            if let Some(score) = entry.and_then(|entry| cutoff(&entry, depth, ply, alpha, beta)) {
                return Some(score);
            }
        }
        let in_check = position.in_check();
        let is_pv = beta - alpha > 1;
        let passed = std::mem::take(&mut self.passed);
        // No evaluation sees a mate, so it cannot say that beta is no mate.
        if !is_pv && !in_check && beta.abs() < MATE_BOUND {
            let ahead = self.network.evaluate(position) - beta;
            if depth <= 6 && ahead >= REVERSE_FUTILITY * depth {
                return Some(beta);
            }
            // After two passes the same side would be to move in the same position.
            if depth >= 3
                && ahead >= 0
                && !passed
                && self.null_move_fails_high(position, depth, ply, beta, clock)?
            {
                return Some(beta);
            }
        }
        let first = match ply {
            0 => self.best_move,
            _ => entry.and_then(|entry| entry.best),
        };
        self.order(position, &mut moves, first, ply);
        // A check leaves few moves: look a ply deeper.
        let depth = depth + i32::from(in_check);
        let mut best = -INFINITY;
        let mut best_move = None;
        let old_alpha = alpha;
        for (index, &mv) in moves.iter().enumerate() {
            let next = position.play_unchecked(mv);
            self.path.push(next.key().0);
            let mut score = alpha + 1;
            if index > 0 {
                // With good ordering the first move is the best one, and for the others it is
                // enough to prove that they are not better: a search with an empty window.
                let quiet = is_quiet(position, mv);
                let reduction = if quiet && !in_check {
                    reduction(depth, index)
                } else {
                    0
                };
                let reduced = depth - 1 - reduction;
                score = -self.negamax(&next, reduced, ply + 1, -alpha - 1, -alpha, clock)?;
                if score > alpha && reduction > 0 {
                    score = -self.negamax(&next, depth - 1, ply + 1, -alpha - 1, -alpha, clock)?;
                }
            }
            if index == 0 || (score > alpha && score < beta) {
                score = -self.negamax(&next, depth - 1, ply + 1, -beta, -alpha, clock)?;
            }
            self.path.pop();
            best = best.max(score);
            if score > alpha {
                alpha = score;
                best_move = Some(mv);
                if ply == 0 {
                    self.best_move = Some(mv);
                }
            }
            if alpha >= beta {
                self.reward(position, &moves[..=index], depth, ply);
                break;
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = to_table(best, ply);
        self.table.store(Entry {
            key,
            // If no move beat alpha, the best one of an earlier search is still a good guess.
            best: best_move.or(first),
            score,
            depth: depth as i8,
            bound,
        });
        Some(best)
    }

    /// Null move pruning: whether the side to move stays above beta even if it passes. A real move
    /// is nearly always better than passing, except in zugzwang, which needs an almost empty board.
    fn null_move_fails_high(
        &mut self,
        position: &Position,
        depth: i32,
        ply: i32,
        beta: i32,
        clock: &mut Clock,
    ) -> Option<bool> {
        if !position.has_non_pawns(position.side_to_move()) {
            return Some(false);
        }
        let next = position.play_null();
        self.path.push(next.key().0);
        self.passed = true;
        let score = -self.negamax(
            &next,
            depth - 3 - depth / 4,
            ply + 1,
            -beta,
            1 - beta,
            clock,
        )?;
        self.passed = false;
        self.path.pop();
        Some(score >= beta)
    }

    /// Sorts the moves: `first`, captures and promotions, killers, and the rest by history.
    fn order(&self, position: &Position, moves: &mut [Move], first: Option<Move>, ply: i32) {
        let side = position.side_to_move().index();
        let killers = self.killers[ply as usize];
        moves.sort_unstable_by_key(|&mv| {
            if Some(mv) == first {
                -1_000_000
            } else if !is_quiet(position, mv) {
                -100_000 - order_key(position, mv)
            } else if killers.contains(&Some(mv)) {
                -50_000
            } else {
                -self.history[side][mv.from().index()][mv.to().index()]
            }
        });
    }

    /// The last of `tried` refuted the position: if it is quiet, remember it, and hold against the
    /// quiet moves before it that they did not.
    fn reward(&mut self, position: &Position, tried: &[Move], depth: i32, ply: i32) {
        let Some((&best, others)) = tried
            .split_last()
            .filter(|(mv, _)| is_quiet(position, **mv))
        else {
            return;
        };
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        let bonus = (depth * depth * 10).min(MAX_HISTORY / 4);
        self.add_history(position, best, bonus);
        for &mv in others.iter().filter(|mv| is_quiet(position, **mv)) {
            self.add_history(position, mv, -bonus);
        }
    }

    /// Moves a counter by `bonus`: the nearer to its limit, the less towards it and the more back.
    fn add_history(&mut self, position: &Position, mv: Move, bonus: i32) {
        let side = position.side_to_move().index();
        let counter = &mut self.history[side][mv.from().index()][mv.to().index()];
        *counter += bonus - *counter * bonus.abs() / MAX_HISTORY;
    }

    /// Whether the position is a draw by repetition or by the fifty-move rule.
    fn is_draw(&self, position: &Position) -> bool {
        let clock = position.halfmove_clock() as usize;
        // The last key is the position's own. Only every second one has the same side to move,
        // and none from before the last capture or pawn move can come again.
        let mut earlier = self.path.iter().rev().skip(2).step_by(2).take(clock / 2);
        clock >= 100 || earlier.any(|&key| key == position.key().0)
    }

    /// The score of `position` once nothing hangs: only captures and promotions are searched, and
    /// all moves in check.
    fn quiescence(
        &mut self,
        position: &Position,
        ply: i32,
        mut alpha: i32,
        beta: i32,
        clock: &mut Clock,
    ) -> Option<i32> {
        self.count_node(clock)?;
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if position.in_check() { ply - MATE } else { 0 });
        }
        let mut best = -INFINITY;
        let in_check = position.in_check();
        if !in_check {
            // Stand pat: nobody is forced to capture, so the score is at least the evaluation.
            best = self.network.evaluate(position);
            alpha = alpha.max(best);
            if alpha >= beta {
                return Some(best);
            }
            moves.retain(|mv| !is_quiet(position, *mv));
        }
        let stand_pat = best;
        self.order(position, &mut moves, None, ply);
        for &mv in &moves {
            // A capture that cannot reach alpha is not worth a look.
            let most = stand_pat + captured(position, mv).map_or(0, value) + DELTA;
            if !in_check && mv.promotion().is_none() && most <= alpha {
                best = best.max(most);
                continue;
            }
            let next = position.play_unchecked(mv);
            let score = -self.quiescence(&next, ply + 1, -beta, -alpha, clock)?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Counts a node; `None` if the search must end now.
    fn count_node(&mut self, clock: &mut Clock) -> Option<()> {
        self.nodes += 1;
        if clock.is_up(self.nodes) {
            None
        } else {
            Some(())
        }
    }
}

// ANCHOR: main
fn main() {
    uci::run(Searcher {
        network: Network::from_bytes(include_bytes!("../../net/step10.net")),
        nodes: 0,
        best_move: None,
        table: Table::new(),
        path: Vec::new(),
        passed: false,
        killers: [[None; 2]; MAX_PLY],
        history: [[[0; 64]; 64]; 2],
    });
}
// ANCHOR_END: main
// ANCHOR_END: all
