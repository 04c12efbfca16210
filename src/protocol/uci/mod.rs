//! UCI, the universal chess interface.

mod parse;
mod print;

use super::evaluation;
use super::log::Logged;
use super::read_fen;
use super::session::{Flow, Frontend};
use crate::board::Position;
use crate::engine::{Awaited, Engine, OptionError};
use crate::game::lan::{self, LanError};
use crate::game::pgn::printable;
use crate::game::{Draw, Game, History, Outcome};
use crate::search::{Claims, Event, Instant, What};
use crossbeam_channel::Receiver;
use parse::parse;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

pub use parse::{Go, UciCommand, UciError, is_go_word, parse as parse_uci};

/// Search time after which `info currmove` is printed.
const CURRMOVE_DELAY: Duration = Duration::from_secs(3);

/// How long a running perft may continue after `quit`, so that `perft 6; quit` scripts still get
/// their result. A longer perft is stopped.
const PERFT_GRACE: Duration = Duration::from_secs(5);

/// A `quit` that comes this long after the start of a perft is not part of a script, and stops it
/// at once.
const SCRIPT_TIME: Duration = Duration::from_millis(200);

/// Limit on input queued behind a running search, in bytes. Further lines are dropped with an
/// error.
const MAX_QUEUED_BYTES: usize = 4 << 20;

/// A UCI session.
///
/// One search runs at a time. Commands that would change it, such as a new position, another search
/// or an option, are queued until it has answered. A script may therefore send all its lines at
/// once. Other commands, such as `isready`, are handled during the search.
pub(super) struct Uci<W> {
    engine: Engine,
    game: Game,
    /// Why the last `position` was refused. The game before it is kept, but not searched.
    refusal: Option<String>,
    output: Logged<W>,
    /// Commands queued behind the running search.
    queue: VecDeque<UciCommand>,
    /// Approximate size of the lines queued since the queue was last empty.
    queued_bytes: usize,
    /// `quit` is queued, so the searches before it end early.
    is_quitting: bool,
    /// When to stop the perft that was running at `quit`.
    deadline: Option<Instant>,
    /// Whether to stop perfts at once: the input has ended, or the deadline has passed.
    stops_perfts: bool,
    /// Whether the session ends once nothing runs or waits.
    ends_when_idle: bool,
}

impl<W: Write> Frontend for Uci<W> {
    fn handle_line(&mut self, line: &str) -> io::Result<Flow> {
        self.output.log_input(line);
        self.obey(line)
    }

    /// The end of the input is `quit`, but stops a perft at once.
    fn handle_eof(&mut self) -> io::Result<Flow> {
        if self.is_quitting {
            return Ok(Flow::Continue);
        }
        self.stops_perfts = true;
        self.output.log_end();
        self.obey("quit")
    }

    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn handle_deadline(&mut self) -> io::Result<Flow> {
        (self.deadline, self.stops_perfts) = (None, true);
        self.stop_soon();
        Ok(Flow::Continue)
    }

