//! The universal chess interface.

mod parse;
mod print;

use super::log::Logged;
use super::{Flow, Frontend, read_fen, repairs};
use crate::board::{Position, Validated};
use crate::engine::{Claims, Engine, Event, Report};
use crate::game::{Draw, Game, History, Outcome, lan};
use crate::types::CastlingMode;
use crossbeam_channel::Receiver;
use parse::{Go, parse};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::{Duration, Instant};

pub(super) use parse::{UciCommand, UciError};

/// From then on a search tells which move it is looking at.
const TELL_MOVES_AFTER: Duration = Duration::from_secs(3);

/// Who says `quit` during a perft, as scripts do, wants to hear what it comes to, if that does not take longer.
const GRACE: Duration = Duration::from_secs(5);

/// What waits for a search may take so many bytes; a peer that goes on and on is told so, and loses what it says.
const MAX_WAITING_BYTES: usize = 4 << 20;

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
    /// About how many bytes that takes.
    waiting_bytes: usize,
    /// A search that still waits is not to last.
    is_quitting: bool,
    /// When a perft is stopped that was under way when the peer said `quit`.
    deadline: Option<Instant>,
    /// Nobody waits for a perft any more.
    is_gone: bool,
    is_perft: bool,
    /// What the search has come to, if only the last of it is wanted.
    held: Vec<Report>,
}

/// Reads the text after `go`.
pub(super) fn parse_go(limits: &str) -> Result<UciCommand, UciError> {
    let (command, error) = parse(&format!("go {limits}"));
    match error {
        Some(error) => Err(error),
        None => Ok(command.unwrap_or(UciCommand::Nothing)),
    }
}

impl<W: Write> Frontend for Uci<W> {
    fn line(&mut self, line: &str) -> io::Result<Flow> {
        self.output.heard(line);
        let (command, error) = parse(line);
        if let Some(error) = error {
            self.say_why(&error)?;
        }
        let accept = |command| self.accept(command, line.len());
        let flow = command.map_or(Ok(Flow::Continue), accept)?;
        self.output.flush()?;
        Ok(flow)
    }

