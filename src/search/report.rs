//! What a search reports: numbers, no text. The protocols turn them into text.
//!
//! A [`Report`] is one line of play after an iteration, or a bound on its score during one. An
//! [`Answer`] ends the search. [`deepening`](super::deepening) decides when to report. The search
//! calls its listener with [`Progress`]; the search thread sends [`Event`]s, which say which search
//! they belong to.

use super::control::SearchId;
use crate::types::{Move, Score};
use std::fmt;
use std::time::Duration;

/// How a score relates to the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The true value is at most the score (fail low).
    Upper,
    /// The true value is at least the score (fail high).
    Lower,
    /// The score is the true value.
    Exact,
}

/// What a search tells its listener before it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// A line and its score.
    Line(Report),
    /// The root move being searched; at most one every 50 ms.
    CurrentMove(CurrentMove),
    /// The main worker has checked its limits. It does so about once a millisecond, or more often.
    Tick,
}

impl Progress {
    /// The report, if this is a line.
    pub fn line(self) -> Option<Report> {
        match self {
            Self::Line(report) => Some(report),
            Self::CurrentMove(_) | Self::Tick => None,
        }
    }
}

/// A report of the search thread, or of the engine for an answer that needs no search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Number of the search, perft or bench; 0 for a refusal, which belongs to none.
    pub id: SearchId,
    /// What it reports.
    pub what: What,
}

/// What a search, a perft or a bench reports.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A line and its score.
    Line(Report),
    /// The root move being searched; at most one every 50 ms.
    CurrentMove(CurrentMove),
    /// The answer, which ends the search.
    Answer(Answer),
    /// Number of leaves of a perft below a root move.
    PerftMove(Move, u64),
    /// Total number of leaves, which ends the perft; `None` if it was stopped.
    Perft(Option<u64>),
    /// The result, which ends the bench.
    Bench(Result<BenchResult, BenchError>),
    /// The system has refused memory.
    Refused(Refusal),
}

impl What {
    /// Whether this is the last event of its search, perft or bench.
    pub(crate) const fn is_last(&self) -> bool {
        matches!(self, Self::Answer(_) | Self::Perft(_) | Self::Bench(_))
    }
}

/// The root move being searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentMove {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// The move.
    pub mv: Move,
    /// Rank among the root moves, from 1.
    pub number: usize,
    /// Number of root moves.
    pub total: usize,
    /// Nodes searched so far by all workers.
    pub nodes: u64,
    /// Time since the clock started.
    pub time: Duration,
}

/// One line of play and its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Length of the longest line searched, in plies.
    pub selective_depth: u32,
    /// Rank of the line, 1 for the best.
    pub multi_pv: usize,
    /// Score for the side to move, in centipawns of the network (see [`Score`]).
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Whether the score is known without search: the position is dead, or the tablebases have it.
    pub is_known: bool,
    /// Nodes searched so far by all workers.
    pub nodes: u64,
    /// Time since the clock started.
    pub time: Duration,
    /// Successful tablebase probes so far.
    pub tablebase_hits: u64,
    /// Share of the transposition table filled by this search, in permille; 0 in a search without
    /// reports.
    pub hashfull: u32,
    /// Principal variation; empty only without a move to search.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// Move to play; `None` without a legal move, or if none is among
    /// [`Limits::searchmoves`](super::Limits::searchmoves). [`lan::write`](crate::game::lan::write)
    /// and [`san::write`](crate::game::san::write) make a text of it.
    pub best: Option<Move>,
    /// Expected reply.
    pub ponder: Option<Move>,
    /// Score of the best move for the side to move, as in the last report of line 1, in centipawns
    /// of the network (see [`Score`]).
    pub score: Score,
    /// Depth of the last completed iteration, in plies.
    pub depth: u32,
    /// Nodes searched by all workers: moves made in the tree.
    pub nodes: u64,
    /// Calls of the recursive search by all workers. There are more than nodes, because null moves
    /// and repeated searches of a node count too; the time of a search is proportional to them.
    pub calls: u64,
    /// The best lines, at most as many as [`SearchSettings::multi_pv`](super::SearchSettings) asks
    /// for. The first begins with [`Self::best`]; without a legal move it has no moves. A book move
    /// has one line, and a position that was refused none.
    pub lines: Vec<Report>,
}

