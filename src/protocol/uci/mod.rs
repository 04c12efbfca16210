//! The universal chess interface.

mod parse;
mod print;

use super::Flow;
use crate::board::{Position, Setup};
use crate::engine::{Engine, Event, bench};
use crate::game::{Game, lan};
use crate::types::CastlingMode;
use crossbeam_channel::Receiver;
use parse::{Command, Go, parse};
use std::io::{self, Write};

/// A UCI session.
pub(super) struct Uci<W> {
    engine: Engine,
    output: W,
}

impl<W: Write> Uci<W> {
    pub(super) const fn new(engine: Engine, output: W) -> Self {
        Self { engine, output }
    }

    /// Where the search speaks.
    pub(super) const fn events(&self) -> &Receiver<Event> {
        self.engine.events()
    }

    /// Answers a line.
    pub(super) fn line(&mut self, line: &str) -> io::Result<Flow> {
        let (command, error) = parse(line);
        if let Some(error) = error {
            self.say_why(&error)?;
        }
        let flow = command.map_or(Ok(Flow::Continue), |command| self.command(command))?;
        self.output.flush()?;
        Ok(flow)
    }

    /// Passes on what the search says.
    pub(super) fn event(&mut self, event: Event) -> io::Result<Flow> {
        let mode = self.engine.castling_mode();
        if let Some(event) = self.engine.accept(event) {
            print::event(&mut self.output, &event, mode)?;
            self.output.flush()?;
        }
        Ok(Flow::Continue)
    }

    /// Says goodbye.
    pub(super) fn quit(&mut self) -> io::Result<()> {
        self.engine.abandon();
        self.output.flush()
    }

    fn command(&mut self, command: Command) -> io::Result<Flow> {
        match command {
            Command::Uci => print::identity(&mut self.output)?,
            Command::IsReady => writeln!(self.output, "readyok")?,
            Command::NewGame => self.engine.new_game(),
            Command::Position { fen, moves } => self.position(fen.as_deref(), &moves)?,
            Command::Go(go) => self.go(&go)?,
            Command::Perft(depth) => {
                self.engine.perft(depth);
            }
            Command::Stop => self.engine.stop(),
            Command::SetOption { name, value } => {
                if let Err(error) = self.engine.set_option(&name, &value) {
                    self.say_why(&error)?;
                }
            }
            Command::Display => print::position(&mut self.output, self.engine.game())?,
            Command::Eval => print::evaluation(&mut self.output, &self.engine)?,
            Command::Bench(depth) => match bench::run(depth.unwrap_or(bench::DEPTH)) {
                Ok(outcome) => writeln!(self.output, "{} nodes {} nps", outcome.nodes, outcome.nps())?,
                Err(error) => self.say_why(&error)?,
            },
            Command::Nothing => {}
            Command::Quit => return Ok(Flow::Quit),
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
                self.say_why(&format_args!("{error}; this move and those after it are left out"))?;
                break;
            }
        }
        self.engine.set_game(game);
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let position = *self.engine.game().position();
        let mut limits = go.limits(position.side_to_move());
        for text in &go.searchmoves {
            match lan::parse(&position, text) {
                Ok(mv) => limits.searchmoves.push(mv),
                Err(error) => self.say_why(&error)?,
            }
        }
        self.engine.go(limits);
        Ok(())
    }

    fn say_why(&mut self, reason: &impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.output, "info string {reason}")
    }
}

/// The position of a FEN, and what had to be repaired in it.
fn read_fen(fen: &str, mode: CastlingMode) -> Result<(Position, Option<String>), String> {
    let setup: Setup = fen.parse().map_err(|error: crate::board::FenError| error.to_string())?;
    let validated = setup.validate(mode).map_err(|error| error.to_string())?;
    let remark = validated
        .flaws
        .iter()
        .any(|flaw| flaw.severity() == crate::board::Severity::Repairable)
        .then(|| format!("the position was repaired: {}", validated.flaws));
    Ok((validated.position, remark))
}
