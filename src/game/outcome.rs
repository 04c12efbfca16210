//! How games end.

use crate::types::Color;
use std::fmt;
use std::str::FromStr;

/// How a game was won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Win {
    /// FIDE 5.1.1.
    Checkmate,
    /// FIDE 5.1.2.
    Resignation,
    /// The loser overstepped the time while the winner could still mate (FIDE 6.9).
    Time,
}

/// How a game was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Draw {
    /// FIDE 5.2.1.
    Stalemate,
    /// A dead position (FIDE 5.2.2) by the pieces alone.
    InsufficientMaterial,
    /// A dead position (FIDE 5.2.2) by where the pieces stand.
    DeadPosition,
    /// FIDE 5.2.3.
    Agreement,
    /// Claimed under FIDE 9.2.
    ThreefoldRepetition,
    /// Claimed under FIDE 9.3.
    FiftyMoves,
    /// FIDE 9.6.1; needs no claim.
    FivefoldRepetition,
    /// FIDE 9.6.2; needs no claim.
    SeventyFiveMoves,
    /// A player overstepped the time whom the opponent could no longer mate (FIDE 6.9).
    Time,
}

/// How a game ended: its `Display` is one sentence without a full stop.
///
/// ```
/// use tabiya::game::{Draw, GameResult, Outcome, Win};
/// use tabiya::types::Color;
/// let outcome = Outcome::Won { winner: Color::Black, by: Win::Checkmate };
/// assert_eq!(outcome.to_string(), "Black wins by checkmate");
/// assert_eq!(outcome.result(), GameResult::BlackWins);
/// assert_eq!(Outcome::Drawn(Draw::Stalemate).result().to_string(), "1/2-1/2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One side has won.
    Won {
        /// The side that has won.
        winner: Color,
        /// How.
        by: Win,
    },
    /// Nobody has won.
    Drawn(Draw),
}

impl Outcome {
    /// The result, without the reason.
    pub const fn result(self) -> GameResult {
        match self {
            Self::Won { winner, .. } => GameResult::won_by(winner),
            Self::Drawn(_) => GameResult::Drawn,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Won { winner, by } => write!(f, "{winner} wins {by}"),
            Self::Drawn(reason) => write!(f, "The game is drawn {reason}"),
        }
    }
}

impl fmt::Display for Win {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "by checkmate",
            Self::Resignation => "by resignation",
            Self::Time => "on time",
        })
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "by stalemate",
            Self::InsufficientMaterial => "by insufficient material",
            Self::DeadPosition => "because no series of legal moves leads to checkmate",
            Self::Agreement => "by agreement",
            Self::ThreefoldRepetition => "by a claim of threefold repetition",
            Self::FiftyMoves => "by a claim under the fifty-move rule",
            Self::FivefoldRepetition => "by fivefold repetition",
            Self::SeventyFiveMoves => "by the seventy-five-move rule",
            Self::Time => "because time is over and the opponent cannot give checkmate",
        })
    }
}

/// What a score table shows; its `Display` is the token that ends a game in PGN (PGN standard, 8.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Drawn,
    /// `*`: going on, abandoned, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// Every result.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Drawn, Self::Unknown];

    /// A win of that side.
    pub const fn won_by(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The token in PGN.
    pub const fn token(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Drawn => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

impl From<Option<Outcome>> for GameResult {
    fn from(outcome: Option<Outcome>) -> Self {
        outcome.map_or(Self::Unknown, Outcome::result)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.token())
    }
}

/// The text is none of the four result tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseResultError;

impl fmt::Display for ParseResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result is one of 1-0, 0-1, 1/2-1/2 and *")
    }
}

impl std::error::Error for ParseResultError {}

impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<Self, ParseResultError> {
        Self::ALL
            .into_iter()
            .find(|result| result.token() == text)
            .ok_or(ParseResultError)
    }
}
