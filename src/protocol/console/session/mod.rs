//! A person, the engine, and the game between them.

mod games;
mod search;

use super::clock::{Clock, Pace};
use super::command::{self, ConsoleCommand, Level, Sides};
use super::{Style, view};
use crate::engine::{Engine, Limits, Report, verdict};
use crate::game::draw::Claim;
use crate::game::opening;
use crate::game::pgn::PgnGame;
use crate::game::san::{self, SanError};
use crate::game::{ActError, Game, GameEvent};
use crate::protocol::Flow;
use crate::types::{Color, Move, PieceKind, Score};
use crossbeam_channel::Receiver;
use games::Replacement;
use search::Shown;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::{Duration, Instant};

const NAME: &str = "Tabiya";

/// What a player gets when the opponent has claimed a draw wrongly (FIDE 9.5.3).
const WRONG_CLAIM_BONUS: Duration = Duration::from_secs(120);

pub(super) struct Session<W> {
    engine: Engine,
    game: Game,
    output: W,
    style: Style,
    /// Ctrl-C, and when it was last pressed.
    interrupts: Receiver<()>,
    interrupted: Option<Instant>,
    people: Sides,
    level: Level,
    clock: Option<Clock>,
    /// The last line that the engine has found.
    report: Option<Report>,
    /// The game that was loaded, with its tags and notes.
    loaded: Option<PgnGame>,
    /// The moves that are in a file.
    kept: Vec<Move>,
    /// What waits for a word that the game under way may go.
    pending: Option<Replacement>,
    /// The name of the opening that was told last.
    opening: Option<&'static str>,
    /// The board is seen from the other side than usual.
    is_flipped: bool,
    /// The board has changed since it was shown.
    is_stale: bool,
    /// A move of a pawn that has still to be told what it becomes.
    unfinished: Option<String>,
}

impl<W: Write> Session<W> {
    pub(super) fn new(engine: Engine, output: W, style: Style, interrupts: Receiver<()>) -> Self {
        Self {
            engine,
            game: Game::default(),
            output,
            style,
            interrupts,
            interrupted: None,
            people: Sides::Only(Color::White),
            level: Level::default(),
            clock: None,
            report: None,
            loaded: None,
            kept: Vec::new(),
            pending: None,
            opening: None,
            is_flipped: false,
            is_stale: true,
            unfinished: None,
        }
    }

    pub(super) fn greet(&mut self) -> io::Result<()> {
        self.say(&format_args!(
            "{NAME} {}. You play White; type a move, or help.",
            env!("CARGO_PKG_VERSION")
        ))
    }

    /// What is asked for.
    pub(super) fn prompt(&self) -> String {
        match (&self.unfinished, self.game.outcome()) {
            (Some(_), _) => "Queen, rook, bishop or knight (q, r, b, n)? ".to_owned(),
            (None, Some(_)) => "Game over> ".to_owned(),
            (None, None) => match &self.clock {
                Some(clock) => format!("{} {}> ", self.turn(), clock.shown(self.turn())),
                None => format!("{}> ", self.turn()),
            },
        }
    }

