//! A console session: the game, its players and their commands.

mod draws;
mod games;
mod moves;
mod report;
mod search;

use super::Style;
use super::clock::Clock;
use super::command::{self, ClockRequest, ConsoleCommand, Sides};
use super::level::Level;
use super::view::{MAX_WIDTH, USUAL_WIDTH};
use crate::engine::verdict::Scores;
use crate::engine::{Engine, strength};
use crate::game::pgn::{PgnGame, printable};
use crate::game::{ActError, Game};
use crate::protocol::session::Flow;
use crate::search::Limits;
use crate::types::{Color, Move, PieceKind};
use crossbeam_channel::Receiver;
use games::Replacement;
use std::io::{self, Write};
use std::time::Instant;

const NAME: &str = "Tabiya";

pub(super) struct Session<W> {
    engine: Engine,
    game: Game,
    output: W,
    style: Style,
    /// Maximum length of a line.
    width: usize,
    /// A line for each Ctrl-C.
    interrupts: Receiver<String>,
    /// Time of the last Ctrl-C.
    last_interrupt: Option<Instant>,
    human_sides: Sides,
    level: Level,
    clock: Option<Clock>,
    /// Scores of the engine's moves.
    scores: Scores,
    /// The loaded game, with its tags and notes.
    loaded: Option<PgnGame>,
    /// Whether the moves shown are a part of the loaded game, on the way through it.
    is_step: bool,
    /// The moves that were last saved or loaded.
    saved_moves: Vec<Move>,
    /// A new game that waits for the user to confirm the loss of the current one.
    pending_replacement: Option<Replacement>,
    /// Whether the last line was the end of the input, and was answered by a question.
    has_asked: bool,
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
    pub(super) fn new(
        engine: Engine,
        output: W,
        style: Style,
        interrupts: Receiver<String>,
    ) -> Self {
        Self {
            engine,
            game: Game::default(),
            output,
            style,
            width: USUAL_WIDTH,
            interrupts,
            last_interrupt: None,
            human_sides: Sides::Only(Color::White),
            level: Level::default(),
            clock: None,
            scores: Scores::default(),
            loaded: None,
            is_step: false,
            saved_moves: Vec::new(),
            pending_replacement: None,
            has_asked: false,
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
        ))?;
        let (min, max) = (strength::MIN_ELO, strength::MAX_ELO);
        let level = self.level;
        self.print(&format_args!(
            "{NAME} plays at {level}. For a weaker opponent, type level and a name such as beginner, \
             level elo and a rating from {min} to {max}, or help level."
        ))
    }

    /// Sets the maximum length of a line to the width of the terminal.
    pub(super) fn set_width(&mut self, columns: Option<usize>) {
        // 0 columns mean that the terminal does not know.
        let columns = columns.filter(|&columns| columns > 0);
        self.width = columns.unwrap_or(USUAL_WIDTH).min(MAX_WIDTH);
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

    /// At the end of the input: asks whether to end a game with unsaved moves. Returns `false` if
    /// there is nothing to ask, or the question was asked already.
    pub(super) fn asks_before_the_end(&mut self) -> io::Result<bool> {
        let asks = self.has_unsaved_moves() && !self.has_asked;
        if asks {
            self.has_asked = true;
            self.print("The game has unsaved moves: type quit or Ctrl-D again to drop it.")?;
        }
        Ok(asks)
    }

    /// Handles a line of input.
    pub(super) fn handle_line(&mut self, line: &str) -> io::Result<Flow> {
        // Answers quote it.
        let line = printable(line);
        let line = line.trim();
        self.has_asked = false;
        if let Some(replacement) = self.pending_replacement.take() {
            match line.to_ascii_lowercase().as_str() {
                "yes" | "y" => return self.replace(replacement).map(|()| Flow::Continue),
                "no" | "n" => return self.print(&"The game continues.").map(|()| Flow::Continue),
                // Any other line is handled as usual.
                _ => {}
            }
        }
        let parsed = command::parse(line);
        if self.is_time_over() && !matches!(parsed, Some(Ok(ConsoleCommand::Quit))) {
            let acted = self.game.overstep_time(self.turn());
            self.unfinished_promotion = None;
            self.needs_redraw = true;
            self.report_events(acted)?;
            if parsed.as_ref().is_none_or(plays) {
                return Ok(Flow::Continue);
            }
        }
        if let Some(text) = self.unfinished_promotion.take() {
            match (parse_promotion(line), parsed) {
                // `q` is both a queen and `quit`.
                (Some(kind), _) => self.play_text(&format!("{text}={}", kind.letter()))?,
                (None, Some(Ok(ConsoleCommand::Quit))) => return Ok(Flow::Quit),
                (None, _) => self.print(&format_args!("{text} was not played."))?,
            }
            return Ok(Flow::Continue);
        }
        match parsed {
            _ if line.is_empty() => {}
            Some(Ok(ConsoleCommand::Quit)) => return Ok(Flow::Quit),
            Some(Ok(command)) => self.run_command(command)?,
            Some(Err(wrong)) => self.print_text(&wrong)?,
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
            ConsoleCommand::Undo => self.undo(),
            ConsoleCommand::Redo => self.redo(),
            ConsoleCommand::New(number) => self.new_game(number),
            ConsoleCommand::Fen(None) => {
                let fen = self.game.position().to_fen(self.game.mode());
                // A FEN must stay on one line.
                writeln!(self.output, "{fen}")
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
            ConsoleCommand::Save { path, replaces } => self.save(&path, replaces),
            ConsoleCommand::Load { path, number } => self.load(&path, number),
            ConsoleCommand::Eval => self.evaluate(),
            ConsoleCommand::Analyse => self.analyse(),
            ConsoleCommand::Step(steps) => self.step_through(steps),
            ConsoleCommand::Clock(request) => self.set_clock(request),
            ConsoleCommand::Level(level) => {
                self.level = level.unwrap_or(self.level);
                let level = self.level;
                self.engine.limit_strength(match level {
                    Level::Elo(elo) => Some(elo),
                    _ => None,
                });
                match (level, &self.clock) {
                    (Level::Time(_), Some(_)) => self.print(&format_args!(
                        "{NAME} plays at full strength, by its clock."
                    )),
                    _ => self.print(&format_args!("{NAME} plays at {level}.")),
                }
            }
            ConsoleCommand::Play(sides) => {
                self.human_sides = sides;
                self.needs_redraw = true;
                Ok(())
            }
            ConsoleCommand::Go => match self.game.outcome() {
                Some(outcome) => self.print(&ActError::Over(outcome)),
                None => {
                    self.human_sides = Sides::Only(!self.turn());
                    Ok(())
                }
            },
            ConsoleCommand::Help(subject) => {
                write!(self.output, "{}", command::help(&subject, self.width))
            }
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

    fn set_clock(&mut self, request: ClockRequest) -> io::Result<()> {
        match request {
            ClockRequest::Show => {}
            ClockRequest::Off => self.clock = None,
            ClockRequest::Set(pace) => self.clock = Some(Clock::new(pace, self.turn())),
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

    /// The limits of the engine's move.
    fn limits(&self) -> Limits {
        match &self.clock {
            None => self.level.limits(self.game.position()),
            Some(clock) => Limits {
                clock: Some(clock.control(self.turn())),
                movetime: None,
                ..self.level.limits(self.game.position())
            },
        }
    }
}

/// Whether a command plays on, which is too late once a flag has fallen.
const fn plays(parsed: &Result<ConsoleCommand, command::Wrong>) -> bool {
    use ConsoleCommand::{Accept, Decline, Draw, Go, Hint, Redo, Resign, Undo};
    matches!(
        parsed,
        Ok(Accept | Decline | Draw(_) | Go | Hint | Redo | Resign | Undo)
    )
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
