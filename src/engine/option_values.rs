//! The values of the options.

use super::opponent::Opponent;
use super::strength;
use crate::search::{Handicap, ProbeRules, Refusal, SearchSettings};
use std::time::Duration;

/// The values of all options, apart from files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionValues {
    /// Size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Settings of the search. [`Engine::go`](super::Engine::go) adds the handicap, which follows
    /// from the strength options.
    pub search: SearchSettings,
    /// Shows the GUI that the engine can ponder. Each `go` says whether it does.
    pub ponder: bool,
    /// Castling by the rules of Chess960.
    pub chess960: bool,
    /// Play from the book.
    pub own_book: bool,
    /// Last move number at which the book is used.
    pub book_depth: u32,
    /// Always play the book move with the greatest weight, instead of a random one by weight.
    pub best_book_move: bool,
    /// Resign lost games, where the protocol allows it.
    pub resign: bool,
    /// Play at the strength of [`Self::elo`].
    pub limit_strength: bool,
    /// Strength to play at, if limited.
    pub elo: u32,
    /// Strength in steps, up to [`strength::FULL_SKILL`].
    pub skill_level: u32,
    /// Print the chances to win, draw and lose.
    pub show_wdl: bool,
    /// Search at full strength and without the book.
    pub analyse_mode: bool,
    /// The opponent.
    pub opponent: Opponent,
    /// Print only the final result of each search.
    pub minimal_output: bool,
    /// Take the node limit of `go` as a soft one.
    pub soft_nodes: bool,
    /// Print the score of each move as `info string pgncomment`.
    pub pgn_comment: bool,
}

impl Default for OptionValues {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            search: SearchSettings {
                multi_pv: 1,
                move_overhead: Duration::from_millis(20),
                probe: ProbeRules::DEFAULT,
                node_rate: None,
                handicap: None,
            },
            ponder: false,
            chess960: false,
            own_book: false,
            book_depth: 255,
            best_book_move: false,
            resign: false,
            limit_strength: false,
            elo: strength::MAX_ELO,
            skill_level: strength::FULL_SKILL,
            show_wdl: false,
            analyse_mode: false,
            opponent: Opponent::default(),
            minimal_output: false,
            soft_nodes: false,
            pgn_comment: false,
        }
    }
}

impl OptionValues {
    /// The handicap that follows from the strength options.
    pub(super) fn handicap(&self) -> Option<Handicap> {
        if self.analyse_mode {
            None
        } else if self.limit_strength {
            Some(strength::of_elo(self.elo))
        } else {
            strength::of_skill(self.skill_level)
        }
    }

    /// Takes back a change that the system has refused. If the option was set again meanwhile, that
    /// change is still queued and reports for itself.
    pub(super) const fn keep(&mut self, refusal: Refusal) {
        match refusal {
            Refusal::Threads { wanted, kept } if self.threads == wanted => self.threads = kept,
            Refusal::Hash { wanted, kept } if self.hash_mib == wanted => self.hash_mib = kept,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn analysis_has_no_handicap_and_a_rating_comes_before_a_skill() {
        let nodes = |options: &OptionValues| options.handicap().map(|handicap| handicap.nodes);
        let mut options = OptionValues::default();
        assert_eq!(nodes(&options), None);
        options.skill_level = 5;
        assert_eq!(nodes(&options), Some(strength::of_elo(1400).nodes));
        (options.limit_strength, options.elo) = (true, 2100);
        assert_eq!(nodes(&options), Some(strength::of_elo(2100).nodes));
        options.analyse_mode = true;
        assert_eq!(nodes(&options), None);
    }
}
