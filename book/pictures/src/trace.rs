//! A record of the nodes that a search enters and leaves.

use serde::Serialize;
use tabiya::board::Position;

/// A search is stopped after so many nodes, so that a page does not hang.
const MAX_NODES: u64 = 3_000_000;
/// So many nodes are recorded; the others are only counted.
const MAX_RECORDED: usize = 200_000;

/// No node, or no step.
pub(crate) const NONE: u32 = u32::MAX;

/// What a call of a search does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Root,
    Inner,
    /// The depth is used up, and the position is evaluated.
    Leaf,
    Quiescence,
}

/// One call of the search.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    /// The key of the position, from which its move is found again.
    pub(crate) key: u64,
    pub(crate) kind: Kind,
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) score: i32,
    /// The steps at which the search enters and leaves it.
    pub(crate) entered: u32,
    pub(crate) left: u32,
    /// Calls from here, in their order.
    pub(crate) children: Vec<u32>,
}

/// Enters or leaves a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) node: u32,
    pub(crate) leaves: bool,
}

/// The calls of a search.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) nodes: Vec<Node>,
    pub(crate) steps: Vec<Step>,
    /// The nodes that are entered and not left.
    open: Vec<u32>,
    entered: u64,
    /// Whether later nodes are not recorded.
    is_full: bool,
    /// Whether the search was stopped.
    pub(crate) is_stopped: bool,
}

impl Trace {
    /// A trace that only counts.
    pub(crate) fn counting() -> Self {
        Self {
            is_full: true,
            ..Self::default()
        }
    }

    /// The search enters a node. Returns whether it may go on.
    pub(crate) fn enter(
        &mut self,
        position: &Position,
        kind: Kind,
        depth: i32,
        (alpha, beta): (i32, i32),
    ) -> bool {
        self.entered += 1;
        self.is_stopped |= self.entered > MAX_NODES;
        self.is_full |= self.is_stopped || self.nodes.len() >= MAX_RECORDED;
        if self.is_full {
            return !self.is_stopped;
        }
        let node = self.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or(NONE);
        if let Some(parent) = self.nodes.get_mut(parent as usize) {
            parent.children.push(node);
        }
        self.nodes.push(Node {
            parent,
            key: position.key().0,
            kind,
            depth,
            alpha,
            beta,
            score: 0,
            entered: self.steps.len() as u32,
            left: NONE,
            children: Vec::new(),
        });
        self.open.push(node);
        self.steps.push(Step {
            node,
            leaves: false,
        });
        true
    }

    /// The search leaves the last node that it entered.
    pub(crate) fn leave(&mut self, score: i32) {
        if self.is_full {
            return;
        }
        let Some(node) = self.open.pop() else { return };
        let left = self.steps.len() as u32;
        let record = &mut self.nodes[node as usize];
        (record.score, record.left) = (score, left);
        self.steps.push(Step { node, leaves: true });
    }

    /// Whether the trace ends before the search.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.is_full
    }
}
