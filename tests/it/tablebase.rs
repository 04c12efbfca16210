//! Tablebases: the files in `tests/data/syzygy` compared with a solver, their use in the search,
//! and broken files. All tables have three pieces.

use crate::random_games::START;
use crate::session::{SEPARATOR, answer_of};
use crate::temporary::Folder;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;
use tabiya::board::{GamePosition, Position, Setup};
use tabiya::engine::{Engine, OptionError};
use tabiya::game::{Game, Outcome, lan};
use tabiya::search::{
    Answer, Claims, Handicap, Limits, ProbeRules, Progress, Report, SearchRequest, SearchSettings,
    Searcher,
};
use tabiya::tablebase::{Tablebase, TablebaseError, Wdl};
use tabiya::types::{CastlingMode, Color, Move, Piece, PieceKind, Score, Square};

const FOLDER: &str = "tests/data/syzygy";

fn tables() -> Tablebase {
    Tablebase::open(FOLDER).unwrap()
}

/// All positions of White's king and one more white piece against the bare king, solved backwards
/// from mate.
struct Solved {
    kind: PieceKind,
    /// Win in n half-moves: `NEAREST - n`; loss: the same, negative; draw: 0. `None` for illegal
    /// positions.
    values: Vec<Option<i32>>,
}

const NEAREST: i32 = 1000;

/// The result of a move.
enum Next {
    Index(usize),
    Value(i32),
}

fn index(position: &Position, piece: PieceKind) -> usize {
    let squares = [
        position.king(Color::White),
        position.king(Color::Black),
        position.pieces(Color::White, piece).first().unwrap(),
    ];
    squares
        .into_iter()
        .fold(position.side_to_move().index(), |index, square| {
            64 * index + square.index()
        })
}

fn at(index: usize, piece: PieceKind) -> Option<Position> {
    let square = |shift: usize| Square::from_low_bits(index >> shift & 63);
    let pieces = [
        (square(12), Piece::new(Color::White, PieceKind::King)),
        (square(6), Piece::new(Color::Black, PieceKind::King)),
        (square(0), Piece::new(Color::White, piece)),
    ];
    let mut setup = Setup {
        side_to_move: Color::ALL[index >> 18],
        ..Setup::EMPTY
    };
    for (square, piece) in pieces {
        if setup.board[square.index()].replace(piece).is_some() {
            return None;
        }
    }
    Some(setup.validate(CastlingMode::Standard).ok()?.position)
}

impl Solved {
    /// Solves one kind of piece. `promoted` are the pieces to which a pawn can promote and win.
    fn new(kind: PieceKind, promoted: &[&Self]) -> Self {
        let mut values = vec![None; 2 << 18];
        let mut open = Vec::new();
        for (index, value) in values.iter_mut().enumerate() {
            let Some(position) = at(index, kind) else {
                continue;
            };
            let next = |mv| Self::next(&position.play_unchecked(mv), kind, promoted);
            let next: Vec<_> = position.legal_moves().into_iter().map(next).collect();
            let is_mate = next.is_empty() && position.in_check();
            *value = Some(if is_mate { -NEAREST } else { 0 });
            if !next.is_empty() {
                open.push((index, next));
            }
        }
        for distance in 1..100 {
            let mut solved = Vec::new();
            open.retain(|(index, next)| {
                let replies = next.iter().map(|next| match *next {
                    Next::Index(index) => -values[index].unwrap(),
                    Next::Value(value) => -value,
                });
                let best = replies.max().unwrap();
                let value = best - best.signum();
                let is_solved = value.abs() == NEAREST - distance;
                if is_solved {
                    solved.push((*index, value));
                }
                !is_solved
            });
            for (index, value) in solved {
                values[index] = Some(value);
            }
        }
        Self { kind, values }
    }

    fn next(position: &Position, kind: PieceKind, promoted: &[&Self]) -> Next {
        let has = |kind| position.pieces(Color::White, kind).any();
        if has(kind) {
            return Next::Index(index(position, kind));
        }
        let winner = promoted.iter().find(|solved| has(solved.kind));
        Next::Value(winner.map_or(0, |solved| solved.value(position)))
    }

    fn value(&self, position: &Position) -> i32 {
        self.values[index(position, self.kind)].unwrap()
    }

