//! Start positions of self-play games: positions that a game can reach and that neither side has
//! won.

use super::adjudication::finished;
use crate::board::{CHESS960_STARTS, Position, Setup};
use crate::game::Game;
use crate::search::{Limits, SearchRequest, Searcher};
use crate::tools::openings::Start;
use crate::types::{CastlingMode, Color, File, Move, Piece, PieceKind, Rank, Square};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::io;

/// Maximum score of a start position, in centipawns, by a short search.
const BALANCED: i32 = 200;
/// Above this static evaluation, in centipawns, a start position is rejected without a search.
const CLEARLY_UNBALANCED: i32 = 400;
/// Nodes of the search.
const BALANCE_NODES: u64 = 2_000;
/// Maximum number of candidates for a start position. About one random endgame in 25 is taken.
const MAX_CANDIDATES: u32 = 10_000;
/// Maximum number of pieces of one side in a random endgame, besides the king.
const MAX_ENDGAME_PIECES: usize = 4;

/// A generator of start positions.
pub(crate) struct Starts {
    /// Random half-moves before a game; odd game numbers have one more.
    pub(crate) random_plies: u32,
    /// Percentage of games whose random half-moves are drawn by kind of piece.
    pub(crate) by_kind_percent: u32,
    /// Percentage of games from a Chess960 start position, of those that are not from an endgame.
    pub(crate) chess960_percent: u32,
    /// Percentage of games from a random endgame.
    pub(crate) endgame_percent: u32,
    /// Openings to choose from; if empty, the standard start position.
    pub(crate) openings: Vec<Start>,
}

impl Starts {
    /// The start position of game number `number`.
    ///
    /// # Errors
    /// If none is found, because the openings are unbalanced or the random moves end all games.
    pub(crate) fn choose(
        &self,
        number: u64,
        searcher: &mut Searcher,
        random: &mut ChaCha8Rng,
    ) -> io::Result<Start> {
        // Decided before the loop: balanced endgames are rarer than balanced openings, and a choice
        // for each candidate would leave few of them.
        let is_endgame = random.random_ratio(self.endgame_percent, 100);
        let is_chess960 = random.random_ratio(self.chess960_percent, 100);
        // Without the option no number is drawn, so that old seeds give the games they gave.
        let by_kind = self.by_kind_percent > 0 && random.random_ratio(self.by_kind_percent, 100);
        let choose_move = if by_kind { move_by_kind } else { any_move };
        for _ in 0..MAX_CANDIDATES {
            let candidate = if is_endgame {
                random_endgame(random)
            } else {
                // White and Black begin equally often.
                let plies = self.random_plies + (number % 2) as u32;
                let start = self.start_position(is_chess960, random);
                play_random_moves(start, plies, choose_move, random)
            };
            if let Some(start) = candidate
                && is_balanced(&start.position, searcher)
            {
                return Ok(start);
            }
        }
        Err(io::Error::other(format!(
            "in {MAX_CANDIDATES} start positions in a row the game was unbalanced or over; use other openings or fewer random moves"
        )))
    }

    fn start_position(&self, is_chess960: bool, random: &mut ChaCha8Rng) -> Start {
        if is_chess960 {
            let number = random.random_range(0..CHESS960_STARTS);
            return Start {
                position: Position::chess960(number).unwrap_or_default(),
                mode: CastlingMode::Chess960,
            };
        }
        let standard = Start {
            position: Position::start(),
            mode: CastlingMode::Standard,
        };
        self.openings.choose(random).copied().unwrap_or(standard)
    }
}

/// Chooses a random legal move; `None` without one.
pub(super) type ChooseMove = fn(&Position, &mut ChaCha8Rng) -> Option<Move>;

/// Any legal move, each as likely as the others.
pub(super) fn any_move(position: &Position, random: &mut ChaCha8Rng) -> Option<Move> {
    position.legal_moves().choose(random).copied()
}

/// Draws the kind of piece first, then one of its moves. Uniform moves are mostly those of the
/// pieces that have many, queens above all; these openings look more like chess (PlentyChess,
/// pull request 227).
fn move_by_kind(position: &Position, random: &mut ChaCha8Rng) -> Option<Move> {
    let kind = |mv: Move| position.piece_at(mv.from()).map(Piece::kind);
    let weight = |kind| match kind {
        Some(PieceKind::Pawn) => 35.0,
        Some(PieceKind::Rook) => 5.0,
        _ => 15.0,
    };
    let moves = position.legal_moves();
    let of_kind = |wanted| moves.iter().filter(|&&mv| kind(mv) == wanted).count();
    let chosen = moves.choose_weighted(random, |&mv| {
        weight(kind(mv)) / of_kind(kind(mv)).max(1) as f64
    });
    chosen.ok().copied()
}

