//! The engine: the one object that every protocol talks to.
//!
//! [`Engine`] owns the options and the search thread. The caller passes the game with each request.
//! Calls return immediately. Results arrive as [`Event`]s on a channel, tagged with the id of their
//! search so that stale ones can be dropped.
//!
//! ```
//! use tabiya::engine::Engine;
//! use tabiya::game::Game;
//! use tabiya::search::{Claims, Event, Limits};
//! let mut engine = Engine::new().unwrap();
//! engine.set_option("Hash", "4").unwrap();
//! let game = Game::default();
//! engine.go(&game, Limits::depth(4), Claims::Players);
//! let best = loop {
//!     let event = engine.events().recv().unwrap();
//!     // Events of abandoned searches are not accepted.
//!     if let Some(Event::Done(_, answer)) = engine.accept(event) {
//!         break answer.best.unwrap();
//!     }
//! };
//! assert!(game.position().is_legal(best));
//! ```

mod files;
mod lag;
mod opponent;
mod options;
mod settings;
pub mod strength;
pub mod verdict;
mod wdl;

use crate::board::{GamePosition, Position};
use crate::book::{self, Book, BookMove};
use crate::eval::{self, Network};
use crate::game::Game;
use crate::search::bench::BenchSettings;
use crate::search::{
    Answer, Claims, Event, Instant, Job, Limits, SearchId, SearchRequest, StopToken, spawn_searcher,
};
use crate::types::{CastlingMode, Move, Score};
use crossbeam_channel::{Receiver, Sender, bounded, never, unbounded};
use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::sync::Arc;

pub use files::{load_network, refuse_special, write_whole};
use lag::LagMeter;
pub use opponent::Opponent;
pub use options::{EMPTY_TEXT, Kind, OPTIONS, OptionError, OptionSpec, TextError, Wanted};
pub use settings::Settings;
pub use wdl::{WdlModel, normalized_score, win_draw_loss};
#[cfg(feature = "tools")]
pub(crate) use wdl::{denormalized_score, expected_score};

/// The options and a search thread. The game belongs to the protocol.
pub struct Engine {
    /// Whether a thread runs the jobs. If not, the caller runs them.
    has_thread: bool,
    settings: Settings,
    /// Book set by the option `BookFile`.
    book: Option<Book>,
    network: Arc<Network>,
    /// File set by the option `Debug Log File`.
    log: Option<Arc<File>>,
    jobs: Sender<Job>,
    events: Receiver<Event>,
    /// Id of the last search.
    last_id: SearchId,
    /// Stop token of the last search, until it has answered.
    running: Option<StopToken>,
    lag: LagMeter,
    /// Whether the last search is of a dead position.
    is_dead: bool,
    /// Whether the last search is a perft, or a bench that ends soon. A peer that quits still gets
    /// its result.
    is_awaited: bool,
}

impl Engine {
    /// An engine with default options.
    ///
    /// # Errors
    /// If the system refuses the memory of the default hash table or the search thread.
    pub fn new() -> io::Result<Self> {
        let (jobs, inbox) = unbounded();
        let (outbox, events) = unbounded();
        let engine = Self::with_channels(jobs, events);
        spawn_searcher(engine.settings.hash_mib, inbox, outbox)?;
        Ok(engine)
    }

    /// An engine with default options for a host without threads. The caller runs the jobs by
    /// [`JobRunner`] and passes their events to [`Self::accept`].
    #[must_use]
    pub fn without_thread() -> (Self, Receiver<Job>) {
        let (jobs, inbox) = unbounded();
        let mut engine = Self::with_channels(jobs, never());
        engine.has_thread = false;
        (engine, inbox)
    }

    fn with_channels(jobs: Sender<Job>, events: Receiver<Event>) -> Self {
        let settings = Settings::default();
        let engine = Self {
            has_thread: true,
            settings,
            book: None,
            network: Network::embedded(),
            log: None,
            jobs,
            events,
            last_id: SearchId::default(),
            running: None,
            lag: LagMeter::default(),
            is_dead: false,
            is_awaited: false,
        };
        engine.send(Job::Settings(engine.settings.search));
        engine
    }

    /// The present options.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Counts time in nodes, `nodes_per_second` each second; 0 uses the clock.
    pub fn set_node_rate(&mut self, nodes_per_second: u64) {
        self.change_settings(|settings| {
            settings.search.node_rate = NonZeroU64::new(nodes_per_second);
        });
    }

    /// Sets the opponent.
    pub fn set_opponent(&mut self, opponent: Opponent) {
        self.settings.opponent = opponent;
    }

    /// File that gets a copy of every line of input and output.
    pub const fn log(&self) -> Option<&Arc<File>> {
        self.log.as_ref()
    }

    /// How castling works and is written.
    pub const fn castling_mode(&self) -> CastlingMode {
        if self.settings.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }

    /// Begins a new game: abandons the search and clears all tables.
    pub fn new_game(&mut self) {
        self.abandon();
        self.lag = LagMeter::default();
        self.send(Job::NewGame);
    }

