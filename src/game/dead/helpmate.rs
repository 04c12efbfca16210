//! The search for a helpmate: a best-first search, and a proof if it runs out of positions.
//!
//! Both players help, so one line is enough and nothing has to be refuted. The difficulty is that
//! lines may be long. Three measures alternate in choosing the next position to expand:
//!
//! - The *cost* of the line so far. Moves that bring the mate nearer, such as a king's step towards
//!   the corner or a pawn's advance, are free. Other moves cost a little, and moves that hinder the
//!   mate cost more.
//! - The *remaining* distance: the way of the kings to the corner and of a pawn to promotion, and
//!   the material of the loser that has to disappear.
//! - The *length* of the line, for one expansion in 32. This breadth-first search finds short mates
//!   in the middle of the board, which minor pieces without pawns often need.
//!
//! Among equal positions the latest is taken, so that a promising line is followed to its end.
//!
//! **Exhaustion is a proof.** Each visited position is stored exactly, not as a hash, and expanded
//! once: all its legal moves are played. There are two exceptions, after which no mate can follow:
//! positions without a legal move, and positions whose material rules out a mate. If no position is
//! left to expand, the visited positions are closed under legal moves, except for these, and no
//! mate was among them. The costs and the order do not matter for this argument.
//!
//! The search does not try the proof by [`mating_net`](super::mating_net). After each capture and
//! pawn move, it took three quarters of the time and saved 1.5 % of the nodes.

use crate::board::{MAX_MOVES, Packed, Position, attacks};
use crate::types::{Bitboard, Color, Key, Move, MoveKind, PieceKind, Rank, Square};
use arrayvec::ArrayVec;

/// The result of a search.
pub(super) enum Found {
    /// A line that mates.
    Mate(Vec<Move>),
    /// All reachable positions were searched, and no mate exists.
    Exhausted,
    /// The node limit was reached.
    Nothing,
}

/// The queue by the length of the line.
const BY_LENGTH: usize = 2;

/// One of this many expansions takes the queue by length.
const LENGTH_PERIOD: u32 = 32;

/// Nodes after which the queue by length is used. In easy positions the mate is found earlier.
const LENGTH_FROM_NODES: u64 = 1_000;

const FREE: u16 = 0;
const NORMAL: u16 = 1;
const DEAR: u16 = 3;
/// Upper bound of the cost of a line.
const MAX_COST: u16 = 4_000;

/// Nodes are numbered with 32 bits.
const MAX_NODES: u64 = u32::MAX as u64 - MAX_MOVES as u64;

/// Approximate half-moves to get rid of a piece of the loser, by kind. Fewer pieces mean fewer
/// positions.
const REMOVAL_COST: [usize; PieceKind::COUNT] = [2, 2, 2, 4, 6, 0];

/// A search for a mate by one player.
pub(super) struct Search {
    winner: Color,
    goals: Goals,
    visited: Visited,
    /// The positions to expand: by the cost of the line, by the remaining distance, and by the
    /// length of the line.
    open: [Open; 3],
    /// Number of expansions so far.
    turn: u32,
    nodes: u64,
    /// The number of the last expanded position, and the position. The next one is often one move
    /// away.
    last: (u32, Position),
}

/// A visited position and the line to it.
struct Node {
    position: Packed,
    /// The number of the position before it, and the move from there; `None` for the first
    /// position.
    parent: u32,
    mv: Option<Move>,
    /// The cost of the line.
    cost: u16,
    /// The length of the line in plies.
    length: u16,
    /// Whether the last move of the line was free.
    after_free: bool,
    is_expanded: bool,
}

impl Node {
    /// The node from which a search begins.
    fn first(position: &Position) -> Self {
        Self {
            position: position.into(),
            parent: 0,
            mv: None,
            cost: 0,
            length: 0,
            after_free: false,
            is_expanded: false,
        }
    }
}

