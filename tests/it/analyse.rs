//! `tabiya analyse`: what it writes, and that existing annotations stay.

use crate::process;
use crate::temporary::Folder;
use clap::Parser;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya::game::pgn::{Note, PgnGame, Reader};
use tabiya::tools::analyse::{self, Settings};

/// A game in which White loses the queen at move 4 and is mated; a short game; a game from a
/// checkmate.
const GAMES: &str = "\
[Event \"a\"]
[White \"A & <B>\"]
[Result \"0-1\"]

{Begin} 1. e4 e5 2. Qh5 $2 Nc6 {[%clk 0:01:00] [%eval 9.9]} (2... g6) 3. Bc4 Nf6 4. Qxe5+ Nxe5 0-1

[Event \"b\"]
[Result \"*\"]

1. d4 *

[Event \"c\"]
[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"]
[SetUp \"1\"]
[Result \"1-0\"]

1. Ra8# 1-0
";

fn run(folder: &Folder, words: &str) -> std::io::Result<()> {
    let file = folder.path("games.pgn");
    let words = format!("{} --hash 1 --nodes 3000 {words}", file.display())
        .replace("DIR", &folder.path("").display().to_string());
    let settings =
        Settings::try_parse_from(["analyse"].into_iter().chain(words.split_whitespace())).unwrap();
    analyse::run(&settings, &AtomicBool::new(false))
}

fn read(text: &str) -> Vec<PgnGame> {
    let read = Reader::new(text.as_bytes()).map(Result::unwrap);
    read.map(|read| {
        assert_eq!(read.errors, []);
        read.game
    })
    .collect()
}

#[test]
fn games_get_evaluations_marks_and_better_lines() {
    let folder = Folder::new("analyse");
    folder.write("games.pgn", GAMES);
    run(&folder, "--plot DIR/plot.svg").unwrap();
    let written = fs::read_to_string(folder.path("games-analysed.pgn")).unwrap();
    let games = read(&written);
    // Some programs do not find an evaluation that is split over two lines.
    assert!(!written.contains("[%eval\n"), "{written}");
    let before = read(GAMES);
    assert_eq!(games.len(), 3);
    for (game, before) in games.iter().zip(&before) {
        assert_eq!(
            game.history().moves().collect::<Vec<_>>(),
            before.history().moves().collect::<Vec<_>>()
        );
        assert_eq!(
            (game.result(), game.tag("Event")),
            (before.result(), before.tag("Event"))
        );
        assert!(game.tag("Annotator").unwrap().starts_with("Tabiya "));
    }
    let notes = |plies| games[0].notes(plies).to_vec();
    let evals = |plies: usize| {
        let comments = notes(plies).into_iter().filter_map(|note| match note {
            Note::Comment(text) => Some(text),
            _ => None,
        });
        let evals = comments.filter_map(|text| {
            let (eval, _) = text.strip_prefix("[%eval ")?.split_once(']')?;
            Some(eval.to_owned())
        });
        evals.collect::<Vec<_>>()
    };
    for plies in 1..=8 {
        let [eval] = &evals(plies)[..] else {
            panic!("{plies}: {:?}", notes(plies));
        };
        assert!(
            eval.parse::<f64>().is_ok() || eval.starts_with('#'),
            "{eval}"
        );
    }
    assert!(evals(8)[0].parse::<f64>().unwrap() < -4.0, "{written}");
    // Existing comments stay, without their evaluations.
    assert_eq!(notes(0), [Note::Comment("Begin".to_owned())]);
    let clock =
        |note: &Note| matches!(note, Note::Comment(text) if text.ends_with("] [%clk 0:01:00]"));
    assert!(notes(4).iter().any(clock), "{:?}", notes(4));
    assert!(notes(4).contains(&Note::Variation("2... g6".to_owned())));
    assert_eq!(
        notes(3)
            .iter()
            .filter(|note| matches!(note, Note::Glyph(_)))
            .count(),
        1
    );
    // The move that loses the queen gets the worst mark and a better line.
    assert!(notes(7).contains(&Note::Glyph(4)), "{:?}", notes(7));
    assert!(
        notes(7)
            .iter()
            .any(|note| matches!(note, Note::Variation(text) if text.starts_with("4. Q"))),
        "{:?}",
        notes(7)
    );
    // The final position has no evaluation, and the mating move has no mark.
    assert_eq!(games[2].notes(1), []);
    for name in ["plot-1.svg", "plot-2.svg", "plot-3.svg"] {
        let svg = fs::read_to_string(folder.path(name)).unwrap();
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"),
            "{svg}"
        );
    }
    let svg = fs::read_to_string(folder.path("plot-1.svg")).unwrap();
    assert!(
        svg.contains("A &amp; &lt;B&gt; – ?, 0-1") && svg.contains("4. Qxe5+??"),
        "{svg}"
    );
}

/// The mark is kept, and the line is added once.
#[test]
fn a_mistake_that_has_a_mark_gets_a_better_line() {
    let folder = Folder::new("analyse-marked");
    let mistake = |text: &str| read(text)[0].notes(7).to_vec();
    let variations = |notes: &[Note]| {
        let is_variation = |note: &&Note| matches!(note, Note::Variation(_));
        notes.iter().filter(is_variation).count()
    };
    let mut text = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxe5+ $2 Nxe5 0-1\n".to_owned();
    for _ in 0..2 {
        folder.write("games.pgn", &text);
        run(&folder, "").unwrap();
        let written = folder.path("games-analysed.pgn");
        text = fs::read_to_string(&written).unwrap();
        fs::remove_file(written).unwrap();
        let notes = mistake(&text);
        assert_eq!(notes.first(), Some(&Note::Glyph(2)), "{text}");
        assert_eq!(variations(&notes), 1, "{text}");
    }
}

#[test]
fn resume_continues_and_nothing_is_overwritten() {
    let folder = Folder::new("analyse_resume");
    folder.write("games.pgn", GAMES);
    run(&folder, "--out DIR/whole.pgn").unwrap();
    let whole = fs::read_to_string(folder.path("whole.pgn")).unwrap();
    let error = run(&folder, "--out DIR/whole.pgn").unwrap_err().to_string();
    assert!(
        error.contains("whole.pgn exists: use --resume to continue after its games"),
        "{error}"
    );
    // Cut off after the first game.
    let (first, _) = whole.split_once("\n[Event \"b\"]").unwrap();
    folder.write("part.pgn", first);
    run(&folder, "--out DIR/part.pgn --resume").unwrap();
    let text = fs::read_to_string(folder.path("part.pgn")).unwrap();
    assert_eq!(text, whole);
    run(&folder, "--out DIR/part.pgn --resume").unwrap();
    assert_eq!(fs::read_to_string(folder.path("part.pgn")).unwrap(), whole);
    folder.write("games.pgn", "no game");
    assert!(
        run(&folder, "--out DIR/x.pgn")
            .unwrap_err()
            .to_string()
            .ends_with(": no games")
    );
}

fn settings(folder: &Folder, words: &str) -> Settings {
    let words = words.replace("DIR", &folder.path("").display().to_string());
    let words = ["analyse", "--hash", "1", "--nodes", "3000"]
        .into_iter()
        .chain(words.split_whitespace());
    Settings::try_parse_from(words).unwrap()
}

/// Cut off at any move, a run leaves files that `--resume` continues.
#[test]
fn a_run_that_is_cut_off_in_its_first_game_is_resumed_at_the_next_move() {
    let folder = Folder::new("analyse_cut");
    folder.write("games.pgn", GAMES);
    // Interrupted at once.
    let started = settings(&folder, "DIR/games.pgn --out DIR/out.pgn");
    analyse::run(&started, &AtomicBool::new(true)).unwrap();
    assert!(!folder.path("out.pgn").exists());
    // Interrupted after three positions or more.
    let interrupted = AtomicBool::new(false);
    let progress = folder.path("out.pgn.progress");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let is_long = |text: String| text.matches("\"score\"").count() >= 3;
            while !fs::read_to_string(&progress).is_ok_and(is_long) {
                std::thread::yield_now();
            }
            interrupted.store(true, Ordering::Relaxed);
        });
        analyse::run(&started, &interrupted).unwrap();
    });
    let mut kept: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&progress).unwrap()).unwrap();
    let count = kept["positions"].as_array().unwrap().len();
    assert!((3..=9).contains(&count), "{kept}");
    // A plain run does not overwrite them.
    let error = analyse::run(&started, &AtomicBool::new(false)).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("use --resume to continue after its games"),
        "{error}"
    );
    // A position that is kept is not searched again.
    kept["positions"][0]["expected"] = 1.0.into();
    kept["positions"][0]["line"] = vec!["a2a3"].into();
    fs::write(&progress, kept.to_string()).unwrap();
    let resumed = settings(&folder, "DIR/games.pgn --out DIR/out.pgn --resume");
    analyse::run(&resumed, &AtomicBool::new(false)).unwrap();
    assert!(!progress.exists());
    let games = read(&fs::read_to_string(folder.path("out.pgn")).unwrap());
    assert_eq!(games.len(), 3);
    assert!((1..=8).all(|plies| games[0].notes(plies).iter().any(is_eval)));
    let better = Note::Variation("1. a3".to_owned());
    assert!(
        games[0].notes(1).contains(&better),
        "{:?}",
        games[0].notes(1)
    );
}

