//! `tabiya convert`: training games from PGN with scores.
//!
//! OpenBench plays the games of a DATAGEN workload on many machines and stores them as PGN. A
//! comment after each move has its score: `{+0.25/7, line=31}`. The number after `line=` is the
//! engine's own score, which it sent as `info string pgncomment 31`. The score before it was
//! normalised for people. It counts only if the caller names the model, because a wrong model
//! teaches the network wrong values.
//!
//! A wrong move or a wrong result teaches nothing, so such games are left out and reported.
//! OpenBench drops the `Termination` tag. A game lost on time or by a crash is then recognised by
//! its scores: the last ones do not favour the winner.

use super::datagen::{Files, Totals};
use super::files::{STANDARD, named, open_input, refuse_standard};
use super::progress::{Progress, status};
use super::viriformat::{GameError, MAX_GAME_PLIES, ScoredPosition, TrainingGame, fits};
use crate::board::Position;
use crate::engine::{WdlModel, denormalized_score};
use crate::game::GameResult;
use crate::game::pgn::{Note, PgnErrorKind, PgnGame, ReadGame, Reader};
use crate::types::{MAX_PLY, Score};
use clap::Parser;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Convert PGN games with scores into training games
///
/// Reads games as fastchess, cutechess and OpenBench write them, with a comment such as {+0.25/7}
/// or {+0.25/7, line=31} after each move. Scores are from the view of the side that
/// moved. The number after 'line=' is the engine's own score. Writes the games to GAMES.vf in
/// viriformat, and the settings and totals to GAMES.jsonl. Games with errors are left out, counted
/// and reported on standard error.
#[derive(Debug, Clone, PartialEq, serde::Serialize, Parser)]
#[command(name = "convert")]
pub struct Settings {
    /// File of games, or '-' for standard input.
    #[arg(value_name = "FILE", default_value = STANDARD)]
    pub file: PathBuf,
    /// Output file, which must not exist.
    #[arg(long, value_name = "GAMES.vf")]
    #[serde(skip)]
    pub out: PathBuf,
    /// Where a move has no 'line=', use the score before the depth, normalised by MODEL: 'shipped'
    /// for this engine's model, or the two values 'half' of 'tabiya-train wdl', such as 244,75.
    /// 100,100 stands for plain centipawns. [default: such a move has no score]
    #[arg(long, value_name = "MODEL", value_parser = parse_model)]
    pub normalized_by: Option<WdlModel>,
}

/// The text is not a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelError;

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 'shipped' or two positive numbers such as 244,75")
    }
}

impl std::error::Error for ModelError {}

fn parse_model(text: &str) -> Result<WdlModel, ModelError> {
    if text == "shipped" {
        return Ok(WdlModel::SHIPPED);
    }
    let number = |text: &str| {
        let number: f64 = text.trim().parse().ok()?;
        (number > 0.0 && number.is_finite()).then_some(number)
    };
    let (empty, full) = text.split_once(',').ok_or(ModelError)?;
    let half = [empty, full].map(number);
    let [Some(empty), Some(full)] = half else {
        return Err(ModelError);
    };
    Ok(WdlModel {
        half: [empty, full],
        ..WdlModel::SHIPPED
    })
}

/// Why a game was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reason {
    /// The PGN has an error; the text names it.
    Pgn(PgnErrorKind),
    /// No termination marker.
    CutOff,
    /// The result is unknown.
    NoResult,
    /// The `Termination` tag says that the game was lost on time, by a crash or by an illegal move.
    Forfeit(String),
    /// A decisive result that the scores do not support.
    Contradiction,
    /// The start position has too many pieces for the format.
    TooManyPieces,
    /// The game has too many moves for the format.
    TooManyMoves,
    /// No move has a score.
    NoScores,
}

