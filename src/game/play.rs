//! A game between two players, from the first move to the result.

use super::draw::{self, Claim, ClaimCounts};
use super::{Draw, GameResult, History, IllegalMove, Outcome, Win, dead};
use crate::board::Position;
use crate::types::{CastlingMode, Color, Key, Move, MoveKind, Piece, PieceKind, Square, Wing};
use std::fmt;

/// A game: its moves, the offer of a draw that is on the table, and how it ended.
///
/// Each act returns what it brought about as [`GameEvent`]s. Once the game has ended nothing more can be done in it, and
/// moves cannot be taken back.
///
/// ```
/// use tabiya::game::{GameEvent, Game, lan};
/// let mut game = Game::default();
/// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     let mv = lan::parse(game.position(), text).unwrap();
///     let events = game.play(mv).unwrap();
///     assert_eq!(events.contains(&GameEvent::Check), text == "d8h4");
/// }
/// assert_eq!(game.outcome().unwrap().to_string(), "Black wins by checkmate");
/// assert_eq!(game.result().token(), "0-1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    mode: CastlingMode,
    history: History,
    /// Who has offered a draw that the opponent has not answered.
    offer: Option<Color>,
    outcome: Option<Outcome>,
}

/// Something that happened in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameEvent {
    /// The player of that colour made a move.
    Moved(Color, Move),
    /// A piece was taken on that square; en passant, the square where it stood.
    Captured(Piece, Square),
    /// The move castled.
    Castled(Wing),
    /// A pawn became this.
    Promoted(PieceKind),
    /// The player who is now to move is in check.
    Check,
    /// The player who is now to move may claim a draw.
    ClaimAvailable(Claim),
    /// The player who is now to move may claim a draw by naming one of these moves first.
    ClaimAvailableWith(Claim, Vec<Move>),
    /// This player offered a draw.
    DrawOffered(Color),
    /// This player declined the offer of a draw.
    DrawDeclined(Color),
    /// Both players agreed to a draw.
    DrawAgreed,
    /// This player claimed a draw, and rightly so.
    DrawClaimed(Color, Claim),
    /// This player claimed a draw, and the claim is refused for this reason.
    ClaimRefused(Color, ClaimCounts),
    /// The game has ended.
    GameOver(Outcome),
}