impl Answer {
    /// The principal variation; empty without a legal move.
    #[must_use]
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }
}

/// Nodes per second. No time at all counts as a microsecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// The result of a bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes searched in all positions: the signature.
    pub nodes: u64,
    /// Calls of the recursive search, as in [`Answer::calls`].
    pub calls: u64,
    /// Time taken.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Two lines; OpenBench reads the last.
impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_call = self.time.as_nanos() / u128::from(self.calls.max(1));
        writeln!(f, "{} calls of {per_call} ns", self.calls)?;
        write!(f, "{} nodes {} nps", self.nodes, self.nps())
    }
}

/// Why a bench has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BenchError {
    /// The bench was stopped.
    Stopped,
    /// Not enough memory for a transposition table of this many MiB.
    NoMemory(usize),
    /// Not enough memory for this many search threads.
    NoThreads(usize),
    /// The system refused a thread.
    NoThread,
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("bench was stopped"),
            Self::NoMemory(mib) => write!(f, "no memory for a hash table of {mib} MiB"),
            Self::NoThreads(threads) => write!(f, "no memory for {threads} search threads"),
            Self::NoThread => f.write_str("no thread for the bench"),
        }
    }
}

impl std::error::Error for BenchError {}

/// The system has refused memory, and what was there before stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Memory for search threads.
    Threads {
        /// Number requested.
        wanted: usize,
        /// Number kept.
        kept: usize,
    },
    /// Memory for a transposition table.
    Hash {
        /// Size requested, in MiB.
        wanted: usize,
        /// Size kept, in MiB.
        kept: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads { wanted, kept } => {
                write!(f, "not enough memory for {wanted} threads; keeping {kept}")
            }
            Self::Hash { wanted, kept } => write!(
                f,
                "not enough memory for a hash table of {wanted} MiB; keeping {kept} MiB"
            ),
        }
    }
}

impl std::error::Error for Refusal {}

/// Minimum time between two reports of a root move.
const ROOT_MOVE_INTERVAL: Duration = Duration::from_millis(50);

/// Passes reports to the listener and remembers what was reported last.
pub(super) struct Reporter<'a> {
    listener: &'a mut dyn FnMut(Progress),
    /// The lines as last reported, the best first.
    last_lines: Vec<Report>,
    /// When a root move was last reported.
    last_root_move: Duration,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(listener: &'a mut dyn FnMut(Progress)) -> Self {
        Self {
            listener,
            last_lines: Vec::new(),
            last_root_move: ROOT_MOVE_INTERVAL,
        }
    }

    /// Reports a line. Line 1 comes first.
    pub(super) fn line(&mut self, report: Report) {
        self.last_lines.truncate(report.multi_pv - 1);
        self.last_lines.push(report.clone());
        (self.listener)(Progress::Line(report));
    }

    /// Reports the lines of the answer, unless they were the last ones reported. If one is new, all
    /// are reported, because line 1 may begin with a move that line 2 had before.
    pub(super) fn answer(&mut self, lines: &[Report]) {
        let is_same = |(last, line): (&Report, &Report)| {
            (last.nodes, last.score, last.bound) == (line.nodes, line.score, line.bound)
                && last.pv == line.pv
        };
        let are_same =
            self.last_lines.len() == lines.len() && self.last_lines.iter().zip(lines).all(is_same);
        if !are_same {
            for line in lines {
                self.line(line.clone());
            }
        }
    }

    /// Reports that the limits were checked.
    pub(super) fn tick(&mut self) {
        (self.listener)(Progress::Tick);
    }

    /// Whether a root move may be reported at `now`.
    pub(super) fn wants_root_move(&self, now: Duration) -> bool {
        now >= self.last_root_move + ROOT_MOVE_INTERVAL
    }

    /// Reports the root move being searched.
    pub(super) fn root_move(&mut self, current: CurrentMove) {
        self.last_root_move = current.time;
        (self.listener)(Progress::CurrentMove(current));
    }
}
