//! Kings and pawns alone: a game in which all that can happen on the board can happen, and more, and a proof that even so
//! there is no mate.
//!
//! Where pawns are locked, bishops wander about and make millions of positions that differ in nothing that matters. So the
//! other pieces, the *officers*, are taken off the board. What is left is small and can be looked at exhaustively. Where an officer is
//! is not known then, only where it may be: its set of [`mobility`](super::mobility). Whatever it could do from any of its squares, it is
//! allowed to do:
//!
//! - an officer that can move may move at any time and leave all as it is, or take a pawn that stands in its set;
//! - kings and pawns move as in chess within their sets, as if no officer were in their way; a pawn may also take an officer
//!   where one of the enemy's may stand;
//! - after a move no pawn and no king attacks the mover's king: it cannot have been legal otherwise. Officers attack
//!   only where it helps the winner (below).
//!
//! By induction over the moves of a real game, forgetting the officers in each of its positions gives a line of this game. A
//! captured officer may still do all this here: that only adds lines.
//!
//! **No mate.** If the winner's last move of a real game mates, then in the skeleton of the game
//!
//! - the check comes from the piece that has moved, or from an officer that could move, either because it did or because the
//!   line was opened by the piece that left its square; a checker could step onto the king's square, so that is in its set;
//! - each square next to the losing king is outside the king's set, or occupied by a pawn of the loser, or by one of the loser's
//!   officers (a different one for each square), or attacked by a pawn or king of the winner where they stand, or by an officer
//!   from its set, as in [`mating_net`](super::mating_net).
//!
//! If all lines have been looked at and no move does that, there is no mate. Where a pawn may be promoted, nothing is said.

use super::mating_net::{attacks_of, can_block};
use super::mobility::{Mobility, Mover};
use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Rank, Square};
use arrayvec::ArrayVec;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// What one side may do.
struct Officers {
    /// Where the king of the side may stand.
    king: Bitboard,
    /// Where its pawns may stand.
    pawns: Bitboard,
    /// Where each officer may stand.
    each: ArrayVec<Bitboard, { Square::COUNT }>,
    /// Where any may stand.
    reach: Bitboard,
    /// What those that can move may attack.
    attacks: Bitboard,
    /// Where those that can move may give check, along diagonals, along ranks and files, and at all.
    diagonal_checks: Bitboard,
    orthogonal_checks: Bitboard,
    checks: Bitboard,
    /// Whether one can move.
    can_move: bool,
}

impl Officers {
    fn of(mobility: &Mobility, color: Color) -> Self {
        let mut officers = Self {
            king: Bitboard::EMPTY,
            pawns: Bitboard::EMPTY,
            each: ArrayVec::new(),
            reach: Bitboard::EMPTY,
            attacks: Bitboard::EMPTY,
            diagonal_checks: Bitboard::EMPTY,
            orthogonal_checks: Bitboard::EMPTY,
            checks: Bitboard::EMPTY,
            can_move: false,
        };
        for mover in mobility.movers.iter().filter(|mover| mover.color == color) {
            match mover.kind {
                PieceKind::King => officers.king = mover.reach,
                PieceKind::Pawn => officers.pawns |= mover.reach,
                _ => officers.add(mover),
            }
        }
        officers
    }

    fn add(&mut self, mover: &Mover) {
        self.each.push(mover.reach);
        self.reach |= mover.reach;
        self.attacks |= attacks_of(mover);
        if mover.can_move() {
            self.can_move = true;
            self.checks |= mover.reach;
            if matches!(mover.kind, PieceKind::Bishop | PieceKind::Queen) {
                self.diagonal_checks |= mover.reach;
            }
            if matches!(mover.kind, PieceKind::Rook | PieceKind::Queen) {
                self.orthogonal_checks |= mover.reach;
            }
        }
    }
}

/// A position without its officers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Skeleton {
    kings: [Square; Color::COUNT],
    pawns: [Bitboard; Color::COUNT],
    side_to_move: Color,
    /// The square that a pawn has just passed, if an enemy pawn stands ready.
    en_passant: Option<Square>,
}

/// Who or what has moved, for the check it may give.
enum Moved {
    Officer,
    /// From there.
    King(Square),
    /// From there to there; en passant, the pawn taken left a third square.
    Pawn(Square, Square, Option<Square>),
}

