//! Self-play games: the same for the same seed, legal to the last move, complete after an
//! interruption.

use crate::temporary::Folder;
use clap::Parser;
use std::ffi::OsString;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tabiya::board::{GamePosition, Position, Setup};
use tabiya::game::GameResult;
use tabiya::search::{Limits, Progress, SearchRequest, Searcher};
use tabiya::tools::datagen::{self, GameFile, Settings};
use tabiya::tools::viriformat::{TrainingGame, read_games};
use tabiya::types::{CastlingMode, Color, Move, MoveKind, PieceKind, Square};
use viriformat::dataformat::Game;

fn settings(folder: &Folder, name: &str) -> Settings {
    let out = folder.path(name).into_os_string();
    let words = [
        "--games",
        "12",
        "--nodes",
        "60",
        "--seed",
        "7",
        "--chess960-percent",
        "30",
        "--endgame-percent",
        "30",
    ];
    let words = ["--out".into(), out]
        .into_iter()
        .chain(words.map(Into::into));
    parse(words).unwrap()
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap()
}

fn games(folder: &Folder, name: &str) -> Vec<Vec<u8>> {
    let bytes = bytes(folder, name);
    let mut rest = bytes.as_slice();
    let mut games = Vec::new();
    while !rest.is_empty() {
        let before = rest;
        Game::deserialise_from(&mut rest, Vec::new()).expect("a whole game");
        games.push(before[..before.len() - rest.len()].to_vec());
    }
    games
}

fn run(settings: &Settings) -> datagen::Totals {
    datagen::run(settings, &AtomicBool::new(false)).unwrap()
}

#[test]
fn the_same_seed_makes_the_same_games_on_any_number_of_threads() {
    let folder = Folder::new("same_seed");
    for name in ["a", "b"] {
        run(&settings(&folder, name));
    }
    assert_eq!(bytes(&folder, "a-0.vf"), bytes(&folder, "b-0.vf"));

    run(&Settings {
        threads: 3,
        ..settings(&folder, "c")
    });
    let mut one = games(&folder, "a-0.vf");
    let mut three: Vec<_> = (0..3)
        .flat_map(|index| games(&folder, &format!("c-{index}.vf")))
        .collect();
    one.sort();
    three.sort();
    assert!(one == three);

    run(&Settings {
        seed: 8,
        ..settings(&folder, "d")
    });
    assert_ne!(bytes(&folder, "a-0.vf"), bytes(&folder, "d-0.vf"));
}

