//! Console sessions: lines of input, and the texts that must follow in the output.

use crate::process;
use crate::random_games::START;
use crate::session::TIMEOUT;
use crate::temporary::Folder;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::time::{Duration, Instant};
use std::{fs, io, thread};
use tabiya::engine::Engine;
use tabiya::protocol::console::{self, Lines, Prompt, Style};

const PLAIN: Style = Style {
    ascii: true,
    color: false,
    live: false,
};

/// The output of a session with these lines of input.
fn session(script: &str, style: Style) -> String {
    let engine = Engine::new().unwrap();
    let mut output = Vec::new();
    console::run(
        engine,
        &mut Lines::new(script.as_bytes()),
        &mut output,
        style,
    )
    .unwrap();
    String::from_utf8(output).unwrap()
}

/// Asserts that the output contains these texts in this order.
fn assert_prints(script: &str, texts: &[&str]) {
    if let Err(error) = prints(script, texts) {
        panic!("{error}");
    }
}

/// Whether the output contains these texts in this order.
fn prints(script: &str, texts: &[&str]) -> Result<(), String> {
    let output = session(script, PLAIN);
    // A line may break at any blank.
    let unwrapped = |text: &str| text.replace('\n', " ");
    let all = unwrapped(&output);
    let mut rest = all.as_str();
    for text in texts {
        match rest.split_once(&unwrapped(text)) {
            Some((_, after)) => rest = after,
            None => return Err(format!("{text:?} is missing or out of order:\n{output}")),
        }
    }
    Ok(())
}

#[test]
fn two_people_play_to_mate() {
    assert_prints(
        "play both\nf3\ne5\ng4\nQh4\ne4\nquit\n",
        &[
            "White is to move.",
            "You played 1. f3.",
            "Black is to move.",
            "You played 2... Qh4#.",
            "Black wins by checkmate. 0-1 Type new for another game.",
            "The game is over: Black wins by checkmate.",
        ],
    );
}

#[test]
fn a_finished_game_can_be_looked_at() {
    let mate = "play both\nlevel nodes 500\nf3\ne5\ng4\nQh4\n";
    let no_move = "There is no legal move.";
    assert_prints(
        &format!("{mate}moves\nhint\neval\nback\nmoves\nhint\neval\nfirst\nlast\nquit\n"),
        &[
            "Black wins by checkmate",
            no_move,
            no_move,
            "Static evaluation: ",
            "After 3 half-moves.",
            " Qh4# ",
            "A good move is 2... Qh4#.",
            ", Black to move",
            "After 0 half-moves.",
            "After 4 half-moves.",
            "Black wins by checkmate",
        ],
    );
    // The game continues after undo, and redo ends it again.
    assert_prints(
        &format!("{mate}undo\nfen\nredo\nundo\nd6\nquit\n"),
        &[
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b",
            "Black wins by checkmate",
            "You played 2... d6.",
        ],
    );
    // After the end by resignation the position has moves.
    assert_prints(
        "play both\nlevel nodes 500\ne4\ne5\nresign\nmoves\nhint\neval\nundo\nc5\nquit\n",
        &[
            "Black wins by resignation",
            " Nf3 ",
            "A good move is 2. ",
            "Static evaluation: ",
            "You played 1... c5.",
        ],
    );
}

/// A hint is for the one who needs it most: at the weakest level it still takes the queen.
#[test]
fn a_hint_has_full_strength_at_every_level() {
    let fen = "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3";
    let hints = "hint\n".repeat(4);
    let output = session(
        &format!("play both\nlevel beginner\nfen {fen}\n{hints}quit\n"),
        PLAIN,
    );
    assert_eq!(
        output.matches("A good move is 3. Nxh4.").count(),
        4,
        "{output}"
    );
}

/// They must not think on the person's clock, which plans a minute for a move here.
#[test]
fn a_hint_and_an_offer_take_a_second_of_the_clock() {
    let started = Instant::now();
    let output = session(
        "level time 1\ne4\nclock 90+30\nhint\ndraw\nclock\nquit\n",
        PLAIN,
    );
    assert!(output.contains("A good move is 2. "), "{output}");
    assert!(output.contains("Black declines the draw."), "{output}");
    assert!(started.elapsed() < Duration::from_secs(30), "{output}");
}

#[test]
fn a_new_game_says_who_plays_and_go_says_that_a_game_is_over() {
    assert_prints(
        "play both\nf3\ne5\ng4\nQh4\ngo\nnew\nyes\nquit\n",
        &[
            "Black wins by checkmate",
            "The game is over: ",
            "A new game begins. You play both sides. Type go or play to change that.",
        ],
    );
}

#[test]
fn quit_leaves_the_question_for_a_promotion() {
    let output = session(
        "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1\nplay both\na8\nquit\nfen\n",
        PLAIN,
    );
    assert!(!output.contains("was not played"), "{output}");
    assert!(!output.contains("8/P6k/8/8/8/8/8/K7 w"), "{output}");
}

