//! Games, compared with an independent judge at every half-move; offers, claims, resignation and
//! time.

use crate::random_games::{RandomPlayer, START, STARTS, position};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Position as _};
use std::collections::HashMap;
use tabiya::board::Position;
use tabiya::game::draw::Claim;
use tabiya::game::{ActError, Draw, Game, GameEvent, Outcome, Win, lan, san};
use tabiya::types::{CastlingMode, Color, Move};

/// The game as the judge sees it.
struct Judge {
    position: Chess,
    /// Occurrences of each position in the whole game.
    seen: HashMap<String, u32>,
}

impl Judge {
    fn new(fen: &str, mode: CastlingMode) -> Self {
        let mode = match mode {
            CastlingMode::Standard => shakmaty::CastlingMode::Standard,
            CastlingMode::Chess960 => shakmaty::CastlingMode::Chess960,
        };
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(mode).unwrap();
        let seen = HashMap::from([(identity(&position), 1)]);
        Self { position, seen }
    }

    fn parse(&self, uci: &str) -> shakmaty::Move {
        let uci: UciMove = uci.parse().unwrap();
        uci.to_move(&self.position).unwrap()
    }

    fn play(&mut self, uci: &str) {
        self.position.play_unchecked(self.parse(uci));
        *self.seen.entry(identity(&self.position)).or_default() += 1;
    }

    fn occurrences(&self) -> u32 {
        self.seen[&identity(&self.position)]
    }

    fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        let winner = match position.turn() {
            shakmaty::Color::White => Color::Black,
            shakmaty::Color::Black => Color::White,
        };
        let by = Win::Checkmate;
        let cases = [
            (position.is_checkmate(), Outcome::Won { winner, by }),
            (position.is_stalemate(), Outcome::Drawn(Draw::Stalemate)),
            (
                position.is_insufficient_material(),
                Outcome::Drawn(Draw::InsufficientMaterial),
            ),
            (
                position.halfmoves() >= 150,
                Outcome::Drawn(Draw::SeventyFiveMoves),
            ),
            (
                self.occurrences() >= 5,
                Outcome::Drawn(Draw::FivefoldRepetition),
            ),
        ];
        cases
            .into_iter()
            .find_map(|(holds, outcome)| holds.then_some(outcome))
    }

    /// Threefold repetition and fifty moves, after a move or without one.
    fn claims(&self, mv: Option<shakmaty::Move>) -> [bool; 2] {
        let mut position = self.position.clone();
        let mut occurrences = self.occurrences();
        if let Some(mv) = mv {
            position.play_unchecked(mv);
            occurrences = 1 + self.seen.get(&identity(&position)).copied().unwrap_or(0);
        }
        let goes_on = !position.legal_moves().is_empty();
        [
            goes_on && occurrences >= 3,
            goes_on && position.halfmoves() >= 100,
        ]
    }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The fields of the FEN that identify a position.