/// Why an act is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActError {
    /// The game has ended.
    Over(Outcome),
    /// The move is not legal.
    Illegal(IllegalMove),
    /// The player's last offer of a draw has not been answered yet.
    AlreadyOffered(Color),
    /// The opponent has not offered a draw.
    NotOffered(Color),
    /// There is no agreement before both players have made a move.
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
                    "{color} has already offered a draw and waits for an answer"
                )
            }
            Self::NotOffered(color) => write!(f, "{color} has not offered a draw"),
            Self::TooEarly => {
                write!(
                    f,
                    "a draw can be agreed on after both players have made a move"
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

/// What an act brought about, in the order in which it happened.
type Acted = Result<Vec<GameEvent>, ActError>;

impl Default for Game {
    /// Standard chess from the start.
    fn default() -> Self {
        Self::new(Position::start(), CastlingMode::Standard)
    }
}

impl Game {
    /// A game from that position, which may be the end of it already.
    pub fn new(position: Position, mode: CastlingMode) -> Self {
        Self::resume(History::new(position), mode)
    }

    /// A game with these moves, judged by others: it may have gone on where it should have been drawn by rule, and
    /// only the last position says whether it is over.
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

    /// How castling is written in this game.
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

    /// See [`History::keys_since_irreversible`].
    pub fn keys_since_irreversible(
        &self,
    ) -> impl ExactSizeIterator<Item = Key> + DoubleEndedIterator + '_ {
        self.history.keys_since_irreversible()
    }

    /// How the game ended, if it has.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The result so far.
    pub fn result(&self) -> GameResult {
        self.outcome.into()
    }

    /// Who has offered a draw that the opponent may still accept.
    pub const fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// Plays a move of the side to move.
    ///
    /// An offer of a draw by the other side has then been declined (FIDE 9.1.2.1).
    ///
    /// # Errors
    /// If the game is over, or the move is not legal.
    pub fn play(&mut self, mv: Move) -> Acted {
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

    /// Plays a move in a game that others judge: it may go on where it should have been drawn by rule.
    ///
    /// Protocols and files decide for themselves when a game is over, and older laws knew no such draws.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn replay(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.history.play(mv)?;
        self.offer = None;
        self.outcome = self.end_by_rule();
        Ok(())
    }

    /// Takes the last move back; `None` if there is none or the game is over.
    pub fn undo(&mut self) -> Option<Move> {
        self.change(History::undo)
    }

    /// Plays a move again that was taken back; `None` if there is none or the game is over.
    pub fn redo(&mut self) -> Option<Move> {
        self.change(History::redo)
    }

    fn change(&mut self, change: fn(&mut History) -> Option<Move>) -> Option<Move> {
        self.check_running().ok()?;
        let mv = change(&mut self.history)?;
        self.offer = None;
        Some(mv)
    }

    /// Offers a draw; if the opponent has offered one, it is agreed (FIDE 9.1.2).
    ///
    /// The offer stands until the opponent answers it or moves.
    ///
    /// # Errors
    /// If the game is over, an offer of this player stands already, or it is too early to agree.
    pub fn offer_draw(&mut self, color: Color) -> Acted {
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
    /// If the game is over, or there is no such offer.
    pub fn accept_draw(&mut self, color: Color) -> Acted {
        self.check_offered_to(color)?;
        let mut events = vec![GameEvent::DrawAgreed];
        self.end(Outcome::Drawn(Draw::Agreement), &mut events);
        Ok(events)
    }

    /// Declines the opponent's offer of a draw.
    ///
    /// # Errors
    /// If the game is over, or there is no such offer.
    pub fn decline_draw(&mut self, color: Color) -> Acted {
        self.check_offered_to(color)?;
        self.offer = None;
        Ok(vec![GameEvent::DrawDeclined(color)])
    }

    /// The player to move claims a draw: for the position on the board, or with an intended move.
    ///
    /// If the claim is wrong it counts as an offer of a draw (FIDE 9.1.2.3), and an intended move has to be made
    /// (FIDE 9.5.3), so it is.
    ///
    /// # Errors
    /// If the game is over, or the intended move is not legal.
    pub fn claim_draw(&mut self, intended: Option<Move>) -> Acted {
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
        }
        if let Some(mv) = intended {
            events.extend(self.play(mv)?);
        }
        Ok(events)
    }

    /// The player resigns (FIDE 5.1.2).
    ///
    /// # Errors
    /// If the game is over.
    pub fn resign(&mut self, color: Color) -> Acted {
        self.check_running()?;
        let mut events = Vec::new();
        let (winner, by) = (!color, Win::Resignation);
        self.end(Outcome::Won { winner, by }, &mut events);
        Ok(events)
    }

    /// The player's time is over: a loss, or a draw if the opponent cannot give mate any more (FIDE 6.9).
    ///
    /// # Errors
    /// If the game is over.
    pub fn overstep_time(&mut self, color: Color) -> Acted {
        self.check_running()?;
        let mut events = Vec::new();
        let outcome = if dead::quick(self.position(), !color).is_unwinnable() {
            Outcome::Drawn(Draw::Time)
        } else {
            let (winner, by) = (!color, Win::Time);
            Outcome::Won { winner, by }
        };
        self.end(outcome, &mut events);
        Ok(events)
    }

    /// What the player to move may claim, as events.
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

    /// How the rules end the game in the present position, if they do: mate, then draws (FIDE 5.1.1, 9.6.2).
    fn end_by_rule(&self) -> Option<Outcome> {
        let position = self.position();
        if position.in_check() && !position.has_legal_move() {
            let winner = !position.side_to_move();
            let by = Win::Checkmate;
            return Some(Outcome::Won { winner, by });
        }
        draw::automatic(&self.history).map(Outcome::Drawn)
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

    /// Both players must have made a move (FIDE 5.2.3): then the second move is due.
    fn check_agreement_allowed(&self) -> Result<(), ActError> {
        if self.position().fullmove_number() >= 2 {
            Ok(())
        } else {
            Err(ActError::TooEarly)
        }
    }
}

/// What a move does on the board; empty of meaning if it is not legal.
fn describe(position: &Position, mv: Move) -> Vec<GameEvent> {
    let mut events = vec![GameEvent::Moved(position.side_to_move(), mv)];
    let taken_on = match mv.kind() {
        MoveKind::EnPassant => Square::new(mv.to().file(), mv.from().rank()),
        _ => mv.to(),
    };
    match mv.kind() {
        MoveKind::Castling => events.push(GameEvent::Castled(Wing::of(mv.from(), mv.to()))),
        kind => {
            let taken = position.piece_at(taken_on);
            events.extend(taken.map(|piece| GameEvent::Captured(piece, taken_on)));
            if let MoveKind::Promotion(piece) = kind {
                events.push(GameEvent::Promoted(piece));
            }
        }
    }
    events
}