/// After `undo` the engine waits, also if a person has not moved yet.
#[test]
fn undo_means_that_the_engine_waits() {
    let output = session("level nodes 50\ngo\nundo\nfen\nquit\n", PLAIN);
    assert_eq!(output.matches("Tabiya played 1. ").count(), 1, "{output}");
    assert!(
        output.contains("Tabiya does not move: you play both sides.")
            && output.contains("RNBQKBNR w KQkq - 0 1"),
        "{output}"
    );
}

#[test]
fn a_threefold_repetition_is_announced_and_claimed() {
    assert_prints(
        "play both\nNf3\nNf6\nNg1\nNg8\nNf3\nNf6\nNg1\ndraw\nNg8\ndraw\nquit\n",
        &[
            "A draw by threefold repetition can be claimed with a move: type draw and one of Ng8",
            "Black cannot claim a draw: occurrences of the position: 2 of 3; half-moves without capture or pawn move: 7 of 100",
            "Black offers a draw.",
            "You played 4... Ng8.",
            "A draw by threefold repetition can be claimed: type draw",
            "White claims a draw by threefold repetition.",
            "The game is drawn by a claim of threefold repetition. 1/2-1/2",
        ],
    );
}

#[test]
fn a_fifty_move_draw_is_announced_and_claimed_with_a_move() {
    let fen = "fen 8/8/8/4k3/8/8/P3K3/R7 w - - 97 79";
    let moves = "Rb1\nKf5";
    assert_prints(
        &format!("play both\n{fen}\n{moves}\ndraw a3\n{fen}\nyes\n{moves}\ndraw Rd1\nquit\n"),
        &[
            "A draw by the fifty-move rule can be claimed with a move: type draw and one of ",
            "White cannot claim a draw: occurrences of the position: 1 of 3; half-moves without capture or pawn move: 0 of 100",
            "White offers a draw.",
            "80. a3 is played: the move named in a claim must be played (FIDE 9.5.3).",
            "Black is to move.",
            "A draw is offered: type accept or decline, or move.",
            "White claims a draw by the fifty-move rule.",
        ],
    );
    assert_prints(
        &format!("play both\n{fen}\n{moves}\nRd1\nquit\n"),
        &["A draw by the fifty-move rule can be claimed: type draw"],
    );
}

#[test]
fn draw_offers_are_accepted_or_declined() {
    assert_prints(
        "play both\ndraw\ne4\ne5\ndraw\nNf3\naccept\nquit\n",
        &[
            "A draw can be agreed only after both players have made a move",
            "White offers a draw.",
            "A draw is offered: type accept or decline, or move.",
            "The game is drawn by agreement. 1/2-1/2",
        ],
    );
    assert_prints(
        "play both\ne4\ne5\ndraw\nNf3\nNc6\naccept\nquit\n",
        &["Black declines the draw.", "Black has not offered a draw"],
    );
    assert_prints(
        "play both\ne4\ne5\ndraw\nNf3\ndecline\nresign\nquit\n",
        &["Black declines the draw.", "White wins by resignation. 1-0"],
    );
}

#[test]
fn a_dead_position_ends_the_game() {
    let fen = "fen 8/8/3k4/1p1p1p1p/1P1P1P2/3K3P/8/8 w - - 0 1";
    assert_prints(
        &format!("play both\n{fen}\nh4\nKe6\nquit\n"),
        &[
            "The game is drawn because no series of legal moves leads to checkmate. 1/2-1/2",
            "The game is over: drawn because no series of legal moves leads to checkmate",
        ],
    );
}

#[test]
fn a_missing_promotion_piece_is_requested() {
    let fen = "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let table = [
        ("a8\nn", "You played 1. a8=N."),
        ("a7a8\nQueen", "You played 1. a8=Q."),
        ("a8=R", "You played 1. a8=R."),
        ("a8\nperhaps\na7a8b", "a8 was not played."),
    ];
    for (lines, answer) in table {
        assert_prints(&format!("play both\n{fen}\n{lines}\nquit\n"), &[answer]);
    }
}