    fn positions(&self) -> impl Iterator<Item = (Position, i32)> {
        let values = self.values.iter().enumerate();
        values.filter_map(|(index, value)| Some((at(index, self.kind)?, (*value)?)))
    }
}

/// The solutions for queen, rook and pawn.
fn solved() -> &'static [Solved; 3] {
    static SOLVED: OnceLock<[Solved; 3]> = OnceLock::new();
    SOLVED.get_or_init(|| {
        let queen = Solved::new(PieceKind::Queen, &[]);
        let rook = Solved::new(PieceKind::Rook, &[]);
        let pawn = Solved::new(PieceKind::Pawn, &[&queen, &rook]);
        [queen, rook, pawn]
    })
}

/// The result in the tables for a value of the solver.
const fn wdl_of(value: i32) -> Wdl {
    match value.signum() {
        1 => Wdl::Win,
        -1 => Wdl::Loss,
        _ => Wdl::Draw,
    }
}

#[test]
fn every_probe_matches_the_solver() {
    let tables = tables();
    assert_eq!(tables.max_pieces(), 3);
    for solved in solved() {
        let mut count = 0;
        for (position, value) in solved.positions().step_by(11) {
            assert_eq!(tables.wdl(&position), Some(wdl_of(value)), "{position}");
            let dtz = tables.dtz(&position).unwrap();
            assert_eq!(dtz.signum(), value.signum(), "{position}");
            let is_over = position.in_check() && !position.has_legal_move();
            if solved.kind != PieceKind::Pawn && value != 0 && !is_over {
                // Only mate ends the count, and the tables may be one off.
                let mate = NEAREST - value.abs();
                assert!(
                    (0..=1).contains(&(mate - dtz.abs())),
                    "{position}: {mate}, {dtz}"
                );
            }
            count += 1;
        }
        assert!(count > 10_000, "{:?}: {count}", solved.kind);
    }
}

#[test]
fn positions_without_a_table_have_no_result() {
    let tables = tables();
    for fen in [
        // A castling right; too many pieces; a missing table.
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        START,
        "4k3/8/8/8/8/8/8/3QKR2 w - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(
            (tables.wdl(&position), tables.dtz(&position)),
            (None, None),
            "{fen}"
        );
    }
}

#[test]
fn only_moves_that_keep_the_result_are_searched_and_shown() {
    let root = from_fen("8/8/8/8/8/2k5/3R4/K7 w - - 0 1");
    let mut searcher = Searcher::new(1).unwrap();
    searcher.set_tablebase(Some(Box::new(tables())));
    let settings = SearchSettings {
        multi_pv: 30,
        ..SearchSettings::default()
    };
    let request = SearchRequest {
        settings,
        ..SearchRequest::new(root.clone(), Limits::depth(3))
    };
    let answer = searcher.search_silently(&request).unwrap();
    let shown: BTreeSet<_> = answer
        .lines
        .iter()
        .map(|line| line.pv[0].to_bits())
        .collect();
    let legal = root.position.legal_moves();
    let wins = |mv: &&Move| tables().wdl(&root.position.play_unchecked(**mv)) == Some(Wdl::Loss);
    let winning: BTreeSet<_> = legal.iter().filter(wins).map(|mv| mv.to_bits()).collect();
    assert_eq!((legal.len(), winning.len()), (16, 11));
    assert_eq!(shown, winning);
}

fn probed_by(probe: ProbeRules) -> SearchSettings {
    SearchSettings {
        probe,
        ..SearchSettings::default()
    }
}

/// Searches with the tables.
fn search_with(
    settings: SearchSettings,
    root: GamePosition,
    limits: Limits,
) -> (Answer, Vec<Report>) {
    let mut searcher = Searcher::new(1).unwrap();
    searcher.set_tablebase(Some(Box::new(tables())));
    let request = SearchRequest {
        settings,
        ..SearchRequest::new(root, limits)
    };
    let mut reports = Vec::new();
    let mut report = |progress: Progress| reports.extend(progress.line());
    let answer = searcher.search(&request, &mut report);
    (answer.unwrap(), reports)
}

fn search(root: GamePosition, limits: Limits) -> (Answer, Vec<Report>) {
    search_with(SearchSettings::default(), root, limits)
}

