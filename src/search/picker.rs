//! The move picker: returns the moves of a node one at a time, the most promising first.
//!
//! Alpha-beta cuts most when the best move comes first, and one of the first moves decides most
//! nodes. So moves are generated in stages, each only when it is reached: the TT move, good
//! captures (by SEE) ordered by most valuable victim (MVV) and capture history, quiet moves ordered
//! by history, bad captures.
//!
//! There is no *killer move*, the quiet move that refuted a sibling and is tried before the other
//! quiet moves in many engines (Akl and Newborn, 1977): continuation history puts it in front
//! already.

use super::history::{Histories, HistoryContext, victim};
use super::params;
use super::scored_moves::{HistoryMove, ScoredMove, ScoredMoves};
use super::stack::PieceTo;
use super::tt::TranspositionTable;
use crate::board::{MoveList, Position, Threats, see};
use crate::types::{Move, PieceKind};

/// The stage that a move comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
}

/// What the order of the quiet moves depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuietOrder {
    pub(super) context: HistoryContext,
    /// Squares attacked by the opponent, as in `context`. The generator of quiet king moves relies
    /// on them.
    pub(super) threats: Threats,
}

/// A move returned by the picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Picked {
    pub(super) mv: Move,
    pub(super) stage: Stage,
    /// Its history score, if the picker has computed it.
    pub(super) history: Option<i32>,
}

/// The moves of one node.
pub(super) struct MovePicker {
    stage: Stage,
    /// TT move; legal.
    tt_move: Option<Move>,
    scored: ScoredMoves,
    bad_noisy: MoveList,
    /// Index of the next move in `bad_noisy`.
    next_bad: usize,
    /// Minimum exchange value of a good capture, in centipawns.
    good_see: i32,
    with_bad_noisy: bool,
    quiet: QuietMoves,
}

/// The quiet moves to return.
#[derive(Debug, Clone, Copy)]
enum QuietMoves {
    All(QuietOrder),
    /// Moves that give check and lose no material.
    Checks,
    None,
}

impl MovePicker {
    /// All legal moves. The TT move may be illegal; then it is left out.
    #[inline(always)]
    pub(super) fn all(position: &Position, tt_move: Option<Move>, order: QuietOrder) -> Self {
        let tt_move = tt_move.filter(|&mv| position.is_legal(mv));
        let quiet = QuietMoves::All(order);
        Self::new(tt_move, params::good_capture_see(), true, quiet)
    }

    /// Captures and promotions with an exchange value of at least `see` centipawns, the TT move
    /// first if it is one of them, then, with `with_checks`, quiet checks that lose no material.
    #[inline(always)]
    pub(super) fn noisy(
        position: &Position,
        tt_move: Option<Move>,
        see: i32,
        with_checks: bool,
    ) -> Self {
        let is_good = |mv| position.is_noisy(mv) && position.see_at_least(mv, see);
        let tt_move = tt_move.filter(|&mv| is_good(mv) && position.is_legal(mv));
        let quiet = if with_checks {
            QuietMoves::Checks
        } else {
            QuietMoves::None
        };
        Self::new(tt_move, see, false, quiet)
    }

    // Inlined, like its callers, because the lists are large and would be copied on return.
    #[inline(always)]
    fn new(tt_move: Option<Move>, good_see: i32, with_bad_noisy: bool, quiet: QuietMoves) -> Self {
        Self {
            stage: Stage::TtMove,
            tt_move,
            scored: ScoredMoves::default(),
            bad_noisy: MoveList::new(),
            next_bad: 0,
            good_see,
            with_bad_noisy,
            quiet,
        }
    }

    /// Leaves out the remaining quiet moves.
    #[inline(always)]
    pub(super) fn skip_quiets(&mut self) {
        self.quiet = QuietMoves::None;
    }

    /// Returns the next move; `None` after the last.
    #[inline]
    pub(super) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        tt: &TranspositionTable,
    ) -> Option<Picked> {
        let picked = |mv, stage| {
            Some(Picked {
                mv,
                stage,
                history: None,
            })
        };
        let scored = |scored: HistoryMove, stage| {
            Some(Picked {
                mv: scored.mv,
                stage,
                history: Some(scored.history),
            })
        };
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(mv) = self.tt_move {
                        return picked(mv, Stage::TtMove);
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories, tt);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    if let Some(best) = self.next_good_noisy(position) {
                        return scored(best, Stage::GoodNoisy);
                    }
                    self.stage = Stage::GenerateQuiet;
                }
                Stage::GenerateQuiet => {
                    match self.quiet {
                        QuietMoves::All(order) => self.generate_quiet(position, histories, &order),
                        QuietMoves::Checks => self.generate_checks(position),
                        QuietMoves::None => {}
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !matches!(self.quiet, QuietMoves::None)
                        && let Some(best) = self.scored.take_best()
                    {
                        return scored(best, Stage::Quiet);
                    }
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    let mv = *self
                        .bad_noisy
                        .get(self.next_bad)
                        .filter(|_| self.with_bad_noisy)?;
                    self.next_bad += 1;
                    return picked(mv, Stage::BadNoisy);
                }
            }
        }
    }

    fn generate_noisy(
        &mut self,
        position: &Position,
        histories: &Histories,
        tt: &TranspositionTable,
    ) {
        let mut moves = MoveList::new();
        position.noisy_moves(&mut moves);
        let tt_move = self.tt_move;
        let unseen = moves.iter().filter(|&&mv| tt_move != Some(mv));
        self.scored.fill(unseen.map(|&mv| {
            // Captures are few, and their table entries arrive before the moves are played.
            tt.prefetch(position.key_after(mv));
            scored_noisy(position, histories, mv)
        }));
    }

    fn generate_quiet(
        &mut self,
        position: &Position,
        histories: &Histories,
        QuietOrder { context, threats }: &QuietOrder,
    ) {
        let mut moves = MoveList::new();
        position.quiet_moves(threats.all, &mut moves);
        let checks = position.check_squares();
        let history_of = histories.quiet(context);
        let scored = |mv| {
            let moved = PieceTo::of(position, mv);
            let history = history_of.score(mv, moved);
            let mut score = history;
            let attacked = threats.by_lesser(moved.piece.kind());
            score += params::ordering_escape_bonus()
                * (i32::from(attacked.contains(mv.from())) - i32::from(attacked.contains(mv.to())));
            if checks.of(moved.piece.kind()).contains(mv.to())
                && position.quiet_see_at_least(mv, params::ordering_check_see(), threats.all)
            {
                score += params::ordering_check_bonus();
            }
            ScoredMove { mv, score, history }
        };
        let tt_move = self.tt_move;
        let unseen = moves.iter().copied().filter(|&mv| tt_move != Some(mv));
        self.scored.fill(unseen.map(scored));
    }

    fn generate_checks(&mut self, position: &Position) {
        let mut moves = MoveList::new();
        position.quiet_checks(&mut moves);
        let good = moves.iter().filter(|&&mv| position.see_at_least(mv, 0));
        self.scored.fill(good.map(|&mv| ScoredMove {
            mv,
            score: 0,
            history: 0,
        }));
    }

    // ANCHOR: take_noisy
    fn next_good_noisy(&mut self, position: &Position) -> Option<HistoryMove> {
        while let Some(best) = self.scored.take_best() {
            if position.see_at_least(best.mv, self.good_see) {
                return Some(best);
            }
            self.bad_noisy.push(best.mv);
        }
        None
    }
    // ANCHOR_END: take_noisy
}

