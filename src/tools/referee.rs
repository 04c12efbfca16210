//! `tabiya referee`: answers questions about the rules. One JSON request a line, one JSON answer a
//! line.
//!
//! A request sets up a position and plays moves. It may also have texts to read as moves, and a PGN
//! text. The answer describes the last position by the rules. A line that is not a request, or
//! whose position or moves are illegal, gets `"ok": false` and a reason.

use crate::board::{Defect, Defects, ParsePositionError, Position, Severity, fen_deviations};
use crate::game::dead::{self, Winnability};
use crate::game::draw::{self, Claim};
use crate::game::encoding::{Utf8, without_mark};
use crate::game::lan::LanError;
use crate::game::pgn::{PgnGame, Reader};
use crate::game::{Draw, Game, GameResult, History, lan, opening, san};
use crate::types::{CastlingMode, Color, Move};
use serde::de::Deserializer;
use serde::de::value::MapDeserializer;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

/// The fields of requests and answers, for `tabiya referee --help`.
pub const HELP: &str = "\
Reads one JSON object a line and prints one JSON object for each, in the same order. A line that is
not a JSON object, or has an unknown field or a value of the wrong type, gets an error as its
answer. An empty line has no answer.

Request; all fields are optional:
  id             any value; repeated in the answer as it was written
  fen            start position [default: the standard start position]
  moves          list of moves from there, in coordinates (e2e4) or SAN (Nf3)
  chess960       true for castling by the rules of Chess960
  san            list of texts to read as moves in the last position
  pgn            PGN text to read, independent of the other fields

Answer, always:
  ok, error      whether the position is playable and all moves are legal; if not, why
  id             the id of the request, if it has one
About the FEN, if the line is a request:
  parse_ok, valid, class, errors
                 whether all of it was readable; true unless a test shows that the position
                 cannot arise in a game; the severity of the worst error (fatal, repair,
                 warn); the names of the errors
  fen_deviations
                 deviations from the FEN grammar of the PGN standard, one sentence each
About the last position, only if ok is true:
  fen, turn, castling, legal_ep, halfmove, fullmove
                 the position; legal_ep only if an en passant capture is legal
  legal_moves, san, san_last
                 the legal moves in coordinates, an object with the SAN of each, and the last
                 move in SAN
  in_check, n_checkers, checkmate, stalemate
                 the state of the side to move
  repetitions    how often the position has occurred, this time included
  claim_threefold_now, claim_fifty_now
                 whether the side to move can claim a draw at once (FIDE 9.2.2, 9.3.2)
  claim_threefold_with, claim_fifty_with
                 the same with each intended move (FIDE 9.2.1, 9.3.1)
  auto_draw      stalemate, insufficient, dead, fivefold or seventyfive; else null
  insufficient_material, dead, white_can_win, black_can_win
                 what the material allows, and what any series of legal moves can reach
                 (FIDE 5.2.2, 6.9); without a proof, a player can win
  helpmate       for each player, moves that lead to mate, if some are found
  opening        ECO code and name of the opening, or null
  result         1-0, 0-1, 1/2-1/2 or *, by this position alone
  over_at        only if more moves were given after the game was over: the number of moves up
                 to its end; with that many moves, result is the game's
About the texts, only if ok is true and the request has san:
  san_accept, san_reject, san_errors
                 the move of each text or null, the texts that are not moves, and why not
About the PGN, if the request has pgn, even if ok is false; all fields but pgn_games and the errors
describe the first game:
  pgn_games, pgn_moves, pgn_plies, pgn_complete
                 number of games, moves in coordinates as one text, number of moves, and whether
                 all of them were read
  pgn_result, pgn_result_tag, pgn_header
                 the result, the Result tag as Tabiya would write it, all tags written in the same
                 way
  pgn_errors, pgn_faults
                 number of errors, and a sentence for each";

