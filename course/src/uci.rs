// ANCHOR: all
//! UCI, the protocol between an engine and a chess program, and the clock of the search.
//!
//! A chess program starts the engine and writes commands to its input, a line each. The engine
//! answers on its output. Source: Huber and Meyer-Kahlen, *Universal Chess Interface*, 2006.

// ANCHOR: imports
use crate::rules::{Color, Move, Position, move_text, read_fen};
use std::collections::VecDeque;
use std::io::BufRead;
use std::str::SplitWhitespace;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};
// ANCHOR_END: imports

// ANCHOR: engine
/// What a step has to offer to play chess.
pub trait Engine {
    /// The name that the chess program shows.
    const NAME: &'static str;

    /// A new game begins: forget the last one.
    fn new_game(&mut self) {}

    /// The move to play in the last position of `game`, which has at least one legal move.
    fn best_move(&mut self, game: &[Position], clock: &mut Clock) -> Move;
}
// ANCHOR_END: engine

// ANCHOR: run
/// Obeys the chess program until it says `quit` or goes away.
pub fn run<E: Engine>(mut engine: E) {
    let mut input = Input::open();
    let mut game = vec![Position::start()];
    while let Some(line) = input.next() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => println!("id name {}\nid author me\nuciok", E::NAME),
            Some("isready") => println!("readyok"),
            Some("ucinewgame") => engine.new_game(),
            Some("position") => match read_game(words) {
                Some(new) => game = new,
                None => println!("info string not a legal position: {line}"),
            },
            Some("go") => go(&mut engine, &game, words, &mut input),
            Some("quit") => break,
            _ => {} // The protocol says: ignore what you do not know.
        }
    }
}

/// Reads `startpos` or `fen ...`, then `moves ...`: all positions of the game, the current one
/// last.
fn read_game(words: SplitWhitespace) -> Option<Vec<Position>> {
    let words: Vec<&str> = words.collect();
    let (start, moves) = match words.iter().position(|&word| word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (&words[..], &[][..]),
    };
    let mut position = match start {
        ["startpos"] => Position::start(),
        ["fen", fen @ ..] => read_fen(&fen.join(" "))?,
        _ => return None,
    };
    let mut game = vec![position];
    for text in moves {
        position = position.play_unchecked(read_move(&position, text)?);
        game.push(position);
    }
    Some(game)
}

/// The legal move with this text. An illegal one has no match.
fn read_move(position: &Position, text: &str) -> Option<Move> {
    let moves = position.legal_moves();
    moves.into_iter().find(|&mv| move_text(mv) == text)
}

/// Answers `go` with `bestmove`.
fn go(engine: &mut impl Engine, game: &[Position], words: SplitWhitespace, input: &mut Input) {
    let Some(position) = game.last().filter(|p| !p.legal_moves().is_empty()) else {
        println!("bestmove 0000"); // Checkmate or stalemate: there is nothing to play.
        return;
    };
    let mut clock = Clock::start(words, position.side_to_move(), input);
    let mv = engine.best_move(game, &mut clock);
    clock.wait_if_infinite();
    println!("bestmove {}", move_text(mv));
}
// ANCHOR_END: run

// ANCHOR: input
/// The lines that the chess program writes. A thread reads them, so that a search can look whether
/// `stop` has arrived without waiting for it.
struct Input {
    lines: Receiver<String>,
    /// Lines that arrived during a search and are not about it.
    kept: VecDeque<String>,
}

impl Input {
    fn open() -> Self {
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            // Bytes, not text: a letter that is not UTF-8 must not end the engine.
            for line in std::io::stdin().lock().split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).into_owned();
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let kept = VecDeque::new();
        Self { lines, kept }
    }

    /// The next command; `None` once the chess program has closed the pipe.
    fn next(&mut self) -> Option<String> {
        self.kept.pop_front().or_else(|| self.lines.recv().ok())
    }
}
// ANCHOR_END: input

// ANCHOR: clock
/// The limits of one search, as `go` gave them.
pub struct Clock<'a> {
    input: &'a mut Input,
    depth: Option<i32>,
    nodes: Option<u64>,
    /// After this much time no new iteration begins.
    soft: Option<Duration>,
    /// After this much time the search ends.
    hard: Option<Duration>,
    infinite: bool,
    started: Instant,
    stopped: bool,
}

/// What the chess program and the system need between our move and their clock.
const OVERHEAD: Duration = Duration::from_millis(30);