/// Plays `plies` random moves; `None` if the game is over before or after the last one.
pub(super) fn play_random_moves(
    mut start: Start,
    plies: u32,
    choose_move: ChooseMove,
    random: &mut ChaCha8Rng,
) -> Option<Start> {
    for _ in 0..plies {
        if is_over(&start) {
            return None;
        }
        let mv = choose_move(&start.position, random)?;
        start.position = start.position.play_unchecked(mv);
    }
    (!is_over(&start)).then_some(start)
}

/// Whether a game from this position would be over at once.
fn is_over(start: &Start) -> bool {
    finished(&Game::new(start.position, start.mode)).is_some()
}

/// Kings and a few pieces of each side on random squares; `None` if the position is not legal or
/// the game is over.
fn random_endgame(random: &mut ChaCha8Rng) -> Option<Start> {
    let mut setup = Setup::EMPTY;
    setup.side_to_move = Color::from_white(random.random());
    for color in Color::ALL {
        let pieces = random.random_range(0..=MAX_ENDGAME_PIECES);
        let kinds = (0..pieces).map(|_| random_kind(random)).collect::<Vec<_>>();
        for kind in [PieceKind::King].into_iter().chain(kinds) {
            let square = Square::new(*File::ALL.choose(random)?, *Rank::ALL.choose(random)?);
            let place = &mut setup.board[square.index()];
            if place.replace(Piece::new(color, kind)).is_some() {
                return None;
            }
        }
    }
    let validated = setup
        .validate(CastlingMode::Standard)
        .ok()
        .filter(|validated| validated.defects.is_empty())?;
    let (position, mode) = (validated.position, CastlingMode::Standard);
    let start = Start { position, mode };
    (!is_over(&start)).then_some(start)
}

/// Pawns most often, as in real endgames.
fn random_kind(random: &mut ChaCha8Rng) -> PieceKind {
    use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
    [Pawn, Pawn, Pawn, Pawn, Knight, Bishop, Rook, Rook, Queen]
        .choose(random)
        .copied()
        .unwrap_or(Pawn)
}

/// Whether a short search sees no large advantage for either side.
fn is_balanced(position: &Position, searcher: &mut Searcher) -> bool {
    if searcher.evaluate(position).0.abs() > CLEARLY_UNBALANCED {
        return false;
    }
    searcher.clear();
    let request = SearchRequest::new(*position, Limits::nodes(BALANCE_NODES));
    let answer = searcher.run(&request, None);
    answer.score.0.abs() <= BALANCED
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::on_thread;
    use crate::tools::datagen::HASH_MIB;
    use rand::SeedableRng;

    /// In the start position 16 of the 20 moves are a pawn's.
    #[test]
    fn moves_by_kind_have_the_shares_of_their_kinds() {
        const DRAWS: usize = 4_000;
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let position = Position::start();
        let is_pawn = |mv: Move| {
            position
                .piece_at(mv.from())
                .is_some_and(|piece| piece.kind() == PieceKind::Pawn)
        };
        let pawns = (0..DRAWS)
            .filter(|_| is_pawn(move_by_kind(&position, &mut random).unwrap()))
            .count();
        // 35 of 50, give or take four standard deviations.
        assert!((2_684..=2_916).contains(&pawns), "{pawns}");
    }

    /// Most candidates for an endgame are rejected, so the share depends on when it is drawn.
    #[test]
    fn the_percentages_hold_and_no_game_is_over_at_the_start() {
        const GAMES: u64 = 200;
        let starts = Starts {
            random_plies: 4,
            by_kind_percent: 0,
            chess960_percent: 50,
            endgame_percent: 50,
            openings: Vec::new(),
        };
        let count = move || {
            let mut searcher = Searcher::new(HASH_MIB).unwrap();
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let (mut endgames, mut chess960) = (0, 0);
            for number in 0..GAMES {
                let start = starts.choose(number, &mut searcher, &mut random).unwrap();
                assert!(
                    !start.position.is_insufficient_material(),
                    "{}",
                    start.fen()
                );
                endgames += u64::from(start.position.occupied().len() <= 10);
                chess960 += u64::from(start.mode == CastlingMode::Chess960);
            }
            (endgames, chess960)
        };
        // A search needs a thread with a large stack.
        let (endgames, chess960) = on_thread(count).unwrap();
        // A half and a quarter of the games, give or take four standard deviations.
        assert!((72..=128).contains(&endgames), "{endgames}");
        assert!((26..=74).contains(&chess960), "{chess960}");
    }
}