fn identity(position: &Chess) -> String {
    let fen = fen(position);
    let fields: Vec<_> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

/// Compares everything that the rules decide about the present position.
fn compare(game: &Game, judge: &Judge) {
    let (history, ours, theirs) = (game.history(), game.position(), &judge.position);
    let context = ours.to_string();
    assert_eq!(context, fen(theirs));
    if game.outcome() == Some(Outcome::Drawn(Draw::DeadPosition)) {
        // The judge recognises dead positions only by material; the test counts repetitions for it.
        assert!(!theirs.is_game_over(), "{context}");
    } else {
        assert_eq!(game.outcome(), judge.outcome(), "{context}");
    }
    assert_eq!(history.occurrences(), judge.occurrences(), "{context}");
    assert_eq!(
        Claim::ALL.map(|claim| claim.holds_now(history)),
        judge.claims(None),
        "{context}"
    );
    for (color, their_color) in Color::ALL.into_iter().zip(shakmaty::Color::ALL) {
        assert_eq!(
            ours.has_mating_material(color),
            !theirs.has_insufficient_material(their_color),
            "{context}: {color}"
        );
    }
    assert_eq!(ours.legal_moves().len(), theirs.legal_moves().len());
    for mv in ours.legal_moves() {
        let uci = lan::write(mv, game.mode());
        let their_move = judge.parse(&uci);
        assert_eq!(lan::parse(ours, &uci), Ok(mv), "{context}");
        let text = san::write(ours, mv);
        assert_eq!(
            text,
            SanPlus::from_move(theirs.clone(), their_move).to_string(),
            "{context}"
        );
        assert_eq!(san::parse(ours, &text), Ok(mv), "{context}");
        assert_eq!(
            Claim::ALL.map(|claim| claim.holds_with(history, mv)),
            judge.claims(Some(their_move)),
            "{context}: {text}"
        );
    }
}

#[test]
fn random_games_agree_with_shakmaty_at_every_half_move() {
    let mut random = RandomPlayer::new(3);
    let mut plies = 0;
    let mut ends: HashMap<Option<Outcome>, u32> = HashMap::new();
    for round in 0..320 {
        let (fen, mode) = STARTS[round % STARTS.len()];
        let mut game = Game::new(position(fen, mode), mode);
        let mut judge = Judge::new(fen, mode);
        compare(&game, &judge);
        while game.outcome().is_none() && game.history().moves().len() < 200 {
            let mv = random.choose(&game);
            let events = game.play(mv).unwrap();
            judge.play(&lan::write(mv, mode));
            compare(&game, &judge);
            compare_events(&events, &game);
            plies += 1;
        }
        *ends.entry(game.outcome()).or_default() += 1;
    }
    // Every kind of draw that the judge knows occurs in these games.
    assert!(plies > 30_000);
    for draw in [
        Draw::Stalemate,
        Draw::InsufficientMaterial,
        Draw::FivefoldRepetition,
        Draw::SeventyFiveMoves,
    ] {
        assert!(ends.contains_key(&Some(Outcome::Drawn(draw))), "{draw}");
    }
}

/// The events of the last move match the queries of the game.
fn compare_events(events: &[GameEvent], game: &Game) {
    let position = game.position();
    assert_eq!(events.contains(&GameEvent::Check), position.in_check());
    let over: Vec<_> = game
        .outcome()
        .map(GameEvent::GameOver)
        .into_iter()
        .collect();
    let told: Vec<_> = events
        .iter()
        .filter(|event| matches!(event, GameEvent::GameOver(_)))
        .cloned()
        .collect();
    assert_eq!(told, over);
    let pieces_before = game.history().steps().last().unwrap().0.occupied().len();
    let captures = events
        .iter()
        .filter(|event| matches!(event, GameEvent::Captured(..)))
        .count() as u32;
    assert_eq!(pieces_before - captures, position.occupied().len());
    for claim in Claim::ALL {
        let told = events.contains(&GameEvent::ClaimAvailable(claim));
        let holds = claim.holds_now(game.history()) && game.outcome().is_none();
        assert_eq!(told, holds, "{position}");
    }
}

#[test]
fn moves_can_be_taken_back_and_played_again() {
    let mut random = RandomPlayer::new(4);
    for _ in 0..50 {
        let mut history = random.game(120).history().clone();
        let played = history.clone();
        let moves: Vec<_> = played.moves().collect();
        let mut undone: Vec<_> = std::iter::from_fn(|| history.undo()).collect();
        undone.reverse();
        assert_eq!(undone, moves);
        assert_eq!(history.position(), history.start());
        assert_eq!(history.keys_since_irreversible().len(), 0);
        let redone: Vec<_> = std::iter::from_fn(|| history.redo()).collect();
        assert_eq!(redone, moves);
        assert_eq!(history, played);
    }
}

#[test]
fn keys_reach_back_to_the_last_irreversible_move_or_the_start() {
    let table = [
        ("8/8/8/4k3/8/8/4K3/R7 w - - 90 80", "", 0),
        ("8/8/8/4k3/8/8/4K3/R7 w - - 90 80", "a1a2 e5e6", 2),
        (
            "8/8/8/4k3/8/8/P3K3/R7 w - - 90 80",
            "a1b1 e5e6 a2a3 e6e5 b1b2",
            2,
        ),
        ("8/8/8/4k3/8/8/P3K3/R7 w - - 90 80", "a2a3", 0),
    ];
    for (fen, moves, expected) in table {
        let game = replay(fen, moves);
        let keys: Vec<_> = game.history().keys_since_irreversible().collect();
        assert_eq!(keys.len(), expected, "{moves}");
        let mut back = game.clone();
        for &key in keys.iter().rev() {
            back.undo();
            assert_eq!(back.position().key(), key);
        }
    }
}

/// The clocks stop at 65,535. The FEN of such a game reads back equal, and occurrences are counted
/// further back.
#[test]
fn a_game_longer_than_its_clocks_is_counted_and_written() {
    let mut history = tabiya::game::History::new(Position::start());
    for text in TOUR.split_whitespace().cycle().take(140_000) {
        let mv = lan::parse(history.position(), text).unwrap();
        history.play(mv).unwrap();
    }
    assert_eq!(history.occurrences(), 35_001);
    let position = *history.position();
    let validated = Position::from_fen_repaired(&position.to_string(), None).unwrap();
    assert_eq!(validated.position, position);
    assert!(validated.repairs().is_empty(), "{position}");
}

/// The game from this position with these moves in coordinates.
fn replay(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::from_fen(fen).unwrap(), CastlingMode::Standard);
    for text in moves.split_whitespace() {
        let mv = parse(&game, text);
        game.play(mv).unwrap();
    }
    game
}

