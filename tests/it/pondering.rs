//! Pondering: what holds while the engine thinks on the opponent's time, and at the ponder hit.

use crate::random_games::KIWIPETE;
use crate::session::{InProcess, Peer, play};
use std::num::NonZeroU64;
use std::thread;
use std::time::{Duration, Instant};
use tabiya::board::Position;
use tabiya::game::lan;
use tabiya::search::{
    Answer, Handicap, Limits, Progress, Report, SearchRequest, SearchSettings, Searcher,
    TimeControl,
};
use tabiya::types::CastlingMode;

const MATE_IN_4: &str = "8/8/8/8/8/4k3/8/R3K2R w KQ - 0 1";

/// A clock that is far from empty.
fn hour() -> Option<TimeControl> {
    Some(TimeControl {
        remaining: Duration::from_secs(3600),
        ..TimeControl::default()
    })
}

fn request(fen: &str, limits: Limits, handicap: Option<Handicap>) -> SearchRequest {
    let settings = SearchSettings {
        // The clock counts nodes, so that the test does not depend on the machine.
        node_rate: NonZeroU64::new(1_000),
        handicap,
        ..SearchSettings::default()
    };
    SearchRequest {
        settings,
        ..SearchRequest::new(Position::from_fen(fen).unwrap(), limits)
    }
}

/// Ponders, with a ponder hit in the middle of an iteration, the first after a line for which
/// `is_time` holds. Returns the depth completed before the hit, if it came, and the answer.
fn ponder(
    request: &SearchRequest,
    is_time: impl Fn(&Report) -> bool + Sync,
) -> (Option<u32>, Answer) {
    let request = SearchRequest {
        limits: Limits {
            ponder: true,
            ..request.limits.clone()
        },
        ..request.clone()
    };
    let token = &request.token;
    let (mut reached, mut depth_at_hit) = (None, None);
    let mut report = |progress: Progress| match progress {
        Progress::Line(line) if is_time(&line) => reached = Some(line.depth),
        Progress::Tick if reached.is_some() && !token.has_ponderhit() => {
            depth_at_hit = reached;
            token.ponderhit(None);
        }
        _ => {}
    };
    let mut searcher = Searcher::new(4).unwrap();
    let answer = searcher.search(&request, &mut report).unwrap();
    (depth_at_hit, answer)
}

/// An ordinary search would have ended before this iteration.
#[test]
fn a_search_that_has_enough_at_the_ponder_hit_answers_at_once() {
    let position = Position::from_fen(KIWIPETE).unwrap();
    let only_move = Limits {
        clock: hour(),
        searchmoves: vec![position.legal_moves()[0]],
        ..Limits::default()
    };
    let mate = Limits {
        clock: hour(),
        ..Limits::default()
    };
    let wanted_mate = Limits {
        mate: Some(20),
        ..Limits::default()
    };
    let soft_nodes = Limits {
        soft_nodes: Some(1_000),
        ..Limits::default()
    };
    let little_time = Limits {
        clock: Some(TimeControl {
            remaining: Duration::from_secs(60),
            ..TimeControl::default()
        }),
        ..Limits::default()
    };
    for (name, fen, limits) in [
        ("one legal move", KIWIPETE, only_move),
        ("a mate", MATE_IN_4, mate),
        ("the mate of the limits", MATE_IN_4, wanted_mate),
        ("soft nodes", KIWIPETE, soft_nodes),
        ("soft time", KIWIPETE, little_time),
    ] {
        let (depth, answer) = ponder(&request(fen, limits, None), |line| {
            let mate = line.score.moves_to_mate();
            line.depth > 8
                && (fen != MATE_IN_4 || mate.is_some_and(|n| line.depth as i32 > 2 * n + 1))
        });
        assert!(depth.is_some(), "{name}");
        assert_eq!(depth, Some(answer.depth), "{name}");
    }
    // With time and moves to choose from, the search goes on.
    let limits = Limits {
        clock: hour(),
        ..Limits::default()
    };
    let (depth, answer) = ponder(&request(KIWIPETE, limits, None), |line| line.depth > 8);
    assert!(depth.unwrap() < answer.depth, "{depth:?} {}", answer.depth);
}

