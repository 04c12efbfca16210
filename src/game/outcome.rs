//! Outcomes of games.

use crate::board::Position;
use crate::types::Color;
use std::fmt;
use std::str::FromStr;

/// How a game was won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Win {
    /// Checkmate (FIDE 5.1.1).
    Checkmate,
    /// The loser resigned, and the winner could still mate (FIDE 5.1.2).
    Resignation,
    /// The loser exceeded the time, and the winner could still mate (FIDE 6.9).
    Time,
}

/// How a game was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Draw {
    /// Stalemate (FIDE 5.2.1).
    Stalemate,
    /// A dead position (FIDE 5.2.2) because of the material.
    InsufficientMaterial,
    /// A dead position (FIDE 5.2.2) because of the placement of the pieces.
    DeadPosition,
    /// Agreement (FIDE 5.2.3).
    Agreement,
    /// Threefold repetition, claimed (FIDE 9.2).
    ThreefoldRepetition,
    /// Fifty moves without capture or pawn move, claimed (FIDE 9.3).
    FiftyMoves,
    /// Fivefold repetition (FIDE 9.6.1).
    FivefoldRepetition,
    /// Seventy-five moves without capture or pawn move (FIDE 9.6.2).
    SeventyFiveMoves,
    /// A player exceeded the time, and the opponent could not mate (FIDE 6.9).
    Time,
    /// A player resigned, and the opponent could not mate (FIDE 5.1.2).
    Resignation,
}

/// How a game ended. Its `Display` is one sentence without a full stop.
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
    /// One side won.
    Won {
        /// The winner.
        winner: Color,
        /// The reason.
        by: Win,
    },
    /// The game was drawn.
    Drawn(Draw),
}

impl Outcome {
    /// The win by checkmate, if the side to move is mated (FIDE 5.1.1).
    pub fn checkmate(position: &Position) -> Option<Self> {
        position.is_checkmate().then(|| Self::Won {
            winner: !position.side_to_move(),
            by: Win::Checkmate,
        })
    }

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
            Self::Time => "because a player ran out of time and the opponent cannot give checkmate",
            Self::Resignation => {
                "because the opponent of the player who resigned cannot give checkmate"
            }
        })
    }
}

/// The result of a game. Its `Display` is the termination marker of PGN (PGN standard, 8.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Drawn,
    /// `*`: in progress, abandoned, or unknown.
    #[default]
    Unknown,
}

impl GameResult {
    /// All results.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Drawn, Self::Unknown];

    /// The win of this side.
    pub const fn won_by(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The side that has won; `None` if none has.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Drawn | Self::Unknown => None,
        }
    }

    /// White's points: 0, 0.5 or 1; `None` if the result is unknown.
    pub const fn points(self) -> Option<f32> {
        match self {
            Self::WhiteWins => Some(1.0),
            Self::BlackWins => Some(0.0),
            Self::Drawn => Some(0.5),
            Self::Unknown => None,
        }
    }

    /// The termination marker of PGN.
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

/// The error for a text that is not one of the four termination markers.
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
