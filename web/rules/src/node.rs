//! What JavaScript learns of the moves of a game, and writes about them.

use crate::review::{evaluation, mate};
use serde::{Deserialize, Serialize};
use tabiya::board::Position;
use tabiya::game::lan;
use tabiya::game::pgn::{GameTree, NodeId, Note, TreeError};
use tabiya::types::{Color, Score};

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
    /// White's expected score by the evaluation in the comments.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
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
    let texts = comments(notes);
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
        expected: expected(tree.position_of(id), &texts),
        comments: texts,
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

/// White's expected score in a position by the first evaluation in the comments, as in a review.
fn expected(position: &Position, comments: &[String]) -> Option<f64> {
    let score = comments.iter().find_map(|text| written_score(text))?;
    let score = score.for_white(position.side_to_move());
    Some(evaluation(position, Some(score), Vec::new()).expected)
}

/// White's score in a comment: `[%eval 0.35]` is in pawns, `[%eval #-3]` in moves to mate. More may
/// follow the number, such as a depth.
fn written_score(comment: &str) -> Option<Score> {
    comment.split("[%eval ").skip(1).find_map(|rest| {
        let (value, _) = rest.split_once(']')?;
        if value.contains('[') {
            // It is not closed: the bracket is that of another command.
            return None;
        }
        let (text, is_mate) = match value.strip_prefix('#') {
            Some(moves) => (moves, true),
            None => (value, false),
        };
        let is_after = |letter: char| !letter.is_ascii_digit() && !"+-.".contains(letter);
        let number: f64 = text.split(is_after).next()?.parse().ok()?;
        if is_mate {
            // A mate that is there has the sign of who gave it.
            let moves = (number.abs() as i32).max(1);
            let is_won = number.is_sign_positive();
            Some(mate(if is_won { moves } else { -moves }))
        } else {
            Some(Score::evaluation((number * 100.0).round() as i32))
        }
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_is_read_from_a_comment() {
        for (comment, score) in [
            ("[%eval 0.35]", Some(Score(35))),
            ("good [%clk 0:01] [%eval -1.2,20] text", Some(Score(-120))),
            ("[%eval +.5]", Some(Score(50))),
            ("[%eval #3]", Some(mate(3))),
            ("[%eval #-12]", Some(mate(-12))),
            ("[%eval #-0]", Some(mate(-1))),
            ("[%eval 0.1 [%eval 0.2]", Some(Score(20))),
            ("[%eval 0.1", None),
            ("[%eval x] 0.1", None),
            ("eval 0.1", None),
        ] {
            assert_eq!(written_score(comment), score, "{comment}");
        }
    }

    #[test]
    fn where_the_game_is_over_the_end_counts() {
        let [mated, stalemate] = [
            "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1",
            "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1",
        ]
        .map(|fen| fen.parse::<Position>().unwrap());
        for text in ["[%eval #0]", "[%eval 3.00]"] {
            let comments = [text.to_owned()];
            assert_eq!(expected(&mated, &comments), Some(1.0));
            assert_eq!(expected(&stalemate, &comments), Some(0.5));
        }
        assert_eq!(expected(&mated, &[]), None);
    }
}
