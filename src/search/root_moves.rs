//! The root moves and their results, iteration by iteration.
//!
//! Results order the root, not heuristics: the best moves of the last iteration come first, the
//! others keep their order (that of the move picker instead: 0 ± 8 Elo). With MultiPV the lines are
//! searched one after another; each is searched among the moves that no earlier line begins with.

use super::report::Bound;
use super::syzygy_root::RootChoice;
use crate::types::{Move, Score};

/// A root move and its result.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Score in this iteration; minus infinity if the move is not known to beat the best one.
    pub(super) score: Score,
    /// Bound of that score, since it may lie outside the aspiration window.
    pub(super) bound: Bound,
    /// Exact score in the last iteration; minus infinity if it had none.
    pub(super) previous_score: Score,
    /// Nodes below the move in all iterations, in the first line only: the other lines are searched
    /// without the best move.
    pub(super) nodes: u64,
    /// Length in plies of the longest line searched since the root was last entered, up to and
    /// including this move.
    pub(super) selective_depth: usize,
    /// Principal variation; begins with the move.
    pub(super) pv: Vec<Move>,
    /// Principal variation of the last iteration.
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

    /// What is known best of the move: an exact score of this iteration, else one of the last, else
    /// a bound of this one. `None` if the move never beat the best one.
    pub(super) fn best_result(&self) -> Option<BestResult<'_>> {
        let now = BestResult {
            score: self.score,
            bound: self.bound,
            pv: &self.pv,
            is_of_previous_iteration: false,
        };
        let before = BestResult {
            score: self.previous_score,
            bound: Bound::Exact,
            pv: &self.previous_pv,
            is_of_previous_iteration: true,
        };
        let mut results = [now, before]
            .into_iter()
            .filter(|result| result.score != -Score::INFINITE);
        let exact = results.clone().find(|result| result.bound == Bound::Exact);
        exact.or_else(|| results.next())
    }
}

/// What is known best of a root move.
#[derive(Debug, Clone, Copy)]
pub(super) struct BestResult<'a> {
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// The principal variation of that score.
    pub(super) pv: &'a [Move],
    /// Whether it is a result of the iteration before the present one.
    pub(super) is_of_previous_iteration: bool,
}

/// The result of searching a root move.
pub(super) struct RootMoveResult<'a> {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// Principal variation after the move.
    pub(super) pv: &'a [Move],
}

/// The root moves to search, best first.
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// Index in MultiPV of the line being searched. The moves before it begin earlier lines.
    pv_index: usize,
    /// Score of the root known without search: dead position or tablebases.
    root_score: Option<Score>,
}

