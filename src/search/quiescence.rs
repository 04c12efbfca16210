//! The end of each line: only captures and promotions, until the position is quiet enough to be evaluated.

use super::control::Stopped;
use super::node::{Node, Window, better_estimate, cutoff};
use super::params::{QUIESCENCE_FUTILITY_MARGIN, QUIESCENCE_SEE};
use super::picker::{Hints, Picker};
use super::report::Bound;
use super::tt::Entry;
use super::worker::{Worker, fade};
use crate::board::Position;
use crate::types::Score;

impl Worker<'_> {
    /// The score of a position when both sides may stop capturing at any time.
    ///
    /// In check one may not stop, so all evasions are tried and mate is seen.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        if let Some(score) = self.end_of_line(position, ply) {
            return Ok(score);
        }
        let key = position.key();
        let entry = self.probe(position, key, ply);
        if !N::PV
            && let Some(score) = entry.and_then(|entry| cutoff(&entry, window))
        {
            return Ok(score);
        }

        let in_check = position.in_check();
        let raw_eval = if in_check {
            None
        } else {
            Some(self.raw_eval(position, entry))
        };
        let mut best = Score::mated_in(ply);
        let mut futility = -Score::INFINITE;
        if let Some(raw) = raw_eval {
            let eval = fade(raw, position);
            // Standing pat: there is nearly always a quiet move that keeps what one has.
            best = entry.map_or(eval, |entry| better_estimate(&entry, eval));
            if best >= window.beta {
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
            futility = best + QUIESCENCE_FUTILITY_MARGIN;
        }

        let original_alpha = window.alpha;
        let tt_move = entry.and_then(|entry| entry.mv);
        let mut picker = match in_check {
            true => Picker::all(
                position,
                Hints {
                    tt_move,
                    ..Hints::default()
                },
            ),
            false => Picker::noisy(position, tt_move, QUIESCENCE_SEE),
        };
        let mut best_move = None;
        while let Some((mv, _)) = picker.next(position, self.histories) {
            if in_check {
                // One evasion that does not lose is enough to know that there is one.
                if !best.is_loss() {
                    picker.skip_quiets();
                }
            } else if futility <= window.alpha && !position.see_at_least(mv, 1) {
                // Even with a margin on top it stays below alpha, unless it wins material.
                best = best.max(futility);
                continue;
            }
            let next = self.play(position, mv, ply);
            let score = -self.quiescence::<N>(&next, ply + 1, window.flipped())?;
            self.take_back();
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

        let bound = if best >= window.beta {
            Bound::Lower
        } else if N::PV && best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let pv = entry.is_some_and(|entry| entry.pv);
        self.store(
            key,
            ply,
            Entry {
                mv: best_move,
                score: Some((best, bound)),
                static_eval: raw_eval,
                depth: 0,
                pv,
            },
        );
        Ok(best)
    }
}
