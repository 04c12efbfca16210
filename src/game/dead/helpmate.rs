//! The search for a helpmate: the most promising position first, and a proof when nothing is left to look at.
//!
//! Both players help, so there is nothing to refute: one line is enough. What makes it hard is that lines may be long. Two
//! measures say which of the positions that have been met is expanded next, and they take turns:
//!
//! - the *cost* of the line so far: moves that bring the mate nearer (a king towards the corner, a pawn towards promotion) cost
//!   nothing, others a little, and those that help nobody more;
//! - what is still *ahead*: the way of the kings to the corner and of the pawn to promotion, and what material the loser has to
//!   get rid of.
//!
//! Of positions that are as good the one met last is taken, so that a promising line is followed to its end.
//!
//! **Exhaustion is a proof.** Each position met is kept whole, nothing of it is hashed away, and is expanded once: all its legal
//! moves are played. It is not expanded where nothing can follow: where there is no legal move, or where the material or
//! [`mating_net`] prove that there is no mate. If no position is left to expand, the positions met are closed under legal
//! moves but for those, and no mate was among them. Costs and their order do not matter for that.

use super::super::material;
use super::mating_net;
use crate::board::{MAX_MOVES, Packed, Position, attacks};
use crate::types::{Bitboard, Color, Key, Move, MoveKind, PieceKind, Rank, Square};
use arrayvec::ArrayVec;

/// What a search has come to.
pub(super) enum Found {
    /// These moves mate.
    Mate(Vec<Move>),
    /// All that can be reached was looked at: there is no mate.
    Exhausted,
    /// Neither, with the nodes allowed.
    Nothing,
}

const FREE: u16 = 0;
const NORMAL: u16 = 1;
const DEAR: u16 = 3;
/// Lines that cost more are all the same.
const MAX_COST: u16 = 4_000;

/// Positions are numbered in 32 bits.
const MOST_NODES: u64 = u32::MAX as u64 - MAX_MOVES as u64;

/// Nodes after which the mating net is asked for at each capture and pawn move: in easy positions the mate is found before.
const MATING_NET_FROM_NODES: u64 = 2_000;

/// What it costs to get rid of the loser's pieces, by kind, in half-moves about: with fewer left there is less to look at.
const BURDEN: [usize; PieceKind::COUNT] = [2, 2, 2, 4, 6, 0];

/// One question.
pub(super) struct Search {
    winner: Color,
    goals: Goals,
    met: Met,
    /// What to expand, by the cost of the line and by what is ahead.
    open: [Open; 2],
    /// Which of them is next.
    turn: usize,
    nodes: u64,
    /// The position expanded last, and its number: what comes next is often one move away.
    last: (u32, Position),
}

/// A position that has been met, and how.
struct Node {
    position: Packed,
    /// The position before it, by its number, and the move that led from there; none if it is the first.
    parent: u32,
    mv: Option<Move>,
    /// Of the line that led to it.
    cost: u16,
    /// Whether the last move of the line was free.
    after_free: bool,
    /// Whether the last move was a capture or a pawn's: what was possible before may not be so any more.
    is_irreversible: bool,
    is_expanded: bool,
}

impl Search {
    /// A search from a position that has a legal move.
    pub(super) fn new(winner: Color, position: &Position) -> Self {
        let mut search = Self {
            winner,
            goals: Goals::new(winner, position),
            met: Met::new(),
            open: Default::default(),
            turn: 0,
            nodes: 1,
            last: (u32::MAX, *position),
        };
        let first = Node {
            position: position.into(),
            parent: 0,
            mv: None,
            cost: 0,
            after_free: false,
            is_irreversible: false,
            is_expanded: false,
        };
        search.meet(position, first);
        search
    }

    /// Positions looked at so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Goes on until so many positions have been looked at.
    pub(super) fn run(&mut self, limit: u64) -> Found {
        while self.nodes < limit.min(MOST_NODES) {
            self.turn = 1 - self.turn;
            let [first, second] = [self.turn, 1 - self.turn];
            let number = self.open[first].pop().or_else(|| self.open[second].pop());
            let Some(number) = number else {
                return Found::Exhausted;
            };
            if let Some(line) = self.expand(number) {
                return Found::Mate(line);
            }
        }
        Found::Nothing
    }

    /// Plays all moves of a position, unless that was done; the line to a mate, if one of them mates.
    fn expand(&mut self, number: u32) -> Option<Vec<Move>> {
        let node = &mut self.met.nodes[number as usize];
        if node.is_expanded {
            return None;
        }
        node.is_expanded = true;
        let (cost, after_free, is_irreversible) =
            (node.cost, node.after_free, node.is_irreversible);
        let position = match (node.mv, &self.last) {
            (Some(mv), (last, before)) if *last == node.parent => before.play(mv),
            _ => node.position.unpack(),
        };
        self.last = (number, position);
        if is_irreversible
            && self.nodes > MATING_NET_FROM_NODES
            && mating_net::is_impossible(&position, self.winner)
        {
            return None;
        }
        let mut moves: ArrayVec<(u16, Move), MAX_MOVES> = ArrayVec::new();
        for mv in position.legal_moves() {
            moves.push((self.cost(&position, mv), mv));
        }
        moves.sort_by_key(|&(cost, _)| cost);
        // The cheapest move last: what is met last is followed first.
        for &(cost_of_move, mv) in moves.iter().rev() {
            self.nodes += 1;
            let next = position.play(mv);
            if !material::can_still_win(&next, self.winner) {
                continue;
            }
            let is_mating = next.in_check() && next.side_to_move() != self.winner;
            if is_mating && !next.has_legal_move() {
                return Some(self.line_to(number, mv));
            }
            let price = match cost_of_move {
                // The reply to a move that leads on need not lead on itself.
                NORMAL if after_free => FREE,
                price => price,
            };
            let node = Node {
                position: Packed::from(&next),
                parent: number,
                mv: Some(mv),
                cost: MAX_COST.min(cost + price),
                after_free: cost_of_move == FREE,
                is_irreversible: next.halfmove_clock() == 0,
                is_expanded: false,
            };
            self.meet(&next, node);
        }
        None
    }

