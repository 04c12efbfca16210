//! The tree of a game: nothing is lost between reading and writing, and every change can be undone.
//!
//! `TABIYA_PGN` names a folder with more files of games for the round trips.

use crate::process;
use crate::random_games::RandomPlayer;
use crate::sources::root;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};
use tabiya::board::Position;
use tabiya::game::pgn::{GameTree, NodeId, Note, PgnGame, Reader, TreeError};
use tabiya::game::{ActError, Draw, GameResult, Outcome, Win, san};
use tabiya::types::{CastlingMode, Color};

fn read(text: &str) -> GameTree {
    let read = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    GameTree::from(read.game)
}

/// The moves of a game as PGN has them, on one line.
fn movetext(tree: &GameTree) -> String {
    let text = tree.to_pgn().to_string();
    let moves = text.split_once("\n\n").unwrap().1;
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn play(tree: &mut GameTree, moves: &str) -> NodeId {
    for text in moves.split_whitespace() {
        let mv = san::parse(tree.position(), text).unwrap();
        tree.play(mv).unwrap();
    }
    tree.cursor()
}

/// What a game says apart from its moves: comments and glyphs, in order.
fn remarks(game: &PgnGame) -> Vec<String> {
    let text = game.to_string();
    let (_, mut rest) = text.split_once("\n\n").unwrap();
    let mut remarks = Vec::new();
    while let Some(at) = rest.find(['{', '$', '!', '?']) {
        let found = &rest[at..];
        let length = match found.as_bytes()[0] {
            b'{' => found.find('}').unwrap() + 1,
            _ => found
                .find(|letter: char| !"$!?".contains(letter) && !letter.is_ascii_digit())
                .unwrap(),
        };
        let words: Vec<_> = found[..length].split_whitespace().collect();
        let remark = match Note::mark(&words.join("")) {
            Some(Note::Glyph(number)) => format!("${number}"),
            _ => words.join(" "),
        };
        remarks.push(remark);
        rest = &found[length..];
    }
    remarks
}

fn files() -> Vec<PathBuf> {
    let own = root().join("tests/data");
    let folders = [Some(own), env::var_os("TABIYA_PGN").map(PathBuf::from)];
    let files = folders
        .into_iter()
        .flatten()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|name| name == "pgn"))
        .collect()
}

#[test]
fn files_of_games_are_kept_by_their_trees() {
    let mut variations = 0;
    for path in files() {
        let bytes = fs::read(&path).unwrap();
        for read in Reader::new(&bytes[..]).map(Result::unwrap) {
            let place = format!("{}, line {}", path.display(), read.line);
            let tree = GameTree::from(read.game.clone());
            let written = tree.to_pgn();
            assert_eq!(written.history(), read.game.history(), "{place}");
            assert_eq!(written.tags(), read.game.tags(), "{place}");
            assert_eq!(remarks(&written), remarks(&read.game), "{place}");
            let again = Reader::new(written.to_string().as_bytes())
                .next()
                .unwrap()
                .unwrap();
            assert_eq!(again.errors, [], "{place}");
            assert_eq!(again.game, written, "{place}");
            assert_eq!(GameTree::from(again.game).to_pgn(), written, "{place}");
            let all = nodes(&tree).into_iter();
            variations += all.filter(|&id| tree.children(id).len() > 1).count();
        }
    }
    assert!(
        variations >= 15,
        "the files have {variations} moves with variations"
    );
}

