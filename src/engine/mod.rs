//! The one object that every front-end talks to.
//!
//! [`Engine`] holds the options and the search thread, and is told with each question which game it is about. Commands return at once; what a search has to say
//! comes as [`Event`]s on a channel, each with the id of its search, so that what comes too late is known as such.
//!
//! ```
//! use tabiya::engine::{Engine, Event, Limits};
//! use tabiya::game::Game;
//! let mut engine = Engine::new().unwrap();
//! engine.set_option("Hash", "4").unwrap();
//! let game = Game::default();
//! engine.go(&game, Limits::depth(4));
//! let best = loop {
//!     let event = engine.events().recv().unwrap();
//!     // What belongs to a search that was abandoned is not accepted.
//!     if let Some(Event::Done(_, answer)) = engine.accept(event) {
//!         break answer.best.unwrap();
//!     }
//! };
//! assert!(game.position().is_legal(best));
//! ```

pub mod bench;
mod files;
mod opponent;
mod options;
pub mod strength;
pub mod verdict;
mod wdl;

use crate::board::Position;
use crate::book::{self, Book};
use crate::eval::{self, Network};
use crate::game::{Draw, Game, Outcome};
use crate::search::thread::{self, Job, Work};
use crate::search::{Handicap, Root, SearchSettings, StopToken};
use crate::types::{CastlingMode, Move, Score};
use bench::BenchSettings;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Instant;

pub use crate::book::BookMove;
#[cfg(feature = "tune")]
pub use crate::search::PARAMETERS;
pub use crate::search::thread::Event;
pub use crate::search::{
    Answer, Bound, Claims, CurrentMove, Limits, Report, SearchId, TimeControl,
};
pub use files::{load_network, refuse_special};
pub use opponent::Opponent;
pub use options::{EMPTY_TEXT, Kind, OPTIONS, OptionError, OptionSpec, Settings};
#[cfg(feature = "tools")]
pub(crate) use wdl::expected_points;
pub use wdl::{WdlModel, shown_score, win_draw_loss};

/// Where a search of the last position of a game begins.
pub(crate) fn root_of(game: &Game) -> Root {
    Root {
        position: *game.position(),
        earlier: game.keys_since_irreversible().collect(),
    }
}

/// Options, and a search thread. The game is the front-end's.
pub struct Engine {
    settings: Settings,
    /// The file named by the option `BookFile`.
    book: Option<Book>,
    network: Arc<Network>,
    /// The file named by the option `Debug Log File`.
    log: Option<Arc<File>>,
    jobs: Sender<Job>,
    events: Receiver<Event>,
    /// The last search that was begun, and its stop token while it has not answered.
    last_id: SearchId,
    running: Option<StopToken>,
    /// Whether it searches a position that is dead, as far as that is cheap to prove.
    is_dead: bool,
    /// Whether it is a perft or a bench that ends soon: who asked for it and left wants its result.
    is_awaited: bool,
}

impl Engine {
    /// An engine with the default options.
    ///
    /// # Errors
    /// If there is no memory for the default hash table, or no thread to be had.
    pub fn new() -> io::Result<Self> {
        let settings = Settings::default();
        let (jobs, inbox) = unbounded();
        let (outbox, events) = unbounded();
        thread::spawn(settings.hash_mib, inbox, outbox)?;
        Ok(Self {
            settings,
            book: None,
            network: Network::embedded(),
            log: None,
            jobs,
            events,
            last_id: SearchId::default(),
            running: None,
            is_dead: false,
            is_awaited: false,
        })
    }

    /// The options as they are set.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Counts search time in nodes, so many a second; 0 means that time is time.
    pub const fn set_node_rate(&mut self, nodes_per_second: u64) {
        self.settings.search.node_rate = NonZeroU64::new(nodes_per_second);
    }

    /// Takes note of who plays against the engine.
    pub fn set_opponent(&mut self, opponent: Opponent) {
        self.settings.opponent = opponent;
    }

    /// Where every line in and out is to be noted, if anywhere.
    pub const fn log(&self) -> Option<&Arc<File>> {
        self.log.as_ref()
    }

    /// How castling is ruled and written.
    pub const fn castling_mode(&self) -> CastlingMode {
        if self.settings.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }

    /// A new game begins: stops the search and forgets what was learned.
    pub fn new_game(&mut self) {
        self.abandon();
        self.send(Job::NewGame);
    }

    /// Begins to search the last position of a game, or answers from the book. A search that is under way is abandoned.
    ///
    /// `limits.settings` is replaced by what the options say, and the clock runs from now. In a dead position every score is 0.
    pub fn go(&mut self, game: &Game, limits: Limits) -> SearchId {
        let asked = Some(Instant::now());
        self.abandon();
        self.is_awaited = false;
        self.is_dead = matches!(
            game.outcome(),
            Some(Outcome::Drawn(
                Draw::InsufficientMaterial | Draw::DeadPosition
            ))
        );
        if let Some(mv) = self.choose_from_book(game, &limits) {
            let answer = Answer {
                best: Some(mv),
                ..Answer::default()
            };
            return self.begin(StopToken::new(), |id, _| Job::Answer { id, answer });
        }
        let settings = SearchSettings {
            handicap: self.handicap(&limits),
            ..self.settings.search
        };
        let limits = Limits {
            settings,
            asked,
            ..limits
        };
        let token = if limits.ponder {
            StopToken::pondering()
        } else {
            StopToken::new()
        };
        let root = root_of(game);
        self.begin(token, |id, token| Job::Search {
            id,
            root,
            limits: Box::new(limits),
            token,
        })
    }

