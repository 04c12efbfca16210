//! What JavaScript learns of the moves of a game, and writes about them.

use serde::{Deserialize, Serialize};
use tabiya::game::lan;
use tabiya::game::pgn::{GameTree, NodeId, Note, TreeError};
use tabiya::types::Color;

/// A move of the tree.
#[derive(Serialize)]
pub(crate) struct Node {
    id: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    /// Number of moves before and with this one.
    ply: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    san: String,
    /// Such as `12.` or `12...`.
    #[serde(skip_serializing_if = "String::is_empty")]
    number: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<u8>,
    /// Variations that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<String>,
    children: Vec<usize>,
}

/// New comments and glyphs of a node.
#[derive(Deserialize)]
pub(crate) struct NodeNotes {
    pub(crate) node: usize,
    pub(crate) comments: Vec<String>,
    pub(crate) glyphs: Vec<u8>,
}

/// All moves with their notes, the start of the game first.
pub(crate) fn nodes(tree: &GameTree) -> Vec<Node> {
    let mut found = Vec::new();
    let mut waiting = vec![(NodeId::ROOT, 0)];
    while let Some((id, ply)) = waiting.pop() {
        found.push(node(tree, id, ply));
        let children = tree.children(id).iter().rev();
        waiting.extend(children.map(|&child| (child, ply + 1)));
    }
    found
}

fn node(tree: &GameTree, id: NodeId, ply: usize) -> Node {
    let before = tree.position_of(tree.parent(id));
    let comments = |notes: &[Note]| -> Vec<String> {
        let text = |note: &Note| match note {
            Note::Comment(text) => Some(text.clone()),
            _ => None,
        };
        notes.iter().filter_map(text).collect()
    };
    let notes = tree.notes(id);
    let is_move = id != NodeId::ROOT;
    Node {
        id: id.index(),
        parent: is_move.then(|| tree.parent(id).index()),
        ply,
        uci: tree.move_of(id).map(|mv| lan::write(mv, tree.mode())),
        san: tree.san_of(id),
        number: match (is_move, before.side_to_move()) {
            (false, _) => String::new(),
            (true, Color::White) => format!("{}.", before.fullmove_number()),
            (true, Color::Black) => format!("{}...", before.fullmove_number()),
        },
        before: comments(tree.notes_before(id)),
        comments: comments(notes),
        glyphs: notes
            .iter()
            .filter_map(|note| match note {
                Note::Glyph(number) => Some(*number),
                _ => None,
            })
            .collect(),
        unread: notes
            .iter()
            .filter_map(|note| match note {
                Note::Variation(text) => Some(text.clone()),
                _ => None,
            })
            .collect(),
        after: comments(tree.notes_after(id)),
        children: tree
            .children(id)
            .iter()
            .map(|child| child.index())
            .collect(),
    }
}

impl NodeNotes {
    /// The new notes of a node. Variations that could not be read stay.
    pub(crate) fn notes(self, tree: &GameTree) -> Result<(NodeId, Vec<Note>), TreeError> {
        let id = tree.find(self.node)?;
        let unread = tree.notes(id).iter();
        let unread = unread.filter(|note| matches!(note, Note::Variation(_)));
        let notes = self.glyphs.into_iter().map(Note::Glyph);
        let notes = notes.chain(self.comments.into_iter().map(Note::Comment));
        Ok((id, notes.chain(unread.cloned()).collect()))
    }
}
