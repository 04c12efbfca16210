//! Speed of the evaluation. `make and evaluate` makes a move on the board and in the evaluator,
//! evaluates the position and takes the move back. `make only` leaves out the evaluation, so the
//! lazy accumulators are never computed.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tabiya::board::Position;
use tabiya::eval::{Evaluator, Network};

/// With 32, 28 and 10 pieces.
const POSITIONS: [&str; 3] = [
    "r1bqk2r/ppppbppp/2n2n2/4p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5",
    "r2q1rk1/1b2bppp/p2p1n2/1p2p3/4P3/1BN1B3/PPP2PPP/R2QR1K1 w - - 0 13",
    "8/5pk1/4p1p1/3r4/8/2R3P1/5P1P/6K1 w - - 0 40",
];

fn evaluation(criterion: &mut Criterion) {
    let network = Network::embedded();
    for fen in POSITIONS {
        let position = Position::from_fen(fen).unwrap();
        let moves = position.legal_moves();
        let mut evaluator = Evaluator::new(network.clone());
        evaluator.evaluate(&position);
        // Check the results before measuring the speed.
        for &mv in &moves {
            let mut next = position;
            evaluator.make(&mut next, mv);
            assert_eq!(
                evaluator.evaluate(&next),
                tabiya::eval::evaluate(&network, &next)
            );
            evaluator.undo();
        }
        let mut group = criterion.benchmark_group(format!("{} pieces", position.occupied().len()));
        group.throughput(Throughput::Elements(moves.len() as u64));
        for evaluates in [false, true] {
            let name = if evaluates {
                "make and evaluate"
            } else {
                "make only"
            };
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    for &mv in &moves {
                        let mut next = position;
                        evaluator.make(&mut next, mv);
                        if evaluates {
                            black_box(evaluator.evaluate(&next));
                        }
                        black_box(&next);
                        evaluator.undo();
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
