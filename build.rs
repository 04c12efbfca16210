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

#[path = "src/board/attacks/magic.rs"]
mod magic;
#[path = "src/board/attacks/rays.rs"]
mod rays;
#[path = "src/types/mod.rs"]
mod types;

use magic::Magic;
use types::{Bitboard, Color, File, Piece, Square};

/// Any number will do; changing it changes every key and every bench signature.
const SEED: u64 = 0x7AB1_1A00;

/// The table of sliding attacks is padded to a power of two, so that a masked index needs no bounds check.
const SLIDING_SIZE: usize = 1 << 17;

fn main() {
    for path in ["build.rs", "src/types", "src/board/attacks"] {
        println!("cargo::rerun-if-changed={path}");
    }
    name_network();
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    write(&out, "attacks.rs", &attack_tables(&mut random));
    write(&out, "zobrist.rs", &zobrist_keys(&mut random));
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

fn zobrist_keys(random: &mut ChaCha8Rng) -> String {
    let mut text = String::new();
    let mut table = |name: &str, rows: usize, columns: usize| {
        writeln!(text, "static {name}: [[Key; {columns}]; {rows}] = [").unwrap();
        for _ in 0..rows {
            let row: String = (0..columns)
                .map(|_| format!("Key({:#x}),", random.next_u64()))
                .collect();
            writeln!(text, "[{row}],").unwrap();
        }
        writeln!(text, "];").unwrap();
    };
    table("PIECE", Piece::COUNT, Square::COUNT);
    table("CASTLING", Color::COUNT, File::COUNT);
    table("EN_PASSANT", 1, File::COUNT);
    table("SIDE", 1, 1);
    text
}