/// A request; all fields are optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RefereeRequest {
    /// Any value; repeated in the answer as it was written, also a number that is too large here.
    #[serde(deserialize_with = "written")]
    id: Option<Box<RawValue>>,
    /// Start position; `None` for the standard one.
    fen: Option<String>,
    /// Moves from there, in coordinates or SAN.
    moves: Vec<String>,
    /// Whether castling follows the rules of Chess960.
    chess960: bool,
    /// Texts to read as moves in the last position.
    san: Option<Vec<String>>,
    /// PGN text, independent of the other fields.
    pgn: Option<String>,
}

/// Keeps a value as it was written. A null is a value too.
fn written<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(value).map(Some)
}

/// An answer. Parts that do not apply are left out.
#[derive(Debug, Default, Serialize)]
struct RefereeAnswer {
    /// Whether the position is playable and all moves are legal.
    ok: bool,
    /// If not, why.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The id of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Box<RawValue>>,
    #[serde(flatten)]
    setup: Option<SetupAnswer>,
    #[serde(flatten)]
    position: Option<PositionAnswer>,
    #[serde(flatten)]
    texts: Option<TextsAnswer>,
    #[serde(flatten)]
    pgn: Option<PgnAnswer>,
}

/// About the start position.
#[derive(Debug, Serialize)]
struct SetupAnswer {
    /// Whether the FEN was readable and no number was too large.
    parse_ok: bool,
    /// True unless a test shows that the position cannot arise in a game.
    valid: bool,
    /// Severity of the worst error: `fatal`, `repair` or `warn`.
    class: Option<&'static str>,
    /// Names of the errors.
    errors: Vec<&'static str>,
    /// Deviations from the FEN grammar of the PGN standard, one sentence each.
    fen_deviations: Vec<String>,
}

/// About the last position.
#[derive(Debug, Serialize)]
struct PositionAnswer {
    fen: String,
    turn: char,
    legal_moves: Vec<String>,
    /// SAN by coordinates, for each legal move.
    san: BTreeMap<String, String>,
    /// The last move in SAN.
    san_last: Option<String>,
    in_check: bool,
    n_checkers: u32,
    checkmate: bool,
    stalemate: bool,
    castling: String,
    legal_ep: Option<String>,
    halfmove: u32,
    fullmove: u32,
    /// How often the position has occurred, this time included.
    repetitions: u32,
    claim_threefold_now: bool,
    claim_fifty_now: bool,
    claim_threefold_with: BTreeMap<String, bool>,
    claim_fifty_with: BTreeMap<String, bool>,
    auto_draw: Option<&'static str>,
    insufficient_material: bool,
    /// Proven: neither player can mate by any series of legal moves (FIDE 5.2.2).
    dead: bool,
    /// False only if it is proven that White cannot mate by any series of legal moves (FIDE 6.9).
    white_can_win: bool,
    /// The same for Black.
    black_can_win: bool,
    /// Moves that lead to mate, for each player for whom some were found.
    helpmate: BTreeMap<&'static str, Vec<String>>,
    /// ECO code and name of the opening.
    opening: Option<&'static str>,
    result: &'static str,
    /// Number of moves after which the game was over, if more moves were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    over_at: Option<usize>,
}

/// About the texts to read as moves.
#[derive(Debug, Serialize)]
struct TextsAnswer {
    /// The move of each text in coordinates, or null.
    san_accept: BTreeMap<String, Option<String>>,
    /// The texts that are not moves.
    san_reject: Vec<String>,
    /// Why each of these is not a move.
    san_errors: BTreeMap<String, String>,
}

/// About a PGN text. All fields but the number of games and the errors describe the first game.
#[derive(Debug, Serialize)]
struct PgnAnswer {
    pgn_games: usize,
    pgn_moves: String,
    pgn_plies: usize,
    pgn_complete: bool,
    pgn_result: &'static str,
    pgn_result_tag: String,
    pgn_header: BTreeMap<String, String>,
    pgn_errors: usize,
    /// Errors, one sentence each.
    pgn_faults: Vec<String>,
}