/// Scores a capture or promotion by the most valuable victim (MVV) and the capture history.
fn scored_noisy(position: &Position, histories: &Histories, mv: Move) -> ScoredMove {
    let victim = victim(position, mv);
    let captured = if position.occupied().contains(mv.to()) {
        see::value(victim)
    } else {
        0
    };
    let promoted = match mv.promotion() {
        None => 0,
        Some(PieceKind::Queen) => see::value(PieceKind::Queen),
        // Underpromotion is hardly ever best.
        Some(_) => -see::value(PieceKind::Queen),
    };
    let history = histories.capture(PieceTo::of(position, mv), victim);
    ScoredMove {
        mv,
        score: (captured + promoted) * params::capture_victim_weight() / 100 + history,
        history,
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::CONTINUATIONS;
    use super::super::stack::NO_CONTINUATION;
    use super::*;
    use std::collections::HashSet;

    const FENS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1",
    ];

    fn order(position: &Position) -> QuietOrder {
        let threats = position.threats(!position.side_to_move());
        let before_the_first_move = [NO_CONTINUATION; CONTINUATIONS];
        QuietOrder {
            context: HistoryContext::new(position, threats.all, before_the_first_move),
            threats,
        }
    }

    #[test]
    fn every_legal_move_is_picked_once_for_any_order() {
        let histories = Histories::new();
        let tt = TranspositionTable::new(1).unwrap();
        for fen in FENS {
            let position = Position::from_fen(fen).unwrap();
            let legal = position.legal_moves();
            let foreign = Some(Move::normal(
                crate::types::Square::A3,
                crate::types::Square::B7,
            ));
            for tt_move in legal.iter().copied().map(Some).chain([None, foreign]) {
                let mut picker = MovePicker::all(&position, tt_move, order(&position));
                let picked: Vec<_> = std::iter::from_fn(|| picker.next(&position, &histories, &tt))
                    .map(|picked| picked.mv)
                    .collect();
                assert_eq!(picked.len(), legal.len(), "{fen} {tt_move:?}");
                assert_eq!(
                    picked.iter().collect::<HashSet<_>>(),
                    legal.iter().collect::<HashSet<_>>()
                );
            }
        }
    }

    #[test]
    fn quiescence_gets_good_noisy_moves_then_safe_checks() {
        let histories = Histories::new();
        let tt = TranspositionTable::new(1).unwrap();
        let (mut noisy_count, mut check_count) = (0, 0);
        for fen in FENS {
            let position = Position::from_fen(fen).unwrap();
            if position.in_check() {
                continue;
            }
            let legal = position.legal_moves();
            let holds = |mv: &Move| position.see_at_least(*mv, 0);
            let noisy = |mv: &Move| position.is_noisy(*mv) && holds(mv);
            let noisy: HashSet<_> = legal.iter().copied().filter(noisy).collect();
            let mut checks = MoveList::new();
            position.quiet_checks(&mut checks);
            let checks: HashSet<_> = checks.into_iter().filter(holds).collect();
            noisy_count += noisy.len();
            check_count += checks.len();
            for tt_move in legal.iter().copied().map(Some).chain([None]) {
                for with_checks in [false, true] {
                    let mut picker = MovePicker::noisy(&position, tt_move, 0, with_checks);
                    let next = || {
                        picker
                            .next(&position, &histories, &tt)
                            .map(|picked| picked.mv)
                    };
                    let picked: Vec<_> = std::iter::from_fn(next).collect();
                    let (first, rest) = picked.split_at(noisy.len());
                    assert_eq!(
                        first.iter().copied().collect::<HashSet<_>>(),
                        noisy,
                        "{fen}"
                    );
                    let wanted = if with_checks { checks.len() } else { 0 };
                    assert_eq!(rest.len(), wanted, "{fen} {tt_move:?} {picked:?}");
                    assert!(rest.iter().all(|mv| checks.contains(mv)), "{fen}");
                }
            }
        }
        assert!(noisy_count > 0 && check_count > 0);
    }
}
