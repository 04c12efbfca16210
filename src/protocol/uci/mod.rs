//! The universal chess interface.

mod parse;
mod print;

use super::log::Logged;
use super::{Flow, Frontend, read_fen};
use crate::board::Position;
use crate::engine::{Engine, Event, Report, bench};
use crate::game::{Draw, Game, Outcome, lan};
use crossbeam_channel::Receiver;
use parse::{Go, UciCommand, parse};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::Duration;

/// From then on a search tells which move it is looking at.
const TELL_MOVES_AFTER: Duration = Duration::from_secs(3);

/// A UCI session.
///
/// A search is one thing at a time. What would disturb it (a new position, another search, an option) waits until it
/// has answered, so a script may send everything at once and loses nothing; the rest is answered while it runs.
pub(super) struct Uci<W> {
    engine: Engine,
    game: Game,
    output: Logged<W>,
    /// What waits for the search to answer.
    waiting: VecDeque<UciCommand>,
    /// A search that still waits is not to last.
    is_quitting: bool,
    /// What the search has come to, if only the last of it is wanted.
    held: Vec<Report>,
}

impl<W: Write> Frontend for Uci<W> {
    fn line(&mut self, line: &str) -> io::Result<Flow> {
        self.output.heard(line);
        let (command, error) = parse(line);
        if let Some(error) = error {
            self.say_why(&error)?;
        }
        let flow = command.map_or(Ok(Flow::Continue), |command| self.accept(command))?;
        self.output.flush()?;
        Ok(flow)
    }

    /// When the search has answered, does what has waited for that.
    fn event(&mut self, event: Event) -> io::Result<Flow> {
        if let Some(event) = self.engine.accept(event) {
            self.tell(event)?;
        }
        let flow = self.catch_up()?;
        self.output.flush()?;
        Ok(flow)
    }

    fn events(&self) -> &Receiver<Event> {
        self.engine.events()
    }
}

impl<W: Write> Uci<W> {
    pub(super) fn new(engine: Engine, output: Logged<W>) -> Self {
        Self {
            engine,
            game: Game::default(),
            output,
            waiting: VecDeque::new(),
            is_quitting: false,
            held: Vec::new(),
        }
    }

    /// Passes an event on; of a search only its end, if no more is wanted.
    fn tell(&mut self, event: Event) -> io::Result<()> {
        let is_minimal = self.engine.settings().minimal_output;
        match event {
            Event::Info(_, report) if is_minimal => {
                // Lines come in order, the first of each iteration before the others.
                if report.multi_pv == 1 {
                    self.held.clear();
                }
                self.held.push(report);
                return Ok(());
            }
            Event::Looks(_, current) if is_minimal || current.time < TELL_MOVES_AFTER => {
                return Ok(());
            }
            Event::Done(..) => {
                for report in std::mem::take(&mut self.held) {
                    print::info(
                        &mut self.output,
                        &self.engine,
                        self.game.position(),
                        &report,
                    )?;
                }
            }
            _ => {}
        }
        print::event(&mut self.output, &self.engine, self.game.position(), &event)
    }

    /// Does what has waited, up to the next search.
    fn catch_up(&mut self) -> io::Result<Flow> {
        while let Some(command) = self.waiting.pop_front() {
            // A stop that has waited is for the search that has just begun.
            if self.engine.is_searching() && command != UciCommand::Stop {
                self.waiting.push_front(command);
                break;
            }
            if self.command(command)? == Flow::Quit {
                return Ok(Flow::Quit);
            }
        }
        Ok(Flow::Continue)
    }

    /// Does the command now, or puts it by until the search has answered.
    fn accept(&mut self, command: UciCommand) -> io::Result<Flow> {
        if !self.engine.is_searching() {
            return self.command(command);
        }
        match command {
            UciCommand::IsReady
            | UciCommand::Uci
            | UciCommand::Display
            | UciCommand::Eval
            | UciCommand::PonderHit => {
                return self.command(command);
            }
            UciCommand::Stop => {
                self.engine.stop();
                // A search that waits is meant, too.
                if !self.waiting.is_empty() {
                    self.waiting.push_back(UciCommand::Stop);
                }
            }
            UciCommand::Quit => {
                self.is_quitting = true;
                // A search might never end; a perft does, and was asked for its result.
                if !self.engine.is_awaited() {
                    self.engine.stop();
                }
                self.waiting.push_back(UciCommand::Quit);
            }
            other => self.waiting.push_back(other),
        }
        Ok(Flow::Continue)
    }

    fn command(&mut self, command: UciCommand) -> io::Result<Flow> {
        match command {
            UciCommand::Uci => print::identity(&mut self.output)?,
            UciCommand::IsReady => writeln!(self.output, "readyok")?,
            UciCommand::NewGame => {
                self.engine.new_game();
                self.game = Game::default();
            }
            UciCommand::Position { fen, moves } => self.position(fen.as_deref(), &moves)?,
            UciCommand::Go(go) => self.go(&go)?,
            UciCommand::Perft(depth) => {
                self.engine.perft(*self.game.position(), depth);
            }
            UciCommand::Stop => self.engine.stop(),
            UciCommand::PonderHit => self.engine.ponderhit(),
            UciCommand::SetOption { name, value } => {
                if let Err(error) = self.engine.set_option(&name, &value) {
                    self.say_why(&error)?;
                }
                self.output.set_log(self.engine.log());
            }
            UciCommand::Display => print::position(&mut self.output, &self.game)?,
            UciCommand::Eval => {
                print::evaluation(&mut self.output, &self.engine, self.game.position())?
            }
            UciCommand::Bench(depth) => {
                self.engine.bench(depth.unwrap_or(bench::DEPTH));
                if self.is_quitting && !self.engine.is_awaited() {
                    self.engine.stop();
                }
            }
            UciCommand::Nothing => {}
            UciCommand::Quit => return Ok(Flow::Quit),
        }
        Ok(Flow::Continue)
    }

    /// Sets up a game. A bad FEN changes nothing; after a bad move the moves before it stand.
    fn position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        let mode = self.engine.castling_mode();
        let position = match fen.map(|fen| read_fen(fen, mode)) {
            None => Position::start(),
            Some(Ok((position, None))) => position,
            Some(Ok((position, Some(remark)))) => {
                self.say_why(&remark)?;
                position
            }
            Some(Err(error)) => return self.say_why(&error),
        };
        let mut game = Game::new(position, mode);
        for text in moves {
            let played = lan::parse(game.position(), text).map(|mv| game.replay(mv));
            if let Err(error) = played {
                self.say_why(&format_args!(
                    "{error}; this move and those after it are left out"
                ))?;
                break;
            }
        }
        self.game = game;
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let position = *self.game.position();
        let mut limits = go.limits(position.side_to_move());
        for text in &go.searchmoves {
            match lan::parse(&position, text) {
                Ok(mv) => limits.searchmoves.push(mv),
                Err(error) => self.say_why(&error)?,
            }
        }
        self.engine.go(&self.game, limits);
        if self.engine.is_dead() {
            self.say_why(&Outcome::Drawn(Draw::DeadPosition))?;
        }
        if self.is_quitting {
            self.engine.stop();
        }
        Ok(())
    }

    fn say_why(&mut self, reason: &impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.output, "info string {reason}")
    }
}
