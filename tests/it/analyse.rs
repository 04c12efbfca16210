//! `tabiya analyse`: what it writes, and that existing annotations stay.

use crate::temporary::Folder;
use clap::Parser;
use std::fs;
use std::sync::atomic::AtomicBool;
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
            text.strip_prefix("[%eval ")?
                .strip_suffix(']')
                .map(str::to_owned)
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
    assert!(
        notes(4).contains(&Note::Comment("[%clk 0:01:00]".to_owned())),
        "{:?}",
        notes(4)
    );
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
    // Interrupted at once: no part of a game is written.
    let words = [
        folder.path("games.pgn"),
        "--out".into(),
        folder.path("none.pgn"),
    ];
    let settings = Settings::try_parse_from(
        [std::path::PathBuf::from("analyse")]
            .into_iter()
            .chain(words),
    )
    .unwrap();
    analyse::run(&settings, &AtomicBool::new(true)).unwrap();
    assert_eq!(fs::read_to_string(folder.path("none.pgn")).unwrap(), "");
    folder.write("games.pgn", "no game");
    assert!(
        run(&folder, "--out DIR/x.pgn")
            .unwrap_err()
            .to_string()
            .ends_with(": no games")
    );
}