#[test]
fn bad_input_gets_one_line_and_the_game_continues() {
    // The input, and the start of the one line that answers.
    let table = [
        (
            "xyzzy",
            "'xyzzy' is neither a move nor a command: type help.",
        ),
        ("♞", "'♞' is neither a move nor a command"),
        (
            "e5",
            "e5 is not a legal move here: type moves to list the legal moves.",
        ),
        ("Nd2", "Nd2 is not a legal move here"),
        ("e2e5", "e2e5 is not a legal move here"),
        ("O-O", "O-O is not legal here"),
        ("fen nonsense", "Bad FEN: the board needs 8 ranks, not 1"),
        (
            "fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "Illegal position: the board is empty",
        ),
        ("load", "Usage: load FILE.pgn"),
        (
            "new 960 960",
            "The number of a Chess960 position is 0 to 959, not 960.",
        ),
        (
            "new 960 -1",
            "The number of a Chess960 position is 0 to 959",
        ),
        ("new 960 x", "Usage: new [960 [NUMBER]]"),
        ("new 961", "Usage: new [960 [NUMBER]]"),
        ("load /nowhere/at/all.pgn", "/nowhere/at/all.pgn: "),
        #[cfg(unix)]
        ("load /dev/zero", "/dev/zero: not a regular file"),
        ("load /", "/ is a folder: add the name of a file."),
        ("load 'x.pgn' 0", "Games are numbered from 1."),
        (
            "save /nowhere/at/all.pgn",
            "There is no folder /nowhere/at.",
        ),
        ("save /", "/ is a folder: add the name of a file."),
        ("save -f /", "/ is a folder: add the name of a file."),
        #[cfg(unix)]
        ("save -f /dev/null", "/dev/null: not a regular file"),
        ("level 99", "A level is 1 to 10, not 99."),
        ("level 11", "A level is 1 to 10, not 11."),
        ("level 0", "A level is 1 to 10, not 0."),
        ("level 2.5", "A level is 1 to 10, not 2.5."),
        (
            "level hard",
            "Usage: level [NAME | 1-10 | elo RATING | time SECONDS",
        ),
        ("level elo 300", "A rating is 400 to 2600, not 300."),
        ("level elo 3000", "A rating is 400 to 2600, not 3000."),
        (
            "level time 0",
            "A time in seconds is 0.001 to 86400, not 0.",
        ),
        ("level depth 0", "A depth in half-moves is 1 to 239, not 0."),
        (
            "level depth 999",
            "A depth in half-moves is 1 to 239, not 999.",
        ),
        (
            "level nodes 0",
            "A number of nodes is 1 to 18446744073709551615",
        ),
        ("clock 0+0", "A clock needs some time."),
        ("clock -1", "Minutes and seconds are 0 to 1440, not -1."),
        (
            "clock 9999+1",
            "Minutes and seconds are 0 to 1440, not 9999.",
        ),
        ("clock blitz", "Usage: clock [MINUTES+SECONDS | off]"),
        ("next", "No game is loaded: type load and a file name."),
        (
            "back 0",
            "The number of half-moves is 1 to 1000000000, not 0.",
        ),
        ("next x", "Usage: next [HALF-MOVES]"),
        (
            "level time -1",
            "A time in seconds is 0.001 to 86400, not -1.",
        ),
        ("level depth x", "Usage: level"),
        ("play chess", "Usage: play white|black|both|none"),
        ("undo", "No move to take back."),
        ("redo", "No move to play again."),
        ("resign now", "Usage: resign"),
        ("accept", "Black has not offered a draw"),
        ("draw Ke4", "Ke4 is not a legal move here"),
    ];
    for (line, answer) in table {
        let before = session("play both\nquit\n", PLAIN);
        let after = session(&format!("play both\n{line}\n\nquit\n"), PLAIN);
        let added = after.strip_prefix(&before).unwrap();
        assert!(added.starts_with(answer), "{line}: {added}");
        assert_eq!(added.lines().count(), 1, "{line}: {added}");
    }
}

#[test]
fn undo_and_redo_restore_positions() {
    assert_prints(
        "play both\ne4\ne5\nundo\nundo\nfen\nredo\nfen\nquit\n",
        &[
            START,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ],
    );
    // Against the engine, undo takes back two half-moves.
    assert_prints(
        "level nodes 50\ne4\nundo\nfen\nredo\nfen\nquit\n",
        &[
            "Tabiya played 1... ",
            "PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            " 2\n",
        ],
    );
}

#[test]
fn the_engine_plays_hints_claims_and_answers() {
    assert_prints(
        "play both\nlevel depth 4\nfen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\nhint\ngo\nquit\n",
        &[
            "A good move is 1. Ra8#.",
            "Tabiya played 1. Ra8#.",
            "White wins by checkmate",
        ],
    );
    // A winning engine declines a draw, a losing one accepts it.
    assert_prints(
        "play both\nlevel depth 4\nfen 3qk3/8/8/8/8/8/8/4K3 w - - 0 9\nKe2\nKe7\nplay white\ndraw\nquit\n",
        &["White offers a draw.", "Black declines the draw."],
    );
    assert_prints(
        "play both\nlevel depth 4\nfen 4k3/8/8/8/8/8/8/3QK3 w - - 0 9\nKe2\nKe7\nplay white\ndraw\nquit\n",
        &["White offers a draw.", "The game is drawn by agreement."],
    );
    // In the opening a level engine declines.
    assert_prints(
        "level nodes 500\ne4\ndraw\nquit\n",
        &["White offers a draw.", "Black declines the draw."],
    );
    // A losing engine claims a draw.
    assert_prints(
        "level depth 4\nfen 4k3/8/8/8/8/8/8/3QK3 w - - 98 99\nQd2\nquit\n",
        &["Black claims a draw by the fifty-move rule."],
    );
    // Playing both sides, it finishes the game.
    assert_prints(
        "level nodes 200\nfen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 140 100\nplay none\nquit\n",
        &["Tabiya played 100. ", "Type new for another game."],
    );
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = Folder::new("console");
    let file = folder.path("game.pgn");
    let path = file.display();
    assert_prints(
        &format!("play both\ne4\ne5\nsave {path}\nsave {path}\nnew\nload {path}\nmoves\nquit\n"),
        &[
            &format!("The game is saved in {path}."),
            "already exists: choose another name",
            "A new game begins.",
            "? - ?, *, 2 half-moves.",
            " Nf3 ",
        ],
    );
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.ends_with("\n1. e4 e5 *\n"), "{written}");
    assert_prints(
        &format!("play both\nd4\nsave {path}\nsave -f\nsave -f {path}\nquit\n"),
        &[
            "or type save -f",
            "Usage: save [-f] FILE.pgn",
            "The game is saved in",
        ],
    );
    let replaced = fs::read_to_string(&file).unwrap();
    assert!(replaced.ends_with("\n1. d4 *\n"), "{replaced}");
    assert!(written.contains("[Date \"20"), "{written}");
    // A file without a game leaves the current game unchanged.
    for text in [
        "no game",
        "",
        "\u{0}\u{1}PNG \u{fffd}",
        "<html>\n<p>1. Introduction</p>\n",
    ] {
        fs::write(&file, text).unwrap();
        assert_prints(
            &format!("play both\ne4\nload {path}\nfen\nquit\n"),
            &[
                "No game found in",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq",
            ],
        );
    }
}