#[test]
fn a_level_sees_no_more_on_the_opponents_time() {
    let limits = Limits {
        clock: hour(),
        ..Limits::default()
    };
    for (glances, nodes) in [(0, 2_000), (1000, 0)] {
        let handicap = Handicap {
            nodes: 2_000,
            error: 50,
            glances,
            seed: 1,
        };
        let request = request(KIWIPETE, limits.clone(), Some(handicap));
        let (_, answer) = ponder(&request, |line| line.depth > 8);
        assert_eq!(answer.nodes, nodes);
        assert!(answer.best.is_some());
    }
}

/// Lets an engine that shows its thinking move as soon as it knows a reply to expect, or by itself
/// before. Returns the move.
fn moved(peer: &mut InProcess) -> String {
    let mut is_asked = false;
    loop {
        let line = peer.receive().unwrap();
        if let Some(mv) = line.strip_prefix("move ") {
            peer.send("nopost");
            return mv.to_owned();
        }
        // The first iterations may know no reply. A line of a ponder search has parentheses.
        let numbers = line.split_once('\t').map(|(numbers, _)| numbers);
        let depth = numbers.and_then(|numbers| numbers.split(' ').next());
        let is_deep = depth.is_some_and(|depth| depth.parse::<u32>().unwrap() >= 5);
        if is_deep && !line.contains('(') && !is_asked {
            peer.send_all(&["nopost", "?"]);
            is_asked = true;
        }
    }
}

/// The reply that the engine expects.
fn hint(peer: &mut InProcess) -> String {
    peer.send("hint");
    loop {
        let line = peer.receive().unwrap();
        if let Some(reply) = line.strip_prefix("Hint: ") {
            return reply.to_owned();
        }
    }
}

/// Plays `e2e4` against an engine that ponders, and returns the reply that it expects.
fn pondering(limits: &[&str]) -> (InProcess, String) {
    let mut peer = InProcess::start();
    peer.send_all(&["xboard", "new", "hard", "post", "level 0 1000:00 0"]);
    peer.send_all(limits);
    peer.send("usermove e2e4");
    moved(&mut peer);
    let reply = hint(&mut peer);
    (peer, reply)
}

/// The clock of the ponder search alone would allow half an hour.
#[test]
fn the_move_after_a_ponder_hit_obeys_the_newest_limits() {
    for line in [
        "time 100",
        "level 0 0:01 0",
        "st 0.2",
        "sd 4",
        "nps 10",
        "option Skill Level=0",
        "time 60000\noption nodestime=1",
    ] {
        let (mut peer, reply) = pondering(&[]);
        thread::sleep(Duration::from_millis(100));
        line.lines().for_each(|line| peer.send(line));
        peer.send(&format!("usermove {reply}"));
        let answer = peer.receive();
        let is_move = answer
            .as_ref()
            .is_some_and(|text| text.starts_with("move "));
        assert!(is_move, "{line}: {answer:?}");
        peer.finish();
    }
}

#[test]
fn more_time_at_the_ponder_hit_is_used() {
    let (mut peer, reply) = pondering(&["st 0.1"]);
    let start = Instant::now();
    peer.send("st 1.5");
    peer.send(&format!("usermove {reply}"));
    play("more time", ".. move *", &mut peer);
    let time = start.elapsed();
    assert!(time > Duration::from_secs(1), "{time:?}");
    peer.finish();
}

/// The ponder search of the smaller depth has ended.
#[test]
fn more_depth_at_the_ponder_hit_is_used() {
    let (mut peer, reply) = pondering(&["sd 2"]);
    thread::sleep(Duration::from_millis(200));
    peer.send_all(&["post", "sd 7", &format!("usermove {reply}")]);
    let mut deepest = 0;
    loop {
        let line = peer.receive().unwrap();
        if line.starts_with("move ") {
            break;
        }
        // A line before the hit begins with the expected move.
        if line.contains('(') {
            continue;
        }
        let depth: u32 = line.split(' ').next().unwrap().parse().unwrap();
        deepest = depth.max(deepest);
    }
    assert_eq!(deepest, 7);
    peer.finish();
}

#[test]
fn a_ponder_search_that_has_ended_has_its_line_at_the_hit() {
    let (mut peer, reply) = pondering(&["sd 2"]);
    thread::sleep(Duration::from_millis(200));
    peer.send("post");
    peer.send(&format!("usermove {reply}"));
    loop {
        let line = peer.receive().unwrap();
        assert!(line.contains('\t'), "{line}");
        // On a busy machine a line of the ponder search may come as late as this.
        if !line.contains('(') {
            break;
        }
    }
    play("the move", ".. move *", &mut peer);
    peer.finish();
}