#[test]
fn variations_are_read_and_written() {
    for (text, expected) in [
        (
            "1. e4 (1. d4 d5 (1... Nf6 2. c4 {a}) 2. c4) e5 *",
            "1. e4 (1. d4 d5 (1... Nf6 2. c4 {a}) 2. c4) 1... e5 *",
        ),
        (
            "1. e4 {a} ({b} 1. d4! {c} d5) {d} ({e} 1. c4) {f} e5 {g} *",
            "1. e4 {a} ({b} 1. d4 $1 {c} 1... d5) {d} ({e} 1. c4) {f} 1... e5 {g} *",
        ),
        (
            "1. e4 e5 (1... c5 2. Nf3 (2. c3 {a}) {b} d6 (2... Nc6 $6) (2... e6)) 2. Nf3 *",
            "1. e4 e5 (1... c5 2. Nf3 (2. c3 {a}) {b} 2... d6 (2... Nc6 $6) (2... e6)) 2. Nf3 *",
        ),
        ("1. e4 (1. d2-d4 d7d5 *) *", "1. e4 (1. d4 d5) *"),
        ("1. e4 (1. d4 1-0) *", "1. e4 (1. d4 {1-0}) *"),
        ("1. e4 (1. d4 {a ( b ) c}) *", "1. e4 (1. d4 {a ( b ) c}) *"),
        // What cannot be read stays as it was.
        ("1. e4 (1. d4 -- 2. c4) *", "1. e4 (1. d4 -- 2. c4) *"),
        (
            "1. e4 (1. d4 (1. Ke5) d5) *",
            "1. e4 (1. d4 (1. Ke5) 1... d5) *",
        ),
        (
            "1. e4 (1. d4 d5 (1... Sf6 (1... -- 2. x)) 2. c4 {a} (?) e6) *",
            "1. e4 (1. d4 d5 (1... Sf6 (1... -- 2. x)) 2. c4 {a} (?) 2... e6) *",
        ),
        ("1. e4 (see 1. d4) {a} *", "1. e4 (see 1. d4) {a} *"),
        ("{a} (1. d4) 1. e4 *", "{a} (1. d4) 1. e4 *"),
        ("1. e4 ({a}) *", "1. e4 ({a}) *"),
        // Parentheses without contents say nothing.
        ("1. e4 (1. d4 ()) *", "1. e4 (1. d4) *"),
    ] {
        assert_eq!(movetext(&read(text)), expected, "{text}");
        assert_eq!(movetext(&read(expected)), expected, "{text}");
    }
}

#[test]
fn a_variation_that_cannot_be_read_leaves_the_one_around_it_readable() {
    let tree = read("1. e4 (1. d4 d5 (1... Sf6 2. c4) 2. c4 (2. Kx1) e6) *");
    let other = tree.children(NodeId::ROOT)[1];
    let line = tree.path(tree.last_of(other));
    let moves: Vec<_> = line.iter().map(|&id| tree.san_of(id)).collect();
    assert_eq!(moves, ["d4", "d5", "c4", "e6"]);
    let text = Note::Variation("1... Sf6 2. c4".to_owned());
    assert_eq!(tree.notes(line[1]), [text]);
}

#[test]
fn another_move_becomes_a_variation_and_the_same_move_is_followed() {
    let mut tree = GameTree::new(Position::start(), CastlingMode::Standard);
    play(&mut tree, "e4 e5 Nf3 Nc6");
    tree.go(tree.main_line()[0]).unwrap();
    let sicilian = play(&mut tree, "c5 Nf3");
    assert_eq!(movetext(&tree), "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 *");
    tree.go(NodeId::ROOT).unwrap();
    assert_eq!(play(&mut tree, "e4 c5 Nf3"), sicilian);
    assert_eq!(movetext(&tree), "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 *");
    assert_eq!(tree.line().history().moves().len(), 3);
}

#[test]
fn a_deleted_branch_takes_the_cursor_and_the_end_with_it() {
    let mut tree = GameTree::new(Position::start(), CastlingMode::Standard);
    play(&mut tree, "e4 e5 Nf3");
    tree.act(|game| game.resign(Color::Black)).unwrap();
    assert_eq!(tree.result(), GameResult::WhiteWins);
    let reply = tree.main_line()[1];
    tree.delete(reply).unwrap();
    assert_eq!(tree.cursor(), tree.main_line()[0]);
    assert_eq!((tree.result(), tree.outcome()), (GameResult::Unknown, None));
    let gone = tree.go(reply);
    assert_eq!(gone, Err(TreeError::NoNode(reply.index())));
    assert_eq!(tree.delete(NodeId::ROOT), Err(TreeError::Root));
    tree.undo();
    assert_eq!(movetext(&tree), "1. e4 e5 2. Nf3 1-0");
    let winner = Color::White;
    let by = Win::Resignation;
    assert_eq!(tree.outcome(), Some(Outcome::Won { winner, by }));
}