    /// Notes a position that has been met, to be expanded unless it was met before at no greater cost.
    fn meet(&mut self, position: &Position, node: Node) {
        let cost = usize::from(node.cost);
        match self.met.insert(position.key(), node) {
            Insertion::New(number) => {
                let ahead = self.goals.ahead(self.winner, position);
                self.open[0].push(cost, number);
                self.open[1].push(ahead, number);
            }
            Insertion::Cheaper(number) => self.open[0].push(cost, number),
            Insertion::Known => {}
        }
    }

    /// The moves that lead to a position met, and one more.
    fn line_to(&self, mut number: u32, last: Move) -> Vec<Move> {
        let mut line = vec![last];
        while let Node {
            mv: Some(mv),
            parent,
            ..
        } = self.met.nodes[number as usize]
        {
            line.push(mv);
            number = parent;
        }
        line.reverse();
        line
    }

    /// What a move costs.
    fn cost(&self, position: &Position, mv: Move) -> u16 {
        let us = position.side_to_move();
        let Some(piece) = position.piece_at(mv.from()) else {
            return NORMAL;
        };
        let kind = piece.kind();
        let is_capture = position.is_noisy(mv) && mv.promotion().is_none();
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
            // It takes what is needed to mate.
            (false, true) => DEAR,
            (false, false) => NORMAL,
        }
    }
}

/// Where the pieces should go: a mate in a corner, the loser's own piece beside the king.
struct Goals {
    winner_king: Distances,
    winner_knight: Distances,
    loser_king: Distances,
    loser_knight: Distances,
    /// The winner's material mates only beside certain pieces of the loser.
    weakness: Weakness,
}

/// What the winner's material lacks to mate a bare king.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weakness {
    None,
    /// A lone knight: it needs a knight, a bishop or a rook beside the king.
    Knight,
    /// Bishops of one colour: they need a knight, or a bishop on these squares, those of the other colour.
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
        let is_corner = |square: &Square| {
            let is_edge = attacks::king(*square).len() == 3;
            is_edge && square.is_light() == corner_is_light
        };
        let corner = last.into_iter().find(is_corner).unwrap_or(Square::A8);
        // Two squares down the file for the winner's king, one beside the corner for a blocker.
        let down: i8 = if winner == Color::White { -1 } else { 1 };
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

    /// How far a mate is away, in half-moves about, if nothing is in the way.
    fn ahead(&self, winner: Color, position: &Position) -> usize {
        let kings = self.winner_king.from(position.king(winner))
            + self.loser_king.from(position.king(!winner));
        let mut burden = 0;
        for (kind, each) in PieceKind::ALL.into_iter().zip(BURDEN) {
            burden += each * position.pieces(!winner, kind).len() as usize;
        }
        2 * (kings + self.promotion_ahead(winner, position)) + burden
    }

    /// The moves until the winner has something to mate with, if a pawn has to be promoted for that.
    fn promotion_ahead(&self, winner: Color, position: &Position) -> usize {
        let majors = position.orthogonal_sliders() & position.color(winner);
        if majors.any() {
            return 0;
        }
        match way_to_promotion(position, winner) {
            None if self.lacks_blocker(winner, position) => way_to_promotion(position, !winner),
            way => way,
        }
        .unwrap_or(0)
    }

    /// Whether the loser must promote first, to a piece that the winner needs.
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

/// How many moves a pawn of that colour needs to promote, each piece in its way counted as one; of the nearest.
fn way_to_promotion(position: &Position, color: Color) -> Option<usize> {
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

/// How many steps of a piece each square is from a goal.
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

/// Numbers of positions by cost; of those with the same cost the last comes first.
#[derive(Default)]
struct Open {
    by_cost: Vec<Vec<u32>>,
    /// None is cheaper.
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

/// The positions that have been met, each once.
struct Met {
    nodes: Vec<Node>,
    /// A hash table: the number of a node plus 1 in the low half, its hash in the high half; 0 is free. Half full at most.
    table: Vec<u64>,
}

/// What became of a node, and its number.
enum Insertion {
    New(u32),
    Cheaper(u32),
    Known,
}

impl Met {
    /// With room for what an easy question takes.
    fn new() -> Self {
        const ROOM: usize = 1 << 10;
        Self {
            nodes: Vec::with_capacity(ROOM),
            table: vec![0; 2 * ROOM],
        }
    }

    /// Adds a node, or replaces the one with the same position if that costs more and was not expanded.
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

    /// Where to look for a hash first.
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
