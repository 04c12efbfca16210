//! The engine: the one object that every protocol talks to.
//!
//! [`Engine`] owns the options and the search thread. The caller passes the game with each request.
//! Calls return immediately, but for `set_option`, which reads the file that it names, and
//! `wait_until_ready`. Results arrive as [`Event`]s on a channel, tagged with the id of their
//! search so that stale ones can be dropped. The engine holds an answer back until it may be given:
//! that of an infinite search until the stop, that of a ponder search until the ponderhit.
//!
//! ```
//! use tabiya::engine::Engine;
//! use tabiya::game::Game;
//! use tabiya::search::{Claims, Limits, What};
//! let mut engine = Engine::new().unwrap();
//! engine.set_option("Hash", "4").unwrap();
//! let game = Game::default();
//! engine.go(&game, Limits::depth(4), Claims::Players);
//! let best = loop {
//!     let event = engine.events().recv().unwrap();
//!     // Events of abandoned searches are not accepted.
//!     if let Some(What::Answer(answer)) = engine.accept(event) {
//!         break answer.best.unwrap();
//!     }
//! };
//! assert!(game.position().is_legal(best));
//! ```
//!
//! Moves on the clock, with pondering:
//!
//! ```
//! use std::time::Duration;
//! use tabiya::engine::Engine;
//! use tabiya::game::Game;
//! use tabiya::search::{Answer, Claims, Limits, TimeControl, What};
//!
//! fn answer(engine: &mut Engine) -> Answer {
//!     loop {
//!         let event = engine.events().recv().unwrap();
//!         if let Some(What::Answer(answer)) = engine.accept(event) {
//!             return answer;
//!         }
//!     }
//! }
//!
//! let clock = |milliseconds| Limits {
//!     clock: Some(TimeControl {
//!         remaining: Duration::from_millis(milliseconds),
//!         ..TimeControl::default()
//!     }),
//!     ..Limits::default()
//! };
//! let (mut engine, mut game) = (Engine::new().unwrap(), Game::default());
//! engine.go(&game, clock(500), Claims::Players);
//! let Answer { best, ponder, .. } = answer(&mut engine);
//! game.play(best.unwrap()).unwrap();
//! // While the opponent thinks, search what follows the expected reply.
//! if let Some(expected) = ponder {
//!     let mut guess = game.clone();
//!     guess.play(expected).unwrap();
//!     let limits = Limits { ponder: true, ..clock(450) };
//!     engine.go(&guess, limits, Claims::Players);
//! }
//! // The opponent moves. After the expected reply that search goes on, otherwise another begins.
//! let reply = game.position().legal_moves()[0];
//! game.play(reply).unwrap();
//! if ponder == Some(reply) {
//!     engine.ponderhit(Some(clock(450)));
//! } else {
//!     engine.go(&game, clock(450), Claims::Players);
//! }
//! assert!(game.position().is_legal(answer(&mut engine).best.unwrap()));
//! ```

mod lag;
mod opponent;
mod option_error;
mod option_values;
mod options;
mod running;
pub mod strength;
pub mod verdict;
mod wdl;

use crate::board::{GamePosition, Position};
use crate::book::{self, Book, BookMove};
use crate::eval::{self, Network};
use crate::game::Game;
use crate::search::bench::BenchSettings;
use crate::search::{
    Answer, Bound, Claims, Event, Instant, Job, Limits, Refusal, Report, SearchId, SearchRequest,
    SearchSettings, Searcher, StopToken, What, score_after, spawn_searcher,
};
use crate::types::{CastlingMode, MAX_PLY, Move, Score};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::fmt;
use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::sync::{Arc, Weak};
use std::time::Duration;

use lag::LagMeter;
pub use opponent::Opponent;
pub use option_error::{OptionError, Remark, Wanted};
pub use option_values::OptionValues;
pub use options::{EMPTY_TEXT, Holds, Kind, OPTIONS, OptionSpec};
pub use running::{Awaited, Begun};
use running::{Release, Running};
pub use wdl::{WdlModel, normalized_score, win_draw_loss};
pub(crate) use wdl::{denormalized_score, expected_score};