    /// A peer that goes without a word does not wait for a perft.
    fn hang_up(&mut self) -> io::Result<Flow> {
        if self.is_quitting {
            return Ok(Flow::Continue);
        }
        self.is_gone = true;
        self.line("quit")
    }

    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn time_out(&mut self) -> io::Result<Flow> {
        (self.deadline, self.is_gone) = (None, true);
        self.hurry();
        Ok(Flow::Continue)
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
            waiting_bytes: 0,
            is_quitting: false,
            deadline: None,
            is_gone: false,
            is_perft: false,
            held: Vec::new(),
        }
    }

    /// Sets up a position without moves, and reports its repairs.
    pub(super) fn set_position(
        &mut self,
        validated: &Validated,
        mode: CastlingMode,
    ) -> io::Result<()> {
        let is_chess960 = mode == CastlingMode::Chess960;
        let set = self
            .engine
            .set_option("UCI_Chess960", &is_chess960.to_string());
        if let Err(error) = set {
            self.say_why(&error)?;
        }
        if let Some(repairs) = repairs(validated) {
            self.say_why(&repairs)?;
        }
        self.game = Game::resume(History::new(validated.position), mode);
        Ok(())
    }

    /// Runs a command that is read already.
    pub(super) fn run(&mut self, command: UciCommand) -> io::Result<Flow> {
        let flow = self.accept(command, 0)?;
        self.output.flush()?;
        Ok(flow)
    }

    /// Whether a search has not answered yet, or waits to begin.
    pub(super) fn is_busy(&self) -> bool {
        self.engine.is_searching() || !self.waiting.is_empty()
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
            Event::CurrentMove(_, current) if is_minimal || current.time < TELL_MOVES_AFTER => {
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
            // These are for the search that has just begun.
            let is_for_search = matches!(command, UciCommand::Stop | UciCommand::PonderHit);
            if self.engine.is_searching() && !is_for_search {
                self.waiting.push_front(command);
                return Ok(Flow::Continue);
            }
            if self.command(command)? == Flow::Quit {
                return Ok(Flow::Quit);
            }
        }
        self.waiting_bytes = 0;
        Ok(Flow::Continue)
    }

    /// Ends the search, and each that waits as soon as it has begun: so many `go infinite` and a `stop` after them have an
    /// answer each.
    fn stop_all(&mut self) {
        self.engine.stop();
        let waiting = std::mem::take(&mut self.waiting);
        for command in waiting {
            let is_search = command.is_search();
            if command != UciCommand::Stop {
                self.waiting.push_back(command);
            }
            if is_search {
                self.waiting.push_back(UciCommand::Stop);
            }
        }
    }

    /// Does the command now, or puts it by until the search has answered.
    fn accept(&mut self, command: UciCommand, length: usize) -> io::Result<Flow> {
        if !self.engine.is_searching() {
            return self.command(command);
        }
        match command {
            UciCommand::IsReady | UciCommand::Uci | UciCommand::Help => {
                return self.command(command);
            }
            // These are about what came before them, which may still wait.
            UciCommand::Display | UciCommand::Eval if self.waiting.is_empty() => {
                return self.command(command);
            }
            UciCommand::PonderHit if !self.waiting.iter().any(UciCommand::is_search) => {
                return self.command(command);
            }
            UciCommand::Stop => self.stop_all(),
            UciCommand::Quit if self.is_quitting => {}
            UciCommand::Quit => {
                self.is_quitting = true;
                self.hurry();
                self.waiting.push_back(UciCommand::Quit);
            }
            other => {
                self.waiting_bytes += length + size_of::<UciCommand>();
                if self.waiting_bytes > MAX_WAITING_BYTES {
                    return self
                        .say_why(&"too much waits for the search to end; this line is left out")
                        .map(|()| Flow::Continue);
                }
                self.waiting.push_back(other);
            }
        }
        Ok(Flow::Continue)
    }

    /// The peer has said `quit`, or gone: a search is to answer at once, a perft soon; a bench ends by itself.
    fn hurry(&mut self) {
        let is_awaited = self.engine.is_awaited();
        if is_awaited && self.is_perft && !self.is_gone {
            self.deadline.get_or_insert_with(|| Instant::now() + GRACE);
        } else if !is_awaited || self.is_perft {
            self.engine.stop();
        }
    }

    fn command(&mut self, command: UciCommand) -> io::Result<Flow> {
        match command {
            UciCommand::Uci => print::identity(&mut self.output)?,
            UciCommand::IsReady => {
                self.engine.wait_until_ready();
                writeln!(self.output, "readyok")?;
            }
            UciCommand::NewGame => {
                self.engine.new_game();
                self.game = Game::default();
            }
            UciCommand::Position { fen, moves } => self.position(fen.as_deref(), &moves)?,
            UciCommand::Go(go) => self.go(&go)?,
            UciCommand::Perft(depth) => {
                self.engine.perft(*self.game.position(), depth);
                self.is_perft = true;
                if self.is_quitting {
                    self.hurry();
                }
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
            UciCommand::Help => write!(self.output, "{}", print::HELP)?,
            UciCommand::Eval => {
                print::evaluation(&mut self.output, &self.engine, self.game.position())?
            }
            UciCommand::Bench(settings) => {
                self.engine.bench(settings);
                self.is_perft = false;
                if self.is_quitting {
                    self.hurry();
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
        let mut history = History::new(position);
        for text in moves {
            let played = lan::parse(history.position(), text).map(|mv| history.play(mv));
            if let Err(error) = played {
                self.say_why(&format_args!(
                    "{error}; this move and those after it are left out"
                ))?;
                break;
            }
        }
        self.game = Game::resume(history, mode);
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
        self.engine.go(&self.game, limits, Claims::Nobody);
        self.is_perft = false;
        if self.engine.is_dead() {
            self.say_why(&Outcome::Drawn(Draw::DeadPosition))?;
        }
        if self.is_quitting {
            self.hurry();
        }
        Ok(())
    }

    fn say_why(&mut self, reason: &impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.output, "info string {reason}")
    }
}
