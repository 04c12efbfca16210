//! The moves of a game with their variations as a tree, and a place in it.
//!
//! [`PgnGame`] keeps variations as text, which is all that most programs need. Someone who looks
//! through a game steps into them, adds others, promotes and deletes them. [`GameTree`] is for
//! that. A variation that cannot be read, for example because of an illegal move, stays text in its
//! place, so nothing is lost between reading and writing.
//!
//! A [`NodeId`] is an index into a list of nodes, which only grows once the game is read. A deleted
//! node stays there, so that the deletion can be undone.

mod end;
mod read;
mod write;

use super::{Note, PLY_COUNT, PgnGame, TERMINATION, TagError, note};
use crate::board::{IllegalMove, Position};
use crate::game::{Game, GameResult, History, Outcome, history, san};
use crate::types::{CastlingMode, Move};
use std::borrow::Cow;
use std::fmt;

/// A place in a tree: the start of the game, or a move.
///
/// It belongs to the tree that gave it. Another tree may have other moves there, or panic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(usize);

impl NodeId {
    /// The start of the game.
    pub const ROOT: Self = Self(0);

    /// The number of this node, from 0 for the start of the game.
    pub const fn index(self) -> usize {
        self.0
    }
}

/// A move, the position after it and what is written about it.
#[derive(Debug, Clone)]
struct Node {
    /// The move; `None` at the start of the game.
    mv: Option<Move>,
    parent: NodeId,
    position: Position,
    /// The moves that were played or considered next. The first is the main one.
    children: Vec<NodeId>,
    /// Notes before the move, if a variation starts with it.
    before: Vec<Note>,
    notes: Vec<Note>,
    /// Notes after the end of the variation that starts with this move.
    after: Vec<Note>,
}

/// A change that can be undone.
#[derive(Debug, Clone)]
enum Edit {
    /// Gives the node to its parent as the child of this index.
    Attach(NodeId, usize),
    /// Takes the node from its parent.
    Detach(NodeId),
    /// Exchanges the children of these indices.
    Swap(NodeId, usize, usize),
    /// Replaces the notes after the move.
    Notes(NodeId, Vec<Note>),
    /// Replaces how the game ended.
    End(End),
}

/// How the game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct End {
    /// The result that was read or set.
    recorded: GameResult,
    /// Where and how the last act of a player ended the game. It takes precedence over the recorded
    /// result, which is kept and counts again once the act is taken back.
    act: Option<(NodeId, Outcome)>,
}

/// Edits that were made together, and where the reader was before.
#[derive(Debug, Clone)]
struct Change {
    edits: Vec<Edit>,
    cursor: NodeId,
}

/// A game with variations, and a cursor in it.
///
/// ```
/// use tabiya::game::{pgn, san};
/// let text = "1. e4 (1. d4 d5 {closed}) 1... e5 2. Nf3 *\n";
/// let read = pgn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
/// let mut tree = pgn::GameTree::from(read.game);
///
/// // Another move at ply 1 is added as a variation.
/// tree.go(tree.main_line()[0]).unwrap();
/// let mv = san::parse(tree.position(), "c5").unwrap();
/// let sicilian = tree.play(mv).unwrap();
/// let moves = |tree: &pgn::GameTree| tree.to_pgn().to_string().lines().last().unwrap().to_owned();
/// assert_eq!(moves(&tree), "1. e4 (1. d4 d5 {closed}) 1... e5 (1... c5) 2. Nf3 *");
/// tree.promote(sicilian).unwrap();
/// assert_eq!(moves(&tree), "1. e4 (1. d4 d5 {closed}) 1... c5 (1... e5 2. Nf3) *");
/// tree.undo();
/// tree.undo();
/// assert_eq!(moves(&tree), "1. e4 (1. d4 d5 {closed}) 1... e5 2. Nf3 *");
/// ```
#[derive(Debug, Clone)]
pub struct GameTree {
    /// Tags, start and mode: a game without moves.
    header: PgnGame,
    nodes: Vec<Node>,
    /// The game up to the cursor.
    line: Game,
    cursor: NodeId,
    end: End,
    /// What the tags `PlyCount` and `Termination` are about: the moves of the main line, and the
    /// result by an act or as it was read.
    tagged: (Vec<Move>, GameResult),
    done: Vec<Change>,
    undone: Vec<Change>,
}

/// Why a tree cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeError {
    /// The tree has no such node, or it was deleted.
    NoNode(usize),
    /// The start of the game is not a move.
    Root,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNode(index) => write!(f, "the game has no move with the number {index}"),
            Self::Root => write!(f, "the start of the game is not a move"),
        }
    }
}

