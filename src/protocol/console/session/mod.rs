//! A console session: the game, its players and their commands.

mod games;
mod search;

use super::clock::{Clock, Pace};
use super::command::{self, ConsoleCommand, Level, Sides};
use super::{Style, view};
use crate::engine::verdict::{self, Scores};
use crate::engine::{Engine, Limits, Report};
use crate::game::draw::Claim;
use crate::game::opening;
use crate::game::pgn::PgnGame;
use crate::game::san::{self, SanError};
use crate::game::{ActError, Game, GameEvent};
use crate::protocol::Flow;
use crate::types::{Color, Move, PieceKind, Score};
use crossbeam_channel::Receiver;
use games::Replacement;
use search::Progress;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::{Duration, Instant};

const NAME: &str = "Tabiya";

/// Time added to a player's clock after a wrong draw claim by the opponent (FIDE 9.5.3).
const WRONG_CLAIM_BONUS: Duration = Duration::from_secs(120);

pub(super) struct Session<W> {
    engine: Engine,
    game: Game,
    output: W,
    style: Style,
    /// A message for each Ctrl-C.
    interrupts: Receiver<()>,
    /// Time of the last Ctrl-C.
    last_interrupt: Option<Instant>,
    human_sides: Sides,
    level: Level,
    clock: Option<Clock>,
    /// Scores of the engine's moves.
    scores: Scores,
    /// The last report of a best line.
    report: Option<Report>,
    /// The loaded game, with its tags and notes.
    loaded: Option<PgnGame>,
    /// The moves that were last saved or loaded.
    saved_moves: Vec<Move>,
    /// A new game that waits for the user to confirm the loss of the current one.
    pending_replacement: Option<Replacement>,
    /// The opening that was last announced.
    opening: Option<&'static str>,
    /// Whether the board is shown from the other side.
    is_flipped: bool,
    /// Whether the board has changed since it was last shown.
    needs_redraw: bool,
    /// A pawn move that lacks its promotion piece.
    unfinished_promotion: Option<String>,
}

impl<W: Write> Session<W> {
    pub(super) fn new(engine: Engine, output: W, style: Style, interrupts: Receiver<()>) -> Self {
        Self {
            engine,
            game: Game::default(),
            output,
            style,
            interrupts,
            last_interrupt: None,
            human_sides: Sides::Only(Color::White),
            level: Level::default(),
            clock: None,
            scores: Scores::default(),
            report: None,
            loaded: None,
            saved_moves: Vec::new(),
            pending_replacement: None,
            opening: None,
            is_flipped: false,
            needs_redraw: true,
            unfinished_promotion: None,
        }
    }

    pub(super) fn greet(&mut self) -> io::Result<()> {
        self.print(&format_args!(
            "{NAME} {}. You play White; type a move, or help.",
            env!("CARGO_PKG_VERSION")
        ))
    }

    /// The text of the prompt.
    pub(super) fn prompt(&self) -> String {
        match (&self.unfinished_promotion, self.game.outcome()) {
            (Some(_), _) => "Queen, rook, bishop or knight (q, r, b, n)? ".to_owned(),
            (None, Some(_)) => "Game over> ".to_owned(),
            (None, None) => match &self.clock {
                Some(clock) => format!("{} {}> ", self.turn(), clock.text(self.turn())),
                None => format!("{}> ", self.turn()),
            },
        }
    }

    /// Plays for the engine until it is a person's turn or the game is over.
    pub(super) fn play_engine_moves(&mut self) -> io::Result<()> {
        while self.game.outcome().is_none() && !self.human_sides.includes(self.turn()) {
            self.play_engine_move()?;
        }
        Ok(())
    }

    /// If the board has changed, shows it, with the opening, possible claims and a draw offer.
    pub(super) fn show_changes(&mut self) -> io::Result<()> {
        if !self.needs_redraw {
            return self.output.flush();
        }
        self.show_board()?;
        self.announce_opening()?;
        if self.game.outcome().is_none() {
            for event in self.game.available_claims() {
                self.announce_claim(&event)?;
            }
            if self.game.offer() == Some(!self.turn()) {
                self.print(&"A draw is offered: type accept or decline, or move.")?;
            }
        }
        self.output.flush()
    }