impl Search {
    /// A search from a position with a legal move.
    pub(super) fn new(winner: Color, position: &Position) -> Self {
        let mut search = Self {
            winner,
            goals: Goals::new(winner, position),
            visited: Visited::new(),
            open: Default::default(),
            turn: 0,
            nodes: 1,
            last: (u32::MAX, *position),
        };
        search.visit(position, Node::first(position));
        search
    }

    /// Number of positions searched so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Continues until `limit` positions have been searched in total.
    pub(super) fn run(&mut self, limit: u64) -> Found {
        while self.nodes < limit.min(MAX_NODES) {
            self.turn = self.turn.wrapping_add(1);
            let is_hard = self.nodes > LENGTH_FROM_NODES;
            let queue = if is_hard && self.turn.is_multiple_of(LENGTH_PERIOD) {
                BY_LENGTH
            } else {
                self.turn as usize % 2
            };
            // Every position was put into the queue by length.
            let number = self.open[queue].pop();
            let Some(number) = number.or_else(|| self.open[BY_LENGTH].pop()) else {
                return Found::Exhausted;
            };
            if let Some(line) = self.expand(number) {
                return Found::Mate(line);
            }
        }
        Found::Nothing
    }

    /// Plays all moves of a position, once. Returns the line to a mate if one of them mates.
    fn expand(&mut self, number: u32) -> Option<Vec<Move>> {
        let node = &mut self.visited.nodes[number as usize];
        if node.is_expanded {
            return None;
        }
        node.is_expanded = true;
        let (cost, after_free) = (node.cost, node.after_free);
        let length = node.length.saturating_add(1);
        let position = match (node.mv, &self.last) {
            (Some(mv), (last, before)) if *last == node.parent => before.play_unchecked(mv),
            _ => node.position.unpack(),
        };
        self.last = (number, position);
        let mut moves: ArrayVec<(u16, Move), MAX_MOVES> = ArrayVec::new();
        for mv in position.legal_moves() {
            moves.push((self.cost(&position, mv), mv));
        }
        moves.sort_by_key(|&(cost, _)| cost);
        // The cheapest move comes last, because the last position added is expanded first.
        for &(cost_of_move, mv) in moves.iter().rev() {
            self.nodes += 1;
            let next = position.play_unchecked(mv);
            if !next.has_mating_material(self.winner) {
                continue;
            }
            let is_mating = next.in_check() && next.side_to_move() != self.winner;
            if is_mating && !next.has_legal_move() {
                return Some(self.line_to(number, mv));
            }
            let price = match cost_of_move {
                // The reply to a free move is free too, unless it hinders the mate.
                NORMAL if after_free => FREE,
                price => price,
            };
            let node = Node {
                position: Packed::from(&next),
                parent: number,
                mv: Some(mv),
                cost: MAX_COST.min(cost + price),
                length,
                after_free: cost_of_move == FREE,
                is_expanded: false,
            };
            self.visit(&next, node);
        }
        None
    }

    /// Adds a position to the queues, unless it was expanded before, or visited at no greater cost.
    fn visit(&mut self, position: &Position, node: Node) {
        let [cost, length] = [node.cost, node.length].map(usize::from);
        match self.visited.insert(position.key(), node) {
            Insertion::New(number) => {
                let remaining = self.goals.remaining(self.winner, position);
                self.open[0].push(cost, number);
                self.open[1].push(remaining, number);
                self.open[BY_LENGTH].push(length, number);
            }
            Insertion::Cheaper(number) => self.open[0].push(cost, number),
            Insertion::Known => {}
        }
    }

    /// The moves to a visited position, and one more move.
    fn line_to(&self, mut number: u32, last: Move) -> Vec<Move> {
        let mut line = vec![last];
        while let Node {
            mv: Some(mv),
            parent,
            ..
        } = self.visited.nodes[number as usize]
        {
            line.push(mv);
            number = parent;
        }
        line.reverse();
        line
    }

