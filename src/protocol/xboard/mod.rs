//! The chess engine communication protocol, version 2, as XBoard and WinBoard speak it.
//!
//! The session is always in one [`Mode`]; a search that runs has one [`Purpose`]. What changes the game ends the search
//! and drops what it would have said; only `ping` waits for a move that is being thought about. A peer that answers the
//! claim of a draw by `ping` does not end the game, as python-chess and with it lichess-bot: it is given the move.

mod board;
mod claim;
mod clock;
mod edit;
mod parse;
mod print;
mod turn;

use super::log::Logged;
use super::{Flow, Frontend, shortened};
use crate::board::Position;
use crate::engine::{Answer, Claims, CurrentMove, Engine, Event, Limits, Opponent, Report};
use crate::game::{Draw, Game, Outcome};
use crate::types::{Color, Move, Score};
use claim::Standing;
use clock::Clock;
use crossbeam_channel::Receiver;
use edit::Edit;
use parse::{XBoardCommand, parse};
use std::fmt::Display;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// So many pings may wait for an answer; a peer that goes on and on is told so.
const MAX_PINGS: usize = 1 << 12;

/// What the engine does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing: `force`.
    Observe,
    /// It plays that side.
    Play(Color),
    Analyze,
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The engine's move.
    Move,
    /// The move to play after this one, which is expected and not made yet.
    Ponder(Move),
    Hint,
    Analysis,
}

/// A search under way.
#[derive(Debug)]
struct Search {
    purpose: Purpose,
    since: Instant,
    /// The processor time that the program had used by then, if that is to be shown.
    cpu_time: Option<Duration>,
    /// The last it said.
    report: Option<Report>,
    /// The root move it is looking at.
    current: Option<CurrentMove>,
}

/// What the engine has come to on its turn.
#[derive(Debug)]
struct Turn {
    mv: Move,
    answer: Answer,
    /// How long it has thought.
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
    /// The board that is being set up, in edit mode.
    edit: Option<Edit>,
    /// The peer has set up a position that cannot be played; the game before it is kept, and nothing is played.
    is_illegal: bool,
    /// XBoard counts the start position when it looks for repetitions.
    start_counts: bool,
    /// Root moves to leave out.
    excluded: Vec<Move>,
    /// The reply the engine expects to its last move.
    expected: Option<Move>,
    /// What the engine thought of its last move.
    score: Option<Score>,
    /// The opponent has offered a draw.
    is_offered: bool,
    /// The claim that has just been made, until the peer says what it thinks of it.
    claimed: Option<Turn>,
    /// To be answered once the engine has moved.
    pings: Vec<String>,
    shows_thinking: bool,
    /// After `nps` thinking is shown with processor time.
    shows_cpu_time: bool,
    /// Thinks on the opponent's time.
    ponders: bool,
    /// The peer passes over lines that begin with `#`.
    takes_remarks: bool,
}

/// Moves of the side to move, made so far.
fn moves_played(game: &Game) -> u32 {
    u32::try_from(game.history().moves().len() / 2).unwrap_or(u32::MAX)
}

impl<W: Write> Frontend for XBoard<W> {
    fn line(&mut self, line: &str) -> io::Result<Flow> {
        self.output.heard(line);
        let flow = match self.edit_line(line)? {
            true => Flow::Continue,
            false => match parse(line) {
                Ok(command) => self.command(command, line)?,
                Err(error) => self.complain(&error, line)?,
            },
        };
        self.output.flush()?;
        Ok(flow)
    }

