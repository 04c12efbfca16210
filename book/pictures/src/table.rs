//! Two move orders that meet in one entry of the transposition table.

use crate::clock::score_text;
use crate::position::{Board, read_fen};
use crate::steps::step08::{Searcher, Seen, searcher};
use crate::{Refusal, answer};
use serde::Serialize;
use tabiya::board::Position;
use tabiya::game::san;
use tabiya::search::Bound;
use tabiya::search::tt::{TranspositionTable, TtEntry};
use tabiya::types::{Key, Move, Score};
use wasm_bindgen::prelude::*;

/// The deepest search that a reader may ask for.
const MAX_DEPTH: i32 = 6;
/// A search is stopped after so many nodes, so that a page does not hang.
const MAX_NODES: u64 = 3_000_000;
/// More moves than this are refused.
const MAX_MOVES: usize = 40;

/// A position, and two lines of moves from there.
#[wasm_bindgen]
pub struct TablePicture {
    orders: [Order; 2],
}

/// A line of moves and its positions, the start first.
struct Order {
    moves: Vec<Move>,
    positions: Vec<Position>,
}

/// The keys along both lines.
#[derive(Debug, Serialize)]
pub struct OrdersAnswer {
    /// The lines.
    pub orders: [OrderAnswer; 2],
    /// Whether both end in the same position.
    pub meet: bool,
}

/// The keys along a line.
#[derive(Debug, Serialize)]
pub struct OrderAnswer {
    /// The last position.
    pub board: Board,
    places: Vec<PlaceAnswer>,
}

/// The key of a position and where its entry belongs.
#[derive(Debug, Serialize)]
struct PlaceAnswer {
    /// The move that leads there; empty at the start.
    san: String,
    key: String,
    /// In the table of step 8.
    place: usize,
}

/// What two searches with one table found: after the first line, then after the second.
#[derive(Debug, Serialize)]
pub struct MeetingAnswer {
    /// Nodes of both searches.
    pub nodes: [u64; 2],
    /// Whether one was stopped, because it takes too long for a page.
    pub stopped: bool,
    /// Number of places in the table of step 8.
    places: usize,
    /// What the first search stored for the last position of the second line.
    pub entry: Option<EntryAnswer>,
    /// The entries of the positions after each move from there.
    pub children: Vec<EntryAnswer>,
    packed: Option<PackedAnswer>,
}

/// An entry of step 8.
#[derive(Debug, Serialize)]
pub struct EntryAnswer {
    /// The move to its position; empty for the position itself.
    san: String,
    /// `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// For the side to move there.
    score: String,
    depth: i32,
    best: Option<String>,
    /// The entry after the best move, for the side to move then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_best: Option<Box<EntryAnswer>>,
}

/// The same entry in a table of Tabiya.
#[derive(Debug, Serialize)]
struct PackedAnswer {
    word: String,
    signature: String,
    cluster: usize,
    clusters: usize,
    slot: usize,
}

impl TablePicture {
    /// Reads a position and two lines of moves, in coordinates or SAN.
    ///
    /// # Errors
    /// If no position can be played from the FEN, or a move is not legal.
    pub fn read(fen: &str, first: &str, second: &str) -> Result<Self, Refusal> {
        let start = read_fen(fen)?;
        Ok(Self {
            orders: [
                Order::read(start, first, "first")?,
                Order::read(start, second, "second")?,
            ],
        })
    }

    /// The keys along both lines.
    #[must_use]
    pub fn keys(&self) -> OrdersAnswer {
        let [first, second] = &self.orders;
        OrdersAnswer {
            orders: [first.answer(), second.answer()],
            meet: first.last().key() == second.last().key(),
        }
    }

    /// Searches after the first line and then after the second, with one table.
    ///
    /// # Errors
    /// If the depth is out of range, or the game is over after a line.
    pub fn search(&self, depth: i32) -> Result<MeetingAnswer, Refusal> {
        if !(1..=MAX_DEPTH).contains(&depth) {
            return Err(format!("the depth is 1 to {MAX_DEPTH}"));
        }
        let is_over = |order: &Order| order.last().legal_moves().is_empty();
        if self.orders.iter().any(is_over) {
            return Err(
                "a line ends in checkmate or stalemate, so there is nothing to search".to_owned(),
            );
        }
        let mut searcher = searcher();
        let [first, second] = &self.orders;
        let (before, was_stopped) = first.search(&mut searcher, depth);
        // The search after the second line stores entries, too.
        let position = second.last();
        let found = searcher.entry(position);
        let children = children(&searcher, position);
        let (after, is_stopped) = second.search(&mut searcher, depth);
        Ok(MeetingAnswer {
            nodes: [before, after],
            stopped: was_stopped || is_stopped,
            places: Searcher::PLACES,
            entry: found.map(|entry| EntryAnswer::new(String::new(), position, &entry)),
            children,
            packed: found.and_then(|entry| packed(position.key(), &entry)),
        })
    }
}

