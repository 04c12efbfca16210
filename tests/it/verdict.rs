//! When the engine accepts a draw offer, and when it resigns.

use crate::random_games::START;
use tabiya::board::Position;
use tabiya::engine::Opponent;
use tabiya::engine::verdict::{accepts_draw, resigns};
use tabiya::game::{History, lan};
use tabiya::types::Score;

const LEVEL: &str = "r4rk1/pp3ppp/2p2n2/8/8/2P2N2/PP3PPP/R4RK1 w - -";
const ROOKS: &str = "8/8/4k3/3r4/8/8/1R2K3/8 w - - 0 1";

#[test]
fn a_draw_is_accepted_only_when_there_is_no_play_left() {
    let level = |rest: &str| format!("{LEVEL} {rest}");
    let [rooks, knights, start] =
        [ROOKS, "8/8/4k3/3n4/8/8/1N2K3/8 w - - 0 1", START].map(str::to_owned);
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    // Position, moves, scores with the present one last, the opponent's rating minus the engine's.
    #[rustfmt::skip]
    let table: &[(&str, &str, &[i32], i32, bool)] = &[
        // Level: late, quiet and long enough.
        (&level("10 20"), "", &[0, -10, 10, 0], 0, true),
        (&level("40 60"), "", &[0; 9], 0, true),
        // Too early; captures or pawn moves continue; too few own moves near 0.
        (&start, "e2e4 e7e5", &[0; 4], 0, false),
        (&level("10 19"), "", &[0; 4], 0, false),
        (&level("9 40"), "", &[0; 4], 0, false),
        (&level("10 20"), "", &[0; 3], 0, false),
        (&level("10 20"), "", &[0, 40, 0, 0], 0, false),
        (&level("10 20"), "", &[90, 0, 0, 0, 0], 0, true),
        // Better, a little worse, and clearly worse.
        (&level("10 20"), "", &[11; 4], 0, false),
        (&start, "e2e4 e7e5", &[-60; 4], 0, false),
        (&start, "e2e4 e7e5", &[-100], 0, true),
        (&start, "e2e4 e7e5", &[-30_000], 0, true),
        // A much weaker opponent, and a stronger one.
        (&level("10 20"), "", &[0; 4], -200, false),
        (&level("10 20"), "", &[0; 4], 200, true),
        (&level("10 20"), "", &[25; 4], 200, true),
        (&level("9 20"), "", &[25; 4], 200, false),
        // Known draws: by the material, or by a claim. Not if a tactic wins.
        (&rooks, "", &[0], 0, true),
        (&rooks, "", &[0], -600, true),
        (&knights, "", &[0], -600, true),
        (&rooks, "", &[31_990], 0, false),
        (&start, shuffle, &[0], -600, true),
        (&start, shuffle, &[80], 0, false),
    ];
    for &(fen, moves, scores, advantage, expected) in table {
        let mut history = History::new(Position::from_fen(fen).unwrap());
        for text in moves.split_whitespace() {
            let mv = lan::parse(history.position(), text).unwrap();
            history.play(mv).unwrap();
        }
        let opponent = Opponent {
            rating: Some(2400 + advantage),
            own_rating: Some(2400),
            ..Opponent::default()
        };
        let scores: Vec<_> = scores.iter().copied().map(Score).collect();
        let (&now, earlier) = scores.split_last().unwrap();
        let accepted = accepts_draw(&history, now, earlier, &opponent);
        assert_eq!(accepted, expected, "{fen} {moves} {scores:?} {advantage}");
    }
}

#[test]
fn a_game_is_resigned_only_after_several_hopeless_scores() {
    let table: &[(&[i32], bool)] = &[
        (&[-1000; 4], true),
        (&[20, -1200, -1500, -3000, -31_990], true),
        (&[-31_990], false),
        (&[-1000; 3], false),
        (&[-1000, -999, -1000, -1000], false),
        (&[-1000, -1000, -1000, -999], false),
    ];
    for &(scores, expected) in table {
        let scores: Vec<_> = scores.iter().copied().map(Score).collect();
        let (&now, earlier) = scores.split_last().unwrap();
        assert_eq!(resigns(now, earlier), expected, "{scores:?}");
    }
}
