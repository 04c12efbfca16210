//! Syzygy tablebases at the root: what they are asked, and what their answers are worth to the search.
//!
//! At the root, DTZ says which moves keep the best result there is; only those are searched, and the search finds the
//! shortest way among them. Where the root has too many pieces, WDL ends the lines that come to few
//! enough ([`syzygy_probe`](super::syzygy_probe)).

use super::limits::ProbeRules;
use super::report::Bound;
use super::root::Root;
use crate::board::Position;
use crate::tablebase::{Tablebase, Wdl};
use crate::types::{Key, Move, Score};

/// A move that wins and loses nothing to the fifty-move rule; beyond every distance that tables know.
const WON: i32 = 10_000;

/// Tables and the rules for asking them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prober<'a> {
    tables: &'a Tablebase,
    rules: ProbeRules,
}

/// What is to be searched at the root.
#[derive(Debug, Default)]
pub(super) struct RootChoice<'a> {
    pub(super) moves: Vec<Move>,
    /// What the tables say that each of these moves comes to.
    pub(super) score: Option<Score>,
    /// Whom to ask below the root.
    pub(super) prober: Option<Prober<'a>>,
    /// How many answers the tables gave.
    pub(super) hits: u64,
}

impl<'a> RootChoice<'a> {
    /// The legal moves, or those of them that are wanted; of these the best, if the tables know.
    pub(super) fn new(
        root: &Root,
        wanted: &[Move],
        tables: Option<&'a Tablebase>,
        rules: ProbeRules,
    ) -> Self {
        let moves = root.position.legal_moves().into_iter();
        let moves: Vec<_> = moves
            .filter(|mv| wanted.is_empty() || wanted.contains(mv))
            .collect();
        let prober = tables.map(|tables| Prober {
            tables,
            rules: ProbeRules {
                pieces: rules.pieces.min(tables.max_pieces()),
                ..rules
            },
        });
        let all = Self {
            moves,
            prober,
            ..Self::default()
        };
        prober
            .and_then(|prober| prober.choose(root, &all.moves))
            .unwrap_or(all)
    }
}

impl<'a> Prober<'a> {
    /// The moves that keep the best result; `None` if the tables do not know all of them.
    fn choose(self, root: &Root, moves: &[Move]) -> Option<RootChoice<'a>> {
        if root.position.occupied().len() > self.rules.pieces || moves.is_empty() {
            return None;
        }
        let rank_all = |rank: &dyn Fn(Move) -> Option<i32>| {
            let ranks = moves.iter().map(|&mv| rank(mv));
            ranks.collect::<Option<Vec<_>>>()
        };
        let by_distance = rank_all(&|mv| self.rank_by_distance(root, mv));
        let knows_distance = by_distance.is_some();
        let ranks = by_distance.or_else(|| rank_all(&|mv| self.rank_by_result(root, mv)))?;
        let best = *ranks.iter().max()?;
        let kept = moves.iter().zip(&ranks).filter(|&(_, &rank)| rank == best);
        Some(RootChoice {
            moves: kept.map(|(&mv, _)| mv).collect(),
            score: Some(self.score_of_rank(best)),
            // Whoever wins without knowing the distance must see each conversion; else the tables have said it all.
            prober: (!knows_distance && best > 0).then_some(self),
            hits: ranks.len() as u64,
        })
    }

    /// How good a move is by DTZ: all that win in time are alike, for the search to choose among; of those that may not,
    /// the fastest comes first. Losing moves the other way round.
    fn rank_by_distance(&self, root: &Root, mv: Move) -> Option<i32> {
        let next = root.position.play(mv);
        let dtz = if is_repeated(root, next.key()) {
            0
        } else if next.halfmove_clock() == 0 {
            match self.tables.wdl(&next)? {
                Wdl::Loss => 1,
                Wdl::BlessedLoss => 101,
                Wdl::Draw => 0,
                Wdl::CursedWin => -101,
                Wdl::Win => -1,
            }
        } else if next.in_check() && !next.has_legal_move() {
            1
        } else {
            let dtz = -self.tables.dtz(&next)?;
            dtz + dtz.signum()
        };
        let clock = root.position.halfmove_clock() as i32;
        Some(match dtz {
            0 => 0,
            // Once something has been repeated, progress must be made, or it is repeated again.
            1.. if dtz + clock <= 99 && !root.has_come(2) => WON,
            1.. => WON - (dtz + clock),
            // A defender with no hope of the fifty-move rule is left to the search, too.
            _ if -2 * dtz + clock < 100 => -WON,
            _ => -WON - dtz + clock,
        })
    }

    /// How good a move is by WDL.
    fn rank_by_result(&self, root: &Root, mv: Move) -> Option<i32> {
        let next = root.position.play(mv);
        if is_repeated(root, next.key()) {
            return Some(0);
        }
        Some(match self.tables.wdl(&next)? {
            Wdl::Loss => WON,
            Wdl::BlessedLoss => WON - 101,
            Wdl::Draw => 0,
            Wdl::CursedWin => 101 - WON,
            Wdl::Win => -WON,
        })
    }

    /// What a move of that rank comes to.
    fn score_of_rank(&self, rank: i32) -> Score {
        let in_time = if self.rules.fifty_move_rule {
            WON - 100
        } else {
            1
        };
        match rank {
            _ if rank >= in_time => Score::TABLEBASE_WIN,
            _ if rank <= -in_time => -Score::TABLEBASE_WIN,
            _ => Score::DRAW,
        }
    }

    /// Whether the tables are to be asked: only where the fifty-move rule counts from, and not for every leaf.
    #[inline]
    pub(super) fn is_wanted(&self, position: &Position, depth: i32) -> bool {
        let pieces = position.occupied().len();
        let is_deep = depth >= self.rules.depth as i32;
        position.halfmove_clock() == 0
            && (pieces < self.rules.pieces || pieces == self.rules.pieces && is_deep)
            && position.castling().rooks().is_empty()
    }

    /// The score at a ply. Of a win it is known that there is one, not how near the mate is.
    pub(super) fn score(&self, position: &Position, ply: usize) -> Option<(Score, Bound)> {
        let win = Score::TABLEBASE_WIN - ply as i32;
        let rule = self.rules.fifty_move_rule;
        Some(match self.tables.wdl(position)? {
            Wdl::Win => (win, Bound::Lower),
            Wdl::CursedWin if !rule => (win, Bound::Lower),
            Wdl::Loss => (-win, Bound::Upper),
            Wdl::BlessedLoss if !rule => (-win, Bound::Upper),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => (Score::DRAW, Bound::Exact),
        })
    }
}

/// Whether the position has been on the board twice before: the third time is a draw.
fn is_repeated(root: &Root, key: Key) -> bool {
    root.earlier
        .iter()
        .filter(|&&earlier| earlier == key)
        .count()
        >= 2
}