/// Answers requests until the input ends.
///
/// # Errors
/// If reading or writing fails. A bad request is not an error.
///
/// ```
/// use tabiya::tools::referee;
/// let mut answers = Vec::new();
/// let requests = br#"{"moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}
/// nonsense
/// "#;
/// referee::run(&requests[..], &mut answers).unwrap();
/// let answers = String::from_utf8(answers).unwrap();
/// let (mate, nonsense) = answers.split_once('\n').unwrap();
/// assert!(mate.contains(r#""checkmate":true"#) && mate.contains(r#""result":"0-1""#));
/// assert!(nonsense.starts_with(r#"{"ok":false,"error":"#));
/// ```
pub fn run(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut input = Utf8::new(input);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if !line.trim_ascii().is_empty() {
            let text = str::from_utf8(&line).map(without_mark);
            let answer = match read_request(text.map_or(&line, str::as_bytes)) {
                Ok(request) => answer(&request),
                Err((id, reason)) => RefereeAnswer {
                    id,
                    error: Some(format!("not a request: {reason}")),
                    ..RefereeAnswer::default()
                },
            };
            serde_json::to_writer(&mut output, &answer)?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

/// Reads a request. The error is the id, which a bad request may have too, and the reason.
fn read_request(line: &[u8]) -> Result<RefereeRequest, (Option<Box<RawValue>>, String)> {
    let mut fields: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(line)
        .map_err(|_| (None, "a request is a JSON object on one line".to_owned()))?;
    let all = || {
        let fields = fields.iter();
        fields.map(|(name, value)| (name.as_str(), value.as_ref()))
    };
    let error = match from_fields(all()) {
        Ok(request) => return Ok(request),
        Err(error) => error.to_string(),
    };
    let mut wrong = all().filter(|&field| from_fields(std::iter::once(field)).is_err());
    let reason = match wrong.next() {
        Some((name, _)) if !error.starts_with("unknown field") => {
            format!("the value of the field `{name}` has the wrong type")
        }
        _ => error,
    };
    Err((fields.remove("id"), reason))
}

fn from_fields<'a>(
    fields: impl Iterator<Item = (&'a str, &'a RawValue)>,
) -> serde_json::Result<RefereeRequest> {
    RefereeRequest::deserialize(MapDeserializer::new(fields))
}

fn answer(request: &RefereeRequest) -> RefereeAnswer {
    let mode = CastlingMode::from_chess960(request.chess960);
    let mut answer = RefereeAnswer {
        id: request.id.clone(),
        ..RefereeAnswer::default()
    };
    match set_up(request.fen.as_deref(), mode) {
        Ok((position, setup)) => {
            answer.setup = Some(setup);
            match replay(position, &request.moves, mode) {
                Ok((game, over_at)) => {
                    answer.ok = true;
                    answer.position = Some(PositionAnswer::new(&game, over_at));
                    let texts = request.san.as_deref();
                    answer.texts = texts.map(|texts| TextsAnswer::new(&game, texts));
                }
                Err(error) => answer.error = Some(error),
            }
        }
        Err(error) => {
            answer.setup = Some(match &error {
                ParsePositionError::Fen(_) => SetupAnswer::unreadable(),
                ParsePositionError::Setup(setup) => {
                    SetupAnswer::new(request.fen.as_deref().unwrap_or_default(), setup.0)
                }
            });
            answer.error = Some(error.to_string());
        }
    }
    answer.pgn = request.pgn.as_deref().map(PgnAnswer::new);
    answer
}

/// Sets up the start position.
fn set_up(
    fen: Option<&str>,
    mode: CastlingMode,
) -> Result<(Position, SetupAnswer), ParsePositionError> {
    let Some(fen) = fen else {
        return Ok((Position::start(), SetupAnswer::new("", Defects::default())));
    };
    let validated = Position::from_fen_repaired(fen, Some(mode))?;
    Ok((validated.position, SetupAnswer::new(fen, validated.defects)))
}

/// Plays the moves, also after a draw by rule. Returns the game and `over_at`, or why a move cannot
/// be played.
fn replay(
    position: Position,
    moves: &[String],
    mode: CastlingMode,
) -> Result<(Game, Option<usize>), String> {
    let mut game = Game::new(position, mode);
    let mut over_at = None;
    for (index, text) in moves.iter().enumerate() {
        if game.outcome().is_some() {
            over_at = over_at.or(Some(index));
        }
        read_move(game.position(), text)
            .and_then(|mv| game.replay(mv).map_err(|error| error.to_string()))
            .map_err(|reason| format!("move {}: {reason}", index + 1))?;
    }
    Ok((game, over_at))
}

/// The number of moves after which the game was over, if more were given. `known` is the one by the
/// tests after each move; a position before it may be dead by a longer proof.
///
/// What follows a dead position is dead, so halving finds where that began. A game of 200 moves
/// takes nine proofs at most, and only if its end is dead.
fn first_end(history: &History, known: Option<usize>, is_dead_at_end: bool) -> Option<usize> {
    let is_dead = |position: &Position| dead::is_dead(position, dead::RULING_NODES);
    let plies = history.moves().len();
    let positions: Vec<_> = history
        .positions()
        .take(known.unwrap_or(plies) + 1)
        .collect();
    let (last, earlier) = positions.split_last()?;
    let is_over_by_death = match known {
        Some(_) => is_dead(last),
        None => is_dead_at_end,
    };
    if !is_over_by_death {
        return known;
    }
    let first = earlier.partition_point(|position| !is_dead(position));
    (first < plies).then_some(first)
}

/// Reads a move in coordinates or SAN.
fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    match lan::parse(position, text) {
        Err(LanError::Syntax(_)) => san::parse(position, text).map_err(|error| error.to_string()),
        read => read.map_err(|error| error.to_string()),
    }
}

