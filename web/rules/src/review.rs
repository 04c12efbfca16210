//! The review of a game as a call from JavaScript: the page searches, this judges.

use crate::line::legal_line;
use serde::{Deserialize, Serialize};
use tabiya::board::Position;
use tabiya::engine::strength::{MAX_ELO, MIN_ELO, NAMED_LEVELS};
use tabiya::game::san::{self, SanError};
use tabiya::game::{History, lan};
use tabiya::review::{ENDINGS, Evaluation, Goal, Mark, SHOWN_PLIES, Summary, moves};
use tabiya::types::{CastlingMode, Color, MAX_PLY, Move, Score};
use wasm_bindgen::prelude::*;

/// A game and what the engine says of its positions.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    fen: Option<String>,
    #[serde(default)]
    chess960: bool,
    /// Moves in coordinates or SAN.
    #[serde(default)]
    moves: Vec<String>,
    /// The best line of each position, the start first; null where the game is over.
    lines: Vec<Option<Line>>,
}

/// A line as the engine's `info` says it.
#[derive(Deserialize)]
struct Line {
    score: ShownScore,
    #[serde(default)]
    pv: Vec<String>,
}

/// A score for the side to move, as UCI shows it.
#[derive(Deserialize)]
struct ShownScore {
    cp: Option<i32>,
    mate: Option<i32>,
}

#[derive(Serialize)]
struct ReviewAnswer {
    positions: Vec<PositionAnswer>,
    moves: Vec<MoveAnswer>,
    white: PlayerAnswer,
    black: PlayerAnswer,
}

#[derive(Serialize)]
struct PositionAnswer {
    /// White's expected score, 0 to 1.
    expected: f64,
    /// White's score in pawns, or such as `#3`.
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<BestAnswer>,
}

