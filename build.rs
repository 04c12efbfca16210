//! Writes the attack tables, the Zobrist keys, the table of reversible moves and the list of
//! openings to `OUT_DIR`.
//!
//! It compiles the crate's own types, ray walker and magic index, so tables and look-ups cannot
//! disagree. The random generator is portable and its seed is fixed, so all builds get the same
//! tables.

// The crate uses all of these items; this script uses only some.
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs)]

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;
use std::process::Command;
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

/// Random seed. Another value changes all keys and therefore the bench signature.
const SEED: u64 = 0x7AB1_1A00;

/// Entries of the table of sliding attacks. A power of two, so that masking the index saves the
/// bounds check.
const SLIDING_SIZE: usize = 1 << 17;

/// The named openings: code, name and moves.
const OPENINGS: &str = "src/game/openings.tsv";

fn main() {
    for path in [
        "build.rs",
        OPENINGS,
        "src/types",
        "src/board/attacks",
        "src/board/cycle",
    ] {
        println!("cargo::rerun-if-changed={path}");
    }
    name_network();
    name_commit();
    // The stack of a search thread depends on it.
    println!("cargo::rustc-check-cfg=cfg(unoptimised)");
    if env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimised");
    }
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    write(&out, "attacks.rs", attack_tables(&mut random));
    let (zobrist, pieces, black_to_move) = zobrist_keys(&mut random);
    write(&out, "zobrist.rs", zobrist);
    write(&out, "cycle.rs", reversible_moves(&pieces, black_to_move));
    let openings = fs::read_to_string(OPENINGS).expect("the openings can be read");
    write(&out, "openings.bin", packed_openings(&openings));
}

/// Sets the commit, for `tabiya --version`. Only in release builds: every commit causes a new
/// build.
fn name_commit() {
    if env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Git looks for a repository in all folders above, and the source may have been unpacked into
    // one of something else.
    if git(&["rev-parse", "--show-prefix"]).as_deref() != Some("") {
        return;
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    // What the program is made of, so that "-dirty" is true of this build.
    for path in ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", "src"] {
        println!("cargo::rerun-if-changed={path}");
    }
    // `--tags`: the checkout of a workflow turns an annotated tag into a plain one.
    let describe = [
        "describe",
        "--tags",
        "--match=v[0-9]*",
        "--always",
        "--dirty",
    ];
    if let Some(commit) = git(&describe) {
        println!("cargo::rustc-env=TABIYA_COMMIT={commit}");
    }
}

/// The beginning of a network file, with its format (`Header::FORMAT`).
const NETWORK: &[u8; 29] = br#"{"format":"tabiya network 6","#;

/// Sets the path of the embedded network: the variable `EVALFILE`, or the one in `assets/`.
fn name_network() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let file = env::var("EVALFILE").unwrap_or_default();
    let file = match file.as_str() {
        "" => "assets/tabiya.net",
        file => file,
    };
    // `join` keeps an absolute path as it is.
    let path = Path::new(&root).join(file);
    assert!(path.is_file(), "EVALFILE: no such file: {}", path.display());
    let mut beginning = [0; NETWORK.len()];
    let read = fs::File::open(&path).and_then(|mut file| file.read_exact(&mut beginning));
    assert!(
        read.is_ok() && beginning == *NETWORK,
        "EVALFILE: not a network of this version: {}",
        path.display()
    );
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env=TABIYA_NETWORK={}", path.display());
}

fn write(folder: &str, name: &str, contents: impl AsRef<[u8]>) {
    fs::write(Path::new(folder).join(name), contents).expect("OUT_DIR can be written");
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
    for (name, attacks) in [
        (
            "NEAR_BISHOP",
            rays::bishop as fn(Square, Bitboard) -> Bitboard,
        ),
        ("NEAR_ROOK", rays::rook),
    ] {
        let near = |king| {
            let squares = rays::king(king).into_iter();
            squares.fold(Bitboard::EMPTY, |set, square| {
                set | attacks(square, Bitboard::EMPTY)
            })
        };
        bitboard_table(&mut text, name, Square::ALL.into_iter().map(near));
    }
    square_pair_table(&mut text, "BETWEEN", rays::between);
    square_pair_table(&mut text, "LINE", rays::line);
    text
}

