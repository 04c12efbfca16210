//! Judges the moves of a game by what a search says of each position: marks, accuracy, the better
//! move, and the reason if a line proves one.
//!
//! A move is judged by the expected score that it loses, not by centipawns: a pawn matters much in
//! a level position and not at all a queen ahead. A lost mate counts more than the expected score
//! shows, because the position may stay won without it.
//!
//! The searches themselves are done elsewhere, natively or in a browser. So nothing here reads
//! files or searches. It takes an [`Evaluation`] of each position, those before the first move and
//! after the last one included:
//!
//! ```
//! use tabiya::game::Game;
//! use tabiya::review::{Evaluation, Mark, Summary, moves};
//! use tabiya::search::{Limits, Searcher};
//! use tabiya::types::Color;
//!
//! let mut game = Game::default();
//! for text in ["e4", "e5", "Qh5", "Ke7", "Qxe5"] {
//!     game.push_san(text).unwrap();
//! }
//! let history = game.history();
//! let mut searcher = Searcher::new(1).unwrap();
//! let mut evaluations = Vec::new();
//! for plies in 0..=history.moves().len() {
//!     // The search knows which positions have occurred before.
//!     let part = Game::resume(history.until(plies), game.mode());
//!     let position = part.position();
//!     evaluations.push(if position.has_legal_move() {
//!         let answer = searcher.best_move(&part, Limits::nodes(2_000)).unwrap();
//!         Evaluation::new(position, answer.score, answer.pv().to_vec())
//!     } else {
//!         Evaluation::of_end(position)
//!     });
//! }
//! let marks: Vec<_> = moves(history, &evaluations).map(|review| review.mark()).collect();
//! assert_eq!((marks.len(), marks[3]), (5, Some(Mark::Blunder)));
//! let [white, black] = [Color::White, Color::Black]
//!     .map(|player| Summary::of(player, history, &evaluations).accuracy().unwrap());
//! assert!(white > black);
//! ```

mod endings;
mod reason;
mod summary;

pub use endings::{ENDINGS, Ending, Goal};
pub use reason::{Fact, Reason, Trade};
pub use summary::Summary;

use crate::board::Position;
use crate::engine::{WdlModel, denormalized_score, expected_score, normalized_score};
use crate::game::History;
use crate::types::{Color, Move, Score};

/// Maximum length of a better line that is shown, in plies.
pub const SHOWN_PLIES: usize = 8;

/// What a search says of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Score for the side to move, as shown to users; `None` if the game is over.
    pub score: Option<Score>,
    /// White's expected score, 0 to 1.
    pub expected: f64,
    /// The best line.
    pub line: Vec<Move>,
}

impl Evaluation {
    /// The evaluation by a score of the search.
    #[must_use]
    pub fn new(position: &Position, score: Score, line: Vec<Move>) -> Self {
        Self {
            score: Some(normalized_score(score, position)),
            expected: for_white(position, expected_score(score, position)),
            line,
        }
    }

    /// The evaluation by a score as the protocols show it. Rounding changes the expected score a
    /// little.
    #[must_use]
    pub fn of_shown(position: &Position, shown: Score, line: Vec<Move>) -> Self {
        let score = denormalized_score(shown, &WdlModel::SHIPPED, position);
        Self {
            score: Some(shown),
            ..Self::new(position, score, line)
        }
    }

    /// The evaluation of a position in which the game is over, by checkmate or else as a draw.
    #[must_use]
    pub fn of_end(position: &Position) -> Self {
        let expected = if position.is_checkmate() { 0.0 } else { 0.5 };
        Self {
            score: None,
            expected: for_white(position, expected),
            line: Vec::new(),
        }
    }
}

/// White's expected score, given that of the side to move.
fn for_white(position: &Position, expected: f64) -> f64 {
    match position.side_to_move() {
        Color::White => expected,
        Color::Black => 1.0 - expected,
    }
}

/// The mark of a move, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `??`
    Blunder,
    /// `?`
    Mistake,
    /// `?!`
    Inaccuracy,
}

impl Mark {
    /// All marks, the worst first.
    pub const ALL: [Self; 3] = [Self::Blunder, Self::Mistake, Self::Inaccuracy];

