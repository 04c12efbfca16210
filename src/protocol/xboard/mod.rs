//! CECP, the chess engine communication protocol, version 2: the protocol of XBoard and WinBoard.
//!
//! A session has one [`Mode`], and a running search has one [`Purpose`]. A command that changes the
//! game abandons the search. `ping` is answered after the engine's move.
//!
//! Some peers, such as python-chess and lichess-bot, do not end the game on a draw claim, but send
//! `ping` and wait for a move. They get the move that the claim replaced.

mod board;
mod claim;
mod clock;
mod edit;
mod failure;
mod options;
mod parse;
mod print;
mod turn;

use super::log::Logged;
use super::session::{Flow, Frontend};
use super::shortened;
use crate::board::Position;
use crate::engine::verdict::Scores;
use crate::engine::{Engine, Opponent};
use crate::game::{Draw, Game, Outcome};
use crate::search::{Claims, CurrentMove, Event, Instant, Limits, Report, What};
use crate::types::{Color, Move, Score};
use board::Turned;
use claim::Standing;
use clock::Clock;
use crossbeam_channel::Receiver;
use edit::Edit;
use failure::{Failure, refused};
use parse::{XBoardCommand, parse};
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// Limit on queued pings, in bytes. Further pings are refused with an error.
const MAX_PING_BYTES: usize = 1 << 16;

/// How long the lines of an iteration are collected after the first one. They come together, so
/// this is ample.
const LINE_DELAY: Duration = Duration::from_millis(20);

/// How long after a move no thinking output is sent. python-chess takes lines that directly follow
/// a move for part of the answer that the move ended.
const PONDER_DELAY: Duration = Duration::from_millis(100);

/// The mode of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The engine only records moves.
    Force,
    /// The engine plays this side.
    Play(Color),
    /// The engine analyses every position.
    Analyze,
}

/// The purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The engine's move.
    Move,
    /// The engine's move after this expected move of the opponent.
    Ponder(Move),
    Hint,
    Analysis,
}

/// A running search.
#[derive(Debug)]
struct Search {
    purpose: Purpose,
    started: Instant,
    /// CPU time of the program at the start, if thinking output shows CPU time.
    cpu_time_at_start: Option<Duration>,
    /// The last report of the best line.
    report: Option<Report>,
    /// The root move being searched.
    current: Option<CurrentMove>,
    /// With several lines: those of an iteration, until all are there. The best comes first from
    /// the search and last in the output, because XBoard's status bar shows the last.
    lines: Vec<String>,
    /// When to send them.
    deadline: Option<Instant>,
}

/// The engine's move, before it is played.
#[derive(Debug)]
struct ChosenMove {
    mv: Move,
    score: Score,
    /// Expected reply.
    reply: Option<Move>,
    /// Duration of the search.
    time: Duration,
}

/// An XBoard session.
pub(super) struct XBoard<W> {
    engine: Engine,
    game: Game,
    output: Logged<W>,
    mode: Mode,
    search: Option<Search>,
    clock: Clock,
    /// The board of edit mode. Until it is finished, no move can be made.
    edit: Option<Edit>,
    /// The last setup was illegal. The game before it is kept, but no move can be made.
    is_illegal: bool,
    /// Whether XBoard counts the start position in repetitions.
    start_counts: bool,
    /// The game before `white` or `black` gave the move to the other side.
    turned: Option<Turned>,
    /// Excluded root moves.
    excluded: Vec<Move>,
    /// Expected reply to the engine's last move.
    expected_reply: Option<Move>,
    /// Scores of the engine's moves.
    scores: Scores,
    /// Whether the opponent has offered a draw since the engine's last move.
    is_draw_offered: bool,
    /// The move that a draw claim replaced, until the next line.
    unplayed: Option<ChosenMove>,
    /// Arguments of the pings to answer once the engine has moved.
    pings: Vec<String>,
    shows_thinking: bool,
    /// Whether thinking output shows CPU time, as after `nps`.
    shows_cpu_time: bool,
    /// Whether the input has ended during the search for the engine's move.
    is_ending: bool,
    /// Whether the engine thinks on the opponent's time.
    ponders: bool,
    /// Whether the peer accepts lines that begin with `#`.
    accepts_debug: bool,
}

impl<W: Write> Frontend for XBoard<W> {
    fn handle_line(&mut self, line: &str) -> io::Result<Flow> {
        self.output.log_input(line);
        let unplayed = self.unplayed.take();
        let flow = if self.edit_line(line)? {
            Flow::Continue
        } else {
            let command = parse(line).map_err(refused);
            match command.and_then(|command| self.run_command(command, unplayed)) {
                Ok(flow) => flow,
                Err(Failure::Refused(reason)) => {
                    self.send_error(&reason, line)?;
                    Flow::Continue
                }
                Err(Failure::Output(error)) => return Err(error),
            }
        };
        if let Some(message) = self.output.take_failure() {
            self.tell_user(&message)?;
        }
        self.output.flush()?;
        Ok(flow)
    }