    /// Whether the last position that was given to [`go`](Self::go) is dead (FIDE 5.2.2) and can be played on, as far as that is cheap to prove.
    pub const fn is_dead(&self) -> bool {
        self.is_dead
    }

    /// What the book knows about the last position of a game, whether or not the engine is to play from it.
    pub fn book_moves(&self, game: &Game) -> Vec<BookMove> {
        let book = self.book.as_ref();
        book.map_or(Vec::new(), |book| book.moves(game.history()))
    }

    /// The book's move, if the engine is to play from the book and a game is being played: whoever analyses, ponders,
    /// chooses among moves or seeks a mate wants a search.
    fn choose_from_book(&self, game: &Game, limits: &Limits) -> Option<Move> {
        let wants_search = limits.infinite
            || limits.ponder
            || limits.mate.is_some()
            || !limits.searchmoves.is_empty();
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

    /// What the search is to be weakened by: in games only, as for the book.
    fn handicap(&self, limits: &Limits) -> Option<Handicap> {
        let settings = &self.settings;
        if settings.analyse_mode || limits.infinite || limits.mate.is_some() {
            None
        } else if settings.limit_strength {
            Some(strength::of_elo(settings.elo))
        } else {
            strength::of_skill(settings.skill_level)
        }
    }

    /// Begins to count the leaves of the tree of legal moves below a position, to a depth in plies. A search is abandoned.
    pub fn perft(&mut self, position: Position, depth: u32) -> SearchId {
        self.abandon();
        self.is_awaited = true;
        self.begin(StopToken::new(), |id, token| Job::Perft {
            id,
            position,
            depth,
            token,
        })
    }

    fn begin(
        &mut self,
        token: StopToken,
        job: impl FnOnce(SearchId, StopToken) -> Job,
    ) -> SearchId {
        self.last_id = SearchId(self.last_id.0 + 1);
        self.running = Some(token.clone());
        self.send(job(self.last_id, token));
        self.last_id
    }

    /// Ends the search, if there is one; its answer follows as an event.
    pub fn stop(&mut self) {
        if let Some(token) = &self.running {
            token.stop();
        }
    }

    /// The opponent has played the move that was pondered on: the search goes on on our own time.
    pub fn ponderhit(&mut self) {
        if let Some(token) = &self.running {
            token.ponderhit();
        }
    }

    /// Ends the search, if there is one, and drops its answer.
    pub fn abandon(&mut self) {
        if let Some(token) = self.running.take() {
            token.stop();
            // Events of this search bear an id that is no longer the last.
            self.last_id = SearchId(self.last_id.0 + 1);
        }
    }

    /// Whether a search has not answered yet.
    #[must_use]
    pub const fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Whether what has not answered yet ends by itself and was asked for its result: a perft, or a bench no deeper than
    /// [`BenchSettings::DEFAULT`].
    #[must_use]
    pub const fn is_awaited(&self) -> bool {
        self.is_searching() && self.is_awaited
    }

    /// Returns when the search thread has done all that it was asked, such as to clear its table: what comes next begins
    /// without delay. During a search it returns at once.
    pub fn wait_until_ready(&self) {
        if !self.is_searching() {
            let (ready, is_ready) = bounded(1);
            self.send(Job::Ready(ready));
            // An error would mean that the thread has ended: there is nothing to wait for.
            let _ = is_ready.recv();
        }
    }

    /// Where events come out. Each must be shown to [`Self::accept`] before it is believed.
    pub const fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// The event, unless it belongs to a search that was abandoned; what is known about its position besides is set right.
    pub fn accept(&mut self, mut event: Event) -> Option<Event> {
        let (id, ends) = match &event {
            Event::Info(id, _) | Event::CurrentMove(id, _) | Event::PerftMove(id, ..) => {
                (*id, false)
            }
            Event::Done(id, _) | Event::PerftDone(id, _) | Event::BenchDone(id, _) => (*id, true),
            Event::NoMemory { wanted, kept } => {
                // What was said since has not been tried yet; it will be heard of in its turn.
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
        }
        if self.is_dead {
            match &mut event {
                Event::Info(_, report) => {
                    report.score = Score::DRAW;
                    report.bound = Bound::Exact;
                }
                Event::Done(_, answer) => answer.score = Score::DRAW,
                _ => {}
            }
        }
        Some(event)
    }

    /// Begins a [bench](bench::run) with the network that is set. A search is abandoned.
    pub fn bench(&mut self, settings: BenchSettings) -> SearchId {
        self.abandon();
        let network = self.network.clone();
        self.is_awaited = settings.depth <= BenchSettings::DEFAULT.depth;
        self.begin(StopToken::new(), |id, token| {
            Job::Work(Work::new(move || {
                let result = bench::search_all(settings, network, &token);
                let result = result.map_err(|error| error.to_string());
                let result = result.map(|done| done.map(|done| (done.nodes, done.time)));
                Event::BenchDone(id, result)
            }))
        })
    }

    /// The evaluation of a position, without search, for the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        eval::evaluate(&self.network, position)
    }

    fn send(&self, job: Job) {
        // The thread ends only when this sender is dropped.
        let _ = self.jobs.send(job);
    }
}
