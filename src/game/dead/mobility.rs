//! Where each piece may ever stand: a fixpoint.
//!
//! For each piece the set of squares is found that it can reach if everybody helps, time does not matter and most rules are
//! forgotten. The sets begin with the squares on which the pieces stand, and grow by single steps as long as any step is
//! possible. Every step of a real game is a series of such steps whose conditions are met by what has happened before it;
//! so, by induction over the moves of a game, a piece never stands on a square outside its set. Conditions of a step of a piece
//! of colour `c` onto a square:
//!
//! - the square must be free of `c`'s own pieces: none stood there, or the one that did can leave it or be captured on it;
//! - a slide is a walk: each square on its way is empty when it happens, so the walk meets the first condition too;
//! - a king never steps next to a guard that can neither leave nor be captured: a pawn, a knight, a king, or a slider that
//!   stands beside the square (a slider farther off could step towards it, so it can leave);
//! - a pawn advances onto squares that can be free of both colours, and captures only where an enemy piece, not the king, may
//!   stand; en passant it goes to the square that the captured pawn has passed over, which is in that one's set;
//! - a pawn does not get past an enemy pawn on its file while neither can leave the file and the enemy cannot be captured on
//!   any square that it can have: that would need a capture by either or of the enemy;
//! - a pawn that may reach the last rank may be a queen or a knight on the square where it arrives, and step on from there as
//!   these do: so rooks and bishops do too;
//! - castling is given from the beginning: king and rook may stand on their squares of arrival.
//!
//! En passant that is possible at once is not a step like others (the captured pawn does not stand on the square); such
//! positions are left alone.
//!
//! What a mate would need besides is worked out in [`mating_net`](super::mating_net).

use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Rank, Square, Wing};
use arrayvec::ArrayVec;

/// A piece and the squares it may ever stand on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover {
    pub(super) color: Color,
    pub(super) kind: PieceKind,
    pub(super) from: Square,
    /// Where it may stand as what it is now.
    pub(super) reach: Bitboard,
    /// Where it may stand after promotion; empty unless it is a pawn.
    pub(super) promoted: Bitboard,
}

/// What all pieces can do, as far as is known yet.
pub(super) struct Mobility {
    pub(super) movers: ArrayVec<Mover, { Square::COUNT }>,
    /// Squares that may be free of a colour's pieces.
    free: [Bitboard; Color::COUNT],
    /// Squares where a colour's pieces other than the king may stand.
    reach: [Bitboard; Color::COUNT],
    /// Squares where a colour's pieces may capture.
    captures: [Bitboard; Color::COUNT],
    /// Squares guarded by a colour's pieces that can neither leave nor be captured.
    guarded: [Bitboard; Color::COUNT],
}

impl Mobility {
    /// Of all pieces of a position without en passant.
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
                let wing = Wing::of(king, rook);
                for mover in &mut self.movers {
                    if mover.from == king {
                        mover.reach |= wing.king_target(color).into();
                    } else if mover.from == rook {
                        mover.reach |= wing.rook_target(color).into();
                    }
                }
            }
        }
    }

    /// One round of steps; whether anything has changed.
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

    /// What follows from the sets as they are.
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

    /// The squares of a piece, and those one step on.
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

    /// The squares of a promoted pawn, and those one step on.
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

    /// Whether `other` is an enemy pawn ahead on the file of the pawn that it cannot get past.
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

    /// Where the king of that colour may stand.
    pub(super) fn king_reach(&self, color: Color) -> Bitboard {
        self.movers
            .iter()
            .find(|mover| mover.kind == PieceKind::King && mover.color == color)
            .map_or(Bitboard::EMPTY, |king| king.reach)
    }
}

impl Mover {
    /// Where it may stand, as whatever it is then.
    pub(super) fn anywhere(&self) -> Bitboard {
        self.reach | self.promoted
    }

    /// Whether it can ever move.
    pub(super) fn can_move(&self) -> bool {
        self.anywhere() != self.from.into()
    }

    /// The squares next to it that it guards as long as it stands where it is, whatever stands elsewhere.
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

/// The squares one step of a piece, not a pawn, from any of a set; a slider walks.
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

/// The squares two files from any of a set.
#[inline]
fn near_twice(set: Bitboard) -> Bitboard {
    set.east().east() | set.west().west()
}

/// The squares one diagonal step from any of a set.
#[inline]
fn diagonal(set: Bitboard) -> Bitboard {
    let sides = set.east() | set.west();
    sides.forward(Color::White) | sides.forward(Color::Black)
}

/// The squares one step along rank or file from any of a set.
#[inline]
fn orthogonal(set: Bitboard) -> Bitboard {
    set.east() | set.west() | set.forward(Color::White) | set.forward(Color::Black)
}
