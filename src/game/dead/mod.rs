//! Dead positions: whether a player can still mate, by any series of legal moves, if the opponent
//! helps (FIDE 5.1.2, 5.2.2, 6.9, 7.5.5).
//!
//! Both players cooperate. The code searches for a mate, or for a proof that a mate is impossible.
//! It returns the moves that lead to a mate (a *helpmate*). These are the proofs, in order:
//!
//! 1. the player has too little material to mate ([`Position::has_mating_material`]);
//! 2. a chain of forced moves that ends without mate or in a cycle;
//! 3. [`mating_net`]: the squares that the pieces can ever reach ([`mobility`]) leave no place for
//!    a mate, in this position or after each of its moves;
//! 4. [`skeleton`]: kings and pawns reach no mate, even if the other pieces stand wherever that
//!    helps;
//! 5. [`helpmate`]: all reachable positions have been searched.
//!
//! A short search for a mate comes before the third proof. Each module gives the argument for its
//! proof. If the node limit is too low to decide, the answer is [`Unknown`](Winnability::Unknown).
//!
//! The fifty-move rule, the seventy-five-move rule and repetition are ignored, because FIDE 5.2.2
//! speaks of "any series of legal moves".
//!
//! `docs/dead.md` has measurements of what this decides, and how fast.
//!
//! The problem and the outline are from Ambrona, "A Practical Algorithm for Chess Unwinnability",
//! FUN 2022.

mod helpmate;
mod mating_net;
mod mobility;
mod skeleton;

use crate::board::Position;
use crate::types::{Color, Move};

// ANCHOR: winnability
/// Whether a player can still win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Winnability {
    /// Proved: no series of legal moves mates the opponent.
    Unwinnable,
    /// These moves mate the opponent.
    Winnable(Vec<Move>),
    /// The node limit was too low for an answer.
    Unknown,
}
// ANCHOR_END: winnability

/// The answer and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// The answer.
    pub winnability: Winnability,
    /// Number of positions searched.
    pub nodes: u64,
}

impl Analysis {
    fn proven(nodes: u64) -> Self {
        Self {
            winnability: Winnability::Unwinnable,
            nodes,
        }
    }

    fn unknown(nodes: u64) -> Self {
        Self {
            winnability: Winnability::Unknown,
            nodes,
        }
    }

    /// Whether a proof was found that the player cannot win.
    #[must_use]
    pub fn is_unwinnable(&self) -> bool {
        self.winnability == Winnability::Unwinnable
    }
}

/// Maximum number of positions searched for each player for a ruling, such as after a fallen flag:
/// most positions need a thousandth of it, and a game needs one ruling.
pub const RULING_NODES: u64 = 1_000_000;
/// Nodes of the first, short search. It finds the mate in most positions of real games.
const FIRST_NODES: u64 = 1_000;
/// Maximum nodes of the search of [`skeleton`].
const SKELETON_NODES: u64 = 20_000;
/// Maximum nodes of [`quick`].
const QUICK_NODES: u64 = 200;
/// Depth of the search of [`quick`], in plies.
const QUICK_PLIES: u32 = 6;

/// Whether `color` can still win. Searches at most about `node_limit` nodes: forced moves at the
/// start and the rest of the last expansion come on top, and below a limit of 21,000 so does the
/// first, short search.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::game::dead::{Winnability, analyse};
/// use tabiya::types::Color;
/// let blocked = Position::from_fen("8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1").unwrap();
/// assert!(analyse(&blocked, Color::White, 100_000).is_unwinnable());
/// let start = Position::start();
/// let analysis = analyse(&start, Color::Black, 100_000);
/// let Winnability::Winnable(line) = analysis.winnability else { panic!() };
/// let end = line.iter().fold(start, |position, &mv| position.play(mv).unwrap());
/// assert!(end.is_checkmate());
/// ```
// ANCHOR: analyse
pub fn analyse(position: &Position, color: Color, node_limit: u64) -> Analysis {
    let chain = match Chain::follow(position, color) {
        Ok(chain) => chain,
        Err(analysis) => return analysis,
    };
    let before = chain.nodes();
    let mut search = helpmate::Search::new(color, &chain.position);
    if let Some(winnability) = run(&mut search, &chain.moves, FIRST_NODES.min(node_limit)) {
        let nodes = before + search.nodes();
        return Analysis { winnability, nodes };
    }
    if mating_net::is_impossible(&chain.position, color)
        || every_move_is_unwinnable(&chain.position, color)
    {
        return Analysis::proven(before + search.nodes());
    }
    let mut skeletons = 0;
    if skeleton::is_impossible(
        &chain.position,
        color,
        node_limit.min(SKELETON_NODES),
        &mut skeletons,
    ) {
        return Analysis::proven(before + search.nodes() + skeletons);
    }
    let winnability = run(
        &mut search,
        &chain.moves,
        node_limit.saturating_sub(skeletons),
    )
    .unwrap_or(Winnability::Unknown);
    let nodes = before + skeletons + search.nodes();
    Analysis { winnability, nodes }
}
// ANCHOR_END: analyse

