//! The programs of the course whose calls the pictures follow.

/// Defines `search` for a program whose `Searcher` has these fields besides `nodes` and `trace`.
/// Each program has a type of that name, so this is a macro and not a function.
macro_rules! traced_search {
    ($($field:ident: $value:expr)?) => {
        /// Searches a position: the score, the nodes and the record.
        pub(crate) fn search(root: &Position, depth: i32, trace: Trace) -> (i32, u64, Trace) {
            let mut searcher = Searcher { $($field: $value,)? nodes: 0, trace };
            searcher
                .trace
                .enter(root, Kind::Root, depth, (-INFINITY, INFINITY));
            let (_, score) = searcher.search_root(root, depth);
            searcher.trace.leave(score);
            (score, searcher.nodes, searcher.trace)
        }
    };
}

/// Step 3: negamax, which skips nothing.
pub(crate) mod step03 {
    #![allow(dead_code, clippy::match_bool)] // The course has lints of its own.

    include!(concat!(env!("OUT_DIR"), "/step03.rs"));

    use crate::trace::{Kind, Trace};

    traced_search!(random: Random(0x9E37_79B9_7F4A_7C15));

    impl Searcher {
        fn negamax(&mut self, position: &Position, depth: i32, ply: i32) -> i32 {
            let kind = if depth <= 0 { Kind::Leaf } else { Kind::Inner };
            let window = (-INFINITY, INFINITY);
            if !self.trace.enter(position, kind, depth, window) {
                return 0;
            }
            let score = self.step_negamax(position, depth, ply);
            self.trace.leave(score);
            score
        }
    }
}

/// Step 4: alpha-beta. The moves of the root are shuffled, and the others have the order of the
/// generator.
pub(crate) mod step04 {
    #![allow(dead_code, clippy::match_bool)] // The course has lints of its own.

    include!(concat!(env!("OUT_DIR"), "/step04.rs"));

    use crate::trace::{Kind, Trace};

    traced_search!(random: Random(0x9E37_79B9_7F4A_7C15));

    impl Searcher {
        fn negamax(
            &mut self,
            position: &Position,
            depth: i32,
            ply: i32,
            alpha: i32,
            beta: i32,
        ) -> i32 {
            let kind = if depth <= 0 { Kind::Leaf } else { Kind::Inner };
            if !self.trace.enter(position, kind, depth, (alpha, beta)) {
                return 0;
            }
            let score = self.step_negamax(position, depth, ply, alpha, beta);
            self.trace.leave(score);
            score
        }
    }
}

/// Step 6: with quiescence, and captures first if that is wanted.
pub(crate) mod step06 {
    #![allow(dead_code, clippy::match_bool)] // The course has lints of its own.

    include!(concat!(env!("OUT_DIR"), "/step06.rs"));

    use crate::trace::{Kind, Trace};
    use std::cell::Cell;

    thread_local! {
        /// Whether the moves are sorted. `order` of the program is no method.
        static SORTS: Cell<bool> = const { Cell::new(true) };
    }

    /// Sorts the moves as the program does, or leaves the order of the generator.
    fn order(position: &Position, moves: &mut [Move]) {
        if SORTS.get() {
            step_order(position, moves);
        }
    }

    /// Whether later searches sort the moves.
    pub(crate) fn set_order(sorts: bool) {
        SORTS.set(sorts);
    }

    traced_search!();

    impl Searcher {
        fn negamax(
            &mut self,
            position: &Position,
            depth: i32,
            ply: i32,
            alpha: i32,
            beta: i32,
        ) -> i32 {
            if depth <= 0 {
                // It goes on to the quiescence search, which is the node.
                return self.step_negamax(position, depth, ply, alpha, beta);
            }
            if !self
                .trace
                .enter(position, Kind::Inner, depth, (alpha, beta))
            {
                return 0;
            }
            let score = self.step_negamax(position, depth, ply, alpha, beta);
            self.trace.leave(score);
            score
        }

        fn quiescence(&mut self, position: &Position, ply: i32, alpha: i32, beta: i32) -> i32 {
            if !self
                .trace
                .enter(position, Kind::Quiescence, 0, (alpha, beta))
            {
                return 0;
            }
            let score = self.step_quiescence(position, ply, alpha, beta);
            self.trace.leave(score);
            score
        }
    }

    /// The evaluation, with which a quiescence search may stand pat.
    pub(crate) fn stand_pat(position: &Position) -> Option<i32> {
        (!position.in_check()).then(|| evaluate(position))
    }
}

/// Step 8: with a transposition table.
pub(crate) mod step08 {
    #![allow(dead_code, clippy::match_bool)] // The course has lints of its own.

    include!(concat!(env!("OUT_DIR"), "/step08.rs"));

    /// The program with an empty table.
    pub(crate) fn searcher() -> Searcher {
        Searcher {
            nodes: 0,
            best_move: None,
            table: Table::new(),
            path: Vec::new(),
        }
    }

    /// An entry, as the pictures see it.
    #[derive(Clone, Copy)]
    pub(crate) struct Seen {
        pub(crate) best: Option<Move>,
        pub(crate) score: i32,
        pub(crate) depth: i32,
        pub(crate) bound: tabiya::search::Bound,
    }

    impl Searcher {
        /// Number of places in the table.
        pub(crate) const PLACES: usize = ENTRIES;

        /// The entry of a position.
        pub(crate) fn entry(&self, position: &Position) -> Option<Seen> {
            let entry = self.table.probe(position.key().0)?;
            Some(Seen {
                best: entry.best,
                score: entry.score.into(),
                depth: entry.depth.into(),
                bound: match entry.bound {
                    Bound::Exact => tabiya::search::Bound::Exact,
                    Bound::Lower => tabiya::search::Bound::Lower,
                    Bound::Upper => tabiya::search::Bound::Upper,
                },
            })
        }

        /// Searches the last position of a game. Returns the nodes, and whether it was stopped
        /// after `max_nodes`.
        pub(crate) fn run(&mut self, game: &[Position], depth: i32, max_nodes: u64) -> (u64, bool) {
            let mut clock = Clock::new(depth, max_nodes);
            self.best_move(game, &mut clock);
            (self.nodes, clock.is_stopped)
        }
    }
}