impl<'a> Clock<'a> {
    fn start(mut words: SplitWhitespace, side: Color, input: &'a mut Input) -> Self {
        let started = Instant::now();
        let (mut depth, mut nodes, mut movetime) = (None, None, None);
        let (mut time, mut increment, mut moves_to_go) = (None, 0, 30);
        let mut infinite = false;
        while let Some(word) = words.next() {
            if word == "infinite" {
                infinite = true;
                continue;
            }
            // Some programs send a negative time when the flag has fallen.
            let number = words
                .clone()
                .next()
                .and_then(|word| word.parse::<i64>().ok());
            let number = number.map(|number| number.max(0) as u64);
            match (word, side) {
                ("depth", _) => depth = number.map(|number| number.clamp(1, 64) as i32),
                ("nodes", _) => nodes = number,
                ("movetime", _) => movetime = number,
                ("movestogo", _) => {
                    moves_to_go = number.filter(|&moves| moves > 0).unwrap_or(30).min(30);
                }
                ("wtime", Color::White) | ("btime", Color::Black) => time = number,
                ("winc", Color::White) | ("binc", Color::Black) => increment = number.unwrap_or(0),
                _ => {}
            }
        }
        let (soft, hard) = match (movetime, time) {
            (Some(movetime), _) => (None, Some(usable(movetime))),
            (None, Some(time)) => {
                let left = usable(time);
                let fair = left / moves_to_go as u32 + Duration::from_millis(increment) * 3 / 4;
                let hard = (3 * fair).min(left / 2);
                (Some(fair.min(hard)), Some(hard))
            }
            (None, None) => (None, None),
        };
        Self {
            input,
            depth,
            nodes,
            soft,
            hard,
            infinite,
            started,
            stopped: false,
        }
    }

    /// The depth that `go` asked for, or `default`.
    pub fn depth_or(&self, default: i32) -> i32 {
        self.depth.unwrap_or(default)
    }

    /// Whether the search must end now. To be asked at every node.
    pub fn is_up(&mut self, nodes: u64) -> bool {
        // Reading the clock at every node would cost speed, so it is read at every 1,024th.
        if nodes.is_multiple_of(1024) {
            self.read_input();
            self.stopped |= self.hard.is_some_and(|hard| self.started.elapsed() >= hard);
        }
        self.stopped |= self.nodes.is_some_and(|limit| nodes >= limit);
        self.stopped
    }

    /// Whether it is too late to begin another iteration, which would probably not end in time.
    pub fn is_late(&self) -> bool {
        self.stopped || self.soft.is_some_and(|soft| self.started.elapsed() >= soft)
    }

    /// Reports the result of a search to `depth`.
    pub fn report(&self, depth: i32, score: i32, nodes: u64, best: Move) {
        let elapsed = self.started.elapsed();
        println!(
            "info depth {depth} score {} nodes {nodes} nps {} time {} pv {}",
            score_text(score),
            (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64,
            elapsed.as_millis(),
            move_text(best),
        );
    }

    /// Obeys `stop` and `isready`, and keeps other commands for later.
    fn read_input(&mut self) {
        loop {
            match self.input.lines.try_recv() {
                Ok(line) => self.obey(line),
                Err(TryRecvError::Empty) => break,
                // The chess program is gone. A search without limits would go on for ever.
                Err(TryRecvError::Disconnected) => {
                    let limited =
                        self.depth.is_some() || self.nodes.is_some() || self.hard.is_some();
                    self.stopped |= !limited;
                    break;
                }
            }
        }
    }

    fn obey(&mut self, line: String) {
        match line.trim() {
            "isready" => println!("readyok"),
            "stop" => self.stopped = true,
            word => {
                self.stopped |= word == "quit";
                self.input.kept.push_back(line);
            }
        }
    }

    /// After `go infinite` the answer has to wait for `stop`, even if the search is done.
    fn wait_if_infinite(&mut self) {
        while self.infinite && !self.stopped {
            match self.input.lines.recv() {
                Ok(line) => self.obey(line),
                Err(_) => break,
            }
        }
    }
}

/// The time that may be used of so many milliseconds.
fn usable(milliseconds: u64) -> Duration {
    let left = Duration::from_millis(milliseconds).saturating_sub(OVERHEAD);
    left.max(Duration::from_millis(1))
}
// ANCHOR_END: clock

// ANCHOR: score
/// The score of checkmate on the board. A mate that is n plies away scores n less.
pub const MATE: i32 = 30_000;

/// From this score on it is a mate.
pub const MATE_BOUND: i32 = MATE - 1_000;

/// A score as UCI writes it: centipawns, or the moves to a mate, negative for the side that loses.
fn score_text(score: i32) -> String {
    if score >= MATE_BOUND {
        format!("mate {}", (MATE - score + 1) / 2)
    } else if score <= -MATE_BOUND {
        format!("mate {}", -(MATE + score) / 2)
    } else {
        format!("cp {score}")
    }
}
// ANCHOR_END: score
// ANCHOR_END: all