    /// Lets the engine make its moves; then shows the board and what can be claimed, if that has changed.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        while self.game.outcome().is_none() && !self.people.include(self.turn()) {
            self.let_engine_move()?;
        }
        if !self.is_stale {
            return self.output.flush();
        }
        self.show_board()?;
        self.tell_opening()?;
        if self.game.outcome().is_none() {
            for event in self.game.available_claims() {
                self.announce_claim(&event)?;
            }
            if self.game.offer() == Some(!self.turn()) {
                self.say(&"A draw is offered: type accept or decline, or move.")?;
            }
        }
        self.output.flush()
    }

    /// Does what the line says.
    pub(super) fn line(&mut self, line: &str) -> io::Result<Flow> {
        let line = line.trim();
        if let Some(replacement) = self.pending.take() {
            match line.to_ascii_lowercase().as_str() {
                "yes" | "y" => return self.replace(replacement).map(|()| Flow::Continue),
                "no" | "n" => return self.say(&"The game goes on.").map(|()| Flow::Continue),
                // Whatever else is said is not about that.
                _ => {}
            }
        }
        if self.is_time_over() {
            let acted = self.game.overstep_time(self.turn());
            self.unfinished = None;
            self.is_stale = true;
            return self.tell(acted).map(|()| Flow::Continue);
        }
        if let Some(text) = self.unfinished.take() {
            match read_promotion(line) {
                Some(kind) => self.play_text(&format!("{text}={}", kind.letter()))?,
                None => self.say(&format_args!("{text} is not played."))?,
            }
            return Ok(Flow::Continue);
        }
        match command::parse(line) {
            _ if line.is_empty() => {}
            Some(Ok(ConsoleCommand::Quit)) => return Ok(Flow::Quit),
            Some(Ok(command)) => self.command(command)?,
            Some(Err(usage)) => self.say(&usage)?,
            None => self.play_text(line)?,
        }
        Ok(Flow::Continue)
    }

    fn command(&mut self, command: ConsoleCommand) -> io::Result<()> {
        match command {
            ConsoleCommand::Draw(intended) => self.draw(intended.as_deref()),
            ConsoleCommand::Accept => {
                let acted = self.game.accept_draw(self.turn());
                self.tell(acted)
            }
            ConsoleCommand::Decline => {
                let acted = self.game.decline_draw(self.turn());
                self.tell(acted)
            }
            ConsoleCommand::Resign => {
                let acted = self.game.resign(self.turn());
                self.tell(acted)
            }
            ConsoleCommand::Undo => self.step(Game::undo, "take back"),
            ConsoleCommand::Redo => self.step(Game::redo, "play again"),
            ConsoleCommand::New => self.offer_to_replace(Replacement {
                game: Game::default(),
                loaded: None,
                said: "A new game begins.".to_owned(),
            }),
            ConsoleCommand::Fen(None) => {
                let fen = self.game.position().to_string();
                self.say(&fen)
            }
            ConsoleCommand::Fen(Some(fen)) => self.set_up(&fen),
            ConsoleCommand::Board => {
                self.is_stale = true;
                Ok(())
            }
            ConsoleCommand::Moves => self.list_moves(),
            ConsoleCommand::Hint => self.hint(),
            ConsoleCommand::Flip => {
                self.is_flipped = !self.is_flipped;
                self.is_stale = true;
                Ok(())
            }
            ConsoleCommand::Save(path) => self.save(&path),
            ConsoleCommand::Load(path) => self.load(&path),
            ConsoleCommand::Eval => self.evaluate(),
            ConsoleCommand::Analyse => self.analyse(),
            ConsoleCommand::Step(steps) => self.go_through(steps),
            ConsoleCommand::Clock(pace) => self.set_clock(pace),
            ConsoleCommand::Level(level) => {
                self.level = level.unwrap_or(self.level);
                let level = self.level;
                self.limit_strength(level);
                self.say(&format_args!("{NAME} plays at {level}."))
            }
            ConsoleCommand::Play(people) => {
                self.people = people;
                self.is_stale = true;
                Ok(())
            }
            ConsoleCommand::Go => {
                self.people = Sides::Only(!self.turn());
                Ok(())
            }
            ConsoleCommand::Help => write!(self.output, "{}", command::help()),
            ConsoleCommand::Quit => Ok(()),
        }
    }

    fn turn(&self) -> Color {
        self.game.position().side_to_move()
    }

    fn is_time_over(&self) -> bool {
        let clock = self
            .clock
            .as_ref()
            .filter(|_| self.game.outcome().is_none());
        clock.is_some_and(|clock| clock.left(self.turn()).is_zero())
    }

    fn set_clock(&mut self, pace: Option<Option<Pace>>) -> io::Result<()> {
        if let Some(pace) = pace {
            self.clock = pace.map(|pace| Clock::new(pace, self.turn()));
        }
        let text = match &self.clock {
            None => "There are no clocks.".to_owned(),
            Some(clock) => {
                let [white, black] = Color::ALL.map(|color| clock.shown(color));
                format!("White {white}, Black {black}; {}.", clock.pace)
            }
        };
        self.say(&text)
    }

    fn limit_strength(&mut self, level: Level) {
        let elo = match level {
            Level::Elo(elo) => Some(elo),
            _ => None,
        };
        // The options are there and take these.
        let _ = self
            .engine
            .set_option("UCI_LimitStrength", &elo.is_some().to_string());
        if let Some(elo) = elo {
            let _ = self.engine.set_option("UCI_Elo", &elo.to_string());
        }
    }

    /// What the engine may use for a move.
    fn limits(&self) -> Limits {
        match &self.clock {
            None => self.level.limits(),
            Some(clock) => Limits {
                clock: Some(clock.control(self.turn())),
                movetime: None,
                ..self.level.limits()
            },
        }
    }

    /// Plays what is no command, if it is a move.
    fn play_text(&mut self, text: &str) -> io::Result<()> {
        match self.read_move(text) {
            Ok(mv) => self.play(mv),
            Err(SanError::MissingPromotion(text)) if self.game.outcome().is_none() => {
                self.unfinished = Some(text);
                Ok(())
            }
            Err(SanError::Syntax(text)) => self.say(&format_args!(
                "'{text}' is neither a move nor a command: type help."
            )),
            Err(error) => match self.game.outcome() {
                Some(outcome) => self.say(&ActError::Over(outcome)),
                None => self.say(&format_args!("{error}: type moves for those that are.")),
            },
        }
    }

    fn read_move(&self, text: &str) -> Result<Move, SanError> {
        san::parse(self.game.position(), text)
    }

    fn play(&mut self, mv: Move) -> io::Result<()> {
        let text = self.numbered(mv);
        let (turn, by_engine) = (self.turn(), !self.people.include(self.turn()));
        if self.is_time_over() {
            let acted = self.game.overstep_time(turn);
            return self.tell(acted);
        }
        match self.game.play(mv) {
            Ok(events) => {
                self.is_stale = true;
                if let Some(clock) = &mut self.clock {
                    clock.press(turn);
                }
                let player = if by_engine { NAME } else { "You" };
                self.say(&format_args!("{player} played {text}."))?;
                self.tell(Ok(events))
            }
            refused => self.tell(refused),
        }
    }

    /// The move in SAN with its number.
    fn numbered(&self, mv: Move) -> String {
        let position = self.game.position();
        let dots = match position.side_to_move() {
            Color::White => ".",
            Color::Black => "...",
        };
        let number = position.fullmove_number();
        format!("{number}{dots} {}", san::write(position, mv))
    }

    /// Claims a draw if there is a reason to, says why if there is none, and offers one.
    fn draw(&mut self, intended: Option<&str>) -> io::Result<()> {
        let claimant = self.turn();
        let intended = match intended.map(|text| self.read_move(text)).transpose() {
            Ok(intended) => intended,
            Err(error) => return self.say(&error),
        };
        let named = intended.map(|mv| self.numbered(mv));
        let is_offered = self.game.offer() == Some(!claimant);
        let can_claim = Claim::find(self.game.history(), intended).is_some();
        let acted = if is_offered && !can_claim && intended.is_none() {
            self.game.accept_draw(claimant)
        } else {
            self.game.claim_draw(intended)
        };
        if let Some(clock) = &mut self.clock {
            let refused = |event: &GameEvent| matches!(event, GameEvent::ClaimRefused(..));
            if acted
                .as_ref()
                .is_ok_and(|events| events.iter().any(refused))
            {
                clock.add(!claimant, WRONG_CLAIM_BONUS);
            }
            if self.game.position().side_to_move() != claimant {
                clock.press(claimant);
            }
        }
        self.tell(acted)?;
        if let Some(text) = named.filter(|_| self.turn() != claimant) {
            self.is_stale = true;
            self.say(&format_args!(
                "{text} is played, as a move named in a claim has to be (FIDE 9.5.3)."
            ))?;
        }
        if self.game.outcome().is_none() && self.game.offer().is_none() {
            self.say(&ActError::TooEarly)?;
        }
        let is_answered_at_once = self.turn() == claimant && !self.people.include(!claimant);
        if self.game.offer() == Some(claimant) && is_answered_at_once {
            let limits = self.limits();
            if let Some(answer) = self.search(limits, Shown::Depth)? {
                self.answer_offer(!claimant, -answer.score)?;
            }
        }
        Ok(())
    }

    /// Takes back or plays again, until it is a person's turn.
    fn step(&mut self, step: fn(&mut Game) -> Option<Move>, what: &str) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.say(&ActError::Over(outcome));
        }
        if step(&mut self.game).is_none() {
            return self.say(&format_args!("There is no move to {what}."));
        }
        while !self.people.include(self.turn()) && step(&mut self.game).is_some() {}
        self.is_stale = true;
        if let Some(clock) = &mut self.clock {
            clock.restart(self.game.position().side_to_move());
        }
        Ok(())
    }

    fn list_moves(&mut self) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.say(&ActError::Over(outcome));
        }
        let position = self.game.position();
        let mut moves: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|mv| san::write(position, mv))
            .collect();
        moves.sort();
        self.say(&moves.join(" "))
    }

    fn hint(&mut self) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.say(&ActError::Over(outcome));
        }
        let limits = self.limits();
        let answer = self.search(limits, Shown::Depth)?;
        match answer.and_then(|answer| answer.best) {
            Some(mv) => {
                let text = self.numbered(mv);
                self.say(&format_args!("{NAME} would play {text}."))
            }
            None => Ok(()),
        }
    }

    /// The engine answers an offer, claims a draw that it wants, or moves.
    fn let_engine_move(&mut self) -> io::Result<()> {
        let side = self.turn();
        let limits = self.limits();
        let Some(answer) = self.search(limits, Shown::Depth)? else {
            self.people = Sides::Both;
            return self.say(&format_args!(
                "{NAME} does not move: you make the moves of both sides. Type go or play to change that."
            ));
        };
        let Some(best) = answer.best else {
            return Err(io::Error::other("the search has found no move"));
        };
        if self.game.offer() == Some(!side) {
            self.answer_offer(side, answer.score)?;
        }
        if self.game.outcome().is_some() {
            return Ok(());
        }
        let claimed_with = [None, Some(best)]
            .into_iter()
            .find(|&intended| Claim::find(self.game.history(), intended).is_some());
        match claimed_with {
            Some(intended) if self.wants_draw(answer.score) => {
                let acted = self.game.claim_draw(intended);
                self.tell(acted)
            }
            _ => self.play(best),
        }
    }

    fn wants_draw(&self, score: Score) -> bool {
        verdict::wants_draw(score, &self.engine.settings().opponent)
    }

    fn answer_offer(&mut self, side: Color, score: Score) -> io::Result<()> {
        let acted = if self.wants_draw(score) {
            self.game.accept_draw(side)
        } else {
            self.game.decline_draw(side)
        };
        self.tell(acted)
    }

    /// Says what came of an act, or why it is refused.
    fn tell(&mut self, acted: Result<Vec<GameEvent>, ActError>) -> io::Result<()> {
        match acted {
            Ok(events) => events.iter().try_for_each(|event| self.tell_event(event)),
            Err(error) => self.say(&error),
        }
    }

    fn tell_event(&mut self, event: &GameEvent) -> io::Result<()> {
        match event {
            GameEvent::DrawOffered(color) => self.say(&format_args!("{color} offers a draw.")),
            GameEvent::DrawDeclined(color) => self.say(&format_args!("{color} declines the draw.")),
            GameEvent::DrawClaimed(color, claim) => {
                self.say(&format_args!("{color} claims a draw by {claim}."))
            }
            GameEvent::ClaimRefused(color, counts) => {
                self.say(&format_args!("{color} cannot claim a draw: {counts}."))
            }
            GameEvent::GameOver(_) => self.tell_outcome(),
            // The board shows these, or they are announced with it, or the outcome says it.
            GameEvent::Moved(..)
            | GameEvent::Captured(..)
            | GameEvent::Castled(_)
            | GameEvent::Promoted(_)
            | GameEvent::Check
            | GameEvent::ClaimAvailable(_)
            | GameEvent::ClaimAvailableWith(..)
            | GameEvent::DrawAgreed => Ok(()),
        }
    }

    fn tell_outcome(&mut self) -> io::Result<()> {
        match self.game.outcome() {
            Some(outcome) => self.say(&format_args!(
                "{outcome}. {} Type new for another game.",
                outcome.result()
            )),
            None => Ok(()),
        }
    }

    fn announce_claim(&mut self, event: &GameEvent) -> io::Result<()> {
        let name = |claim: &Claim| match claim {
            Claim::Threefold => "Threefold-repetition",
            Claim::FiftyMoves => "Fifty-move",
        };
        match event {
            GameEvent::ClaimAvailable(claim) => self.say(&format_args!(
                "{} draw can be claimed: type draw",
                name(claim)
            )),
            GameEvent::ClaimAvailableWith(claim, moves) => {
                let position = self.game.position();
                let texts: Vec<_> = moves.iter().map(|&mv| san::write(position, mv)).collect();
                self.say(&format_args!(
                    "{} draw can be claimed with a move: type draw and one of {}",
                    name(claim),
                    texts.join(" ")
                ))
            }
            _ => Ok(()),
        }
    }

    /// Names the opening, when it gets another name.
    fn tell_opening(&mut self) -> io::Result<()> {
        let opening = opening::name(self.game.history());
        if opening == self.opening {
            return Ok(());
        }
        self.opening = opening;
        match opening {
            Some(name) => self.say(&format_args!("Opening: {name}.")),
            None => Ok(()),
        }
    }

    fn show_board(&mut self) -> io::Result<()> {
        self.is_stale = false;
        let usual = match self.people {
            Sides::Only(color) => color,
            Sides::Both | Sides::Neither => Color::White,
        };
        let side = if self.is_flipped { !usual } else { usual };
        let last = self.game.history().moves().next_back();
        let position = *self.game.position();
        let board = view::board(&position, last, side, self.style);
        writeln!(self.output, "\n{board}")?;
        if self.game.outcome().is_none() {
            let check = if position.in_check() {
                ", in check"
            } else {
                ""
            };
            let turn = self.turn();
            self.say(&format_args!("{turn} is to move{check}."))?;
        }
        Ok(())
    }

    fn say<T: Display + ?Sized>(&mut self, text: &T) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }
}

fn read_promotion(text: &str) -> Option<PieceKind> {
    let named = match text.to_ascii_lowercase().trim_start_matches('=') {
        "q" | "queen" => PieceKind::Queen,
        "r" | "rook" => PieceKind::Rook,
        "b" | "bishop" => PieceKind::Bishop,
        "n" | "knight" => PieceKind::Knight,
        _ => return None,
    };
    Some(named)
}
