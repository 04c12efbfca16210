//! Draws under the FIDE Laws: automatic draws, claims by the player to move, and agreement.

use super::{Draw, History, dead};
use crate::types::{Color, FIFTY_MOVES, Move};
use std::fmt;

pub use crate::types::{FIVEFOLD, SEVENTY_FIVE_MOVES, THREEFOLD};

/// The ground on which the player to move may claim a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Third occurrence of a position (FIDE 9.2).
    Threefold,
    /// Fifty moves of each player without capture or pawn move (FIDE 9.3).
    FiftyMoves,
}

impl Claim {
    /// All claims.
    pub const ALL: [Self; 2] = [Self::Threefold, Self::FiftyMoves];

    /// The draw that a correct claim leads to.
    pub const fn draw(self) -> Draw {
        match self {
            Self::Threefold => Draw::ThreefoldRepetition,
            Self::FiftyMoves => Draw::FiftyMoves,
        }
    }

    // ANCHOR: claim
    /// Whether the player to move may claim because of the position on the board (FIDE 9.2.2,
    /// 9.3.2).
    ///
    /// Without a legal move the game has ended, so there is nothing to claim. A player who moves
    /// without claiming loses the right to that claim (FIDE 9.4).
    #[must_use]
    pub fn holds_now(self, history: &History) -> bool {
        let counts = ClaimCounts::now(history);
        self.is_satisfied_by(counts) && history.position().has_legal_move()
    }
    // ANCHOR_END: claim

    /// Whether the player to move may claim with the legal move `intended`, which is announced and
    /// not yet played (FIDE 9.2.1, 9.3.1).
    ///
    /// A move that mates or stalemates ends the game in its own way, so no draw is claimed with it.
    /// (The Laws say so of the seventy-five moves, in 9.6.2, and leave it open for claims.)
    ///
    /// # Panics
    /// Perhaps, if the move is not legal.
    #[must_use]
    pub fn holds_with(self, history: &History, intended: Move) -> bool {
        let counts = ClaimCounts::with(history, intended);
        self.is_satisfied_by(counts) && history.position().play_unchecked(intended).has_legal_move()
    }

    /// The claim that is correct now, or with the `intended` move.
    ///
    /// # Panics
    /// Perhaps, if the move is not legal.
    pub fn find(history: &History, intended: Option<Move>) -> Option<Self> {
        Self::ALL.into_iter().find(|claim| match intended {
            None => claim.holds_now(history),
            Some(mv) => claim.holds_with(history, mv),
        })
    }

    const fn is_satisfied_by(self, counts: ClaimCounts) -> bool {
        match self {
            Self::Threefold => counts.occurrences >= THREEFOLD,
            Self::FiftyMoves => counts.halfmove_clock >= FIFTY_MOVES,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Threefold => "threefold repetition",
            Self::FiftyMoves => "the fifty-move rule",
        })
    }
}

/// The counts that decide a claim. Their `Display` gives the reason why a claim is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimCounts {
    /// Occurrences of the position, including the present one.
    pub occurrences: u32,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u32,
}

impl ClaimCounts {
    /// The counts for the position on the board.
    pub fn now(history: &History) -> Self {
        Self {
            occurrences: history.occurrences(),
            halfmove_clock: history.position().halfmove_clock(),
        }
    }

    /// The counts for the position after a legal move.
    ///
    /// # Panics
    /// Perhaps, if the move is not legal.
    pub fn with(history: &History, intended: Move) -> Self {
        Self {
            occurrences: history.occurrences_with(intended),
            halfmove_clock: history.position().play_unchecked(intended).halfmove_clock(),
        }
    }
}

impl fmt::Display for ClaimCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "occurrences of the position: {} of {THREEFOLD}; half-moves without capture or pawn move: {} of \
             {FIFTY_MOVES}",
            self.occurrences, self.halfmove_clock,
        )
    }
}

/// Whether the players may agree on a draw: each has made a move in this game (FIDE 5.2.3).
///
/// The move number cannot decide this, because a game may start from any position.
#[must_use]
pub fn may_be_agreed(history: &History) -> bool {
    history.moves().len() >= Color::COUNT
}

/// The draw that ends the game without a claim, if any.
///
/// These are stalemate, dead positions, fivefold repetition and seventy-five moves (FIDE 5.2.1,
/// 5.2.2, 9.6). Checkmate takes precedence over the seventy-five-move rule. Only dead positions
/// that are proven within microseconds are recognised.
pub fn automatic(history: &History) -> Option<Draw> {
    let position = history.position();
    if !position.has_legal_move() {
        return (!position.in_check()).then_some(Draw::Stalemate);
    }
    // The clock is tested before occurrences are counted, so the count never looks back further
    // than 150 plies.
    if position.is_insufficient_material() {
        Some(Draw::InsufficientMaterial)
    } else if dead::is_dead_quick(position) {
        Some(Draw::DeadPosition)
    } else if position.halfmove_clock() >= SEVENTY_FIVE_MOVES {
        Some(Draw::SeventyFiveMoves)
    } else if history.occurrences() >= FIVEFOLD {
        Some(Draw::FivefoldRepetition)
    } else {
        None
    }
}