#[test]
fn load_counts_the_games_and_takes_a_number() {
    let folder = Folder::new("console_number");
    let games = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 1-0\n";
    let path = folder.write("two games.pgn", games);
    let path = path.display();
    assert_prints(
        &format!("load {path}\nload {path} 2\nload {path} 3\nload {path} 0\nquit\n"),
        &[
            "Game 1 of 2: A - ?, *, 1 half-move.",
            "Game 2 of 2: B - ?, 1-0, 1 half-move.",
            "two games.pgn has 2 games only",
            "Games are numbered from 1.",
        ],
    );
}

#[test]
fn a_game_of_chess960_begins_from_a_number_or_at_random() {
    assert_prints(
        "play both\nnew 960 0\nfen\nnew 960\nquit\n",
        &[
            "A new game of Chess960 begins from position 0.",
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w ",
            "A new game of Chess960 begins from position ",
        ],
    );
    let castle = "play both\nnew 960 518\nNf3\na6\ng3\nb6\nBg2\nc6\nO-O\nquit\n";
    assert_prints(castle, &["You played 4. O-O."]);
}

#[test]
fn habits_of_other_programs_are_understood() {
    assert_prints(
        "play both\nnf3\nnf6\ng3\nE6\nbg2\nBe7\noo\nKe8-g8\nundo\ntakeback\n?\nh save\nq\n",
        &[
            "You played 1. Nf3.",
            "You played 1... Nf6.",
            "You played 2... e6.",
            "You played 3. Bg2.",
            "You played 4. O-O.",
            "You played 4... O-O.",
            "Type a move",
            "save [-f] FILE.pgn",
        ],
    );
    for leave in ["q", "exit", "quit", "bye", "EXIT"] {
        let output = session(&format!("play both\n{leave}\ne4\n"), PLAIN);
        assert!(!output.contains("You played"), "{leave}: {output}");
    }
}

#[test]
fn file_names_may_be_in_quotes() {
    let folder = Folder::new("console_quotes");
    let path = folder.path("my game 2.pgn");
    let path = path.display();
    assert_prints(
        &format!("play both\ne4\nsave \"{path}\"\nnew\nload '{path}' 1\nload \"{path}\" x\nquit\n"),
        &[
            "The game is saved in",
            "? - ?, *, 1 half-move.",
            "Usage: load",
        ],
    );
}

