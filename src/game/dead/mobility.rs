//! Mobility: for each piece, the squares on which it may ever stand. The sets are a fixpoint and an
//! over-approximation.
//!
//! A set holds every square that its piece can reach if both players help, time does not matter,
//! and most rules are dropped. The sets start with the present squares. They grow by single steps
//! as long as any step is possible. Every move of a real game is a series of such steps, whose
//! conditions the moves before it have fulfilled. So, by induction over the moves of a game, a
//! piece never stands outside its set.
//!
//! The conditions for a step of a piece of colour `c` onto a square are:
//!
//! - The square can be free of `c`'s own pieces: it is free now, or the piece on it can leave or be
//!   captured there.
//! - A slide is a walk. Each square on its way is empty when it happens, so the walk fulfils the
//!   first condition.
//! - A king never steps onto a square that is guarded by an enemy piece which can neither leave nor
//!   be captured. A pawn, knight or king guards the squares that it attacks. A slider guards only
//!   adjacent squares: a slider farther off could step towards the square, so it can leave.
//! - A pawn advances onto squares that can be free of both colours. It captures only where an enemy
//!   piece other than the king may stand. En passant it goes to the square that the captured pawn
//!   has passed over, which is in that pawn's set.
//! - A pawn does not get past an enemy pawn on its file if neither can leave the file and the enemy
//!   cannot be captured on any square of its set. Getting past would need a capture by either pawn
//!   or of the enemy pawn.
//! - A pawn that may reach the last rank may become a queen or a knight there, and step on as these
//!   do. This includes the steps of rooks and bishops.
//! - Castling is granted from the beginning: king and rook may stand on their target squares.
//!
//! An en passant capture that is possible at once is not such a step, because the captured pawn
//! does not stand on the target square. Positions with such a capture are not examined.
//!
//! [`mating_net`](super::mating_net) adds the other conditions of a mate.

use crate::board::{Position, attacks};
use crate::types::{Bitboard, CastlingSide, Color, PieceKind, Rank, Square};
use arrayvec::ArrayVec;

/// A piece and the squares on which it may ever stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover {
    pub(super) color: Color,
    pub(super) kind: PieceKind,
    pub(super) from: Square,
    /// The squares on which it may stand as its present kind.
    pub(super) reach: Bitboard,
    /// The squares on which it may stand after promotion; empty unless it is a pawn.
    pub(super) promoted: Bitboard,
}

/// The sets of all pieces found so far.
pub(super) struct Mobility {
    pub(super) movers: ArrayVec<Mover, { Square::COUNT }>,
    /// Squares that may be free of a colour's pieces.
    free: [Bitboard; Color::COUNT],
    /// Squares on which a colour's pieces other than the king may stand.
    reach: [Bitboard; Color::COUNT],
    /// Squares on which a colour's pieces may capture.
    captures: [Bitboard; Color::COUNT],
    /// Squares guarded by a colour's pieces that can neither leave nor be captured.
    guarded: [Bitboard; Color::COUNT],
}

impl Mobility {
    /// The mobility of all pieces. The position must not have an en passant capture.
    pub(super) fn of(position: &Position) -> Self {
        let mut movers = ArrayVec::new();
        for from in position.occupied() {
            if let Some(piece) = position.piece_at(from) {
                movers.push(Mover {
                    color: piece.color(),
                    kind: piece.kind(),
                    from,
                    reach: from.into(),
                    promoted: Bitboard::EMPTY,
                });
            }
        }
        let mut mobility = Self {
            movers,
            free: Color::ALL.map(|color| !position.color(color)),
            reach: [Bitboard::EMPTY; Color::COUNT],
            captures: [Bitboard::EMPTY; Color::COUNT],
            guarded: [Bitboard::EMPTY; Color::COUNT],
        };
        mobility.castle(position);
        while mobility.grow() {}
        mobility
    }

    fn castle(&mut self, position: &Position) {
        for color in Color::ALL {
            let king = position.king(color);
            for rook in position.castling().rooks_of(color) {
                let side = CastlingSide::of(king, rook);
                for mover in &mut self.movers {
                    if mover.from == king {
                        mover.reach |= side.king_target(color).into();
                    } else if mover.from == rook {
                        mover.reach |= side.rook_target(color).into();
                    }
                }
            }
        }
    }

    /// Makes one round of steps; returns whether a set has grown.
    fn grow(&mut self) -> bool {
        self.summarise();
        let mut has_changed = false;
        for index in 0..self.movers.len() {
            let mover = self.movers[index];
            let (reach, promoted) = (self.step(&mover), self.step_promoted(&mover));
            has_changed |= reach != mover.reach || promoted != mover.promoted;
            self.movers[index].reach = reach;
            self.movers[index].promoted = promoted;
        }
        has_changed
    }