fn from_fen(fen: &str) -> GamePosition {
    GamePosition::from(Position::from_fen(fen).unwrap())
}

#[test]
fn the_search_probes_positions_with_few_pieces() {
    // After the capture of the pawn, a rook is left; the search alone sees no mate from there.
    let root = from_fen("8/8/8/4k3/8/8/p7/K6R w - - 0 1");
    let (answer, reports) = search(root.clone(), Limits::depth(3));
    assert_eq!(answer.best.unwrap().to_string(), "a1a2");
    assert_eq!(answer.score, Score::TABLEBASE_WIN - 1);
    assert!(reports.last().unwrap().tablebase_hits > 0);
    // The other side sees the same loss.
    let (answer, _) = search(from_fen("8/8/8/4k3/8/8/pK6/7R b - - 0 1"), Limits::depth(4));
    assert_eq!(answer.score, -(Score::TABLEBASE_WIN - 2));

    // After the capture a pawn is left, which the king in the corner stops.
    let (mut limits, root) = (Limits::depth(4), from_fen("7k/8/8/8/8/8/p6P/K7 w - - 0 1"));
    limits.searchmoves = vec![lan::parse(&root.position, "a1a2").unwrap()];
    let (answer, reports) = search(root, limits);
    assert_eq!(answer.score, Score::DRAW);
    assert!(reports.last().unwrap().tablebase_hits > 0);
}

#[test]
fn probe_limits_are_respected() {
    let root = from_fen("8/8/8/4k3/8/8/p7/K6R w - - 0 1");
    for probe in [
        ProbeRules {
            pieces: 2,
            ..ProbeRules::default()
        },
        ProbeRules {
            depth: 50,
            ..ProbeRules::default()
        },
    ] {
        let (answer, reports) = search_with(probed_by(probe), root.clone(), Limits::depth(3));
        assert_eq!(reports.last().unwrap().tablebase_hits, 0, "{probe:?}");
        assert!(!answer.score.is_win(), "{probe:?}");
    }
}

#[test]
fn a_weakened_search_uses_no_tables() {
    let handicap = Handicap {
        nodes: 10_000,
        error: 0,
        glances: 0,
        seed: 1,
    };
    for (handicap, is_probed) in [(None, true), (Some(handicap), false)] {
        let settings = SearchSettings {
            handicap,
            ..SearchSettings::default()
        };
        let root = from_fen("8/8/8/4k3/8/8/p7/K6R w - - 0 1");
        let (_, reports) = search_with(settings, root, Limits::depth(3));
        assert_eq!(reports.last().unwrap().tablebase_hits > 0, is_probed);
    }
}

#[test]
fn the_only_move_that_holds_or_wins_is_found_at_once() {
    let [_, _, pawn] = solved();
    let mut count = [0; 2];
    for (position, value) in pawn.positions().step_by(41) {
        let keeps = |mv| {
            match Solved::next(
                &position.play_unchecked(mv),
                PieceKind::Pawn,
                &[&solved()[0], &solved()[1]],
            ) {
                Next::Index(index) => -pawn.values[index].unwrap(),
                Next::Value(value) => -value,
            }
            .signum()
                == value.signum()
        };
        let moves = position.legal_moves();
        let mut keeping = moves.iter().copied().filter(|&mv| keeps(mv));
        let (Some(only), None) = (keeping.next(), keeping.next()) else {
            continue;
        };
        if value < 0 || moves.len() < 3 || count[usize::from(value > 0)] == 25 {
            continue;
        }
        count[usize::from(value > 0)] += 1;
        let (answer, _) = search(GamePosition::from(position), Limits::depth(1));
        assert_eq!(answer.best, Some(only), "{position}");
        assert_eq!(answer.score.is_win(), value > 0, "{position}");
        assert_eq!(answer.score == Score::DRAW, value == 0, "{position}");
    }
    assert_eq!(count, [25, 25]);
}

/// The position with another halfmove clock.
fn with_clock(position: &Position, halfmove_clock: u32) -> Position {
    let setup = Setup {
        halfmove_clock,
        ..position.to_setup()
    };
    setup.validate(CastlingMode::Standard).unwrap().position
}

