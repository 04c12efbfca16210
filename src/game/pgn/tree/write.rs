//! Writes a tree as a game whose variations are text.

use super::{GameTree, NodeId};
use crate::game::pgn::{Note, PLY_COUNT, PgnGame, TERMINATION, termination};
use crate::game::{GameResult, History, san};
use crate::types::Move;

impl GameTree {
    /// The game as PGN: the main line with notes, and the variations as notes.
    pub fn to_pgn(&self) -> PgnGame {
        let mut pgn = self.header.clone();
        for note in &self.nodes[0].notes {
            pgn.add_note(0, note.clone());
        }
        for (id, plies) in self.main_line().into_iter().zip(1..) {
            let node = self.node(id);
            for note in &node.before {
                pgn.add_note(plies - 1, note.clone());
            }
            for note in node.notes.iter().chain(&node.after) {
                pgn.add_note(plies, note.clone());
            }
            for &other in self.children(node.parent).iter().skip(1) {
                pgn.add_note(plies, Note::Variation(self.write_variation(other)));
                for note in &self.node(other).after {
                    pgn.add_note(plies, note.clone());
                }
            }
        }
        self.drop_stale_tags(&mut pgn);
        pgn.result = self.result();
        if let Some((_, outcome)) = self.end.act {
            let value = termination(Some(outcome)).to_owned();
            pgn.tags.insert(TERMINATION.to_owned(), value);
        }
        pgn.history = self.main_history();
        pgn
    }

    /// The moves of the main line with their positions.
    pub(super) fn main_history(&self) -> History {
        let mut history = History::new(self.nodes[0].position);
        for id in self.main_line() {
            // Moves of the tree are legal.
            let _ = self.move_of(id).map(|mv| history.replay(mv));
        }
        history
    }

    /// Takes the tags from a header that were about other moves or another result.
    pub(super) fn drop_stale_tags(&self, header: &mut PgnGame) {
        let (moves, result) = self.main_moves();
        let has_other_moves = moves != self.tagged.0;
        if has_other_moves {
            header.tags.remove(PLY_COUNT);
        }
        if has_other_moves || result != self.tagged.1 {
            header.tags.remove(TERMINATION);
        }
    }

    /// The moves of the main line, and the result by an act or as it was read.
    pub(super) fn main_moves(&self) -> (Vec<Move>, GameResult) {
        let moves = self.main_line().into_iter();
        let moves = moves.filter_map(|id| self.move_of(id)).collect();
        (moves, self.stated_result())
    }

    /// The text of the variation that starts with this move.
    fn write_variation(&self, first: NodeId) -> String {
        enum Task<'a> {
            Move(NodeId),
            Notes(&'a [Note]),
            Open,
            Close,
        }
        let mut text = String::new();
        let mut add = |piece: &str| {
            if !text.is_empty() && !text.ends_with('(') && piece != ")" {
                text.push(' ');
            }
            text.push_str(piece);
        };
        let mut is_interrupted = true;
        let mut tasks = vec![Task::Move(first)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open => {
                    add("(");
                    is_interrupted = true;
                }
                Task::Close => {
                    add(")");
                    is_interrupted = true;
                }
                Task::Notes(notes) => {
                    notes.iter().for_each(|note| add(&note.words().join(" ")));
                    is_interrupted |= notes.iter().any(|note| !matches!(note, Note::Glyph(_)));
                }
                Task::Move(id) => {
                    let node = self.node(id);
                    node.before
                        .iter()
                        .for_each(|note| add(&note.words().join(" ")));
                    is_interrupted |= !node.before.is_empty();
                    let position = self.position_of(node.parent);
                    if let Some(number) = san::move_number(position, is_interrupted) {
                        add(&number);
                    }
                    add(&self.san_of(id));
                    is_interrupted = false;
                    tasks.extend(node.children.first().map(|&next| Task::Move(next)));
                    // The variations follow the main move that they replace.
                    let siblings = self.children(node.parent);
                    if siblings.first() == Some(&id) {
                        for &other in siblings.iter().skip(1).rev() {
                            tasks.push(Task::Notes(&self.node(other).after));
                            tasks.extend([Task::Close, Task::Move(other), Task::Open]);
                        }
                        tasks.push(Task::Notes(&node.after));
                    }
                    tasks.push(Task::Notes(&node.notes));
                }
            }
        }
        text
    }
}
