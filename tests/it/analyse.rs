//! `tabiya analyse`: what it writes, and that existing annotations stay.

use crate::process;
#[cfg(unix)]
use crate::session::wait_for;
use crate::temporary::Folder;
use clap::Parser;
use std::fs;
use std::io::ErrorKind;
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya::game::pgn::{Note, PgnGame, Reader};
use tabiya::tools::analyse::{self, Settings};

/// A game in which White loses the queen at move 4; a short game; a game of one move, which mates.
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
    let nodes = if words.contains("--nodes") {
        ""
    } else {
        "--nodes 3000"
    };
    let words = format!("DIR/games.pgn {nodes} {words}");
    analyse::run(&parse(folder, &words), &AtomicBool::new(false))
}

/// The settings of these words, where `DIR` stands for the folder.
fn parse(folder: &Folder, words: &str) -> Settings {
    let path = folder.path("").display().to_string();
    let words = words.split_whitespace();
    // The path may have blanks.
    let words = words.map(|word| word.replace("DIR", &path));
    let start = ["analyse", "--hash", "1"].map(str::to_owned);
    Settings::try_parse_from(start.into_iter().chain(words)).unwrap()
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

/// In the first game White begins with move 1, in the second Black with move 4, whose move 5 is
/// the second of four half-moves.
#[test]
fn both_axes_of_a_graph_are_labelled() {
    let folder = Folder::new("analyse-axes");
    let black_first = "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 4\"]\n\n\
        4... e5 5. Nf3 Nc6 6. Bb5 *\n";
    folder.write("games.pgn", format!("{GAMES}\n{black_first}"));
    run(&folder, "--nodes 1 --plot DIR/plot.svg").unwrap();
    for (name, five) in [("plot-1.svg", "900.0"), ("plot-4.svg", "270.0")] {
        let svg = fs::read_to_string(folder.path(name)).unwrap();
        let labels: Vec<_> = svg
            .lines()
            .filter(|line| line.starts_with("<text ") && line.contains("#444444"))
            .map(|line| {
                let (start, text) = line.split_once('>').unwrap();
                let (_, x) = start.split_once("x=\"").unwrap();
                let (text, _) = text.split_once('<').unwrap();
                (x.split_once('"').unwrap().0, text)
            })
            .collect();
        assert_eq!(
            labels,
            [
                ("54.0", "100 %"),
                ("54.0", "75 %"),
                ("54.0", "50 %"),
                ("54.0", "25 %"),
                ("54.0", "0 %"),
                ("480", "Move"),
                ("14", "White’s expected score"),
                (five, "5"),
            ],
            "{name}"
        );
    }
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
    parse(folder, &format!("--nodes 3000 {words}"))
}

/// Cut off at any move, a run leaves files that `--resume` continues.
#[test]
fn a_run_that_is_cut_off_in_its_first_game_is_resumed_at_the_next_move() {
    let folder = Folder::new("analyse_cut");
    folder.write("games.pgn", GAMES);
    // Interrupted at once.
    let started = settings(&folder, "DIR/games.pgn --out DIR/out.pgn");
    let is_interrupted = |ran: std::io::Result<()>| {
        let error = ran.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted, "{error}");
        assert!(error.to_string().contains("--resume"), "{error}");
    };
    is_interrupted(analyse::run(&started, &AtomicBool::new(true)));
    assert!(!folder.path("out.pgn").exists());
    // Interrupted after a position or more.
    let interrupted = AtomicBool::new(false);
    let progress = folder.path("out.pgn.progress");
    let mut slow = started.clone();
    slow.nodes = 100_000;
    std::thread::scope(|scope| {
        let run = scope.spawn(|| analyse::run(&slow, &interrupted));
        while !progress.exists() && !run.is_finished() {
            std::thread::yield_now();
        }
        interrupted.store(true, Ordering::Relaxed);
        is_interrupted(run.join().unwrap());
    });
    let mut kept: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&progress).unwrap()).unwrap();
    let count = kept["positions"].as_array().unwrap().len();
    assert!((1..=9).contains(&count), "{kept}");
    // A plain run does not overwrite them.
    let error = analyse::run(&started, &AtomicBool::new(false)).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("use --resume to continue after its games"),
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
    let is_kept =
        |note: &Note| matches!(note, Note::Variation(text) if text.starts_with("1. a3 {Tabiya "));
    assert!(
        games[0].notes(1).iter().any(is_kept),
        "{:?}",
        games[0].notes(1)
    );
}