/// What became of the attempt.
enum Step {
    /// A mate or a promotion is not ruled out.
    Open,
    /// Nothing of the kind.
    Closed,
}

/// The game without officers.
struct Game {
    winner: Color,
    sides: [Officers; Color::COUNT],
    seen: HashSet<Skeleton, BuildHasherDefault<Mixer>>,
    todo: Vec<Skeleton>,
    nodes: u64,
}

/// Whether `winner` cannot win, as looking at so many skeletons at most proves; `nodes` counts them. The position is no mate.
pub(super) fn is_impossible(
    position: &Position,
    winner: Color,
    limit: u64,
    nodes: &mut u64,
) -> bool {
    if position.en_passant().is_some() || position.castling().rooks().any() {
        return false;
    }
    let mobility = Mobility::of(position);
    let mut game = Game {
        winner,
        sides: Color::ALL.map(|color| Officers::of(&mobility, color)),
        seen: HashSet::default(),
        todo: Vec::new(),
        nodes: 0,
    };
    let is_proven = game.is_exhausted(Skeleton::of(position), limit);
    *nodes += game.nodes;
    is_proven
}

impl Game {
    fn is_exhausted(&mut self, first: Skeleton, limit: u64) -> bool {
        self.seen.insert(first);
        self.todo.push(first);
        while let Some(skeleton) = self.todo.pop() {
            if self.nodes > limit {
                return false;
            }
            if let Step::Open = self.expand(&skeleton) {
                return false;
            }
        }
        true
    }

    /// Makes all moves.
    fn expand(&mut self, skeleton: &Skeleton) -> Step {
        let us = skeleton.side_to_move;
        let officers = &self.sides[us.index()];
        let mut next = Vec::new();
        let quiet = skeleton.passed();
        if officers.can_move {
            next.push((quiet, Moved::Officer));
        }
        for victim in skeleton.pawns[(!us).index()] & officers.reach {
            next.push((quiet.without_pawn(!us, victim), Moved::Officer));
        }
        let king = skeleton.kings[us.index()];
        let own = skeleton.pawns[us.index()];
        for to in (attacks::king(king) & officers.king) - own {
            let mut moved = quiet.without_pawn(!us, to);
            moved.kings[us.index()] = to;
            next.push((moved, Moved::King(king)));
        }
        for from in own {
            if let Step::Open = self.expand_pawn(skeleton, from, &mut next) {
                return Step::Open;
            }
        }
        for (skeleton, moved) in next {
            self.nodes += 1;
            if skeleton.is_attacked(us) {
                continue;
            }
            if us == self.winner && self.may_be_mate(&skeleton, &moved) {
                return Step::Open;
            }
            if self.seen.insert(skeleton) {
                self.todo.push(skeleton);
            }
        }
        Step::Closed
    }

    /// Makes the moves of a pawn.
    fn expand_pawn(
        &self,
        skeleton: &Skeleton,
        from: Square,
        next: &mut Vec<(Skeleton, Moved)>,
    ) -> Step {
        let us = skeleton.side_to_move;
        let (own, enemy) = (&self.sides[us.index()], &self.sides[(!us).index()]);
        let occupied = skeleton.occupied();
        let ahead = Bitboard::from(from).forward(us) - occupied;
        let third = Bitboard::from_rank(Rank::R3.relative_to(us));
        let double = (ahead & third & own.pawns).forward(us) - occupied;
        let kings = Bitboard::from(skeleton.kings[0]) | skeleton.kings[1].into();
        let victims = skeleton.pawns[(!us).index()] | (enemy.reach - occupied);
        let captures = attacks::pawn(us, from) & (victims - kings);
        let last = Bitboard::from_rank(Rank::R8.relative_to(us));
        let targets = (ahead | double | captures) & (own.pawns | last);
        if targets.intersects(last) {
            return Step::Open;
        }
        for to in targets {
            let mut moved = skeleton.passed().without_pawn(!us, to);
            moved.move_pawn(us, from, to);
            if double.contains(to) {
                let candidates = attacks::pawns(us, ahead) & moved.pawns[(!us).index()];
                moved.en_passant = ahead.first().filter(|_| candidates.any());
            }
            next.push((moved, Moved::Pawn(from, to, None)));
        }
        if let Some(target) = skeleton.en_passant
            && attacks::pawn(us, from).contains(target)
            && own.pawns.contains(target)
            && !occupied.contains(target)
        {
            let victim = Square::new(target.file(), from.rank());
            let mut moved = skeleton.passed().without_pawn(!us, victim);
            moved.move_pawn(us, from, target);
            next.push((moved, Moved::Pawn(from, target, Some(victim))));
        }
        Step::Closed
    }

