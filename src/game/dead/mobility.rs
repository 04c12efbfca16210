//! Where each piece may ever stand: a fixpoint, and a proof that there is no mate.
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
//! - a pawn that may reach the last rank may stand anywhere afterwards;
//! - castling is given from the beginning: king and rook may stand on their squares of arrival.
//!
//! En passant that is possible at once is not a step like others (the captured pawn does not stand on the square); such
//! positions are left alone.
//!
//! **No mate without a checker.** The losing king stands in its set, its *region*. A piece that gives check to a king on a
//! square could step onto that square, as far as the conditions above go: no piece of its own colour stands there then, and the
//! squares between are empty. So the square is in the set of the checker, or is attacked from it by a pawn. If no piece of the
//! winner *visits* the region in this sense, there is no mate.
//!
//! **Bishops of one colour.** If all visitors are bishops on squares of one colour, the mated king stands on a square of
//! that colour which a bishop can reach. Its neighbours of the other colour that are in its region are attacked by no
//! visitor, so each is occupied by a piece of the loser, or attacked by the winner's king. That king stands two squares
//! away, and attacks one such neighbour at most. If on every square there are more such neighbours than pieces that can
//! block them, there is no mate.

use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Rank, Square, Wing};
use arrayvec::ArrayVec;

/// A piece and the squares it may ever stand on.
#[derive(Debug, Clone, Copy)]
struct Mover {
    color: Color,
    kind: PieceKind,
    from: Square,
    reach: Bitboard,
}

/// What all pieces can do, as far as is known yet.
struct Mobility {
    movers: ArrayVec<Mover, { Square::COUNT }>,
    /// Squares that may be free of a colour's pieces.
    free: [Bitboard; Color::COUNT],
    /// Squares where a colour's pieces other than the king may stand.
    reach: [Bitboard; Color::COUNT],
    /// Squares where a colour's pieces may capture.
    captures: [Bitboard; Color::COUNT],
    /// Squares guarded by a colour's pieces that can neither leave nor be captured.
    guarded: [Bitboard; Color::COUNT],
}

/// Whether `winner` cannot win for lack of mobility. `false` says nothing.
pub(super) fn is_unwinnable(position: &Position, winner: Color) -> bool {
    position.en_passant().is_none() && !Mobility::of(position).allows_mate_by(winner)
}

impl Mobility {
    fn of(position: &Position) -> Self {
        let mut movers = ArrayVec::new();
        for from in position.occupied() {
            if let Some(piece) = position.piece_at(from) {
                movers.push(Mover {
                    color: piece.color(),
                    kind: piece.kind(),
                    from,
                    reach: from.into(),
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
            let reach = self.step(&mover);
            has_changed |= reach != mover.reach;
            self.movers[index].reach = reach;
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
            let is_pawn = mover.kind == PieceKind::Pawn && !mover.is_promoted();
            self.captures[color] |= if is_pawn {
                attacks::pawns(mover.color, mover.reach) & mover.reach
            } else {
                mover.reach
            };
            if mover.kind != PieceKind::King {
                self.reach[color] |= mover.reach;
            }
        }
        for mover in &self.movers {
            let (own, enemy) = (mover.color.index(), (!mover.color).index());
            let can_leave = mover.reach != mover.from.into();
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
        reach
            | match mover.kind {
                PieceKind::Pawn if mover.is_promoted() => free,
                PieceKind::Pawn => self.pawn_step(mover),
                PieceKind::Knight => {
                    let jumps = reach.into_iter().map(attacks::knight);
                    jumps.fold(Bitboard::EMPTY, |set, jump| set | jump) & free
                }
                PieceKind::Bishop => diagonal(reach) & free,
                PieceKind::Rook => orthogonal(reach) & free,
                PieceKind::Queen => (diagonal(reach) | orthogonal(reach)) & free,
                PieceKind::King => {
                    let guarded = self.guarded[(!mover.color).index()];
                    (diagonal(reach) | orthogonal(reach)) & (free - guarded)
                }
            }
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
            && other.color != pawn.color
            && other.from.file() == pawn.from.file()
            && is_ahead(pawn.color, pawn.from, other.from)
            && pawn.reach.is_subset(file)
            && other.reach.is_subset(file)
            && !self.captures[pawn.color.index()].intersects(other.reach)
    }

    /// Whether a mate by that colour is not ruled out.
    fn allows_mate_by(&self, winner: Color) -> bool {
        let region = self.king_reach(!winner);
        let visitors: ArrayVec<&Mover, { Square::COUNT }> = self
            .movers
            .iter()
            .filter(|mover| mover.color == winner && mover.visits(region))
            .collect();
        if visitors.is_empty() {
            return false;
        }
        let are_light = visitors[0].from.is_light();
        let are_like_bishops = visitors
            .iter()
            .all(|mover| mover.kind == PieceKind::Bishop && mover.from.is_light() == are_light);
        if !are_like_bishops {
            return true;
        }
        let checks = visitors
            .iter()
            .fold(Bitboard::EMPTY, |set, bishop| set | bishop.reach);
        (region & checks)
            .into_iter()
            .any(|square| self.escapes_can_be_closed(winner, square, region))
    }

    /// Whether the neighbours of the other colour that the king might flee to can all be blocked or attacked by the other king.
    fn escapes_can_be_closed(&self, winner: Color, square: Square, region: Bitboard) -> bool {
        let escapes = orthogonal(square.into()) & region;
        let near = neighbourhood(neighbourhood(square.into()));
        let king_helps = self.king_reach(winner).intersects(near);
        let blockers = self.movers.iter().filter(|mover| {
            mover.color != winner
                && mover.kind != PieceKind::King
                && mover.reach.intersects(escapes)
        });
        blockers.count() + usize::from(king_helps) >= escapes.len() as usize
    }

    fn king_reach(&self, color: Color) -> Bitboard {
        self.movers
            .iter()
            .find(|mover| mover.kind == PieceKind::King && mover.color == color)
            .map_or(Bitboard::EMPTY, |king| king.reach)
    }
}

impl Mover {
    /// Whether it is a pawn that may have become something else.
    fn is_promoted(&self) -> bool {
        let last = Bitboard::from_rank(Rank::R8.relative_to(self.color));
        self.kind == PieceKind::Pawn && self.reach.intersects(last)
    }

    /// The squares next to it that it guards as long as it stands where it is, whatever stands elsewhere.
    fn guards(&self) -> Bitboard {
        let from = self.from.into();
        match self.kind {
            PieceKind::Pawn => attacks::pawn(self.color, self.from),
            PieceKind::Knight => attacks::knight(self.from),
            PieceKind::Bishop => diagonal(from),
            PieceKind::Rook => orthogonal(from),
            PieceKind::Queen | PieceKind::King => diagonal(from) | orthogonal(from),
        }
    }

    /// Whether it can give check to a king in that region.
    fn visits(&self, region: Bitboard) -> bool {
        match self.kind {
            PieceKind::King => false,
            PieceKind::Pawn => {
                (self.reach | attacks::pawns(self.color, self.reach)).intersects(region)
            }
            _ => self.reach.intersects(region),
        }
    }
}

fn is_ahead(color: Color, from: Square, other: Square) -> bool {
    match color {
        Color::White => other > from,
        Color::Black => other < from,
    }
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

/// A set and the squares next to it.
#[inline]
fn neighbourhood(set: Bitboard) -> Bitboard {
    set | diagonal(set) | orthogonal(set)
}