impl RootMoves {
    pub(super) fn new(choice: &RootChoice) -> Self {
        Self {
            moves: choice.moves.iter().copied().map(RootMove::new).collect(),
            pv_index: 0,
            root_score: choice.score,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Index in MultiPV of the line being searched, from 0.
    pub(super) fn pv_index(&self) -> usize {
        self.pv_index
    }

    /// Begins the search of a line of MultiPV.
    pub(super) fn set_pv_index(&mut self, pv_index: usize) {
        self.pv_index = pv_index;
    }

    /// The moves in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &RootMove> {
        self.moves.iter()
    }

    /// The best move; `None` without a legal move.
    pub(super) fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// Share of the nodes spent on the best move, from 0 to 1.
    pub(super) fn share_of_best(&self) -> f64 {
        let all: u64 = self.moves.iter().map(|root| root.nodes).sum();
        let best = self.best().map_or(0, |best| best.nodes);
        best as f64 / all.max(1) as f64
    }

    /// The move at `index`, from 0.
    pub(super) fn get(&self, index: usize) -> Option<&RootMove> {
        self.moves.get(index)
    }

    /// The move at `number`, from 0, in the search order of the present PV index.
    pub(super) fn nth_of_pv(&self, number: usize) -> Option<Move> {
        self.moves.get(self.pv_index + number).map(|root| root.mv)
    }

    /// Exact score of the present PV index in the last iteration.
    pub(super) fn expected_score(&self) -> Option<Score> {
        self.moves
            .get(self.pv_index)
            .map(|root| root.previous_score)
    }

    /// Begins an iteration.
    pub(super) fn begin_iteration(&mut self) {
        for root in &mut self.moves {
            root.previous_score = std::mem::replace(&mut root.score, -Score::INFINITE);
            root.previous_pv.clone_from(&root.pv);
        }
    }

    /// Ends an iteration that was stopped at the present PV index.
    pub(super) fn end_stopped_iteration(&mut self) {
        if self.pv_index == 0 {
            self.doubt_loss();
        }
        // The lines before are complete. The best move so far of this one may have beaten them.
        let has_score = self
            .moves
            .get(self.pv_index)
            .is_some_and(|root| root.bound != Bound::Upper);
        self.sort_first(self.pv_index + usize::from(has_score));
    }

    /// If the best move of a stopped iteration loses by force, a move not searched yet may save the
    /// game. Then the result of the last iteration stands; without one, the score becomes a lower
    /// bound.
    fn doubt_loss(&mut self) {
        let Some(best) = self.moves.first_mut().filter(|best| best.score.is_loss()) else {
            return;
        };
        if best.previous_score == -Score::INFINITE {
            best.bound = Bound::Lower;
        } else {
            // `best_result` falls back to the last iteration.
            best.score = -Score::INFINITE;
        }
    }

    /// Stores the result of a move. Only the first move of a line and those that raise alpha get a
    /// score.
    pub(super) fn set_result(&mut self, mv: Move, is_first: bool, result: &RootMoveResult) {
        let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        if self.pv_index == 0 {
            root.nodes += result.nodes;
        }
        if is_first || result.bound != Bound::Upper {
            root.score = result.score;
            root.bound = result.bound;
            root.selective_depth = result.selective_depth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(result.pv);
        } else {
            root.score = -Score::INFINITE;
        }
    }

    /// The moves that no iteration has searched.
    pub(super) fn not_searched(&self) -> Vec<Move> {
        let moves = self.moves.iter().filter(|root| root.nodes == 0);
        moves.map(|root| root.mv).collect()
    }

    /// Gives a move that was not searched an estimated score.
    pub(super) fn set_estimate(&mut self, mv: Move, score: Score) {
        if let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) {
            root.score = score;
            root.bound = Bound::Exact;
        }
    }

    /// Sorts the moves from the present PV index on by score; the sort is stable.
    pub(super) fn sort_pv(&mut self) {
        self.moves[self.pv_index..].sort_by_key(|root| -root.score);
    }

    /// Sorts the first `count` moves by score: a later line may have turned out better.
    pub(super) fn sort_first(&mut self, count: usize) {
        self.moves[..count].sort_by_key(|root| -root.score);
    }

    /// Makes the move at `index` the best.
    pub(super) fn prefer(&mut self, index: usize) {
        self.moves.swap(0, index);
    }

    /// The score known without search, if there is one, which takes the place of `found`, unless
    /// that is a mate.
    pub(super) fn score_without_search(&self, found: Score) -> Option<Score> {
        self.root_score.filter(|_| found.moves_to_mate().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    /// A forced loss by the first move of a stopped iteration may be avoided by another one.
    #[test]
    fn a_loss_in_a_stopped_iteration_leaves_the_result_of_the_last_one() {
        let moves = Position::start().legal_moves();
        let choice = RootChoice {
            moves: moves.to_vec(),
            score: None,
            prober: None,
            hits: 0,
        };
        let mut root_moves = RootMoves::new(&choice);
        let result = |score, pv| RootMoveResult {
            score,
            bound: Bound::Exact,
            nodes: 1,
            selective_depth: 1,
            pv,
        };
        let before = [moves[1], moves[2]];
        root_moves.begin_iteration();
        root_moves.set_result(moves[0], true, &result(Score(30), &before));
        root_moves.begin_iteration();
        root_moves.set_result(moves[0], true, &result(Score::mated_in(6), &moves[3..4]));
        root_moves.end_stopped_iteration();
        let best = root_moves.best().unwrap().best_result().unwrap();
        assert_eq!(best.score, Score(30));
        assert_eq!(best.pv, [moves[0], moves[1], moves[2]]);
        assert!(best.is_of_previous_iteration);
    }
}
