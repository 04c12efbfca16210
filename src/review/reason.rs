//! Why a move is bad, in one sentence, if a line proves it.
//!
//! A reason is a fact of one of two lines: the best reply to the move played, and the better line
//! that the move missed. What is played out on the board is a fact: mate, stalemate, a promoted
//! pawn, lost material. A worse pawn structure is none, and such a move gets no reason.
//!
//! Material is counted where a line has come to rest: nobody is in check, and no exchange wins
//! anything for the side to move. What is lost must stay lost to the last such point, and the
//! better line must do better by a pawn. The score has to fall too, because a sacrifice loses
//! material.

use super::{Evaluation, MoveReview};
use crate::board::Position;
use crate::game::san;
use crate::types::{Color, Move, PieceKind, Score};
use std::fmt;

/// Plies of a line within which material is counted.
const MAX_PLIES: usize = 12;
/// Centipawns by which the score must fall for each pawn of lost material.
const LEAST_DROP: i32 = 40;
/// Longest mate that counts as a reason, in moves. Nobody learns from a longer one.
const MAX_MATE: usize = 8;

/// What a line proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The opponent mates in this many moves.
    AllowsMate(usize),
    /// The mover could have mated in this many moves.
    MissesMate(usize),
    /// The move stalemates the opponent.
    Stalemates,
    /// The opponent gets stalemated.
    AllowsStalemate,
    /// The move, or the line after it, leaves too little material to mate.
    AllowsDeadDraw,
    /// The opponent promotes a pawn.
    AllowsPromotion,
    /// The mover could have promoted a pawn.
    MissesPromotion,
    /// The mover loses material.
    Loses(Trade),
    /// The mover could have won material.
    MissesGain(Trade),
}

impl Fact {
    /// Whether the line begins instead of the move played; else it follows it.
    #[must_use]
    pub const fn is_missed(self) -> bool {
        matches!(
            self,
            Self::MissesMate(_) | Self::MissesPromotion | Self::MissesGain(_)
        )
    }

    /// Whether a deeper search that finds `other` agrees: it is the same fact, apart from the
    /// length of a mate, or at least as much material.
    #[must_use]
    pub fn agrees_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::AllowsMate(_), Self::AllowsMate(_)) => true,
            (Self::MissesMate(_), Self::MissesMate(_)) => true,
            (Self::Loses(mine), Self::Loses(theirs))
            | (Self::MissesGain(mine), Self::MissesGain(theirs)) => mine.worth() <= theirs.worth(),
            _ => self == other,
        }
    }
}

/// A fact and the line that proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// What the line proves.
    pub fact: Fact,
    /// The line: after the move played, or instead of it if [`Fact::is_missed`] says so.
    pub line: Vec<Move>,
}

impl Reason {
    /// The sentence, such as "Loses the knight: 12... Qxc4."
    ///
    /// # Panics
    /// If the line is not legal in `position`, for a [missed](Fact::is_missed) chance, or `played`
    /// in `position` and the line after it, for anything else.
    #[must_use]
    pub fn sentence(&self, position: &Position, played: Move) -> String {
        let start = if self.fact.is_missed() {
            *position
        } else {
            position.play_unchecked(played)
        };
        let fact = self.fact;
        match (fact, self.line.is_empty()) {
            (_, true) => format!("{fact}."),
            _ => format!("{fact}: {}.", san::write_line(&start, &self.line)),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllowsMate(moves) => write!(f, "Allows mate in {moves}"),
            Self::MissesMate(moves) => write!(f, "Misses mate in {moves}"),
            Self::Stalemates => f.write_str("Stalemates the opponent, which is a draw"),
            Self::AllowsStalemate => f.write_str("Allows stalemate"),
            Self::AllowsDeadDraw => f.write_str("Leaves too little material to win"),
            Self::AllowsPromotion => f.write_str("Lets a pawn promote"),
            Self::MissesPromotion => f.write_str("Misses the promotion of a pawn"),
            Self::Loses(trade) => write!(f, "Loses {trade}"),
            Self::MissesGain(trade) => write!(f, "Misses winning {trade}"),
        }
    }
}

