//! A game between two players, from the first move to the result.

use super::draw::{self, Claim, ClaimCounts};
use super::san::{self, SanError};
use super::{Draw, GameResult, History, Outcome, Win, dead};
use crate::board::{GamePosition, IllegalMove, Position};
use crate::types::{CastlingMode, CastlingSide, Color, Move, Piece, PieceKind, Square};
use std::fmt;

/// A game: its moves, the open offer of a draw, and the outcome.
///
/// Each act returns its [`GameEvent`]s. After the end of the game no act is possible except
/// [`replay`](Self::replay) and [`reopen`](Self::reopen).
///
/// ```
/// use tabiya::game::{GameEvent, Game};
/// let mut game = Game::default();
/// for text in ["f3", "e5", "g4", "Qh4"] {
///     let events = game.push_san(text).unwrap();
///     assert_eq!(events.contains(&GameEvent::Check), text == "Qh4");
/// }
/// assert_eq!(game.outcome().unwrap().to_string(), "Black wins by checkmate");
/// assert_eq!(game.result().token(), "0-1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    mode: CastlingMode,
    history: History,
    /// The player with an unanswered offer of a draw.
    offer: Option<Color>,
    outcome: Option<Outcome>,
}

/// An event of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameEvent {
    /// The player of this colour made a move.
    Moved(Color, Move),
    /// A piece on this square was captured. En passant, this is the square of the captured pawn.
    Captured(Piece, Square),
    /// The move castled.
    Castled(CastlingSide),
    /// A pawn promoted to this piece.
    Promoted(PieceKind),
    /// The player to move is in check.
    Check,
    /// The player to move may claim a draw.
    ClaimAvailable(Claim),
    /// The player to move may claim a draw by announcing one of these moves.
    ClaimAvailableWith(Claim, Vec<Move>),
    /// This player offered a draw.
    DrawOffered(Color),
    /// This player declined the offer of a draw.
    DrawDeclined(Color),
    /// Both players agreed to a draw.
    DrawAgreed,
    /// This player claimed a draw, and the claim is correct.
    DrawClaimed(Color, Claim),
    /// This player claimed a draw, and the claim is refused because of these counts.
    ClaimRefused(Color, ClaimCounts),
    /// The game has ended.
    GameOver(Outcome),
}

/// Why an act is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActError {
    /// The game has ended.
    Over(Outcome),
    /// The move is not legal.
    Illegal(IllegalMove),
    /// The player's last offer of a draw has not been answered yet.
    AlreadyOffered(Color),
    /// The opponent has not offered a draw.
    NotOffered(Color),
    /// A draw cannot be agreed before both players have made a move.
    TooEarly,
}

impl fmt::Display for ActError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(Outcome::Drawn(reason)) => write!(f, "the game is over: drawn {reason}"),
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
            Self::Illegal(error) => error.fmt(f),
            Self::AlreadyOffered(color) => {
                write!(
                    f,
                    "{color} has already offered a draw and awaits the answer"
                )
            }
            Self::NotOffered(color) => write!(f, "{color} has not offered a draw"),
            Self::TooEarly => {
                write!(
                    f,
                    "a draw can be agreed only after both players have made a move"
                )
            }
        }
    }
}

impl std::error::Error for ActError {}

impl From<IllegalMove> for ActError {
    fn from(error: IllegalMove) -> Self {
        Self::Illegal(error)
    }
}

/// Why [`Game::push_san`] refuses a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PushSanError {
    /// The text is not a legal move.
    San(SanError),
    /// The game has ended.
    Act(ActError),
}