impl SetupAnswer {
    /// About a readable FEN; an empty text stands for no FEN.
    fn new(fen: &str, defects: Defects) -> Self {
        let deviations = match fen {
            "" => Vec::new(),
            fen => fen_deviations(fen),
        };
        Self {
            fen_deviations: deviations.iter().map(ToString::to_string).collect(),
            parse_ok: !defects.contains(Defect::ClockOverflow),
            valid: defects.is_empty(),
            class: defects.severity().map(class_of),
            errors: defects.iter().map(Defect::name).collect(),
        }
    }

    const fn unreadable() -> Self {
        Self {
            parse_ok: false,
            valid: false,
            class: Some(class_of(Severity::Fatal)),
            errors: Vec::new(),
            fen_deviations: Vec::new(),
        }
    }
}

const fn class_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Suspicious => "warn",
        Severity::Repairable => "repair",
        Severity::Fatal => "fatal",
    }
}

impl PositionAnswer {
    fn new(game: &Game, over_at: Option<usize>) -> Self {
        let (history, position) = (game.history(), game.position());
        let write = |mv| lan::write(mv, game.mode());
        let moves = position.legal_moves();
        let mut legal_moves: Vec<_> = moves.iter().map(|&mv| write(mv)).collect();
        legal_moves.sort();
        let fen = position.to_fen(game.mode());
        let [white, black] =
            Color::ALL.map(|color| dead::analyse(position, color, dead::RULING_NODES).winnability);
        let [white_can_win, black_can_win] =
            [&white, &black].map(|winnability| *winnability != Winnability::Unwinnable);
        // The game itself has only had the quick test after each move.
        let is_dead = !white_can_win && !black_can_win;
        let over_at = first_end(history, over_at, is_dead);
        // Where the game has ended, there is nothing to claim.
        let is_over = is_dead || game.outcome().is_some();
        let claim_now = |claim: Claim| !is_over && claim.holds_now(history);
        let claim_with = |claim: Claim| {
            let holds = |&mv: &Move| (write(mv), !is_over && claim.holds_with(history, mv));
            moves.iter().map(holds).collect()
        };
        let auto_draw = draw::automatic(history).and_then(name_of);
        let result = if is_dead {
            GameResult::Drawn
        } else {
            game.result()
        };
        let line = |winnability| match winnability {
            Winnability::Winnable(moves) => Some(moves.into_iter().map(write).collect()),
            Winnability::Unwinnable | Winnability::Unknown => None,
        };
        let helpmate = [("white", line(white)), ("black", line(black))]
            .into_iter()
            .filter_map(|(name, line)| line.map(|line| (name, line)))
            .collect();
        Self {
            turn: position.side_to_move().letter(),
            san: moves
                .iter()
                .map(|&mv| (write(mv), san::write(position, mv)))
                .collect(),
            san_last: last_move(history),
            in_check: position.in_check(),
            n_checkers: position.checkers().len(),
            checkmate: moves.is_empty() && position.in_check(),
            stalemate: moves.is_empty() && !position.in_check(),
            castling: fen.split(' ').nth(2).unwrap_or_default().to_owned(),
            legal_ep: position.en_passant().map(|square| square.to_string()),
            halfmove: position.halfmove_clock(),
            fullmove: position.fullmove_number(),
            repetitions: history.occurrences(),
            claim_threefold_now: claim_now(Claim::Threefold),
            claim_fifty_now: claim_now(Claim::FiftyMoves),
            claim_threefold_with: claim_with(Claim::Threefold),
            claim_fifty_with: claim_with(Claim::FiftyMoves),
            auto_draw: auto_draw.or(is_dead.then_some("dead")),
            insufficient_material: position.is_insufficient_material(),
            dead: is_dead,
            white_can_win,
            black_can_win,
            helpmate,
            opening: opening::name(history),
            result: result.token(),
            over_at,
            legal_moves,
            fen,
        }
    }
}