    /// Derives the sets of each colour from the sets of its pieces.
    fn summarise(&mut self) {
        self.reach = [Bitboard::EMPTY; Color::COUNT];
        self.captures = [Bitboard::EMPTY; Color::COUNT];
        self.guarded = [Bitboard::EMPTY; Color::COUNT];
        for mover in &self.movers {
            let color = mover.color.index();
            self.captures[color] |= match mover.kind {
                PieceKind::Pawn => {
                    attacks::pawns(mover.color, mover.reach) & mover.reach | mover.promoted
                }
                _ => mover.reach,
            };
            if mover.kind != PieceKind::King {
                self.reach[color] |= mover.anywhere();
            }
        }
        for mover in &self.movers {
            let (own, enemy) = (mover.color.index(), (!mover.color).index());
            let can_leave = mover.can_move();
            let can_be_captured =
                mover.kind != PieceKind::King && self.captures[enemy].contains(mover.from);
            if can_leave || can_be_captured {
                self.free[own] |= mover.from.into();
            } else {
                self.guarded[own] |= mover.guards();
            }
        }
    }

    /// The squares of a piece, and the squares one step farther.
    fn step(&self, mover: &Mover) -> Bitboard {
        let free = self.free[mover.color.index()];
        let reach = mover.reach;
        let steps = match mover.kind {
            PieceKind::Pawn => self.pawn_step(mover),
            PieceKind::King => steps(PieceKind::King, reach) - self.guarded[(!mover.color).index()],
            kind => steps(kind, reach),
        };
        reach | steps & free
    }

    /// The squares of a promoted pawn, and the squares one step farther.
    fn step_promoted(&self, mover: &Mover) -> Bitboard {
        if mover.kind != PieceKind::Pawn {
            return Bitboard::EMPTY;
        }
        let last = Bitboard::from_rank(Rank::R8.relative_to(mover.color));
        let promoted = mover.promoted | mover.reach & last;
        let steps = steps(PieceKind::Queen, promoted) | steps(PieceKind::Knight, promoted);
        promoted | steps & self.free[mover.color.index()]
    }

    fn pawn_step(&self, mover: &Mover) -> Bitboard {
        let (own, enemy) = (mover.color.index(), (!mover.color).index());
        let mut pushes = mover.reach.forward(mover.color) & self.free[own] & self.free[enemy];
        for other in &self.movers {
            if self.blocks(other, mover) {
                pushes -= other.from.into();
            }
        }
        let captures =
            attacks::pawns(mover.color, mover.reach) & self.free[own] & self.reach[enemy];
        pushes | captures
    }

    /// Whether `other` is an enemy pawn on the file of `pawn`, ahead of it, that it cannot get
    /// past.
    fn blocks(&self, other: &Mover, pawn: &Mover) -> bool {
        let file = Bitboard::from_file(pawn.from.file());
        other.kind == PieceKind::Pawn
            && (pawn.promoted | other.promoted).is_empty()
            && other.color != pawn.color
            && other.from.file() == pawn.from.file()
            && is_ahead(pawn.color, pawn.from, other.from)
            && pawn.reach.is_subset(file)
            && other.reach.is_subset(file)
            && !self.captures[pawn.color.index()].intersects(other.reach)
    }

    /// The squares on which the king of `color` may stand.
    pub(super) fn king_reach(&self, color: Color) -> Bitboard {
        self.movers
            .iter()
            .find(|mover| mover.kind == PieceKind::King && mover.color == color)
            .map_or(Bitboard::EMPTY, |king| king.reach)
    }
}

impl Mover {
    /// The squares on which it may stand, promoted or not.
    pub(super) fn anywhere(&self) -> Bitboard {
        self.reach | self.promoted
    }

    /// Whether it can ever move.
    pub(super) fn can_move(&self) -> bool {
        self.anywhere() != self.from.into()
    }

    /// The squares that it guards from its present square, wherever other pieces stand.
    fn guards(&self) -> Bitboard {
        match self.kind {
            PieceKind::Pawn => attacks::pawn(self.color, self.from),
            kind => steps(kind, self.from.into()),
        }
    }
}

fn is_ahead(color: Color, from: Square, other: Square) -> bool {
    match color {
        Color::White => other > from,
        Color::Black => other < from,
    }
}

/// The squares one step from any square of `set`, for a piece other than a pawn. A slide consists
/// of several steps.
#[inline]
pub(super) fn steps(kind: PieceKind, set: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => {
            let near = set.east() | set.west();
            let far = near_twice(set);
            let (up, down) = (Color::White, Color::Black);
            near.forward(up).forward(up)
                | near.forward(down).forward(down)
                | far.forward(up)
                | far.forward(down)
        }
        PieceKind::Bishop => diagonal(set),
        PieceKind::Rook => orthogonal(set),
        PieceKind::Queen | PieceKind::King => diagonal(set) | orthogonal(set),
    }
}

