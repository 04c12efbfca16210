//! Dead positions: can a player still mate if the opponent helps, by any series of legal moves (FIDE 5.2.2, 6.9)?
//!
//! It is not a game any more: both players search together for a mate, or for a proof that there is none. A mate is shown by
//! the moves that lead to it (a *helpmate*). That there is none is proven in one of these ways, the cheapest first:
//!
//! 1. too little material ([`material`]);
//! 2. a chain of forced moves that ends without mate, or in a circle;
//! 3. [`mating_net`]: the squares that each piece may ever stand on, in spite of everything ([`mobility`]), leave no place
//!    for a mate;
//! 4. [`skeleton`]: kings and pawns come to no mate even if the other pieces stand wherever that helps;
//! 5. [`helpmate`]: every position that can be reached has been looked at.
//!
//! Each is a proof, and says why in its module; where the nodes allowed do not suffice the answer is
//! [`Unknown`](Winnability::Unknown). The rules of the fifty and seventy-five moves and of repetition do not count here: the
//! question is of "any possible series of legal moves".
//!
//! What this decides, and how fast, is measured in `docs/dead.md`.
//!
//! The problem and the outline are Ambrona's ("A Practical Algorithm for Chess Unwinnability", FUN 2022).

mod helpmate;
mod mating_net;
mod mobility;
mod skeleton;

use super::material;
use crate::board::Position;
use crate::types::{Color, Key, Move};

/// Whether a player can still win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Winnability {
    /// No series of legal moves mates the opponent: proven.
    Unwinnable,
    /// These moves do.
    Winnable(Vec<Move>),
    /// Neither was found with the nodes that were allowed.
    Unknown,
}

/// An answer, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// The answer.
    pub winnability: Winnability,
    /// Positions looked at.
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

    /// Whether it was proven that the player cannot win.
    #[must_use]
    pub fn is_unwinnable(&self) -> bool {
        self.winnability == Winnability::Unwinnable
    }
}

/// Nodes of the first, short search: it finds the mate in most positions of real games.
const FIRST_NODES: u64 = 1_000;
/// Positions of kings and pawns that may be looked at.
const SKELETONS: u64 = 20_000;
/// Nodes that [`quick`] may take.
const QUICK_NODES: u64 = 200;
/// So deep [`quick`] looks whether everything ends, in plies.
const QUICK_PLIES: u32 = 6;

/// Whether `color` can still win, with so many nodes at most.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::game::dead::{Winnability, analyse};
/// use tabiya::types::Color;
/// let blocked = Position::from_fen("8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1").unwrap();
/// assert!(analyse(&blocked, Color::White, 100_000).is_unwinnable());
/// let start = Position::start();
/// let Winnability::Winnable(line) = analyse(&start, Color::Black, 100_000).winnability else { panic!() };
/// let end = line.iter().fold(start, |position, &mv| position.play(mv));
/// assert!(end.in_check() && !end.has_legal_move());
/// ```
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
        node_limit.min(SKELETONS),
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

/// Goes on with a search; what it decides, if it does.
fn run(search: &mut helpmate::Search, first: &[Move], limit: u64) -> Option<Winnability> {
    match search.run(limit) {
        helpmate::Found::Mate(line) => Some(Winnability::Winnable([first, &line].concat())),
        helpmate::Found::Exhausted => Some(Winnability::Unwinnable),
        helpmate::Found::Nothing => None,
    }
}

/// The same in a few microseconds: proofs by material, forced moves, mobility and a tiny search only. Never
/// [`Winnability::Winnable`], unless mate is on the board or forced.
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

/// Whether the position is dead for certain: neither player can win. `false` only says that it was not proven within so many
/// nodes a player.
#[must_use]
pub fn is_dead(position: &Position, node_limit: u64) -> bool {
    Color::ALL
        .into_iter()
        .all(|color| analyse(position, color, node_limit).is_unwinnable())
}

/// As [`is_dead`], by [`quick`]: cheap enough for every move of a game.
#[must_use]
pub fn is_dead_quick(position: &Position) -> bool {
    Color::ALL
        .into_iter()
        .all(|color| quick(position, color).is_unwinnable())
}

/// A chain of moves of which each is the only one.
struct Chain {
    /// Where it ends, with a choice.
    position: Position,
    moves: Vec<Move>,
}

impl Chain {
    /// Follows the forced moves; an answer if they, or the material, decide.
    ///
    /// Nobody has a choice, so all series of moves begin with the chain: what holds at its end holds at its beginning. If a
    /// position comes back, the chain is a circle and nothing else can ever happen.
    fn follow(position: &Position, color: Color) -> Result<Self, Analysis> {
        let mut chain = Self {
            position: *position,
            moves: Vec::new(),
        };
        let mut seen: Vec<Key> = Vec::new();
        loop {
            if !material::can_still_win(&chain.position, color) {
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
                    if seen.contains(&chain.position.key()) {
                        return Err(Analysis::proven(chain.nodes()));
                    }
                    seen.push(chain.position.key());
                    chain.moves.push(only);
                    chain.position = chain.position.play(only);
                }
                _ => return Ok(chain),
            }
        }
    }

    fn nodes(&self) -> u64 {
        self.moves.len() as u64 + 1
    }
}

/// Whether each move leads to a position that is proven unwinnable without search.
fn every_move_is_unwinnable(position: &Position, color: Color) -> bool {
    position
        .legal_moves()
        .into_iter()
        .all(|mv| match Chain::follow(&position.play(mv), color) {
            Ok(chain) => mating_net::is_impossible(&chain.position, color),
            Err(analysis) => analysis.is_unwinnable(),
        })
}

/// Whether every series of so many plies ends in stalemate, in mate of the wrong player, or in too little material.
fn every_line_ends(position: &Position, color: Color, plies: u32, nodes: &mut u64) -> bool {
    *nodes += 1;
    if !material::can_still_win(position, color) {
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
        .all(|mv| every_line_ends(&position.play(mv), color, plies - 1, nodes))
}

/// Whether mobility is worth looking at: one knight, rook or queen at most, and a pawn that an enemy pawn stops.
fn may_be_blocked(position: &Position) -> bool {
    use crate::types::PieceKind::{Knight, Pawn, Queen, Rook};
    let free_pieces = position.kind(Knight) | position.kind(Rook) | position.kind(Queen);
    let white_pawns = position.pieces(Color::White, Pawn);
    let black_pawns = position.pieces(Color::Black, Pawn);
    free_pieces.len() <= 1 && white_pawns.forward(Color::White).intersects(black_pawns)
}