fn is_eval(note: &Note) -> bool {
    matches!(note, Note::Comment(text) if text.starts_with("[%eval"))
}

/// A full disk stops the run with one sentence, and the finished games stay.
#[test]
fn a_failed_write_keeps_the_finished_games() {
    let folder = Folder::new("analyse_full");
    folder.write("games.pgn", GAMES);
    run(&folder, "--out DIR/whole.pgn").unwrap();
    let whole = fs::read_to_string(folder.path("whole.pgn")).unwrap();
    let (first, _) = whole.split_once("\n[Event \"b\"]").unwrap();
    folder.write("part.pgn", first);
    // The name of the temporary file is taken by a folder.
    let taken = folder.path("part.unfinished");
    fs::create_dir(&taken).unwrap();
    let error = run(&folder, "--out DIR/part.pgn --resume").unwrap_err();
    assert!(error.to_string().contains("part.pgn: "), "{error}");
    assert_eq!(fs::read_to_string(folder.path("part.pgn")).unwrap(), first);
    fs::remove_dir(&taken).unwrap();
    run(&folder, "--out DIR/part.pgn --resume").unwrap();
    assert_eq!(fs::read_to_string(folder.path("part.pgn")).unwrap(), whole);
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(["analyse", "--hash", "1", "--nodes", "500", "-"]);
    let output = process::run(&mut command, GAMES);
    let games = read(str::from_utf8(&output.stdout).unwrap());
    assert_eq!(games.len(), 3);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(
        messages.contains("game 1 of 3, White (A & <B>): accuracy ")
            && messages.ends_with("the games are in standard output\n"),
        "{messages}"
    );
}

