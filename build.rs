//! Writes the attack tables and Zobrist keys to `OUT_DIR`.
//!
//! It compiles the crate's own types, slow walker and magic index, so table and look-up cannot disagree.
//! The generator is portable and its seed fixed: every build everywhere gives the same tables.

// What it compiles in is public and used in full there, not here.
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs)]

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

#[path = "src/board/cycle/cuckoo.rs"]
mod cuckoo;
#[path = "src/board/attacks/magic.rs"]
mod magic;
#[path = "src/board/attacks/rays.rs"]
mod rays;
#[path = "src/types/mod.rs"]
mod types;

use magic::Magic;
use types::{Bitboard, Color, File, Piece, PieceKind, Square};

/// Any number will do; changing it changes every key and every bench signature.
const SEED: u64 = 0x7AB1_1A00;

/// The table of sliding attacks is padded to a power of two, so that a masked index needs no bounds check.
const SLIDING_SIZE: usize = 1 << 17;

fn main() {
    for path in [
        "build.rs",
        "src/types",
        "src/board/attacks",
        "src/board/cycle",
    ] {
        println!("cargo::rerun-if-changed={path}");
    }
    name_network();
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    write(&out, "attacks.rs", &attack_tables(&mut random));
    let (zobrist, pieces, black_to_move) = zobrist_keys(&mut random);
    write(&out, "zobrist.rs", &zobrist);
    write(&out, "cycle.rs", &reversible_moves(&pieces, black_to_move));
}

/// Says which network is built in: the file that the variable `EVALFILE` names, or the one in `assets/`.
fn name_network() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let file = env::var("EVALFILE").unwrap_or_default();
    let file = match file.as_str() {
        "" => "assets/tabiya.net",
        file => file,
    };
    // An absolute path stays what it is.
    let path = Path::new(&root).join(file);
    assert!(
        path.is_file(),
        "EVALFILE: there is no file {}",
        path.display()
    );
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env=TABIYA_NETWORK={}", path.display());
}

fn write(folder: &str, name: &str, text: &str) {
    fs::write(Path::new(folder).join(name), text).expect("OUT_DIR can be written");
}

fn attack_tables(random: &mut ChaCha8Rng) -> String {
    let mut sliding = Vec::new();
    let rooks = magics(rays::rook, &mut sliding, random);
    let bishops = magics(rays::bishop, &mut sliding, random);
    assert!(sliding.len() <= SLIDING_SIZE);
    sliding.resize(SLIDING_SIZE, Bitboard::EMPTY);

    let mut text = String::new();
    magic_table(&mut text, "ROOK_MAGICS", &rooks);
    magic_table(&mut text, "BISHOP_MAGICS", &bishops);
    bitboard_table(&mut text, "SLIDING", sliding.into_iter());
    bitboard_table(
        &mut text,
        "KNIGHT",
        Square::ALL.into_iter().map(rays::knight),
    );
    bitboard_table(&mut text, "KING", Square::ALL.into_iter().map(rays::king));
    for (name, color) in [("WHITE_PAWN", Color::White), ("BLACK_PAWN", Color::Black)] {
        bitboard_table(
            &mut text,
            name,
            Square::ALL.into_iter().map(|from| rays::pawn(color, from)),
        );
    }
    square_pair_table(&mut text, "BETWEEN", rays::between);
    square_pair_table(&mut text, "LINE", rays::line);
    text
}

/// Finds a magic number for each square and appends the attacks to the common table.
fn magics(
    attacks: fn(Square, Bitboard) -> Bitboard,
    sliding: &mut Vec<Bitboard>,
    random: &mut ChaCha8Rng,
) -> Vec<Magic> {
    Square::ALL
        .into_iter()
        .map(|square| {
            let mask = rays::relevant(square, attacks);
            let wanted: Vec<_> = mask
                .subsets()
                .map(|occupied| (occupied, attacks(square, occupied)))
                .collect();
            let (shift, offset) = (64 - mask.len(), sliding.len() as u32);
            loop {
                // Numbers with few bits spread the mask's bits apart, so they succeed more often.
                let factor = random.next_u64() & random.next_u64() & random.next_u64();
                let magic = Magic {
                    mask,
                    factor,
                    shift,
                    offset,
                };
                if let Some(part) = fill(&magic, &wanted) {
                    sliding.extend(part);
                    return magic;
                }
            }
        })
        .collect()
}

/// This square's part of the table, or `None` if two occupations with different attacks share an index.
fn fill(magic: &Magic, wanted: &[(Bitboard, Bitboard)]) -> Option<Vec<Bitboard>> {
    // No slider attacks nothing, so the empty set marks a free entry.
    let mut part = vec![Bitboard::EMPTY; wanted.len()];
    for &(occupied, attacks) in wanted {
        let entry = &mut part[magic.index(occupied) - magic.offset as usize];
        if entry.any() && *entry != attacks {
            return None;
        }
        *entry = attacks;
    }
    Some(part)
}