    fn handle_event(&mut self, event: Event) -> io::Result<Flow> {
        if let Some(what) = self.engine.accept(event).filter(|what| self.is_shown(what)) {
            let position = self.game.position();
            let lines = match &what {
                What::Answer(answer) if self.is_minimal() => &answer.lines[..],
                _ => &[],
            };
            for line in lines {
                print::info(&mut self.output, &self.engine, position, line)?;
            }
            print::report(&mut self.output, &self.engine, position, &what)?;
        }
        let flow = self.run_queued()?;
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
            refusal: None,
            output,
            queue: VecDeque::new(),
            queued_bytes: 0,
            is_quitting: false,
            deadline: None,
            stops_perfts: false,
            ends_when_idle: false,
        }
    }

    /// Handles a line that is in the log already, or was not sent.
    pub(super) fn obey(&mut self, line: &str) -> io::Result<Flow> {
        let (command, error) = parse(line);
        if let Some(error) = error {
            self.info_string(&error)?;
        }
        let mut flow = Flow::Continue;
        match command {
            Some(command) if self.must_wait(&command) => self.enqueue(command, line.len())?,
            Some(command) => flow = self.run_command(command)?,
            None => {}
        }
        if let Some(message) = self.output.take_failure() {
            self.info_string(&message)?;
        }
        self.output.flush()?;
        Ok(flow)
    }

    /// Runs commands one after another. The session ends once their searches have.
    pub(super) fn run_all(
        &mut self,
        commands: impl IntoIterator<Item = UciCommand>,
    ) -> io::Result<Flow> {
        self.queue.extend(commands);
        self.ends_when_idle = true;
        let flow = self.run_queued()?;
        self.output.flush()?;
        Ok(flow)
    }

    /// Whether to print only the final result of a search: the lines of the answer.
    const fn is_minimal(&self) -> bool {
        self.engine.settings().minimal_output
    }

    /// Whether to print what the search reports.
    fn is_shown(&self, what: &What) -> bool {
        match what {
            What::Line(_) => !self.is_minimal(),
            What::CurrentMove(current) => !self.is_minimal() && current.time >= CURRMOVE_DELAY,
            _ => true,
        }
    }

    /// Runs queued commands up to and including the next search.
    fn run_queued(&mut self) -> io::Result<Flow> {
        while let Some(command) = self.queue.pop_front() {
            // These two act on the search that was queued before them.
            let is_for_search = matches!(command, UciCommand::Stop | UciCommand::PonderHit);
            if self.engine.is_searching() && !is_for_search {
                self.queue.push_front(command);
                return Ok(Flow::Continue);
            }
            if self.run_command(command)? == Flow::Quit {
                return Ok(Flow::Quit);
            }
        }
        self.queued_bytes = 0;
        let ends = self.ends_when_idle && !self.engine.is_searching();
        Ok(if ends { Flow::Quit } else { Flow::Continue })
    }

    /// Stops the running search, and each queued search as soon as it has begun. Each of them
    /// answers.
    fn stop_all(&mut self) {
        self.engine.stop();
        let queue = std::mem::take(&mut self.queue);
        for command in queue {
            let is_search = command.is_search();
            if command != UciCommand::Stop {
                self.queue.push_back(command);
            }
            if is_search {
                self.queue.push_back(UciCommand::Stop);
            }
        }
    }

    /// Whether a command acts on the queue or waits there for the end of the search.
    fn must_wait(&self, command: &UciCommand) -> bool {
        self.engine.is_searching()
            && match command {
                UciCommand::IsReady | UciCommand::Uci | UciCommand::Help => false,
                // These two must come after a queued change of the position.
                UciCommand::Display | UciCommand::Eval => !self.queue.is_empty(),
                UciCommand::PonderHit => self.queue.iter().any(UciCommand::is_search),
                _ => true,
            }
    }

    /// Queues a command behind the running search. `length` is the length of its line.
    fn enqueue(&mut self, command: UciCommand, length: usize) -> io::Result<()> {
        match command {
            UciCommand::Stop => self.stop_all(),
            UciCommand::Quit if self.is_quitting => {}
            UciCommand::Quit => {
                self.is_quitting = true;
                self.stop_soon();
                self.queue.push_back(UciCommand::Quit);
            }
            other => {
                self.queued_bytes += length + size_of::<UciCommand>();
                if self.queued_bytes > MAX_QUEUED_BYTES {
                    return self
                        .info_string(&"too much input is queued behind the search; line dropped");
                }
                self.queue.push_back(other);
            }
        }
        Ok(())
    }

    /// Ends the running search after `quit`. A search ends at once; a bench of default depth may
    /// finish. A perft that has just begun may run for [`PERFT_GRACE`], unless the input has ended.
    fn stop_soon(&mut self) {
        match self.engine.awaited() {
            Some(Awaited::Bench) => {}
            Some(Awaited::Perft { started })
                if started.elapsed() < SCRIPT_TIME && !self.stops_perfts =>
            {
                self.deadline
                    .get_or_insert_with(|| Instant::now() + PERFT_GRACE);
            }
            Some(Awaited::Perft { .. }) | None => self.engine.stop(),
        }
    }

    fn run_command(&mut self, command: UciCommand) -> io::Result<Flow> {
        let is_search = command.is_search();
        match command {
            UciCommand::Uci => print::identity(&mut self.output)?,
            UciCommand::IsReady => {
                for refusal in self.engine.wait_until_ready() {
                    self.info_string(&refusal)?;
                }
                writeln!(self.output, "readyok")?;
            }
            UciCommand::NewGame => {
                self.engine.new_game();
                self.game = Game::default();
            }
            UciCommand::Position { fen, moves } => self.set_game(fen.as_deref(), &moves)?,
            UciCommand::BadPosition(error) => self.refuse_position(&error)?,
            UciCommand::Go(go) => self.go(*go)?,
            UciCommand::Perft(_) | UciCommand::Display | UciCommand::Eval
                if self.refusal.is_some() =>
            {
                self.report_refusal()?;
            }
            UciCommand::Perft(depth) => {
                self.engine.perft(*self.game.position(), depth);
            }
            UciCommand::Stop => self.engine.stop(),
            UciCommand::PonderHit => self.engine.ponderhit(None),
            UciCommand::SetOption { name, value } => {
                match self.engine.set_option(&name, &value) {
                    Ok(remarks) => {
                        for remark in remarks {
                            self.info_string(&remark)?;
                        }
                    }
                    // `setoption name Hash 32` has no word that ends the name.
                    Err(error @ OptionError::Unknown(_))
                        if name.contains(' ') && value.is_empty() =>
                    {
                        let hint = "put the word 'value' before the value";
                        self.info_string(&format_args!("{error}; {hint}"))?;
                    }
                    Err(error) => self.info_string(&error)?,
                }
                self.output.set_log(self.engine.log());
            }
            UciCommand::Display => print::position(&mut self.output, &self.game)?,
            UciCommand::Help => write!(self.output, "{}", print::HELP)?,
            UciCommand::Eval => {
                evaluation::print(&mut self.output, &self.engine, self.game.position())?
            }
            UciCommand::Bench(settings) => {
                self.engine.bench(settings);
            }
            UciCommand::Ignored => {}
            UciCommand::Quit => return Ok(Flow::Quit),
        }
        if is_search && self.is_quitting {
            self.stop_soon();
        }
        Ok(Flow::Continue)
    }

    /// Sets the game. After a bad FEN or an illegal move the peer has a position that this program
    /// does not have, so any move would be an answer to another question: there is none until a
    /// valid position comes.
    fn set_game(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        let mode = self.engine.castling_mode();
        let position = match fen.map(|fen| read_fen(fen, mode)) {
            None => Position::start(),
            Some(Ok((position, remarks))) => {
                for remark in remarks {
                    self.info_string(&remark)?;
                }
                position
            }
            Some(Err(error)) => return self.refuse_position(&error),
        };
        let mut history = History::new(position);
        for text in moves {
            let played = match lan::parse(history.position(), text) {
                // Programs that analyse let a side pass.
                Err(LanError::Null) => history.pass().map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
                Ok(mv) => history.play(mv).map_err(|error| error.to_string()),
            };
            if let Err(error) = played {
                let number = history.moves().len() + 1;
                let total = moves.len();
                return self.refuse_position(&format_args!("move {number} of {total}: {error}"));
            }
        }
        (self.game, self.refusal) = (Game::resume(history, mode), None);
        Ok(())
    }

    /// Reports why a position is refused, now and at each command that needs one.
    fn refuse_position(&mut self, reason: &impl Display) -> io::Result<()> {
        self.refusal = Some(reason.to_string());
        self.info_string(reason)
    }

    fn report_refusal(&mut self) -> io::Result<()> {
        let Some(reason) = &self.refusal else {
            return Ok(());
        };
        let text = format!("there is no position, because the last one was refused: {reason}");
        self.info_string(&text)
    }

    fn go(&mut self, go: Go) -> io::Result<()> {
        if self.refusal.is_some() {
            self.report_refusal()?;
            self.engine.decline(&go.limits);
            return Ok(());
        }
        let position = *self.game.position();
        let mut limits = go.limits;
        let side = position.side_to_move();
        limits.clock = go.clocks.map(|clocks| side.select(clocks));
        for text in &go.searchmoves {
            match lan::parse(&position, text) {
                Ok(mv) => limits.searchmoves.push(mv),
                Err(error) => self.info_string(&error)?,
            }
        }
        // None of the moves that were asked about is legal, so any move would be the answer to
        // another question.
        if limits.searchmoves.is_empty() && !go.searchmoves.is_empty() {
            self.engine.decline(&limits);
            return Ok(());
        }
        let begun = self.engine.go(&self.game, limits, Claims::Nobody);
        if begun.is_from_book {
            self.info_string(&"the move is from the book, and its score the static evaluation")?;
        }
        if begun.is_dead {
            self.info_string(&Outcome::Drawn(Draw::DeadPosition))?;
        }
        Ok(())
    }

    /// Prints a message, which may quote the peer or the name of a file.
    fn info_string(&mut self, text: &impl Display) -> io::Result<()> {
        writeln!(self.output, "info string {}", printable(&text.to_string()))
    }
}
