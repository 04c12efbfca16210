//! The tree of an alpha-beta search, one step at a time.

use crate::clock::score_text;
use crate::position::{Board, read_fen};
use crate::steps::{step03, step04, step06};
use crate::trace::{Kind, NONE, Node, Trace};
use crate::{Refusal, answer};
use course::rules::captured;
use serde::Serialize;
use tabiya::board::Position;
use tabiya::game::san;
use tabiya::types::Move;
use wasm_bindgen::prelude::*;

/// The deepest search that a reader may ask for.
const MAX_DEPTH: i32 = 5;

/// A search and its record.
#[wasm_bindgen]
pub struct TreePicture {
    root: Position,
    result: SearchAnswer,
    trace: Trace,
}

/// The result of a search.
#[derive(Debug, Clone, Serialize)]
pub struct SearchAnswer {
    name: &'static str,
    nodes: u64,
    score: String,
    /// Whether it was stopped, because it takes too long for a page.
    stopped: bool,
    /// Number of recorded steps.
    steps: usize,
    /// Whether the record ends before the search.
    cut_short: bool,
}

/// A move of a node.
#[derive(Debug, Serialize)]
struct Branch {
    san: String,
    /// `done`, `current`, `waiting` or `cut`.
    state: &'static str,
    /// The score for the side that moves, if the move was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    /// Whether it is the best so far.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    best: bool,
}

/// A node between the root and the present one.
#[derive(Debug, Serialize)]
struct Row {
    kind: Kind,
    turn: &'static str,
    depth: i32,
    /// Now, after the moves that are done.
    alpha: String,
    beta: String,
    moves: Vec<Branch>,
}

/// One step of the search.
#[derive(Debug, Serialize)]
pub struct StepAnswer {
    step: usize,
    board: Board,
    /// The square that the last move left, and the one it reached.
    last_move: Option<[String; 2]>,
    rows: Vec<Row>,
    /// What happens, in words.
    text: String,
    /// The number of the node, in the order in which the search enters them, from 1.
    nodes: u64,
}

/// The programs of the course whose nodes are counted. A reader may follow all but step 3, which
/// has no window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    Step03,
    Step04,
    Step06Unordered,
    Step06,
}

impl Program {
    const FOLLOWED: [(&'static str, Self); 3] = [
        ("step04", Self::Step04),
        ("step06-unordered", Self::Step06Unordered),
        ("step06", Self::Step06),
    ];
    const COUNTED: [Self; 4] = [
        Self::Step03,
        Self::Step04,
        Self::Step06Unordered,
        Self::Step06,
    ];

    fn read(name: &str) -> Result<Self, Refusal> {
        let found = Self::FOLLOWED.into_iter().find(|(known, _)| *known == name);
        found
            .map(|(_, program)| program)
            .ok_or_else(|| format!("'{name}' is not a program of this picture"))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Step03 => "Step 3: negamax",
            Self::Step04 => "Step 4: alpha-beta",
            Self::Step06Unordered => "Step 6 without move ordering",
            Self::Step06 => "Step 6: captures first",
        }
    }

    fn search(self, root: &Position, depth: i32, trace: Trace) -> (SearchAnswer, Trace) {
        step06::set_order(self == Self::Step06);
        let (score, nodes, trace) = match self {
            Self::Step03 => step03::search(root, depth, trace),
            Self::Step04 => step04::search(root, depth, trace),
            Self::Step06Unordered | Self::Step06 => step06::search(root, depth, trace),
        };
        let result = SearchAnswer {
            name: self.name(),
            nodes,
            score: score_text(score),
            stopped: trace.is_stopped,
            steps: trace.steps.len(),
            cut_short: trace.is_cut_short(),
        };
        (result, trace)
    }
}

impl TreePicture {
    /// Searches a position with one of the programs.
    ///
    /// # Errors
    /// If no position can be played from the FEN, the game is over there, the program is not known,
    /// or the depth is out of range.
    pub fn search(fen: &str, program: &str, depth: i32) -> Result<Self, Refusal> {
        let root = read_fen(fen)?;
        if root.legal_moves().is_empty() {
            return Err("the side to move has no legal move, so there is no tree".to_owned());
        }
        if !(1..=MAX_DEPTH).contains(&depth) {
            return Err(format!("the depth is 1 to {MAX_DEPTH}"));
        }
        let (result, trace) = Program::read(program)?.search(&root, depth, Trace::default());
        Ok(Self {
            root,
            result,
            trace,
        })
    }