    /// The cost of a move.
    fn cost(&self, position: &Position, mv: Move) -> u16 {
        let us = position.side_to_move();
        let Some(piece) = position.piece_at(mv.from()) else {
            return NORMAL;
        };
        let kind = piece.kind();
        let is_capture = position.is_capture(mv);
        if us == self.winner {
            let is_advanced = Bitboard::from_rank(Rank::R5.relative_to(us))
                | Bitboard::from_rank(Rank::R6.relative_to(us))
                | Bitboard::from_rank(Rank::R7.relative_to(us));
            let leads_on = match kind {
                PieceKind::Pawn => is_capture || is_advanced.contains(mv.from()),
                PieceKind::King => is_capture || self.goals.winner_king.nears(mv),
                PieceKind::Knight => is_capture || self.goals.winner_knight.nears(mv),
                _ => is_capture,
            };
            return if leads_on { FREE } else { NORMAL };
        }
        if self.goals.lacks_blocker(self.winner, position) {
            return match (kind, mv.kind()) {
                (PieceKind::Pawn, MoveKind::Promotion(PieceKind::Rook | PieceKind::Queen)) => DEAR,
                (PieceKind::Pawn, _) => FREE,
                _ => DEAR,
            };
        }
        let leads_on = match kind {
            PieceKind::King => self.goals.loser_king.nears(mv),
            PieceKind::Knight => self.goals.loser_knight.nears(mv),
            _ => false,
        };
        match (leads_on, is_capture) {
            (true, _) => FREE,
            // It captures a piece that the mate needs.
            (false, true) => DEAR,
            (false, false) => NORMAL,
        }
    }
}

/// The squares to which the pieces should go: a mate in a corner, with a piece of the loser next to
/// the king.
struct Goals {
    winner_king: Distances,
    winner_knight: Distances,
    loser_king: Distances,
    loser_knight: Distances,
    /// The pieces of the loser that the winner's material needs for a mate.
    weakness: Weakness,
}

/// Material of the winner that cannot mate a bare king, and the pieces of the loser that can take a
/// square from his king. A pawn can too; the costs leave it out, and the proof does not depend on
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weakness {
    None,
    /// A single knight; a knight, bishop or rook of the loser helps.
    Knight,
    /// Bishops on one colour; a knight of the loser helps, or a bishop of the loser on these
    /// squares of the other colour.
    Bishops(Bitboard),
}

impl Goals {
    fn new(winner: Color, position: &Position) -> Self {
        let bishops = |color| position.pieces(color, PieceKind::Bishop);
        let (own, theirs) = (bishops(winner), bishops(!winner));
        let corner_is_light = if own.any() {
            own.intersects(Bitboard::LIGHT)
        } else {
            !theirs.intersects(Bitboard::LIGHT)
        };
        let last = Bitboard::from_rank(Rank::R8.relative_to(winner));
        let is_goal = |square: &Square| {
            let is_corner = attacks::king(*square).len() == 3;
            is_corner && square.is_light() == corner_is_light
        };
        let corner = last.into_iter().find(is_goal).unwrap_or(Square::A8);
        // The winner's king belongs two squares from the corner on its file, a blocker next to the
        // corner.
        let down = -winner.forward();
        let inward: i8 = if corner.file().index() == 0 { 1 } else { -1 };
        let before = corner.offset(0, 2 * down).unwrap_or(corner);
        let beside = corner.offset(inward, 0).unwrap_or(corner);
        let is_strong = [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen]
            .into_iter()
            .any(|kind| position.pieces(winner, kind).any());
        let knights = position.pieces(winner, PieceKind::Knight);
        let (light, dark) = (own & Bitboard::LIGHT, own - Bitboard::LIGHT);
        let weakness = match (knights.any(), light.any(), dark.any()) {
            _ if is_strong || knights.has_many() => Weakness::None,
            (true, false, false) => Weakness::Knight,
            (false, true, false) => Weakness::Bishops(!Bitboard::LIGHT),
            (false, false, true) => Weakness::Bishops(Bitboard::LIGHT),
            _ => Weakness::None,
        };
        Self {
            winner_king: Distances::to(before, attacks::king),
            winner_knight: Distances::to(corner, attacks::knight),
            loser_king: Distances::to(corner, attacks::king),
            loser_knight: Distances::to(beside, attacks::knight),
            weakness,
        }
    }