/// A run with `--force` alone is a new one: other settings, and no word of the old output.
#[test]
fn force_without_resume_starts_anew() {
    let folder = Folder::new("analyse_force");
    folder.write("games.pgn", GAMES);
    let text_of = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    run(&folder, "--nodes 300 --out DIR/new.pgn").unwrap();
    let new = text_of("new.pgn");
    run(&folder, "--nodes 1 --out DIR/out.pgn").unwrap();
    let old = text_of("out.pgn");
    assert_ne!(old, new);
    fs::write(folder.path("out.pgn.progress"), "{}").unwrap();
    run(&folder, "--nodes 300 --out DIR/out.pgn --force").unwrap();
    assert_eq!(text_of("out.pgn"), new);
    // The same where the output has the games of another input.
    fs::write(
        folder.path("out.pgn"),
        "[Event \"other\"]\n\n1. a4 *\n".repeat(99),
    )
    .unwrap();
    run(&folder, "--nodes 300 --out DIR/out.pgn --force").unwrap();
    assert_eq!(text_of("out.pgn"), new);
    // Interrupted, it leaves nothing of the old run that --resume would take for its own.
    fs::write(folder.path("out.pgn"), &old).unwrap();
    let mut forced = settings(&folder, "DIR/games.pgn --out DIR/out.pgn --force");
    forced.nodes = 300;
    let stopped = analyse::run(&forced, &AtomicBool::new(true)).unwrap_err();
    assert_eq!(stopped.kind(), ErrorKind::Interrupted, "{stopped}");
    run(&folder, "--nodes 300 --out DIR/out.pgn --resume").unwrap();
    assert_eq!(text_of("out.pgn"), new);
    // Where there is nothing to analyse, the old output stays.
    folder.write("games.pgn", "");
    run(&folder, "--out DIR/out.pgn --force").unwrap_err();
    assert_eq!(text_of("out.pgn"), new);
}

fn is_eval(note: &Note) -> bool {
    matches!(note, Note::Comment(text) if text.starts_with("[%eval"))
}

/// A full disk stops the run with one sentence, and the finished games stay.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_whole_games_and_does_not_block_the_next_run() {
    let folder = Folder::new("analyse_full");
    folder.write("games.pgn", GAMES);
    run(&folder, "--out DIR/whole.pgn").unwrap();
    let whole = fs::read_to_string(folder.path("whole.pgn")).unwrap();
    // No file may have more than two blocks of 512 bytes: room for two games.
    let mut command = process::limited("-f 2");
    command
        .args(["analyse", "--hash", "1", "--nodes", "3000", "--out"])
        .args([folder.path("part.pgn"), folder.path("games.pgn")]);
    let output = process::run(&mut command, "");
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{messages}");
    assert!(messages.contains("part.pgn"), "{messages}");
    let part = fs::read_to_string(folder.path("part.pgn")).unwrap();
    let rest = whole.strip_prefix(&part).unwrap();
    assert!(rest.starts_with("\n[Event \"c\"]"), "{part}");
    assert!(
        !folder
            .names()
            .iter()
            .any(|name| name.starts_with(".tabiya"))
    );
    // A game that is continued is searched with another transposition table.
    let _ = fs::remove_file(folder.path("part.pgn.progress"));
    run(&folder, "--out DIR/part.pgn --resume").unwrap();
    assert_eq!(fs::read_to_string(folder.path("part.pgn")).unwrap(), whole);
}