/// Numbers of pieces of each kind, without kings, in the order of [`VALUES`].
type Counts = [u8; 5];

/// The kinds by value, the most valuable first, with the value in pawns.
const VALUES: [(PieceKind, i32); 5] = [
    (PieceKind::Queen, 9),
    (PieceKind::Rook, 5),
    (PieceKind::Bishop, 3),
    (PieceKind::Knight, 3),
    (PieceKind::Pawn, 1),
];

fn value(counts: Counts) -> i32 {
    let values = VALUES.iter().zip(counts);
    values
        .map(|(&(_, value), count)| value * i32::from(count))
        .sum()
}

/// Pieces that one side loses and what it gets for them. Pieces of the same value on both sides are
/// left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trade {
    lost: Counts,
    won: Counts,
    /// Kinds of which the loser has one piece only.
    single: [bool; 5],
}

impl Trade {
    fn new(owner: Color, position: &Position, mut lost: Counts, mut won: Counts) -> Self {
        let [bishop, knight] = [2, 3];
        let mut cancel = |mine: usize, theirs: usize| {
            let both = lost[mine].min(won[theirs]);
            lost[mine] -= both;
            won[theirs] -= both;
        };
        for kind in 0..VALUES.len() {
            cancel(kind, kind);
        }
        cancel(bishop, knight);
        cancel(knight, bishop);
        let single = VALUES.map(|(kind, _)| position.pieces(owner, kind).len() == 1);
        Self { lost, won, single }
    }

    /// The material lost, in pawns.
    #[must_use]
    pub fn worth(self) -> i32 {
        value(self.lost) - value(self.won)
    }

    /// Whether the trade is easy to name.
    fn is_simple(self) -> bool {
        let kinds = |counts: Counts| counts.iter().filter(|&&count| count > 0).count();
        self.worth() > 0 && kinds(self.lost) <= 2 && kinds(self.won) <= 2
    }
}

impl fmt::Display for Trade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |counts: Counts, single: [bool; 5]| {
            let kinds = VALUES.iter().zip(counts.into_iter().zip(single));
            let names = kinds.filter(|(_, (count, _))| *count > 0);
            let names = names.map(|(&(kind, _), (count, single))| {
                let name = kind.name();
                match count {
                    1 if single => format!("the {name}"),
                    1 => format!("a {name}"),
                    2 => format!("two {name}s"),
                    _ => format!("{count} {name}s"),
                }
            });
            names.collect::<Vec<_>>().join(" and ")
        };
        let is_exchange = self.lost == [0, 1, 0, 0, 0]
            && (self.won == [0, 0, 1, 0, 0] || self.won == [0, 0, 0, 1, 0]);
        if is_exchange {
            return f.write_str("the exchange");
        }
        f.write_str(&names(self.lost, self.single))?;
        match value(self.won) {
            0 => Ok(()),
            _ => write!(f, " for {}", names(self.won, [false; 5])),
        }
    }
}

/// Finds the reason of a marked move.
pub(super) fn find(review: &MoveReview<'_>) -> Option<Reason> {
    review.mark()?;
    let MoveReview {
        position,
        played,
        before,
        after,
    } = *review;
    let next = position.play_unchecked(played);
    if next.is_stalemate() {
        return Some(reason(Fact::Stalemates, &[]));
    }
    if next.is_insufficient_material() {
        return Some(reason(Fact::AllowsDeadDraw, &[]));
    }
    let of_mate = |evaluation: &Evaluation| evaluation.score.and_then(Score::moves_to_mate);
    let was_lost = of_mate(before).is_some_and(|moves| moves < 0);
    if let Some(moves) = mate_by_first(&next, after)
        && !was_lost
        && moves <= MAX_MATE
    {
        return Some(reason(Fact::AllowsMate(moves), &after.line));
    }
    let still_mates = of_mate(after).is_some_and(|moves| moves < 0);
    if let Some(moves) = mate_by_first(position, before)
        && (moves == 1 || !still_mates)
        && moves <= MAX_MATE
    {
        return Some(reason(Fact::MissesMate(moves), &before.line));
    }
    draw(&next, after).or_else(|| material(review))
}