#[derive(Serialize)]
struct BestAnswer {
    uci: String,
    san: String,
    /// The line in SAN, with move numbers.
    line: String,
    moves: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveAnswer {
    /// Number of moves before and with this one.
    ply: usize,
    color: &'static str,
    /// Such as `12... Qxc4`.
    text: String,
    is_best: bool,
    is_good: bool,
    /// Loss of expected score.
    loss: f64,
    accuracy: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<MarkAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<ReasonAnswer>,
}

#[derive(Serialize)]
struct MarkAnswer {
    name: &'static str,
    sign: &'static str,
}

#[derive(Serialize)]
struct ReasonAnswer {
    text: String,
    /// The text without the line.
    fact: String,
    /// Whether the line begins instead of the move.
    missed: bool,
    moves: Vec<String>,
}

#[derive(Serialize)]
struct PlayerAnswer {
    moves: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    /// One sentence with all of this.
    text: String,
}

/// Judges the moves of a game: JSON in, JSON out. `web/engine/rules.d.ts` has the types.
///
/// # Errors
/// If the position cannot be played or a move is not legal.
#[wasm_bindgen]
pub fn review(request: &str) -> Result<String, JsError> {
    let answer = judge(request).map_err(|error| JsError::new(&error))?;
    Ok(serde_json::to_string(&answer)?)
}

fn judge(request: &str) -> Result<ReviewAnswer, String> {
    let request: Request = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let wanted = request.chess960.then_some(CastlingMode::Chess960);
    let (start, mode) = match &request.fen {
        None => (Position::start(), wanted.unwrap_or(CastlingMode::Standard)),
        Some(fen) => {
            let read =
                Position::from_fen_repaired(fen, wanted).map_err(|error| error.to_string())?;
            (read.position, read.mode)
        }
    };
    let mut history = History::new(start);
    for (number, text) in (1..).zip(&request.moves) {
        let read = match san::parse(history.position(), text) {
            Err(SanError::Null) => history.pass(),
            Ok(mv) => history.play(mv),
            Err(error) => return Err(format!("move {number}: {error}")),
        };
        read.map_err(|error| format!("move {number}: {error}"))?;
    }
    let positions: Vec<Position> = history.positions().copied().collect();
    let evaluations: Vec<Evaluation> = positions
        .iter()
        .zip(&request.lines)
        .map(|(position, line)| {
            let score = line.as_ref().map(|line| line.score.score());
            let pv = line.as_ref().map(|line| legal_line(position, &line.pv));
            evaluation(position, score, pv.unwrap_or_default())
        })
        .collect();
    let write = |mv: Move| lan::write(mv, mode);
    let moves = (1..)
        .zip(moves(&history, &evaluations))
        .map(|(ply, review)| {
            let reason = review.reason();
            MoveAnswer {
                ply,
                color: review.mover().name(),
                text: san::write_line(review.position, &[review.played]),
                is_best: review.is_best(),
                is_good: review.is_good(),
                loss: review.loss(),
                accuracy: review.accuracy(),
                mark: review.mark().map(|mark| MarkAnswer {
                    name: mark.name(),
                    sign: mark.sign(),
                }),
                reason: reason.map(|reason| ReasonAnswer {
                    text: reason.sentence(review.position, review.played),
                    fact: format!("{}.", reason.fact),
                    missed: reason.fact.is_missed(),
                    moves: reason.line.iter().copied().map(write).collect(),
                }),
            }
        });
    let player = |color| player(&Summary::of(color, &history, &evaluations));
    Ok(ReviewAnswer {
        moves: moves.collect(),
        white: player(Color::White),
        black: player(Color::Black),
        positions: positions
            .iter()
            .zip(&evaluations)
            .map(|(position, evaluation)| describe(position, evaluation, mode))
            .collect(),
    })
}

/// The evaluation by a score for the side to move, as it is shown; without one the game counts as
/// over.
pub(crate) fn evaluation(position: &Position, shown: Option<Score>, line: Vec<Move>) -> Evaluation {
    match shown.filter(|_| position.has_legal_move()) {
        Some(score) => Evaluation::of_shown(position, score, line),
        None => Evaluation::of_end(position),
    }
}

impl ShownScore {
    fn score(&self) -> Score {
        match (self.mate, self.cp) {
            (Some(moves), _) => mate(moves),
            (None, cp) => Score::evaluation(cp.unwrap_or(0)),
        }
    }
}

/// A mate in this many moves, negative if the side to move is mated.
pub(crate) fn mate(moves: i32) -> Score {
    let count = (moves.unsigned_abs() as usize).min(MAX_PLY / 2);
    if moves > 0 {
        Score::mate_in(2 * count - 1)
    } else {
        Score::mated_in(2 * count)
    }
}

fn describe(position: &Position, evaluation: &Evaluation, mode: CastlingMode) -> PositionAnswer {
    let line = evaluation
        .line
        .get(..SHOWN_PLIES.min(evaluation.line.len()));
    let line = line.unwrap_or_default();
    let turn = position.side_to_move();
    let text = match evaluation.score {
        Some(score) => score.for_white(turn).in_pawns(),
        None if !position.is_checkmate() => "0.00".to_owned(),
        None if turn == Color::White => "#-0".to_owned(),
        None => "#0".to_owned(),
    };
    PositionAnswer {
        expected: evaluation.expected,
        text,
        best: line.first().map(|&mv| BestAnswer {
            uci: lan::write(mv, mode),
            san: san::write(position, mv),
            line: san::write_line(position, line),
            moves: line.iter().map(|&mv| lan::write(mv, mode)).collect(),
        }),
    }
}

fn player(summary: &Summary) -> PlayerAnswer {
    PlayerAnswer {
        moves: summary.moves(),
        accuracy: summary.accuracy(),
        loss: summary.loss(),
        inaccuracies: summary.count(Mark::Inaccuracy),
        mistakes: summary.count(Mark::Mistake),
        blunders: summary.count(Mark::Blunder),
        text: summary.to_string(),
    }
}

/// The levels of strength that have a name, the weakest first: JSON, such as
/// `{ "lowest": 400, "highest": 2600, "named": [{ "name": "beginner", "elo": 400 }] }`.
#[wasm_bindgen]
#[must_use]
pub fn levels() -> String {
    let named = NAMED_LEVELS.map(|(name, elo)| serde_json::json!({ "name": name, "elo": elo }));
    serde_json::json!({ "lowest": MIN_ELO, "highest": MAX_ELO, "named": named }).to_string()
}

/// The endings to practise: a list in JSON.
#[wasm_bindgen]
#[must_use]
pub fn endings() -> String {
    let endings = ENDINGS.map(|ending| {
        serde_json::json!({
            "theme": ending.theme,
            "name": ending.name,
            "fen": ending.fen,
            "side": ending.side.name(),
            "goal": if ending.goal == Goal::Win { "win" } else { "draw" },
            "idea": ending.idea,
        })
    });
    serde_json::json!(endings.to_vec()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blunder_gets_its_mark_the_better_move_and_the_reason() {
        let request = r#"{
            "fen": "6k1/1b3ppp/8/8/3N4/8/5PPP/3R2K1 w - - 0 12",
            "moves": ["Nc6"],
            "lines": [
                { "score": { "cp": 300 }, "pv": ["d4b5", "g7g6"], "depth": 9 },
                { "score": { "cp": 100 }, "pv": ["b7c6"] }
            ]
        }"#;
        let answer = serde_json::to_value(judge(request).unwrap()).unwrap();
        let mv = &answer["moves"][0];
        assert_eq!(mv["text"], "12. Nc6");
        assert_eq!(mv["mark"]["sign"], "??");
        assert_eq!(mv["reason"]["text"], "Loses the knight: 12... Bxc6.");
        assert_eq!(mv["reason"]["fact"], "Loses the knight.");
        assert_eq!(
            (&mv["isBest"], &mv["isGood"]),
            (&false.into(), &false.into())
        );
        assert_eq!(answer["positions"][0]["best"]["line"], "12. Nb5 g6");
        assert_eq!(answer["positions"][1]["text"], "-1.00");
        assert_eq!(answer["white"]["blunders"], 1);
        assert_eq!(answer["black"]["text"], "no moves");
    }

    #[test]
    fn a_game_with_a_null_move_is_reviewed() {
        let request = r#"{ "moves": ["b1c3", "0000", "d2d4"], "lines": [
            { "score": { "cp": 20 }, "pv": ["e2e4"] }, { "score": { "cp": -20 }, "pv": ["e7e5"] },
            { "score": { "cp": 80 }, "pv": ["d2d4"] }, { "score": { "cp": -80 }, "pv": ["d7d5"] }
        ] }"#;
        let answer = judge(request).unwrap();
        let texts: Vec<_> = answer.moves.iter().map(|mv| mv.text.as_str()).collect();
        assert_eq!(texts, ["1. Nc3", "1... --", "2. d4"]);
    }

    #[test]
    fn a_move_that_loses_hardly_anything_is_as_good_as_the_best_but_not_if_it_loses_a_mate() {
        let is_good = |before: &str, played: &str, after: &str| {
            let request = format!(
                r#"{{ "fen": "6k1/1b3ppp/8/8/3N4/8/5PPP/3R2K1 w - - 0 12", "moves": ["{played}"],
                "lines": [{{ "score": {before}, "pv": ["d4b5"] }}, {{ "score": {after} }}] }}"#
            );
            judge(&request).unwrap().moves[0].is_good
        };
        assert!(is_good(r#"{"cp":300}"#, "Nb5", r#"{"cp":300}"#));
        assert!(is_good(r#"{"cp":300}"#, "Nb3", r#"{"cp":-290}"#));
        assert!(!is_good(r#"{"cp":100}"#, "Nb3", r#"{"cp":-40}"#));
        assert!(is_good(r#"{"mate":3}"#, "Nb3", r#"{"mate":-4}"#));
        assert!(!is_good(r#"{"mate":3}"#, "Nb3", r#"{"cp":-1500}"#));
    }

    #[test]
    fn ends_and_mates_have_scores_of_their_own() {
        let request = r#"{
            "moves": ["f3", "e5", "g4", "Qh4"],
            "lines": [
                { "score": { "cp": 20 }, "pv": ["e2e4"] },
                { "score": { "cp": 20 }, "pv": ["e7e5"] },
                { "score": { "cp": -60 }, "pv": ["e2e4"] },
                { "score": { "mate": 1 }, "pv": ["d8h4"] },
                null
            ]
        }"#;
        let answer = serde_json::to_value(judge(request).unwrap()).unwrap();
        assert_eq!(answer["positions"][3]["text"], "#-1");
        assert_eq!(answer["positions"][4]["text"], "#-0");
        assert_eq!(answer["positions"][4]["expected"], 0.0);
        assert_eq!(
            answer["moves"][2]["reason"]["text"],
            "Allows mate in 1: 2... Qh4#."
        );
        assert_eq!(answer["moves"][3]["isBest"], true);
        for wrong in [
            "",
            "{}",
            r#"{"lines":[],"moves":["e5"]}"#,
            r#"{"lines":[],"fen":"x"}"#,
        ] {
            assert!(judge(wrong).is_err(), "{wrong}");
        }
        for mate in [i32::MIN, i32::MAX, 0] {
            let request = format!(r#"{{"lines":[{{"score":{{"mate":{mate}}}}}]}}"#);
            assert!(judge(&request).is_ok(), "{mate}");
        }
    }
}