impl Reason {
    /// The name under which such games are counted.
    const fn name(&self) -> &'static str {
        match self {
            Self::Pgn(_) => "errors in the PGN",
            Self::CutOff => "cut off",
            Self::NoResult => "unknown result",
            Self::Forfeit(_) => "forfeits",
            Self::Contradiction => "results against the scores",
            Self::TooManyPieces => "too many pieces",
            Self::TooManyMoves => "too many moves",
            Self::NoScores => "without scores",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pgn(kind) => kind.fmt(f),
            Self::CutOff => GameError::CutOff.fmt(f),
            Self::NoResult => f.write_str("the result is unknown"),
            Self::Forfeit(termination) => write!(f, "the termination is '{termination}'"),
            Self::Contradiction => f.write_str("the last scores do not favour the winner"),
            Self::TooManyPieces => GameError::TooManyPieces.fmt(f),
            Self::TooManyMoves => GameError::TooManyMoves.fmt(f),
            Self::NoScores => f.write_str("no move has a score"),
        }
    }
}

/// What a run has written and left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Converted {
    /// Games written, and their positions with a score.
    #[serde(flatten)]
    pub totals: Totals,
    /// Games left out, by reason.
    pub left_out: BTreeMap<&'static str, u64>,
}

impl fmt::Display for Converted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals {
            games, positions, ..
        } = self.totals;
        let plural = |count| if count == 1 { "" } else { "s" };
        let (of_games, of_positions) = (plural(games), plural(positions));
        writeln!(
            f,
            "{games} game{of_games}, {positions} position{of_positions}"
        )?;
        for (reason, count) in &self.left_out {
            writeln!(f, "left out: {count} ({reason})")?;
        }
        Ok(())
    }
}

/// Maximum number of games left out that are reported one by one.
const MAX_REPORTS: u64 = 20;