    /// Handles a line of input.
    pub(super) fn handle_line(&mut self, line: &str) -> io::Result<Flow> {
        let line = line.trim();
        if let Some(replacement) = self.pending_replacement.take() {
            match line.to_ascii_lowercase().as_str() {
                "yes" | "y" => return self.replace(replacement).map(|()| Flow::Continue),
                "no" | "n" => return self.print(&"The game continues.").map(|()| Flow::Continue),
                // Any other line is handled as usual.
                _ => {}
            }
        }
        if self.is_time_over() {
            let acted = self.game.overstep_time(self.turn());
            self.unfinished_promotion = None;
            self.needs_redraw = true;
            return self.report_events(acted).map(|()| Flow::Continue);
        }
        if let Some(text) = self.unfinished_promotion.take() {
            match parse_promotion(line) {
                Some(kind) => self.play_text(&format!("{text}={}", kind.letter()))?,
                None => self.print(&format_args!("{text} was not played."))?,
            }
            return Ok(Flow::Continue);
        }
        match command::parse(line) {
            _ if line.is_empty() => {}
            Some(Ok(ConsoleCommand::Quit)) => return Ok(Flow::Quit),
            Some(Ok(command)) => self.run_command(command)?,
            Some(Err(usage)) => self.print(&usage)?,
            None => self.play_text(line)?,
        }
        Ok(Flow::Continue)
    }

