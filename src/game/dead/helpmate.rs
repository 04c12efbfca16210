//! The search for a helpmate: depth first, deepened by cost, and a proof when nothing is left to look at.
//!
//! Both players help, so there is nothing to refute: one line is enough. What makes it hard is that lines may be long. So a
//! line is limited by its *cost*, not by its length: moves that bring the mate nearer (a king towards the corner, a pawn
//! towards promotion) cost nothing, others a little, and those that help nobody more. The limit grows from iteration to
//! iteration.
//!
//! **Exhaustion is a proof.** An iteration looks at every legal move of every position it meets, except where the cost is used up
//! (the position is *pending* then, until it is met with something left to spend), where the material or
//! [`mobility`] prove that nothing can follow, and where the same position was met before in this iteration
//! with at least as much to spend. If an iteration ends and nothing is pending, the positions met are closed under legal moves,
//! and no mate was among them. Costs and their order do not matter for that. Positions are known by 128 bits.

use super::super::material;
use super::mobility;
use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, Move, MoveKind, PieceKind, Rank, Square};
use arrayvec::ArrayVec;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What a search has come to.
pub(super) enum Found {
    /// These moves mate.
    Mate(Vec<Move>),
    /// All that can be reached was looked at: there is no mate.
    Exhausted,
    /// Neither, with the nodes allowed.
    Nothing,
}

/// No line is longer: a bound for the recursion.
const LONGEST: usize = 600;
/// After so many plies moves towards the goal cost as others do.
const FREE_PLIES: usize = 400;
/// The limits of cost go up to this.
const MAX_COST: i32 = 1_000;

const FREE: i32 = 0;
const NORMAL: i32 = 1;
const DEAR: i32 = 3;

/// Nodes after which mobility is asked at each capture and pawn move: in easy positions the mate is found before.
const MOBILITY_FROM_NODES: u64 = 2_000;

/// One question.
pub(super) struct Search {
    winner: Color,
    goals: Goals,
    seen: HashMap<u128, Seen, BuildHasherDefault<Folded>>,
    iteration: u16,
    nodes: u64,
    limit: u64,
    /// Positions of this iteration whose moves have not been looked at.
    pending: u64,
    /// The iteration was broken off somewhere.
    was_cut: bool,
    line: Vec<Move>,
}

/// When a position was met, and what was left to spend.
#[derive(Clone, Copy)]
struct Seen {
    iteration: u16,
    budget: i16,
}

impl Search {
    pub(super) fn new(winner: Color, position: &Position) -> Self {
        Self {
            winner,
            goals: Goals::new(winner, position),
            seen: HashMap::default(),
            iteration: 0,
            nodes: 0,
            limit: 0,
            pending: 0,
            was_cut: false,
            line: Vec::new(),
        }
    }

    /// Positions looked at so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a mate with so many more nodes.
    pub(super) fn run(&mut self, position: &Position, nodes: u64) -> Found {
        self.limit = self.nodes + nodes;
        for cost in 1..=MAX_COST {
            self.iteration += 1;
            self.was_cut = false;
            self.pending = 0;
            self.line.clear();
            if self.visit(position, cost, false) {
                return Found::Mate(self.line.clone());
            }
            if !self.was_cut && self.pending == 0 {
                return Found::Exhausted;
            }
            if self.nodes >= self.limit {
                break;
            }
        }
        Found::Nothing
    }

    /// Whether a mate is found from here with so much to spend; the line is left in `self.line` then.
    fn visit(&mut self, position: &Position, budget: i32, after_free: bool) -> bool {
        if self.nodes >= self.limit {
            self.was_cut = true;
            return false;
        }
        self.nodes += 1;
        if !material::can_still_win(position, self.winner) {
            return false;
        }
        let is_mating = position.in_check() && position.side_to_move() != self.winner;
        if is_mating && !position.has_legal_move() {
            return true;
        }
        if self.line.len() >= LONGEST {
            self.was_cut = true;
            return false;
        }
        if !self.is_worth_more(identity(position), budget) {
            return false;
        }
        if self.nodes > MOBILITY_FROM_NODES
            && position.halfmove_clock() == 0
            && mobility::is_unwinnable(position, self.winner)
        {
            return false;
        }

        let mut moves: ArrayVec<(Move, i32), 256> = ArrayVec::new();
        for mv in position.legal_moves() {
            if moves.is_full() {
                self.was_cut = true;
                break;
            }
            moves.push((mv, self.cost(position, mv)));
        }
        // Cheap moves first: they lead on.
        moves.sort_by_key(|&(_, cost)| cost);
        for (mv, cost) in moves {
            let is_free = cost == FREE && self.line.len() < FREE_PLIES;
            let price = match cost {
                _ if is_free => 0,
                // The reply to a move that leads on need not lead on itself.
                NORMAL if after_free => 0,
                FREE => NORMAL,
                cost => cost,
            };
            self.line.push(mv);
            // What is too dear is looked at still, but not what follows it.
            if self.visit(&position.play(mv), (budget - price).max(0), is_free) {
                return true;
            }
            self.line.pop();
        }
        false
    }

    /// Notes that a position was met with so much to spend; whether its moves are to be looked at.
    fn is_worth_more(&mut self, position: u128, budget: i32) -> bool {
        let now = Seen {
            iteration: self.iteration,
            budget: budget as i16,
        };
        let before = self
            .seen
            .insert(position, now)
            .filter(|before| before.iteration == self.iteration);
        match before {
            Some(before) if before.budget >= now.budget => {
                self.seen.insert(position, before);
                return false;
            }
            Some(before) if before.budget == 0 => self.pending -= 1,
            None if budget == 0 => self.pending += 1,
            _ => {}
        }
        budget > 0
    }

    /// What a move costs.
    fn cost(&self, position: &Position, mv: Move) -> i32 {
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

    fn nears(&self, mv: Move) -> bool {
        self.0[mv.to().index()] < self.0[mv.from().index()]
    }
}

/// A position in 128 bits: its Zobrist key, and another hash of the same facts.
fn identity(position: &Position) -> u128 {
    let mut other = position.castling().rooks().0 ^ u64::from(position.side_to_move() as u8);
    let mut mix = |value: u64| {
        other = (other ^ value).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        other ^= other >> 32;
    };
    for kind in PieceKind::ALL {
        mix(position.kind(kind).0);
    }
    mix(position.color(Color::White).0);
    mix(position.en_passant().map_or(64, |square| square as u64));
    u128::from(position.key().0) << 64 | u128::from(other)
}

/// The keys are random already.
#[derive(Default)]
struct Folded(u64);

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, value: u128) {
        self.0 = (value >> 64) as u64;
    }
}