/// Cut off at any byte, as by a crash, the output is completed to the same bytes.
#[test]
fn an_output_that_is_cut_off_anywhere_is_completed_exactly() {
    let folder = Folder::new("analyse_bytes");
    folder.write("games.pgn", GAMES);
    run(&folder, "--nodes 5 --out DIR/whole.pgn").unwrap();
    let whole = fs::read(folder.path("whole.pgn")).unwrap();
    let games: Vec<_> = whole
        .windows(3)
        .enumerate()
        .filter(|(_, text)| text == b"\n\n[")
        .collect();
    let edges = games.iter().flat_map(|&(at, _)| at - 5..at + 8);
    for length in (0..whole.len())
        .step_by(41)
        .chain(edges)
        .chain([whole.len() - 1])
    {
        folder.write("part.pgn", &whole[..length]);
        let ran = run(&folder, "--nodes 5 --out DIR/part.pgn --resume");
        let cut = String::from_utf8_lossy(&whole[length.saturating_sub(40)..length]).into_owned();
        assert!(ran.is_ok(), "{length}, after {cut:?}: {ran:?}");
        let part = fs::read(folder.path("part.pgn")).unwrap();
        assert!(
            part == whole,
            "{length}, after {cut:?}: {}",
            String::from_utf8_lossy(&part)
        );
    }
}

/// A value that is cut reads as another one: inside a character, in an escape, in a FEN.
#[test]
fn an_output_that_is_cut_off_in_a_tag_is_completed_exactly() {
    let folder = Folder::new("analyse_tags");
    folder.write(
        "games.pgn",
        "[Event \"a\"]\n[Site \"x \\\"q\\\" \\\\ y\"]\n[White \"Müller\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R \
         w HAha - 3 10\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n1. Kd1 *\n",
    );
    run(&folder, "--nodes 5 --out DIR/whole.pgn").unwrap();
    let whole = fs::read(folder.path("whole.pgn")).unwrap();
    let lines = whole.split_inclusive(|&byte| byte == b'\n');
    let mut start = 0;
    let mut cut = 0;
    for line in lines {
        let names = ["[Site ", "[White ", "[FEN ", "[SetUp ", "[Variant "];
        let is_own = names.iter().any(|name| line.starts_with(name.as_bytes()));
        for length in (start..start + line.len()).filter(|_| is_own) {
            folder.write("part.pgn", &whole[..length]);
            let ran = run(&folder, "--nodes 5 --out DIR/part.pgn --resume");
            let text = String::from_utf8_lossy(&whole[start..length]).into_owned();
            assert!(ran.is_ok(), "{length}, after {text:?}: {ran:?}");
            let part = fs::read(folder.path("part.pgn")).unwrap();
            assert!(part == whole, "{length}, after {text:?}");
            cut += 1;
        }
        start += line.len();
    }
    assert!(cut > 100, "{cut}");
}

/// It was taken for the beginning of a game, and removed.
#[test]
fn a_file_that_is_not_of_an_analysis_is_not_resumed() {
    let folder = Folder::new("analyse_notes");
    folder.write("games.pgn", "1. e4 e5 *\n");
    for text in [
        &b"hello\n"[..],
        b"shopping: milk\n\n1. buy\n",
        b"1. e4",
        b"[Event \"?\"]\n[Site \"M\xFC",
        b"[Event \"?\"]\n[Site \"?\"]\n[Note \"x\"]\n\n1. e4",
    ] {
        let notes = folder.write("notes.txt", text);
        let shown = String::from_utf8_lossy(text);
        let error = run(&folder, "--nodes 5 --out DIR/notes.txt --resume").unwrap_err();
        assert!(
            error.to_string().contains("is not game 1 of the input"),
            "{shown}: {error}"
        );
        assert_eq!(fs::read(&notes).unwrap(), text, "{shown}");
    }
}