    fn run_command(&mut self, command: ConsoleCommand) -> io::Result<()> {
        match command {
            ConsoleCommand::Draw(intended) => self.draw(intended.as_deref()),
            ConsoleCommand::Accept => {
                let acted = self.game.accept_draw(self.turn());
                self.report_events(acted)
            }
            ConsoleCommand::Decline => {
                let acted = self.game.decline_draw(self.turn());
                self.report_events(acted)
            }
            ConsoleCommand::Resign => {
                let acted = self.game.resign(self.turn());
                self.report_events(acted)
            }
            ConsoleCommand::Undo => self.step(Game::undo, "take back"),
            ConsoleCommand::Redo => self.step(Game::redo, "play again"),
            ConsoleCommand::New => self.offer_to_replace(Replacement {
                game: Game::default(),
                loaded: None,
                message: "A new game begins.".to_owned(),
            }),
            ConsoleCommand::Fen(None) => {
                let fen = self.game.position().to_string();
                self.print(&fen)
            }
            ConsoleCommand::Fen(Some(fen)) => self.set_up(&fen),
            ConsoleCommand::Board => {
                self.needs_redraw = true;
                Ok(())
            }
            ConsoleCommand::Moves => self.list_moves(),
            ConsoleCommand::Hint => self.hint(),
            ConsoleCommand::Flip => {
                self.is_flipped = !self.is_flipped;
                self.needs_redraw = true;
                Ok(())
            }
            ConsoleCommand::Save(path) => self.save(&path),
            ConsoleCommand::Load(path) => self.load(&path),
            ConsoleCommand::Eval => self.evaluate(),
            ConsoleCommand::Analyse => self.analyse(),
            ConsoleCommand::Step(steps) => self.step_through(steps),
            ConsoleCommand::Clock(pace) => self.set_clock(pace),
            ConsoleCommand::Level(level) => {
                self.level = level.unwrap_or(self.level);
                let level = self.level;
                self.limit_strength(level);
                self.print(&format_args!("{NAME} plays at {level}."))
            }
            ConsoleCommand::Play(sides) => {
                self.human_sides = sides;
                self.needs_redraw = true;
                Ok(())
            }
            ConsoleCommand::Go => {
                self.human_sides = Sides::Only(!self.turn());
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
        clock.is_some_and(|clock| clock.remaining(self.turn()).is_zero())
    }

    fn set_clock(&mut self, pace: Option<Option<Pace>>) -> io::Result<()> {
        if let Some(pace) = pace {
            self.clock = pace.map(|pace| Clock::new(pace, self.turn()));
        }
        let text = match &self.clock {
            None => "The game has no clocks.".to_owned(),
            Some(clock) => {
                let [white, black] = Color::ALL.map(|color| clock.text(color));
                format!("White {white}, Black {black}; {}.", clock.pace)
            }
        };
        self.print(&text)
    }

    fn limit_strength(&mut self, level: Level) {
        let elo = match level {
            Level::Elo(elo) => Some(elo),
            _ => None,
        };
        // These options and values exist.
        let _ = self
            .engine
            .set_option("UCI_LimitStrength", &elo.is_some().to_string());
        if let Some(elo) = elo {
            let _ = self.engine.set_option("UCI_Elo", &elo.to_string());
        }
    }

    /// The limits of the engine's move.
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

    /// Parses and plays a move.
    fn play_text(&mut self, text: &str) -> io::Result<()> {
        match self.parse_move(text) {
            Ok(mv) => self.play(mv),
            Err(SanError::MissingPromotion(text)) if self.game.outcome().is_none() => {
                self.unfinished_promotion = Some(text);
                Ok(())
            }
            Err(SanError::Syntax(text)) => self.print(&format_args!(
                "'{text}' is neither a move nor a command: type help."
            )),
            Err(error) => match self.game.outcome() {
                Some(outcome) => self.print(&ActError::Over(outcome)),
                None => self.print(&format_args!(
                    "{error}: type moves to list the legal moves."
                )),
            },
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, SanError> {
        san::parse(self.game.position(), text)
    }

    fn play(&mut self, mv: Move) -> io::Result<()> {
        let text = self.numbered(mv);
        let (turn, by_engine) = (self.turn(), !self.human_sides.includes(self.turn()));
        if self.is_time_over() {
            let acted = self.game.overstep_time(turn);
            return self.report_events(acted);
        }
        match self.game.play(mv) {
            Ok(events) => {
                self.needs_redraw = true;
                if let Some(clock) = &mut self.clock {
                    clock.press(turn);
                }
                let player = if by_engine { NAME } else { "You" };
                self.print(&format_args!("{player} played {text}."))?;
                self.report_events(Ok(events))
            }
            refused => self.report_events(refused),
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

    /// Accepts the opponent's draw offer, or claims a draw. A wrong claim counts as an offer.
    fn draw(&mut self, intended: Option<&str>) -> io::Result<()> {
        let claimant = self.turn();
        let intended = match intended.map(|text| self.parse_move(text)).transpose() {
            Ok(intended) => intended,
            Err(error) => return self.print(&error),
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
        self.report_events(acted)?;
        if let Some(text) = named.filter(|_| self.turn() != claimant) {
            self.needs_redraw = true;
            self.print(&format_args!(
                "{text} is played: the move named in a claim must be played (FIDE 9.5.3)."
            ))?;
        }
        if self.game.outcome().is_none() && self.game.offer().is_none() {
            self.print(&ActError::TooEarly)?;
        }
        let is_answered_at_once = self.turn() == claimant && !self.human_sides.includes(!claimant);
        if self.game.offer() == Some(claimant) && is_answered_at_once {
            let limits = self.limits();
            if let Some(answer) = self.search(limits, Progress::Depth)? {
                self.answer_offer(!claimant, -answer.score)?;
            }
        }
        Ok(())
    }

    /// Undoes or redoes moves until it is a person's turn. `action` describes the step.
    fn step(&mut self, step: fn(&mut Game) -> Option<Move>, action: &str) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.print(&ActError::Over(outcome));
        }
        if step(&mut self.game).is_none() {
            return self.print(&format_args!("No move to {action}."));
        }
        while !self.human_sides.includes(self.turn()) && step(&mut self.game).is_some() {}
        self.scores = Scores::default();
        self.needs_redraw = true;
        if let Some(clock) = &mut self.clock {
            clock.restart(self.game.position().side_to_move());
        }
        Ok(())
    }

    fn list_moves(&mut self) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.print(&ActError::Over(outcome));
        }
        let position = self.game.position();
        let mut moves: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|mv| san::write(position, mv))
            .collect();
        moves.sort();
        self.print(&moves.join(" "))
    }

    fn hint(&mut self) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.print(&ActError::Over(outcome));
        }
        let limits = self.limits();
        let answer = self.search(limits, Progress::Depth)?;
        match answer.and_then(|answer| answer.best) {
            Some(mv) => {
                let text = self.numbered(mv);
                self.print(&format_args!("{NAME} would play {text}."))
            }
            None => Ok(()),
        }
    }