    /// Begins to search the last position of a game, or answers from the book. Abandons a running
    /// search. The clock starts now. In a dead position every score is a draw.
    pub fn go(&mut self, game: &Game, limits: Limits, claims: Claims) -> SearchId {
        let started = Instant::now();
        self.abandon();
        let root = GamePosition::from(game);
        let limits = if self.settings.soft_nodes {
            limits.with_soft_nodes()
        } else {
            limits
        };
        self.is_awaited = false;
        self.is_dead = root.is_dead;
        // A ponder search also takes the opponent's time.
        let lag = self
            .lag
            .begin(limits.clock.filter(|_| !limits.ponder), started);
        if let Some(mv) = self.choose_from_book(game, &limits) {
            let answer = Answer {
                best: Some(mv),
                ..Answer::default()
            };
            return self.begin(|id, _| Job::Answer { id, answer });
        }
        let request = Box::new(SearchRequest {
            root,
            limits,
            claims,
            started,
            lag,
        });
        self.begin(|id, token| Job::Search { id, request, token })
    }

    /// Whether the position of the last [`go`](Self::go) is dead (FIDE 5.2.2), as far as that is
    /// cheap to prove.
    pub const fn is_dead(&self) -> bool {
        self.is_dead
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

    /// Begins to count the leaves of the tree of legal moves, `depth` plies deep. Abandons a
    /// running search.
    pub fn perft(&mut self, position: Position, depth: u32) -> SearchId {
        self.abandon();
        self.is_awaited = true;
        self.begin(|id, token| Job::Perft {
            id,
            position,
            depth,
            token,
        })
    }

    fn begin(&mut self, job: impl FnOnce(SearchId, StopToken) -> Job) -> SearchId {
        let token = StopToken::new();
        self.last_id = SearchId(self.last_id.0 + 1);
        self.running = Some(token.clone());
        self.send(job(self.last_id, token));
        self.last_id
    }

    /// Stops the search, if there is one. Its answer follows as an event.
    pub fn stop(&mut self) {
        if let Some(token) = &self.running {
            token.stop();
        }
    }

    /// Reports to the search that the opponent has played the expected move.
    pub fn ponderhit(&mut self) {
        if let Some(token) = &self.running {
            token.ponderhit();
        }
    }

    /// Stops the search, if there is one, and drops its answer.
    pub fn abandon(&mut self) {
        if let Some(token) = self.running.take() {
            token.stop();
            // The id of this search is no longer the last, so its events are dropped.
            self.last_id = SearchId(self.last_id.0 + 1);
        }
    }

    /// Whether a search, a perft or a bench is running.
    #[must_use]
    pub const fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Whether a perft is running, or a bench no deeper than [`BenchSettings::DEFAULT`]. Both end
    /// by themselves, and a peer that quits still gets their result.
    #[must_use]
    pub const fn is_awaited(&self) -> bool {
        self.is_searching() && self.is_awaited
    }

    /// Waits until the search thread has done its jobs, such as clearing the table, so that the
    /// next request starts without delay. Returns at once during a search.
    pub fn wait_until_ready(&self) {
        if self.has_thread && !self.is_searching() {
            let (ready, is_ready) = bounded(1);
            self.send(Job::Ready(ready));
            // An error means that the thread has ended.
            let _ = is_ready.recv();
        }
    }

    /// The channel of events. Pass each event to [`Self::accept`] before using it.
    pub const fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Returns the event, or `None` if its search was abandoned.
    pub fn accept(&mut self, event: Event) -> Option<Event> {
        let (id, ends) = match &event {
            Event::Info(id, _) | Event::CurrentMove(id, _) | Event::PerftMove(id, ..) => {
                (*id, false)
            }
            Event::Done(id, _) | Event::PerftDone(id, _) | Event::BenchDone(id, _) => (*id, true),
            Event::NoThreads { wanted, kept } => {
                // As below.
                if self.settings.threads == *wanted {
                    self.settings.threads = *kept;
                }
                return Some(event);
            }
            Event::NoMemory { wanted, kept } => {
                // If `Hash` was set again meanwhile, that request is still queued and will report
                // for itself.
                if self.settings.hash_mib == *wanted {
                    self.settings.hash_mib = *kept;
                }
                return Some(event);
            }
        };
        if id != self.last_id {
            return None;
        }
        if ends {
            self.running = None;
            self.lag.end(Instant::now());
        }
        Some(event)
    }

    /// Begins a [bench](crate::search::bench) with the present network. Abandons a running search.
    pub fn bench(&mut self, settings: BenchSettings) -> SearchId {
        self.abandon();
        let network = self.network.clone();
        self.is_awaited = settings.depth <= BenchSettings::DEFAULT.depth;
        self.begin(|id, token| Job::Bench {
            id,
            settings,
            network,
            token,
        })
    }

    /// Static evaluation of a position, for the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        eval::evaluate(&self.network, position)
    }

    fn send(&self, job: Job) {
        // The thread ends only after this sender is dropped.
        let _ = self.jobs.send(job);
    }
}