    /// Approximate distance to a mate in half-moves, if nothing is in the way.
    fn remaining(&self, winner: Color, position: &Position) -> usize {
        let kings = self.winner_king.from(position.king(winner))
            + self.loser_king.from(position.king(!winner));
        let mut removal = 0;
        for (kind, each) in PieceKind::ALL.into_iter().zip(REMOVAL_COST) {
            removal += each * position.pieces(!winner, kind).len() as usize;
        }
        2 * (kings + self.promotion_distance(winner, position)) + removal
    }

    /// Moves until the winner has material to mate with, if a pawn must promote first.
    fn promotion_distance(&self, winner: Color, position: &Position) -> usize {
        let majors = position.orthogonal_sliders() & position.color(winner);
        if majors.any() {
            return 0;
        }
        match moves_to_promotion(position, winner) {
            None if self.lacks_blocker(winner, position) => moves_to_promotion(position, !winner),
            way => way,
        }
        .unwrap_or(0)
    }

    /// Whether the loser has none of the pieces that [`Weakness`] names, so that he should promote
    /// to one.
    fn lacks_blocker(&self, winner: Color, position: &Position) -> bool {
        let theirs = |kind| position.pieces(!winner, kind);
        match self.weakness {
            Weakness::None => false,
            Weakness::Knight => {
                let blockers = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook];
                !blockers.into_iter().any(|kind| theirs(kind).any())
            }
            Weakness::Bishops(others) => {
                theirs(PieceKind::Knight).is_empty()
                    && !theirs(PieceKind::Bishop).intersects(others)
            }
        }
    }
}

/// Moves until the nearest pawn of `color` promotes; each piece in its way counts as one move.
fn moves_to_promotion(position: &Position, color: Color) -> Option<usize> {
    let last = Rank::R8.relative_to(color);
    let mut nearest = None;
    for pawn in position.pieces(color, PieceKind::Pawn) {
        let end = Square::new(pawn.file(), last);
        let in_the_way = (attacks::between(pawn, end) | end.into()) & position.occupied();
        let way = pawn.rank().index().abs_diff(last.index()) + in_the_way.len() as usize;
        nearest = Some(nearest.map_or(way, |nearest: usize| nearest.min(way)));
    }
    nearest
}

/// For each square, the number of a piece's steps to a goal.
struct Distances([u8; Square::COUNT]);

impl Distances {
    fn to(goal: Square, steps: fn(Square) -> Bitboard) -> Self {
        let mut distances = [u8::MAX; Square::COUNT];
        let mut reached = Bitboard::from(goal);
        let mut front = reached;
        let mut distance = 0;
        while front.any() {
            let mut next = Bitboard::EMPTY;
            for square in front {
                distances[square.index()] = distance;
                next |= steps(square);
            }
            front = next - reached;
            reached |= next;
            distance += 1;
        }
        Self(distances)
    }

    fn from(&self, square: Square) -> usize {
        usize::from(self.0[square.index()])
    }

    fn nears(&self, mv: Move) -> bool {
        self.from(mv.to()) < self.from(mv.from())
    }
}

/// Node numbers in buckets by cost; within a bucket the last one added comes first.
#[derive(Default)]
struct Open {
    by_cost: Vec<Vec<u32>>,
    /// All cheaper buckets are empty.
    lowest: usize,
}

impl Open {
    fn push(&mut self, cost: usize, number: u32) {
        if self.by_cost.len() <= cost {
            self.by_cost.resize_with(cost + 1, Vec::new);
        }
        self.by_cost[cost].push(number);
        self.lowest = self.lowest.min(cost);
    }

    fn pop(&mut self) -> Option<u32> {
        while let Some(numbers) = self.by_cost.get_mut(self.lowest) {
            if let Some(number) = numbers.pop() {
                return Some(number);
            }
            self.lowest += 1;
        }
        None
    }
}

/// The visited positions, each once.
struct Visited {
    nodes: Vec<Node>,
    /// A hash table, at most half full: the node number plus 1 in the low half, the hash in the
    /// high half; 0 marks a free slot.
    table: Vec<u64>,
}