fn parse(game: &Game, text: &str) -> Move {
    lan::parse(game.position(), text).unwrap()
}

const TOUR: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[test]
fn the_end_closes_the_game_and_its_history() {
    let mut game = replay(START, "f2f3 e7e5 g2g4");
    assert!(game.undo().is_some() && game.redo().is_some());
    let mate = parse(&game, "d8h4");
    game.play(mate).unwrap();
    let (winner, by) = (Color::Black, Win::Checkmate);
    let over = ActError::Over(Outcome::Won { winner, by });
    assert_eq!(game.play(mate), Err(over));
    assert_eq!(game.claim_draw(None), Err(over));
    assert_eq!(game.offer_draw(Color::White), Err(over));
    assert_eq!(game.resign(Color::White), Err(over));
    assert_eq!(game.overstep_time(Color::White), Err(over));
    assert_eq!((game.undo(), game.redo()), (None, None));
    // To reopen the game is to take the last move back, and redo ends it again.
    assert_eq!((game.reopen(), game.outcome()), (Some(mate), None));
    assert_eq!(game.redo(), Some(mate));
    assert_eq!(game.play(mate), Err(over));

    let mut resigned = replay(START, "e2e4 e7e5");
    resigned.undo();
    resigned.resign(Color::White).unwrap();
    assert_eq!(resigned.result().token(), "0-1");
    assert_eq!(resigned.redo(), None);
}

#[test]
fn a_replayed_game_continues_after_an_automatic_draw() {
    let mut game = replay("8/8/8/4k3/8/8/4K3/R7 w - - 148 80", "a1a2");
    for (text, outcome) in [
        ("e5e6", Some(Outcome::Drawn(Draw::SeventyFiveMoves))),
        ("a2a3", Some(Outcome::Drawn(Draw::SeventyFiveMoves))),
    ] {
        let mv = parse(&game, text);
        game.replay(mv).unwrap();
        assert_eq!(game.outcome(), outcome);
    }
    let illegal = Move::normal(tabiya::types::Square::A3, tabiya::types::Square::B4);
    assert!(game.replay(illegal).is_err());
}

