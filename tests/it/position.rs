//! Positions of random games, compared with an independent judge, with positions set up anew, and
//! with brute force.

#![allow(clippy::print_stdout)] // Totals, shown with --nocapture.

use crate::random_games::{Start, walk};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::Position as _;
use std::collections::{BTreeSet, HashMap};
use tabiya::board::attacks::rays;
use tabiya::board::{Defect, MoveList, Position, Setup, see};
use tabiya::types::{Bitboard, CastlingMode, Color, Key, Move, MoveKind, PieceKind, Rank, Square};

/// Positions for each kind of start.
const POSITIONS: usize = 50_000;

// ---- the judge ----

fn from_shakmaty(mv: &shakmaty::Move) -> Move {
    let square = |square: shakmaty::Square| Square::ALL[usize::from(square)];
    match *mv {
        shakmaty::Move::Normal {
            from,
            to,
            promotion,
            ..
        } => {
            let kind = match promotion {
                None => MoveKind::Normal,
                Some(role) => MoveKind::Promotion(PieceKind::ALL[usize::from(role) - 1]),
            };
            Move::new(square(from), square(to), kind)
        }
        shakmaty::Move::EnPassant { from, to } => {
            Move::new(square(from), square(to), MoveKind::EnPassant)
        }
        shakmaty::Move::Castle { king, rook } => {
            Move::new(square(king), square(rook), MoveKind::Castling)
        }
        shakmaty::Move::Put { .. } => unreachable!("nothing is dropped in chess"),
    }
}

/// The judge plays its own game in parallel; after the start it sees only moves.
#[test]
fn moves_checks_and_fens_agree_with_shakmaty() {
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        let mut judge: Option<shakmaty::Chess> = None;
        let mut kinds = [0; 4];
        let mut checks = 0;
        walk(start, seed as u64, POSITIONS, |position, chosen| {
            let fen = position.to_string();
            let game = judge.take().unwrap_or_else(|| {
                fen.parse::<shakmaty::fen::Fen>()
                    .expect("the judge reads our FEN")
                    .into_position(shakmaty::CastlingMode::Chess960)
                    .or_else(shakmaty::PositionError::ignore_too_much_material)
                    .expect("the judge accepts the start")
            });
            let judged = shakmaty::fen::Fen::from_position(&game, shakmaty::EnPassantMode::Legal);
            // The judge always writes X-FEN.
            assert_eq!(judged.to_string().parse(), Ok(position.to_setup()), "{fen}");
            assert_eq!(position.checkers().0, game.checkers().0, "{fen}");
            let theirs = game.legal_moves();
            let wanted: BTreeSet<_> = theirs
                .iter()
                .map(|mv| from_shakmaty(mv).to_bits())
                .collect();
            let found: BTreeSet<_> = bits(&position.legal_moves());
            assert_eq!(found, wanted, "{fen}");

            checks += usize::from(position.in_check());
            let Some(chosen) = chosen else { return };
            kinds[match chosen.kind() {
                MoveKind::Normal => 0,
                MoveKind::EnPassant => 1,
                MoveKind::Castling => 2,
                MoveKind::Promotion(_) => 3,
            }] += 1;
            let theirs = theirs.iter().find(|mv| from_shakmaty(mv) == chosen);
            judge = game.play(*theirs.expect("the sets are the same")).ok();
        });
        println!(
            "{start:?}: normal, en passant, castling, promotion: {kinds:?}; in check: {checks}"
        );
        assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
        assert!(checks > 1000);
    }
}

fn bits(moves: &[Move]) -> BTreeSet<u16> {
    let set: BTreeSet<_> = moves.iter().map(|mv| mv.to_bits()).collect();
    assert_eq!(set.len(), moves.len(), "a move is listed twice");
    set
}

// ---- positions set up anew ----

fn keys(position: &Position) -> [Key; 5] {
    [
        position.key(),
        position.pawn_key(),
        position.non_pawn_key(Color::White),
        position.non_pawn_key(Color::Black),
        position.minor_key(),
    ]
}

