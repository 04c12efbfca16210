//! Scores of games, blended with evaluations.

use crate::games::{self, with_name, words};
use crate::temporary::Folder;
use clap::Parser;
use std::{fs, io};
use tabiya::eval::{Network, evaluate};
use tabiya::tools::viriformat::{ScoredPosition, read_games};
use tabiya_train::blend::{self, Counts};

/// A folder with five games in `games-0.vf`, with `lone` positions of the search for each position.
fn folder_with_games(name: &str, lone: u32) -> Folder {
    let options = format!("--games 5 --nodes 40 --min-pieces 20 --tree-positions {lone}");
    games::folder_with_games(name, &options)
}

/// Blends `games-0.vf` into the folder `out`, which is made if it is missing.
fn run(folder: &Folder, out: &str, options: &str) -> io::Result<Counts> {
    run_on(folder, out, options, &["games-0.vf"])
}

fn run_on(folder: &Folder, out: &str, options: &str, files: &[&str]) -> io::Result<Counts> {
    fs::create_dir_all(folder.path(out))?;
    let mut words = words(options);
    words.extend(["--out".into(), folder.path(out).into()]);
    words.extend(files.iter().map(|file| folder.path(file).into()));
    blend::run(&blend::Settings::try_parse_from(with_name(words)).unwrap())
}

/// The positions of all games, and of the lone positions between them.
fn positions(folder: &Folder, file: &str) -> Vec<ScoredPosition> {
    let bytes = fs::read(folder.path(file)).unwrap();
    let games = read_games(&bytes).map(|(_, game)| game.unwrap().positions().unwrap());
    games.flatten().collect()
}

#[test]
fn a_blended_score_lies_between_the_score_and_the_evaluation() {
    let folder = folder_with_games("blend", 2);
    let network = Network::embedded();
    let before = positions(&folder, "games-0.vf");
    for (weight, out) in [(0.0, "none"), (0.5, "half"), (1.0, "all")] {
        let counts = run(&folder, out, &format!("--weight {weight}")).unwrap();
        assert_eq!((counts.games, counts.bad_games), (5, 0));
        let after = positions(&folder, &format!("{out}/games-0.vf"));
        assert_eq!(before.len(), after.len());
        let mut blended = 0;
        for (before, after) in before.iter().zip(&after) {
            assert_eq!((before.position, before.best), (after.position, after.best));
            let (old, new) = (before.score.unwrap().0, after.score.unwrap().0);
            let evaluation = evaluate(&network, &before.position);
            let evaluation = evaluation.for_white(before.position.side_to_move()).0;
            if old.abs() > 3_000 || !before.is_quiet() {
                assert_eq!(new, old);
                continue;
            }
            blended += 1;
            match weight {
                0.0 => assert_eq!(new, old),
                1.0 => assert_eq!(new, evaluation),
                _ => assert!((old.min(evaluation)..=old.max(evaluation)).contains(&new)),
            }
        }
        assert_eq!(counts.blended, blended);
        assert!(blended > 100);
    }
    // A game is held out from training or not, with whatever scores.
    let hashes = ["games-0.vf", "all/games-0.vf"].map(|file| {
        let bytes = fs::read(folder.path(file)).unwrap();
        let games = read_games(&bytes).map(|(_, game)| game.unwrap());
        let games = games.filter(|game| !game.is_lone_position());
        games.map(|game| game.hash()).collect::<Vec<_>>()
    });
    assert_eq!(hashes[0], hashes[1]);
    // Results, marks and lone positions stay, too.
    let files = ["games-0.vf", "none/games-0.vf"].map(|file| fs::read(folder.path(file)).unwrap());
    assert!(files[0] == files[1]);
}