/// The options and a search thread. The game belongs to the protocol.
pub struct Engine {
    settings: OptionValues,
    /// Book set by the option `BookFile`.
    book: Option<Book>,
    network: Arc<Network>,
    /// File set by the option `Debug Log File`.
    log: Option<Arc<File>>,
    /// The jobs of the search thread, which runs until this end is dropped. So the result of
    /// sending one does not matter.
    jobs: Sender<Job>,
    events: Receiver<Event>,
    /// The end of the channel of events that the search thread owns. So the channel closes if that
    /// thread fails.
    outbox: Weak<Sender<Event>>,
    /// Whether the jobs run on a thread of their own.
    has_thread: bool,
    /// Id of the last search.
    last_id: SearchId,
    /// The last search, until it has answered.
    running: Option<Running>,
    lag: LagMeter,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("settings", &self.settings)
            .field("is_searching", &self.is_searching())
            .finish_non_exhaustive()
    }
}

impl Drop for Engine {
    /// Stops the search. Its thread ends after it, and frees the memory.
    fn drop(&mut self) {
        self.abandon();
    }
}

impl Engine {
    /// An engine with default options.
    ///
    /// # Errors
    /// If the system refuses the memory of the default hash table or the search thread.
    pub fn new() -> io::Result<Self> {
        let (mut engine, jobs, events) = Self::without_thread();
        spawn_searcher(engine.settings.hash_mib, jobs, events)?;
        engine.has_thread = true;
        Ok(engine)
    }

    /// An engine with default options for a host without threads, its jobs, and where their events
    /// go. The caller runs the jobs.
    pub(crate) fn without_thread() -> (Self, Receiver<Job>, Arc<Sender<Event>>) {
        let (jobs, inbox) = unbounded();
        let (outbox, events) = unbounded();
        let outbox = Arc::new(outbox);
        let engine = Self {
            settings: OptionValues::default(),
            book: None,
            network: Network::embedded(),
            log: None,
            jobs,
            events,
            outbox: Arc::downgrade(&outbox),
            has_thread: false,
            last_id: SearchId::default(),
            running: None,
            lag: LagMeter::default(),
        };
        (engine, inbox, outbox)
    }

    /// The present options.
    pub const fn settings(&self) -> &OptionValues {
        &self.settings
    }

    /// Counts time in nodes, `nodes_per_second` each second; 0 uses the clock.
    pub fn set_node_rate(&mut self, nodes_per_second: u64) {
        self.settings.search.node_rate = NonZeroU64::new(nodes_per_second);
    }

    /// Sets the opponent.
    pub fn set_opponent(&mut self, opponent: Opponent) {
        self.settings.opponent = opponent;
    }

    /// Plays at the strength of this rating, or at full strength.
    pub fn limit_strength(&mut self, elo: Option<u32>) {
        self.settings.limit_strength = elo.is_some();
        self.settings.elo = elo.unwrap_or(self.settings.elo);
    }

    /// Sets whether searches are at full strength and without the book.
    pub fn set_analyse_mode(&mut self, is_on: bool) {
        self.settings.analyse_mode = is_on;
    }

    /// File that gets a copy of every line of input and output.
    pub const fn log(&self) -> Option<&Arc<File>> {
        self.log.as_ref()
    }

