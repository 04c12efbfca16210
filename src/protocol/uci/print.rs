//! Prints the output of UCI.

use crate::board::Position;
use crate::engine::{
    EMPTY_TEXT, Engine, Kind, OPTIONS, OptionValues, normalized_score, win_draw_loss,
};
use crate::game::{Game, lan};
use crate::search::{Bound, Report, What, nodes_per_second};
use crate::types::{File, Rank, Score, Square};
use std::io::{self, Write};

/// The answer to `help`, for a person who types UCI by hand.
pub(super) const HELP: &str = "\
Tabiya is a chess engine for use in a chess program. Commands:
  position startpos moves e2e4 e7e5    or: position fen FEN moves ...
  go depth 12                          or: movetime 1000 (milliseconds), nodes 100000, infinite, perft 5
  stop                                 end the search
  d                                    show the position
  eval                                 evaluate the position without a search
  setoption name Hash value 128        set an option ('uci' lists them)
  bench                                search fixed positions
  quit
For a game in the terminal, run: tabiya play. For other commands, run: tabiya help.
";

/// Options that are not listed: UCI has no way to resign.
const HIDDEN_OPTIONS: [&str; 1] = ["Resign"];

pub(super) fn identity(output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "id name Tabiya {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(output, "id author the Tabiya authors")?;
    let mut defaults = OptionValues::default();
    let shown = OPTIONS
        .iter()
        .filter(|option| !HIDDEN_OPTIONS.contains(&option.name));
    for option in shown {
        write!(output, "option name {} type ", option.name)?;
        match option.kind {
            Kind::Spin { min, max, get, .. } => {
                let default = get(&defaults);
                writeln!(output, "spin default {default} min {min} max {max}")?;
            }
            Kind::Check { field } => writeln!(output, "check default {}", field(&mut defaults))?,
            Kind::Text { .. } => writeln!(output, "string default {EMPTY_TEXT}")?,
            Kind::Button { .. } => writeln!(output, "button")?,
        }
    }
    #[cfg(feature = "tune")]
    for parameter in crate::search::PARAMETERS {
        let (name, value) = (parameter.name, parameter.value);
        let (min, max) = (parameter.min, parameter.max);
        writeln!(
            output,
            "option name {name} type spin default {value} min {min} max {max}"
        )?;
    }
    writeln!(output, "uciok")
}

/// Prints what a search reports.
pub(super) fn report(
    output: &mut impl Write,
    engine: &Engine,
    root: &Position,
    what: &What,
) -> io::Result<()> {
    let mode = engine.castling_mode();
    match what {
        What::Line(report) => info(output, engine, root, report),
        What::CurrentMove(current) => writeln!(
            output,
            "info depth {} currmove {} currmovenumber {}",
            current.depth,
            lan::write(current.mv, mode),
            current.number
        ),
        What::Answer(answer) => {
            // The score of a move from the book is a static evaluation and says nothing about the
            // game.
            if engine.settings().pgn_comment && answer.depth > 0 {
                writeln!(output, "info string pgncomment {}", answer.score.0)?;
            }
            let best = answer.best.map(|mv| lan::write(mv, mode));
            write!(output, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
            match answer.ponder {
                None => writeln!(output),
                Some(mv) => writeln!(output, " ponder {}", lan::write(mv, mode)),
            }
        }
        What::PerftMove(mv, nodes) => writeln!(output, "{}: {nodes}", lan::write(*mv, mode)),
        What::Perft(Some(nodes)) => writeln!(output, "\nNodes searched: {nodes}\n"),
        What::Perft(None) => writeln!(output, "info string perft was stopped"),
        What::Bench(Ok(result)) => writeln!(output, "{result}"),
        What::Bench(Err(error)) => writeln!(output, "info string {error}"),
        What::Refused(refusal) => writeln!(output, "info string {refusal}"),
    }
}

/// Prints a line of play.
pub(super) fn info(
    output: &mut impl Write,
    engine: &Engine,
    root: &Position,
    report: &Report,
) -> io::Result<()> {
    let mode = engine.castling_mode();
    let milliseconds = report.time.as_millis();
    let nps = nodes_per_second(report.nodes, report.time);
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    write!(
        output,
        "info depth {} seldepth {} multipv {} score {}{bound}",
        report.depth,
        report.selective_depth,
        report.multi_pv,
        normalized_score(report.score, root),
    )?;
    if engine.settings().show_wdl {
        let [win, draw, loss] = if report.is_known && report.score == Score::DRAW {
            [0, 1000, 0]
        } else {
            win_draw_loss(report.score, root)
        };
        write!(output, " wdl {win} {draw} {loss}")?;
    }
    write!(
        output,
        " nodes {} nps {nps} hashfull {} tbhits {} time {milliseconds}",
        report.nodes, report.hashfull, report.tablebase_hits,
    )?;
    for (index, &mv) in report.pv.iter().enumerate() {
        write!(
            output,
            "{} {}",
            if index == 0 { " pv" } else { "" },
            lan::write(mv, mode)
        )?;
    }
    writeln!(output)
}

/// Prints the board, its FEN and key, the checkers, and the counts that decide draw claims.
pub(super) fn position(output: &mut impl Write, game: &Game) -> io::Result<()> {
    let position = game.position();
    board(output, position)?;
    let checkers: Vec<_> = position
        .checkers()
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    writeln!(output, "Fen: {}", position.to_fen(game.mode()))?;
    writeln!(output, "Key: {}", position.key())?;
    writeln!(output, "Checkers: {}", checkers.join(" "))?;
    writeln!(
        output,
        "Occurrences of this position: {}",
        game.history().occurrences()
    )?;
    writeln!(
        output,
        "Half-moves without capture or pawn move: {}",
        position.halfmove_clock()
    )
}

fn board(output: &mut impl Write, position: &Position) -> io::Result<()> {
    const RULE: &str = " +---+---+---+---+---+---+---+---+";
    writeln!(output, "\n{RULE}")?;
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = position
                .piece_at(Square::new(file, rank))
                .map_or(' ', |piece| piece.letter());
            write!(output, " | {piece}")?;
        }
        writeln!(output, " | {rank}\n{RULE}")?;
    }
    writeln!(output, "   a   b   c   d   e   f   g   h\n")
}