#[test]
fn games_are_legal_and_counted() {
    let folder = Folder::new("legal");
    let totals = run(&settings(&folder, "a"));
    let mut positions = 0;
    for bytes in games(&folder, "a-0.vf") {
        let game = Game::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        let setup: Setup = game.initial_position().to_string().parse().unwrap();
        let mut position = setup.validate(CastlingMode::Chess960).unwrap().position;
        for mv in game.moves() {
            let mv = from_viriformat(mv);
            assert!(position.is_legal(mv), "{mv} in {position}");
            position = position.play(mv).unwrap();
            positions += 1;
        }
    }
    assert_eq!(totals.games, 12);
    assert_eq!(totals.positions, positions);
    assert_eq!(
        totals.white_wins + totals.black_wins + totals.draws + totals.cut,
        totals.games
    );
    let manifest = String::from_utf8(bytes(&folder, "a.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = manifest
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["settings"]["seed"], 7);
    assert_eq!(lines[1]["totals"]["positions"], positions);
}

/// A crash leaves such a game, or a copy that broke off. Games behind it would be out of step.
#[test]
fn a_cut_off_game_is_removed_before_another_is_appended() {
    let folder = Folder::new("append");
    run(&settings(&folder, "a"));
    let whole = bytes(&folder, "a-0.vf");
    let [(begin, game), (end, _)] = [3, 4].map(|index| read_games(&whole).nth(index).unwrap());
    let game = game.unwrap();
    let positions = game.positions().unwrap();
    let game = TrainingGame {
        start: positions[0].position,
        positions,
        result: game.result().unwrap(),
        tree: Vec::new(),
    };
    for cut in [0, 1, 4, 31, 33, 34, 36, end - begin - 1] {
        // Each its own: a process that another test starts has this one's locks for a moment.
        let path = folder.write(&format!("{cut}.vf"), &whole[..begin + cut]);
        GameFile::open(&path).unwrap().append(&game).unwrap();
        assert!(fs::read(&path).unwrap() == whole[..end], "{cut}");
    }
    // No other file is shortened.
    for other in [&b"notes"[..], &whole[1..], &whole[..40]] {
        let path = folder.write("other.vf", other);
        let error = GameFile::open(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("is not a file of training games"),
            "{error}"
        );
        assert!(fs::read(&path).unwrap() == other);
    }
}

/// Games of two matches would be mixed, and one that is cut off would be taken for the end.
#[cfg(not(windows))]
#[test]
fn only_one_process_at_a_time_appends_games() {
    let folder = Folder::new("append_twice");
    let path = folder.path("games.vf");
    let first = GameFile::open(&path).unwrap();
    let error = GameFile::open(&path).unwrap_err().to_string();
    assert!(error.ends_with("is in use by another process"), "{error}");
    drop(first);
}

/// Only the last position of a game may have too few pieces: no move was searched there.
#[test]
fn games_are_cut_off_below_the_minimum_of_pieces() {
    const MIN_PIECES: u32 = 28;
    let folder = Folder::new("cut");
    let totals = run(&Settings {
        min_pieces: MIN_PIECES,
        endgame_percent: 0,
        ..settings(&folder, "a")
    });
    assert!(totals.cut >= 10, "{totals:?}");
    let bytes = bytes(&folder, "a-0.vf");
    let mut cut = 0;
    for (_, game) in read_games(&bytes) {
        let game = game.unwrap();
        let positions = game.positions().unwrap();
        assert!(
            positions
                .iter()
                .all(|scored| scored.pieces() >= MIN_PIECES as usize)
        );
        let last = positions.last().unwrap();
        let after = last.position.play(last.best.unwrap()).unwrap();
        let is_over = after.legal_moves().is_empty();
        let is_cut = game.result() == Ok(GameResult::Unknown);
        let is_below = after.occupied().len() < MIN_PIECES;
        assert_eq!(is_cut, is_below && !is_over, "{}", last.position);
        cut += u64::from(is_cut);
    }
    assert_eq!(cut, totals.cut);
}

/// With these openings only an endgame can begin: with this seed no game of the second thread, and
/// 57 of the first.
#[test]
fn an_error_of_one_thread_ends_the_others() {
    let folder = Folder::new("failed");
    let openings = folder.write("unbalanced.epd", "4k3/8/8/8/8/8/8/QQQQK3 w - -\n");
    let settings = Settings {
        games: 400,
        seed: 10,
        nodes: 2_000,
        threads: 2,
        openings: Some(openings),
        chess960_percent: 0,
        endgame_percent: 97,
        ..settings(&folder, "a")
    };
    let error = datagen::run(&settings, &AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().contains("unbalanced"), "{error}");
    let played = ["a-0.vf", "a-1.vf"].map(|file| games(&folder, file).len());
    assert!(played[0] < 40 && played[1] == 0, "{played:?}");
}

/// An endgame has fewer pieces from the start.
#[test]
fn a_game_that_starts_below_the_minimum_is_played_out() {
    let folder = Folder::new("endgames");
    let totals = run(&Settings {
        min_pieces: 32,
        endgame_percent: 100,
        ..settings(&folder, "a")
    });
    assert_eq!((totals.games, totals.cut), (12, 0));
    assert!(totals.positions > 12);
}

#[test]
fn a_lower_threshold_of_a_win_ends_games_earlier() {
    let folder = Folder::new("threshold");
    let positions = |name, win_score, win_plies| {
        let settings = Settings {
            win_score,
            win_plies,
            ..settings(&folder, name)
        };
        run(&settings).positions
    };
    assert!(positions("a", 300, 1) < positions("b", 2_000, 4));
}

#[test]
fn openings_drawn_by_kind_of_piece_are_other_openings() {
    let folder = Folder::new("by_kind");
    let start_of_first_game = |name, by_kind_percent| {
        run(&Settings {
            by_kind_percent,
            endgame_percent: 0,
            ..settings(&folder, name)
        });
        bytes(&folder, &format!("{name}-0.vf"))[..32].to_vec()
    };
    assert_ne!(start_of_first_game("a", 0), start_of_first_game("b", 100));
}

/// The score of the last iteration.
#[test]
fn stored_scores_are_those_of_the_searches() {
    let folder = Folder::new("scores");
    let settings = Settings {
        games: 3,
        chess960_percent: 0,
        nodes: 200,
        ..settings(&folder, "a")
    };
    let totals = run(&settings);
    let mut searcher = Searcher::new(4).unwrap();
    let mut positions = 0;
    for bytes in games(&folder, "a-0.vf") {
        let record = Game::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        let start = Position::from_fen(&record.initial_position().to_string()).unwrap();
        let mut game = tabiya::game::Game::new(start, CastlingMode::Standard);
        searcher.clear();
        for (mv, stored) in record.into_move_buffer() {
            let root = GamePosition::from(&game);
            let position = root.position;
            // In check the search has a third of the nodes.
            let nodes = if position.in_check() { 66 } else { 200 };
            let limits = Limits {
                soft_nodes: Some(nodes),
                soft_nodes_if_noisy: Some(nodes / 3),
                nodes: Some(8 * nodes),
                ..Limits::default()
            };
            let mut reported = None;
            let request = SearchRequest::new(root, limits);
            let mut report = |progress: Progress| reported = progress.line().or(reported.take());
            searcher.search(&request, &mut report).unwrap();
            let reported = reported.unwrap().score.0;
            let side = position.side_to_move();
            let reported = if side == Color::White {
                reported
            } else {
                -reported
            };
            assert_eq!(i32::from(stored.get()), reported, "{position}");
            positions += 1;
            game.replay(from_viriformat(mv)).unwrap();
        }
    }
    assert_eq!(positions, totals.positions);
}

/// A full search is made in quiet positions only: never in check, as a fast search decides about
/// the rest.
#[test]
fn only_full_searches_store_scores() {
    let folder = Folder::new("full");
    let totals = run(&Settings {
        full_percent: 40,
        fast_nodes: 20,
        ..settings(&folder, "a")
    });
    let (mut scored, mut quiet) = (0, 0);
    for bytes in games(&folder, "a-0.vf") {
        let record = Game::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        let setup: Setup = record.initial_position().to_string().parse().unwrap();
        let mut position = setup.validate(CastlingMode::Chess960).unwrap().position;
        for (mv, score) in record.into_move_buffer() {
            let mv = from_viriformat(mv);
            quiet += u64::from(!position.in_check() && !position.is_noisy(mv));
            scored += u64::from(score.get() != i16::MIN);
            assert!(score.get() == i16::MIN || !position.in_check());
            position = position.play(mv).unwrap();
        }
    }
    assert_eq!(totals.positions, scored);
    let share = scored as f64 / quiet as f64;
    assert!((0.3..0.5).contains(&share), "{share}");
}

fn from_viriformat(mv: viriformat::chess::chessmove::Move) -> Move {
    use viriformat::chess::piece::PieceType;
    let square = |square| Square::from_low_bits(u16::from(square) as usize);
    let kind = match mv.promotion_type() {
        Some(PieceType::Knight) => MoveKind::Promotion(PieceKind::Knight),
        Some(PieceType::Bishop) => MoveKind::Promotion(PieceKind::Bishop),
        Some(PieceType::Rook) => MoveKind::Promotion(PieceKind::Rook),
        Some(_) => MoveKind::Promotion(PieceKind::Queen),
        None if mv.is_ep() => MoveKind::EnPassant,
        None if mv.is_castle() => MoveKind::Castling,
        None => MoveKind::Normal,
    };
    Move::new(square(mv.from()), square(mv.to()), kind)
}

#[test]
fn an_interrupted_run_leaves_whole_games() {
    let folder = Folder::new("interrupted");
    let endless = Settings {
        games: 1_000_000,
        threads: 2,
        ..settings(&folder, "a")
    };
    let interrupted = AtomicBool::new(false);
    let has_games = || {
        let length = |index| {
            fs::metadata(folder.path(&format!("a-{index}.vf"))).map_or(0, |file| file.len())
        };
        length(0) > 0 && length(1) > 0
    };
    let totals = thread::scope(|scope| {
        let run = scope.spawn(|| datagen::run(&endless, &interrupted).unwrap());
        // Most likely in the middle of a game.
        while !run.is_finished() && !has_games() {
            thread::sleep(Duration::from_millis(10));
        }
        interrupted.store(true, Ordering::Relaxed);
        run.join().unwrap()
    });
    let written: Vec<_> = (0..2)
        .flat_map(|index| games(&folder, &format!("a-{index}.vf")))
        .collect();
    assert!(totals.games > 0 && totals.games < endless.games);
    assert_eq!(written.len() as u64, totals.games);
    // A complete run begins with the same games.
    let whole = Settings {
        games: totals.games,
        ..settings(&folder, "b")
    };
    run(&whole);
    let all = games(&folder, "b-0.vf");
    let first = games(&folder, "a-0.vf");
    assert!(
        all.iter()
            .step_by(2)
            .zip(&first)
            .all(|(all, cut)| all == cut)
    );
}

#[test]
fn games_are_never_overwritten() {
    let folder = Folder::new("twice");
    let settings = Settings {
        games: 1,
        ..settings(&folder, "a")
    };
    run(&settings);
    let files = || ["a-0.vf", "a.jsonl"].map(|name| bytes(&folder, name));
    let before = files();
    let again = |threads| {
        let settings = Settings {
            threads,
            ..settings.clone()
        };
        datagen::run(&settings, &AtomicBool::new(false))
            .unwrap_err()
            .to_string()
    };
    let refuses = |threads, name: &str| {
        let error = again(threads);
        let hint = format!("{name} exists: choose another name for --out");
        assert!(error.ends_with(&hint), "{error}");
    };
    refuses(1, "a.jsonl");
    assert!(files() == before);
    // The last file of three exists, so the first two are not created.
    folder.write("a-2.vf", "older games");
    fs::remove_file(folder.path("a-0.vf")).unwrap();
    fs::remove_file(folder.path("a.jsonl")).unwrap();
    refuses(3, "a-2.vf");
    assert_eq!(bytes(&folder, "a-2.vf"), b"older games");
    assert!(
        !["a-0.vf", "a-1.vf", "a.jsonl"]
            .iter()
            .any(|name| folder.path(name).exists())
    );
}

#[test]
fn games_begin_from_the_openings() {
    let folder = Folder::new("openings");
    let opening = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let file = folder.path("openings.epd");
    fs::write(&file, format!("{opening}\n\n")).unwrap();
    let only_openings = Settings {
        openings: Some(file.clone()),
        random_plies: 0,
        chess960_percent: 0,
        endgame_percent: 0,
        games: 1,
        ..settings(&folder, "a")
    };
    run(&only_openings);
    let game = &games(&folder, "a-0.vf")[0];
    let game = Game::deserialise_from(&mut game.as_slice(), Vec::new()).unwrap();
    let start = Position::from_fen(&game.initial_position().to_string()).unwrap();
    assert_eq!(start.key(), Position::from_fen(opening).unwrap().key());

    const BAD_OPENINGS: [(&str, &str); 4] = [
        (
            "\nno position",
            "openings.epd:2: bad FEN: the board needs 8 ranks, not 1",
        ),
        (
            "4k3/qqqq4/nnnnnnnn/nnnn4/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1",
            "openings.epd:1: more than 32 pieces",
        ),
        ("", "openings.epd: the file has no openings"),
        (" \n\n", "openings.epd: the file has no openings"),
    ];
    for (opening, wanted) in BAD_OPENINGS {
        fs::write(&file, opening).unwrap();
        let settings = Settings {
            out: folder.path("b"),
            ..only_openings.clone()
        };
        let error = datagen::run(&settings, &AtomicBool::new(false)).unwrap_err();
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

fn parse(words: impl IntoIterator<Item = impl Into<OsString>>) -> Result<Settings, clap::Error> {
    let words = words.into_iter().map(Into::into);
    Settings::try_parse_from([OsString::from("datagen")].into_iter().chain(words))
}

/// Arguments, and a part of the error message.
const BAD_ARGUMENTS: [(&[&str], &str); 7] = [
    (&["--games", "1"], "not provided:\n  --out <NAME>"),
    (&["--out", "x"], "not provided:\n  --games <N>"),
    (
        &["--out", "x", "--games", "0"],
        "'--games <N>': expected a number from 1 to 1000000000",
    ),
    (
        &["--out", "x", "--games", "many"],
        "'--games <N>': expected a number from 1 to 1000000000",
    ),
    (
        &["--out", "x", "--games", "1", "--endgame-percent", "101"],
        "'--endgame-percent <PERCENT>': expected a number from 0 to 100",
    ),
    (
        &["--out", "x", "--games", "1", "--fast"],
        "unexpected argument '--fast'",
    ),
    (
        &["--out", "x", "--games", "1", "--games", "2"],
        "'--games <N>' cannot be used multiple times",
    ),
];

#[test]
fn bad_arguments_are_named() {
    for (words, sentence) in BAD_ARGUMENTS {
        let error = parse(words).unwrap_err().to_string();
        assert!(error.contains(sentence), "{words:?}: {error}");
    }
}
