//! Syzygy tablebases at the root: which moves are searched, and the score that is known without
//! search.
//!
//! DTZ tables show which root moves keep the best result. Only those are searched, and the search
//! finds the shortest way among them. If the root has too many pieces, WDL tables decide nodes of
//! the tree that have few enough ([`syzygy_probe`](super::syzygy_probe)).

use super::report::Bound;
use super::request::DrawRules;
use super::settings::ProbeRules;
use crate::board::{GamePosition, Position};
use crate::tablebase::{Tablebase, Wdl};
use crate::types::{FIFTY_MOVES, Move, Score};

/// Rank of a move that wins within the fifty-move rule; larger than any DTZ.
const WON: i32 = 10_000;

/// Tablebases and the rules for probing them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prober<'a> {
    tables: &'a Tablebase,
    rules: ProbeRules,
}

/// What to search at the root.
#[derive(Debug, Default)]
pub(super) struct RootChoice<'a> {
    pub(super) moves: Vec<Move>,
    /// Score of each of these moves, if the root is a dead position or in the tablebases.
    pub(super) score: Option<Score>,
    /// Tablebases to probe below the root.
    pub(super) prober: Option<Prober<'a>>,
    /// Number of moves with a known result, each counted as a probe.
    pub(super) hits: u64,
}

impl<'a> RootChoice<'a> {
    /// The legal moves, restricted to `searchmoves` unless that is empty, and to the best of them
    /// if the tables know all results.
    pub(super) fn new(
        root: &GamePosition,
        searchmoves: &[Move],
        tables: Option<&'a Tablebase>,
        rules: ProbeRules,
        draw_rules: DrawRules,
    ) -> Self {
        let moves = root.position.legal_moves().into_iter();
        let moves: Vec<_> = moves
            .filter(|mv| searchmoves.is_empty() || searchmoves.contains(mv))
            .collect();
        if root.is_dead {
            return Self {
                moves,
                score: Some(Score::DRAW),
                ..Self::default()
            };
        }
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
            .and_then(|prober| prober.choose(root, draw_rules, &all.moves))
            .unwrap_or(all)
    }
}

impl<'a> Prober<'a> {
    /// The moves that keep the best result; `None` if the tables lack the result of a move.
    fn choose(
        self,
        root: &GamePosition,
        draw_rules: DrawRules,
        moves: &[Move],
    ) -> Option<RootChoice<'a>> {
        if root.position.occupied().len() > self.rules.pieces || moves.is_empty() {
            return None;
        }
        let rank_all = |rank: &dyn Fn(Move) -> Option<i32>| {
            let ranks = moves.iter().map(|&mv| rank(mv));
            ranks.collect::<Option<Vec<_>>>()
        };
        let by_distance = rank_all(&|mv| self.rank_by_distance(root, draw_rules, mv));
        let knows_distance = by_distance.is_some();
        let ranks =
            by_distance.or_else(|| rank_all(&|mv| self.rank_by_result(root, draw_rules, mv)))?;
        let best = *ranks.iter().max()?;
        let kept = moves.iter().zip(&ranks).filter(|&(_, &rank)| rank == best);
        Some(RootChoice {
            moves: kept.map(|(&mv, _)| mv).collect(),
            score: Some(self.score_of_rank(best)),
            // A win without known distance must be probed after each conversion. In all other cases
            // the tree needs no probes.
            prober: (!knows_distance && best > 0).then_some(self),
            hits: ranks.len() as u64,
        })
    }

    /// Rank of a move by DTZ. All moves that win within the fifty-move rule are equal, and the
    /// search chooses among them. Of the other winning moves the fastest ranks first, of losing
    /// moves the slowest.
    fn rank_by_distance(
        &self,
        root: &GamePosition,
        draw_rules: DrawRules,
        mv: Move,
    ) -> Option<i32> {
        let next = root.position.play_unchecked(mv);
        let dtz = if draw_rules.is_repeated(root, next.key()) {
            0
        } else if next.halfmove_clock() == 0 {
            match self.tables.wdl(&next)? {
                // The count begins again, so the clock before it does not matter.
                Wdl::Loss => return Some(WON),
                Wdl::BlessedLoss => 101,
                Wdl::Draw => 0,
                Wdl::CursedWin => -101,
                Wdl::Win => -1,
            }
        } else if next.is_checkmate() {
            return Some(WON);
        } else {
            let dtz = -self.tables.dtz(&next)?;
            dtz + dtz.signum()
        };
        // Beyond the fifty moves all clocks are the same, and the ranks keep their signs.
        let clock = draw_rules.rule50(&root.position).min(FIFTY_MOVES) as i32;
        Some(match dtz {
            0 => 0,
            // After a repetition only the fastest win makes sure of progress.
            1.. if dtz + clock <= 99 && !root.has_repetition(2) => WON,
            1.. => WON - (dtz + clock),
            // If the fifty-move rule cannot save the defender, the search chooses too.
            _ if -2 * dtz + clock < 100 => -WON,
            _ => -WON - dtz + clock,
        })
    }

    /// Rank of a move by WDL.
    fn rank_by_result(&self, root: &GamePosition, draw_rules: DrawRules, mv: Move) -> Option<i32> {
        let next = root.position.play_unchecked(mv);
        if draw_rules.is_repeated(root, next.key()) {
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

    /// Score of a move by its rank.
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

    /// Whether to probe a position: only with a halfmove clock of 0, without castling rights, with
    /// few enough pieces and, with exactly that many, at sufficient depth.
    #[inline]
    pub(super) fn should_probe(&self, position: &Position, depth: i32) -> bool {
        let pieces = position.occupied().len();
        let is_deep = depth >= self.rules.depth as i32;
        position.halfmove_clock() == 0
            && (pieces < self.rules.pieces || pieces == self.rules.pieces && is_deep)
            && position.castling().rooks().is_empty()
    }

    /// The score of a position at `ply`. For a win the distance to mate is unknown, so the score is
    /// a bound.
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