/// The name of a draw that needs no claim or agreement.
const fn name_of(draw: Draw) -> Option<&'static str> {
    match draw {
        Draw::Stalemate => Some("stalemate"),
        Draw::InsufficientMaterial => Some("insufficient"),
        Draw::DeadPosition => Some("dead"),
        Draw::FivefoldRepetition => Some("fivefold"),
        Draw::SeventyFiveMoves => Some("seventyfive"),
        Draw::Agreement
        | Draw::ThreefoldRepetition
        | Draw::FiftyMoves
        | Draw::Time
        | Draw::Resignation => None,
    }
}

fn last_move(history: &History) -> Option<String> {
    let (position, mv) = history.steps().last()?;
    Some(san::write(position, mv))
}

impl TextsAnswer {
    fn new(game: &Game, texts: &[String]) -> Self {
        let mut answer = Self {
            san_accept: BTreeMap::new(),
            san_reject: Vec::new(),
            san_errors: BTreeMap::new(),
        };
        for text in texts {
            let read = san::parse(game.position(), text);
            if let Err(error) = &read {
                answer.san_reject.push(text.clone());
                answer.san_errors.insert(text.clone(), error.to_string());
            }
            let mv = read.ok().map(|mv| lan::write(mv, game.mode()));
            answer.san_accept.insert(text.clone(), mv);
        }
        answer
    }
}

impl PgnAnswer {
    fn new(text: &str) -> Self {
        // Reading from memory cannot fail.
        let games: Vec<_> = Reader::new(text.as_bytes())
            .filter_map(Result::ok)
            .collect();
        let first = games.first().map(|read| &read.game);
        let moves: Vec<_> = first.map(moves_of).unwrap_or_default();
        let faults = games.iter().flat_map(|read| &read.errors);
        let pgn_faults: Vec<_> = faults.map(ToString::to_string).collect();
        let header = first.map(PgnGame::tags).unwrap_or_default();
        let pgn_header: BTreeMap<_, _> = header
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into_owned()))
            .collect();
        Self {
            pgn_games: games.len(),
            pgn_plies: moves.len(),
            pgn_moves: moves.join(" "),
            pgn_complete: games.first().is_none_or(|read| read.is_complete),
            pgn_result: first.map_or("*", |game| game.result().token()),
            pgn_result_tag: pgn_header.get("Result").cloned().unwrap_or_default(),
            pgn_header,
            pgn_errors: pgn_faults.len(),
            pgn_faults,
        }
    }
}

fn moves_of(game: &PgnGame) -> Vec<String> {
    let moves = game.history().moves();
    moves.map(|mv| lan::write(mv, game.mode())).collect()
}