/// A pawn move starts the count again, so it wins however late it comes.
#[test]
fn a_pawn_move_wins_at_any_halfmove_clock() {
    let position = Position::from_fen("8/8/8/P7/8/7k/8/7K w - - 0 1").unwrap();
    for clock in [99, 100, 101, 150, 1_000] {
        let root = GamePosition::from(with_clock(&position, clock));
        let (answer, reports) = search(root, Limits::depth(2));
        assert_eq!(answer.best.unwrap().to_string(), "a5a6", "{clock}");
        assert!(answer.score.is_win(), "{clock}: {}", answer.score);
        assert!(
            reports.iter().all(|report| report.score.is_win()),
            "{clock}"
        );
    }
}

#[test]
fn the_fifty_move_rule_is_counted_to_the_half_move() {
    let [_, rook, _] = solved();
    let (hardest, value) = rook
        .positions()
        .max_by_key(|&(_, value)| if value > 0 { -value } else { -NEAREST })
        .unwrap();
    let mate = NEAREST - value;
    assert_eq!(mate, 31, "sixteen moves, the known maximum");

    // Just in time: no half-move may be lost, and none is lost against any defence.
    let mut game = Game::new(
        with_clock(&hardest, 100 - mate as u32),
        CastlingMode::Standard,
    );
    while game.outcome().is_none() {
        let position = *game.position();
        let mv = if position.side_to_move() == Color::White {
            let (answer, _) = search(GamePosition::from(&game), Limits::depth(2));
            assert!(answer.score.is_win(), "{position}");
            answer.best.unwrap()
        } else {
            // The longest defence.
            let moves = position.legal_moves().into_iter();
            let distance =
                |&mv: &_| match Solved::next(&position.play_unchecked(mv), PieceKind::Rook, &[]) {
                    Next::Index(index) => rook.values[index].unwrap(),
                    Next::Value(value) => value,
                };
            moves.min_by_key(distance).unwrap()
        };
        game.replay(mv).unwrap();
    }
    assert!(
        matches!(game.outcome(), Some(Outcome::Won { .. })),
        "{:?}",
        game.outcome()
    );

    // Too late by one half-move or two, unless the fifty-move rule is off.
    let [_, late] = [101, 102].map(|last| {
        let late = GamePosition::from(with_clock(&hardest, last - mate as u32));
        let (answer, _) = search(late.clone(), Limits::depth(2));
        assert_eq!(answer.score, Score::DRAW, "{last}");
        late
    });
    let without_rule = ProbeRules {
        fifty_move_rule: false,
        ..ProbeRules::DEFAULT
    };
    let (answer, _) = search_with(probed_by(without_rule), late, Limits::depth(2));
    assert_eq!(answer.score, Score::TABLEBASE_WIN);
}

/// A FEN may have a halfmove clock of up to 65,535. However high it is, a rook is not given away,
/// and the side that is behind takes the draw.
#[test]
fn a_halfmove_clock_beyond_the_fifty_moves_changes_no_sign() {
    let without_rule = ProbeRules {
        fifty_move_rule: false,
        ..ProbeRules::DEFAULT
    };
    for clock in [99, 101, 150, 9_999, 10_001, 32_768, 65_535] {
        for (fen, sign) in [
            ("8/8/8/8/8/2k5/2r5/K7 b - - 0 1", 1),
            ("8/8/8/8/3k4/8/4R3/K7 w - - 0 1", 1),
            ("8/8/8/8/3k4/8/4R3/K7 b - - 0 1", -1),
        ] {
            let position = with_clock(&Position::from_fen(fen).unwrap(), clock);
            let root = GamePosition::from(position);
            let (answer, _) = search_with(probed_by(without_rule), root.clone(), Limits::depth(2));
            assert_eq!(answer.score.is_win(), sign > 0, "{fen}: {clock}");
            assert_eq!(answer.score.is_loss(), sign < 0, "{fen}: {clock}");
            let (answer, _) = search(root, Limits::depth(2));
            let next = position.play(answer.best.unwrap()).unwrap();
            let wdl = tables().wdl(&with_clock(&next, 0)).unwrap();
            assert_eq!(wdl == Wdl::Loss, sign > 0, "{fen}: {clock}: {answer:?}");
        }
    }
}