    /// What all programs count in the position at this depth.
    #[must_use]
    pub fn compare(&self) -> Vec<SearchAnswer> {
        let depth = self.trace.nodes.first().map_or(1, |root| root.depth);
        let programs = Program::COUNTED.into_iter();
        programs
            .map(|program| program.search(&self.root, depth, Trace::counting()).0)
            .collect()
    }

    /// One step; the last one if there are not as many.
    #[must_use]
    pub fn step(&self, step: usize) -> StepAnswer {
        let step = step.min(self.trace.steps.len().saturating_sub(1));
        let at = self.trace.steps[step];
        let mut path = vec![at.node];
        while let Some(parent) = path.last().map(|&node| self.node(node).parent)
            && parent != NONE
        {
            path.push(parent);
        }
        path.reverse();

        let mut position = self.root;
        let mut last_move = None;
        let mut rows = Vec::new();
        let mut sans = Vec::new();
        for (ply, &index) in path.iter().enumerate() {
            if ply > 0 {
                let Some(mv) = move_to(&position, self.node(index).key) else {
                    break;
                };
                sans.push(san::write(&position, mv));
                last_move = Some([mv.from().to_string(), mv.to().to_string()]);
                position = position.play_unchecked(mv);
            }
            rows.push(self.row(index, path.get(ply + 1).copied(), &position, step));
        }
        let node = self.node(at.node);
        let cut = self.left_out(node, &position, step);
        StepAnswer {
            step,
            board: Board::of(&position),
            last_move,
            rows,
            text: self.text(node, &position, sans.last(), at.leaves, cut),
            nodes: u64::from(at.node) + 1,
        }
    }

    /// The next or previous step that leaves a node above the quiescence search by a cutoff,
    /// beginning beside `from`. (In the quiescence search most nodes end so, by standing pat.)
    #[must_use]
    pub fn find_cutoff(&self, from: usize, forwards: bool) -> Option<usize> {
        let is_cutoff = |&step: &usize| {
            let at = self.trace.steps[step];
            let node = self.node(at.node);
            // A stalemate may score beta, and cuts nothing off.
            at.leaves
                && node.score >= node.beta
                && node.kind == Kind::Inner
                && !node.children.is_empty()
        };
        let last = self.trace.steps.len();
        if forwards {
            (from + 1..last).find(is_cutoff)
        } else {
            (0..from.min(last)).rev().find(is_cutoff)
        }
    }

    fn node(&self, index: u32) -> &Node {
        &self.trace.nodes[index as usize]
    }

    /// The moves that a node would search, first those that it did.
    fn moves(&self, node: &Node, position: &Position) -> Vec<(Move, Option<u32>)> {
        let mut rest = position.legal_moves();
        match node.kind {
            Kind::Leaf => rest.clear(),
            Kind::Quiescence if !position.in_check() => {
                rest.retain(|mv| captured(position, *mv).is_some() || mv.promotion().is_some());
            }
            _ => {}
        }
        let mut moves = Vec::new();
        for &child in &node.children {
            let key = self.node(child).key;
            let found = rest
                .iter()
                .position(|&mv| position.play_unchecked(mv).key().0 == key);
            if let Some(at) = found {
                moves.push((rest.remove(at), Some(child)));
            }
        }
        moves.extend(rest.into_iter().map(|mv| (mv, None)));
        moves
    }

    /// How many moves a node has left out, if the search has left it at this step.
    fn left_out(&self, node: &Node, position: &Position, step: usize) -> usize {
        if node.left as usize > step || node.score < node.beta {
            return 0;
        }
        let moves = self.moves(node, position).into_iter();
        moves.filter(|(_, child)| child.is_none()).count()
    }