/// A reason with a copy of this line.
fn reason(fact: Fact, line: &[Move]) -> Reason {
    let line = line.to_vec();
    Reason { fact, line }
}

/// The moves of a mate by the side to move, if the line ends with it as the score says.
fn mate_by_first(position: &Position, evaluation: &Evaluation) -> Option<usize> {
    let moves = evaluation.score?.moves_to_mate()?;
    let moves = usize::try_from(moves).ok().filter(|&moves| moves > 0)?;
    let is_whole = evaluation.line.len() == 2 * moves - 1;
    let last = play(position, &evaluation.line)?;
    (is_whole && last.is_checkmate()).then_some(moves)
}

/// A draw at the end of the reply's line, on the board.
fn draw(next: &Position, after: &Evaluation) -> Option<Reason> {
    if after.score != Some(Score::DRAW) {
        return None;
    }
    let last = play(next, &after.line)?;
    if last.is_stalemate() {
        return Some(reason(Fact::AllowsStalemate, &after.line));
    }
    if last.is_insufficient_material() {
        return Some(reason(Fact::AllowsDeadDraw, &after.line));
    }
    None
}

/// The position after a line; `None` if a move of it is not legal.
fn play(position: &Position, line: &[Move]) -> Option<Position> {
    line.iter()
        .try_fold(*position, |position, &mv| position.play(mv).ok())
}

/// Material lost in the played line, or missed from the better one.
fn material(review: &MoveReview<'_>) -> Option<Reason> {
    let MoveReview {
        position,
        played,
        before,
        after,
    } = *review;
    let mover = review.mover();
    let whole: Vec<Move> = [played]
        .into_iter()
        .chain(after.line.iter().copied())
        .collect();
    let here = Rest::find(position, &whole, 1)?;
    let better = Rest::find(position, &before.line, 0)?;
    let lost = better.balance() - here.balance();
    let fell = before.score?.0 + after.score?.0;
    if lost < 1 || fell < LEAST_DROP * lost {
        return None;
    }
    let reply = whole.get(1..here.plies).unwrap_or_default();
    let instead = before.line.get(..better.plies).unwrap_or_default();
    const PROMOTION: i32 = 3;
    if here.promoted[1] > better.promoted[1] && lost >= PROMOTION {
        return Some(reason(Fact::AllowsPromotion, reply));
    }
    if better.promoted[0] > here.promoted[0] && lost >= PROMOTION {
        return Some(reason(Fact::MissesPromotion, instead));
    }
    if here.promoted != [0; 2] || better.promoted != [0; 2] {
        return None;
    }
    // Of a loss and a missed gain, the greater is the reason.
    if better.balance() > -here.balance() {
        let trade = Trade::new(!mover, position, better.captured[0], better.captured[1]);
        let is_named = better.balance() > 0 && trade.is_simple();
        return is_named.then(|| reason(Fact::MissesGain(trade), instead));
    }
    let trade = Trade::new(mover, position, here.captured[1], here.captured[0]);
    let is_named = here.balance() < 0 && trade.is_simple() && !reply.is_empty();
    is_named.then(|| reason(Fact::Loses(trade), reply))
}

/// Where a line has come to rest, and what happened up to there. In each pair the first is of the
/// side that begins the line.
#[derive(Debug, Clone, Copy, Default)]
struct Rest {
    /// Number of moves up to there.
    plies: usize,
    /// What each side has captured.
    captured: [Counts; 2],
    /// Number of pawns that each side has promoted.
    promoted: [i32; 2],
}