#[test]
fn claims_are_granted_and_refused() {
    // A claim now, with a move, and too early, for both kinds.
    let table = [
        (START, TOUR.repeat(2), None, Ok(Claim::Threefold)),
        (
            START,
            TOUR.repeat(2)[..35].to_owned(),
            Some("f6g8"),
            Ok(Claim::Threefold),
        ),
        (
            START,
            TOUR.repeat(2)[..35].to_owned(),
            Some("f6e4"),
            Err("1 of 3; half-moves without capture or pawn move: 8 of 100"),
        ),
        (
            START,
            TOUR.to_owned(),
            None,
            Err("2 of 3; half-moves without capture or pawn move: 4 of 100"),
        ),
        (
            "8/8/8/4k3/8/8/P3K3/R7 w - - 99 80",
            "a1b1".to_owned(),
            None,
            Ok(Claim::FiftyMoves),
        ),
        (
            "8/8/8/4k3/8/8/P3K3/R7 w - - 99 80",
            String::new(),
            Some("a1b1"),
            Ok(Claim::FiftyMoves),
        ),
        (
            "8/8/8/4k3/8/8/P3K3/R7 w - - 99 80",
            String::new(),
            Some("a2a3"),
            Err("1 of 3; half-moves without capture or pawn move: 0 of 100"),
        ),
        (
            "8/8/8/4k3/8/8/P3K3/R7 w - - 98 80",
            "a1b1".to_owned(),
            None,
            Err("1 of 3; half-moves without capture or pawn move: 99 of 100"),
        ),
    ];
    for (fen, moves, intended, expected) in table {
        let mut game = replay(fen, &moves);
        let claimant = game.position().side_to_move();
        let both_have_moved = game.history().moves().len() >= 2;
        let intended = intended.map(|text| parse(&game, text));
        let events = game.claim_draw(intended).unwrap();
        match expected {
            Ok(claim) => {
                let outcome = Outcome::Drawn(claim.draw());
                let granted = [
                    GameEvent::DrawClaimed(claimant, claim),
                    GameEvent::GameOver(outcome),
                ];
                assert_eq!(events, granted);
                assert_eq!(game.result().token(), "1/2-1/2");
            }
            Err(reason) => {
                let [GameEvent::ClaimRefused(color, counts), ..] = events[..] else {
                    panic!("not refused: {events:?}");
                };
                assert_eq!(color, claimant);
                assert!(counts.to_string().contains(reason), "{counts}");
                // A wrong claim is an offer once both have moved, and the intended move is played.
                assert_eq!(game.offer(), both_have_moved.then_some(claimant));
                if let Some(mv) = intended {
                    assert_eq!(game.history().moves().next_back(), Some(mv));
                }
                assert_eq!(
                    game.position().side_to_move() != claimant,
                    intended.is_some()
                );
                assert_eq!(game.outcome(), None);
            }
        }
    }
}

#[test]
fn a_claim_lapses_when_the_player_moves() {
    let mut game = replay(START, &TOUR.repeat(2));
    assert_eq!(
        game.available_claims(),
        [GameEvent::ClaimAvailable(Claim::Threefold)]
    );
    let e4 = parse(&game, "e2e4");
    let events = game.play(e4).unwrap();
    assert_eq!(events, [GameEvent::Moved(Color::White, e4)]);
    assert!(game.available_claims().is_empty());
    assert_eq!(game.undo(), Some(e4));
    assert_eq!(game.available_claims().len(), 1);
}

#[test]
fn claims_with_a_move_are_announced_with_their_moves() {
    let game = replay(START, TOUR.repeat(2)[..35].trim());
    let back = parse(&game, "f6g8");
    assert_eq!(
        game.available_claims(),
        [GameEvent::ClaimAvailableWith(Claim::Threefold, vec![back])]
    );
}

