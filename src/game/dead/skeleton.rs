//! An abstract game that keeps only kings and pawns, and over-approximates chess. Every real game
//! maps to a line of this game, so if no line ends in mate, no real game does.
//!
//! Behind locked pawns, bishops wander about and produce millions of positions whose differences do
//! not matter. So the minor and major pieces are taken off the board; below, *piece* means one of
//! these. The rest, the *skeleton*, is small enough for an exhaustive search. The square of a piece
//! is then unknown, but not its [`mobility`](super::mobility) set. A piece may do whatever it could
//! do from any square of its set:
//!
//! - A piece that can move may at any time move without changing the skeleton, or capture a pawn
//!   that stands in its set.
//! - Kings and pawns move as in chess within their sets, as if no piece were in their way. A pawn
//!   may also capture a piece where an enemy piece may stand.
//! - After a move, no pawn and no king attacks the mover's king; otherwise the move was not legal.
//!   Pieces attack only where this helps the winner (see below).
//!
//! By induction over the moves of a real game, removing the pieces from each of its positions gives
//! a line of this game. A captured piece may still do all this, which only adds lines.
//!
//! **No mate.** Suppose that the winner's last move of a real game mates. Then in the skeleton:
//!
//! - The check comes from the pawn that has moved, or from a piece that can move. Either that piece
//!   has moved, or a king or pawn that left its square has opened the line. A checking piece could
//!   step onto the king's square, so this square is in its set.
//! - Each square adjacent to the losing king is closed in one of three ways. It is outside the
//!   king's set. Or it is occupied: by a pawn of the loser, or by a piece of the loser, a different
//!   one for each square. Or it is attacked: by a pawn or king of the winner from its square, or by
//!   a piece from a square of its set, as in [`mating_net`](super::mating_net).
//!
//! If all lines have been searched and no move fulfils both conditions, no mate exists. If a pawn
//! may promote, nothing is proved.

use super::mating_net::{attacks_of, can_block};
use super::mobility::{Mobility, Mover};
use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Rank, Square};
use arrayvec::ArrayVec;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The sets of one side.
struct Side {
    /// The squares on which the king may stand.
    king: Bitboard,
    /// The squares on which the pawns may stand.
    pawns: Bitboard,
    /// For each piece, the squares on which it may stand.
    each: ArrayVec<Bitboard, { Square::COUNT }>,
    /// The squares on which any piece may stand.
    reach: Bitboard,
    /// The squares that pieces may attack.
    attacks: Bitboard,
    /// The squares on which pieces that can move may give check: along diagonals, along ranks and
    /// files, and in any way.
    diagonal_checks: Bitboard,
    orthogonal_checks: Bitboard,
    checks: Bitboard,
    /// Whether a piece can move.
    can_move: bool,
}

impl Side {
    fn of(mobility: &Mobility, color: Color) -> Self {
        let mut side = Self {
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
                PieceKind::King => side.king = mover.reach,
                PieceKind::Pawn => side.pawns |= mover.reach,
                _ => side.add(mover),
            }
        }
        side
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

/// A position without its pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Skeleton {
    kings: [Square; Color::COUNT],
    pawns: [Bitboard; Color::COUNT],
    side_to_move: Color,
    /// The square that a pawn has just passed over, if an enemy pawn attacks it.
    en_passant: Option<Square>,
}

/// The last move, as far as it matters for a check.
enum Moved {
    Piece,
    /// Origin.
    King(Square),
    /// Origin, target, and the square of a pawn captured en passant.
    Pawn(Square, Square, Option<Square>),
}

/// The result of an expansion.
enum Step {
    /// A mate or a promotion is possible.
    Open,
    /// Neither is possible here.
    Closed,
}

/// The search of the abstract game.
struct PawnGame {
    winner: Color,
    sides: [Side; Color::COUNT],
    seen: HashSet<Skeleton, BuildHasherDefault<Mixer>>,
    todo: Vec<Skeleton>,
    nodes: u64,
}

/// Whether a search of at most `limit` skeletons proves that `winner` cannot win. Adds the
/// skeletons searched to `nodes`. The position must not be a mate.
pub(super) fn is_impossible(
    position: &Position,
    winner: Color,
    limit: u64,
    nodes: &mut u64,
) -> bool {
    if position.en_passant().is_some() || position.castling().rooks().any() {
        return false;
    }
    let mut game = PawnGame::new(position, winner);
    let is_proven = game.is_exhausted(Skeleton::of(position), limit);
    *nodes += game.nodes;
    is_proven
}

impl PawnGame {
    fn new(position: &Position, winner: Color) -> Self {
        let mobility = Mobility::of(position);
        Self {
            winner,
            sides: Color::ALL.map(|color| Side::of(&mobility, color)),
            seen: HashSet::default(),
            todo: Vec::new(),
            nodes: 0,
        }
    }

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

