//! The rules as a service: JSON requests, one a line, and as many lines of JSON answers.
//!
//! A request sets up a position, plays moves, and may bring texts to be read as moves and a PGN text. The answer says
//! what the rules say about the last position. A line that is no request, or cannot be set up or played, is answered
//! with `"ok": false` and a sentence, and the next line is read.

use crate::board::{Defect, Defects, ParsePositionError, Position, Severity, fen_deviations};
use crate::game::dead::{self, Winnability};
use crate::game::draw::{self, Claim};
use crate::game::lan::LanError;
use crate::game::pgn::{PgnGame, Reader};
use crate::game::{Draw, Game, History, lan, material, san};
use crate::types::{CastlingMode, Color, Move};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

/// What is asked and answered, for people who ask on the command line.
pub const HELP: &str = "\
Reads a JSON object a line and answers each with one, in the order in which they come. A line that is no such object, or has a
field of another name, is answered with an error, and the next line is read.

A question may have:
  id             anything; the answer has it too
  fen            the start position; that of standard chess if not given
  moves          a list of moves from there, in coordinates (e2e4) or SAN (Nf3)
  chess960       true if castling is that of Chess960
  san            a list of texts to be read as moves in the last position
  pgn            games to be read, apart from all the rest

The answer has always:
  ok, error      whether the position could be set up and the moves played, and if not, why
  id             that of the question
About the FEN:
  parse_ok, valid, class, errors
                 whether it could be read as written, whether it can arise in a game, how bad the worst of what is wrong
                 is (fatal, repair, warn), and the names of all that is wrong
  fen_departures
                 where it departs from the grammar of the PGN standard though it could be read, a sentence each
About the last position:
  fen, turn, castling, legal_ep, halfmove, fullmove
                 the position; legal_ep only if such a capture is legal
  legal_moves, san, san_last
                 every legal move in coordinates, the same with SAN, the last move played in SAN
  in_check, n_checkers, checkmate, stalemate
                 what the side to move faces
  repetitions    how often the position has been on the board
  claim_threefold_now, claim_fifty_now
                 what the side to move may claim at once (FIDE 9.2.2, 9.3.2)
  claim_threefold_with, claim_fifty_with
                 and with each intended move (FIDE 9.2.1, 9.3.1)
  auto_draw      stalemate, insufficient, dead, fivefold or seventyfive; else null
  insufficient_material, dead, white_can_win, black_can_win
                 what material allows, and what any series of legal moves does (FIDE 5.2.2, 6.9)
  helpmate       for each player who can win, moves that lead to mate
  result         1-0, 0-1, 1/2-1/2 or *
  over_at        after so many of the moves the game was over already, if more were given
About texts:
  san_accept, san_reject, san_errors
                 the move of each text or null, the texts that are no moves, and why not
About a PGN; all but the counts of games and errors is about its first game:
  pgn_games, pgn_moves, pgn_plies, pgn_result, pgn_result_tag, pgn_header
                 how many games there are, the moves in coordinates, their number, the result, its tag, all tags
  pgn_errors, pgn_faults
                 how many things are wrong, and a sentence for each";

/// What is asked; every field may be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RefereeRequest {
    /// Anything, to know the answer by.
    id: Option<Value>,
    /// The start position; that of standard chess if not given.
    fen: Option<String>,
    /// Moves from there, in coordinates or SAN.
    moves: Vec<String>,
    /// Whether castling is that of Chess960.
    chess960: bool,
    /// Texts to be read as moves in the last position.
    san: Option<Vec<String>>,
    /// Games to be read, apart from all the rest.
    pgn: Option<String>,
}

/// What is answered. The parts that there was no reason for are left out.
#[derive(Debug, Default, Serialize)]
struct RefereeAnswer {
    /// Whether the position could be set up and the moves played.
    ok: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// That of the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
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
    /// Whether the FEN could be read, every number as it was written.
    parse_ok: bool,
    /// Whether it is a position that can arise in a game, as far as can be told.
    valid: bool,
    /// How bad the worst of the errors is: `fatal`, `repair` or `warn`.
    class: Option<&'static str>,
    /// The names of the defects.
    errors: Vec<&'static str>,
    /// Where the FEN departs from the standard though it could be read, a sentence each.
    fen_departures: Vec<String>,
}

/// About the last position, as the rules see it.
#[derive(Debug, Serialize)]
struct PositionAnswer {
    fen: String,
    turn: char,
    legal_moves: Vec<String>,
    /// Each legal move in coordinates, and in SAN.
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
    /// How often the position has been on the board, this time included.
    repetitions: u32,
    claim_threefold_now: bool,
    claim_fifty_now: bool,
    claim_threefold_with: BTreeMap<String, bool>,
    claim_fifty_with: BTreeMap<String, bool>,
    auto_draw: Option<&'static str>,
    insufficient_material: bool,
    /// Neither player can mate, whatever both play (FIDE 5.2.2): proven.
    dead: bool,
    /// Not proven that White cannot mate, even with Black's help (FIDE 6.9).
    white_can_win: bool,
    black_can_win: bool,
    /// For each player that can, moves that lead to mate.
    helpmate: BTreeMap<&'static str, Vec<String>>,
    result: &'static str,
    /// After so many of the moves the game was over, if more were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    over_at: Option<usize>,
}

/// About texts that were to be read as moves.
#[derive(Debug, Serialize)]
struct TextsAnswer {
    /// The move in coordinates that each text stands for, or null.
    san_accept: BTreeMap<String, Option<String>>,
    /// The texts that stand for no move.
    san_reject: Vec<String>,
    /// Why not.
    san_errors: BTreeMap<String, String>,
}