/// Finds a magic number for each square and appends the attacks to the shared table.
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
                // Sparse factors spread the bits of the mask, so they succeed more often.
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

/// Returns this square's part of the table, or `None` if two occupancies with different attacks
/// collide.
fn fill(magic: &Magic, wanted: &[(Bitboard, Bitboard)]) -> Option<Vec<Bitboard>> {
    // A slider always attacks some square, so the empty set marks a free entry.
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

/// Returns the keys as text, the keys of each piece by square, and the key of the side to move.
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

/// Builds a cuckoo hash table of all reversible moves, keyed by the change of the position's key.
///
/// A key has two possible slots, so a look-up takes two probes. Sources: Pagh and Rodler, "Cuckoo
/// Hashing", 2001; van Kervinck, "A fast software-based method for upcoming cycle detection in
/// search trees", 2013.
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
            // Each pair of squares once: the move back changes the key in the same way.
            for to in reach.into_iter().filter(|&to| to > from) {
                let key = keys[from.index()] ^ keys[to.index()] ^ black_to_move;
                let mut displaced = (key, from as u8, to as u8);
                let mut place = cuckoo::first(key);
                loop {
                    std::mem::swap(&mut table[place], &mut displaced);
                    if displaced == EMPTY {
                        break;
                    }
                    // The displaced entry goes to its other slot.
                    let (first, second) = (cuckoo::first(displaced.0), cuckoo::second(displaced.0));
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

/// The openings in a sixth of the bytes, as `src/game/opening.rs` reads them: the words, each up
/// to a line end, and an empty line; then for each opening the words of its code and name, and its
/// moves. Of both, the words that are the same as in the opening before are counted, not repeated.
/// The 240 most frequent words take one byte, the others two.
fn packed_openings(text: &str) -> Vec<u8> {
    let read = |line: &str| -> [Vec<String>; 2] {
        let [code, name, moves] = line
            .split('\t')
            .collect::<Vec<_>>()
            .try_into()
            .expect("three fields");
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut moves = words(moves);
        moves.retain(|word| !word.ends_with('.'));
        [words(&format!("{code} {name}")), moves]
    };
    let openings: Vec<_> = text.lines().skip(1).map(read).collect();
    let mut counts = BTreeMap::new();
    for word in openings.iter().flatten().flatten() {
        *counts.entry(word.as_str()).or_insert(0) += 1;
    }
    let mut words: Vec<_> = counts.into_iter().collect();
    words.sort_by_key(|&(word, count)| (Reverse(count), word));
    // Among the words of two bytes their number does not matter, and the web's compression finds
    // more where words with the same end stand together.
    words[240..].sort_by_key(|&(word, _)| word.bytes().rev().collect::<Vec<_>>());
    let mut bytes = Vec::new();
    let mut numbers = BTreeMap::new();
    for (number, (word, _)) in words.into_iter().enumerate() {
        bytes.extend(word.bytes().chain([b'\n']));
        numbers.insert(word, number);
    }
    bytes.push(b'\n');
    let nothing = [Vec::new(), Vec::new()];
    let before = [&nothing].into_iter().chain(&openings);
    for (before, opening) in before.zip(&openings) {
        for (before, words) in before.iter().zip(opening) {
            let same = before.iter().zip(words).take_while(|(a, b)| a == b);
            let same = same.count();
            bytes.extend([same, words.len() - same].map(|count| count as u8));
            for word in &words[same..] {
                match numbers[word.as_str()] {
                    number @ 0..240 => bytes.push(number as u8),
                    number => {
                        let rest = number - 240;
                        assert!(rest < 16 << 8, "too many words");
                        bytes.extend([240 + (rest >> 8), rest & 255].map(|byte| byte as u8));
                    }
                }
            }
        }
    }
    bytes
}