    /// Plays all moves.
    fn expand(&mut self, skeleton: &Skeleton) -> Step {
        let us = skeleton.side_to_move;
        let side = &self.sides[us.index()];
        let mut next = Vec::new();
        let quiet = skeleton.passed();
        if side.can_move {
            next.push((quiet, Moved::Piece));
        }
        for victim in skeleton.pawns[(!us).index()] & side.reach {
            next.push((quiet.without_pawn(!us, victim), Moved::Piece));
        }
        let king = skeleton.kings[us.index()];
        let own = skeleton.pawns[us.index()];
        for to in (attacks::king(king) & side.king) - own {
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

    /// Plays the moves of a pawn.
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

    /// Whether this move of the winner may mate.
    fn may_be_mate(&self, skeleton: &Skeleton, moved: &Moved) -> bool {
        self.may_be_check(skeleton, moved) && self.may_be_closed(skeleton)
    }

    fn may_be_check(&self, skeleton: &Skeleton, moved: &Moved) -> bool {
        let king = skeleton.kings[(!self.winner).index()];
        match *moved {
            Moved::Piece => self.sides[self.winner.index()].checks.contains(king),
            Moved::King(from) => self.may_uncover(skeleton, from),
            Moved::Pawn(from, to, taken) => {
                attacks::pawn(self.winner, to).contains(king)
                    || self.may_uncover(skeleton, from)
                    || taken.is_some_and(|square| self.may_uncover(skeleton, square))
            }
        }
    }

    /// Whether a piece may give check along a line that opened when `square` became empty.
    fn may_uncover(&self, skeleton: &Skeleton, square: Square) -> bool {
        let king = skeleton.kings[(!self.winner).index()];
        let side = &self.sides[self.winner.index()];
        let occupied = skeleton.occupied();
        side.diagonal_checks.contains(king) && attacks::bishop(king, occupied).contains(square)
            || side.orthogonal_checks.contains(king)
                && attacks::rook(king, occupied).contains(square)
    }

    /// Whether all squares adjacent to the losing king may be closed.
    fn may_be_closed(&self, skeleton: &Skeleton) -> bool {
        let (winner, loser) = (self.winner, !self.winner);
        let (attackers, defenders) = (&self.sides[winner.index()], &self.sides[loser.index()]);
        let pawns = skeleton.pawns[winner.index()];
        let attacked = attackers.attacks
            | attacks::pawns(winner, pawns)
            | attacks::king(skeleton.kings[winner.index()]);
        let near = attacks::king(skeleton.kings[loser.index()]) & defenders.king;
        let open = near - skeleton.pawns[loser.index()] - attacked;
        // A piece of the loser cannot stand on the square of a winner's pawn.
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

    /// The skeleton with the other side to move.
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

    /// Whether a king or a pawn attacks the king of `color`.
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

/// A fast hash function for a few numbers.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether some series of legal moves mates, by playing all of them.
    fn can_mate(position: &Position, winner: Color, seen: &mut Vec<Position>) -> bool {
        if seen.iter().any(|other| other.same_position(position)) {
            return false;
        }
        seen.push(*position);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position.in_check() && position.side_to_move() != winner;
        }
        moves
            .into_iter()
            .any(|mv| can_mate(&position.play_unchecked(mv), winner, seen))
    }

    #[test]
    fn a_pawn_steps_ahead_and_captures_as_in_chess() {
        // Each pawn and the squares that it may go to; the last rank ends the game.
        for (fen, from, expected) in [
            ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", Square::A2, "a3 a4"),
            ("4k3/8/8/8/8/P7/1P6/4K3 w - - 0 1", Square::A3, "a4"),
            ("4k3/8/8/8/p7/8/PP6/4K3 w - - 0 1", Square::A2, "a3"),
            ("4k3/8/8/8/8/pp6/PP6/4K3 w - - 0 1", Square::A2, "b3"),
            ("4k3/p7/8/8/8/8/8/4K3 b - - 0 1", Square::A7, "a5 a6"),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let game = PawnGame::new(&position, Color::White);
            let mut next = Vec::new();
            game.expand_pawn(&Skeleton::of(&position), from, &mut next);
            let targets = next.into_iter().map(|(_, moved)| match moved {
                Moved::Pawn(_, to, _) => to.to_string(),
                Moved::Piece | Moved::King(_) => unreachable!("only the pawn moves"),
            });
            let mut targets: Vec<_> = targets.collect();
            targets.sort();
            assert_eq!(targets.join(" "), expected, "{fen}");
        }
    }

    #[test]
    fn only_games_without_a_mate_are_impossible() {
        for fen in [
            // The only move is a pawn's step, and mates.
            "8/8/6pp/6pk/8/6PK/6PP/8 w - - 0 1",
            "8/6pp/6pk/8/6PK/6PP/8/8 b - - 0 1",
            // The only move is a check; the king's capture of the pawn, the only reply, stalemates.
            // The bishop might close that square, but the pawn stands there.
            "5b2/8/1ppp4/1pkp4/3p4/1P1P2p1/6Pp/7K w - - 0 1",
            "7k/6pP/1p1p2P1/3P4/1PKP4/1PPP4/8/5B2 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let winner = position.side_to_move();
            let expected = !can_mate(&position, winner, &mut Vec::new());
            assert_eq!(
                is_impossible(&position, winner, 100, &mut 0),
                expected,
                "{fen}"
            );
        }
    }
}
