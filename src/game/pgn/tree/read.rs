//! Builds a tree from a game whose variations are text.

use super::{GameTree, NodeId};
use crate::board::Position;
use crate::game::pgn::lexer::{Lexer, Token};
use crate::game::pgn::word::Word;
use crate::game::pgn::{Note, PgnGame, note};
use crate::game::{GameResult, History, san};
use crate::types::Move;
use std::ops::Range;

impl From<PgnGame> for GameTree {
    fn from(mut pgn: PgnGame) -> Self {
        let history = std::mem::replace(&mut pgn.history, History::new(Position::start()));
        let notes = std::mem::take(&mut pgn.notes);
        let mut tree = Self::new(*history.start(), pgn.mode);
        (tree.header.tags, tree.end.recorded) = (pgn.tags, pgn.result);
        tree.header.foreign = pgn.foreign;
        let mut at = NodeId::ROOT;
        tree.add_notes(at, notes.get(&0).map_or(&[], Vec::as_slice));
        for (mv, plies) in history.moves().zip(1..) {
            at = tree.add_node(at, mv);
            tree.add_notes(at, notes.get(&plies).map_or(&[], Vec::as_slice));
        }
        tree.tagged = tree.main_moves();
        tree
    }
}

impl GameTree {
    /// Adds the notes after a move of the main line. Variations that can be read become moves.
    fn add_notes(&mut self, id: NodeId, notes: &[Note]) {
        let mut place = Place::Notes(id);
        for note in notes {
            match note {
                Note::Variation(text) if id != NodeId::ROOT => {
                    match self.read_variation(self.parent(id), text) {
                        Some(first) => place = Place::After(first),
                        None => self.add_note(place, note.clone()),
                    }
                }
                _ => self.add_note(place, note.clone()),
            }
        }
    }

    fn add_note(&mut self, place: Place, note: Note) {
        let Some(note) = note.tidy() else { return };
        let notes = match place {
            Place::Before(id) => &mut self.node_mut(id).before,
            Place::Notes(id) => &mut self.node_mut(id).notes,
            Place::After(id) => &mut self.node_mut(id).after,
        };
        note::push(notes, note);
    }

    /// Reads the text of a variation that starts after `parent`. Returns its first move; or `None`,
    /// and the tree is as before, if its own moves cannot be read.
    fn read_variation(&mut self, parent: NodeId, text: &str) -> Option<NodeId> {
        let nodes = self.nodes.len();
        let mut lexer = Lexer::new(text.as_bytes());
        lexer.start_capture();
        let mut open = vec![Variation::new(parent, 0, nodes)];
        let first = self.read_moves(&mut lexer, &mut open);
        if first.is_none() {
            self.forget_since(parent, nodes);
        }
        first
    }

    /// Forgets the nodes from a number on, which follow `parent`.
    fn forget_since(&mut self, parent: NodeId, nodes: usize) {
        self.nodes.truncate(nodes);
        // While a game is read, children are in the order of their numbers.
        let children = &mut self.node_mut(parent).children;
        children.truncate(children.partition_point(|child| child.0 < nodes));
    }

    fn read_moves(
        &mut self,
        lexer: &mut Lexer<&[u8]>,
        open: &mut Vec<Variation>,
    ) -> Option<NodeId> {
        // Reading from memory cannot fail.
        while let Some((_, token)) = lexer.next().ok()? {
            let depth = match token {
                Token::Open => 2,
                Token::Close => 0,
                _ => 1,
            };
            if self.read_token(lexer, open, token).is_none() {
                // The innermost variation stays text, and the one around it goes on.
                let unread = open.pop().filter(|_| !open.is_empty())?;
                self.forget_since(unread.parent, unread.nodes);
                skip_variation(lexer, depth)?;
                let text = Pending::Unread(unread.start..lexer.captured());
                open.last_mut()?.pending.push(text);
            }
        }
        let last = open.pop().filter(|_| open.is_empty())?;
        self.close(lexer, last)
    }