/// About a PGN text; all but the counts of games and errors is about its first game.
#[derive(Debug, Serialize)]
struct PgnAnswer {
    pgn_games: usize,
    pgn_moves: String,
    pgn_plies: usize,
    pgn_result: &'static str,
    pgn_result_tag: String,
    pgn_header: BTreeMap<String, String>,
    pgn_errors: usize,
    /// The errors, one sentence each.
    pgn_faults: Vec<String>,
}

/// Answers requests until the input ends.
///
/// # Errors
/// If input or output fails; nothing that is read is an error.
///
/// ```
/// use tabiya::tools::referee;
/// let mut answers = Vec::new();
/// referee::run(&b"{\"moves\": [\"f2f3\", \"e7e5\", \"g2g4\", \"d8h4\"]}\nnonsense\n"[..], &mut answers).unwrap();
/// let answers = String::from_utf8(answers).unwrap();
/// let (mate, nonsense) = answers.split_once('\n').unwrap();
/// assert!(mate.contains(r#""checkmate":true"#) && mate.contains(r#""result":"0-1""#));
/// assert!(nonsense.starts_with(r#"{"ok":false,"error":"#));
/// ```
pub fn run(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if !line.trim_ascii().is_empty() {
            let answer = match serde_json::from_slice(&line) {
                Ok(request) => answer(&request),
                Err(error) => RefereeAnswer {
                    // What is no question may still say what it would be known by.
                    id: serde_json::from_slice(&line)
                        .ok()
                        .and_then(|value: Value| value.get("id").cloned()),
                    error: Some(format!("this is no request: {error}")),
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

fn answer(request: &RefereeRequest) -> RefereeAnswer {
    let mode = if request.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
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
        Err((error, setup)) => {
            answer.error = Some(error);
            answer.setup = Some(setup);
        }
    }
    answer.pgn = request.pgn.as_deref().map(PgnAnswer::new);
    answer
}

/// The start position, or why there is none, with what there is to say about it.
fn set_up(
    fen: Option<&str>,
    mode: CastlingMode,
) -> Result<(Position, SetupAnswer), (String, SetupAnswer)> {
    let Some(fen) = fen else {
        return Ok((Position::start(), SetupAnswer::new("", Defects::default())));
    };
    Position::read(fen, Some(mode))
        .map(|(validated, _)| (validated.position, SetupAnswer::new(fen, validated.defects)))
        .map_err(|error| {
            let answer = match &error {
                ParsePositionError::Fen(_) => SetupAnswer::unreadable(),
                ParsePositionError::Setup(error) => SetupAnswer::new(fen, error.0),
            };
            (error.to_string(), answer)
        })
}

/// Plays the moves. It goes on after a draw by rule: the answer is about the last position, and says when it was over.
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
            .map_err(|error| format!("move {}: {error}", index + 1))?;
    }
    Ok((game, over_at))
}

fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    match lan::parse(position, text) {
        Err(LanError::Syntax(_)) => san::parse(position, text).map_err(|error| error.to_string()),
        read => read.map_err(|error| error.to_string()),
    }
}

impl SetupAnswer {
    /// About a FEN that could be read; about none if there is no text.
    fn new(fen: &str, defects: Defects) -> Self {
        let departures = match fen {
            "" => Vec::new(),
            fen => fen_deviations(fen),
        };
        Self {
            fen_departures: departures.iter().map(ToString::to_string).collect(),
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
            fen_departures: Vec::new(),
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

/// Positions looked at to tell whether a player can still win.
const DEAD_NODES: u64 = 200_000;

impl PositionAnswer {
    fn new(game: &Game, over_at: Option<usize>) -> Self {
        let (history, position) = (game.history(), game.position());
        let write = |mv| lan::write(mv, game.mode());
        let moves = position.legal_moves();
        let mut legal_moves: Vec<_> = moves.iter().map(|&mv| write(mv)).collect();
        legal_moves.sort();
        let fen = position.to_string();
        let claim_with = |claim: Claim| {
            let holds = |&mv: &Move| (write(mv), claim.holds_with(history, mv));
            moves.iter().map(holds).collect()
        };
        let [white, black] =
            Color::ALL.map(|color| dead::analyse(position, color, DEAD_NODES).winnability);
        let [white_can_win, black_can_win] =
            [&white, &black].map(|winnability| *winnability != Winnability::Unwinnable);
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
            claim_threefold_now: Claim::Threefold.holds_now(history),
            claim_fifty_now: Claim::FiftyMoves.holds_now(history),
            claim_threefold_with: claim_with(Claim::Threefold),
            claim_fifty_with: claim_with(Claim::FiftyMoves),
            auto_draw: draw::automatic(history).and_then(name_of),
            insufficient_material: material::is_insufficient(position),
            dead: !white_can_win && !black_can_win,
            white_can_win,
            black_can_win,
            helpmate,
            result: game.result().token(),
            over_at,
            legal_moves,
            fen,
        }
    }
}

/// The name of a draw that needs nobody's word.
const fn name_of(draw: Draw) -> Option<&'static str> {
    match draw {
        Draw::Stalemate => Some("stalemate"),
        Draw::InsufficientMaterial => Some("insufficient"),
        Draw::DeadPosition => Some("dead"),
        Draw::FivefoldRepetition => Some("fivefold"),
        Draw::SeventyFiveMoves => Some("seventyfive"),
        Draw::Agreement | Draw::ThreefoldRepetition | Draw::FiftyMoves | Draw::Time => None,
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
        // Memory cannot fail to be read.
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