/// The facts that each of [`keys`] covers.
fn keyed(position: &Position) -> [Vec<u64>; 5] {
    let pieces = |kinds: &[PieceKind], colors: &[Color]| -> Vec<u64> {
        let pairs = colors
            .iter()
            .flat_map(|&color| kinds.iter().map(move |&kind| (color, kind)));
        pairs
            .map(|(color, kind)| position.pieces(color, kind).0)
            .collect()
    };
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    let mut all = pieces(&PieceKind::ALL, &Color::ALL);
    all.push(position.castling().rooks().0);
    all.push(position.side_to_move().index() as u64);
    all.push(
        position
            .en_passant()
            .map_or(0, |square| 1 << square.index()),
    );
    let others = [Knight, Bishop, Rook, Queen, King];
    [
        all,
        pieces(&[Pawn], &Color::ALL),
        pieces(&others, &[Color::White]),
        pieces(&others, &[Color::Black]),
        pieces(&[Knight, Bishop, King], &Color::ALL),
    ]
}

#[test]
fn a_played_position_equals_the_one_set_up_anew() {
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, 10 + seed as u64, POSITIONS, |position, _| {
            let anew = position
                .to_setup()
                .validate(CastlingMode::Chess960)
                .unwrap_or_else(|error| panic!("{position}: {error}"));
            let defects_are_expected = start == Start::Crowded;
            assert!(
                defects_are_expected || anew.defects.is_empty(),
                "{position}: {:?}",
                anew.defects
            );
            assert_eq!(anew.position, *position);
            assert_eq!(keys(&anew.position), keys(position), "{position}");
            assert_eq!(
                Position::from_fen(&position.to_string()).as_ref(),
                Ok(position)
            );
        });
    }
}

/// Each key is equal exactly if its facts are equal.
#[test]
fn keys_are_equal_for_equal_things_only() {
    let mut things: [HashMap<Key, Vec<u64>>; 5] = Default::default();
    let mut seen_again = [0; 5];
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, 20 + seed as u64, POSITIONS, |position, _| {
            for (index, (key, thing)) in keys(position).into_iter().zip(keyed(position)).enumerate()
            {
                match things[index].get(&key) {
                    Some(known) => {
                        assert_eq!(*known, thing, "key {index} of {position}");
                        seen_again[index] += 1;
                    }
                    None => {
                        things[index].insert(key, thing);
                    }
                }
            }
        });
    }
    for (index, things) in things.iter().enumerate() {
        let distinct: BTreeSet<_> = things.values().collect();
        assert_eq!(
            distinct.len(),
            things.len(),
            "key {index}: one thing has two keys"
        );
        assert!(seen_again[index] > 0, "key {index}: no repeated value");
    }
}

#[test]
fn a_null_move_gives_the_position_with_the_other_side_to_move() {
    let mut passed = 0;
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, 30 + seed as u64, POSITIONS / 5, |position, _| {
            if position.in_check() {
                return;
            }
            let null = position.play_null();
            let mut setup = position.to_setup();
            setup.side_to_move = !setup.side_to_move;
            setup.en_passant = None;
            setup.halfmove_clock += 1;
            setup.fullmove_number += u32::from(position.side_to_move() == Color::Black);
            let anew = setup
                .validate(CastlingMode::Chess960)
                .expect("no side is in check");
            assert_eq!(null, anew.position);
            assert_eq!(keys(&null), keys(&anew.position));
            assert_ne!(null.key(), position.key());
            passed += 1;
        });
    }
    assert!(passed > POSITIONS / 5);
}

// ---- generated moves ----

#[test]
fn the_ways_to_list_moves_agree() {
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, 40 + seed as u64, POSITIONS, |position, _| {
            let all = position.legal_moves();
            let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
            position.noisy_moves(&mut noisy);
            let attacked = position.threats(!position.side_to_move()).all;
            position.quiet_moves(attacked, &mut quiet);
            assert!(noisy.iter().all(|&mv| position.is_noisy(mv)), "{position}");
            assert!(quiet.iter().all(|&mv| !position.is_noisy(mv)), "{position}");
            let halves: Vec<_> = noisy.into_iter().chain(quiet).collect();
            assert_eq!(bits(&halves), bits(&all), "{position}");
            assert_eq!(position.legal_move_count(), all.len() as u64);
            assert_eq!(position.has_legal_move(), !all.is_empty());
        });
    }
}