#[test]
fn a_run_with_another_input_is_not_resumed() {
    let folder = Folder::new("analyse_other");
    folder.write("games.pgn", GAMES);
    run(&folder, "--nodes 5 --out DIR/out.pgn").unwrap();
    let whole = fs::read_to_string(folder.path("out.pgn")).unwrap();
    let others = [
        // Another game in front, other moves, another tag, another result, fewer games.
        format!("[Event \"new\"]\n\n1. c4 *\n\n{GAMES}"),
        GAMES.replace("1. d4", "1. c4"),
        GAMES.replace("A & <B>", "Someone"),
        GAMES.replace("0-1", "1-0"),
        "[Event \"b\"]\n\n1. d4 *\n".to_owned(),
    ];
    for other in others {
        folder.write("games.pgn", &other);
        let error = run(&folder, "--nodes 5 --out DIR/out.pgn --resume").unwrap_err();
        assert!(error.to_string().contains(" of the input"), "{error}");
        assert_eq!(fs::read_to_string(folder.path("out.pgn")).unwrap(), whole);
    }
    folder.write(
        "games.pgn",
        format!("[Event \"new\"]\n\n1. c4 *\n\n{GAMES}"),
    );
    run(&folder, "--nodes 5 --out DIR/out.pgn --resume --force").unwrap();
    let appended = fs::read_to_string(folder.path("out.pgn")).unwrap();
    assert!(appended.starts_with(&whole) && appended.contains("[Event \"new\"]"));
    assert_eq!(read(&appended).len(), 7);
}

