//! Texts sent to XBoard.
//!
//! XBoard takes any line that contains "Draw", or begins with "White", "Black" or a result, for a
//! claim. Only result lines may contain these words.

use crate::board::Position;
use crate::book::BookMove;
use crate::engine::{Holds, Kind, OPTIONS, OptionSpec, OptionValues, normalized_score};
use crate::game::pgn::printable;
use crate::game::{lan, san};
use crate::search::{Bound, Report};
use crate::types::{CastlingMode, Move, Score};
use std::cmp::Reverse;
use std::fmt::Write;

/// Options that are not features: XBoard has commands for the first seven, and the last four
/// concern the commands and the output of UCI. `SyzygyPath` is a feature: XBoard has a command for
/// it too, `egtpath`, but no dialog.
const HIDDEN_OPTIONS: [&str; 11] = [
    "Hash",
    "Threads",
    "Ponder",
    "UCI_Chess960",
    "nodestime",
    "UCI_AnalyseMode",
    "UCI_Opponent",
    "UCI_ShowWDL",
    "Minimal",
    "SoftNodes",
    "PgnComment",
];

/// The `feature` lines.
pub(super) fn features() -> String {
    let mut text = format!(
        "feature myname=\"Tabiya {}\" variants=\"normal,fischerandom\"\n\
         feature ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=1 reuse=1 analyze=1 exclude=1\n\
         feature sigint=0 sigterm=0 colors=0 ics=1 name=1 pause=0 nps=1 debug=1\n\
         feature memory=1 smp=1\n\
         feature egt=\"syzygy\"\n",
        env!("CARGO_PKG_VERSION"),
    );
    for option in OPTIONS {
        if !HIDDEN_OPTIONS.contains(&option.name) {
            let _ = writeln!(text, "feature option=\"{}\"", describe(option));
        }
    }
    text + "feature done=1\n"
}

fn describe(option: &OptionSpec) -> String {
    let name = option.name;
    let mut defaults = OptionValues::default();
    match option.kind {
        Kind::Spin { min, max, get, .. } => {
            format!("{name} -spin {} {min} {max}", get(&defaults))
        }
        Kind::Check { field } => format!("{name} -check {}", u8::from(*field(&mut defaults))),
        Kind::Text { holds, .. } => {
            let kind = match holds {
                Holds::Words => "string",
                Holds::File => "file",
                Holds::Folders => "path",
            };
            format!("{name} -{kind} ")
        }
        Kind::Button { .. } => format!("{name} -button"),
    }
}

/// The move in coordinates; in Chess960, castling is `O-O` or `O-O-O`.
pub(super) fn move_text(mv: Move, mode: CastlingMode) -> String {
    match (mode, mv.castling_side()) {
        (CastlingMode::Chess960, Some(side)) => side.to_string(),
        _ => lan::write(mv, CastlingMode::Standard),
    }
}

/// A line of thinking output: depth, score, time in centiseconds, nodes; the numbers that XBoard
/// shows in columns of their own, which are selective depth, thousands of nodes per second and
/// tablebase hits; and after a tab the PV in SAN.
///
/// The root follows the last move of `before`, or the move that the opponent is expected to play,
/// which stands in parentheses before the PV.
pub(super) fn thinking(before: &Position, expected: Option<Move>, report: &Report) -> String {
    let root = expected.map_or(*before, |mv| before.play_unchecked(mv));
    let milliseconds = report.time.as_millis().max(1);
    let mut text = format!(
        "{} {} {} {} {} {} {}\t",
        report.depth,
        score(normalized_score(report.score, &root)),
        report.time.as_millis() / 10,
        report.nodes,
        report.selective_depth,
        u128::from(report.nodes) / milliseconds,
        report.tablebase_hits,
    );
    if let Some(mv) = expected {
        let _ = write!(text, "({}) ", san::write(before, mv));
    }
    text += &san::write_moves(&root, &report.pv);
    // XBoard expects the marks of bounds at the end of the line.
    text += match report.bound {
        Bound::Exact => "\n",
        Bound::Lower => " !\n",
        Bound::Upper => " ?\n",
    };
    text
}