/// Reads the games and writes those that can be used. Memory is needed for one game.
///
/// # Errors
/// If a file cannot be read or written, an output file exists or is `-`, the games have the name
/// of the manifest, or no game can be used. Games written before an error stay. Without any, no
/// file is left.
pub fn run(settings: &Settings) -> io::Result<Converted> {
    refuse_standard(&settings.out, "--out")?;
    let manifest_path = settings.out.with_extension("jsonl");
    // Some systems do not distinguish capital letters in names.
    if settings
        .out
        .as_os_str()
        .eq_ignore_ascii_case(&manifest_path)
    {
        let reason = "is the name of the manifest: give the games another one, such as GAMES.vf";
        let reason = format!("{} {reason}", settings.out.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    let (input, name) = open_input(&settings.file)?;
    let head = json!({ "engine": env!("CARGO_PKG_VERSION"), "settings": settings });
    let create = || Files::create(&manifest_path, std::slice::from_ref(&settings.out), &head);
    // Whether this works is found out now. But the files stay only with a game: a run that is
    // interrupted before leaves nothing that would refuse the next one.
    create()?.remove_if_empty();
    let mut files = None;
    let converted = convert(
        name,
        Reader::new(BufReader::new(input)),
        settings.normalized_by.as_ref(),
        |game| {
            let files = match &mut files {
                Some(files) => files,
                None => files.insert(create()?),
            };
            files.games[0].append(game)
        },
    );
    if converted.is_err()
        && let Some(files) = files.take()
    {
        files.remove_if_empty();
    }
    let converted = converted?;
    let Some(files) = files else {
        let has_scores = !converted.left_out.contains_key(Reason::NoScores.name());
        let hint = if has_scores || settings.normalized_by.is_some() {
            ""
        } else {
            "; --normalized-by uses scores such as +0.25/7"
        };
        let error = io::Error::other(format!("no game can be used{hint}"));
        return Err(named(name)(error));
    };
    files.end(&converted)?;
    Ok(converted)
}

/// Passes each game that can be used to `write`, and reports the others. `name` is that of the
/// input.
fn convert(
    name: &Path,
    reader: Reader<impl BufRead>,
    model: Option<&WdlModel>,
    mut write: impl FnMut(&TrainingGame) -> io::Result<()>,
) -> io::Result<Converted> {
    let mut converted = Converted::default();
    let mut reports = 0;
    let progress = Progress::new("games", None);
    for (read, number) in reader.zip(1_u64..) {
        let read = read.map_err(named(name))?;
        match training_game(&read, model) {
            Ok(game) => {
                write(&game)?;
                converted.totals.add(&game);
            }
            Err((line, reason)) => {
                *converted.left_out.entry(reason.name()).or_default() += 1;
                reports += 1;
                if reports <= MAX_REPORTS {
                    status(&format!("game {number}, line {line}: {reason}; left out"));
                }
                if reports == MAX_REPORTS {
                    status("games left out after this one are only counted");
                }
            }
        }
        progress.advance(1, &format!("{reports} left out"));
    }
    progress.clear();
    Ok(converted)
}

/// The training game of a game in PGN, or why there is none, with the line.
fn training_game(
    read: &ReadGame,
    model: Option<&WdlModel>,
) -> Result<TrainingGame, (usize, Reason)> {
    let harmful = read.errors.iter().find(|error| is_harmful(&error.kind));
    if let Some(error) = harmful {
        let reason = match error.kind {
            // The comment that a cut left open.
            PgnErrorKind::OpenComment => Reason::CutOff,
            ref kind => Reason::Pgn(kind.clone()),
        };
        return Err((error.line, reason));
    }
    let result = result(read).map_err(|reason| (read.line, reason))?;
    let game = &read.game;
    let history = game.history();
    let steps = history.steps().zip(1..);
    let scored = |((position, best), plies): ((&Position, _), _)| ScoredPosition {
        position: *position,
        best: Some(best),
        score: white_score(game.notes(plies), position, model),
    };
    let converted = TrainingGame {
        start: *history.start(),
        positions: steps.map(scored).collect(),
        result,
        tree: Vec::new(),
    };
    let reason = if !fits(history.start().occupied()) {
        Reason::TooManyPieces
    } else if converted.positions.len() > MAX_GAME_PLIES {
        Reason::TooManyMoves
    } else if converted
        .positions
        .iter()
        .all(|scored| scored.score.is_none())
    {
        Reason::NoScores
    } else if history.position().has_legal_move() && contradicts(&converted) {
        Reason::Contradiction
    } else {
        return Ok(converted);
    };
    Err((read.line, reason))
}

/// Whether moves or the result of a game with this error may be wrong.
const fn is_harmful(error: &PgnErrorKind) -> bool {
    !matches!(
        error,
        PgnErrorKind::Repaired(_) | PgnErrorKind::Reserved(_) | PgnErrorKind::NonStandard(_)
    )
}

/// The result of a game, if it can be believed.
fn result(read: &ReadGame) -> Result<GameResult, Reason> {
    if !read.is_terminated {
        return Err(Reason::CutOff);
    }
    if let Some(termination) = forfeit(&read.game) {
        return Err(Reason::Forfeit(termination));
    }
    match read.game.result() {
        GameResult::Unknown => Err(Reason::NoResult),
        result => Ok(result),
    }
}

/// Words of `Termination` tags by which a game did not end on the board: lost by the clock, the
/// connection, a crash, an illegal move or an arbiter, or not ended at all.
const FORFEITS: [&str; 17] = [
    "time",
    "forfeit",
    "disconnect",
    "connection",
    "stall",
    "crash",
    "illegal",
    "abandon",
    "interrupt",
    "emergency",
    "death",
    "infraction",
    "default",
    "no result",
    "aborted",
    "terminated",
    "unplayed",
];

/// The `Termination` tag, if the game ended neither on the board nor by adjudication.
///
/// An engine can lose on time in any position, so such a result says nothing about the position.
/// The tag is free text, and most reasons leave the result valid, such as `checkmate`,
/// `3-fold repetition` and `GUI adjudication`, so the words of the others are listed.
fn forfeit(game: &PgnGame) -> Option<String> {
    let termination = game.tag("Termination")?;
    let text = termination.to_ascii_lowercase();
    let is_forfeit = FORFEITS.iter().any(|word| text.contains(word));
    is_forfeit.then(|| termination.into_owned())
}

/// Whether a side has won, and neither of the last two scores favours it.
fn contradicts(game: &TrainingGame) -> bool {
    let Some(winner) = game.result.winner() else {
        return false;
    };
    let scores = game
        .positions
        .iter()
        .rev()
        .filter_map(|scored| scored.score);
    scores.take(2).all(|score| score.relative_to(winner).0 <= 0)
}

/// The score among the notes after a move, from White's point of view. `position` is the one before
/// the move.
fn white_score(notes: &[Note], position: &Position, model: Option<&WdlModel>) -> Option<Score> {
    let comments = || {
        notes.iter().filter_map(|note| match note {
            Note::Comment(text) => Some(text.as_str()),
            _ => None,
        })
    };
    let shown = || {
        let shown = comments().find_map(shown_score)?;
        Some(denormalized_score(shown, model?, position))
    };
    let score = comments().find_map(own_score).or_else(shown)?;
    Some(score.for_white(position.side_to_move()))
}

/// The engine's own score: `line=31` as OpenBench writes it, or `line="info string pgncomment 31"`
/// as fastchess does.
fn own_score(comment: &str) -> Option<Score> {
    comment.split("line=").skip(1).find_map(|text| {
        let text = text.trim_start_matches('"');
        let text = text.strip_prefix("info string pgncomment ").unwrap_or(text);
        let end = text.find([',', '"', ' ']).unwrap_or(text.len());
        let score = Score(text[..end].parse().ok()?);
        (-Score::MATE..=Score::MATE)
            .contains(&score)
            .then_some(score)
    })
}

/// The score before the depth, `+0.25/7` in pawns or `-M4/20` in plies to mate.
fn shown_score(comment: &str) -> Option<Score> {
    let word = comment.split([' ', ',']).next()?;
    let (score, depth) = word.split_once('/')?;
    depth.parse::<u32>().ok()?;
    let (is_negative, score) = match score.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, score.strip_prefix('+').unwrap_or(score)),
    };
    let score = match score.strip_prefix('M') {
        Some(plies) => Score::mate_in(plies.parse().ok().filter(|&plies| plies <= MAX_PLY)?),
        None => {
            let is_plain = score
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.');
            let pawns: f64 = score.parse().ok().filter(|_| is_plain)?;
            let centipawns = Score((100.0 * pawns).round() as i32);
            Some(centipawns).filter(|&score| score < Score::MATE_BOUND)?
        }
    };
    Some(if is_negative { -score } else { score })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// A disk that fails.
    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk fails"))
        }
    }

    #[test]
    fn games_before_a_read_error_are_written() {
        let text = "1. e4 {line=1} e5 {line=2} 1/2-1/2\n\n1. d4 {line=3} d5 {li";
        let reader = Reader::new(BufReader::new(text.as_bytes().chain(Failing)));
        let mut written = 0;
        let converted = convert(Path::new("a.pgn"), reader, None, |game| {
            written += game.positions.len();
            Ok(())
        });
        let error = converted.unwrap_err().to_string();
        assert_eq!((error.as_str(), written), ("a.pgn: the disk fails", 2));
    }

    #[test]
    fn scores_are_found_in_comments() {
        #[rustfmt::skip]
        let table: &[(&str, Option<i32>, Option<i32>)] = &[
            ("+0.25/7", None, Some(25)),
            ("0.00/1", None, Some(0)),
            ("-1.07/12, line=-88", Some(-88), Some(-107)),
            ("+M5/20", None, Some(31_995)),
            ("-M4/9 0.012s, n=500", None, Some(-31_996)),
            ("+0.31/9 0.004s, n=1011, sd=14, line=\"info string pgncomment 31\"", Some(31), Some(31)),
            ("+0.31/9 0.004s, line=\"info string x\", line=\"info string pgncomment -7\", White mates", Some(-7), Some(31)),
            ("line=31999", Some(31_999), None),
            ("line=32001", None, None),
            ("line=3.5", None, None),
            ("line=", None, None),
            ("unknown", None, None),
            ("book", None, None),
            ("ERR/0", None, None),
            ("+0.25", None, None),
            ("nan/3", None, None),
            ("+1e9/3", None, None),
            ("--1e99/3", None, None),
            ("+-5/3", None, None),
            ("+99999999999/3", None, None),
            ("+M9999/3", None, None),
            ("[%eval 0.3]", None, None),
            ("", None, None),
        ];
        for &(comment, own, shown) in table {
            assert_eq!(own_score(comment), own.map(Score), "{comment}");
            assert_eq!(shown_score(comment), shown.map(Score), "{comment}");
        }
    }

    #[test]
    fn models_are_named_by_a_word_or_two_numbers() {
        assert_eq!(parse_model("shipped"), Ok(WdlModel::SHIPPED));
        assert_eq!(parse_model("244, 75").unwrap().half, [244.0, 75.0]);
        for text in ["", "244", "0,75", "244,-1", "244,nan", "a,b", "1,2,3"] {
            assert_eq!(parse_model(text), Err(ModelError), "{text}");
        }
    }
}