    /// The end of the input is `quit`, but a search for the engine's move ends with the move.
    fn handle_eof(&mut self) -> io::Result<Flow> {
        self.output.log_end();
        if !self.search_is(Purpose::Move) {
            self.engine.abandon();
            return Ok(Flow::Quit);
        }
        self.is_ending = true;
        self.ponders = false;
        self.engine.stop();
        Ok(Flow::Continue)
    }

    fn deadline(&self) -> Option<Instant> {
        self.search.as_ref()?.deadline
    }

    fn handle_deadline(&mut self) -> io::Result<Flow> {
        self.send_lines()?;
        self.output.flush()?;
        Ok(Flow::Continue)
    }

    fn handle_event(&mut self, event: Event) -> io::Result<Flow> {
        match self.engine.accept(event) {
            Some(What::Line(report)) => self.handle_report(report)?,
            Some(What::CurrentMove(current)) => {
                if let Some(search) = &mut self.search {
                    search.current = Some(current);
                }
            }
            Some(What::Answer(answer)) => self.handle_answer(&answer)?,
            Some(What::Refused(refusal)) => self.tell_user(&refusal)?,
            _ => {}
        }
        self.output.flush()?;
        if self.is_ending && !self.is_busy() {
            return Ok(Flow::Quit);
        }
        Ok(Flow::Continue)
    }

    fn events(&self) -> &Receiver<Event> {
        self.engine.events()
    }
}

impl<W: Write> XBoard<W> {
    pub(super) fn new(engine: Engine, output: Logged<W>) -> Self {
        Self {
            engine,
            game: Game::default(),
            output,
            mode: Mode::Play(Color::Black),
            search: None,
            clock: Clock::default(),
            edit: None,
            is_illegal: false,
            start_counts: true,
            turned: None,
            excluded: Vec::new(),
            expected_reply: None,
            scores: Scores::default(),
            is_draw_offered: false,
            unplayed: None,
            pings: Vec::new(),
            shows_thinking: false,
            shows_cpu_time: false,
            is_ending: false,
            ponders: false,
            accepts_debug: false,
        }
    }

    /// Returns the engine and the output, to continue in another protocol.
    pub(super) fn into_parts(self) -> (Engine, Logged<W>) {
        (self.engine, self.output)
    }

    fn run_command(
        &mut self,
        command: XBoardCommand,
        unplayed: Option<ChosenMove>,
    ) -> Result<Flow, Failure> {
        match command {
            XBoardCommand::Features => self.send(&print::features())?,
            XBoardCommand::Accepted(feature) => self.accepts_debug |= feature == "debug",
            XBoardCommand::New => self.new_game()?,
            XBoardCommand::Variant(name) => self.variant(&name)?,
            XBoardCommand::Force => self.force()?,
            XBoardCommand::Go => self.go()?,
            XBoardCommand::PlayOther => {
                self.need_position()?;
                self.play_side(!self.side())?;
            }
            XBoardCommand::ToMove(side) => self.set_side(side)?,
            XBoardCommand::TimeControl(control) => self.clock.set(control, self.plies()),
            XBoardCommand::Depth(depth) => {
                if self.clock.limit_depth(depth) {
                    self.renew_pondering()?;
                }
            }
            XBoardCommand::Remaining(remaining) => self.clock.set_remaining(remaining),
            XBoardCommand::Move(text) => self.user_move(&text)?,
            XBoardCommand::MoveNow if self.is_busy() => self.engine.stop(),
            XBoardCommand::Ping(text) => self.ping(text, unplayed)?,
            XBoardCommand::OfferDraw if self.obstacle().is_some() => {}
            XBoardCommand::OfferDraw => self.answer_draw_offer()?,
            XBoardCommand::Result if self.mode != Mode::Analyze => self.force()?,
            XBoardCommand::SetBoard(fen) => self.set_board(&fen)?,
            XBoardCommand::Edit => {
                self.abandon()?;
                self.edit = Some(Edit::new(self.position()));
            }
            XBoardCommand::Hint => self.hint()?,
            XBoardCommand::Book => {
                let moves = if self.obstacle().is_some() {
                    Vec::new()
                } else {
                    self.engine.book_moves(&self.game)
                };
                self.send(&print::book(&moves, self.engine.castling_mode()))?;
            }
            XBoardCommand::Undo(moves) => self.undo(moves)?,
            XBoardCommand::Ponder(on) => self.set_ponder(on)?,
            XBoardCommand::Post(on) => self.shows_thinking = on,
            XBoardCommand::Analyze => {
                self.mode = Mode::Analyze;
                self.resume()?;
            }
            XBoardCommand::Exit if self.mode == Mode::Analyze => self.force()?,
            XBoardCommand::Status => self.send_status()?,
            XBoardCommand::Exclude(text) => self.exclude(&text)?,
            XBoardCommand::Include(text) => self.include(&text)?,
            XBoardCommand::Option { name, value } => self.set_option(&name, &value)?,
            XBoardCommand::TablebasePath(path) => self.set_tablebase_path(&path)?,
            XBoardCommand::NodeRate(rate) => {
                if self.set_node_rate(rate) {
                    self.renew_pondering()?;
                }
            }
            XBoardCommand::Name(name) => {
                self.update_opponent(|opponent| opponent.name = Some(name));
            }
            XBoardCommand::Rating(own, rating) => self.update_opponent(|opponent| {
                opponent.own_rating = Some(own).filter(|&rating| rating > 0);
                opponent.rating = Some(rating).filter(|&rating| rating > 0);
            }),
            XBoardCommand::Computer => {
                self.update_opponent(|opponent| opponent.is_computer = true);
            }
            XBoardCommand::Uci => {
                self.abandon()?;
                return Ok(Flow::SwitchToUci);
            }
            XBoardCommand::Bare(text) => self.bare_move(&text)?,
            XBoardCommand::MoveNow
            | XBoardCommand::Result
            | XBoardCommand::Exit
            | XBoardCommand::Ignored => {}
            XBoardCommand::Quit => {
                self.engine.abandon();
                return Ok(Flow::Quit);
            }
        }
        Ok(Flow::Continue)
    }