#[test]
fn quiet_checks_are_the_quiet_moves_of_unpinned_pieces_that_check_by_themselves() {
    let mut found = 0;
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, 45 + seed as u64, POSITIONS, |position, _| {
            if position.in_check() {
                return;
            }
            let mut checks = MoveList::new();
            position.quiet_checks(&mut checks);
            let gives_check = |mv: &Move| position.play(*mv).unwrap().checkers().contains(mv.to());
            let expected = |mv: &Move| {
                !position.is_noisy(*mv)
                    && mv.kind() == MoveKind::Normal
                    && !position.pinned().contains(mv.from())
                    && gives_check(mv)
            };
            let expected: Vec<_> = position
                .legal_moves()
                .into_iter()
                .filter(expected)
                .collect();
            assert_eq!(bits(&checks), bits(&expected), "{position}");
            found += checks.len();
        });
    }
    assert!(found > 0);
}

#[test]
fn is_legal_agrees_with_the_list_for_every_bit_pattern() {
    const EVERY: usize = 61;
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        let mut count = 0;
        walk(start, 50 + seed as u64, POSITIONS / 5, |position, _| {
            count += 1;
            if count % EVERY != 0 {
                return;
            }
            let legal: BTreeSet<_> = (0..=u16::MAX)
                .filter_map(Move::from_bits)
                .filter(|&mv| position.is_legal(mv))
                .map(Move::to_bits)
                .collect();
            assert_eq!(legal, bits(&position.legal_moves()), "{position}");
        });
    }
}

/// Moves of nearby positions, such as a hash table offers.
#[test]
fn is_legal_agrees_with_the_list_for_moves_of_neighbours() {
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        let mut neighbours: [MoveList; 4] = Default::default();
        let mut count = 0;
        let mut refused = 0;
        walk(start, 60 + seed as u64, POSITIONS, |position, _| {
            let list = position.legal_moves();
            let legal = bits(&list);
            for mv in neighbours.iter().flatten() {
                let expected = legal.contains(&mv.to_bits());
                assert_eq!(position.is_legal(*mv), expected, "{mv} in {position}");
                refused += usize::from(!expected);
            }
            assert!(list.iter().all(|&mv| position.is_legal(mv)), "{position}");
            neighbours[count % 4] = list;
            count += 1;
        });
        assert!(refused > POSITIONS);
    }
}

#[test]
fn attacked_squares_are_the_squares_with_an_attacker() {
    walk(Start::DoubleChess960, 70, POSITIONS / 5, |position, _| {
        for color in Color::ALL {
            let occupied = position.occupied() - position.king(!color).into();
            let expected: Bitboard = Square::ALL
                .into_iter()
                .filter(|&square| position.attackers_of(color, square, occupied).any())
                .collect();
            assert_eq!(position.threats(color).all, expected, "{position}");
        }
    });
}

/// Threats are split by the value of the attacker, and a direct check is known before the move is
/// played.
#[test]
fn threats_and_check_squares_match_the_attackers() {
    const LESS_VALUABLE: [(PieceKind, &[PieceKind]); 4] = [
        (PieceKind::Knight, &[PieceKind::Pawn]),
        (PieceKind::Bishop, &[PieceKind::Pawn]),
        (
            PieceKind::Rook,
            &[PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop],
        ),
        (
            PieceKind::Queen,
            &[
                PieceKind::Pawn,
                PieceKind::Knight,
                PieceKind::Bishop,
                PieceKind::Rook,
            ],
        ),
    ];
    for start in Start::ALL {
        walk(start, 41, POSITIONS / 25, |position, mv| {
            let them = !position.side_to_move();
            let threats = position.threats(them);
            let occupied = position.occupied() - position.king(!them).into();
            for (kind, attackers) in LESS_VALUABLE {
                let dangerous = attackers
                    .iter()
                    .fold(Bitboard::EMPTY, |set, &kind| set | position.kind(kind));
                for square in Square::ALL {
                    let attacked =
                        (position.attackers_of(them, square, occupied) & dangerous).any();
                    assert_eq!(
                        threats.by_lesser(kind).contains(square),
                        attacked,
                        "{position} {square}"
                    );
                }
            }
            if let Some(mv) = mv.filter(|mv| mv.kind() == MoveKind::Normal) {
                let kind = position.piece_at(mv.from()).unwrap().kind();
                let checks = position.play(mv).unwrap().checkers().contains(mv.to());
                let seen = position.check_squares().of(kind).contains(mv.to());
                assert_eq!(seen, checks, "{position} {mv}");
            }
        });
    }
}

