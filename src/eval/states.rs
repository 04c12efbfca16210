//! What the pieces of a position do to each other, as far as it is an input of the network.

use crate::board::{Position, Threats, attacks};
use crate::types::{Bitboard, Color, PieceKind, Rank, Square};

/// The attacked pieces with their states, and the [motifs](Motif) of both sides. A king has no
/// state.
///
/// The least valuable attacker and the defence make the state:
///
/// | attacker | not defended | defended by pieces | defended by a pawn |
/// |---|---|---|---|
/// | pawn | 0 | 1 | 2 |
/// | knight or bishop | 3 | 4 | 5 |
/// | rook | 6 | 7 | 8 |
/// | queen or king | 9 | 10 | 11 |
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::eval::{Motif, PieceStates};
/// use tabiya::types::{Bitboard, Color, Square};
/// let position = Position::from_fen("4k3/1b1p4/4N3/8/4R3/8/8/4K3 b - - 0 1").unwrap();
/// let states = PieceStates::of(&position);
/// assert_eq!(states.at(Square::E6), 1);
/// assert_eq!(states.at(Square::E4), 3);
/// assert!(!states.attacked().contains(Square::D7));
/// let checks = states.motif(Color::Black, Motif::KnightCheck);
/// assert_eq!(checks, Bitboard::from(Square::C7) | Square::G7.into());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PieceStates {
    attacked: Bitboard,
    defended: Bitboard,
    /// Defended by a pawn.
    by_pawn: Bitboard,
    /// The low and the high bit of the number of the attacker.
    attackers: [Bitboard; 2],
    /// White's, then Black's.
    motifs: [[Bitboard; Motif::COUNT]; Color::COUNT],
}

/// What can be said of a square from the point of view of one side, besides the states of pieces.
///
/// Each has a set of squares for each side. *Safe* is a square that the side does not attack; for
/// an enemy pawn, one that no pawn of the side attacks and that the enemy attacks if the side does.
/// Whether a move is legal does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motif {
    /// An enemy knight can go here safely and give check.
    KnightCheck,
    /// An enemy bishop can go here safely and give check.
    BishopCheck,
    /// An enemy rook can go here safely and give check.
    RookCheck,
    /// An enemy queen can go here safely and give check.
    QueenCheck,
    /// An enemy knight can go here safely and attack two or more of king, queens and rooks.
    Fork,
    /// An enemy pawn can step here safely and attack a knight, bishop, rook or queen.
    PawnThreat,
    /// An enemy pawn can step here, though not safely, and attack a knight, bishop, rook or queen.
    LoosePawnThreat,
    /// A piece of the side, not the king, is defended once and attacked twice or more.
    Outnumbered,
    /// A passed pawn of the side can step forward, and the enemy does not attack the square there.
    FreePassedPawn,
    /// A square beside the king that the enemy attacks twice or more, and only the king defends.
    WeakKingSquare,
}

impl Motif {
    /// All motifs.
    pub const ALL: [Self; 10] = [
        Self::KnightCheck,
        Self::BishopCheck,
        Self::RookCheck,
        Self::QueenCheck,
        Self::Fork,
        Self::PawnThreat,
        Self::LoosePawnThreat,
        Self::Outnumbered,
        Self::FreePassedPawn,
        Self::WeakKingSquare,
    ];
    /// Number of motifs.
    pub const COUNT: usize = Self::ALL.len();

    /// Index, from 0.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl PieceStates {
    /// Number of states.
    pub const COUNT: usize = 12;

    /// The states in a position.
    #[inline]
    pub fn of(position: &Position) -> Self {
        Self::new(position.occupied(), |color, kind| {
            position.pieces(color, kind)
        })
    }

    /// The states on a board with these `pieces` of each colour and kind.
    #[inline(always)]
    pub fn new(occupied: Bitboard, pieces: impl Fn(Color, PieceKind) -> Bitboard) -> Self {
        // One after the other and not in a loop: then the compiler knows each side's directions.
        let white = Threats::new(Color::White, occupied, &pieces);
        let black = Threats::new(Color::Black, occupied, &pieces);
        let mut states = Self {
            motifs: [
                motifs(Color::White, occupied, &pieces, &white, &black),
                motifs(Color::Black, occupied, &pieces, &black, &white),
            ],
            ..Self::default()
        };
        states.add_attacked(&white, &black, all_but_king(Color::White, &pieces));
        states.add_attacked(&black, &white, all_but_king(Color::Black, &pieces));
        states
    }

    /// Adds the states of the pieces of one side.
    #[inline(always)]
    fn add_attacked(&mut self, own: &Threats, enemy: &Threats, pieces: Bitboard) {
        let attacked = pieces & enemy.all;
        let by_minors = enemy.by_minors();
        let by_rooks = by_minors | enemy.by_rooks;
        self.attacked |= attacked;
        self.defended |= attacked & own.all;
        self.by_pawn |= attacked & own.by_pawns;
        self.attackers[0] |= attacked & ((by_minors - enemy.by_pawns) | !by_rooks);
        self.attackers[1] |= attacked - by_minors;
    }

    /// The squares of the attacked pieces, kings excepted.
    #[inline(always)]
    pub const fn attacked(&self) -> Bitboard {
        self.attacked
    }