impl Rest {
    /// The first point of rest at which `winner` (0 for the side that begins, else 1) is ahead and
    /// after which the line changes little: at no later rest is `winner` worse off, and at the last
    /// one it is at most a pawn better off, without another promotion. Without such a point it is
    /// the last one; `None` if the line never rests.
    fn find(position: &Position, line: &[Move], winner: usize) -> Option<Self> {
        let mut position = *position;
        let mut now = Self::default();
        let mut rests: Vec<Self> = Vec::new();
        for (ply, &mv) in line.iter().take(MAX_PLIES).enumerate() {
            let side = ply % 2;
            if let Some(piece) = position.captured(mv) {
                let captured = VALUES.iter().position(|&(kind, _)| kind == piece.kind());
                if let Some(index) = captured {
                    now.captured[side][index] += 1;
                }
            }
            now.promoted[side] += i32::from(mv.promotion().is_some());
            position = position.play(mv).ok()?;
            now.plies = ply + 1;
            if is_at_rest(&position) {
                rests.push(now);
            }
        }
        let last = rests.last().copied()?;
        let gain = |rest: &Self| {
            if winner == 0 {
                rest.balance()
            } else {
                -rest.balance()
            }
        };
        let states = |&index: &usize| {
            let rest = rests[index];
            let is_lasting = rests[index..]
                .iter()
                .all(|later| gain(later) >= gain(&rest));
            is_lasting && gain(&last) - gain(&rest) <= 1 && rest.promoted == last.promoted
        };
        let mut candidates = (0..rests.len()).filter(states);
        // The first with a gain, or if there is no gain the last.
        let found = candidates.find(|&index| gain(&rests[index]) > 0);
        Some(found.map_or(last, |index| rests[index]))
    }

    /// The material that the side which begins has won, in pawns.
    fn balance(&self) -> i32 {
        const QUEEN_FOR_PAWN: i32 = 8;
        let [ours, theirs] = self.captured.map(value);
        let [our_queens, their_queens] = self.promoted;
        ours - theirs + QUEEN_FOR_PAWN * (our_queens - their_queens)
    }
}