impl Order {
    fn read(start: Position, text: &str, which: &str) -> Result<Self, Refusal> {
        let mut order = Self {
            moves: Vec::new(),
            positions: vec![start],
        };
        let is_number =
            |word: &str| word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit());
        let words = text.split_whitespace();
        for (index, word) in words.filter(|word| !is_number(word)).enumerate() {
            if index == MAX_MOVES {
                return Err(format!("the {which} order has more than {MAX_MOVES} moves"));
            }
            let mv = san::parse(order.last(), word)
                .map_err(|error| format!("the {which} order: {error}"))?;
            order.moves.push(mv);
            order.positions.push(order.last().play_unchecked(mv));
        }
        Ok(order)
    }

    fn last(&self) -> &Position {
        // The start is always there.
        &self.positions[self.positions.len() - 1]
    }

    fn answer(&self) -> OrderAnswer {
        let sans = self.moves.iter().zip(&self.positions);
        let sans = sans.map(|(&mv, position)| san::write(position, mv));
        let places = self
            .positions
            .iter()
            .zip([String::new()].into_iter().chain(sans));
        OrderAnswer {
            board: Board::of(self.last()),
            places: places
                .map(|(position, san)| PlaceAnswer {
                    san,
                    key: format!("{:016x}", position.key().0),
                    place: position.key().0 as usize % Searcher::PLACES,
                })
                .collect(),
        }
    }

    /// The nodes of a search from the last position, and whether it was stopped.
    fn search(&self, searcher: &mut Searcher, depth: i32) -> (u64, bool) {
        searcher.run(&self.positions, depth, MAX_NODES)
    }
}

fn children(searcher: &Searcher, position: &Position) -> Vec<EntryAnswer> {
    let moves = position.legal_moves().into_iter();
    let mut entries: Vec<_> = moves
        .filter_map(|mv| {
            let next = position.play_unchecked(mv);
            let entry = searcher.entry(&next)?;
            let mut answer = EntryAnswer::new(san::write(position, mv), &next, &entry);
            answer.after_best = entry.best.and_then(|best| {
                let later = next.play_unchecked(best);
                let entry = searcher.entry(&later)?;
                let answer = EntryAnswer::new(san::write(&next, best), &later, &entry);
                Some(Box::new(answer))
            });
            Some(answer)
        })
        .collect();
    entries.sort_by_key(|entry| entry.bound);
    entries
}

impl EntryAnswer {
    fn new(san: String, position: &Position, entry: &Seen) -> Self {
        Self {
            san,
            bound: match entry.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            score: score_text(entry.score),
            depth: entry.depth,
            best: entry.best.map(|mv| san::write(position, mv)),
            after_best: None,
        }
    }
}

/// The entry in a table of Tabiya, as it stores it.
fn packed(key: Key, entry: &Seen) -> Option<PackedAnswer> {
    let table = TranspositionTable::new(TranspositionTable::MIN_MIB).ok()?;
    table.store(
        key,
        TtEntry {
            mv: entry.best,
            score: Some((Score(entry.score), entry.bound)),
            static_eval: None,
            depth: entry.depth,
            pv: false,
        },
    );
    let slot = table.slot(key)?;
    Some(PackedAnswer {
        word: format!("{:016x}", slot.word),
        signature: format!("{:04x}", slot.signature),
        cluster: slot.cluster,
        clusters: slot.clusters,
        slot: slot.index,
    })
}

#[wasm_bindgen]
impl TablePicture {
    /// Reads a position and two lines; see [`read`](Self::read).
    ///
    /// # Errors
    /// As there.
    #[wasm_bindgen(constructor)]
    pub fn new(fen: &str, first: &str, second: &str) -> Result<Self, JsError> {
        Self::read(fen, first, second).map_err(|refusal| JsError::new(&refusal))
    }

    /// The keys: [`OrdersAnswer`].
    ///
    /// # Errors
    /// Never: all of it can be written.
    pub fn orders(&self) -> Result<String, JsError> {
        answer(Ok(self.keys()))
    }

    /// Two searches: [`MeetingAnswer`]. See [`search`](Self::search).
    ///
    /// # Errors
    /// As there.
    pub fn meet(&self, depth: i32) -> Result<String, JsError> {
        answer(self.search(depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn two_orders_meet_and_the_second_search_is_nearly_free() {
        let picture = TablePicture::read(START, "1. d4 Nf6 2. c4 e6", "c4 e6 d4 Nf6").unwrap();
        assert!(picture.keys().meet);
        let meeting = picture.search(4).unwrap();
        assert_eq!(meeting.entry.unwrap().bound, "exact");
        assert!(
            meeting.nodes[1] * 10 < meeting.nodes[0],
            "{:?}",
            meeting.nodes
        );
        // Where one reply refutes a move, no move after this reply reaches alpha.
        let refuted = meeting.children.iter().find(|entry| entry.bound == "lower");
        let reply = refuted.and_then(|entry| entry.after_best.as_ref()).unwrap();
        assert_eq!(reply.bound, "upper");
        assert!(meeting.packed.is_some());
    }

    #[test]
    fn orders_that_end_elsewhere_share_nothing() {
        let picture = TablePicture::read(START, "d4 Nf6", "d4 d5").unwrap();
        assert!(!picture.keys().meet);
        assert!(picture.search(2).unwrap().entry.is_none());
    }

    #[test]
    fn an_illegal_move_is_refused_with_its_order() {
        let refused = TablePicture::read(START, "d4", "e5").err().unwrap();
        assert!(refused.starts_with("the second order: "), "{refused}");
        let mate = TablePicture::read(START, "f3 e5 g4 Qh4", "").unwrap();
        assert!(mate.search(2).err().unwrap().contains("checkmate"));
    }
}