#[test]
fn offers_stand_until_answered_or_the_opponent_moves() {
    let mut game = replay(START, "e2e4");
    assert_eq!(game.offer_draw(Color::White), Err(ActError::TooEarly));
    let mut game = {
        let mv = parse(&game, "e7e5");
        game.play(mv).unwrap();
        game
    };
    let (white, black) = (Color::White, Color::Black);
    assert_eq!(game.accept_draw(black), Err(ActError::NotOffered(white)));
    assert_eq!(
        game.offer_draw(white),
        Ok(vec![GameEvent::DrawOffered(white)])
    );
    assert_eq!(game.offer_draw(white), Err(ActError::AlreadyOffered(white)));
    assert_eq!(game.accept_draw(white), Err(ActError::NotOffered(black)));

    // The player who offered may move, and the offer stands.
    let knight = parse(&game, "g1f3");
    game.play(knight).unwrap();
    assert_eq!(game.offer(), Some(white));
    let mut moved_on = game.clone();
    let answer = parse(&moved_on, "g8f6");
    let events = moved_on.play(answer).unwrap();
    assert!(events.contains(&GameEvent::DrawDeclined(black)));
    assert_eq!(moved_on.offer(), None);

    let mut declined = game.clone();
    assert_eq!(
        declined.decline_draw(black),
        Ok(vec![GameEvent::DrawDeclined(black)])
    );
    assert_eq!(
        declined.accept_draw(black),
        Err(ActError::NotOffered(white))
    );

    let agreed = Outcome::Drawn(Draw::Agreement);
    let mut offered_back = game.clone();
    assert_eq!(offered_back.offer_draw(black), game.accept_draw(black));
    assert_eq!(game.outcome(), Some(agreed));
    assert_eq!(offered_back, game);
}

/// The move number of a FEN does not count: the players have made no move in this game.
#[test]
fn a_game_set_up_from_a_fen_has_no_agreement_before_both_have_moved() {
    let mut game = replay("4k3/8/8/8/8/8/4P3/4K3 w - - 0 30", "");
    for mv in ["e2e4", "e8e7"] {
        assert_eq!(game.offer_draw(Color::White), Err(ActError::TooEarly));
        game.play(parse(&game, mv)).unwrap();
    }
    assert!(game.offer_draw(Color::White).is_ok());

    // Black moves first: move number 2 comes after a single move.
    let mut game = replay("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "e8e7");
    assert_eq!(game.offer_draw(Color::Black), Err(ActError::TooEarly));
    game.play(parse(&game, "e2e4")).unwrap();
    assert!(game.offer_draw(Color::Black).is_ok());
}

#[test]
fn a_player_out_of_time_loses_unless_the_opponent_cannot_mate() {
    let lost = |color: Color| Outcome::Won {
        winner: !color,
        by: Win::Time,
    };
    let (drawn, dead) = (
        Outcome::Drawn(Draw::Time),
        Outcome::Drawn(Draw::DeadPosition),
    );
    let (white, black) = (Color::White, Color::Black);
    let table = [
        (START, white, lost(white)),
        ("8/8/8/4k3/8/8/4K3/R7 w - - 0 80", black, lost(black)),
        ("8/8/8/4k3/8/8/4K3/R7 w - - 0 80", white, drawn),
        ("8/8/4kr2/8/8/3K4/8/2B5 w - - 0 1", black, drawn),
        ("8/8/4kr2/8/8/3K4/8/1N6 w - - 0 1", black, lost(black)),
        // A rook that cannot leave its corner: the proof takes thousands of nodes. Nobody can mate,
        // so the game was over before (FIDE 5.2.2).
        ("2k5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1", black, dead),
        // Here hundreds of thousands.
        (BLOCKED, white, dead),
    ];
    for (fen, color, outcome) in table {
        let mut game = replay(fen, "");
        game.overstep_time(color).unwrap();
        assert_eq!(game.outcome(), Some(outcome), "{fen}");
    }
}

/// No one can mate, and a proof takes more than 200,000 positions.
const BLOCKED: &str = "8/3p1p1p/8/1p6/1P6/KP6/PP1P1P1P/k7 w - - 0 1";

/// FIDE 5.1.2; a dead position has ended the game before (FIDE 5.2.2).
#[test]
fn nobody_loses_by_resigning_if_the_opponent_cannot_mate() {
    let lost = Outcome::Won {
        winner: Color::Black,
        by: Win::Resignation,
    };
    let table = [
        (START, lost),
        ("8/8/4kn2/8/8/8/4P3/4K3 w - - 0 1", lost),
        (
            "8/8/4k3/8/8/8/4P3/4K3 w - - 0 1",
            Outcome::Drawn(Draw::Resignation),
        ),
        (
            "8/8/4k3/8/8/8/8/Q3K3 w - - 0 1",
            Outcome::Drawn(Draw::Resignation),
        ),
        (
            "2k5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1",
            Outcome::Drawn(Draw::DeadPosition),
        ),
        (BLOCKED, Outcome::Drawn(Draw::DeadPosition)),
    ];
    for (fen, outcome) in table {
        let mut game = replay(fen, "");
        let events = game.resign(Color::White).unwrap();
        assert_eq!(events, [GameEvent::GameOver(outcome)], "{fen}");
        assert_eq!(game.outcome(), Some(outcome), "{fen}");
    }
}

#[test]
fn mate_that_cannot_be_forced_is_not_insufficient_material() {
    // Position, whether material is insufficient.
    let table = [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3K4/8/2B5 w - - 0 1", true),
        ("8/8/4k3/8/8/3K4/8/1N6 w - - 0 1", true),
        ("8/8/4k3/8/8/3K4/8/1N4N1 w - - 0 1", false),
        ("6n1/8/4k3/8/8/3K4/8/1N6 w - - 0 1", false),
        ("2b5/8/4k3/8/8/3K4/8/1N6 w - - 0 1", false),
        ("2b5/8/4k3/8/8/3K4/8/2B5 w - - 0 1", false),
        ("5b2/8/4k3/8/8/3K4/8/2B5 w - - 0 1", true),
        ("5b2/8/4k3/8/8/B2K4/8/2B5 w - - 0 1", true),
        ("8/8/4k3/8/8/3K4/8/2B2B2 w - - 0 1", false),
        ("8/8/4k3/8/8/3K4/8/1NB5 w - - 0 1", false),
        ("8/8/4k3/8/8/3K4/8/1NNN4 w - - 0 1", false),
        ("8/8/4k3/8/4P3/3K4/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3K4/8/R7 w - - 0 1", false),
    ];
    for (fen, insufficient) in table {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.is_insufficient_material(), insufficient, "{fen}");
    }
}