    /// A node with its moves; `next` is the child on the path.
    fn row(&self, index: u32, next: Option<u32>, position: &Position, step: usize) -> Row {
        let node = self.node(index);
        let has_left = node.left as usize <= step;
        let mut best: Option<(i32, usize)> = None;
        let mut alpha = node.alpha;
        // The search evaluates the position after it has entered the node.
        if step > node.entered as usize
            && node.kind == Kind::Quiescence
            && let Some(score) = step06::stand_pat(position)
        {
            alpha = alpha.max(score);
        }
        let mut moves = Vec::new();
        for (mv, child) in self.moves(node, position) {
            let is_next = child.is_some() && child == next;
            let child = child.map(|child| self.node(child));
            let child = child.filter(|child| child.entered as usize <= step);
            let done = child.filter(|child| child.left as usize <= step);
            let score = done.map(|child| -child.score);
            if let Some(score) = score {
                if best.is_none_or(|(best, _)| score > best) {
                    best = Some((score, moves.len()));
                }
                alpha = alpha.max(score);
            }
            moves.push(Branch {
                san: san::write(position, mv),
                state: match (child, done) {
                    _ if is_next => "current",
                    (_, Some(_)) => "done",
                    (Some(_), None) => "current",
                    (None, _) if has_left => "cut",
                    (None, _) => "waiting",
                },
                score: score.map(score_text),
                best: false,
            });
        }
        if let Some((_, at)) = best {
            moves[at].best = true;
        }
        Row {
            kind: node.kind,
            turn: position.side_to_move().name(),
            depth: node.depth,
            alpha: score_text(alpha),
            beta: score_text(node.beta),
            moves,
        }
    }

    /// What happens at a step.
    fn text(
        &self,
        node: &Node,
        position: &Position,
        san: Option<&String>,
        leaves: bool,
        cut: usize,
    ) -> String {
        let after = san.map_or("The root".to_owned(), |san| format!("After {san}"));
        let score = score_text(node.score);
        let (alpha, beta) = (score_text(node.alpha), score_text(node.beta));
        if !leaves {
            let what = match node.kind {
                Kind::Leaf => "is a leaf, to be evaluated",
                Kind::Quiescence => "enters the quiescence search",
                Kind::Root | Kind::Inner => "is entered",
            };
            let subject = san.map_or("The root".to_owned(), |san| {
                format!("The position after {san}")
            });
            return format!("{subject} {what}, with the window from {alpha} to {beta}.");
        }
        if position.legal_moves().is_empty() {
            let end = if position.in_check() {
                "checkmate"
            } else {
                "stalemate"
            };
            return format!("{after}: {end}, which scores {score}.");
        }
        if node.kind == Kind::Leaf {
            return format!("{after}: the evaluation is {score}.");
        }
        // Also where captures were searched, and none is better.
        let stands_pat =
            node.kind == Kind::Quiescence && step06::stand_pat(position) == Some(node.score);
        let by = if stands_pat {
            "standing pat scores"
        } else {
            "the best move scores"
        };
        if node.score >= node.beta {
            let rest = match cut {
                0 => "there was no other move to leave out".to_owned(),
                1 => "one other move is not searched".to_owned(),
                _ => format!("{cut} other moves are not searched"),
            };
            return format!(
                "{after}: {by} {score}, not below beta ({beta}). The opponent will not come here: {rest}."
            );
        }
        if node.score <= node.alpha {
            return format!("{after}: {by} {score}, not above alpha ({alpha}).");
        }
        format!("{after}: {by} {score}, between alpha and beta, so it is exact.")
    }
}

/// The legal move that leads to a position with this key.
fn move_to(position: &Position, key: u64) -> Option<Move> {
    let mut moves = position.legal_moves().into_iter();
    moves.find(|&mv| position.play_unchecked(mv).key().0 == key)
}

#[wasm_bindgen]
impl TreePicture {
    /// Searches a position; see [`search`](Self::search).
    ///
    /// # Errors
    /// As there.
    #[wasm_bindgen(constructor)]
    pub fn new(fen: &str, program: &str, depth: i32) -> Result<Self, JsError> {
        Self::search(fen, program, depth).map_err(|refusal| JsError::new(&refusal))
    }

    /// The result: a [`SearchAnswer`].
    ///
    /// # Errors
    /// Never: all of it can be written.
    pub fn result(&self) -> Result<String, JsError> {
        answer(Ok(&self.result))
    }

    /// The results of all programs: a list of [`SearchAnswer`].
    ///
    /// # Errors
    /// Never: all of it can be written.
    pub fn counts(&self) -> Result<String, JsError> {
        answer(Ok(self.compare()))
    }

    /// A step: a [`StepAnswer`].
    ///
    /// # Errors
    /// Never: all of it can be written.
    pub fn at(&self, step: usize) -> Result<String, JsError> {
        answer(Ok(self.step(step)))
    }

