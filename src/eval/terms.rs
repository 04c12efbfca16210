//! What piece-square tables cannot see: how men stand to each other. Pawn structure, mobility, threats, kings in danger.
//!
//! Each weight is a line. Values are in centipawns for the opening and the endgame.

use super::tapered::{Tapered, tapered};
use crate::board::{Position, attacks};
use crate::types::{Bitboard, Color, PieceKind, Rank, Square};

/// Bishops on both colours of squares.
const BISHOP_PAIR: Tapered = tapered(25, 50);

const ISOLATED_PAWN: Tapered = tapered(-11, -13);
const DOUBLED_PAWN: Tapered = tapered(-7, -18);
/// A pawn that another protects or stands beside, by rank.
const CONNECTED_PAWN: [i32; 8] = [0, 2, 6, 8, 14, 28, 45, 0];
/// A pawn that no pawn can stop any more, by rank.
const PASSED_PAWN: [Tapered; 8] = [
    tapered(0, 0),
    tapered(0, 8),
    tapered(0, 14),
    tapered(6, 32),
    tapered(20, 60),
    tapered(45, 105),
    tapered(75, 165),
    tapered(0, 0),
];
/// How much a passed pawn keeps if the square before it is occupied, in percent.
const BLOCKED_PASSER_PERCENT: i32 = 60;
/// For each king step that the enemy king is farther than our own from the square before a passed pawn, by rank.
const PASSER_KING_DISTANCE: [i32; 8] = [0, 0, 2, 5, 9, 14, 18, 0];

/// For each square a man can go to, from the number that is nothing special.
const MOBILITY: [(Tapered, i32); PieceKind::COUNT] = [
    (tapered(0, 0), 0),
    (tapered(5, 5), 4),
    (tapered(5, 6), 6),
    (tapered(3, 5), 6),
    (tapered(2, 4), 12),
    (tapered(0, 0), 0),
];

const ROOK_ON_OPEN_FILE: Tapered = tapered(30, 12);
const ROOK_ON_HALF_OPEN_FILE: Tapered = tapered(14, 8);

/// A pawn attacks a knight, bishop, rook or queen.
const THREAT_BY_PAWN: Tapered = tapered(45, 35);
/// A knight or bishop attacks a rook or queen.
const THREAT_BY_MINOR: Tapered = tapered(32, 28);
/// A man other than a pawn is attacked and not protected.
const HANGING: Tapered = tapered(18, 16);

/// What a man weighs in an attack on the squares around the enemy king.
const KING_ATTACK: [i32; PieceKind::COUNT] = [0, 22, 20, 26, 34, 0];
/// For each attacked square around the king.
const KING_ATTACK_PER_SQUARE: i32 = 7;
/// For each square from which a safe check threatens.
const KING_SAFE_CHECK: [i32; PieceKind::COUNT] = [0, 45, 30, 50, 40, 0];
/// For each file at the king without a pawn of its own.
const KING_OPEN_FILE: i32 = 18;
/// A pawn on the first or second rank before the king.
const KING_SHIELD: [i32; 2] = [14, 7];
/// Without a queen, an attack is worth so much less.
const KING_NO_QUEEN: i32 = 75;
/// The danger grows with the square of the attack, up to this.
const KING_DANGER_MAX: i32 = 500;
const KING_DANGER_DIVISOR: i32 = 260;

/// What one side attacks, as far as it matters to the other.
struct Side {
    color: Color,
    pawns: Bitboard,
    /// The king's square and those around it, and one rank further ahead.
    king_zone: Bitboard,
    pawn_attacks: Bitboard,
    attacks: [Bitboard; PieceKind::COUNT],
    all_attacks: Bitboard,
}

impl Side {
    fn new(position: &Position, color: Color) -> Self {
        let pawns = position.men(color, PieceKind::Pawn);
        let king = position.king(color);
        let around = attacks::king(king) | king.into();
        let pawn_attacks = attacks::pawns(color, pawns);
        let mut attacked = [Bitboard::EMPTY; PieceKind::COUNT];
        attacked[PieceKind::Pawn.index()] = pawn_attacks;
        attacked[PieceKind::King.index()] = attacks::king(king);
        Self {
            color,
            pawns,
            king_zone: around | around.forward(color),
            pawn_attacks,
            attacks: attacked,
            all_attacks: pawn_attacks | attacks::king(king),
        }
    }
}