/// The result of an insertion.
enum Insertion {
    New(u32),
    Cheaper(u32),
    Known,
}

impl Visited {
    /// Has room for an easy search.
    fn new() -> Self {
        const ROOM: usize = 1 << 10;
        Self {
            nodes: Vec::with_capacity(ROOM),
            table: vec![0; 2 * ROOM],
        }
    }

    /// Adds a node, or replaces the node of the same position if it costs more and is not yet
    /// expanded.
    fn insert(&mut self, key: Key, node: Node) -> Insertion {
        if 2 * self.nodes.len() >= self.table.len() {
            self.grow();
        }
        let hash = key.0 >> 32;
        let mut place = self.place(hash);
        while self.table[place] != 0 {
            let number = self.table[place] as u32 - 1;
            let known = &mut self.nodes[number as usize];
            if self.table[place] >> 32 == hash && known.position == node.position {
                if known.is_expanded || known.cost <= node.cost {
                    return Insertion::Known;
                }
                *known = node;
                return Insertion::Cheaper(number);
            }
            place = (place + 1) % self.table.len();
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.table[place] = hash << 32 | u64::from(number + 1);
        Insertion::New(number)
    }

    /// The first slot for a hash.
    fn place(&self, hash: u64) -> usize {
        ((hash * self.table.len() as u64) >> 32) as usize
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.table = vec![0; 4 * old.len()];
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let mut place = self.place(slot >> 32);
            while self.table[place] != 0 {
                place = (place + 1) % self.table.len();
            }
            self.table[place] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_of_the_cheapest_positions_comes_first() {
        let mut open = Open::default();
        for (cost, number) in [(3, 30), (1, 10), (1, 11), (2, 20)] {
            open.push(cost, number);
        }
        let mut next = || open.pop();
        assert_eq!([next(), next(), next()], [Some(11), Some(10), Some(20)]);
        open.push(0, 5);
        let mut next = || open.pop();
        assert_eq!([next(), next(), next()], [Some(5), Some(30), None]);
    }

    #[test]
    fn a_position_is_visited_once_and_again_if_it_has_become_cheaper() {
        let mut visited = Visited::new();
        let mut insert = |position: &Position, cost| {
            let node = Node {
                cost,
                ..Node::first(position)
            };
            match visited.insert(position.key(), node) {
                Insertion::New(number) => format!("new {number}"),
                Insertion::Cheaper(number) => format!("cheaper {number}"),
                Insertion::Known => "known".to_owned(),
            }
        };
        let first = Position::start();
        let others = first.legal_moves().into_iter();
        let others: Vec<_> = others.map(|mv| first.play_unchecked(mv)).collect();
        assert_eq!(insert(&first, 5), "new 0");
        for (number, position) in (1..).zip(&others) {
            assert_eq!(insert(position, 5), format!("new {number}"));
        }
        for (number, position) in (1..).zip(&others) {
            assert_eq!(insert(position, 5), "known");
            assert_eq!(insert(position, 4), format!("cheaper {number}"));
            assert_eq!(insert(position, 4), "known");
        }
        assert_eq!(insert(&first, 6), "known");
    }

    #[test]
    fn each_rank_and_each_piece_in_the_way_of_a_pawn_counts() {
        for (fen, white, black) in [
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", Some(6), None),
            ("n3k3/8/b7/P7/8/8/8/4K3 w - - 0 1", Some(3 + 2), None),
            // The nearest counts: here the pawn that is farther back.
            (
                "nr2k3/bq6/1P6/P7/8/6p1/8/4K2N w - - 0 1",
                Some(2 + 2),
                Some(2),
            ),
            (
                "nr2k3/1q6/1b6/PP6/8/7p/7B/4K2R w - - 0 1",
                Some(3 + 1),
                Some(2 + 2),
            ),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let found = Color::ALL.map(|color| moves_to_promotion(&position, color));
            assert_eq!(found, [white, black], "{fen}");
        }
    }
}