/// FIDE 9.1.2.3: both have offered.
#[test]
fn a_wrong_claim_agrees_to_the_opponents_offer() {
    let mut game = replay(START, "e2e4 e7e5 g1f3");
    game.offer_draw(Color::White).unwrap();
    let events = game.claim_draw(None).unwrap();
    assert!(matches!(
        events[0],
        GameEvent::ClaimRefused(Color::Black, _)
    ));
    assert_eq!(events[1], GameEvent::DrawAgreed);
    assert_eq!(game.outcome(), Some(Outcome::Drawn(Draw::Agreement)));
}

/// A record may have passes; two of them bring the position back.
#[test]
fn positions_after_null_moves_are_counted() {
    let mut game = replay(START, "g1f3 g8f6");
    for occurrences in [2, 3] {
        game.replay(Move::NULL).unwrap();
        game.replay(Move::NULL).unwrap();
        assert_eq!(game.history().occurrences(), occurrences);
    }
    assert!(Claim::Threefold.holds_now(game.history()));
}

/// FIDE 9.1.2.3: the claim is an offer, also if its move declines the opponent's.
#[test]
fn a_wrong_claim_is_an_offer_though_its_move_declines_the_opponents() {
    let mut game = replay(START, "e2e4 e7e5");
    game.offer_draw(Color::White).unwrap();
    let knight = parse(&game, "g1f3");
    game.play(knight).unwrap();
    let reply = parse(&game, "b8c6");
    let events = game.claim_draw(Some(reply)).unwrap();
    let declined = GameEvent::DrawDeclined(Color::Black);
    let offered = GameEvent::DrawOffered(Color::Black);
    assert!(events.contains(&declined), "{events:?}");
    assert_eq!(events.last(), Some(&offered));
    assert_eq!(game.offer(), Some(Color::Black));
    game.accept_draw(Color::White).unwrap();
    assert_eq!(game.result().token(), "1/2-1/2");
}