fn magic_table(text: &mut String, name: &str, magics: &[Magic]) {
    writeln!(text, "static {name}: [Magic; 64] = [").unwrap();
    for Magic {
        mask,
        factor,
        shift,
        offset,
    } in magics
    {
        let mask = mask.0;
        writeln!(
            text,
            "Magic {{ mask: Bitboard({mask:#x}), factor: {factor:#x}, shift: {shift}, offset: {offset} }},"
        )
        .unwrap();
    }
    writeln!(text, "];").unwrap();
}

fn bitboard_table(text: &mut String, name: &str, sets: impl ExactSizeIterator<Item = Bitboard>) {
    writeln!(text, "static {name}: [Bitboard; {}] = [", sets.len()).unwrap();
    for set in sets {
        writeln!(text, "Bitboard({:#x}),", set.0).unwrap();
    }
    writeln!(text, "];").unwrap();
}

fn square_pair_table(text: &mut String, name: &str, set: fn(Square, Square) -> Bitboard) {
    writeln!(text, "static {name}: [[Bitboard; 64]; 64] = [").unwrap();
    for a in Square::ALL {
        let row: String = Square::ALL
            .into_iter()
            .map(|b| format!("Bitboard({:#x}),", set(a, b).0))
            .collect();
        writeln!(text, "[{row}],").unwrap();
    }
    writeln!(text, "];").unwrap();
}

/// The keys as text; those of pieces by piece and square, and that of the side to move, for the tables made of them.
fn zobrist_keys(random: &mut ChaCha8Rng) -> (String, Vec<Vec<u64>>, u64) {
    let mut text = String::new();
    let mut table = |name: &str, rows: usize, columns: usize| {
        let keys: Vec<Vec<_>> = (0..rows)
            .map(|_| (0..columns).map(|_| random.next_u64()).collect())
            .collect();
        writeln!(text, "static {name}: [[Key; {columns}]; {rows}] = [").unwrap();
        for row in &keys {
            let row: String = row.iter().map(|key| format!("Key({key:#x}),")).collect();
            writeln!(text, "[{row}],").unwrap();
        }
        writeln!(text, "];").unwrap();
        keys
    };
    let pieces = table("PIECE", Piece::COUNT, Square::COUNT);
    table("CASTLING", Color::COUNT, File::COUNT);
    table("EN_PASSANT", 1, File::COUNT);
    let side = table("SIDE", 1, 1);
    (text, pieces, side[0][0])
}

/// A cuckoo hash table of all moves that can be taken back, by what they change in the key: each is in one of two places, so
/// that a look-up takes two probes (Pagh and Rodler, "Cuckoo Hashing", 2001; van Kervinck's "upcoming repetition").
fn reversible_moves(pieces: &[Vec<u64>], black_to_move: u64) -> String {
    const EMPTY: (u64, u8, u8) = (0, 0, 0);
    let mut table = vec![EMPTY; cuckoo::SIZE];
    for (piece, keys) in Piece::ALL.into_iter().zip(pieces) {
        for from in Square::ALL {
            let reach = match piece.kind() {
                PieceKind::Pawn => continue,
                PieceKind::Knight => rays::knight(from),
                PieceKind::Bishop => rays::bishop(from, Bitboard::EMPTY),
                PieceKind::Rook => rays::rook(from, Bitboard::EMPTY),
                PieceKind::Queen => {
                    rays::bishop(from, Bitboard::EMPTY) | rays::rook(from, Bitboard::EMPTY)
                }
                PieceKind::King => rays::king(from),
            };
            // A move there is a move back.
            for to in reach.into_iter().filter(|&to| to > from) {
                let key = keys[from.index()] ^ keys[to.index()] ^ black_to_move;
                let mut homeless = (key, from as u8, to as u8);
                let mut place = cuckoo::first(key);
                loop {
                    std::mem::swap(&mut table[place], &mut homeless);
                    if homeless == EMPTY {
                        break;
                    }
                    // Whoever was there goes to its other place.
                    let (first, second) = (cuckoo::first(homeless.0), cuckoo::second(homeless.0));
                    place = if place == first { second } else { first };
                }
            }
        }
    }
    let mut text = format!("static REVERSIBLE: [(Key, u8, u8); {}] = [\n", cuckoo::SIZE);
    for (key, from, to) in table {
        writeln!(text, "(Key({key:#x}), {from}, {to}),").unwrap();
    }
    writeln!(text, "];").unwrap();
    text
}