/// A program that has let a game pass a draw will do so again, so it is no draw at the root either.
#[test]
fn a_draw_that_the_game_has_passed_is_none_in_the_tables() {
    let rook = "8/8/8/4k3/8/8/R7/4K3 w - - 0 1";
    // The rook goes to and fro three times; the king's answer repeats a position for the fourth.
    let moves = ["a2b2", "e5d5", "b2a2", "d5e5"].iter().cycle().take(13);
    let start = Position::from_fen(rook).unwrap();
    let mut repeated = Game::new(start, CastlingMode::Standard);
    for text in moves {
        let mv = lan::parse(repeated.position(), text).unwrap();
        repeated.replay(mv).unwrap();
    }
    let late = with_clock(&start, 101);
    for (root, sign) in [
        (GamePosition::from(&repeated), -1),
        (GamePosition::from(late), 1),
    ] {
        for (claims, is_draw) in [(Claims::Players, true), (Claims::Nobody, false)] {
            let mut searcher = Searcher::new(1).unwrap();
            searcher.set_tablebase(Some(Box::new(tables())));
            let request = SearchRequest {
                claims,
                ..SearchRequest::new(root.clone(), Limits::depth(4))
            };
            let answer = searcher.search_silently(&request).unwrap();
            let expected = if is_draw { 0 } else { sign };
            assert_eq!(answer.score.0.signum(), expected, "{claims:?}: {answer:?}");
        }
    }
}

#[test]
fn helpers_share_the_tables_and_their_hits_are_counted() {
    // The answers by the end of the second iteration. The main worker waits after the first
    // iteration, the helpers do not.
    let hits = |threads, wait| {
        let mut searcher = Searcher::new(1).unwrap();
        searcher.set_threads(threads).unwrap();
        searcher.set_tablebase(Some(Box::new(tables())));
        let root = from_fen("8/5k2/8/8/4r3/8/P7/K6R w - - 0 1");
        let mut hits = Vec::new();
        let request = SearchRequest::new(root, Limits::depth(2));
        let mut report = |progress: Progress| {
            hits.extend(progress.line().map(|report| report.tablebase_hits));
            thread::sleep(wait);
        };
        searcher.search(&request, &mut report).unwrap();
        hits[1]
    };
    let alone = hits(1, Duration::ZERO);
    // It is random when a helper gets a processor, so it has several attempts.
    let wait = Duration::from_millis(50);
    let together: Vec<_> = (0..20)
        .map(|_| hits(3, wait))
        .take_while(|&hits| hits < 10 * alone.max(1))
        .collect();
    assert!(together.len() < 20, "{alone} alone, {together:?} together");
}

/// The move of a short search with these tables.
fn best_move_with(tables: Tablebase, position: &Position) -> Move {
    let mut searcher = Searcher::new(1).unwrap();
    searcher.set_tablebase(Some(Box::new(tables)));
    let request = SearchRequest::new(GamePosition::from(*position), Limits::depth(1));
    let answer = searcher.search(&request, &mut |_| {}).unwrap();
    answer.best.expect("a legal move")
}

fn open(folder: &Folder) -> Result<Tablebase, TablebaseError> {
    Tablebase::open(folder.path("").to_str().unwrap())
}

