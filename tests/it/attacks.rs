//! The attack tables compared with the slow walker: every subset of every mask, every square, every
//! pair of squares.

use tabiya::board::attacks::{self, rays};
use tabiya::types::{Bitboard, Color, PieceKind, Square};

type Slider = fn(Square, Bitboard) -> Bitboard;

/// Sizes of tables of relevant occupancies: the sum of 2^bits over the squares.
const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

#[test]
fn sliders_agree_for_every_subset_of_every_mask() {
    let sliders: [(&str, Slider, Slider, usize); 2] = [
        ("rook", attacks::rook, rays::rook, ROOK_ENTRIES),
        ("bishop", attacks::bishop, rays::bishop, BISHOP_ENTRIES),
    ];
    for (name, table, walker, entries) in sliders {
        let mut checked = 0;
        for from in Square::ALL {
            let mask = rays::relevant(from, walker);
            for occupied in mask.subsets() {
                let expected = walker(from, occupied);
                // Pieces off the mask, at the ends of the rays and elsewhere, must not change the
                // result.
                for noise in [Bitboard::EMPTY, !mask] {
                    let found = table(from, occupied | noise);
                    assert_eq!(found, expected, "{name} on {from}, occupied {occupied:?}");
                }
                checked += 1;
            }
        }
        assert_eq!(checked, entries, "{name}");
    }
}

/// The mask is complete: the table agrees with the walker for all pieces on the whole ray.
#[test]
fn sliders_agree_for_every_subset_of_every_ray() {
    let sliders: [(&str, Slider, Slider); 2] = [
        ("rook", attacks::rook, rays::rook),
        ("bishop", attacks::bishop, rays::bishop),
    ];
    for (name, table, walker) in sliders {
        for from in Square::ALL {
            for occupied in walker(from, Bitboard::EMPTY).subsets() {
                let (found, expected) = (table(from, occupied), walker(from, occupied));
                assert_eq!(found, expected, "{name} on {from}, occupied {occupied:?}");
            }
        }
    }
}

#[test]
fn a_queen_attacks_as_rook_and_bishop_together() {
    for from in Square::ALL {
        // All pairs of subsets would be 2^24, so both masks are walked in step.
        let rooks = rays::relevant(from, rays::rook).subsets();
        let bishops: Vec<_> = rays::relevant(from, rays::bishop).subsets().collect();
        for (occupied, diagonal) in rooks.zip(bishops.into_iter().cycle()) {
            let occupied = occupied | diagonal;
            let expected = rays::rook(from, occupied) | rays::bishop(from, occupied);
            assert_eq!(attacks::queen(from, occupied), expected, "queen on {from}");
        }
    }
}

#[test]
fn leapers_agree_on_every_square() {
    for from in Square::ALL {
        assert_eq!(
            attacks::knight(from),
            rays::knight(from),
            "knight on {from}"
        );
        assert_eq!(attacks::king(from), rays::king(from), "king on {from}");
        for color in Color::ALL {
            let expected = rays::pawn(color, from);
            assert_eq!(attacks::pawn(color, from), expected, "{color} on {from}");
            assert_eq!(
                attacks::pawns(color, from.into()),
                expected,
                "{color} on {from}"
            );
        }
    }
}

#[test]
fn between_and_line_agree_for_every_pair() {
    for a in Square::ALL {
        for b in Square::ALL {
            assert_eq!(attacks::between(a, b), rays::between(a, b), "{a} {b}");
            assert_eq!(attacks::line(a, b), rays::line(a, b), "{a} {b}");
        }
    }
}

#[test]
fn attacks_by_kind_are_the_attacks_of_that_kind() {
    let occupied = Bitboard::LIGHT;
    for from in Square::ALL {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let expected = match kind {
                    PieceKind::Pawn => rays::pawn(color, from),
                    PieceKind::Knight => rays::knight(from),
                    PieceKind::Bishop => rays::bishop(from, occupied),
                    PieceKind::Rook => rays::rook(from, occupied),
                    PieceKind::Queen => rays::rook(from, occupied) | rays::bishop(from, occupied),
                    PieceKind::King => rays::king(from),
                };
                assert_eq!(attacks::of(color, kind, from, occupied), expected);
            }
        }
    }
}

/// The walker itself, compared with attacks that are easy to check by hand.
#[test]
fn the_walker_finds_known_attacks() {
    let squares = |names: &str| -> Bitboard {
        names
            .split_whitespace()
            .map(|name| name.parse::<Square>().expect("a square"))
            .collect()
    };
    let occupied = squares("d6 f4 c3 e3 b4");
    let table = [
        (
            rays::rook(Square::D4, occupied),
            "d5 d6 e4 f4 d3 d2 d1 c4 b4",
        ),
        (
            rays::bishop(Square::D4, occupied),
            "c3 e3 e5 f6 g7 h8 c5 b6 a7",
        ),
        (rays::knight(Square::G1), "e2 f3 h3"),
        (rays::king(Square::A8), "a7 b7 b8"),
        (rays::pawn(Color::White, Square::A2), "b3"),
        (rays::pawn(Color::Black, Square::E4), "d3 f3"),
        (rays::pawn(Color::White, Square::E8), ""),
        (rays::between(Square::A1, Square::D4), "b2 c3"),
        (rays::between(Square::H7, Square::H4), "h5 h6"),
        (rays::between(Square::A1, Square::B3), ""),
        (rays::between(Square::E4, Square::E4), ""),
        (rays::line(Square::B1, Square::A2), "b1 a2"),
        (
            rays::line(Square::C3, Square::B3),
            "a3 b3 c3 d3 e3 f3 g3 h3",
        ),
        (rays::line(Square::E4, Square::E4), ""),
    ];
    for (index, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, squares(expected), "line {index}");
    }
}