    /// The state of the attacked piece on a square, below [`Self::COUNT`].
    #[inline(always)]
    pub const fn at(&self, square: Square) -> usize {
        let [low, high] = self.attackers;
        let attacker = low.contains(square) as usize + 2 * high.contains(square) as usize;
        let defence =
            self.defended.contains(square) as usize + self.by_pawn.contains(square) as usize;
        3 * attacker + defence
    }

    /// The squares of a motif, from the point of view of `side`.
    #[inline]
    pub const fn motif(&self, side: Color, motif: Motif) -> Bitboard {
        self.motifs[side.index()][motif.index()]
    }

    /// The squares whose states are not the same.
    #[inline(always)]
    pub(super) fn differing_squares(&self, other: &Self) -> Bitboard {
        (self.attacked ^ other.attacked)
            | (self.defended ^ other.defended)
            | (self.by_pawn ^ other.by_pawn)
            | (self.attackers[0] ^ other.attackers[0])
            | (self.attackers[1] ^ other.attackers[1])
    }

    /// Calls `each` for each square of each motif that only one of the two has: with the side and
    /// the motif, the square, and whether this one has it.
    #[inline(always)]
    pub fn for_each_differing_motif(
        &self,
        other: &Self,
        mut each: impl FnMut(Color, Motif, Square, bool),
    ) {
        let sets = self.motifs.as_flattened();
        let mut differing = [Bitboard::EMPTY; Color::COUNT * Motif::COUNT];
        let mut filled = 0_u32;
        for (set, differing) in differing.iter_mut().enumerate() {
            *differing = sets[set] ^ other.motifs.as_flattened()[set];
            filled |= u32::from(differing.any()) << set;
        }
        // One loop for all sets: most have no square, and a loop for each would be mispredicted.
        while filled != 0 {
            let set = filled.trailing_zeros() as usize % differing.len();
            let Some(square) = differing[set].first() else {
                return;
            };
            differing[set] -= square.into();
            if differing[set].is_empty() {
                filled &= filled - 1;
            }
            let side = Color::ALL[set / Motif::COUNT];
            let motif = Motif::ALL[set % Motif::COUNT];
            each(side, motif, square, sets[set].contains(square));
        }
    }
}

#[inline(always)]
fn all_but_king(color: Color, pieces: &impl Fn(Color, PieceKind) -> Bitboard) -> Bitboard {
    pieces(color, PieceKind::Pawn) | officers(color, pieces)
}

/// Knights, bishops, rooks and queens.
#[inline(always)]
fn officers(color: Color, pieces: &impl Fn(Color, PieceKind) -> Bitboard) -> Bitboard {
    use PieceKind::{Bishop, Knight, Queen, Rook};
    [Knight, Bishop, Rook, Queen]
        .into_iter()
        .fold(Bitboard::EMPTY, |all, kind| all | pieces(color, kind))
}

/// The squares of each motif, from the point of view of `us`.
#[inline(always)]
fn motifs(
    us: Color,
    occupied: Bitboard,
    pieces: &impl Fn(Color, PieceKind) -> Bitboard,
    own: &Threats,
    enemy: &Threats,
) -> [Bitboard; Motif::COUNT] {
    use PieceKind::{King, Pawn, Queen, Rook};
    let them = !us;
    let (king, pawns, enemy_pawns) = (pieces(us, King), pieces(us, Pawn), pieces(them, Pawn));
    let officers = officers(us, pieces);
    let own_pieces = officers | pawns;

    let safe = !own.all & (own_pieces | !occupied);
    let (mut ring, mut by_knight, mut diagonal, mut straight) = Default::default();
    for king in king {
        ring = attacks::king(king);
        by_knight = attacks::knight(king);
        diagonal = attacks::bishop(king, occupied);
        straight = attacks::rook(king, occupied);
    }
    let targets = pieces(us, Rook) | pieces(us, Queen);
    let (_, forked) =
        targets
            .into_iter()
            .fold((by_knight, Bitboard::EMPTY), |(once, twice), to| {
                let from = attacks::knight(to);
                (once | from, twice | (once & from))
            });

    let steps = enemy_pawns.forward(them) - occupied;
    let third = Bitboard::from_rank(Rank::R3.relative_to(them));
    let steps = steps | ((steps & third).forward(them) - occupied);
    let pushes = (steps & (enemy.all | !own.all)) - own.by_pawns;
    let attack_officers = attacks::pawns(us, officers);

    let ahead = fill(enemy_pawns.forward(them), them);
    let stopped = ahead | ahead.east() | ahead.west() | fill(pawns.forward(them), them);
    let free = !(occupied | enemy.all);
    [
        safe & by_knight & enemy.by_knights,
        safe & diagonal & enemy.by_bishops,
        safe & straight & enemy.by_rooks,
        safe & (diagonal | straight) & enemy.by_queens,
        safe & forked & enemy.by_knights,
        pushes & attack_officers,
        (steps - pushes) & attack_officers,
        (own_pieces & enemy.twice & own.all) - own.twice,
        (pawns & free.forward(them)) - stopped,
        (ring & enemy.twice) - own.twice,
    ]
}

/// The squares and those in front of them.
#[inline(always)]
fn fill(squares: Bitboard, color: Color) -> Bitboard {
    let two = squares | squares.forward(color);
    let four = two | two.forward(color).forward(color);
    let ahead = |set: Bitboard| set.forward(color).forward(color);
    four | ahead(ahead(four))
}