/// Two comments with evaluations are one after it; other text stays.
#[test]
fn all_old_evaluations_are_replaced_and_nothing_else() {
    let folder = Folder::new("analyse_old_evals");
    folder.write(
        "games.pgn",
        "1. e4 {[%eval 7.3]} {a [%eval 7.5] b} e5 {good [%eval 7.9 is what it says} \
         {[%clk 1:00:00] clock} 2. d4 {[%eval 7.6 [%clk 0:30:00]} *\n",
    );
    run(&folder, "--nodes 5 --out DIR/out.pgn").unwrap();
    let text = fs::read_to_string(folder.path("out.pgn")).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!text.contains("7.3") && !text.contains("7.5"), "{text}");
    assert!(
        text.contains(" a b}") && text.contains("good [%eval 7.9 is what it says}"),
        "{text}"
    );
    // A command that is not closed takes none that is with it.
    for clock in ["[%clk 1:00:00] clock", "[%clk 0:30:00]"] {
        assert!(text.contains(clock), "{text}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_analysis() {
    let folder = Folder::new("analyse_refused");
    folder.write("games.pgn", GAMES);
    let mut words = vec![
        "--out DIR/none/x.pgn",
        "--out DIR/x.pgn --plot DIR/none/x.svg",
        "--out DIR/folder/",
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("loop.pgn", folder.path("loop.pgn")).unwrap();
        words.extend(["--out DIR/loop.pgn", "--out DIR/x.pgn --plot DIR/loop.pgn"]);
    }
    let before = folder.names();
    for words in words {
        let error = run(&folder, words).unwrap_err().to_string();
        let named = ["none/x", "loop.pgn", "folder/"]
            .iter()
            .any(|name| error.contains(name));
        assert!(named, "{words}: {error}");
        assert_eq!(folder.names(), before, "{words}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_does_not_exist_yet_may_be_the_output() {
    let folder = Folder::new("analyse_link");
    folder.write("games.pgn", GAMES);
    std::os::unix::fs::symlink("new.pgn", folder.path("link.pgn")).unwrap();
    run(&folder, "--nodes 5 --out DIR/link.pgn").unwrap();
    assert!(folder.path("link.pgn").is_symlink());
    let written = fs::read_to_string(folder.path("new.pgn")).unwrap();
    assert_eq!(read(&written).len(), 3);
}

/// The time grew with the square of the length: a game of 20,000 half-moves took 8 seconds.
#[test]
fn a_long_game_is_analysed_in_linear_time() {
    let folder = Folder::new("analyse_long");
    process::assert_linear("plies", 2_000, |plies| {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(plies / 4);
        folder.write("games.pgn", format!("1. {moves}*\n"));
        run(&folder, "--nodes 1 --force").unwrap();
    });
}

#[test]
fn no_file_is_replaced_by_another() {
    let folder = Folder::new("analyse_victim");
    folder.write("games.pgn", "1. d4 *\n");
    folder.write("victim.pgn", "1. c4 *\n");
    folder.write("old.svg", "<svg />");
    let mut refused = vec![
        "--plot DIR/games.pgn",
        "--plot DIR/./games.pgn",
        "--plot DIR/victim.pgn",
        "--plot DIR/old.svg",
        "--plot DIR/games-analysed.pgn",
        "--out DIR/x --plot DIR/x",
        "--out DIR/x --plot DIR/x.progress",
        "--out DIR/games.pgn",
        "--out DIR/games.pgn --resume",
        "--out DIR/games.pgn --force",
        "--out DIR/victim.pgn",
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("games.pgn"), folder.path("link")).unwrap();
        fs::hard_link(folder.path("games.pgn"), folder.path("hard")).unwrap();
        refused.extend([
            "--plot DIR/link",
            "--out DIR/link --resume",
            "--out DIR/hard --force",
        ]);
    }
    #[cfg(windows)]
    refused.push("--out DIR/GAMES.PGN --force");
    let before = folder.names();
    for words in refused {
        let error = run(&folder, &format!("--nodes 5 {words}")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists, "{words}: {error}");
        assert_eq!(
            fs::read(folder.path("games.pgn")).unwrap(),
            b"1. d4 *\n",
            "{words}"
        );
        assert_eq!(
            fs::read(folder.path("victim.pgn")).unwrap(),
            b"1. c4 *\n",
            "{words}"
        );
        assert_eq!(folder.names(), before, "{words}");
    }
    run(&folder, "--nodes 5 --plot DIR/victim.pgn --force").unwrap();
    assert!(
        fs::read_to_string(folder.path("victim.pgn"))
            .unwrap()
            .starts_with("<svg ")
    );
    // A graph of an interrupted run is made again.
    fs::remove_file(folder.path("games-analysed.pgn")).unwrap();
    run(&folder, "--nodes 5 --plot DIR/victim.pgn --resume").unwrap();
}

/// It was deleted at the end of the run.
#[test]
fn an_input_with_the_name_of_the_game_in_progress_is_kept() {
    let folder = Folder::new("analyse_progress");
    let input = folder.write("z.pgn.progress", "1. d4 *\n");
    for words in ["", "--resume", "--force", "--resume --force"] {
        let words = format!("DIR/z.pgn.progress --out DIR/z.pgn {words}");
        let error = analyse::run(&settings(&folder, &words), &AtomicBool::new(false)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists, "{words}: {error}");
        assert!(
            error.to_string().contains("would replace"),
            "{words}: {error}"
        );
        assert_eq!(fs::read(&input).unwrap(), b"1. d4 *\n", "{words}");
        assert_eq!(folder.names(), ["z.pgn.progress"], "{words}");
    }
}

/// A game that is alone has a graph without a number.
#[test]
fn a_graph_is_refused_for_the_file_that_it_would_replace() {
    let folder = Folder::new("analyse_graphs");
    folder.write("old-1.svg", "<svg />");
    folder.write("games.pgn", "1. d4 *\n");
    run(&folder, "--nodes 1 --out DIR/one.pgn --plot DIR/old.svg").unwrap();
    assert!(folder.path("old.svg").exists());
    folder.write("games.pgn", "1. d4 *\n\n1. c4 *\n");
    let error = run(&folder, "--nodes 1 --plot DIR/old.svg").unwrap_err();
    let expected = "old-1.svg exists: move it away, or replace it by --force";
    assert!(error.to_string().ends_with(expected), "{error}");
    assert!(!folder.path("games-analysed.pgn").exists());
    // Before the second game is searched.
    folder.write("new-2.svg", "<svg />");
    let error = run(&folder, "--nodes 1 --plot DIR/new.svg").unwrap_err();
    let expected = "by --resume --force, which keeps the games that are done";
    assert!(error.to_string().ends_with(expected), "{error}");
    assert!(!folder.path("games-analysed.pgn.progress").exists());
    run(&folder, "--nodes 1 --plot DIR/new.svg --resume --force").unwrap();
}

#[test]
fn a_graph_needs_the_name_of_a_file() {
    let folder = Folder::new("analyse_plot");
    folder.write("games.pgn", "1. d4 *\n");
    let error = run(&folder, "--nodes 5 --plot -").unwrap_err();
    assert_eq!(error.to_string(), "--plot needs the name of a file, not -");
    assert_eq!(folder.names(), ["games.pgn"]);
}

#[test]
fn files_that_are_not_regular_are_refused() {
    let folder = Folder::new("analyse_special");
    for words in [
        #[cfg(unix)]
        "/dev/zero --out DIR/x",
        "DIR --out DIR/x",
    ] {
        let error = analyse::run(&settings(&folder, words), &AtomicBool::new(false)).unwrap_err();
        assert!(
            error.to_string().contains("not a regular file"),
            "{words}: {error}"
        );
    }
}

/// White mates in one and does not, but stays with a queen more.
#[test]
fn a_missed_mate_in_one_is_marked_and_counted() {
    let folder = Folder::new("analyse_mate");
    let game = |moves: &str| {
        format!("[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/5PPP/Q2R2K1 w - - 0 1\"]\n\n{moves} *\n")
    };
    for (moves, mark) in [
        ("1. Rd7 Kf8", true),
        ("1. h3 h6", true),
        ("1. Rd8#", false),
        ("1. Qa8#", false),
    ] {
        folder.write("games.pgn", game(moves));
        run(&folder, "--nodes 20000").unwrap();
        let written = folder.path("games-analysed.pgn");
        let text = fs::read_to_string(&written).unwrap();
        fs::remove_file(written).unwrap();
        let analysed = read(&text).remove(0);
        let has_mark = analysed
            .notes(1)
            .iter()
            .any(|note| matches!(note, Note::Glyph(2 | 4 | 6)));
        assert_eq!(has_mark, mark, "{text}");
        let summary = analysed.tag("WhiteAnalysis").unwrap().into_owned();
        assert_eq!(summary.starts_with("accuracy 100 %"), !mark, "{summary}");
    }
}

/// Analysing an analysed file replaces marks, lines and tags, and keeps those of others.
#[test]
fn a_second_analysis_replaces_the_first() {
    let folder = Folder::new("analyse_again");
    let games = [
        "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxe5+ {my comment} (4. d3 {mine}) Nxe5 0-1\n",
        "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxe5+ $2 Nxe5 0-1\n",
        "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxe5+ {[%clk 1:00]} {a} {b} Nxe5 0-1\n",
    ];
    for game in games {
        let analysed = |text: &str| {
            folder.write("games.pgn", text);
            run(&folder, "").unwrap();
            let written = folder.path("games-analysed.pgn");
            let text = fs::read_to_string(&written).unwrap();
            fs::remove_file(written).unwrap();
            text
        };
        let first = analysed(game);
        assert_eq!(analysed(&first), first);
        assert!(!first.contains("} {"), "{first}");
        // The marks and lines that another version has set.
        let older = first
            .replace("Tabiya 1", "Tabiya 0")
            .replace("accuracy", "Accuracy")
            .replace(" {Tabiya ??})", " d6 {Tabiya ??})");
        assert_ne!(older, first);
        assert_eq!(analysed(&older), first);
        // As other programs write comments.
        let spaced = first.replace("{Tabiya ??}", "{ Tabiya ?? }");
        assert_eq!(analysed(&spaced), first);
    }
    folder.write("games.pgn", "[Annotator \"Fritz\"]\n\n1. e4 *\n");
    run(&folder, "").unwrap();
    let text = fs::read_to_string(folder.path("games-analysed.pgn")).unwrap();
    assert!(text.contains("[Annotator \"Fritz\"]"), "{text}");
}

#[test]
fn analysis_goes_on_after_null_moves_and_leaves_other_variants_alone() {
    let folder = Folder::new("analyse_null");
    let foreign = "[Event \"x\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
                   [Black \"?\"]\n[Result \"1-0\"]\n[Variant \"Atomic\"]\n\n1. Nf3 {a} f6 2. Nd4 1-0\n";
    folder.write(
        "games.pgn",
        format!("1. e4 -- 2. d4 d5 *\n\n{foreign}\n1. d4 *\n"),
    );
    run(&folder, "--nodes 500").unwrap();
    let text = fs::read_to_string(folder.path("games-analysed.pgn")).unwrap();
    assert!(text.contains(foreign), "{text}");
    let games: Vec<_> = Reader::new(text.as_bytes())
        .map(|read| read.unwrap().game)
        .collect();
    assert_eq!(games.len(), 3);
    assert!(
        (1..=4).all(|plies| games[0].notes(plies).iter().any(is_eval)),
        "{text}"
    );
}

/// A sequence in a name would rename the window of a terminal, and is no XML.
#[test]
fn control_characters_reach_neither_the_terminal_nor_the_graph() {
    let folder = Folder::new("analyse_control");
    let text = "[White \"A\u{9b}31m\u{7}\u{202e}B\"]\n\n1. e4 {\u{1b}[2J} \u{1b}]0;x\u{7} *\n\n[Variant \"\u{1b}c\"]\n\n1. e4 *\n";
    let file = folder.write("games.pgn", text);
    let mut command = process::tabiya();
    command.args([
        "analyse", "--hash", "1", "--nodes", "5", "--out", "-", "--plot",
    ]);
    command.arg(folder.path("plot.svg")).arg(file);
    let output = process::run(&mut command, "");
    for bytes in [
        output.stderr,
        output.stdout,
        fs::read(folder.path("plot-1.svg")).unwrap(),
    ] {
        let text = String::from_utf8(bytes).unwrap();
        let bad = |letter: char| letter.is_control() && letter != '\n';
        assert!(!text.contains(bad), "{text:?}");
    }
}

/// Ctrl-C ends the work with the code of shells, also while the input is waited for.
#[cfg(unix)]
#[test]
fn interrupted_work_exits_with_130() {
    use std::io::{Read, Write};
    use std::process::Stdio;
    let folder = Folder::new("analyse_signal");
    let file = folder.write("games.pgn", GAMES);
    let file = file.to_str().unwrap();
    let out = folder.path("out.pgn");
    let games = folder.path("games");
    // What to run, and the file that shows that it works; without one, the output does.
    let kinds: [(&[&str], Option<&str>); 3] = [
        (
            &[
                "analyse",
                "--nodes",
                "2000000",
                "--out",
                out.to_str().unwrap(),
                file,
            ],
            Some("out.pgn.progress"),
        ),
        (&["analyse", "--nodes", "5", "-"], None),
        (
            &[
                "datagen",
                "--games",
                "1000000",
                "--out",
                games.to_str().unwrap(),
            ],
            Some("games-0.vf"),
        ),
    ];
    for (words, sign) in kinds {
        let mut child = process::tabiya()
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // More than a pipe holds would block; the rest of the input does not come.
        let _ = input.write_all(GAMES.as_bytes());
        let mut output = child.stdout.take().unwrap();
        let (sender, bytes) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut first = [0];
            while output.read_exact(&mut first).is_ok() {
                let _ = sender.send(());
            }
        });
        let has_begun = wait_for(|| match sign {
            Some(name) => fs::metadata(folder.path(name))
                .is_ok_and(|file| file.len() > 0)
                .then_some(()),
            None => bytes.try_recv().ok(),
        });
        assert!(has_begun.is_some(), "{words:?}");
        let id = child.id().to_string();
        assert!(
            std::process::Command::new("kill")
                .args(["-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        let output = child.wait_with_output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(130), "{words:?}: {messages}");
        drop(input);
    }
}

#[test]
fn many_games_need_the_memory_of_one() {
    use std::io::Read;
    use std::process::Stdio;
    let mut child = process::tabiya()
        .args(["analyse", "--hash", "1", "--nodes", "1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        text.matches("[Event ").count()
    });
    let game = format!(
        "[Event \"x\"]\n\n{{{}}} 1. e4 e5 *\n\n",
        "long ".repeat(1000)
    );
    process::feed_games(&mut child, iter::repeat(&*game), 2000, 1024);
    assert_eq!(reader.join().unwrap(), 2000);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let mut command = process::tabiya();
    command.args(["analyse", "--hash", "1", "--nodes", "500", "-"]);
    let output = process::run(&mut command, GAMES);
    let games = read(str::from_utf8(&output.stdout).unwrap());
    assert_eq!(games.len(), 3);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(
        messages.contains("game 1, White (A & <B>): accuracy ")
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