/// The terms for White less those for Black.
pub(super) fn evaluate(position: &Position) -> Tapered {
    let mut white = Side::new(position, Color::White);
    let mut black = Side::new(position, Color::Black);
    let mut value = Tapered::default();
    let (attack_on_black, white_men) = men(position, &mut white, &black);
    let (attack_on_white, black_men) = men(position, &mut black, &white);
    value += white_men;
    value -= black_men;
    value += pawn_structure(position, &white, &black);
    value -= pawn_structure(position, &black, &white);
    value += threats(position, &white, &black);
    value -= threats(position, &black, &white);
    value.opening += king_danger(position, &black, &white, attack_on_black);
    value.opening -= king_danger(position, &white, &black, attack_on_white);
    value.opening += shelter(position, &white) - shelter(position, &black);
    value
}

/// Mobility and files of the men, and how much they attack the enemy king.
fn men(position: &Position, us: &mut Side, them: &Side) -> (i32, Tapered) {
    let mut value = Tapered::default();
    let mut king_attack = 0;
    let occupied = position.occupied();
    let ours = position.color(us.color);
    // Where a pawn takes or one's own pawn or king stands is nowhere to go.
    let blocked = ours & (position.kind(PieceKind::Pawn) | position.kind(PieceKind::King));
    let area = !(them.pawn_attacks | blocked);
    for kind in [
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
    ] {
        let (per_square, usual) = MOBILITY[kind.index()];
        for from in position.men(us.color, kind) {
            // Sliders work through their own kind in front of them.
            let through = match kind {
                PieceKind::Bishop => occupied - (ours & position.kind(PieceKind::Queen)),
                PieceKind::Rook => occupied - (ours & position.orthogonal_sliders()),
                _ => occupied,
            };
            let attacked = attacks::of(us.color, kind, from, through);
            us.attacks[kind.index()] |= attacked;
            us.all_attacks |= attacked;
            value += per_square * ((attacked & area).len() as i32 - usual);
            let near_king = (attacked & them.king_zone).len() as i32;
            if near_king > 0 {
                king_attack += KING_ATTACK[kind.index()] + KING_ATTACK_PER_SQUARE * near_king;
            }
            if kind == PieceKind::Rook {
                value += rook_on_file(from, us, them);
            }
        }
    }
    let bishops = position.men(us.color, PieceKind::Bishop);
    if bishops.intersects(Bitboard::LIGHT) && !bishops.is_subset(Bitboard::LIGHT) {
        value += BISHOP_PAIR;
    }
    (king_attack, value)
}

fn rook_on_file(rook: Square, us: &Side, them: &Side) -> Tapered {
    let file = Bitboard::from(rook.file());
    match (us.pawns.intersects(file), them.pawns.intersects(file)) {
        (false, false) => ROOK_ON_OPEN_FILE,
        (false, true) => ROOK_ON_HALF_OPEN_FILE,
        _ => Tapered::default(),
    }
}

fn pawn_structure(position: &Position, us: &Side, them: &Side) -> Tapered {
    let mut value = Tapered::default();
    for pawn in us.pawns {
        let file = Bitboard::from(pawn.file());
        let rank = pawn.rank().relative_to(us.color);
        let neighbours = (file.east() | file.west()) & us.pawns;
        if neighbours.is_empty() {
            value += ISOLATED_PAWN;
        }
        let beside = Bitboard::from(pawn).east() | Bitboard::from(pawn).west();
        if us.pawn_attacks.contains(pawn) || beside.intersects(us.pawns) {
            let bonus = CONNECTED_PAWN[rank.index()];
            value += tapered(bonus, bonus * (rank.index() as i32 - 1) / 4);
        }
        let ahead = ahead(us.color, pawn.rank());
        if (file & ahead).intersects(us.pawns) {
            value += DOUBLED_PAWN;
        } else if !((file | file.east() | file.west()) & ahead).intersects(them.pawns) {
            value += passed_pawn(position, us.color, pawn, rank);
        }
    }
    value
}