/// The squares two files away on the same rank.
#[inline]
fn near_twice(set: Bitboard) -> Bitboard {
    set.east().east() | set.west().west()
}

/// The squares one diagonal step away.
#[inline]
fn diagonal(set: Bitboard) -> Bitboard {
    let sides = set.east() | set.west();
    sides.forward(Color::White) | sides.forward(Color::Black)
}

/// The squares one step away along a rank or file.
#[inline]
fn orthogonal(set: Bitboard) -> Bitboard {
    set.east() | set.west() | set.forward(Color::White) | set.forward(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::CastlingMode;

    #[test]
    fn steps_from_a_set_are_the_steps_from_each_of_its_squares() {
        let step = |kind, from| match kind {
            PieceKind::Pawn => Bitboard::EMPTY,
            PieceKind::Knight => attacks::knight(from),
            PieceKind::Bishop => attacks::king(from) & attacks::bishop(from, Bitboard::EMPTY),
            PieceKind::Rook => attacks::king(from) & attacks::rook(from, Bitboard::EMPTY),
            PieceKind::Queen | PieceKind::King => attacks::king(from),
        };
        let all = || (0..Square::COUNT).filter_map(Square::from_index);
        for kind in PieceKind::ALL {
            for (one, other) in all().flat_map(|one| all().map(move |other| (one, other))) {
                let found = steps(kind, Bitboard::from(one) | other.into());
                assert_eq!(
                    found,
                    step(kind, one) | step(kind, other),
                    "{kind:?} {one} {other}"
                );
            }
        }
    }

    #[test]
    fn promoted_pawns_step_from_each_of_their_squares() {
        let position = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let mobility = Mobility::of(&position);
        let from = |promoted: Bitboard| {
            mobility.step_promoted(&Mover {
                color: Color::White,
                kind: PieceKind::Pawn,
                from: Square::A7,
                reach: Square::A7.into(),
                promoted,
            })
        };
        let all = || (0..Square::COUNT).filter_map(Square::from_index);
        for (one, other) in all().flat_map(|one| all().map(move |other| (one, other))) {
            let found = from(Bitboard::from(one) | other.into());
            assert_eq!(
                found,
                from(one.into()) | from(other.into()),
                "{one} {other}"
            );
        }
    }

    #[test]
    fn a_promoted_pawn_stands_where_it_did_as_a_pawn_too() {
        let position = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let mobility = Mobility::of(&position);
        let pawn = mobility
            .movers
            .iter()
            .find(|mover| mover.from == Square::A7);
        let pawn = pawn.expect("the pawn");
        assert!(pawn.promoted.contains(Square::A7));
        assert!(pawn.anywhere().contains(Square::A7));
    }

    #[test]
    fn castling_grants_king_and_rook_their_targets_and_others_nothing() {
        let position = Position::from_fen("r3k3/7p/8/8/8/8/P7/R3K2R w KQq - 0 1").unwrap();
        let mut mobility = Mobility::of(&position);
        for mover in &mut mobility.movers {
            mover.reach = mover.from.into();
        }
        mobility.castle(&position);
        for mover in &mobility.movers {
            let targets: &[Square] = match mover.from {
                Square::E1 => &[Square::C1, Square::G1],
                Square::A1 => &[Square::D1],
                Square::H1 => &[Square::F1],
                Square::E8 => &[Square::C8],
                Square::A8 => &[Square::D8],
                _ => &[],
            };
            let expected = targets.iter().map(|&to| Bitboard::from(to));
            let expected = expected.fold(mover.from.into(), |all: Bitboard, one| all | one);
            assert_eq!(mover.reach, expected, "{}", mover.from);
        }
    }

    #[test]
    fn king_and_rook_castle_within_their_sets() {
        for fen in [
            // The king stays and the rook goes past it; nothing else can move.
            "k7/Pp6/1P6/8/8/3p1p1p/3PpP1P/4B1KR w H - 0 1",
            "4b1kr/3pPp1p/3P1P1P/8/8/1p6/pP6/K7 b h - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        ] {
            let read = Position::from_fen_repaired(fen, Some(CastlingMode::Chess960)).unwrap();
            let position = read.position;
            let mobility = Mobility::of(&position);
            let castling: Vec<_> = position
                .legal_moves()
                .into_iter()
                .filter(|mv| mv.is_castling())
                .collect();
            assert!(!castling.is_empty(), "{fen}");
            for mv in castling {
                let next = position.play_unchecked(mv);
                let us = position.side_to_move();
                let reach = |from: Square| {
                    let mover = mobility.movers.iter().find(|mover| mover.from == from);
                    mover.unwrap().reach
                };
                assert!(reach(mv.from()).contains(next.king(us)), "{fen} {mv}");
                let new = next.pieces(us, PieceKind::Rook) - position.pieces(us, PieceKind::Rook);
                assert!(new.any() && new.is_subset(reach(mv.to())), "{fen} {mv}");
            }
        }
    }
}