    /// How castling works and is written.
    pub const fn castling_mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.settings.chess960)
    }

    /// Sets how castling works and is written.
    pub fn set_castling_mode(&mut self, mode: CastlingMode) {
        self.settings.chess960 = mode.is_chess960();
    }

    /// Begins a new game: abandons the search and clears all tables.
    pub fn new_game(&mut self) {
        self.abandon();
        self.lag = LagMeter::default();
        self.configure(Searcher::clear);
    }

    /// Begins to search the last position of a game, or answers from the book. Abandons a running
    /// search. The clock starts now. In a dead position every score is a draw.
    pub fn go(&mut self, game: &Game, limits: Limits, claims: Claims) -> Begun {
        let started = Instant::now();
        let (id, token) = self.begin(Release::of(&limits), None);
        let root = GamePosition::from(game);
        let limits = self.with_options(limits);
        let lag = match self.settings.search.node_rate {
            None if limits.ponder => self.lag.expected(),
            None => self.lag.begin(limits.clock, game.history(), started),
            // A clock that counts nodes has no lag.
            Some(_) => Duration::ZERO,
        };
        let book_move = self.choose_from_book(game, &limits);
        let begun = Begun {
            id,
            is_dead: root.is_dead,
            is_from_book: book_move.is_some(),
        };
        if let Some(mv) = book_move {
            self.answer_from_book(game.position(), mv, started);
            return begun;
        }
        let request = SearchRequest {
            root,
            limits,
            claims,
            settings: SearchSettings {
                handicap: self.settings.handicap(),
                ..self.settings.search
            },
            started,
            lag,
            token,
        };
        let _ = self.jobs.send(Job::Search(id, Box::new(request)));
        begun
    }

    /// The limits as the options read them.
    fn with_options(&self, limits: Limits) -> Limits {
        if self.settings.soft_nodes {
            limits.with_soft_nodes()
        } else {
            limits
        }
    }

    /// Answers a search without a position: no move, but not before a search with these limits may
    /// answer. Abandons a running search.
    pub fn decline(&mut self, limits: &Limits) {
        self.begin(Release::of(limits), None);
        self.answer(Answer::default());
    }

    /// Reports a book move with the static evaluation after it, which is its score, and answers.
    fn answer_from_book(&self, position: &Position, mv: Move, started: Instant) {
        let next = position.play_unchecked(mv);
        let score = score_after(&next, || self.evaluate(&next));
        let line = Report {
            depth: 0,
            selective_depth: 0,
            multi_pv: 1,
            score,
            bound: Bound::Exact,
            is_known: false,
            nodes: 0,
            time: started.elapsed(),
            tablebase_hits: 0,
            hashfull: 0,
            pv: vec![mv],
        };
        self.send(What::Line(line.clone()));
        self.answer(Answer {
            best: Some(mv),
            score,
            lines: vec![line],
            ..Answer::default()
        });
    }

    /// The book's moves in the last position of a game, even if the engine does not play from the
    /// book.
    pub fn book_moves(&self, game: &Game) -> Vec<BookMove> {
        let book = self.book.as_ref();
        book.map_or(Vec::new(), |book| book.moves(game.history()))
    }

    /// The book move to play, if the book is on. Analysis, pondering and searches of given root
    /// moves do not use the book.
    fn choose_from_book(&self, game: &Game, limits: &Limits) -> Option<Move> {
        let wants_search = limits.is_analysis() || limits.ponder || !limits.searchmoves.is_empty();
        let is_deep = game.position().fullmove_number() > self.settings.book_depth;
        if !self.settings.own_book || self.settings.analyse_mode || wants_search || is_deep {
            return None;
        }
        let moves = self.book_moves(game);
        if self.settings.best_book_move {
            book::best(&moves)
        } else {
            book::choose_weighted(&moves, &mut rand::rng())
        }
    }

    /// Begins to count the leaves of the tree of legal moves, `depth` plies deep, but not deeper
    /// than [`MAX_PLY`]. Abandons a running search.
    pub fn perft(&mut self, position: Position, depth: u32) {
        let started = Instant::now();
        let (id, token) = self.begin(Release::AtOnce, Some(Awaited::Perft { started }));
        let _ = self.jobs.send(Job::Perft {
            id,
            position: Box::new(position),
            depth: depth.min(MAX_PLY as u32),
            token,
        });
    }

    /// Begins a [bench](crate::search::bench) with the present network. Abandons a running search.
    pub fn bench(&mut self, settings: BenchSettings) {
        let is_awaited = settings.depth <= BenchSettings::DEFAULT.depth;
        let (id, token) = self.begin(Release::AtOnce, is_awaited.then_some(Awaited::Bench));
        let _ = self.jobs.send(Job::Bench {
            id,
            settings,
            token,
        });
    }

    /// Abandons a running search, and gives the next job its id and a fresh token.
    fn begin(&mut self, release: Release, awaited: Option<Awaited>) -> (SearchId, StopToken) {
        self.abandon();
        let token = StopToken::new();
        self.last_id = SearchId(self.last_id.0 + 1);
        self.running = Some(Running {
            token: token.clone(),
            release,
            held: None,
            awaited,
        });
        (self.last_id, token)
    }

    /// Changes the searcher once it has done the jobs before.
    fn configure(&self, change: impl FnOnce(&mut Searcher) + Send + 'static) {
        self.try_configure(|searcher| {
            change(searcher);
            Ok(())
        });
    }

    /// Changes the searcher once it has done the jobs before, or reports that it cannot.
    fn try_configure(
        &self,
        change: impl FnOnce(&mut Searcher) -> Result<(), Refusal> + Send + 'static,
    ) {
        let _ = self.jobs.send(Job::Configure(Box::new(change)));
    }

    /// Answers for the search that is running.
    fn answer(&self, answer: Answer) {
        self.send(What::Answer(answer));
    }

    /// Sends an event of the search that is running.
    fn send(&self, what: What) {
        if let Some(outbox) = self.outbox.upgrade() {
            // The receiver is in this engine.
            let _ = outbox.send(Event {
                id: self.last_id,
                what,
            });
        }
    }

    /// Stops the search, if there is one. Its answer follows as an event.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.token.stop();
            self.release();
        }
    }

    /// Reports to the search that the opponent has played the expected move. `limits` replace those
    /// of [`Self::go`], if given: the clock may have changed meanwhile. A search of another depth
    /// limit has to be begun anew.
    pub fn ponderhit(&mut self, limits: Option<Limits>) {
        if let Some(running) = &self.running {
            let limits = limits.map(|limits| self.with_options(limits));
            running.token.ponderhit(limits);
            self.release();
        }
    }

    /// Gives the answer held back, if it may be given now.
    fn release(&mut self) {
        let held = self
            .running
            .as_mut()
            .filter(|running| running.may_answer())
            .and_then(|running| running.held.take());
        if let Some(answer) = held {
            self.answer(answer);
        }
    }

    /// Stops the search, if there is one, and drops its answer.
    pub fn abandon(&mut self) {
        if let Some(running) = self.running.take() {
            running.token.stop();
            self.lag.abandon();
            // The id of this search is no longer the last, so its events are dropped.
            self.last_id = SearchId(self.last_id.0 + 1);
        }
    }

    /// Whether a search, a perft or a bench is running.
    #[must_use]
    pub const fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// What is running, if it ends by itself.
    #[must_use]
    pub fn awaited(&self) -> Option<Awaited> {
        self.running.as_ref()?.awaited
    }

    /// Waits until the search thread has done its jobs, such as clearing the table, so that the
    /// next request starts without delay. Returns what could not be done. During a search, or
    /// without a search thread, does not wait and returns an empty list.
    pub fn wait_until_ready(&mut self) -> Vec<Refusal> {
        if !self.has_thread || self.is_searching() {
            return Vec::new();
        }
        let (ready, is_ready) = bounded(1);
        self.configure(move |_| {
            // The receiver waits below.
            let _ = ready.send(());
        });
        // An error means that the thread has ended.
        let _ = is_ready.recv();
        let waiting: Vec<_> = self.events.try_iter().collect();
        let refusal = |event| match self.accept(event) {
            Some(What::Refused(refusal)) => Some(refusal),
            // Without a search, all other events are of one that was abandoned.
            _ => None,
        };
        waiting.into_iter().filter_map(refusal).collect()
    }

    /// The channel of events. Pass each event to [`Self::accept`] before using it.
    pub const fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Returns what the event reports, or `None` if its search has answered, was abandoned or may
    /// not answer yet.
    pub fn accept(&mut self, event: Event) -> Option<What> {
        let Event { id, what } = event;
        if let What::Refused(refusal) = what {
            self.settings.keep(refusal);
            return Some(what);
        }
        let running = self.running.as_mut().filter(|_| id == self.last_id)?;
        match what {
            What::Answer(answer) if !running.may_answer() => {
                running.held = Some(answer);
                None
            }
            what if what.is_last() => {
                self.running = None;
                self.lag.end(Instant::now());
                Some(what)
            }
            what => Some(what).filter(|_| running.held.is_none()),
        }
    }

    /// Static evaluation of a position, for the side to move, in centipawns of the network (see
    /// [`Score`]). For many positions, an [`Evaluator`](eval::Evaluator) is faster.
    pub fn evaluate(&self, position: &Position) -> Score {
        eval::evaluate(&self.network, position)
    }
}