fn passed_pawn(position: &Position, color: Color, pawn: Square, rank: Rank) -> Tapered {
    let mut value = PASSED_PAWN[rank.index()];
    let Some(stop) = Bitboard::from(pawn).forward(color).first() else {
        return value;
    };
    if position.occupied().contains(stop) {
        value = tapered(
            value.opening * BLOCKED_PASSER_PERCENT / 100,
            value.endgame * BLOCKED_PASSER_PERCENT / 100,
        );
    }
    let farther = distance(position.king(!color), stop) - distance(position.king(color), stop);
    value.endgame += PASSER_KING_DISTANCE[rank.index()] * farther;
    value
}

fn threats(position: &Position, us: &Side, them: &Side) -> Tapered {
    let theirs = position.color(!us.color);
    let majors = theirs & (position.kind(PieceKind::Rook) | position.kind(PieceKind::Queen));
    let men = theirs - them.pawns - position.kind(PieceKind::King);
    let by_minors = us.attacks[PieceKind::Knight.index()] | us.attacks[PieceKind::Bishop.index()];
    let mut value = THREAT_BY_PAWN * (men & us.pawn_attacks).len() as i32;
    value += THREAT_BY_MINOR * (majors & by_minors).len() as i32;
    value += HANGING * ((men & us.all_attacks) - them.all_attacks).len() as i32;
    value
}

/// How much the attackers gain from the danger that the king of `them` is in.
fn king_danger(position: &Position, them: &Side, us: &Side, attack: i32) -> i32 {
    let king = position.king(them.color);
    let occupied = position.occupied();
    let safe = !(position.color(us.color) | them.all_attacks);
    let (diagonal, orthogonal) = (
        attacks::bishop(king, occupied),
        attacks::rook(king, occupied),
    );
    let checks = |kind: PieceKind, from: Bitboard| {
        let squares = us.attacks[kind.index()] & from & safe;
        if squares.any() {
            KING_SAFE_CHECK[kind.index()]
        } else {
            0
        }
    };
    let mut danger = attack
        + checks(PieceKind::Knight, attacks::knight(king))
        + checks(PieceKind::Bishop, diagonal)
        + checks(PieceKind::Rook, orthogonal)
        + checks(PieceKind::Queen, diagonal | orthogonal);
    let file = Bitboard::from(king.file());
    let files = [file, file.east(), file.west()];
    danger += KING_OPEN_FILE
        * files
            .iter()
            .filter(|&&file| file.any() && !file.intersects(them.pawns))
            .count() as i32;
    if position.men(us.color, PieceKind::Queen).is_empty() {
        danger -= KING_NO_QUEEN;
    }
    let danger = danger.max(0);
    (danger * danger / KING_DANGER_DIVISOR).min(KING_DANGER_MAX)
}

/// Pawns before the king.
fn shelter(position: &Position, us: &Side) -> i32 {
    let king = Bitboard::from(position.king(us.color));
    let mut front = (king | king.east() | king.west()).forward(us.color);
    let mut value = 0;
    for weight in KING_SHIELD {
        value += weight * (front & us.pawns).len() as i32;
        front = front.forward(us.color);
    }
    value
}

/// The ranks that a man of that colour on that rank has before it.
fn ahead(color: Color, rank: Rank) -> Bitboard {
    match color {
        Color::White => Bitboard(!0_u64 << (8 * rank.index()) << 8),
        Color::Black => Bitboard(!(!0_u64 << (8 * rank.index()))),
    }
}

/// King steps from one square to another.
fn distance(a: Square, b: Square) -> i32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::File;

    #[test]
    fn ranks_ahead_are_those_not_yet_passed() {
        assert_eq!(ahead(Color::White, Rank::R8), Bitboard::EMPTY);
        assert_eq!(
            ahead(Color::White, Rank::R6),
            Bitboard::from(Rank::R7) | Rank::R8.into()
        );
        assert_eq!(ahead(Color::Black, Rank::R1), Bitboard::EMPTY);
        assert_eq!(
            ahead(Color::Black, Rank::R3),
            Bitboard::from(Rank::R1) | Rank::R2.into()
        );
        assert_eq!(distance(Square::A1, Square::H3), 7);
    }

    #[test]
    fn files_beside_the_edge_are_empty() {
        assert!(Bitboard::from(File::A).west().is_empty());
        assert!(Bitboard::from(File::H).east().is_empty());
    }
}