/// python-chess sends the limits before every move.
#[test]
fn limits_do_not_restart_a_ponder_search() {
    let (mut peer, _) = pondering(&["sd 60"]);
    thread::sleep(Duration::from_millis(500));
    peer.send_all(&[
        "level 0 99:00 0",
        "time 550000",
        "otim 560000",
        "sd 60",
        "nps -1",
    ]);
    peer.send(".");
    // "stat01: " and the centiseconds since the search began.
    let centiseconds = loop {
        let line = peer.receive().unwrap();
        if let Some(status) = line.strip_prefix("stat01: ") {
            let time = status.split(' ').next().unwrap();
            break time.parse::<u32>().unwrap();
        }
    };
    assert!(centiseconds >= 50, "{centiseconds}");
    peer.finish();
}

/// The engine already plays the side that is not on move.
#[test]
fn playother_goes_on_pondering() {
    for lines in [
        &["playother"][..],
        &["white"],
        &["force", "playother"],
        &["force", "white"],
        &["easy", "hard"],
        &["force", "hard", "playother"],
        &["exclude all", "playother"],
        &["memory 2"],
        // Commands about the engine's own move.
        &["?"],
        &["draw"],
    ] {
        let (mut peer, reply) = pondering(&[]);
        peer.send_all(lines);
        // A search that has been stopped has ended by then.
        thread::sleep(Duration::from_millis(50));
        let script =
            format!("> .\n< stat01: *\n> ping 1\n< pong 1\n> usermove {reply}\n> ?\n< move *");
        play(&lines.join(", "), &script, &mut peer);
        peer.finish();
    }
    // Without pondering, or with the other side, nothing or another search runs.
    for lines in [
        &["easy"][..],
        &["easy", "playother"],
        &["force"],
        &["force", "hard"],
    ] {
        let (mut peer, _) = pondering(&[]);
        peer.send_all(lines);
        play(&lines.join(", "), "> .\n> ping 1\n< pong 1", &mut peer);
        peer.finish();
    }
}

/// Moves that were expected and moves that were not, all while the ponder search runs.
#[test]
fn each_move_of_the_opponent_gets_one_move() {
    let mut peer = InProcess::start();
    peer.send_all(&["xboard", "new", "hard", "level 0 1000:00 0"]);
    let mut position = Position::start();
    let mut text = "e2e4".to_owned();
    for is_next_expected in [true, true, false, false, true, false, true] {
        let mv = lan::parse(&position, &text).unwrap();
        position = position.play(mv).unwrap();
        peer.send_all(&["post", &format!("usermove {text}")]);
        let reply = lan::parse(&position, &moved(&mut peer)).unwrap();
        position = position.play(reply).unwrap();
        play(
            "one move",
            "> .\n< stat01: *\n> ping 1\n< pong 1",
            &mut peer,
        );
        text = hint(&mut peer);
        if !is_next_expected {
            let expected = lan::parse(&position, &text).unwrap();
            // A quiet game does not end early.
            let quiet = ["a2a3", "h2h3", "c2c3", "d2d3", "a3a4", "h3h4"];
            let quiet = quiet
                .into_iter()
                .flat_map(|text| lan::parse(&position, text));
            let mut moves = quiet.chain(position.legal_moves());
            let other = moves.find(|&mv| mv != expected);
            text = lan::write(other.unwrap(), CastlingMode::Standard);
        }
    }
    let rest = peer.finish();
    assert!(rest.is_empty(), "{rest:?}");
}

/// There is no position to search until the board is finished.
#[test]
fn nothing_is_searched_while_the_board_is_edited() {
    for lines in [
        &["edit"][..],
        &["edit", "hard"],
        &["edit", "playother"],
        &["edit", "go"],
        &["edit", "usermove d2d4"],
        &["analyze", "edit", "option MultiPV=2"],
        &["edit", "analyze"],
        &["edit", "hint"],
    ] {
        let (mut peer, _) = pondering(&[]);
        peer.send_all(lines);
        let name = lines.join(", ");
        play(&name, "> ping 1\n.. pong 1", &mut peer);
        thread::sleep(Duration::from_millis(300));
        peer.send("?");
        play(&name, "> ping 2\n< pong 2", &mut peer);
        peer.finish();
    }
}