#[test]
fn broken_tables_are_refused_or_yield_no_result() {
    let folder = Folder::new("broken");
    assert!(matches!(open(&folder), Err(TablebaseError::Empty(..))));
    assert!(matches!(
        Tablebase::open("/no/such/folder"),
        Err(TablebaseError::Empty(_, problems)) if problems.len() == 1
    ));
    folder.write("notes.txt", b"no table");
    folder.write("notes.rtbw", b"no table either");
    assert!(matches!(open(&folder), Err(TablebaseError::Empty(..))));

    let good = fs::read(Path::new(FOLDER).join("KRvK.rtbw")).unwrap();
    for bytes in [&good[..good.len() - 1], &[], &[0; 208]] {
        folder.write("KRvK.rtbw", bytes);
        match open(&folder) {
            Err(TablebaseError::Empty(_, problems)) => {
                assert!(matches!(problems[..], [TablebaseError::Table(..)]));
            }
            other => panic!("{other:?}"),
        }
    }
    // Truncated while open: the damage shows when the table is first probed.
    folder.write("KRvK.rtbw", &good);
    let cut = open(&folder).unwrap();
    folder.write("KRvK.rtbw", &good[..16]);
    let position = Position::from_fen("8/8/8/4k3/8/8/8/K6R w - - 0 1").unwrap();
    assert_eq!(cut.wdl(&position), None);

    // Without DTZ tables, WDL chooses the move at the root: here one that keeps the rook.
    folder.write("KRvK.rtbw", &good);
    assert_eq!(open(&folder).unwrap().wdl(&position), Some(Wdl::Win));
    assert_eq!(open(&folder).unwrap().dtz(&position), None);
    let attacked = Position::from_fen("8/8/8/8/8/2k5/3R4/K7 w - - 0 1").unwrap();
    let best = best_move_with(open(&folder).unwrap(), &attacked);
    let next = attacked.play(best).unwrap();
    assert_eq!(open(&folder).unwrap().wdl(&next), Some(Wdl::Loss), "{best}");
}

