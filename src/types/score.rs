//! Scores: evaluations, tablebase results and mates on one scale.

use super::{Color, FIFTY_MOVES};
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Maximum ply of a search.
pub const MAX_PLY: usize = 240;

/// The value of a position for the side to move.
///
/// Evaluations are in centipawns of the network. Users see others, by
/// [`normalized_score`](crate::engine::normalized_score): there 100 wins half of the games.
///
/// Near the ends of the range a score is a distance to mate or to a tablebase win. The bands do not
/// overlap: mates at the ends, tablebase results next, evaluations between.
///
/// | score | meaning |
/// |---|---|
/// | `MATE - n` | mate in `n` plies |
/// | `TABLEBASE_WIN - n` | a tablebase win, reached in `n` plies |
/// | `-MAX_EVAL ..= MAX_EVAL` | an evaluation |
///
/// Losses are the same with a minus sign.
///
/// ```
/// use tabiya::types::Score;
/// assert!(Score::mate_in(3) > Score::mate_in(5));
/// assert_eq!(-Score::mate_in(3), Score::mated_in(3));
/// assert_eq!(Score::mate_in(3).moves_to_mate(), Some(2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    /// A draw, or an equal position.
    pub const DRAW: Self = Self(0);
    /// Mate in 0 plies: the upper end of the range.
    pub const MATE: Self = Self(32_000);
    /// Above all scores: the initial bound of a search window.
    pub const INFINITE: Self = Self(Self::MATE.0 + 1);
    /// The lowest score that is a mate.
    pub const MATE_BOUND: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// A tablebase win in 0 plies.
    pub const TABLEBASE_WIN: Self = Self(Self::MATE_BOUND.0 - 1);
    /// The lowest score that is a proven win.
    pub const WIN_BOUND: Self = Self(Self::TABLEBASE_WIN.0 - MAX_PLY as i32);
    /// The highest evaluation.
    pub const MAX_EVAL: Self = Self(Self::WIN_BOUND.0 - 1);

    /// The side to move mates in `plies` plies.
    #[inline(always)]
    pub const fn mate_in(plies: usize) -> Self {
        Self(Self::MATE.0 - plies as i32)
    }

    /// The side to move is mated in `plies` plies.
    #[inline(always)]
    pub const fn mated_in(plies: usize) -> Self {
        Self(plies as i32 - Self::MATE.0)
    }

    /// An evaluation, clamped to `-MAX_EVAL ..= MAX_EVAL`.
    #[inline(always)]
    pub const fn evaluation(centipawns: i32) -> Self {
        if centipawns > Self::MAX_EVAL.0 {
            Self::MAX_EVAL
        } else if centipawns < -Self::MAX_EVAL.0 {
            Self(-Self::MAX_EVAL.0)
        } else {
            Self(centipawns)
        }
    }

    /// Whether this is a proven win, by mate or by tablebase.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::WIN_BOUND.0
    }

    /// Whether this is a proven loss, by mate or by tablebase.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::WIN_BOUND.0
    }

    /// Whether this is a proven win or loss.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Full moves until mate, negative if the side to move will be mated, 0 if it is mated now.
    /// `None` if the score is not a mate.
    pub const fn moves_to_mate(self) -> Option<i32> {
        if self.0 >= Self::MATE_BOUND.0 {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else if self.0 <= -Self::MATE_BOUND.0 {
            Some(-((Self::MATE.0 + self.0 + 1) / 2))
        } else {
            None
        }
    }

    /// The score from White's view, if it is from the view of `side`.
    ///
    /// ```
    /// use tabiya::types::{Color, Score};
    /// assert_eq!(Score(35).for_white(Color::White), Score(35));
    /// assert_eq!(Score(35).for_white(Color::Black), Score(-35));
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn for_white(self, side: Color) -> Self {
        match side {
            Color::White => self,
            Color::Black => Self(-self.0),
        }
    }

    /// The score from the view of `side`, if it is from White's.
    #[inline(always)]
    #[must_use]
    pub const fn relative_to(self, side: Color) -> Self {
        self.for_white(side)
    }

    /// The score as text: `+0.35` and `-1.20` are evaluations in pawns, `#3` is a mate in three
    /// moves and `#-3` a mate by the opponent. A tablebase win looks like `+317.59`. For people, a
    /// score of the search is [normalised](crate::engine::normalized_score) before.
    ///
    /// ```
    /// use tabiya::types::Score;
    /// assert_eq!(Score(-35).in_pawns(), "-0.35");
    /// assert_eq!(Score::mate_in(3).in_pawns(), "#2");
    /// assert_eq!(Score::mated_in(4).in_pawns(), "#-2");
    /// ```
    #[must_use]
    pub fn in_pawns(self) -> String {
        match self.moves_to_mate() {
            Some(moves) => format!("#{moves}"),
            None => format!("{:+.2}", f64::from(self.0) / 100.0),
        }
    }

    // ANCHOR: relative_to_node
    /// Converts a distance from the root into a distance from the node at `ply`, for storage in the
    /// transposition table.
    #[inline(always)]
    #[must_use]
    pub const fn relative_to_node(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 + ply as i32)
        } else if self.is_loss() {
            Self(self.0 - ply as i32)
        } else {
            self
        }
    }
    // ANCHOR_END: relative_to_node

    /// The score of a win of this kind at the node itself, and the lowest of its kind.
    #[inline(always)]
    const fn band(win: i32) -> [i32; 2] {
        if win >= Self::MATE_BOUND.0 {
            [Self::MATE.0, Self::MATE_BOUND.0]
        } else {
            [Self::TABLEBASE_WIN.0, Self::WIN_BOUND.0]
        }
    }

    /// Converts a distance from the node at `ply` into a distance from the root: the opposite of
    /// [`Self::relative_to_node`].
    ///
    /// A win that takes more plies than the fifty-move rule leaves after `halfmove_clock` is not
    /// proven, and becomes the highest evaluation; such a loss becomes the lowest. A mate that is
    /// further from the root than a search can look stays a mate.
    #[inline(always)]
    #[must_use]
    pub const fn relative_to_root(self, ply: usize, halfmove_clock: u32) -> Self {
        let plies_left = FIFTY_MOVES as i32 - halfmove_clock as i32;
        if self.is_win() {
            let [end, bound] = Self::band(self.0);
            if end - self.0 > plies_left {
                return Self::MAX_EVAL;
            }
            let score = self.0 - ply as i32;
            Self(if score < bound { bound } else { score })
        } else if self.is_loss() {
            let [end, bound] = Self::band(-self.0);
            if end + self.0 > plies_left {
                return Self(-Self::MAX_EVAL.0);
            }
            let score = self.0 + ply as i32;
            Self(if score > -bound { -bound } else { score })
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    #[inline(always)]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline(always)]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

/// The difference of two scores, in centipawns.
impl Sub for Score {
    type Output = i32;

    #[inline(always)]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

/// `cp 35` or `mate -2`, in the words of UCI. The protocols print
/// [another score](crate::engine::normalized_score).
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_scores_are_read_back_unchanged() {
        for ply in [0, 1, 17, 100] {
            for score in [
                Score::DRAW,
                Score(123),
                Score(-4000),
                Score::mate_in(ply + 3),
                Score::mated_in(ply + 8),
            ] {
                assert_eq!(score.relative_to_node(ply).relative_to_root(ply, 0), score);
            }
        }
    }

    #[test]
    fn a_win_far_from_the_root_stays_of_its_kind() {
        for (score, ply) in [
            (Score::mate_in(90), 200),
            (Score::mated_in(90), 200),
            (Score(Score::TABLEBASE_WIN.0 - 90), 200),
            (Score(90 - Score::TABLEBASE_WIN.0), 200),
        ] {
            let at_root = score.relative_to_root(ply, 0);
            assert_eq!(at_root.is_win(), score.is_win());
            let is_mate = |score: Score| score.moves_to_mate().is_some();
            assert_eq!(is_mate(at_root), is_mate(score), "{score} {at_root}");
        }
    }

    #[test]
    fn mates_beyond_the_fifty_move_rule_become_evaluations() {
        let mate_in_20_plies = Score::mate_in(20);
        assert!(mate_in_20_plies.relative_to_root(0, 80).is_win());
        assert_eq!(mate_in_20_plies.relative_to_root(0, 81), Score::MAX_EVAL);
        assert_eq!(
            Score::mated_in(20).relative_to_root(0, 81),
            -Score::MAX_EVAL
        );
    }
}
