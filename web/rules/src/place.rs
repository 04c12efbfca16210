//! What JavaScript learns of the place in a game that is looked at.

use serde::Serialize;
use tabiya::board::Position;
use tabiya::game::draw::Claim;
use tabiya::game::pgn::GameTree;
use tabiya::game::{Draw, GameEvent, Outcome, Win, lan, opening, san};
use tabiya::types::{CastlingMode, Color, Move, PieceKind};

/// A place in a game: its position, how the game stands there, and what may follow.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Place {
    node: usize,
    parent: Option<usize>,
    ply: usize,
    fen: String,
    turn: &'static str,
    check: bool,
    fullmove: u32,
    halfmove: u32,
    repetitions: u32,
    status: Status,
    claims: Vec<ClaimAnswer>,
    offer: Option<&'static str>,
    moves: Vec<MoveAnswer>,
    last_move: Option<MoveAnswer>,
    opening: Option<&'static str>,
    can_undo: bool,
    can_redo: bool,
}

/// A legal move.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveAnswer {
    uci: String,
    san: String,
    from: String,
    to: String,
    piece: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    captured: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    castles: bool,
}

/// Serde passes a reference.
fn is_false(value: &bool) -> bool {
    !value
}

/// How a game stands.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Status {
    Playing,
    Won {
        winner: &'static str,
        by: &'static str,
        article: &'static str,
        text: String,
    },
    Drawn {
        by: &'static str,
        article: &'static str,
        text: String,
    },
}

/// A draw that the side to move may claim.
#[derive(Serialize)]
struct ClaimAnswer {
    by: &'static str,
    article: &'static str,
    /// The move to announce, in coordinates; absent if the claim holds now.
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
}

impl Place {
    /// The place of the cursor.
    pub(crate) fn of(tree: &GameTree) -> Self {
        let (game, position) = (tree.line(), tree.position());
        let history = game.history();
        let (id, mode) = (tree.cursor(), tree.mode());
        let status = tree.outcome().map_or(Status::Playing, status);
        let is_playing = matches!(status, Status::Playing);
        let last = tree.move_of(id);
        let before = tree.position_of(tree.parent(id));
        Self {
            node: id.index(),
            parent: last.map(|_| tree.parent(id).index()),
            ply: history.moves().len(),
            fen: position.to_fen(mode),
            turn: position.side_to_move().name(),
            check: position.in_check(),
            fullmove: position.fullmove_number(),
            halfmove: position.halfmove_clock(),
            repetitions: history.occurrences(),
            status,
            claims: if is_playing { claims(tree) } else { Vec::new() },
            offer: game.offer().map(Color::name),
            moves: position
                .legal_moves()
                .into_iter()
                .map(|mv| describe(position, mv, mode))
                .collect(),
            last_move: last
                .filter(|mv| !mv.is_null())
                .map(|mv| describe(before, mv, mode)),
            opening: opening::name(history),
            can_undo: tree.can_undo(),
            can_redo: tree.can_redo(),
        }
    }
}

/// A legal move of a position.
fn describe(position: &Position, mv: Move, mode: CastlingMode) -> MoveAnswer {
    let kind_at = |square| position.piece_at(square).map(|piece| piece.kind().name());
    let captured = position.captured(mv).map(|piece| piece.kind().name());
    let uci = lan::write(mv, mode);
    MoveAnswer {
        from: mv.from().to_string(),
        // Where the king goes in standard chess, and its rook in Chess960, as the coordinates.
        to: uci.get(2..4).unwrap_or_default().to_owned(),
        san: san::write(position, mv),
        piece: kind_at(mv.from()).unwrap_or_default(),
        captured,
        promotion: mv.promotion().map(PieceKind::name),
        castles: mv.is_castling(),
        uci,
    }
}

/// The draws that the side to move may claim.
fn claims(tree: &GameTree) -> Vec<ClaimAnswer> {
    let (game, position) = (tree.line(), tree.position());
    let mut claims = Vec::new();
    for event in game.available_claims() {
        match event {
            GameEvent::ClaimAvailable(claim) => {
                let (by, article) = claim_name(claim, false);
                let (with, san) = (None, None);
                claims.push(ClaimAnswer {
                    by,
                    article,
                    with,
                    san,
                });
            }
            GameEvent::ClaimAvailableWith(claim, moves) => {
                let (by, article) = claim_name(claim, true);
                claims.extend(moves.into_iter().map(|mv| ClaimAnswer {
                    by,
                    article,
                    with: Some(lan::write(mv, tree.mode())),
                    san: Some(san::write(position, mv)),
                }));
            }
            _ => {}
        }
    }
    claims
}

/// The name of a claim and its article of the FIDE Laws, on the board or with an intended move.
const fn claim_name(claim: Claim, intends: bool) -> (&'static str, &'static str) {
    match (claim, intends) {
        (Claim::Threefold, false) => ("threefold", "9.2.2"),
        (Claim::Threefold, true) => ("threefold", "9.2.1"),
        (Claim::FiftyMoves, false) => ("fifty", "9.3.2"),
        (Claim::FiftyMoves, true) => ("fifty", "9.3.1"),
    }
}

/// An outcome with its article of the FIDE Laws.
fn status(outcome: Outcome) -> Status {
    let text = outcome.to_string();
    match outcome {
        Outcome::Won { winner, by } => {
            let (by, article) = match by {
                Win::Checkmate => ("checkmate", "5.1.1"),
                Win::Resignation => ("resignation", "5.1.2"),
                Win::Time => ("time", "6.9"),
            };
            Status::Won {
                winner: winner.name(),
                by,
                article,
                text,
            }
        }
        Outcome::Drawn(draw) => {
            let (by, article) = match draw {
                Draw::Stalemate => ("stalemate", "5.2.1"),
                Draw::InsufficientMaterial => ("insufficient", "5.2.2"),
                Draw::DeadPosition => ("dead", "5.2.2"),
                Draw::Agreement => ("agreement", "5.2.3"),
                Draw::ThreefoldRepetition => ("threefold", "9.2"),
                Draw::FiftyMoves => ("fifty", "9.3"),
                Draw::FivefoldRepetition => ("fivefold", "9.6.1"),
                Draw::SeventyFiveMoves => ("seventyfive", "9.6.2"),
                Draw::Time => ("time", "6.9"),
                Draw::Resignation => ("resignation", "5.1.2"),
            };
            Status::Drawn { by, article, text }
        }
    }
}
