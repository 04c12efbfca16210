//! The moves of the root and what became of them, iteration by iteration.
//!
//! The root is ordered by results, not by heuristics: the best moves of the last iteration come first, the others keep
//! their order. With MultiPV the first lines are settled one after another, and the current line is searched among the
//! moves that are left.

use super::report::Bound;
use super::syzygy_root::RootChoice;
use crate::types::{Move, Score};

/// A root move and what became of it.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// In this iteration; minus infinity if it is not known to be better than the first.
    pub(super) score: Score,
    /// What that score says, as the window may have been too narrow for it.
    pub(super) bound: Bound,
    /// In the last iteration; exact.
    pub(super) previous_score: Score,
    /// Searched below it in all iterations.
    pub(super) nodes: u64,
    /// The longest line searched in the iteration, up to and with this move, in plies.
    pub(super) selective_depth: usize,
    /// Begins with the move.
    pub(super) pv: Vec<Move>,
    /// That of the last iteration.
    previous_pv: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        let unknown = -Score::INFINITE;
        Self {
            mv,
            score: unknown,
            bound: Bound::Exact,
            previous_score: unknown,
            nodes: 0,
            selective_depth: 0,
            pv: vec![mv],
            previous_pv: Vec::new(),
        }
    }

    /// What the move is known to be worth: its score of this iteration if that is exact, else that of the last one,
    /// else the bound that is all there is. `None` if it was never better than others.
    pub(super) fn known_score(&self) -> Option<(Score, Bound)> {
        let candidates = [
            (self.score, self.bound),
            (self.previous_score, Bound::Exact),
        ];
        let known = candidates
            .into_iter()
            .filter(|&(score, _)| score != -Score::INFINITE);
        known.min_by_key(|&(_, bound)| bound != Bound::Exact)
    }
}

/// What the search of a root move came to.
pub(super) struct RootMoveResult<'a> {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// The best line after the move.
    pub(super) line: &'a [Move],
}

/// All root moves that are searched, the best first.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// The rank of the line being searched, from 0: the moves before it are settled.
    line: usize,
    /// What tablebases say that each move comes to.
    tablebase_score: Option<Score>,
}

impl RootMoves {
    pub(super) fn new(choice: &RootChoice) -> Self {
        Self {
            moves: choice.moves.iter().copied().map(RootMove::new).collect(),
            line: 0,
            tablebase_score: choice.score,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The rank of the line being searched, from 0.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Begins the search of a line; those before it are settled.
    pub(super) fn set_line(&mut self, line: usize) {
        self.line = line;
    }

    /// The moves in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &RootMove> {
        self.moves.iter()
    }

    /// The best move; `None` if there is no legal one.
    pub(super) fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The move of that rank, from 0.
    pub(super) fn get(&self, rank: usize) -> Option<&RootMove> {
        self.moves.get(rank)
    }

    /// The move to be searched after so many of the current line.
    pub(super) fn nth_of_line(&self, number: usize) -> Option<Move> {
        self.moves.get(self.line + number).map(|root| root.mv)
    }

    /// The exact score that the current line had in the last iteration.
    pub(super) fn expected_score(&self) -> Option<Score> {
        self.moves.get(self.line).map(|root| root.previous_score)
    }

    /// Begins an iteration.
    pub(super) fn begin_iteration(&mut self) {
        for root in &mut self.moves {
            root.previous_score = std::mem::replace(&mut root.score, -Score::INFINITE);
            root.previous_pv.clone_from(&root.pv);
        }
    }

    /// Ends an iteration that was stopped while its first line was searched. If the best move so far has turned out to lose
    /// by force, a move that was not searched may save the game: the position is worth what it was in the last iteration,
    /// and where that is not known, at least so much.
    pub(super) fn end_stopped_iteration(&mut self) {
        let Some(best) = self.moves.first_mut().filter(|best| best.score.is_loss()) else {
            return;
        };
        if best.previous_score == -Score::INFINITE {
            best.bound = Bound::Lower;
        } else {
            best.score = best.previous_score;
            best.bound = Bound::Exact;
            best.pv = std::mem::take(&mut best.previous_pv);
        }
    }

    /// Notes what a move came to. Only the first of its line and those that raise alpha have a score.
    pub(super) fn note(&mut self, mv: Move, is_first: bool, result: &RootMoveResult) {
        let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += result.nodes;
        if is_first || result.bound != Bound::Upper {
            root.score = result.score;
            root.bound = result.bound;
            root.selective_depth = result.selective_depth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(result.line);
        } else {
            root.score = -Score::INFINITE;
        }
    }

    /// Puts the best moves of the current line first and leaves the others in their order.
    pub(super) fn sort_line(&mut self) {
        self.moves[self.line..].sort_by_key(|root| -root.score);
    }

    /// Puts the first lines in order: a later one may have turned out better than one before it.
    pub(super) fn sort_lines(&mut self, lines: usize) {
        self.moves[..lines].sort_by_key(|root| -root.score);
    }

    /// Makes the move of that rank the best.
    pub(super) fn prefer(&mut self, rank: usize) {
        self.moves.swap(0, rank);
    }

    /// What the tablebases say, unless the search has found the mate itself.
    pub(super) fn proven(&self, score: Score) -> Score {
        self.tablebase_score
            .filter(|_| score.moves_to_mate().is_none())
            .unwrap_or(score)
    }
}
