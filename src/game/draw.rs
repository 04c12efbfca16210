//! Draws by the rules: those that end the game by themselves, and those that the player to move may claim.

use super::{Draw, History, dead, material};
use crate::types::{FIFTY_MOVES, Move};
use std::fmt;

/// How often a position has to be there for a claim (FIDE 9.2).
pub const THREEFOLD: u32 = 3;
/// How often a position has to be there to end the game (FIDE 9.6.1).
pub const FIVEFOLD: u32 = 5;
/// Half-moves without capture or pawn move that end the game (FIDE 9.6.2).
pub const SEVENTY_FIVE_MOVES: u32 = 150;

/// What the player to move may claim a draw for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The same position for the third time (FIDE 9.2).
    Threefold,
    /// Fifty moves of each player without capture or pawn move (FIDE 9.3).
    FiftyMoves,
}

impl Claim {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Threefold, Self::FiftyMoves];

    /// How the game ends if the claim is right.
    pub const fn draw(self) -> Draw {
        match self {
            Self::Threefold => Draw::ThreefoldRepetition,
            Self::FiftyMoves => Draw::FiftyMoves,
        }
    }

    /// Whether the player to move may claim because of the position on the board (FIDE 9.2.2, 9.3.2).
    ///
    /// Where there is no legal move the game has ended and nothing can be claimed. A claim lasts while the position
    /// is on the board: who moves without claiming gives it up (FIDE 9.4).
    #[must_use]
    pub fn holds_now(self, history: &History) -> bool {
        let counts = ClaimCounts::now(history);
        self.is_met_by(counts) && history.position().has_legal_move()
    }

    /// Whether the player to move may claim because of a legal move that is named and not yet played
    /// (FIDE 9.2.1, 9.3.1).
    ///
    /// A move that mates or stalemates ends the game by itself, so there is nothing to claim.
    #[must_use]
    pub fn holds_with(self, history: &History, intended: Move) -> bool {
        let counts = ClaimCounts::with(history, intended);
        self.is_met_by(counts) && history.position().play(intended).has_legal_move()
    }

    /// The claim that holds now, or with the intended move.
    pub fn find(history: &History, intended: Option<Move>) -> Option<Self> {
        Self::ALL.into_iter().find(|claim| match intended {
            None => claim.holds_now(history),
            Some(mv) => claim.holds_with(history, mv),
        })
    }

    const fn is_met_by(self, counts: ClaimCounts) -> bool {
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

/// What claims are judged by; its `Display` says why a claim that is not met is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimCounts {
    /// How often the position has been on the board, this time included.
    pub occurrences: u32,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u32,
}

impl ClaimCounts {
    /// For the position on the board.
    pub fn now(history: &History) -> Self {
        Self {
            occurrences: history.occurrences(),
            halfmove_clock: history.position().halfmove_clock(),
        }
    }

    /// For the position after a legal move.
    pub fn with(history: &History, intended: Move) -> Self {
        Self {
            occurrences: history.occurrences_with(intended),
            halfmove_clock: history.position().play(intended).halfmove_clock(),
        }
    }
}

impl fmt::Display for ClaimCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count| if count == 1 { "" } else { "s" };
        write!(
            f,
            "the position has occurred {} time{} of {THREEFOLD}, and {} half-move{} of {FIFTY_MOVES} were made \
             without capture or pawn move",
            self.occurrences,
            plural(self.occurrences),
            self.halfmove_clock,
            plural(self.halfmove_clock),
        )
    }
}

/// The draw that ends the game without a claim, if any: stalemate, dead position, fivefold repetition, or seventy-five
/// moves (FIDE 5.2.1, 5.2.2, 9.6). Checkmate is none, even with the last of the seventy-five moves. Of the dead positions those
/// are known that take microseconds to prove.
pub fn automatic(history: &History) -> Option<Draw> {
    let position = history.position();
    if !position.has_legal_move() {
        return (!position.in_check()).then_some(Draw::Stalemate);
    }
    // The clock before the count, which looks back as far as the clock reaches: so it never looks back far.
    if material::is_insufficient(position) {
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