/// Reversible moves of pieces lead to a position that is one move away; other moves do not.
#[test]
fn positions_one_reversible_move_apart_are_recognised() {
    for start in [Start::Standard, Start::Chess960] {
        walk(start, 42, POSITIONS / 5, |position, mv| {
            let Some(mv) = mv else { return };
            let next = position.play(mv).unwrap();
            let is_reversible = !position.is_noisy(mv)
                && mv.kind() == MoveKind::Normal
                && position.piece_at(mv.from()).unwrap().kind() != PieceKind::Pawn
                && position.castling() == next.castling()
                && position.en_passant().is_none()
                && next.en_passant().is_none();
            assert_eq!(
                next.is_one_move_from(position.key()),
                is_reversible,
                "{position} {mv}"
            );
            assert_eq!(
                position.is_one_move_from(next.key()),
                is_reversible,
                "{position} {mv}"
            );
            if let Some(&reply) = next.legal_moves().first() {
                let two_on = next.play(reply).unwrap();
                assert!(
                    !two_on.is_one_move_from(position.key()),
                    "{position} {mv} {reply}"
                );
            }
        });
    }
}

#[test]
fn the_widest_position_fits_the_list_and_wider_ones_are_refused() {
    // The maximum for a reachable position.
    let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let position = Position::from_fen(fen).expect("legal");
    assert_eq!(position.legal_moves().len(), 218);
    // The bound by kinds counts 27 moves of a queen, and just fits with 15 of them.
    for (fen, is_too_wide) in [
        ("QQQQQQ1k/Q6p/Q7/Q7/Q7/Q7/Q7/KQQQQQ2 w - - 0 1", true),
        ("QQQQQQ1k/Q6p/Q7/Q7/8/8/Q7/KQQQQQ2 w - - 0 1", false),
    ] {
        let setup: Setup = fen.parse().expect("a FEN");
        let refused = setup.validate(CastlingMode::Standard);
        let defects = refused.expect_err("too many queens").0;
        assert_eq!(defects.contains(Defect::TooManyMoves), is_too_wide, "{fen}");
    }
}

// ---- en passant in the key ----

/// The file counts only if the capture is legal.
#[test]
fn the_key_has_the_en_passant_file_only_if_the_capture_is_legal() {
    #[rustfmt::skip]
    let table = [
        // Position before the double step, the step, whether en passant is legal.
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", true),
        ("4k3/8/8/8/3p1p2/8/4P3/4K3 w - - 0 1", "e2e4", true),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", false), // no pawn next to it
        ("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2e4", false), // next to the passed square only
        ("4k3/8/8/8/7p/8/P7/4K3 w - - 0 1", "a2a4", false), // h4 is not next to a4
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", false), // pinned on the file
        ("3k4/8/8/8/3pp3/8/2P1P3/3RK3 w - - 0 1", "c2c4", false), // d4 pinned, e4 not next to c4
        ("3k4/8/8/8/1p1p4/8/2P5/3RK3 w - - 0 1", "c2c4", true), // d4 pinned, b4 free
        ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", false), // both pawns leave the rank
        ("8/8/8/8/k1pp3R/8/4P3/4K3 w - - 0 1", "e2e4", true), // another piece stays on the rank
        ("8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1", "e2e4", false), // the same from the other side
        ("4K3/8/8/8/3p4/8/R3P2k/8 w - - 0 1", "e2e4", false), // the step opened a check
        ("4k3/8/8/8/5p2/8/4P3/B3K2b w - - 0 1", "e2e4", true),
        ("8/6k1/8/8/3p4/8/1B2P3/4K3 w - - 0 1", "e2e4", false), // pinned, e3 is off the line
        ("8/k7/8/8/3p4/4P3/5P2/6BK w - - 0 1", "f2f4", false), // d4 is not next to f4
        ("8/8/1k6/8/3p4/8/4PP2/6BK w - - 0 1", "e2e4", true), // pinned, e3 is on the line
        ("8/8/8/5k2/3p4/8/4P3/4K3 w - - 0 1", "e2e4", true), // takes the checking pawn
        ("8/8/8/8/3p1k2/8/4P1P1/4K1R1 w - - 0 1", "e2e4", true),
        ("4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1", "e7e5", true),
        ("4k3/4p3/8/3P4/8/8/8/3RK3 b - - 0 1", "e7e5", true), // own rook behind: no pin
        ("3rk3/4p3/8/3P4/8/8/8/3K4 b - - 0 1", "e7e5", false),
        ("4k3/4p3/8/K2P3r/8/8/8/8 b - - 0 1", "e7e5", false),
    ];
    for (fen, step, expected) in table {
        let before = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let (from, to) = (square(&step[..2]), square(&step[2..]));
        let mv = Move::normal(from, to);
        if !before.is_legal(mv) {
            panic!("{step} is illegal in {fen}");
        }
        let after = before.play(mv).unwrap();
        assert_eq!(after.en_passant().is_some(), expected, "{step} in {fen}");

        // A FEN with the en passant square, legal or not, reads as the same position.
        let passed = Square::new(from.file(), Rank::R3.relative_to(before.side_to_move()));
        let mut setup = after.to_setup();
        setup.en_passant = Some(passed);
        let read = setup
            .validate(CastlingMode::Standard)
            .map(|valid| valid.position);
        assert_eq!(read, Ok(after), "{step} in {fen}");

        setup.en_passant = None;
        let without = setup
            .validate(CastlingMode::Standard)
            .expect("legal")
            .position;
        assert_eq!(without.key() != after.key(), expected, "{step} in {fen}");
        let takes = after.legal_moves().iter().any(|mv| mv.is_en_passant());
        assert_eq!(takes, expected, "{step} in {fen}");
    }
}