#[test]
fn notes_after_a_variation_keep_their_place_when_it_is_promoted() {
    let mut tree = read("1. e4 {a} (1. d4 {b}) {c} e5 *");
    let other = tree.children(NodeId::ROOT)[1];
    tree.promote(other).unwrap();
    assert_eq!(movetext(&tree), "1. d4 {b} (1. e4 {a} 1... e5) {c} *");
    tree.promote(other).unwrap();
    tree.undo();
    assert_eq!(movetext(&tree), "1. e4 {a} (1. d4 {b}) {c} 1... e5 *");
}

#[test]
fn a_result_is_recorded_in_place_of_an_act_and_undone() {
    let mut tree = read("[Termination \"time forfeit\"]\n\n1. e4 e5 0-1");
    tree.set_result(GameResult::Drawn);
    tree.set_result(GameResult::Drawn);
    assert_eq!(tree.to_pgn().tag("Termination"), None);
    assert!(movetext(&tree).ends_with("1/2-1/2") && tree.undo() && !tree.undo());
    tree.act(|game| game.resign(Color::White)).unwrap();
    tree.set_result(GameResult::Unknown);
    assert_eq!(tree.result(), GameResult::Unknown);
    assert_eq!(tree.outcome(), None);
}

#[test]
fn an_act_holds_where_it_happened() {
    let mut tree = GameTree::new(Position::start(), CastlingMode::Standard);
    play(&mut tree, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    let mv = san::parse(tree.position(), "Ng8").unwrap();
    tree.act(|game| game.claim_draw(Some(mv))).unwrap();
    let drawn = Outcome::Drawn(Draw::ThreefoldRepetition);
    let end = tree.cursor();
    assert_eq!(tree.outcome(), Some(drawn));
    let again = tree.act(|game| game.resign(Color::White));
    assert_eq!(again, Err(ActError::Over(drawn)));
    tree.go(tree.main_line()[2]).unwrap();
    assert_eq!(tree.outcome(), None);
    tree.go(end).unwrap();
    assert_eq!(tree.outcome(), Some(drawn));
    assert!(movetext(&tree).ends_with("1/2-1/2"));
    // Who plays on takes the result back.
    play(&mut tree, "e5");
    assert_eq!((tree.result(), tree.outcome()), (GameResult::Unknown, None));
}

/// A drawn game became a won one for ever.
#[test]
fn an_act_in_a_variation_holds_until_the_variation_goes_on() {
    for recorded in ["1/2-1/2", "0-1", "1-0", "*"] {
        let mut tree = read(&format!("1. e4 e5 2. Nf3 {recorded}"));
        let read = tree.to_pgn();
        play(&mut tree, "d4");
        let before = tree.to_pgn();
        tree.act(|game| game.resign(Color::Black)).unwrap();
        assert_eq!(tree.result(), GameResult::WhiteWins);
        let resigned = tree.to_pgn();
        play(&mut tree, "d5");
        let after = format!("1. e4 (1. d4 d5) 1... e5 2. Nf3 {recorded}");
        assert_eq!((movetext(&tree), tree.outcome()), (after.clone(), None));
        assert_eq!(tree.to_pgn().tags(), read.tags());
        // Each change is undone and made again.
        assert!(tree.undo());
        assert_eq!(tree.to_pgn(), resigned);
        assert!(tree.outcome().is_some());
        assert!(tree.undo());
        assert_eq!((tree.to_pgn(), tree.outcome()), (before, None));
        assert!(tree.redo() && tree.redo());
        assert_eq!(movetext(&tree), after);
        // The act stands behind moves that are known, and in the middle of the main line.
        for place in [
            tree.children(NodeId::ROOT)[1],
            tree.main_line()[0],
            NodeId::ROOT,
        ] {
            tree.go(place).unwrap();
            tree.act(|game| game.resign(Color::Black)).unwrap();
            let known = tree.children(place)[0];
            tree.go(known).unwrap();
            assert_eq!(tree.result(), GameResult::WhiteWins);
            play(&mut tree, if place == NodeId::ROOT { "c5" } else { "c4" });
            assert_eq!(tree.result().to_string(), recorded);
            tree.undo();
            assert_eq!(tree.result(), GameResult::WhiteWins);
            tree.undo();
            assert_eq!(movetext(&tree), after);
        }
    }
}

/// After the end of a match, one move on the board erased its result for ever.
#[test]
fn a_move_that_is_only_considered_leaves_the_result() {
    let fivefold = ["Nf3 Nf6 Ng1 Ng8"; 4].join(" ");
    let mut by_rule = GameTree::new(Position::start(), CastlingMode::Standard);
    play(&mut by_rule, &fivefold);
    let mut by_act = GameTree::new(Position::start(), CastlingMode::Standard);
    play(&mut by_act, "e4 e5");
    by_act.act(|game| game.resign(Color::Black)).unwrap();
    for mut tree in [by_rule, by_act, read("1. e4 e5 0-1")] {
        tree.go(tree.last_of(NodeId::ROOT)).unwrap();
        let (before, result) = (tree.to_pgn(), tree.result());
        let (end, outcome) = (tree.cursor(), tree.outcome());
        for text in ["d4", "d5"] {
            let mv = san::parse(tree.position(), text).unwrap();
            tree.consider(mv).unwrap();
            assert_eq!(tree.result(), result);
        }
        assert!(movetext(&tree).contains("d4 d5"));
        tree.go(end).unwrap();
        assert_eq!(tree.outcome(), outcome);
        assert!(tree.undo() && tree.undo());
        assert_eq!((tree.to_pgn(), tree.outcome()), (before, outcome));
        assert!(tree.redo() && tree.redo());
        assert!(movetext(&tree).contains("d4 d5"));
    }
}

/// A stalemate that was taken back after a reload stayed the result of the mate that came instead.
#[test]
fn a_recorded_result_that_follows_from_the_moves_goes_with_them() {
    let start = "[FEN \"k7/8/1K6/8/8/8/8/2Q5 w - - 0 1\"]\n\n";
    let mut tree = read(&format!("{start}1. Qc7 1/2-1/2"));
    let before = tree.to_pgn();
    let mate = play(&mut tree, "Qc8#");
    assert_eq!(movetext(&tree), "1. Qc7 (1. Qc8#) 1/2-1/2");
    tree.promote(mate).unwrap();
    assert_eq!(movetext(&tree), "1. Qc8# (1. Qc7) 1-0");
    assert!(tree.undo() && tree.undo());
    assert_eq!(tree.to_pgn(), before);
    tree.delete(tree.main_line()[0]).unwrap();
    assert_eq!(movetext(&tree), "*");
    // Moves may have been considered after the end.
    let fivefold = ["Nf3 Nf6 Ng1 Ng8"; 4].join(" ");
    let mut tree = read(&format!("{fivefold} d4 1/2-1/2"));
    tree.delete(tree.main_line()[16]).unwrap();
    assert_eq!(tree.result(), GameResult::Drawn);
    tree.delete(tree.main_line()[15]).unwrap();
    assert_eq!(tree.result(), GameResult::Unknown);
    // Another result is that of the players.
    let mut tree = read(&format!("{start}1. Qc7 (1. Qc8#) 0-1"));
    tree.promote(tree.children(NodeId::ROOT)[1]).unwrap();
    assert_eq!(movetext(&tree), "1. Qc8# (1. Qc7) 0-1");
}

#[test]
fn a_deleted_variation_takes_its_act_with_it() {
    let mut tree = read("1. e4 e5 1/2-1/2");
    let other = play(&mut tree, "d4");
    tree.act(|game| game.resign(Color::White)).unwrap();
    tree.delete(other).unwrap();
    assert_eq!(movetext(&tree), "1. e4 e5 1/2-1/2");
    tree.undo();
    assert_eq!(movetext(&tree), "1. e4 (1. d4) 1... e5 0-1");
}

#[test]
fn a_refused_claim_plays_the_announced_move() {
    let mut tree = GameTree::new(Position::start(), CastlingMode::Standard);
    play(&mut tree, "e4 e5");
    let mv = san::parse(tree.position(), "Nf3").unwrap();
    tree.act(|game| game.claim_draw(Some(mv))).unwrap();
    assert_eq!(movetext(&tree), "1. e4 e5 2. Nf3 *");
    assert_eq!(tree.line().offer(), Some(Color::White));
    tree.act(|game| game.accept_draw(Color::Black)).unwrap();
    assert_eq!(tree.outcome(), Some(Outcome::Drawn(Draw::Agreement)));
}

/// The player who offered may move, but not go elsewhere in the tree.
#[test]
fn an_offer_stands_while_the_game_goes_on() {
    let mut tree = GameTree::new(Position::start(), CastlingMode::Standard);
    let before = play(&mut tree, "e4 e5");
    tree.act(|game| game.offer_draw(Color::White)).unwrap();
    let after = play(&mut tree, "Nf3");
    let mut agreed = tree.clone();
    agreed.act(|game| game.accept_draw(Color::Black)).unwrap();
    assert_eq!(agreed.outcome(), Some(Outcome::Drawn(Draw::Agreement)));
    play(&mut tree, "Nc6");
    assert_eq!(tree.line().offer(), None);
    tree.go(before).unwrap();
    tree.act(|game| game.offer_draw(Color::White)).unwrap();
    tree.go(after).unwrap();
    assert_eq!(tree.line().offer(), None);
}

#[test]
fn random_changes_are_undone_made_again_and_kept_by_pgn() {
    let mut random = RandomPlayer::new(58);
    for _ in 0..40 {
        let mut tree = GameTree::new(Position::start(), CastlingMode::Standard);
        let mut states = BTreeMap::from([(0, tree.to_pgn())]);
        let mut changes = 0;
        for _ in 0..120 {
            let before = tree.to_pgn();
            let all = nodes(&tree);
            let id = all[random.below(all.len())];
            match random.below(9) {
                0 => tree.delete(id).unwrap_or_default(),
                1 => tree.promote(id).unwrap_or_default(),
                2 => {
                    let text = Note::Comment(format!("note {changes}"));
                    tree.set_notes(id, vec![Note::Glyph(3), text]).unwrap();
                }
                3 => tree.go(id).unwrap(),
                4 => {
                    let color = tree.position().side_to_move();
                    let _ = tree.act(|game| game.resign(color));
                }
                _ => {
                    let moves = tree.position().legal_moves();
                    if !moves.is_empty() {
                        let mv = moves[random.below(moves.len().min(3))];
                        tree.play(mv).unwrap();
                    }
                }
            }
            assert_eq!(tree.line().position(), tree.position_of(tree.cursor()));
            let after = tree.to_pgn();
            if after != before {
                changes += 1;
                states.insert(changes, after.clone());
                assert_eq!(GameTree::from(after.clone()).to_pgn(), after);
            }
        }
        for state in states.values().rev().skip(1) {
            while tree.to_pgn() != *state {
                assert!(tree.undo());
            }
        }
        for state in states.values().skip(1) {
            while tree.to_pgn() != *state {
                assert!(tree.redo());
            }
        }
    }
}

fn nodes(tree: &GameTree) -> Vec<NodeId> {
    let mut all = vec![NodeId::ROOT];
    let mut at = 0;
    while at < all.len() {
        all.extend(tree.children(all[at]));
        at += 1;
    }
    all
}

/// `PlyCount` and `Termination` are about the moves of the main line.
#[test]
fn tags_about_the_moves_go_when_the_moves_change_and_come_back_with_them() {
    let text = "[PlyCount \"3\"]\n[Termination \"time forfeit\"]\n\n1. e4 e5 2. Nf3 (2. f4) 1-0\n";
    let stated = |tree: &GameTree| {
        let pgn = tree.to_pgn();
        ["PlyCount", "Termination"].map(|name| pgn.tag(name).map(std::borrow::Cow::into_owned))
    };
    let owned = |text: &str| Some(text.to_owned());
    let as_read = [owned("3"), owned("time forfeit")];
    let mut tree = read(text);
    tree.go(tree.main_line()[2]).unwrap();
    let changes: [fn(&mut GameTree); 4] = [
        |tree| {
            play(tree, "Nc6");
        },
        |tree| tree.delete(tree.cursor()).unwrap(),
        |tree| {
            let other = tree.children(tree.main_line()[1])[1];
            tree.promote(other).unwrap();
        },
        |tree| tree.delete(tree.main_line()[0]).unwrap(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        change(&mut tree);
        assert_eq!(stated(&tree), [None, None], "{number}");
        let tags = tree.tags().into_iter().map(|(name, _)| name);
        assert!(!tags.into_iter().any(|name| name == "PlyCount"), "{number}");
        tree.undo();
        assert_eq!(stated(&tree), as_read, "{number}");
    }
    // Notes and variations leave the moves alone.
    tree.set_notes(tree.cursor(), vec![Note::Glyph(1)]).unwrap();
    tree.go(NodeId::ROOT).unwrap();
    play(&mut tree, "d4");
    assert_eq!(stated(&tree), as_read);
    // What is said after a change is about the moves as they are then.
    tree.go(tree.main_line()[2]).unwrap();
    play(&mut tree, "Nc6");
    tree.set_tag("Termination", "adjudication").unwrap();
    assert_eq!(stated(&tree), [None, owned("adjudication")]);
    tree.act(|game| game.resign(Color::White)).unwrap();
    assert_eq!(stated(&tree), [None, owned("normal")]);
}

/// As in the main line: some programs read only one comment.
#[test]
fn comments_in_a_row_are_one_in_every_line() {
    let text = "1. e4 {a} {b} ({x} {y} 1. d4 {c}{d} ; e\n $1 {f}) {g} {h} e5 *";
    let expected = "1. e4 {a b} ({x y} 1. d4 {c d e} $1 {f}) {g h} 1... e5 *";
    let mut tree = read(text);
    assert_eq!(movetext(&tree), expected);
    let id = tree.main_line()[1];
    let comments = ["i", " j "].map(|text| Note::Comment(text.to_owned()));
    tree.set_notes(id, comments.to_vec()).unwrap();
    assert_eq!(tree.notes(id), [Note::Comment("i j".to_owned())]);
}

#[test]
fn many_notes_are_one_change() {
    let mut tree = read("1. e4 {a} e5 2. Nf3 *");
    let line = tree.main_line();
    let note = |text: &str| vec![Note::Comment(text.to_owned())];
    tree.go(line[0]).unwrap();
    let all = line.iter().zip(["b", "c", ""]);
    let all = all.map(|(&id, text)| (id, note(text))).collect();
    tree.set_all_notes(all).unwrap();
    assert_eq!(movetext(&tree), "1. e4 {b} 1... e5 {c} 2. Nf3 *");
    assert!(tree.undo() && !tree.can_undo());
    assert_eq!(movetext(&tree), "1. e4 {a} 1... e5 2. Nf3 *");
    assert!(tree.redo() && !tree.can_redo());
    assert_eq!(movetext(&tree), "1. e4 {b} 1... e5 {c} 2. Nf3 *");
    assert_eq!(tree.cursor(), line[0]);
    // One place that does not exist: nothing is changed. Nothing at all is no change.
    tree.delete(line[2]).unwrap();
    let wrong = vec![(line[0], note("d")), (line[2], note("e"))];
    let gone = TreeError::NoNode(line[2].index());
    assert_eq!(tree.set_all_notes(wrong), Err(gone));
    assert_eq!(movetext(&tree), "1. e4 {b} 1... e5 {c} *");
    tree.undo();
    tree.set_all_notes(Vec::new()).unwrap();
    assert!(tree.undo());
    assert_eq!(movetext(&tree), "1. e4 {a} 1... e5 2. Nf3 *");
}

/// The line of the cursor stopped before the null move, and the next move was played there.
#[test]
fn a_move_is_played_after_a_null_move() {
    let mut tree = read("1. e4 e5 2. Nf3 -- 3. d4 *");
    tree.go(*tree.main_line().last().unwrap()).unwrap();
    let mv = san::parse(tree.position(), "exd4").unwrap();
    tree.play(mv).unwrap();
    assert_eq!(movetext(&tree), "1. e4 e5 2. Nf3 -- 3. d4 exd4 *");
    assert_eq!(read(&tree.to_pgn().to_string()).to_pgn(), tree.to_pgn());
}

/// Annotators show a threat so.
#[test]
fn a_variation_may_have_a_null_move() {
    let text = "1. e4 e5 (1... -- 2. d4) 2. Nf3 *";
    let tree = read(text);
    assert_eq!(tree.children(tree.main_line()[0]).len(), 2);
    assert_eq!(movetext(&tree), text);
    // A side in check cannot pass.
    let tree = read("1. e4 f6 2. d4 g5 3. Qh5# (3. Bxg5 (3. Nf3) 3... fxg5 4. Qh5# -- 5. e5) *");
    assert_eq!(tree.children(tree.main_line()[3]).len(), 1);
}

#[test]
fn a_comment_before_a_variation_stays_before_it_when_it_is_promoted() {
    let mut tree = read("1. e4 e5 ({Better:} 1... c5 {Sicilian}) 2. Nf3 *");
    let sicilian = tree.children(tree.main_line()[0])[1];
    tree.go(sicilian).unwrap();
    tree.promote(sicilian).unwrap();
    assert_eq!(
        movetext(&tree),
        "1. e4 {Better:} 1... c5 {Sicilian} (1... e5 2. Nf3) *"
    );
}

/// The moves of such a game are text; a move behind it was written into that text.
#[test]
fn a_game_that_is_not_played_here_takes_no_move_and_stays() {
    for tags in [
        "[Variant \"Crazyhouse\"]",
        "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]",
    ] {
        let mut tree = read(&format!("{tags}\n\n1. e4 N@f6 *\n"));
        let before = tree.to_pgn();
        let mv = tree.position().legal_moves()[0];
        assert!(tree.play(mv).is_err(), "{tags}");
        assert_eq!(tree.to_pgn(), before, "{tags}");
        assert_eq!(read(&before.to_string()).to_pgn(), before, "{tags}");
    }
}

#[test]
fn deep_and_wide_variations_are_read() {
    let nested = format!("1. e4 {}{} *", "(1. e4 ".repeat(20_000), ")".repeat(20_000));
    let tree = read(&nested);
    assert_eq!(tree.children(NodeId::ROOT).len(), 20_001);
    let wide = format!("1. e4 {} *", "(1. d4 d5) ".repeat(20_000));
    assert_eq!(read(&wide).children(NodeId::ROOT).len(), 20_001);
    let unread = format!("1. e4 {} *", "(1. d4 d4) ".repeat(20_000));
    assert_eq!(
        read(&unread).notes(read(&unread).main_line()[0]).len(),
        20_000
    );
}

#[test]
fn unread_variations_beside_read_ones_and_within_each_other_take_linear_time() {
    process::assert_linear("side by side", 20_000, |count| {
        let text = format!(
            "1. e4 {}{} *",
            "(1. d4) ".repeat(count),
            "(x) ".repeat(count)
        );
        let tree = read(&text);
        assert_eq!(tree.children(NodeId::ROOT).len(), count + 1);
    });
    process::assert_linear("nested", 20_000, |depth| {
        let text = format!("1. e4 {}{} *", "(1. d4 ".repeat(depth), " x)".repeat(depth));
        let tree = read(&text);
        assert_eq!(tree.notes(tree.main_line()[0]).len(), 1);
    });
}