    /// The least loss of expected score that gets the mark.
    #[must_use]
    pub const fn least_loss(self) -> f64 {
        match self {
            Self::Blunder => 0.3,
            Self::Mistake => 0.2,
            Self::Inaccuracy => 0.1,
        }
    }

    /// The sign after a move: `??`, `?` or `?!`.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Blunder => "??",
            Self::Mistake => "?",
            Self::Inaccuracy => "?!",
        }
    }

    /// The name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blunder => "blunder",
            Self::Mistake => "mistake",
            Self::Inaccuracy => "inaccuracy",
        }
    }
}

/// The loss of expected score up to which a move is as good as the best one: two searches of the
/// same position differ by as much.
const LEVEL_LOSS: f64 = 0.04;

/// A move with what a search says of the positions before and after it.
#[derive(Debug, Clone, Copy)]
pub struct MoveReview<'a> {
    /// The position before the move.
    pub position: &'a Position,
    /// The move.
    pub played: Move,
    /// The evaluation before the move.
    pub before: &'a Evaluation,
    /// The evaluation after the move.
    pub after: &'a Evaluation,
}

impl MoveReview<'_> {
    /// The player of the move.
    #[must_use]
    pub fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    /// Whether the move is the first of the best line.
    #[must_use]
    pub fn is_best(&self) -> bool {
        self.before.line.first() == Some(&self.played)
    }

    /// Whether the move is as good as the best one: it is that, or loses at most 0.04 points. A
    /// null move is not.
    #[must_use]
    pub fn is_good(&self) -> bool {
        !self.played.is_null() && (self.is_best() || self.loss() <= LEVEL_LOSS)
    }

    /// The loss of expected score by the move; negative if the search sees more after it. A lost
    /// mate counts at least as [`Self::least_loss`] says.
    #[must_use]
    pub fn loss(&self) -> f64 {
        let loss = match self.mover() {
            Color::White => self.before.expected - self.after.expected,
            Color::Black => self.after.expected - self.before.expected,
        };
        loss.max(self.least_loss())
    }

    /// The mark of the move. The best move gets none, nor does a null move.
    #[must_use]
    pub fn mark(&self) -> Option<Mark> {
        if self.is_best() || self.played.is_null() {
            return None;
        }
        let loss = self.loss();
        Mark::ALL.into_iter().find(|mark| loss >= mark.least_loss())
    }

    /// The accuracy of the move in percent.
    ///
    /// The curve is Lichess's (<https://lichess.org/page/accuracy>): 100 without a loss, 64 for a
    /// tenth of a point, 25 for three tenths.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        if self.is_best() {
            return 100.0;
        }
        let loss = self.loss().max(0.0);
        (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
    }

    /// Why the move is bad, if a line proves it.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        reason::find(self)
    }

    /// The least loss of expected score by a move after which a mate is gone, or a mate in one is
    /// not given. The expected score alone hardly shows it if the position stays won.
    ///
    /// The limits are those of Lichess: the position is still won with ten pawns, with seven, or
    /// not.
    fn least_loss(&self) -> f64 {
        let mate = self.before.score.and_then(Score::moves_to_mate);
        let (Some(moves @ 1..), Some(theirs)) = (mate, self.after.score) else {
            return 0.0;
        };
        let ours = -theirs;
        let mark = match ours.moves_to_mate() {
            Some(1..) if moves > 1 => return 0.0,
            Some(1..) => Mark::Inaccuracy,
            _ if ours.0 >= 1000 => Mark::Inaccuracy,
            _ if ours.0 >= 700 => Mark::Mistake,
            _ => Mark::Blunder,
        };
        mark.least_loss()
    }
}

/// The moves of a game with the evaluations before and after each, as far as there are evaluations.
/// The first evaluation is that of the start.
pub fn moves<'a>(
    history: &'a History,
    evaluations: &'a [Evaluation],
) -> impl Iterator<Item = MoveReview<'a>> {
    let steps = history.steps();
    let pairs = evaluations.iter().zip(evaluations.iter().skip(1));
    steps
        .zip(pairs)
        .map(|((position, played), (before, after))| MoveReview {
            position,
            played,
            before,
            after,
        })
}