// ---- static exchange evaluation ----

/// The exchange by plain recursion: after the first move, each side captures with its least
/// valuable piece or stops.
///
/// It has the simplifications of `see_at_least`: the least valuable piece captures, among equals
/// the one on the lowest square; later promotions do not count; pins count but other checks do not;
/// kings do not capture protected pieces. It shares no code with it: attackers, pins and gains are
/// computed from scratch at each step with the slow walker.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
}

impl Exchange<'_> {
    fn value(position: &Position, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = (position.occupied() - from.into()) | to.into();
        let worth = |square| {
            position
                .piece_at(square)
                .map_or(0, |piece| see::value(piece.kind()))
        };
        let (gain, left) = match mv.kind() {
            MoveKind::Castling => return 0,
            MoveKind::Normal => (worth(to), worth(from)),
            MoveKind::Promotion(kind) => {
                let kind = see::value(kind);
                (worth(to) + kind - see::value(PieceKind::Pawn), kind)
            }
            MoveKind::EnPassant => {
                occupied -= Square::new(to.file(), from.rank()).into();
                let pawn = see::value(PieceKind::Pawn);
                (pawn, pawn)
            }
        };
        let exchange = Exchange {
            position,
            target: to,
        };
        gain - exchange.best_reply(!position.side_to_move(), occupied, left)
    }

    /// The gain of `side` by capturing the piece on the target, worth `prize`, or 0 if it is better
    /// not to capture.
    fn best_reply(&self, side: Color, occupied: Bitboard, prize: i32) -> i32 {
        let taker = PieceKind::ALL.into_iter().find_map(|kind| {
            let pieces = self.position.pieces(side, kind) & occupied;
            pieces
                .into_iter()
                .find(|&from| self.may_take(side, kind, from, occupied))
                .map(|from| (from, kind))
        });
        let Some((from, kind)) = taker else {
            return 0;
        };
        let after = occupied - from.into();
        (prize - self.best_reply(!side, after, see::value(kind))).max(0)
    }

    fn may_take(&self, side: Color, kind: PieceKind, from: Square, occupied: Bitboard) -> bool {
        if from == self.target || !self.attacks(side, kind, from, self.target, occupied) {
            return false;
        }
        let after = occupied - from.into();
        let enemies = || {
            PieceKind::ALL.into_iter().flat_map(|kind| {
                let pieces = self.position.pieces(!side, kind) & (occupied - self.target.into());
                pieces.into_iter().map(move |square| (square, kind))
            })
        };
        let king = self.position.king(side);
        if kind == PieceKind::King {
            return !enemies()
                .any(|(enemy, kind)| self.attacks(!side, kind, enemy, self.target, occupied));
        }
        !enemies().any(|(enemy, kind)| {
            let attacks = |occupied| self.attacks(!side, kind, enemy, king, occupied);
            attacks(after) && !attacks(occupied)
        })
    }

    fn attacks(
        &self,
        side: Color,
        kind: PieceKind,
        from: Square,
        to: Square,
        occupied: Bitboard,
    ) -> bool {
        let attacked = match kind {
            PieceKind::Pawn => rays::pawn(side, from),
            PieceKind::Knight => rays::knight(from),
            PieceKind::Bishop => rays::bishop(from, occupied),
            PieceKind::Rook => rays::rook(from, occupied),
            PieceKind::Queen => rays::rook(from, occupied) | rays::bishop(from, occupied),
            PieceKind::King => rays::king(from),
        };
        attacked.contains(to)
    }
}