/// A session of the program with these lines of input and this environment.
fn program(script: &str, environment: &[(&str, &str)]) -> String {
    let mut command = process::tabiya();
    command.arg("play").envs(environment.iter().copied());
    String::from_utf8(process::run(&mut command, script).stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn a_tilde_is_the_home_folder() {
    let folder = Folder::new("console_home");
    let home = folder.path("").display().to_string();
    let script = "play both\ne4\nsave ~/game.pgn\nload ~/game.pgn\nquit\n";
    let output = program(script, &[("HOME", &home)]);
    assert!(folder.path("game.pgn").exists(), "{output}");
    assert!(output.contains("1 half-move."), "{output}");
}

#[cfg(unix)]
#[test]
fn pieces_are_letters_where_the_terminal_lacks_symbols() {
    let utf8 = ("LC_ALL", "de_DE.utf8");
    for (environment, has_figures) in [
        ([utf8, ("TERM", "xterm")], true),
        ([("LC_ALL", "C.UTF-8"), ("TERM", "xterm")], true),
        ([("LC_ALL", "C"), ("TERM", "xterm")], false),
        ([("LC_ALL", "de_DE@euro"), ("TERM", "xterm")], false),
        ([utf8, ("TERM", "linux")], false),
    ] {
        let output = program("play both\nquit\n", &environment);
        assert_eq!(output.contains('♜'), has_figures, "{environment:?}");
        assert_eq!(output.is_ascii(), !has_figures, "{environment:?}");
    }
}

#[test]
fn help_explains_topics_and_commands() {
    for (subject, has, lacks) in [
        ("", "  files", "FILE.pgn"),
        ("files", "load FILE.pgn [NUMBER]", "undo"),
        ("undo", "take your last move back", "load"),
        ("?", "explain commands", "load"),
        ("all", "load FILE.pgn [NUMBER]", "Type a move"),
        (
            "xyzzy",
            "No command or topic is called 'xyzzy'.\n",
            "FILE.pgn",
        ),
    ] {
        let before = session("play both\nquit\n", PLAIN);
        let output = session(&format!("play both\nhelp {subject}\nquit\n"), PLAIN);
        let help = output.strip_prefix(&before).unwrap();
        assert!(
            help.contains(has) && !help.contains(lacks),
            "{subject}: {help}"
        );
        let most = if subject.is_empty() { 24 } else { 60 };
        assert!(help.lines().count() < most, "{help}");
    }
}

#[test]
fn no_line_is_longer_than_80_columns() {
    let repeat = "Nf3\nNf6\nNg1\nNg8\n".repeat(2);
    let crowded = "fen 6k1/QQQQQ3/8/8/8/8/8/6K1 w - - 0 1";
    let script = format!(
        "help all\nhelp\nlevel nodes 2000\nplay both\n{repeat}draw e4\ndraw\nnew\nyes\n{crowded}\n\
         moves\nanalyse\neval\nlevel x\nfen 9/8\nload /a/long/name/of/a/file/that/is/not/there/at/all.pgn\nquit\n"
    );
    let output = session(&script, PLAIN);
    let is_long = |line: &&str| line.chars().count() > 80;
    assert_eq!(output.lines().find(is_long), None);
}

/// Ctrl-D in a game with unsaved moves asks first.
#[test]
fn the_end_of_terminal_input_asks_in_a_running_game() {
    struct Terminal(Vec<Option<&'static str>>);
    impl Prompt for Terminal {
        fn read(&mut self, _: &str) -> io::Result<Option<String>> {
            Ok(self.0.remove(0).map(str::to_owned))
        }
        fn can_ask(&self) -> bool {
            true
        }
    }
    let question = "type quit or Ctrl-D again";
    let both = Some("play both");
    for (lines, asked) in [
        (vec![both, None], 0),
        (vec![both, Some("e4"), None, None], 1),
        (vec![both, Some("e4"), None, Some("e5"), None, None], 2),
        (vec![both, Some("e4"), Some("resign"), None], 0),
    ] {
        let mut output = Vec::new();
        let mut prompt = Terminal(lines.clone());
        console::run(Engine::new().unwrap(), &mut prompt, &mut output, PLAIN).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert_eq!(
            output.matches(question).count(),
            asked,
            "{lines:?} {output}"
        );
        assert!(prompt.0.is_empty(), "{lines:?}");
    }
}

/// A failed save leaves nothing that blocks the next one. The limit of the file size stands for a
/// full disk.
#[cfg(unix)]
#[test]
fn a_failed_save_leaves_no_file() {
    let folder = Folder::new("console_full");
    let file = folder.path("game.pgn");
    let script = format!("play both\ne4\nsave {0}\nsave {0}\nquit\n", file.display());
    let output = process::run(process::limited("-f 0").arg("play"), &script).stdout;
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output.matches("File too large").count(), 2, "{output}");
    assert!(folder.names().is_empty());
}

#[test]
fn a_loaded_game_keeps_its_tags_and_notes_when_saved() {
    let folder = Folder::new("console_kept");
    let text = "[Event \"Club\"]\n[Date \"1999.12.31\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n[ECO \"C20\"]\n\n\
                {A game.} 1. e4 $1 e5 {[%clk 0:05:00] solid} (1... c5 2. Nf3) 2. Nf3 *\n";
    let file = folder.write("in.pgn", text);
    let saved = |script: &str, name: &str| {
        let out = folder.path(name);
        let script = format!(
            "load {}\n{script}save {}\nquit\n",
            file.display(),
            out.display()
        );
        session(&script, PLAIN);
        fs::read_to_string(out).unwrap()
    };
    let tags = [
        "[Event \"Club\"]",
        "[Date \"1999.12.31\"]",
        "[White \"A\"]",
        "[Black \"B\"]",
        "[ECO \"C20\"]",
    ];
    let notes = "{A game.} 1. e4 $1 e5 {[%clk 0:05:00] solid} (1... c5 2. Nf3) 2. Nf3";
    for (script, name, movetext) in [
        ("", "same.pgn", format!("{notes} *")),
        ("Nc6\nBb5\n", "more.pgn", format!("{notes} Nc6 3. Bb5 *")),
        (
            "undo\nBc4\n",
            "other.pgn",
            notes
                .replace("Nf3 *", "Bc4 *")
                .replace(" 2. Nf3", " 2. Bc4")
                .replacen("c5 2. Bc4", "c5 2. Nf3", 1)
                + " *",
        ),
        ("Nc6\nresign\n", "over.pgn", format!("{notes} Nc6 0-1")),
    ] {
        let written = saved(script, name);
        for tag in tags {
            assert!(written.contains(tag), "{name}: {written}");
        }
        assert!(
            written.replace('\n', " ").trim_end().ends_with(&movetext),
            "{name}: {written}"
        );
    }
}

#[test]
fn a_game_with_unsaved_moves_is_dropped_only_after_a_question() {
    let folder = Folder::new("console_ask");
    let file = folder.write("other.pgn", "[White \"A\"]\n\n1. d4 d5 *\n");
    let other = "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned();
    for command in ["new".to_owned(), other, format!("load {}", file.display())] {
        let question = "The game has unsaved moves: type yes to drop it, or save it first.";
        assert_prints(
            &format!("play both\ne4\n{command}\nfen\nquit\n"),
            &[question, "4P3/8/PPPP1PPP"],
        );
        assert_prints(
            &format!("play both\ne4\n{command}\nno\nfen\nquit\n"),
            &[question, "The game continues.", "4P3/8/PPPP1PPP"],
        );
        let output = session(
            &format!("play both\ne4\n{command}\nyes\n{command}\nfen\nquit\n"),
            PLAIN,
        );
        assert_eq!(output.matches(question).count(), 1, "{output}");
        assert!(!output.contains("4P3/8/PPPP1PPP"), "{output}");
        // No question before the first move, after the end of the game, or if the moves are saved.
        let saved = folder.path("saved.pgn");
        let _ = fs::remove_file(&saved);
        for script in [
            String::new(),
            "f3\ne5\ng4\nQh4\n".to_owned(),
            format!("e4\nsave {}\n", saved.display()),
        ] {
            let output = session(&format!("play both\n{script}{command}\nquit\n"), PLAIN);
            assert!(!output.contains(question), "{command} {script}: {output}");
        }
    }
}

#[test]
fn next_back_first_and_last_go_through_a_loaded_game() {
    let folder = Folder::new("console_steps");
    let file = folder.write(
        "game.pgn",
        "1. e4 {best by test} e5 2. Nf3 Nc6 3. Bb5 1-0\n",
    );
    assert_prints(
        &format!(
            "load {}\nfirst\nback\nnext\nnext 2\nd6\nback\nyes\nlast\nnext\nquit\n",
            file.display()
        ),
        &[
            "? - ?, 1-0, 5 half-moves.",
            "Opening: C60 Ruy Lopez.",
            "After 0 half-moves.",
            "This is the start of the game.",
            "best by test",
            "Opening: B00 King's Pawn Game.",
            "After 3 half-moves.",
            "You played 2... d6.",
            "The game has unsaved moves",
            "After 2 half-moves.",
            "After 5 half-moves.",
            "This is the end of the game.",
        ],
    );
}

#[test]
fn eval_is_static_and_analyse_prints_score_depth_and_line() {
    let mate = "fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    assert_prints(
        &format!("play both\nlevel depth 4\n{mate}\neval\nanalyse\nfen\nquit\n"),
        &[
            "Static evaluation: ",
            ", White to move",
            "#1 (depth 1) 1. Ra8#",
            "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        ],
    );
    assert_prints(
        "play both\nlevel elo 1200\ne4\neval\nlevel\nlevel Beginner\nhelp level\nquit\n",
        &[
            "Tabiya plays at about 1200 Elo.",
            "Static evaluation: ",
            ", Black to move",
            "about 1200 Elo",
            "Tabiya plays at about 400 Elo.",
            "beginner, novice, casual",
        ],
    );
    // The same as on the command line.
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut command = process::tabiya();
    let output = process::run(command.args(["eval", fen]), "").stdout;
    let text = String::from_utf8(output).unwrap();
    let played = session(&format!("play both\nfen {fen}\neval\nquit\n"), PLAIN);
    assert!(played.contains(&text), "{played} lacks {text}");
}

/// A person who does not know the program finds at once how to get an opponent of his strength.
#[test]
fn the_greeting_says_how_strong_it_plays_and_how_to_change_that() {
    let output = session("level beginner\nlevel elo 2600\nhelp level\nquit\n", PLAIN);
    let greeting: Vec<_> = output.split_ascii_whitespace().collect();
    let greeting = greeting.join(" ");
    for words in [
        "Tabiya plays at full strength, 1 s per move",
        "type level and a name such as beginner, level elo and a rating from 400 to 2600, or help level.",
        // What it names can be typed.
        "Tabiya plays at about 400 Elo.",
        "Tabiya plays at about 2600 Elo.",
        "level [NAME | 1-10 | elo RATING",
    ] {
        assert!(greeting.contains(words), "{output}");
    }
}

/// The board and the table of `eval` have their own widths; a FEN and a file name stay whole.
#[test]
fn texts_wrap_at_the_width_of_the_terminal() {
    struct Narrow(Vec<&'static str>, usize);
    impl Prompt for Narrow {
        fn read(&mut self, _: &str) -> io::Result<Option<String>> {
            Ok(self.0.pop().map(str::to_owned))
        }
        fn width(&mut self) -> Option<usize> {
            Some(self.1)
        }
    }
    for (columns, longest) in [(30, 30), (40, 40), (60, 60), (95, 95), (300, 100), (0, 80)] {
        let mut output = Vec::new();
        let script = [
            "quit",
            "analyse",
            "moves",
            "help all",
            "help",
            "draw",
            "e5",
            "e4",
            "level depth 6",
            "play both",
        ];
        let mut prompt = Narrow(script.to_vec(), columns);
        console::run(Engine::new().unwrap(), &mut prompt, &mut output, PLAIN).unwrap();
        let output = String::from_utf8(output).unwrap();
        // A usage is one word for the eye, and `help` indents what follows it.
        let is_text = |line: &&str| !line.starts_with("  ");
        let widest = output.lines().filter(is_text).map(str::len).max();
        assert!(widest.unwrap() <= longest, "{columns}: {output}");
        assert!(
            columns < 60 || widest.unwrap() > longest - 15,
            "{columns}: {output}"
        );
    }
}

#[test]
fn clocks_run_and_end_the_game() {
    // On a busy machine more than a second may pass between two lines.
    let assert_prints = |script, texts: &[_]| {
        let tries = (0..5).map(|_| prints(script, texts));
        let errors: Vec<_> = tries.map_while(Result::err).collect();
        assert!(errors.len() < 5, "{}", errors[0]);
    };
    assert_prints(
        "clock 5+3\nlevel nodes 50\ne4\nclock\nclock off\nclock\nquit\n",
        &[
            "White 5:00, Black 5:00; 5 min each, and 3 s per move.",
            "You played 1. e4.",
            "White 5:0",
            "The game has no clocks.",
            "The game has no clocks.",
        ],
    );
    // A wrong claim gives the opponent two minutes, and the named move is played (FIDE 9.5.3).
    assert_prints(
        "clock 1+59\nplay both\ndraw a3\nclock\nquit\n",
        &[
            "White cannot claim a draw",
            "1. a3 is played",
            "White 1:59, Black 3:00",
        ],
    );
    // In rapid and blitz it is one minute (FIDE A.3, B.3).
    assert_prints(
        "clock 1+58\nplay both\ndraw a3\nclock\nquit\n",
        &["White 1:58, Black 2:00"],
    );
    // An offer costs nothing.
    assert_prints(
        "clock 3+0\nplay both\ndraw a3\nclock\ne5\nb3\ndraw\nclock\nquit\n",
        &[
            "Black 4:00",
            "Black cannot claim a draw",
            "White 3:00, Black 4:00",
        ],
    );
    // The engine looks for a second before it answers an offer, on nobody's clock.
    assert_prints(
        "level 1\nclock 0.016+0\ne4\ndraw\nd4\nclock\nquit\n",
        &["Black declines the draw.", "2. d4"],
    );
    // A fallen flag does not keep anyone in the game.
    let mut prompt = Pressing::new(&["play both", "clock 0.005", "quit", "fen"]);
    prompt.delay = Duration::from_millis(400);
    let output = prompted(prompt);
    assert!(!output.contains("RNBQKBNR w"), "{output}");
    let mut prompt = Pressing::new(&["play both", "clock 0.005", "e4"]);
    prompt.delay = Duration::from_millis(400);
    let output = prompted(prompt);
    assert!(output.contains("Black wins on time"), "{output}");
}

/// Looking back through a game must not lose its last moves, and no clock runs meanwhile.
#[test]
fn a_game_that_is_looked_through_is_saved_whole_and_has_no_clock() {
    let folder = Folder::new("console_steps");
    folder.write("a.pgn", "[White \"A\"]\n\n1. f3 {why} e5 2. g4 Qh4# 0-1\n");
    let loaded = folder.path("a.pgn").display().to_string();
    let played = folder.path("b.pgn").display().to_string();
    assert_prints(
        &format!("clock 5+3\nload {loaded}\nback 2\nclock\nsave -f {loaded}\nquit\n"),
        &[
            "You play both sides; type play or go to change that. The game has no clocks.",
            "The game has no clocks.",
            "The game is saved",
        ],
    );
    let text = fs::read_to_string(&loaded).unwrap();
    assert!(
        text.ends_with("1. f3 {why} 1... e5 2. g4 Qh4# 0-1\n"),
        "{text}"
    );
    let moves = "f3\ne5\ng4\nQh4\n";
    assert_prints(
        &format!("play both\n{moves}back 4\nsave {played}\nquit\n"),
        &["The game is saved"],
    );
    let text = fs::read_to_string(&played).unwrap();
    assert!(text.ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"), "{text}");
    // What is played from there is another game.
    assert_prints(
        &format!("load {loaded}\nback 2\nd4\nsave -f {loaded}\nquit\n"),
        &["The game is saved"],
    );
    let text = fs::read_to_string(&loaded).unwrap();
    assert!(text.ends_with("1. f3 {why} 1... e5 2. d4 *\n"), "{text}");
    // Tabiya, which has played Black, does not go on by itself.
    assert_prints(
        "level 1\ne4\nresign\nback\nquit\n",
        &["You play both sides; type play or go to change that."],
    );
}

#[test]
fn a_fallen_flag_drops_no_command() {
    let folder = Folder::new("console_flag");
    let path = folder.path("t.pgn").display().to_string();
    let save: &'static str = format!("save {path}").leak();
    let mut prompt = Pressing::new(&["play both", "clock 0.005", save]);
    prompt.delay = Duration::from_millis(400);
    let output = prompted(prompt);
    assert!(output.contains("Black wins on time"), "{output}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.ends_with("0-1\n"), "{text}");
}

#[test]
fn with_a_clock_the_time_of_the_level_does_not_count() {
    assert_prints(
        "clock 5+3\nlevel time 0.1\nclock off\nlevel\nquit\n",
        &[
            "Tabiya plays at full strength, by its clock.",
            "Tabiya plays at full strength, 0.1 s per move.",
        ],
    );
}

#[test]
fn an_analysis_shows_a_line_once() {
    let script = "fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\nlevel depth 60\nanalyse\nquit\n";
    let output = session(script, PLAIN);
    assert_eq!(output.matches("1. Ra8#").count(), 1, "{output}");
}

/// Lines with a pause before each, then `presses` times Ctrl-C.
struct Pressing {
    lines: Vec<&'static str>,
    delay: Duration,
    presses: usize,
    interrupts: (Sender<String>, Receiver<String>),
}

impl Pressing {
    fn new(lines: &[&'static str]) -> Self {
        let mut lines = lines.to_vec();
        lines.reverse();
        Self {
            lines,
            delay: Duration::ZERO,
            presses: 0,
            interrupts: unbounded(),
        }
    }
}

impl Prompt for Pressing {
    fn read(&mut self, _: &str) -> io::Result<Option<String>> {
        thread::sleep(self.delay);
        let line = self.lines.pop();
        if self.lines.is_empty() && line.is_some() {
            let (presses, sender) = (self.presses, self.interrupts.0.clone());
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(300));
                (0..presses).for_each(|_| sender.send("stop".to_owned()).unwrap());
            });
        }
        Ok(line.map(str::to_owned))
    }

    fn interrupts(&self) -> Receiver<String> {
        self.interrupts.1.clone()
    }
}

fn prompted(mut prompt: Pressing) -> String {
    let mut output = Vec::new();
    console::run(Engine::new().unwrap(), &mut prompt, &mut output, PLAIN).unwrap();
    String::from_utf8(output).unwrap()
}

/// Ctrl-C makes the engine move at once; Ctrl-C twice cancels its move.
#[test]
fn control_c_stops_the_search_and_keeps_the_game() {
    for (presses, answer) in [(1, "Tabiya played 1... "), (2, "Tabiya does not move")] {
        // On a busy machine the answer to the first press may come before the second.
        let outputs = (0..5).map(|_| {
            let mut prompt = Pressing::new(&["level time 600", "e4"]);
            prompt.presses = presses;
            let start = Instant::now();
            let output = prompted(prompt);
            assert!(start.elapsed() < TIMEOUT, "{presses}");
            assert!(output.contains("You played 1. e4."), "{output}");
            output
        });
        let others: Vec<_> = outputs
            .take_while(|output| !output.contains(answer))
            .collect();
        assert!(others.len() < 5, "{presses}: {others:?}");
    }
}

#[test]
fn the_board_is_drawn_in_every_style() {
    let lines = "play both\nfen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\nRa8\nflip\nquit\n";
    let ascii = session(lines, PLAIN);
    assert!(ascii.contains(" 8 [R] .  .  . (k) .  .  . \n"), "{ascii}");
    assert!(ascii.contains("    h  g  f  e  d  c  b  a \n"), "{ascii}");
    assert!(ascii.contains("Black is to move, in check."), "{ascii}");
    let figures = session(
        lines,
        Style {
            ascii: false,
            ..PLAIN
        },
    );
    assert!(
        figures.contains(" 8 [♖] .  .  . (♚) .  .  . \n"),
        "{figures}"
    );
    let colors = session(
        lines,
        Style {
            ascii: false,
            color: true,
            ..PLAIN
        },
    );
    // The king in check is on red.
    assert!(
        colors.contains("\x1b[48;5;160;38;5;16m ♚ \x1b[0m"),
        "{colors}"
    );
}

#[test]
fn the_end_of_the_input_ends_the_session() {
    for script in [
        "",
        "play both\ne4",
        "help\n",
        "\n\n\n",
        "play both\n\u{fffd}",
    ] {
        assert!(session(script, PLAIN).starts_with("Tabiya "), "{script}");
    }
}