#[test]
fn a_manifest_names_the_games_and_the_network() {
    let folder = folder_with_games("blend_manifest", 0);
    run(&folder, "out", "--weight 0.25").unwrap();
    let lines = fs::read_to_string(folder.path("out/games-0.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["settings"]["games"], 5);
    assert_eq!(lines[1]["totals"]["games"], 5);
    let blend = &lines[2]["blend"];
    assert_eq!(
        blend["network"],
        format!("{:016x}", Network::embedded().fingerprint())
    );
    assert_eq!(blend["settings"]["weight"], 0.25);
}

#[test]
fn games_are_not_overwritten() {
    let folder = folder_with_games("blend_twice", 0);
    let error = run(&folder, ".", "--force").unwrap_err().to_string();
    assert!(error.contains("would replace"), "{error}");
    run(&folder, "out", "").unwrap();
    let error = run(&folder, "out", "").unwrap_err().to_string();
    assert!(
        error.contains("games-0.vf exists: --force replaces it"),
        "{error}"
    );
    // Of two files with one name, the second would replace the first.
    let error = run_on(&folder, "out", "--force", &["games-0.vf"; 2])
        .unwrap_err()
        .to_string();
    assert!(error.contains("would be written twice"), "{error}");
    // Nor may a manifest replace games.
    folder.write("other.jsonl", fs::read(folder.path("games-0.vf")).unwrap());
    let error = run_on(&folder, "out", "", &["other.jsonl"])
        .unwrap_err()
        .to_string();
    assert!(error.contains("would be written twice"), "{error}");
    assert!(!folder.path("out/other.jsonl").exists());
    // Nor may the first replace the second, which is still to be read.
    let before = fs::read(folder.path("out/games-0.vf")).unwrap();
    let files = ["games-0.vf", "out/games-0.vf"];
    let error = run_on(&folder, "out", "--force --weight 1", &files)
        .unwrap_err()
        .to_string();
    assert!(error.contains("would replace"), "{error}");
    assert!(fs::read(folder.path("out/games-0.vf")).unwrap() == before);
    run(&folder, "out", "--force").unwrap();
}

/// As `train` does.
#[test]
fn a_game_that_is_cut_off_is_left_out_and_counted() {
    let folder = folder_with_games("blend_cut", 0);
    let mut bytes = fs::read(folder.path("games-0.vf")).unwrap();
    bytes.pop();
    folder.write("games-0.vf", bytes);
    let counts = run(&folder, "out", "").unwrap();
    assert_eq!(counts.bad_games, 1);
    assert!(counts.games >= 4, "{counts:?}");
}

/// A packed file, such as `games.vf.xz`.
#[test]
fn a_file_without_games_is_an_error_and_an_empty_one_is_not() {
    let folder = folder_with_games("blend_packed", 0);
    folder.write(
        "packed.xz",
        b"\xFD7zXZ\0 and more than one game of noise behind it",
    );
    let error = run_on(&folder, "out", "", &["packed.xz"]).unwrap_err();
    let text = error.to_string();
    assert!(
        text.ends_with("packed.xz: no games in viriformat; unpack it if it is packed"),
        "{text}"
    );
    assert!(!folder.path("out/packed.xz").exists());
    folder.write("empty.vf", "");
    run_on(&folder, "out", "", &["empty.vf"]).unwrap();
}

#[test]
fn children_follow_their_positions_and_have_the_evaluation_as_score() {
    let folder = folder_with_games("blend_children", 0);
    let before = positions(&folder, "games-0.vf");
    let counts = run(&folder, "out", "--children 2").unwrap();
    let bytes = fs::read(folder.path("out/games-0.vf")).unwrap();
    let network = Network::embedded();
    let (mut parents, mut children) = (Vec::new(), 0);
    for (_, game) in read_games(&bytes) {
        let game = game.unwrap();
        let positions = game.positions().unwrap();
        if !game.is_lone_position() {
            parents = positions;
            continue;
        }
        let child = positions[0];
        let follows = |parent: &ScoredPosition| {
            let moves = parent.position.legal_moves();
            let mut after = moves.iter().map(|&mv| parent.position.play_unchecked(mv));
            after.any(|position| position.key() == child.position.key())
        };
        assert!(parents.iter().any(follows));
        let evaluation = evaluate(&network, &child.position);
        let side = child.position.side_to_move();
        assert_eq!(child.score.unwrap(), evaluation.for_white(side));
        assert!(child.is_quiet());
        children += 1;
    }
    assert_eq!(children, counts.children);
    assert!(children as usize > before.len(), "{counts:?}");
}