    /// Adds what a token says to the innermost variation. The lexer stands behind the token.
    /// Returns `None` if the variation cannot be read.
    fn read_token(
        &mut self,
        lexer: &Lexer<&[u8]>,
        open: &mut Vec<Variation>,
        token: Token,
    ) -> Option<()> {
        let line = open.last_mut()?;
        match token {
            Token::Blank | Token::Result(GameResult::Unknown) => {}
            Token::Comment(text) => line.wait_with(Note::Comment(text)),
            Token::Glyph(number) => line.wait_with(Note::Glyph(number)),
            Token::Result(result) => line.wait_with(Note::Comment(result.to_string())),
            Token::Move(text) => {
                let position = &self.nodes[line.at.0].position;
                let Word { mv, glyphs } = Word::read(&text);
                let mv = if san::is_null(&text) && !position.in_check() {
                    Move::NULL
                } else {
                    san::parse(position, &mv).ok()?
                };
                let id = self.add_node(line.at, mv);
                let place = line.first.map_or(Place::Before(id), |_| line.place);
                (line.at, line.place) = (id, Place::Notes(id));
                line.first.get_or_insert(id);
                self.add_pending(lexer, place, std::mem::take(&mut line.pending));
                for glyph in glyphs {
                    self.add_note(Place::Notes(id), Note::Glyph(glyph));
                }
            }
            Token::Open => {
                // A variation replaces the last move, so there must be one.
                line.first?;
                let (at, place) = (line.at, line.place);
                self.add_pending(lexer, place, std::mem::take(&mut line.pending));
                let parent = self.parent(at);
                open.push(Variation::new(parent, lexer.captured(), self.nodes.len()));
            }
            Token::Close => {
                // The outermost parentheses are not part of the text.
                (open.len() > 1 && open.last()?.first.is_some()).then_some(())?;
                let first = self.close(lexer, open.pop()?)?;
                open.last_mut()?.place = Place::After(first);
            }
            Token::Tag(..) | Token::BadTag(..) | Token::Skipped(_) | Token::Error(_) => {
                return None;
            }
        }
        Some(())
    }

    /// Ends a variation; returns its first move, if it has one.
    fn close(&mut self, lexer: &Lexer<&[u8]>, line: Variation) -> Option<NodeId> {
        let first = line.first?;
        self.add_pending(lexer, line.place, line.pending);
        Some(first)
    }

    fn add_pending(&mut self, lexer: &Lexer<&[u8]>, place: Place, pending: Vec<Pending>) {
        for waiting in pending {
            let note = match waiting {
                Pending::Note(note) => note,
                Pending::Unread(bytes) => {
                    let text = lexer.captured_in(bytes);
                    Note::Variation(text.strip_suffix(')').unwrap_or(text).to_owned())
                }
            };
            self.add_note(place, note);
        }
    }
}

/// Where notes go that are read next.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// Before the move with which a variation starts.
    Before(NodeId),
    /// After a move.
    Notes(NodeId),
    /// After a variation.
    After(NodeId),
}

/// A variation that is being read.
struct Variation {
    /// The node before its first move.
    parent: NodeId,
    /// The last move, or the one before the first.
    at: NodeId,
    first: Option<NodeId>,
    /// What was read since the last move or variation.
    pending: Vec<Pending>,
    place: Place,
    /// Where its text starts.
    start: usize,
    /// Number of nodes of the tree before it.
    nodes: usize,
}

/// What waits for its place among the moves of a variation.
enum Pending {
    Note(Note),
    /// The captured text of a variation that cannot be read, with its closing parenthesis. It is
    /// copied only if the variation around it can be read.
    Unread(Range<usize>),
}

impl Variation {
    const fn new(parent: NodeId, start: usize, nodes: usize) -> Self {
        Self {
            parent,
            at: parent,
            first: None,
            pending: Vec::new(),
            place: Place::Before(parent),
            start,
            nodes,
        }
    }

    fn wait_with(&mut self, note: Note) {
        self.pending.push(Pending::Note(note));
    }
}

/// Reads up to the end of the variation that is `depth` levels up. `None` if the text ends before.
fn skip_variation(lexer: &mut Lexer<&[u8]>, mut depth: usize) -> Option<()> {
    while depth > 0 {
        match lexer.next().ok()??.1 {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            _ => {}
        }
    }
    Some(())
}