    /// Answers a ping, once the engine has moved.
    fn ping(&mut self, text: String, unplayed: Option<ChosenMove>) -> Result<(), Failure> {
        let sizes = self
            .pings
            .iter()
            .map(|text| text.len() + size_of::<String>());
        if sizes.sum::<usize>() + text.len() > MAX_PING_BYTES {
            return Err(refused("too many pings during a search"));
        }
        self.pings.push(text);
        match unplayed {
            Some(chosen) => self.move_after_claim(&chosen)?,
            None if self.is_busy() => {}
            None => self.answer_pings()?,
        }
        Ok(())
    }

    // State of the session.

    fn position(&self) -> &Position {
        self.game.position()
    }

    fn side(&self) -> Color {
        self.position().side_to_move()
    }

    /// Number of half-moves played.
    fn plies(&self) -> usize {
        self.game.history().moves().len()
    }

    fn standing(&self) -> Standing {
        claim::standing(&self.game, self.start_counts)
    }

    /// The purpose of the running search.
    fn purpose(&self) -> Option<Purpose> {
        self.search.as_ref().map(|search| search.purpose)
    }

    /// Whether a search runs that a `ping` waits for.
    fn is_busy(&self) -> bool {
        matches!(self.purpose(), Some(Purpose::Move | Purpose::Hint))
    }