    /// Plays a turn of the engine: it answers a draw offer, then claims a draw or moves.
    fn play_engine_move(&mut self) -> io::Result<()> {
        let side = self.turn();
        let limits = self.limits();
        let Some(answer) = self.search(limits, Progress::Depth)? else {
            self.human_sides = Sides::Both;
            return self.print(&format_args!(
                "{NAME} does not move: you play both sides. Type go or play to change that."
            ));
        };
        let Some(best) = answer.best else {
            return Err(io::Error::other("the search found no move"));
        };
        if self.game.offer() == Some(!side) {
            self.answer_offer(side, answer.score)?;
        }
        self.scores.record(side, answer.score);
        if self.game.outcome().is_some() {
            return Ok(());
        }
        let claimed_with = [None, Some(best)]
            .into_iter()
            .find(|&intended| Claim::find(self.game.history(), intended).is_some());
        match claimed_with {
            Some(intended) if self.wants_draw(answer.score) => {
                let acted = self.game.claim_draw(intended);
                self.report_events(acted)
            }
            _ => self.play(best),
        }
    }

    fn wants_draw(&self, score: Score) -> bool {
        verdict::wants_draw(score, &self.engine.settings().opponent)
    }

    fn answer_offer(&mut self, side: Color, score: Score) -> io::Result<()> {
        let (history, opponent) = (self.game.history(), &self.engine.settings().opponent);
        let earlier = self.scores.of(side);
        let acted = if verdict::accepts_draw(history, score, earlier, opponent) {
            self.game.accept_draw(side)
        } else {
            self.game.decline_draw(side)
        };
        self.report_events(acted)
    }

    /// Prints the events of an action, or the error.
    fn report_events(&mut self, acted: Result<Vec<GameEvent>, ActError>) -> io::Result<()> {
        match acted {
            Ok(events) => events.iter().try_for_each(|event| self.report_event(event)),
            Err(error) => self.print(&error),
        }
    }

    fn report_event(&mut self, event: &GameEvent) -> io::Result<()> {
        match event {
            GameEvent::DrawOffered(color) => self.print(&format_args!("{color} offers a draw.")),
            GameEvent::DrawDeclined(color) => {
                self.print(&format_args!("{color} declines the draw."))
            }
            GameEvent::DrawClaimed(color, claim) => {
                self.print(&format_args!("{color} claims a draw by {claim}."))
            }
            GameEvent::ClaimRefused(color, counts) => {
                self.print(&format_args!("{color} cannot claim a draw: {counts}."))
            }
            GameEvent::GameOver(_) => self.announce_outcome(),
            // The board, the announcements with it, or the outcome show the other events.
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

    fn announce_outcome(&mut self) -> io::Result<()> {
        match self.game.outcome() {
            Some(outcome) => self.print(&format_args!(
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
            GameEvent::ClaimAvailable(claim) => self.print(&format_args!(
                "{} draw can be claimed: type draw",
                name(claim)
            )),
            GameEvent::ClaimAvailableWith(claim, moves) => {
                let position = self.game.position();
                let texts: Vec<_> = moves.iter().map(|&mv| san::write(position, mv)).collect();
                self.print(&format_args!(
                    "{} draw can be claimed with a move: type draw and one of {}",
                    name(claim),
                    texts.join(" ")
                ))
            }
            _ => Ok(()),
        }
    }

    /// Prints the name of the opening when it changes.
    fn announce_opening(&mut self) -> io::Result<()> {
        let opening = opening::name(self.game.history());
        if opening == self.opening {
            return Ok(());
        }
        self.opening = opening;
        match opening {
            Some(name) => self.print(&format_args!("Opening: {name}.")),
            None => Ok(()),
        }
    }

    fn show_board(&mut self) -> io::Result<()> {
        self.needs_redraw = false;
        let usual = match self.human_sides {
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
            self.print(&format_args!("{turn} is to move{check}."))?;
        }
        Ok(())
    }

    fn print<T: Display + ?Sized>(&mut self, text: &T) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }
}

fn parse_promotion(text: &str) -> Option<PieceKind> {
    let named = match text.to_ascii_lowercase().trim_start_matches('=') {
        "q" | "queen" => PieceKind::Queen,
        "r" | "rook" => PieceKind::Rook,
        "b" | "bishop" => PieceKind::Bishop,
        "n" | "knight" => PieceKind::Knight,
        _ => return None,
    };
    Some(named)
}