#[test]
fn a_bad_path_is_reported_and_the_old_tables_stay() {
    let mut engine = Engine::new().unwrap();
    let won = Position::from_fen("8/8/8/4k3/8/8/8/K6R w - - 0 1").unwrap();
    let game = Game::new(won, CastlingMode::Standard);
    let score = |engine: &mut Engine| answer_of(engine, &game, Limits::depth(1)).score;
    engine.set_option("SyzygyPath", FOLDER).unwrap();
    assert_eq!(score(&mut engine), Score::TABLEBASE_WIN);
    match engine.set_option("SyzygyPath", "/no/such/folder") {
        Err(OptionError::Refused(reason)) => {
            let words = "found no tablebases: the folder /no/such/folder cannot be read: ";
            assert!(reason.starts_with(words), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(score(&mut engine), Score::TABLEBASE_WIN);
    engine.set_option("SyzygyPath", "<empty>").unwrap();
    assert!(score(&mut engine) < Score::TABLEBASE_WIN);
}

#[test]
fn empty_folder_names_are_skipped_and_many_folders_are_refused() {
    let parts = |parts: &[&str]| parts.join(SEPARATOR);
    for folders in [
        parts(&["", FOLDER]),
        parts(&[FOLDER, ""]),
        parts(&["", "", FOLDER, ""]),
    ] {
        let tables = Tablebase::open(&folders).unwrap();
        assert_eq!(tables.max_pieces(), 3, "{folders}");
    }
    assert!(matches!(
        Tablebase::open(SEPARATOR),
        Err(TablebaseError::Empty(..))
    ));
    let many = vec![FOLDER; 100_000].join(SEPARATOR);
    let error = Tablebase::open(&many).unwrap_err();
    assert_eq!(
        error.to_string(),
        "100000 folders of tablebases are too many: at most 100"
    );
}

/// One bad folder or table does not take the good ones away.
#[test]
fn good_tables_are_used_and_bad_ones_are_reported() {
    let bad = Folder::new("bad_tables");
    let good = |name: &str| fs::read(Path::new(FOLDER).join(name)).unwrap();
    let table = good("KRvK.rtbw");
    bad.write("KRvK.rtbw", &table[..100]);
    bad.write("KQvK.rtbw", b"");
    bad.write("KBvK.rtbz", vec![7; table.len()]);
    bad.write("KNvK.rtbw", good("KNvK.rtbw"));
    fs::create_dir(bad.path("KPvK.rtbw")).unwrap();
    bad.write("notes.rtbw", b"no table");
    let file = bad.write("file", b"");
    let [bad, file] = [bad.path(""), file].map(|path| path.display().to_string());
    let folder = FOLDER;
    for (folders, tables, problems) in [
        (folder.to_owned(), "5 WDL and 5 DTZ", 0),
        (format!("/no/such{SEPARATOR}{folder}"), "5 WDL and 5 DTZ", 1),
        (format!("{folder}{SEPARATOR}/no/such"), "5 WDL and 5 DTZ", 1),
        (
            format!(" {folder} {SEPARATOR} /no/such "),
            "5 WDL and 5 DTZ",
            1,
        ),
        (format!("{folder}{SEPARATOR}{folder}"), "5 WDL and 5 DTZ", 0),
        (format!("{file}{SEPARATOR}{folder}"), "5 WDL and 5 DTZ", 1),
        // Four tables are bad; the fifth is good.
        (bad.clone(), "1 WDL and 0 DTZ", 4),
        (format!("{bad}{SEPARATOR}{folder}"), "5 WDL and 5 DTZ", 4),
        (format!("{folder}{SEPARATOR}{bad}"), "5 WDL and 5 DTZ", 0),
    ] {
        let opened = Tablebase::open(&folders).unwrap();
        let expected = format!("{tables} tables of up to 3 pieces");
        assert_eq!(opened.to_string(), expected, "{folders}");
        assert_eq!(
            opened.problems().len(),
            problems,
            "{folders}: {:?}",
            opened.problems()
        );
        let rook = Position::from_fen("8/8/8/4k3/8/8/8/K6R w - - 0 1").unwrap();
        let has_rook = opened.wdl(&rook) == Some(Wdl::Win);
        assert_eq!(has_rook, folders.contains(folder), "{folders}");
    }
    let mut engine = Engine::new().unwrap();
    let set = engine.set_option("SyzygyPath", &format!("/no/such{SEPARATOR}{folder}"));
    let texts: Vec<_> = set.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(texts[0], "found 5 WDL and 5 DTZ tables of up to 3 pieces");
    assert!(
        texts[1].starts_with("the folder /no/such cannot be read: "),
        "{texts:?}"
    );
}

/// A table under another one's name would answer for pieces that it does not know.
#[test]
fn a_table_under_the_name_of_another_is_refused() {
    let good = |name: &str| fs::read(Path::new(FOLDER).join(name)).unwrap();
    for (name, other, is_same) in [
        ("KRvK.rtbw", "KQvK.rtbw", false),
        ("KRvK.rtbz", "KQvK.rtbz", false),
        ("KPvK.rtbw", "KQvK.rtbw", false),
        ("KQvK.rtbw", "KPvK.rtbw", false),
        ("KRvKR.rtbw", "KRvK.rtbw", false),
        ("KPvKP.rtbw", "KPvK.rtbw", false),
        ("KvKR.rtbw", "KRvK.rtbw", true),
        ("KNvK.rtbz", "KNvK.rtbz", true),
    ] {
        let folder = Folder::new("misnamed");
        folder.write(name, good(other));
        match open(&folder) {
            Ok(_) => assert!(is_same, "{name}"),
            Err(error) => {
                assert!(!is_same, "{error}");
                let reason = "is unusable: it is the tablebase of other pieces";
                assert!(error.to_string().contains(reason), "{error}");
            }
        }
    }
}

/// A table that was cut where its size is still possible has results in the part that is left.
#[test]
fn a_table_cut_anywhere_gives_no_wrong_result_and_ends_no_search() {
    let folder = Folder::new("cut_anywhere");
    let names = ["KRvK.rtbw", "KRvK.rtbz"];
    let tables = names.map(|name| fs::read(Path::new(FOLDER).join(name)).unwrap());
    let position = Position::from_fen("8/8/8/4k3/8/8/8/K6R w - - 0 1").unwrap();
    let [_, rook, _] = solved();
    let mut searched = 0;
    let mut is_found_in_part = false;
    for (cut, table) in tables.iter().enumerate() {
        folder.write(names[1 - cut], &tables[1 - cut]);
        for length in (16..table.len()).step_by(16) {
            folder.write(names[cut], &table[..length]);
            let Ok(opened) = open(&folder) else { continue };
            let (mut found, mut missing) = (0, 0);
            for (position, value) in rook.positions().step_by(997) {
                opened.dtz(&position);
                match opened.wdl(&position) {
                    None => missing += 1,
                    Some(wdl) => {
                        assert_eq!(wdl, wdl_of(value), "{position}: {length} bytes");
                        found += 1;
                    }
                }
            }
            is_found_in_part |= found > 0 && missing > 0;
            let best = best_move_with(opened, &position);
            assert!(position.is_legal(best), "{} of {length} bytes", names[cut]);
            searched += 1;
        }
    }
    assert!(searched > 0 && is_found_in_part);
}