#[test]
fn see_matches_a_recursive_search() {
    let mut random = ChaCha8Rng::seed_from_u64(80);
    let mut values: HashMap<i32, u32> = HashMap::new();
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, 80 + seed as u64, POSITIONS / 5, |position, _| {
            for mv in position.legal_moves() {
                let value = Exchange::value(position, mv);
                assert!(
                    position.see_at_least(mv, value),
                    "{mv} wins {value} in {position}"
                );
                assert!(
                    !position.see_at_least(mv, value + 1),
                    "{mv} wins {value} in {position}"
                );
                let threshold = random.random_range(-1500..1500);
                assert_eq!(
                    position.see_at_least(mv, threshold),
                    value >= threshold,
                    "{mv} wins {value} in {position}, threshold {threshold}"
                );
                *values.entry(value).or_default() += 1;
            }
        });
    }
    println!("{} different values", values.len());
    assert!(values.len() > 50);
}

#[test]
fn quiet_see_agrees_with_see() {
    for (seed, start) in Start::ALL.into_iter().enumerate() {
        walk(start, 90 + seed as u64, POSITIONS / 5, |position, _| {
            let attacked = position.threats(!position.side_to_move()).all;
            let mut moves = MoveList::new();
            position.quiet_moves(attacked, &mut moves);
            for mv in moves {
                for threshold in [-400, -100, -1, 0, 1] {
                    assert_eq!(
                        position.quiet_see_at_least(mv, threshold, attacked),
                        position.see_at_least(mv, threshold),
                        "{mv} in {position}, threshold {threshold}"
                    );
                }
            }
        });
    }
}

#[test]
fn see_matches_known_exchanges() {
    #[rustfmt::skip]
    let table = [
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100), // an unprotected pawn
        ("4k3/2p5/3p4/8/8/8/8/3RK3 w - - 0 1", "d1d6", 100 - 500), // protected
        ("4k3/2p5/3p4/8/8/8/3R4/3RK3 w - - 0 1", "d2d6", 100 - 500 + 100), // a rook behind the rook
        ("3rk3/8/3p4/8/8/8/3R4/3RK3 w - - 0 1", "d2d6", 100), // it is better not to recapture
        ("3qk3/8/3p4/8/8/8/3Q4/3RK3 w - - 0 1", "d2d6", 100), // queens, a rook behind ours
        ("3rk3/8/3p4/8/8/8/3Q4/3RK3 w - - 0 1", "d2d6", 100 - 950 + 500),
        ("4k3/8/2p1p3/3p4/2P1P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100), // en passant
        ("4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 0),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850), // promotion
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", 500 + 850),
        ("4k3/8/4b3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
        ("4r3/8/4b2k/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500), // the bishop is not pinned
        ("4k3/8/4b3/3p4/8/8/4R3/3RK3 w - - 0 1", "d1d5", 100), // the bishop is pinned
        ("8/8/3k4/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500), // the king takes back
        ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100), // the king may not take back
        ("4k3/8/8/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d3", 0), // a quiet move to a safe square
        ("4k3/8/8/3p4/8/8/8/2Q1K3 w - - 0 1", "c1c4", -950), // a quiet move to an attacked square
    ];
    for (fen, text, expected) in table {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let moves = position.legal_moves();
        let mv = moves.iter().find(|mv| mv.to_string() == text);
        let mv = *mv.unwrap_or_else(|| panic!("{text} is illegal in {fen}"));
        assert_eq!(
            Exchange::value(&position, mv),
            expected,
            "the oracle, {text} in {fen}"
        );
        let reached: Vec<_> = (-2000..2000)
            .filter(|&threshold| position.see_at_least(mv, threshold))
            .collect();
        assert_eq!(reached.last(), Some(&expected), "{text} in {fen}");
        assert_eq!(
            reached.len() as i32,
            expected + 2001,
            "not monotonic: {text} in {fen}"
        );
    }
}
