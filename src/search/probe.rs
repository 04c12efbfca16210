//! Tablebases at the nodes of the tree: whether they are asked, and what becomes of their answer.

use super::node::{Node, Task, Window, cutoff};
use super::report::Bound;
use super::tables::Prober;
use super::tt::Entry;
use super::worker::Worker;
use crate::board::Position;
use crate::types::{Key, Score};
use std::ops::ControlFlow;

/// What a table says is worth a search deeper by so many plies.
const DEPTH_OF_PROOF: i32 = 6;

impl Worker<'_> {
    /// Asks the tablebases. They decide the node; or, on the principal variation, they narrow the window, and what they
    /// leave possible is returned.
    #[inline]
    pub(super) fn ask_tables<N: Node>(
        &mut self,
        position: &Position,
        key: Key,
        task: &mut Task,
    ) -> ControlFlow<Score, Window> {
        match self.prober {
            Some(prober) if !N::ROOT && prober.is_wanted(position, task.depth) => {
                self.probe_tables::<N>(prober, position, key, task)
            }
            _ => ControlFlow::Continue(Window::OPEN),
        }
    }

    #[cold]
    fn probe_tables<N: Node>(
        &mut self,
        prober: Prober<'_>,
        position: &Position,
        key: Key,
        task: &mut Task,
    ) -> ControlFlow<Score, Window> {
        let mut possible = Window::OPEN;
        let Some((score, bound)) = prober.score(position, task.ply) else {
            return ControlFlow::Continue(possible);
        };
        self.tablebase_hits += 1;
        let entry = Entry {
            mv: None,
            score: Some((score, bound)),
            static_eval: None,
            depth: task.depth + DEPTH_OF_PROOF,
            pv: N::PV,
        };
        if let Some(score) = cutoff(&entry, task.window) {
            self.store(key, task.ply, entry);
            return ControlFlow::Break(score);
        }
        if N::PV {
            match bound {
                Bound::Lower => {
                    possible.alpha = score;
                    task.window.alpha = task.window.alpha.max(score);
                }
                _ => possible.beta = score,
            }
        }
        ControlFlow::Continue(possible)
    }
}
