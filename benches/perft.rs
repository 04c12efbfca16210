//! Speed of perft with bulk counting, compared with widely used libraries.
//!
//! Each library counts as fast as its public, safe interface allows: the moves of the last ply are
//! counted, not played. The counts are checked before the measurement.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

/// Name, FEN, depth, count.
const POSITIONS: [(&str, &str, u32, u64); 3] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
        4_865_609,
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    (
        "endgame",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        6,
        11_030_083,
    ),
];

fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy(&next, depth - 1);
            }
            false
        });
    }
    nodes
}

/// The name of a library, and a function that counts to a depth from a fixed position.
type Counter = (&'static str, Box<dyn Fn(u32) -> u64>);

fn counters(fen: &str) -> [Counter; 3] {
    let tabiya = tabiya::board::Position::from_fen(fen).expect("legal");
    let cozy_board = cozy_chess::Board::from_fen(fen, false).expect("legal");
    let shakmaty_position: shakmaty::Chess = fen
        .parse::<shakmaty::fen::Fen>()
        .expect("a FEN")
        .into_position(shakmaty::CastlingMode::Standard)
        .expect("legal");
    [
        (
            "tabiya",
            Box::new(move |depth| tabiya::board::perft::count(black_box(&tabiya), depth)),
        ),
        (
            "cozy-chess",
            Box::new(move |depth| cozy(black_box(&cozy_board), depth)),
        ),
        (
            "shakmaty",
            Box::new(move |depth| shakmaty::perft(black_box(&shakmaty_position), depth)),
        ),
    ]
}

fn perft(criterion: &mut Criterion) {
    for (name, fen, depth, nodes) in POSITIONS {
        let counters = counters(fen);
        for (counter, count) in &counters {
            assert_eq!(count(depth), nodes, "{counter} on {name}");
        }
        let mut group = criterion.benchmark_group(format!("perft/{name}"));
        group.throughput(Throughput::Elements(nodes));
        group.sample_size(20);
        group.warm_up_time(Duration::from_millis(500));
        group.measurement_time(Duration::from_secs(3));
        for (counter, count) in &counters {
            group.bench_function(BenchmarkId::from_parameter(counter), |bencher| {
                bencher.iter(|| count(black_box(depth)));
            });
        }
    }
}

criterion_group!(benches, perft);
criterion_main!(benches);