/// The answer to `bk`: book moves by weight, in lines that begin with a blank, then an empty line.
pub(super) fn book(moves: &[BookMove], mode: CastlingMode) -> String {
    let total: u32 = moves.iter().map(|known| u32::from(known.weight)).sum();
    let mut moves = moves.to_vec();
    moves.sort_by_key(|known| Reverse(known.weight));
    let mut text = String::new();
    if moves.is_empty() {
        text += " no book move\n";
    }
    for known in moves {
        let share = 100.0 * f64::from(known.weight) / f64::from(total.max(1));
        let _ = writeln!(text, " {} {share:.0} %", move_text(known.mv, mode));
    }
    text + "\n"
}

/// The score in centipawns. Mate in N moves is 100000+N, and being mated is -100000-N.
fn score(score: Score) -> i32 {
    const MATE: i32 = 100_000;
    match score.moves_to_mate() {
        None => score.0,
        Some(moves) if score.is_win() => MATE + moves,
        Some(moves) => -MATE + moves,
    }
}

/// A line that quotes the peer or the name of a file. "Draw" is replaced, so that XBoard does not
/// take it for a claim, and so are control characters, which may reach a terminal.
pub(super) fn quoting(line: &str) -> String {
    printable(line).replace("Draw", "draw") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};
    use std::time::Duration;

    #[test]
    fn mates_are_counted_from_100000() {
        let scores = [
            Score(-35),
            Score::mate_in(1),
            Score::mate_in(5),
            Score::mated_in(0),
            Score::mated_in(4),
        ];
        assert_eq!(
            scores.map(score),
            [-35, 100_001, 100_003, -100_000, -100_002]
        );
    }

    #[test]
    fn bounds_are_marked_at_the_end_of_the_line() {
        let line = |bound| {
            let report = Report {
                depth: 9,
                selective_depth: 14,
                multi_pv: 1,
                score: Score::mate_in(7),
                bound,
                is_known: false,
                nodes: 1_234_567,
                time: Duration::from_millis(560),
                tablebase_hits: 3,
                hashfull: 0,
                pv: vec![Move::normal(Square::E2, Square::E4)],
            };
            thinking(&Position::start(), None, &report)
        };
        assert_eq!(
            [Bound::Exact, Bound::Lower, Bound::Upper].map(line),
            [
                "9 100004 56 1234567 14 2204 3\te4\n",
                "9 100004 56 1234567 14 2204 3\te4 !\n",
                "9 100004 56 1234567 14 2204 3\te4 ?\n"
            ]
        );
    }

    /// XBoard plays a PV through from the position on its board, before the expected move.
    #[test]
    fn the_expected_move_stands_before_the_line() {
        let report = Report {
            depth: 3,
            selective_depth: 3,
            multi_pv: 1,
            score: Score(0),
            bound: Bound::Exact,
            is_known: false,
            nodes: 99,
            time: Duration::ZERO,
            tablebase_hits: 0,
            hashfull: 0,
            pv: vec![
                Move::normal(Square::E7, Square::E5),
                Move::normal(Square::G1, Square::F3),
            ],
        };
        let expected = Some(Move::normal(Square::E2, Square::E4));
        assert_eq!(
            thinking(&Position::start(), expected, &report),
            "3 0 0 99 3 99 0\t(e4) e5 Nf3\n"
        );
    }

    #[test]
    fn castling_depends_on_the_variant() {
        let castling = Move::new(Square::E1, Square::A1, MoveKind::Castling);
        assert_eq!(move_text(castling, CastlingMode::Standard), "e1c1");
        assert_eq!(move_text(castling, CastlingMode::Chess960), "O-O-O");
    }

    #[test]
    fn features_list_every_option_once_and_end_with_done() {
        let text = features();
        assert!(text.ends_with("feature done=1\n") && text.matches("done=").count() == 1);
        for option in OPTIONS {
            let shown = text.matches(&format!("option=\"{} -", option.name)).count();
            assert_eq!(
                shown,
                usize::from(!HIDDEN_OPTIONS.contains(&option.name)),
                "{}",
                option.name
            );
        }
        assert!(!text.contains("Draw"));
    }
}