impl fmt::Display for PushSanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::San(error) => error.fmt(f),
            Self::Act(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PushSanError {}

/// The events of an act, in order.
type ActResult = Result<Vec<GameEvent>, ActError>;

impl From<&Game> for GamePosition {
    /// The last position of a game. It counts as dead if that is cheap to prove.
    fn from(game: &Game) -> Self {
        let keys = game.history.keys_since_irreversible();
        let too_old = keys.len().saturating_sub(Self::MAX_KEYS);
        Self {
            position: *game.position(),
            previous_keys: keys.skip(too_old).collect(),
            is_dead: matches!(
                game.outcome(),
                Some(Outcome::Drawn(
                    Draw::InsufficientMaterial | Draw::DeadPosition
                ))
            ),
        }
    }
}

impl Default for Game {
    /// Standard chess from the start.
    fn default() -> Self {
        Self::new(Position::start(), CastlingMode::Standard)
    }
}

impl Game {
    /// A game from this position, which may already be final.
    pub fn new(position: Position, mode: CastlingMode) -> Self {
        Self::resume(History::new(position), mode)
    }

    /// A game with these moves, which others arbitrate.
    ///
    /// It may have continued beyond an automatic draw; only the last position decides whether the
    /// game is over.
    pub fn resume(history: History, mode: CastlingMode) -> Self {
        let mut game = Self {
            mode,
            history,
            offer: None,
            outcome: None,
        };
        game.outcome = game.end_by_rule();
        game
    }

    /// The castling mode of the game.
    pub const fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The moves and positions so far.
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.history.position()
    }

    /// The outcome, if the game has ended.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The result; unknown while the game is in progress.
    pub fn result(&self) -> GameResult {
        self.outcome.into()
    }

    /// The player whose offer of a draw the opponent may still accept.
    pub const fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// Plays a move of the side to move. It declines an offer of a draw by the opponent (FIDE
    /// 9.1.2.1).
    ///
    /// # Errors
    /// If the game is over, or the move is not legal.
    pub fn play(&mut self, mv: Move) -> ActResult {
        self.check_running()?;
        let mut events = describe(self.position(), mv);
        self.history.play(mv)?;
        let next = self.position().side_to_move();
        if self.offer == Some(next) {
            self.offer = None;
            events.push(GameEvent::DrawDeclined(!next));
        }
        if self.position().in_check() {
            events.push(GameEvent::Check);
        }
        match self.end_by_rule() {
            Some(outcome) => self.end(outcome, &mut events),
            None => events.extend(self.available_claims()),
        }
        Ok(events)
    }

    /// Plays a move in algebraic notation, as [`play`](Self::play).
    ///
    /// # Errors
    /// If the game is over, or the text is not a legal move.
    ///
    /// ```
    /// use tabiya::game::Game;
    /// let mut game = Game::default();
    /// game.push_san("e4").unwrap();
    /// assert_eq!(game.push_san("e4").unwrap_err().to_string(), "e4 is not a legal move here");
    /// ```
    pub fn push_san(&mut self, text: &str) -> Result<Vec<GameEvent>, PushSanError> {
        self.check_running().map_err(PushSanError::Act)?;
        let mv = san::parse(self.position(), text).map_err(PushSanError::San)?;
        self.play(mv).map_err(PushSanError::Act)
    }

    /// Plays a move in a game that others arbitrate: it may continue beyond an automatic draw.
    ///
    /// Protocols and files decide for themselves when a game is over, and older laws had no
    /// automatic draws.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn replay(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.history.replay(mv)?;
        // As in `play`, the offer of the player who moves stands.
        self.offer = self
            .offer
            .filter(|&by| by != self.position().side_to_move());
        self.outcome = self.end_by_rule();
        Ok(())
    }

    /// Forgets an offer of a draw, for a game that goes on from another place.
    pub(crate) const fn forget_offer(&mut self) {
        self.offer = None;
    }

    /// Takes the last move back; returns `None` without a move, or if the game is over.
    pub fn undo(&mut self) -> Option<Move> {
        self.change(History::undo)
    }

    /// Plays again the move last taken back; returns `None` without one, or if the game is over.
    pub fn redo(&mut self) -> Option<Move> {
        self.change(History::redo)
    }

    /// Takes the last move back, also after the end of the game, which then continues. Returns
    /// `None` without a move.
    ///
    /// The Laws know no such act; it is for practice and for looking at a finished game.
    pub fn reopen(&mut self) -> Option<Move> {
        let mv = self.history.undo()?;
        self.offer = None;
        self.outcome = self.end_by_rule();
        Some(mv)
    }

    fn change(&mut self, change: fn(&mut History) -> Option<Move>) -> Option<Move> {
        self.check_running().ok()?;
        let mv = change(&mut self.history)?;
        self.offer = None;
        self.outcome = self.end_by_rule();
        Some(mv)
    }

    /// Offers a draw. If the opponent has offered one, the draw is agreed (FIDE 9.1.2).
    ///
    /// The offer stands until the opponent answers it or moves.
    ///
    /// # Errors
    /// If the game is over, if this player's offer already stands, or if it is too early to agree.
    pub fn offer_draw(&mut self, color: Color) -> ActResult {
        self.check_running()?;
        match self.offer {
            Some(other) if other == color => Err(ActError::AlreadyOffered(color)),
            Some(_) => self.accept_draw(color),
            None => {
                self.check_agreement_allowed()?;
                self.offer = Some(color);
                Ok(vec![GameEvent::DrawOffered(color)])
            }
        }
    }

    /// Accepts the opponent's offer of a draw.
    ///
    /// # Errors
    /// If the game is over, or if the opponent has not offered a draw.
    pub fn accept_draw(&mut self, color: Color) -> ActResult {
        self.check_offered_to(color)?;
        let mut events = vec![GameEvent::DrawAgreed];
        self.end(Outcome::Drawn(Draw::Agreement), &mut events);
        Ok(events)
    }

    /// Declines the opponent's offer of a draw.
    ///
    /// # Errors
    /// If the game is over, or if the opponent has not offered a draw.
    pub fn decline_draw(&mut self, color: Color) -> ActResult {
        self.check_offered_to(color)?;
        self.offer = None;
        Ok(vec![GameEvent::DrawDeclined(color)])
    }

    /// Claims a draw for the player to move: for the position on the board, or with the `intended`
    /// move.
    ///
    /// An incorrect claim counts as an offer of a draw (FIDE 9.1.2.3), which agrees to an open one
    /// of the opponent. The intended move must be played (FIDE 9.5.3), so it is played; it declines
    /// the opponent's offer. The time that the opponent gets for it, two minutes (9.5.3), or one in
    /// rapid and blitz (A.3, B.3), is for the caller's clocks.
    ///
    /// # Errors
    /// If the game is over, or the intended move is not legal.
    pub fn claim_draw(&mut self, intended: Option<Move>) -> ActResult {
        self.check_running()?;
        if let Some(mv) = intended
            && !self.position().is_legal(mv)
        {
            return Err(IllegalMove(mv).into());
        }
        let color = self.position().side_to_move();
        if let Some(claim) = Claim::find(&self.history, intended) {
            let mut events = vec![GameEvent::DrawClaimed(color, claim)];
            self.end(Outcome::Drawn(claim.draw()), &mut events);
            return Ok(events);
        }
        let counts = match intended {
            None => ClaimCounts::now(&self.history),
            Some(mv) => ClaimCounts::with(&self.history, mv),
        };
        let mut events = vec![GameEvent::ClaimRefused(color, counts)];
        if self.offer.is_none() && self.check_agreement_allowed().is_ok() {
            self.offer = Some(color);
            events.push(GameEvent::DrawOffered(color));
        } else if intended.is_none() && self.offer == Some(!color) {
            events.extend(self.accept_draw(color)?);
        }
        if let Some(mv) = intended {
            let had_offer = self.offer == Some(!color);
            events.extend(self.play(mv)?);
            // The move has declined the opponent's offer, and the claim is an offer all the same.
            if had_offer && self.outcome.is_none() {
                self.offer = Some(color);
                events.push(GameEvent::DrawOffered(color));
            }
        }
        Ok(events)
    }

    /// The player resigns: a loss, or a draw if it is proven that the opponent cannot mate (FIDE
    /// 5.1.2) or that nobody can (FIDE 5.2.2).
    ///
    /// # Errors
    /// If the game is over.
    pub fn resign(&mut self, color: Color) -> ActResult {
        self.lose(color, Win::Resignation, Draw::Resignation)
    }

    /// Ends the game on time: a loss, or a draw if it is proven that the opponent cannot mate (FIDE
    /// 6.9) or that nobody can (FIDE 5.2.2).
    ///
    /// # Errors
    /// If the game is over.
    pub fn overstep_time(&mut self, color: Color) -> ActResult {
        self.lose(color, Win::Time, Draw::Time)
    }

    /// Ends the game by a loss of `color`, or by `draw` if it is proven that the opponent cannot
    /// mate. If neither can mate, the game was over before (FIDE 5.2.2).
    fn lose(&mut self, color: Color, by: Win, draw: Draw) -> ActResult {
        self.check_running()?;
        let (winner, mut events) = (!color, Vec::new());
        let outcome = if self.may_mate(winner) {
            Outcome::Won { winner, by }
        } else if self.may_mate(color) {
            Outcome::Drawn(draw)
        } else {
            Outcome::Drawn(Draw::DeadPosition)
        };
        self.end(outcome, &mut events);
        Ok(events)
    }

    /// Whether nothing proves that the player cannot mate.
    fn may_mate(&self, color: Color) -> bool {
        !dead::analyse(self.position(), color, dead::RULING_NODES).is_unwinnable()
    }

    /// The claims of the player to move, as events.
    pub fn available_claims(&self) -> Vec<GameEvent> {
        Claim::ALL
            .into_iter()
            .filter_map(|claim| self.available_claim(claim))
            .collect()
    }

    fn available_claim(&self, claim: Claim) -> Option<GameEvent> {
        if claim.holds_now(&self.history) {
            return Some(GameEvent::ClaimAvailable(claim));
        }
        let mut moves: Vec<_> = self.position().legal_moves().into_iter().collect();
        moves.retain(|&mv| claim.holds_with(&self.history, mv));
        (!moves.is_empty()).then_some(GameEvent::ClaimAvailableWith(claim, moves))
    }

    /// The outcome by rule in the present position, if any: checkmate, then automatic draws (FIDE
    /// 5.1.1, 9.6.2).
    fn end_by_rule(&self) -> Option<Outcome> {
        Outcome::checkmate(self.position())
            .or_else(|| draw::automatic(&self.history).map(Outcome::Drawn))
    }

    fn end(&mut self, outcome: Outcome, events: &mut Vec<GameEvent>) {
        self.outcome = Some(outcome);
        self.offer = None;
        self.history.forget_undone();
        events.push(GameEvent::GameOver(outcome));
    }

    fn check_running(&self) -> Result<(), ActError> {
        self.outcome
            .map_or(Ok(()), |outcome| Err(ActError::Over(outcome)))
    }

    fn check_offered_to(&self, color: Color) -> Result<(), ActError> {
        self.check_running()?;
        if self.offer == Some(!color) {
            Ok(())
        } else {
            Err(ActError::NotOffered(!color))
        }
    }

    /// FIDE 5.2.3.
    fn check_agreement_allowed(&self) -> Result<(), ActError> {
        if draw::may_be_agreed(&self.history) {
            Ok(())
        } else {
            Err(ActError::TooEarly)
        }
    }
}

/// The events of a legal move on the board.
fn describe(position: &Position, mv: Move) -> Vec<GameEvent> {
    let mut events = vec![GameEvent::Moved(position.side_to_move(), mv)];
    let castled = mv.castling_side().map(GameEvent::Castled);
    let captured = position.captured(mv);
    let captured = captured.map(|piece| GameEvent::Captured(piece, mv.capture_square()));
    let promoted = mv.promotion().map(GameEvent::Promoted);
    events.extend(castled.into_iter().chain(captured).chain(promoted));
    events
}
