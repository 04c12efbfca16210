//! Singular extensions: a move that is better than all others by a margin is searched deeper.
//!
//! Where only one move holds, everything depends on it, and a search of fixed depth misses lines of
//! such moves (Anantharaman, Campbell and Hsu, "Singular Extensions: Adding Selectivity to
//! Brute-Force Searching", 1990). A shallow search of the node without the TT move, the *singular
//! search*, shows whether another move comes near:
//!
//! - If it stays below the TT score by a margin, the move is singular and is extended by one ply.
//!   At non-PV nodes a larger margin makes it two plies (*double extension*), and a still larger
//!   one three for a quiet move (*triple extension*).
//! - Otherwise another move comes near. If the score without the TT move reaches beta, several
//!   moves fail high, and the node is cut off (*multicut*; Björnsson and Marsland, "Multi-Cut
//!   Alpha-Beta Pruning", 1999).
//! - Otherwise, if the TT score reaches beta or the node is a cut node, the TT move is reduced
//!   (*negative extension*).
//!
//! The singular search goes to half the depth, so it pays at high depth only. The other extension,
//! of checks at the horizon, is step 1 of [`negamax`](super::negamax).

use super::control::Stopped;
use super::node::{Node, NodeArgs, NodeState, NonPvNode, Window};
use super::params;
use super::report::Bound;
use super::worker::Worker;
use crate::board::Position;
use crate::eval::KNOWN_WIN;
use crate::types::{Move, Score};

/// The result of a singular search.
pub(super) enum Singular {
    /// Extension of the TT move in plies; negative to reduce it.
    Extension(i32),
    /// Score of the node, which fails high without the TT move.
    Multicut(Score),
}

impl Worker<'_> {
    /// Runs the singular search for the TT move `mv`, if its entry has a lower bound or an exact
    /// score from a search that was nearly as deep.
    pub(super) fn singular_extension<N: Node>(
        &mut self,
        position: &Position,
        node: &NodeState,
        mv: Move,
    ) -> Result<Singular, Stopped> {
        let args = node.args;
        let no_extension = Ok(Singular::Extension(0));
        let Some(entry) = node.tt_entry else {
            return no_extension;
        };
        let Some((tt_score, bound)) = entry.score else {
            return no_extension;
        };
        if N::ROOT
            || args.excluded.is_some()
            || args.depth < params::singular_depth() + i32::from(node.tt_pv)
            || args.ply as i32 >= params::singular_max_ply() * self.depth
            || bound == Bound::Upper
            // A known win takes many good moves, not single ones. No other move comes near a
            // decisive score.
            || tt_score.0.abs() >= KNOWN_WIN
            || entry.depth < args.depth - params::singular_tt_depth_margin()
        {
            return no_extension;
        }

        let margin = args.depth * params::singular_margin() / 16;
        let singular_beta = tt_score - margin;
        let score = self.negamax::<NonPvNode>(
            position,
            NodeArgs {
                depth: (args.depth - 1) / 2,
                window: Window::null_at(singular_beta - 1),
                excluded: Some(mv),
                ..args
            },
        )?;

        if score < singular_beta {
            let is_double = !N::PV && score < singular_beta - params::singular_double_margin();
            let is_triple = is_double
                && !position.is_noisy(mv)
                && score < singular_beta - params::singular_triple_margin();
            return Ok(Singular::Extension(
                1 + i32::from(is_double) + i32::from(is_triple),
            ));
        }
        if score >= args.window.beta && !score.is_decisive() {
            return Ok(Singular::Multicut(score));
        }
        Ok(Singular::Extension(if tt_score >= args.window.beta {
            -params::singular_negative_fail_high() + i32::from(N::PV)
        } else if args.cut_node {
            -params::singular_negative_cut_node()
        } else {
            0
        }))
    }
}