#[test]
fn each_player_gets_accuracy_average_loss_and_counts() {
    let folder = Folder::new("analyse_summary");
    folder.write("games.pgn", GAMES);
    run(&folder, "").unwrap();
    let mut text = fs::read_to_string(folder.path("games-analysed.pgn")).unwrap();
    // A second analysis replaces the first.
    folder.write("games.pgn", &text);
    run(&folder, "--out DIR/again.pgn").unwrap();
    text = fs::read_to_string(folder.path("again.pgn")).unwrap();
    let games = read(&text);
    let summary = |game: usize, player: &str| {
        let tag = games[game].tag(&format!("{player}Analysis"));
        tag.unwrap().into_owned()
    };
    let percent = |summary: &str| {
        let (_, rest) = summary.split_once("accuracy ").unwrap();
        rest.split_once(" %").unwrap().0.parse::<u32>().unwrap()
    };
    let (white, black) = (summary(0, "White"), summary(0, "Black"));
    assert!(
        white.ends_with(", 1 blunder") && black.ends_with(", 1 blunder"),
        "{white}; {black}"
    );
    assert!(
        percent(&white) < 90 && percent(&white) < percent(&black),
        "{white}; {black}"
    );
    assert!(percent(&black) <= 100, "{black}");
    assert_eq!(summary(1, "Black"), "no moves");
    assert_eq!(
        summary(2, "White"),
        "accuracy 100 %, average loss 0 centipawns, 0 inaccuracies, 0 mistakes, 0 blunders"
    );
}

/// A mark and the same glyph are one mark.
#[test]
fn a_mark_is_not_doubled() {
    let folder = Folder::new("analyse_doubled");
    folder.write(
        "games.pgn",
        "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxe5+?? $4 Nxe5 0-1\n",
    );
    run(&folder, "").unwrap();
    let text = fs::read_to_string(folder.path("games-analysed.pgn")).unwrap();
    let is_mark = |note: &&Note| **note == Note::Glyph(4);
    assert_eq!(
        read(&text)[0].notes(7).iter().filter(is_mark).count(),
        1,
        "{text}"
    );
}

#[test]
fn moves_after_an_unreadable_one_are_kept_as_a_comment() {
    let folder = Folder::new("analyse_rest");
    folder.write(
        "games.pgn",
        "[Event \"a\"]\n\n1. e4 e5 2. Ke4 {oh} Nc6 (2... d6) 3. Bb5 1-0\n\n[Event \"b\"]\n\n1. d4 *\n",
    );
    run(&folder, "").unwrap();
    let text = fs::read_to_string(folder.path("games-analysed.pgn")).unwrap();
    let games = read(&text);
    assert_eq!(games.len(), 2);
    let rest = "2. Ke4 (oh) Nc6 (2... d6) 3. Bb5";
    let is_rest = |note: &Note| matches!(note, Note::Comment(text) if text.ends_with(rest));
    assert!(games[0].notes(2).iter().any(is_rest), "{text}");
    assert_eq!(games[0].result(), tabiya::game::GameResult::WhiteWins);
}