/// Continues a search. Returns its answer, if any, with `first` in front of a mating line.
fn run(search: &mut helpmate::Search, first: &[Move], limit: u64) -> Option<Winnability> {
    match search.run(limit) {
        helpmate::Found::Mate(line) => Some(Winnability::Winnable([first, &line].concat())),
        helpmate::Found::Exhausted => Some(Winnability::Unwinnable),
        helpmate::Found::Nothing => None,
    }
}

/// As [`analyse`], within a few microseconds: by material, forced moves, mobility and a very small
/// search.
///
/// Returns [`Winnability::Winnable`] only if mate is on the board or forced.
pub fn quick(position: &Position, color: Color) -> Analysis {
    let chain = match Chain::follow(position, color) {
        Ok(chain) => chain,
        Err(analysis) => return analysis,
    };
    let mut nodes = chain.nodes();
    let is_proven = may_be_blocked(&chain.position)
        && (mating_net::is_impossible(&chain.position, color)
            || every_move_is_unwinnable(&chain.position, color))
        || every_line_ends(&chain.position, color, QUICK_PLIES, &mut nodes);
    if is_proven {
        Analysis::proven(nodes)
    } else {
        Analysis::unknown(nodes)
    }
}

/// Whether a proof was found, with at most about `node_limit` nodes for each player (see
/// [`analyse`]), that neither player can win.
#[must_use]
pub fn is_dead(position: &Position, node_limit: u64) -> bool {
    Color::ALL
        .into_iter()
        .all(|color| analyse(position, color, node_limit).is_unwinnable())
}

/// As [`is_dead`], with [`quick`]: fast enough for every move of a game.
#[must_use]
pub fn is_dead_quick(position: &Position) -> bool {
    Color::ALL
        .into_iter()
        .all(|color| quick(position, color).is_unwinnable())
}

/// A chain of forced moves.
struct Chain {
    /// The end of the chain, where the side to move has a choice.
    position: Position,
    moves: Vec<Move>,
}

impl Chain {
    /// Follows the forced moves. Returns an analysis if they, or the material, give an answer.
    ///
    /// All series of moves begin with the chain, so what holds at its end holds at its beginning.
    /// If a position recurs, the chain is a cycle and no other position can ever arise.
    fn follow(position: &Position, color: Color) -> Result<Self, Analysis> {
        let mut chain = Self {
            position: *position,
            moves: Vec::new(),
        };
        let mut seen: Vec<Position> = Vec::new();
        loop {
            if !chain.position.has_mating_material(color) {
                return Err(Analysis::proven(chain.nodes()));
            }
            let moves = chain.position.legal_moves();
            match *moves.as_slice() {
                [] if chain.position.in_check() && chain.position.side_to_move() != color => {
                    return Err(Analysis {
                        nodes: chain.nodes(),
                        winnability: Winnability::Winnable(chain.moves),
                    });
                }
                [] => return Err(Analysis::proven(chain.nodes())),
                [only] => {
                    let is_same = |other: &Position| other.same_position(&chain.position);
                    if seen.iter().any(is_same) {
                        return Err(Analysis::proven(chain.nodes()));
                    }
                    seen.push(chain.position);
                    chain.moves.push(only);
                    chain.position = chain.position.play_unchecked(only);
                }
                _ => return Ok(chain),
            }
        }
    }

    fn nodes(&self) -> u64 {
        self.moves.len() as u64 + 1
    }
}

/// Whether each move leads to a position that is proved unwinnable without search.
fn every_move_is_unwinnable(position: &Position, color: Color) -> bool {
    position.legal_moves().into_iter().all(|mv| {
        match Chain::follow(&position.play_unchecked(mv), color) {
            Ok(chain) => mating_net::is_impossible(&chain.position, color),
            Err(analysis) => analysis.is_unwinnable(),
        }
    })
}

/// Whether every series of moves ends within `plies` plies in stalemate, in mate of the wrong
/// player, or in insufficient material.
fn every_line_ends(position: &Position, color: Color, plies: u32, nodes: &mut u64) -> bool {
    *nodes += 1;
    if !position.has_mating_material(color) {
        return true;
    }
    if plies == 0 || *nodes > QUICK_NODES {
        return false;
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return !position.in_check() || position.side_to_move() == color;
    }
    moves
        .into_iter()
        .all(|mv| every_line_ends(&position.play_unchecked(mv), color, plies - 1, nodes))
}

/// Whether a test of mobility is promising: at most one knight, rook or queen, and a pawn blocked
/// by an enemy pawn.
fn may_be_blocked(position: &Position) -> bool {
    use crate::types::PieceKind::{Knight, Pawn, Queen, Rook};
    let free_pieces = position.kind(Knight) | position.kind(Rook) | position.kind(Queen);
    let white_pawns = position.pieces(Color::White, Pawn);
    let black_pawns = position.pieces(Color::Black, Pawn);
    free_pieces.len() <= 1 && white_pawns.forward(Color::White).intersects(black_pawns)
}