impl std::error::Error for TreeError {}

impl GameTree {
    /// A game without moves.
    pub fn new(start: Position, mode: CastlingMode) -> Self {
        let root = Node {
            mv: None,
            parent: NodeId::ROOT,
            position: start,
            children: Vec::new(),
            before: Vec::new(),
            notes: Vec::new(),
            after: Vec::new(),
        };
        Self {
            header: PgnGame::new(History::new(start), mode, GameResult::Unknown),
            nodes: vec![root],
            line: Game::new(start, mode),
            cursor: NodeId::ROOT,
            end: End::default(),
            tagged: (Vec::new(), GameResult::Unknown),
            done: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// The moves of the main line, in order.
    pub fn main_line(&self) -> Vec<NodeId> {
        let next = |id: &NodeId| self.children(*id).first().copied();
        std::iter::successors(next(&NodeId::ROOT), next).collect()
    }

    /// The last node of the line that continues from `id` with the main moves.
    pub fn last_of(&self, id: NodeId) -> NodeId {
        let next = |id: &NodeId| self.children(*id).first().copied();
        std::iter::successors(Some(id), next).last().unwrap_or(id)
    }

    /// The moves from the start to this node, which is the last one.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let up = |id: &NodeId| Some(self.node(*id).parent);
        let mut path: Vec<_> = std::iter::successors(Some(id), up)
            .take_while(|&id| id != NodeId::ROOT)
            .collect();
        path.reverse();
        path
    }

    /// The node with this number.
    ///
    /// # Errors
    /// If it does not exist or was deleted.
    pub fn find(&self, index: usize) -> Result<NodeId, TreeError> {
        let mut id = NodeId(index);
        if index >= self.nodes.len() {
            return Err(TreeError::NoNode(index));
        }
        while id != NodeId::ROOT {
            let parent = self.node(id).parent;
            if !self.children(parent).contains(&id) {
                return Err(TreeError::NoNode(index));
            }
            id = parent;
        }
        Ok(NodeId(index))
    }

    /// The moves that follow a node; the first is the main one.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    /// The node before this one; the start of the game for itself.
    pub fn parent(&self, id: NodeId) -> NodeId {
        self.node(id).parent
    }

    /// The move of a node, which may be a null move ([`Move::is_null`]); `None` at the start of the
    /// game.
    pub fn move_of(&self, id: NodeId) -> Option<Move> {
        self.node(id).mv
    }

    /// The position after a node.
    pub fn position_of(&self, id: NodeId) -> &Position {
        &self.node(id).position
    }

    /// The move of a node in standard notation; empty at the start of the game.
    pub fn san_of(&self, id: NodeId) -> String {
        let node = self.node(id);
        node.mv.map_or_else(String::new, |mv| {
            san::write(self.position_of(node.parent), mv)
        })
    }

    /// The notes before a move that starts a variation.
    pub fn notes_before(&self, id: NodeId) -> &[Note] {
        &self.node(id).before
    }

    /// The notes after a move, or before the first one. A [`Note::Variation`] could not be read.
    pub fn notes(&self, id: NodeId) -> &[Note] {
        &self.node(id).notes
    }

    /// The notes after the end of the variation that starts with this move.
    pub fn notes_after(&self, id: NodeId) -> &[Note] {
        &self.node(id).after
    }

    /// The tags, as [`PgnGame`] has them.
    pub fn tags(&self) -> Vec<(String, String)> {
        let owned = |(name, value): (&str, Cow<'_, str>)| (name.to_owned(), value.into_owned());
        self.to_pgn().tags().into_iter().map(owned).collect()
    }

    /// Sets a tag. This cannot be undone. `PlyCount` and `Termination` belong to the present main
    /// line and result: they are left out while the main line or, for `Termination`, the result is
    /// another one.
    ///
    /// # Errors
    /// See [`PgnGame::set_tag`].
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        let is_about_moves = [PLY_COUNT, TERMINATION].contains(&name);
        let mut header = self.header.clone();
        if is_about_moves {
            self.drop_stale_tags(&mut header);
        }
        header.set_tag(name, value)?;
        self.header = header;
        if is_about_moves {
            self.tagged = self.main_moves();
        }
        Ok(())
    }

    /// The castling mode.
    pub const fn mode(&self) -> CastlingMode {
        self.header.mode
    }

    /// The place that is looked at.
    pub const fn cursor(&self) -> NodeId {
        self.cursor
    }

    /// The game up to the cursor. Its outcome is the one by rule, or that of the act that was the
    /// last change; see [`outcome`](Self::outcome).
    pub const fn line(&self) -> &Game {
        &self.line
    }

    /// The position at the cursor.
    pub fn position(&self) -> &Position {
        self.line.position()
    }

    /// Moves the cursor.
    ///
    /// # Errors
    /// If the node was deleted.
    pub fn go(&mut self, id: NodeId) -> Result<(), TreeError> {
        let target = self.path(self.find(id.0)?);
        let here = self.path(self.cursor);
        let common = here.iter().zip(&target).take_while(|(a, b)| a == b).count();
        for _ in common..here.len() {
            self.line.reopen();
        }
        // An act may have ended the game here; what follows is decided by the position.
        for &next in &target[common..] {
            let _ = self.node(next).mv.map(|mv| self.line.replay(mv));
            self.line.forget_offer();
        }
        self.cursor = id;
        Ok(())
    }

    /// Plays a move at the cursor and follows it. If it is already there, nothing is added; if
    /// there are others, it becomes a variation.
    ///
    /// # Errors
    /// If the move is not legal. No move is legal in a game whose variant or start is not played
    /// here: its moves are text, and would be lost after others.
    pub fn play(&mut self, mv: Move) -> Result<NodeId, IllegalMove> {
        self.add(mv, Self::end_after_a_move)
    }

    /// Plays a move as [`play`](Self::play) does, but leaves the result of the game as it is, also
    /// where the game has ended: the move is what might have followed.
    ///
    /// # Errors
    /// As for [`play`](Self::play).
    pub fn consider(&mut self, mv: Move) -> Result<NodeId, IllegalMove> {
        self.add(mv, Self::end_as_it_is)
    }

    /// Plays a move; `end` is what holds of the end of the game if it is a new one.
    fn add(&mut self, mv: Move, end: fn(&Self) -> End) -> Result<NodeId, IllegalMove> {
        if self.header.is_foreign() || mv.is_null() {
            return Err(IllegalMove(mv));
        }
        let found = self.children(self.cursor).iter().copied();
        let known = found.into_iter().find(|&id| self.node(id).mv == Some(mv));
        self.line.replay(mv)?;
        if let Some(id) = known {
            self.cursor = id;
            return Ok(id);
        }
        let cursor = self.cursor;
        let end = end(self);
        let id = self.add_node(cursor, mv);
        let mut edits = vec![Edit::Detach(id)];
        if end != self.end {
            edits.push(self.apply(Edit::End(end)));
        }
        self.remember(edits, cursor);
        self.cursor = id;
        Ok(id)
    }

    /// Moves a variation one place up, so that it becomes the main line in the end.
    ///
    /// # Errors
    /// If the node was deleted, or is the start of the game.
    pub fn promote(&mut self, id: NodeId) -> Result<(), TreeError> {
        let index = self.index_of(id)?;
        if index > 0 {
            let swap = Edit::Swap(self.node(id).parent, index - 1, index);
            let edits = self.apply_to_moves(swap);
            self.remember(edits, self.cursor);
        }
        Ok(())
    }

    /// Deletes a move and all that follows it. If the cursor is there, it moves to the move before.
    ///
    /// # Errors
    /// If the node was deleted, or is the start of the game.
    pub fn delete(&mut self, id: NodeId) -> Result<(), TreeError> {
        self.index_of(id)?;
        let cursor = self.cursor;
        if self.path(cursor).contains(&id) {
            self.go(self.parent(id))?;
        }
        let mut edits = self.apply_to_moves(Edit::Detach(id));
        if let Some((at, _)) = self.end.act
            && self.path(at).contains(&id)
        {
            let end = End {
                act: None,
                ..self.end
            };
            edits.push(self.apply(Edit::End(end)));
        }
        self.remember(edits, cursor);
        Ok(())
    }

    /// Replaces the notes after a move. Variations that could not be read are notes too.
    ///
    /// # Errors
    /// If the node was deleted.
    pub fn set_notes(&mut self, id: NodeId, notes: Vec<Note>) -> Result<(), TreeError> {
        self.find(id.0)?;
        let edit = self.apply_notes(id, notes);
        self.remember(vec![edit], self.cursor);
        Ok(())
    }

    /// Replaces the notes after many moves, as [`set_notes`](Self::set_notes) does, in one change.
    ///
    /// # Errors
    /// If a node was deleted. Then nothing is changed.
    pub fn set_all_notes(&mut self, all: Vec<(NodeId, Vec<Note>)>) -> Result<(), TreeError> {
        for (id, _) in &all {
            self.find(id.0)?;
        }
        let edits = all
            .into_iter()
            .map(|(id, notes)| self.apply_notes(id, notes));
        let edits: Vec<_> = edits.collect();
        if !edits.is_empty() {
            self.remember(edits, self.cursor);
        }
        Ok(())
    }

    fn apply_notes(&mut self, id: NodeId, notes: Vec<Note>) -> Edit {
        let mut tidy = Vec::new();
        for note in notes.into_iter().filter_map(Note::tidy) {
            note::push(&mut tidy, note);
        }
        self.apply(Edit::Notes(id, tidy))
    }

    /// Undoes the last change: a move that was added, an act, a result, a promotion, a deletion,
    /// notes. The cursor returns to where it was. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(change) = self.done.pop() else {
            return false;
        };
        let inverse = self.revert(change);
        self.undone.push(inverse);
        true
    }

    /// Makes the last undone change again. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        let Some(change) = self.undone.pop() else {
            return false;
        };
        let inverse = self.revert(change);
        self.done.push(inverse);
        true
    }

    /// Whether there is a change to undo.
    pub const fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Whether there is an undone change.
    pub const fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    fn revert(&mut self, change: Change) -> Change {
        let cursor = self.cursor;
        // A later edit may depend on an earlier one, so the last is undone first.
        let edits = change.edits.into_iter().rev();
        let edits = edits.map(|edit| self.apply(edit)).collect();
        // A place that no longer exists is left for the last one on its way that does.
        self.replay_to(self.nearest(change.cursor));
        Change { edits, cursor }
    }

    /// Goes to a place from the start, so that the line does not keep the outcome of an act that no
    /// longer holds.
    fn replay_to(&mut self, id: NodeId) {
        self.line = Game::new(self.nodes[0].position, self.mode());
        self.cursor = NodeId::ROOT;
        let _ = self.go(id);
    }

    /// The last node on the way to `id` that was not deleted.
    fn nearest(&self, id: NodeId) -> NodeId {
        let mut kept = NodeId::ROOT;
        for next in self.path(id) {
            if !self.children(kept).contains(&next) {
                break;
            }
            kept = next;
        }
        kept
    }

    fn remember(&mut self, edits: Vec<Edit>, cursor: NodeId) {
        self.done.push(Change { edits, cursor });
        self.undone.clear();
    }

    /// Makes an edit and returns the one that undoes it.
    fn apply(&mut self, edit: Edit) -> Edit {
        match edit {
            Edit::Attach(id, index) => {
                let parent = self.node(id).parent;
                self.node_mut(parent).children.insert(index, id);
                Edit::Detach(id)
            }
            Edit::Detach(id) => {
                let parent = self.node(id).parent;
                let siblings = &mut self.node_mut(parent).children;
                let index = siblings.iter().position(|&other| other == id);
                let index = index.unwrap_or(siblings.len());
                siblings.retain(|&other| other != id);
                Edit::Attach(id, index)
            }
            Edit::Swap(parent, first, second) => {
                let siblings = &mut self.node_mut(parent).children;
                siblings.swap(first, second);
                let (first_id, second_id) = (siblings[first], siblings[second]);
                // Notes after a variation belong to its place and not to its moves.
                let notes = std::mem::take(&mut self.node_mut(first_id).after);
                let notes = std::mem::replace(&mut self.node_mut(second_id).after, notes);
                self.node_mut(first_id).after = notes;
                Edit::Swap(parent, first, second)
            }
            Edit::Notes(id, notes) => {
                let before = std::mem::replace(&mut self.node_mut(id).notes, notes);
                Edit::Notes(id, before)
            }
            Edit::End(end) => Edit::End(std::mem::replace(&mut self.end, end)),
        }
    }

    fn index_of(&self, id: NodeId) -> Result<usize, TreeError> {
        if self.find(id.0)? == NodeId::ROOT {
            return Err(TreeError::Root);
        }
        let siblings = self.children(self.parent(id));
        let index = siblings.iter().position(|&other| other == id);
        index.ok_or(TreeError::NoNode(id.0))
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// Adds a legal move, or a null move of a record, after a node.
    fn add_node(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = NodeId(self.nodes.len());
        let position = history::after(&self.node(parent).position, mv);
        self.nodes.push(Node {
            mv: Some(mv),
            parent,
            position,
            children: Vec::new(),
            before: Vec::new(),
            notes: Vec::new(),
            after: Vec::new(),
        });
        self.node_mut(parent).children.push(id);
        id
    }
}