    /// The next or previous cutoff; see [`find_cutoff`](Self::find_cutoff).
    #[must_use]
    pub fn cutoff(&self, from: usize, forwards: bool) -> Option<usize> {
        self.find_cutoff(from, forwards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITALIAN: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5";
    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn captures_first_need_fewer_nodes_for_the_same_score() {
        let picture = TreePicture::search(ITALIAN, "step06", 2).unwrap();
        let [negamax, alpha_beta, unordered, ordered] = &picture.compare()[..] else {
            panic!("four programs");
        };
        assert_eq!(negamax.score, alpha_beta.score);
        assert!(
            alpha_beta.nodes * 2 < negamax.nodes,
            "{alpha_beta:?} {negamax:?}"
        );
        assert!(!unordered.stopped && !ordered.stopped);
        assert_eq!(unordered.score, ordered.score);
        assert!(
            ordered.nodes * 2 < unordered.nodes,
            "{ordered:?} {unordered:?}"
        );
        // The picture follows the same search.
        assert_eq!(picture.result.nodes, ordered.nodes);
    }

    #[test]
    fn the_record_has_every_node_and_ends_at_the_root() {
        let picture = TreePicture::search(KIWIPETE, "step04", 2).unwrap();
        // The program does not count its root.
        assert_eq!(picture.trace.nodes.len() as u64, picture.result.nodes + 1);
        assert_eq!(picture.result.steps, 2 * picture.trace.nodes.len());
        let last = picture.step(usize::MAX);
        assert_eq!(last.rows.len(), 1);
        assert!(
            last.rows[0]
                .moves
                .iter()
                .all(|branch| branch.state == "done")
        );
        let best = last.rows[0].moves.iter().filter(|branch| branch.best);
        let scores: Vec<_> = best.map(|branch| branch.score.clone()).collect();
        assert_eq!(scores, [Some(picture.result.score.clone())]);
    }

    #[test]
    fn a_cutoff_leaves_moves_out_and_says_so() {
        let picture = TreePicture::search(KIWIPETE, "step04", 3).unwrap();
        let at = picture.find_cutoff(0, true).unwrap();
        let step = picture.step(at);
        let row = step.rows.last().unwrap();
        assert!(row.moves.iter().any(|branch| branch.state == "cut"));
        assert!(step.text.contains("not searched"), "{}", step.text);
        assert_eq!(picture.find_cutoff(at + 1, false), Some(at));
    }

    #[test]
    fn a_stalemate_is_no_cutoff() {
        // Qc7 stalemates.
        let picture = TreePicture::search("k7/8/1K1Q4/8/8/8/8/8 w - - 0 1", "step04", 2).unwrap();
        let steps = 0..picture.result.steps;
        let stalemates = steps.filter(|&step| picture.step(step).text.contains("stalemate"));
        let stalemates: Vec<_> = stalemates.collect();
        assert!(!stalemates.is_empty());
        for step in stalemates {
            assert_ne!(picture.find_cutoff(step - 1, true), Some(step));
        }
    }

    #[test]
    fn a_quiescence_node_is_entered_with_the_window_of_its_parent() {
        let picture = TreePicture::search(ITALIAN, "step06", 1).unwrap();
        // All nodes below the root are of the quiescence search.
        assert_eq!(picture.find_cutoff(0, true), None);
        let mut raised = 0;
        for step in 1..picture.result.steps - 1 {
            let (now, later) = (picture.step(step), picture.step(step + 1));
            let row = now.rows.last().unwrap();
            if now.text.contains("enters") {
                let window = format!("from {} to {}.", row.alpha, row.beta);
                assert!(now.text.ends_with(&window), "{} {window}", now.text);
                let row_later = &later.rows[now.rows.len() - 1];
                raised += u32::from(row_later.alpha != row.alpha);
            }
        }
        assert!(raised > 0);
    }

    #[test]
    fn a_search_that_takes_too_long_is_stopped() {
        let picture = TreePicture::search(KIWIPETE, "step06-unordered", 2).unwrap();
        assert!(picture.result.stopped && picture.result.cut_short);
        // The record up to there can be shown.
        assert!(picture.step(usize::MAX).rows.len() > 1);
    }

    #[test]
    fn what_has_no_tree_is_refused() {
        let refused = |fen, program, depth| TreePicture::search(fen, program, depth).err().unwrap();
        let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        assert!(refused(mate, "step04", 2).contains("no legal move"));
        assert_eq!(refused(KIWIPETE, "step04", 9), "the depth is 1 to 5");
        assert!(refused(KIWIPETE, "step11", 2).contains("step11"));
    }
}