    /// Whether that move of the winner may mate.
    fn may_be_mate(&self, skeleton: &Skeleton, moved: &Moved) -> bool {
        self.may_be_check(skeleton, moved) && self.may_be_closed(skeleton)
    }

    fn may_be_check(&self, skeleton: &Skeleton, moved: &Moved) -> bool {
        let king = skeleton.kings[(!self.winner).index()];
        match *moved {
            Moved::Officer => self.sides[self.winner.index()].checks.contains(king),
            Moved::King(from) => self.may_uncover(skeleton, from),
            Moved::Pawn(from, to, taken) => {
                attacks::pawn(self.winner, to).contains(king)
                    || self.may_uncover(skeleton, from)
                    || taken.is_some_and(|square| self.may_uncover(skeleton, square))
            }
        }
    }

    /// Whether an officer may give check along the line that was opened when a square became empty.
    fn may_uncover(&self, skeleton: &Skeleton, square: Square) -> bool {
        let king = skeleton.kings[(!self.winner).index()];
        let officers = &self.sides[self.winner.index()];
        let occupied = skeleton.occupied();
        officers.diagonal_checks.contains(king) && attacks::bishop(king, occupied).contains(square)
            || officers.orthogonal_checks.contains(king)
                && attacks::rook(king, occupied).contains(square)
    }

    /// Whether all squares next to the losing king may be closed.
    fn may_be_closed(&self, skeleton: &Skeleton) -> bool {
        let (winner, loser) = (self.winner, !self.winner);
        let (attackers, defenders) = (&self.sides[winner.index()], &self.sides[loser.index()]);
        let pawns = skeleton.pawns[winner.index()];
        let attacked = attackers.attacks
            | attacks::pawns(winner, pawns)
            | attacks::king(skeleton.kings[winner.index()]);
        let near = attacks::king(skeleton.kings[loser.index()]) & defenders.king;
        let open = near - skeleton.pawns[loser.index()] - attacked;
        // Nothing of the loser stands on the winner's pawns.
        !open.intersects(pawns) && can_block(&defenders.each, open)
    }
}

impl Skeleton {
    fn of(position: &Position) -> Self {
        Self {
            kings: Color::ALL.map(|color| position.king(color)),
            pawns: Color::ALL.map(|color| position.pieces(color, PieceKind::Pawn)),
            side_to_move: position.side_to_move(),
            en_passant: None,
        }
    }

    /// The same with the other side to move.
    fn passed(&self) -> Self {
        Self {
            side_to_move: !self.side_to_move,
            en_passant: None,
            ..*self
        }
    }

    fn move_pawn(&mut self, color: Color, from: Square, to: Square) {
        self.pawns[color.index()] -= from.into();
        self.pawns[color.index()] |= to.into();
    }

    fn without_pawn(mut self, color: Color, square: Square) -> Self {
        self.pawns[color.index()] -= square.into();
        self
    }

    fn occupied(&self) -> Bitboard {
        self.pawns[0] | self.pawns[1] | self.kings[0].into() | self.kings[1].into()
    }

    /// Whether a king or a pawn attacks the king of that colour.
    fn is_attacked(&self, color: Color) -> bool {
        let king = self.kings[color.index()];
        let enemy = !color;
        attacks::king(self.kings[enemy.index()]).contains(king)
            || attacks::pawns(enemy, self.pawns[enemy.index()]).contains(king)
    }
}

impl Hash for Skeleton {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for pawns in self.pawns {
            state.write_u64(pawns.0);
        }
        let [white, black] = self.kings.map(|king| king as u64);
        let passed = self.en_passant.map_or(0, |square| square as u64);
        state.write_u64(white | black << 8 | passed << 16 | (self.side_to_move as u64) << 24);
    }
}

/// A quick hash of a few numbers.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 29;
    }
}