/// Whether nobody is in check and no exchange wins material.
fn is_at_rest(position: &Position) -> bool {
    let moves = position.legal_moves();
    let wins = |&mv: &Move| position.is_noisy(mv) && position.see_at_least(mv, 1);
    !position.in_check() && !moves.iter().any(wins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::lan;
    use crate::review::MoveReview;

    /// The moves of a line in coordinates.
    fn read(position: &Position, text: &str) -> Vec<Move> {
        let mut position = *position;
        let words = text.split_whitespace();
        words
            .map(|word| {
                let mv = lan::parse(&position, word).unwrap();
                position = position.play_unchecked(mv);
                mv
            })
            .collect()
    }

    fn sentence(
        fen: &str,
        played: &str,
        (score, line): (Score, &str),
        (reply_score, reply): (Score, &str),
    ) -> Option<String> {
        let position = Position::from_fen(fen).unwrap();
        let played = lan::parse(&position, played).unwrap();
        let next = position.play_unchecked(played);
        let before = Evaluation::of_shown(&position, score, read(&position, line));
        let after = if next.has_legal_move() {
            Evaluation::of_shown(&next, reply_score, read(&next, reply))
        } else {
            Evaluation::of_end(&next)
        };
        let review = MoveReview {
            position: &position,
            played,
            before: &before,
            after: &after,
        };
        let reason = review.reason()?;
        Some(reason.sentence(&position, played))
    }

    #[test]
    fn a_reason_names_what_the_line_loses() {
        let cp = Score::evaluation;
        for (fen, played, before, after, expected) in [
            // The knight is lost, but missing the queen is worse.
            (
                "4k3/5ppp/2q5/8/3N4/8/1P3PPP/3R2K1 w - - 0 1",
                "d4e6",
                (cp(900), "d4c6"),
                (cp(500), "f7e6"),
                "Misses winning the queen: 1. Nxc6.",
            ),
            // Less is won than could be, and nothing is lost.
            (
                "4k3/5ppp/8/q7/3N4/8/1P3PPP/6K1 b - - 0 12",
                "a5d2",
                (cp(600), "a5d5 b2b3"),
                (cp(300), "d4f3 d2b2"),
                "",
            ),
            (
                "6k1/5ppp/8/8/2q5/8/1P1N1PPP/6K1 b - - 0 12",
                "c4c3",
                (cp(500), "c4e2"),
                (cp(500), "b2c3"),
                "Loses the queen: 13. bxc3.",
            ),
            (
                "6k1/1b3ppp/8/8/3N4/8/5PPP/3R2K1 w - - 0 12",
                "d4c6",
                (cp(300), "d4b5 g7g6"),
                (cp(100), "b7c6"),
                "Loses the knight: 12... Bxc6.",
            ),
            (
                "6k1/1b3ppp/8/8/8/8/5PPP/3R2K1 w - - 0 12",
                "d1d5",
                (cp(200), "d1d7"),
                (cp(200), "b7d5"),
                "Loses the rook: 12... Bxd5.",
            ),
            (
                "6k1/1b3ppp/8/8/2P5/8/5PPP/3R2K1 w - - 0 12",
                "d1d5",
                (cp(300), "d1d7"),
                (cp(100), "b7d5 c4d5"),
                "Loses the exchange: 12... Bxd5 13. cxd5.",
            ),
            (
                "8/1p3k2/8/8/8/8/6K1/R7 w - - 0 40",
                "a1a7",
                (cp(600), "a1a7"),
                (cp(-500), "f7e6"),
                "",
            ),
            (
                "8/5k2/8/8/8/1p6/6K1/4R3 w - - 0 40",
                "g2f3",
                (cp(500), "e1b1"),
                (cp(500), "b3b2 f3g4 b2b1q e1b1"),
                "",
            ),
            (
                "8/8/8/5k2/8/1p6/6K1/7R w - - 0 40",
                "h1f1",
                (cp(500), "h1h3 f5e4 h3b3"),
                (cp(500), "f5g4 f1f8 b3b2 f8f7 b2b1q"),
                "Lets a pawn promote: 40... Kg4 41. Rf8 b2 42. Rf7 b1=Q.",
            ),
        ] {
            let found = sentence(fen, played, before, after);
            assert_eq!(found.unwrap_or_default(), expected, "{fen} {played}");
        }
    }

    #[test]
    fn a_reason_names_mates_and_draws() {
        let cp = Score::evaluation;
        for (fen, played, before, after, expected) in [
            (
                "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
                "g2g3",
                (Score::mate_in(1), "d1d8"),
                (cp(-600), "g8f8"),
                "Misses mate in 1: 1. Rd8#.",
            ),
            (
                "3r2k1/5ppp/8/8/8/8/4RPPP/6K1 w - - 0 1",
                "e2a2",
                (cp(0), "g2g3"),
                (Score::mate_in(1), "d8d1"),
                "Allows mate in 1: 1... Rd1#.",
            ),
            (
                "7k/8/5K2/8/6Q1/8/8/8 w - - 0 1",
                "g4g6",
                (Score::mate_in(3), "f6f7 h8h7 g4h4"),
                (cp(0), ""),
                "Stalemates the opponent, which is a draw.",
            ),
            (
                "k7/8/2K1Q3/8/8/6B1/7r/8 w - - 0 50",
                "c6b6",
                (cp(900), "e6e8"),
                (cp(0), "h2h6 e6h6"),
                "Allows stalemate: 50... Rh6 51. Qxh6.",
            ),
            (
                "8/3k4/8/4P3/3K4/8/8/8 w - - 0 60",
                "e5e6",
                (cp(300), "d4d5"),
                (cp(0), "d7e6"),
                "Leaves too little material to win: 60... Kxe6.",
            ),
            // A mate that was there before is no reason.
            (
                "3r2k1/5ppp/8/8/8/8/4RPPP/6K1 w - - 0 1",
                "e2a2",
                (Score::mated_in(4), "g2g3"),
                (Score::mate_in(1), "d8d1"),
                "",
            ),
            // The line ends before the mate, so it proves nothing.
            (
                "3r2k1/5ppp/8/8/8/8/4RPPP/6K1 w - - 0 1",
                "e2a2",
                (cp(0), "g2g3"),
                (Score::mate_in(3), "d8d1"),
                "",
            ),
        ] {
            let found = sentence(fen, played, before, after);
            assert_eq!(found.unwrap_or_default(), expected, "{fen} {played}");
        }
    }
}
