//! Singular extensions: a move that is better than all others by a margin is searched deeper.
//!
//! Where only one move holds, everything depends on it, and a line of such moves is what a search of fixed depth misses
//! (Anantharaman, Campbell and Hsu, "Singular Extensions: Adding Selectivity to Brute-Force Searching", 1990). Whether the
//! TT move is singular is asked by a shallow search of the node without it: if that stays below the TT score by
//! a margin, no other move comes near. The same search answers more questions: if even without the move it fails high,
//! there are several good moves and the node is cut (*multicut*, Björnsson and Marsland, 1999); if it says that the TT move
//! is one of several, the move is reduced (*negative extension*). It costs a search of half the depth, so it pays at depth only.
//!
//! The other extension, of checks at the leaves, is one line of [`negamax`](super::negamax).

use super::control::Stopped;
use super::node::{Node, NodeArgs, NodeState, NonPvNode, Window};
use super::params;
use super::report::Bound;
use super::worker::Worker;
use crate::board::Position;
use crate::eval::KNOWN_WIN;
use crate::types::{Move, Score};

/// What the search without the TT move says.
pub(super) enum Singularity {
    /// The TT move is to be searched deeper by so many plies; negative: less deep.
    Extension(i32),
    /// The node fails high without it.
    Multicut(Score),
}

impl Worker<'_> {
    /// Whether the move is singular, where that can be asked: it is the TT move and its score a lower bound of a search
    /// nearly as deep.
    pub(super) fn singularity<N: Node>(
        &mut self,
        position: &Position,
        node: &NodeState,
        mv: Move,
    ) -> Result<Singularity, Stopped> {
        let args = node.args;
        let no_extension = Ok(Singularity::Extension(0));
        let Some(entry) = node.tt_entry.filter(|entry| entry.mv == Some(mv)) else {
            return no_extension;
        };
        let Some((tt_score, bound)) = entry.score else {
            return no_extension;
        };
        if N::ROOT
            || node.excluded.is_some()
            || args.depth < params::singular_depth() + i32::from(node.tt_pv)
            || args.ply as i32 >= 2 * self.depth
            || bound == Bound::Upper
            // Where a win is known by rule it takes many good moves, not single ones; and nothing comes near a decisive score.
            || tt_score.0.abs() >= KNOWN_WIN
            || entry.depth < args.depth - params::singular_tt_depth_margin()
        {
            return no_extension;
        }

        let margin = args.depth * params::singular_margin() / 16;
        let singular_beta = tt_score - margin;
        self.stack[args.ply].excluded = Some(mv);
        let score = self.negamax::<NonPvNode>(
            position,
            NodeArgs {
                depth: (args.depth - 1) / 2,
                window: Window::null_at(singular_beta - 1),
                ..args
            },
        );
        self.stack[args.ply].excluded = None;
        let score = score?;

        if score < singular_beta {
            let is_double = !N::PV && score < singular_beta - params::singular_double_margin();
            let is_triple = is_double
                && !position.is_noisy(mv)
                && score < singular_beta - params::singular_triple_margin();
            return Ok(Singularity::Extension(
                1 + i32::from(is_double) + i32::from(is_triple),
            ));
        }
        if score >= args.window.beta && !score.is_decisive() {
            return Ok(Singularity::Multicut(score));
        }
        Ok(Singularity::Extension(if tt_score >= args.window.beta {
            -params::singular_negative_fail_high() + i32::from(N::PV)
        } else if args.cut_node {
            -params::singular_negative_cut_node()
        } else {
            0
        }))
    }
}