    fn event(&mut self, event: Event) -> io::Result<Flow> {
        match self.engine.accept(event) {
            Some(Event::Info(_, report)) => self.report(report)?,
            Some(Event::CurrentMove(_, current)) => {
                if let Some(search) = &mut self.search {
                    search.current = Some(current);
                }
            }
            Some(Event::Done(_, answer)) => self.done(&answer)?,
            Some(Event::NoMemory { wanted, kept }) => self.say(&format!(
                "tellusererror no memory for a hash table of {wanted} MiB; that of {kept} MiB stays\n"
            ))?,
            _ => {}
        }
        self.output.flush()?;
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
            excluded: Vec::new(),
            expected: None,
            score: None,
            is_offered: false,
            claimed: None,
            pings: Vec::new(),
            shows_thinking: false,
            shows_cpu_time: false,
            ponders: false,
            takes_remarks: false,
        }
    }

    /// The engine and the output, for another protocol.
    pub(super) fn into_parts(self) -> (Engine, Logged<W>) {
        (self.engine, self.output)
    }

    fn command(&mut self, command: XBoardCommand, line: &str) -> io::Result<Flow> {
        let claimed = self.claimed.take();
        match command {
            XBoardCommand::Features => self.say(&print::features())?,
            XBoardCommand::Accepted(feature) => self.takes_remarks |= feature == "debug",
            XBoardCommand::New => self.new_game()?,
            XBoardCommand::Variant(name) => return self.variant(&name, line),
            XBoardCommand::Force => self.observe()?,
            XBoardCommand::Go => self.go(self.side(), line)?,
            XBoardCommand::PlayOther => self.play_side(!self.side())?,
            XBoardCommand::ToMove(side) => return self.set_side(side, line),
            XBoardCommand::Time(control) => self.clock.set(control),
            XBoardCommand::Depth(depth) => self.clock.limit_depth(depth),
            XBoardCommand::Clock(remaining) => self.clock.show(remaining),
            XBoardCommand::Move(text) => self.user_move(&text)?,
            XBoardCommand::MoveNow if self.is_busy() => self.engine.stop(),
            XBoardCommand::Ping(text) => {
                if self.pings.len() == MAX_PINGS {
                    return self.complain(&"too many pings wait for the search to end", line);
                }
                self.pings.push(text);
                match claimed {
                    Some(turn) => self.play_on(&turn)?,
                    None if self.is_busy() => {}
                    None => self.answer_pings()?,
                }
            }
            XBoardCommand::OfferDraw => self.be_offered()?,
            // An analysis is no game.
            XBoardCommand::Result if self.mode != Mode::Analyze => self.observe()?,
            XBoardCommand::SetBoard(fen) => self.set_board(&fen)?,
            XBoardCommand::Edit => {
                self.abandon()?;
                self.edit = Some(Edit::new(self.position()));
            }
            XBoardCommand::Hint => self.hint()?,
            XBoardCommand::Book => {
                let moves = self.engine.book_moves(&self.game);
                self.say(&print::book(&moves, self.engine.castling_mode()))?;
            }
            XBoardCommand::Undo(moves) => self.undo(moves, line)?,
            XBoardCommand::Ponder(on) => self.ponder(on)?,
            XBoardCommand::Post(on) => self.shows_thinking = on,
            XBoardCommand::Analyze => {
                self.mode = Mode::Analyze;
                self.resume()?;
            }
            XBoardCommand::Exit if self.mode == Mode::Analyze => self.observe()?,
            XBoardCommand::Status => self.status()?,
            XBoardCommand::Exclude(text, out) => return self.exclude(&text, out, line),
            XBoardCommand::Option { name, value } => {
                if let Err(error) = self.engine.set_option(&name, &value) {
                    return self.complain(&error, line);
                }
                self.output.set_log(self.engine.log());
                self.resume_analysis()?;
            }
            XBoardCommand::TablebasePath(path) => {
                // XBoard names a folder whether there is one or not; whoever wants tables sets the option.
                let _ = self.engine.set_option("egtpath", &path);
                self.resume_analysis()?;
            }
            XBoardCommand::NodeRate(rate) => self.set_node_rate(rate),
            XBoardCommand::Name(name) => self.meet(|opponent| opponent.name = Some(name)),
            XBoardCommand::Rating(own, rating) => self.meet(|opponent| {
                opponent.own_rating = Some(own).filter(|&rating| rating > 0);
                opponent.rating = Some(rating).filter(|&rating| rating > 0);
            }),
            XBoardCommand::Computer => self.meet(|opponent| opponent.is_computer = true),
            XBoardCommand::Uci => {
                self.abandon()?;
                return Ok(Flow::SwitchToUci);
            }
            XBoardCommand::Bare(text) => return self.bare(&text),
            XBoardCommand::MoveNow
            | XBoardCommand::Result
            | XBoardCommand::Exit
            | XBoardCommand::Nothing => {}
            XBoardCommand::Quit => {
                self.engine.abandon();
                return Ok(Flow::Quit);
            }
        }
        Ok(Flow::Continue)
    }

    // The state of the session.

    fn position(&self) -> &Position {
        self.game.position()
    }

    fn side(&self) -> Color {
        self.position().side_to_move()
    }

    /// Moves made in the game.
    fn plies(&self) -> usize {
        self.game.history().moves().len()
    }

    fn standing(&self) -> Standing {
        claim::standing(&self.game, self.start_counts)
    }

    /// Whether something is being done that a `ping` has to wait for.
    fn is_busy(&self) -> bool {
        let purpose = self.search.as_ref().map(|search| search.purpose);
        matches!(purpose, Some(Purpose::Move | Purpose::Hint))
    }

    /// What the engine may use for a move in that game.
    fn limits(&self, game: &Game) -> Limits {
        Limits {
            searchmoves: self.included(game.position()),
            ..self.clock.limits(moves_played(game))
        }
    }

    /// The root moves, if some are excluded.
    fn included(&self, position: &Position) -> Vec<Move> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let legal = position.legal_moves().into_iter();
        legal.filter(|mv| !self.excluded.contains(mv)).collect()
    }

    /// Takes note of something about the opponent.
    fn meet(&mut self, change: impl FnOnce(&mut Opponent)) {
        let mut opponent = self.engine.settings().opponent.clone();
        change(&mut opponent);
        self.engine.set_opponent(opponent);
    }

    // Beginning and ending searches.

    /// Begins to search the game as it stands.
    fn begin(&mut self, purpose: Purpose, limits: Limits) -> io::Result<()> {
        self.engine.go(&self.game, limits, Claims::Players);
        self.note_search(purpose);
        // XBoard knows no dead positions but those by material, and would judge such a claim false.
        if self.engine.is_dead() && self.takes_remarks {
            let outcome = Outcome::Drawn(Draw::DeadPosition);
            self.say(&format!("# {outcome}\n"))?;
        }
        Ok(())
    }

    /// Takes note of what the search that has begun is for.
    fn note_search(&mut self, purpose: Purpose) {
        self.search = Some(Search {
            purpose,
            since: Instant::now(),
            cpu_time: self.shows_cpu_time.then(clock::cpu_time).flatten(),
            report: None,
            current: None,
        });
    }

    /// Ends the search, whose answer is wanted no more.
    fn abandon(&mut self) -> io::Result<()> {
        self.engine.abandon();
        self.search = None;
        self.answer_pings()
    }

    fn answer_pings(&mut self) -> io::Result<()> {
        if !self.pings.is_empty() {
            self.engine.wait_until_ready();
        }
        let pongs: String = self
            .pings
            .drain(..)
            .map(|text| format!("pong {text}\n"))
            .collect();
        self.say(&pongs)
    }

    /// Does what the mode asks for in the present position.
    fn resume(&mut self) -> io::Result<()> {
        self.abandon()?;
        if self.is_illegal {
            return Ok(());
        }
        match self.mode {
            Mode::Play(side) if side == self.side() => self.think(),
            Mode::Analyze => {
                let searchmoves = self.included(self.position());
                if self.excluded.is_empty() || !searchmoves.is_empty() {
                    let limits = Limits {
                        searchmoves,
                        ..Limits::infinite()
                    };
                    self.begin(Purpose::Analysis, limits)?;
                }
                Ok(())
            }
            Mode::Play(_) | Mode::Observe => Ok(()),
        }
    }

    fn resume_analysis(&mut self) -> io::Result<()> {
        match self.mode {
            Mode::Analyze => self.resume(),
            _ => Ok(()),
        }
    }

    /// Begins to think about the engine's move, unless there is nothing left to think about.
    ///
    /// XBoard ends a game that is set up in mate or stalemate itself; a result for it would be a false claim.
    fn think(&mut self) -> io::Result<()> {
        match self.standing() {
            _ if self.plies() == 0 && !self.position().has_legal_move() => self.observe(),
            Standing::Over(outcome) => self.end(&claim::result_line(outcome)),
            _ => self.begin(Purpose::Move, self.limits(&self.game)),
        }
    }

    fn observe(&mut self) -> io::Result<()> {
        self.mode = Mode::Observe;
        self.abandon()
    }

    /// The game is over for the engine: says so instead of a move.
    fn end(&mut self, line: &str) -> io::Result<()> {
        self.mode = Mode::Observe;
        self.say(&format!("{line}\n"))
    }

    // Who plays.

    fn go(&mut self, side: Color, line: &str) -> io::Result<()> {
        if self.is_illegal {
            return self.complain(&"illegal position", line).map(|_| ());
        }
        // Who is thinking already need not be told.
        if self.mode == Mode::Play(side) && self.is_busy() {
            return Ok(());
        }
        self.play_side(side)
    }

    fn play_side(&mut self, side: Color) -> io::Result<()> {
        self.mode = Mode::Play(side);
        self.resume()
    }

    fn search_is(&self, purpose: Purpose) -> bool {
        self.search
            .as_ref()
            .is_some_and(|search| search.purpose == purpose)
    }

    // What the peer hears.

    /// Writes lines in one piece: XBoard may act between two.
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())
    }

    fn complain(&mut self, reason: &impl Display, line: &str) -> io::Result<Flow> {
        let line = shortened(line.trim());
        let text = format!("Error ({reason}): {line}\n");
        self.say(&print::harmless(&text))?;
        Ok(Flow::Continue)
    }
}
