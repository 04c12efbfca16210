//! Quiescence search: at the horizon only captures and promotions are searched, until the position
//! is quiet enough to be evaluated.
//!
//! A static evaluation in the middle of an exchange is off by a piece (the horizon effect). Either
//! side may *stand pat*, that is, stop and take the evaluation, because nearly always some quiet
//! move keeps it; in zugzwang this is wrong. In check a side cannot stand pat, so evasions are
//! searched, and mates are found (Harris, "The heuristic search and the game of chess", 1975); once
//! one evasion does not lose by force, at most one more quiet evasion is tried.
//!
//! Out of check, captures that lose more than a little by static exchange are left out, those that
//! cannot raise the score to alpha (futility pruning), and all after the first few, because they
//! come in order. The first ply also tries quiet checks, the quiet moves that threaten most;
//! further on they would never end.

use super::control::Stopped;
use super::history::HistoryContext;
use super::node::{Node, Window, tt_adjusted_eval, tt_cutoff};
use super::params;
use super::picker::{MovePicker, Picked, QuietOrder, Stage};
use super::tt::TtEntry;
use super::worker::Worker;
use crate::board::Position;
use crate::types::Score;

impl Worker<'_> {
    /// Searches captures, promotions and evasions, and with `with_checks` quiet checks too. Returns
    /// the fail-soft score.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        mut window: Window,
        with_checks: bool,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        if let Some(score) = self.draw_or_max_ply(position, ply) {
            return Ok(score);
        }
        let entry = self.tt_probe(position, ply);
        // Unlike in the main search, at any halfmove clock: the key of the table has it, in steps
        // of eight plies, once it is high.
        if !N::PV
            && let Some(score) = entry.and_then(|entry| tt_cutoff(&entry, window))
        {
            return Ok(score);
        }

        let in_check = position.in_check();
        let raw_eval = if in_check {
            None
        } else {
            Some(self.raw_eval(position, entry))
        };
        // ANCHOR: stand_pat
        let mut best = Score::mated_in(ply);
        let mut futility = -Score::INFINITE;
        if let Some(raw) = raw_eval {
            let eval = self.static_eval(raw, position, ply);
            // Stand pat.
            best = entry.map_or(eval, |entry| tt_adjusted_eval(&entry, eval));
            if best >= window.beta {
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
            futility = best + params::quiescence_futility_margin();
        }
        // ANCHOR_END: stand_pat

        let original = window;
        let mut picker = self.quiescence_picker(position, ply, entry, with_checks);
        let mut best_move = None;
        let mut tried = 0;
        while let Some(Picked { mv, stage, .. }) =
            picker.next(position, self.histories, self.shared.tt)
        {
            self.prefetch(position, mv);
            if in_check {
                // Once an evasion does not lose by force, only captures and promotions are tried
                // after this move.
                if !best.is_loss() {
                    picker.skip_quiets();
                }
            } else if stage == Stage::Quiet {
                // A quiet check is always searched.
            } else if futility <= window.alpha && !position.see_at_least(mv, 1) {
                // Even with a margin the score stays below alpha, unless the capture wins material.
                best = best.max(futility);
                continue;
            } else if tried >= params::quiescence_max_moves() {
                // The captures come in order: after the first ones another hardly ever helps. The
                // rest is still picked, since futility may raise the score and quiet checks may
                // follow; ending the loop where no checks follow gave -0 ± 14 Elo.
                continue;
            }
            tried += 1;
            let mut next = *position;
            self.make(&mut next, mv, ply);
            let score = -self.quiescence::<N>(&next, ply + 1, window.flipped(), false)?;
            self.undo();
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.set(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                    window.alpha = score;
                }
            }
        }

        let result = TtEntry {
            mv: best_move,
            score: Some((best, original.bound_of(best))),
            static_eval: raw_eval,
            depth: 0,
            pv: entry.is_some_and(|entry| entry.pv),
        };
        self.tt_store(position, ply, result);
        Ok(best)
    }

    /// The moves to choose from: in check all of them, otherwise captures and promotions that lose
    /// little, and with `with_checks` quiet checks.
    #[inline(always)]
    fn quiescence_picker(
        &self,
        position: &Position,
        ply: usize,
        entry: Option<TtEntry>,
        with_checks: bool,
    ) -> MovePicker {
        let tt_move = entry.and_then(|entry| entry.mv);
        if !position.in_check() {
            return MovePicker::noisy(position, tt_move, params::quiescence_see(), with_checks);
        }
        let threats = position.threats(!position.side_to_move());
        let moves = self.continuations(ply);
        let order = QuietOrder {
            context: HistoryContext::new(position, threats.all, moves),
            threats,
        };
        MovePicker::all(position, tt_move, order)
    }
}