    /// Why there is no position to play from, if there is none.
    fn obstacle(&self) -> Option<&'static str> {
        if self.edit.is_some() {
            Some("the board is being edited")
        } else if self.is_illegal {
            Some("illegal position")
        } else {
            None
        }
    }

    /// Refuses what needs a position to play from, if there is none.
    fn need_position(&self) -> Result<(), Failure> {
        match self.obstacle() {
            Some(obstacle) => Err(refused(obstacle)),
            None => Ok(()),
        }
    }

    fn is_pondering(&self) -> bool {
        matches!(self.purpose(), Some(Purpose::Ponder(_)))
    }

    /// The limits of the engine's move in the present position.
    fn limits(&self) -> Limits {
        Limits {
            searchmoves: self.included_moves(self.position()),
            ..self.clock.limits(self.plies())
        }
    }

    /// The legal moves that are not excluded; empty if none is excluded.
    fn included_moves(&self, position: &Position) -> Vec<Move> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let legal = position.legal_moves().into_iter();
        legal.filter(|mv| !self.excluded.contains(mv)).collect()
    }

    /// Whether every legal move is excluded, so that there is nothing to search.
    fn excludes_all(&self) -> bool {
        !self.excluded.is_empty() && self.included_moves(self.position()).is_empty()
    }

    fn update_opponent(&mut self, change: impl FnOnce(&mut Opponent)) {
        let mut opponent = self.engine.settings().opponent.clone();
        change(&mut opponent);
        self.engine.set_opponent(opponent);
    }

    // Start and end of searches.

    /// Starts a search of the current position.
    fn start_search(&mut self, purpose: Purpose, limits: Limits) -> io::Result<()> {
        let begun = self.engine.go(&self.game, limits, Claims::Players);
        self.set_search(purpose);
        // XBoard recognises dead positions by material only. To claim any other would forfeit.
        if begun.is_dead && self.accepts_debug {
            let outcome = Outcome::Drawn(Draw::DeadPosition);
            self.send(&format!("# {outcome}\n"))?;
        }
        Ok(())
    }

    /// Records the search that the engine has just started.
    fn set_search(&mut self, purpose: Purpose) {
        self.search = Some(Search {
            purpose,
            started: Instant::now(),
            cpu_time_at_start: self.shows_cpu_time.then(clock::cpu_time).flatten(),
            report: None,
            current: None,
            lines: Vec::new(),
            deadline: None,
        });
    }

    /// Stops the search and drops its answer.
    fn abandon(&mut self) -> io::Result<()> {
        self.engine.abandon();
        self.search = None;
        self.answer_pings()
    }

    fn answer_pings(&mut self) -> io::Result<()> {
        if !self.pings.is_empty() {
            for refusal in self.engine.wait_until_ready() {
                self.tell_user(&refusal)?;
            }
        }
        let pongs: String = self
            .pings
            .drain(..)
            .map(|text| format!("pong {text}\n"))
            .collect();
        self.send(&pongs)
    }

    /// Starts the search that the mode requires in the current position.
    fn resume(&mut self) -> io::Result<()> {
        self.abandon()?;
        if self.obstacle().is_some() {
            return Ok(());
        }
        match self.mode {
            Mode::Play(side) if side == self.side() => self.think(),
            Mode::Analyze => {
                if self.excludes_all() {
                    return Ok(());
                }
                let limits = Limits {
                    searchmoves: self.included_moves(self.position()),
                    ..Limits::infinite()
                };
                self.start_search(Purpose::Analysis, limits)
            }
            Mode::Play(_) => self.begin_pondering(),
            Mode::Force => Ok(()),
        }
    }

    /// Restarts a running ponder search with the new settings. The transposition table keeps what
    /// it has found.
    fn renew_pondering(&mut self) -> io::Result<()> {
        if self.is_pondering() {
            self.begin_pondering()?;
        }
        Ok(())
    }

    fn resume_analysis(&mut self) -> io::Result<()> {
        match self.mode {
            Mode::Analyze => self.resume(),
            _ => Ok(()),
        }
    }

    /// Starts the search for the engine's move, or sends the result if the game is over.
    ///
    /// In a game of two programs, XBoard rejects as false any claim of a draw in a position that
    /// was set up. There a stalemate on the board at the start ends by agreement.
    fn think(&mut self) -> io::Result<()> {
        let is_claim = self.plies() > 0 || !self.engine.settings().opponent.is_computer;
        match self.standing() {
            Standing::Over(Outcome::Drawn(_)) if !is_claim => self.end_game("offer draw"),
            Standing::Over(outcome) => self.end_game(&claim::result_line(outcome)),
            _ if self.excludes_all() => {
                self.mode = Mode::Force;
                self.send_error(&"all legal moves are excluded", "go")
            }
            _ => self.start_search(Purpose::Move, self.limits()),
        }
    }

    fn force(&mut self) -> io::Result<()> {
        self.mode = Mode::Force;
        self.abandon()
    }

    /// Sends the line that ends the game, in place of a move.
    fn end_game(&mut self, line: &str) -> io::Result<()> {
        self.mode = Mode::Force;
        self.send(&format!("{line}\n"))
    }

    // The engine's side.

    fn go(&mut self) -> Result<(), Failure> {
        self.need_position()?;
        let side = self.side();
        // Otherwise the search for this move is already running.
        if self.mode != Mode::Play(side) || !self.search_is(Purpose::Move) {
            self.play_side(side)?;
        }
        Ok(())
    }

    fn play_side(&mut self, side: Color) -> io::Result<()> {
        // The engine already plays this side, and goes on pondering.
        if self.mode == Mode::Play(side) && self.is_pondering() {
            return Ok(());
        }
        self.mode = Mode::Play(side);
        self.resume()
    }

    fn search_is(&self, purpose: Purpose) -> bool {
        self.purpose() == Some(purpose)
    }

    // Output.

    /// Writes lines with a single write, because XBoard may act between two writes.
    fn send(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())
    }

    /// Sends a message that XBoard shows to the user.
    fn tell_user(&mut self, message: &impl Display) -> io::Result<()> {
        self.send(&print::quoting(&format!("tellusererror {message}")))
    }

    /// Sends remarks to a peer that accepts them.
    fn send_remarks(&mut self, remarks: &[String]) -> io::Result<()> {
        let remarks = remarks.iter().filter(|_| self.accepts_debug);
        let text: String = remarks
            .map(|remark| print::quoting(&format!("# {remark}")))
            .collect();
        self.send(&text)
    }

    fn send_error(&mut self, reason: &impl Display, line: &str) -> io::Result<()> {
        let line = shortened(line.trim());
        self.send(&print::quoting(&format!("Error ({reason}): {line}")))
    }
}
