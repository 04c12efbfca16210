//! The bench signature: the number of nodes changes whenever play does, and only then.

use tabiya::engine::bench::{self, BenchSettings};
use tabiya::eval::Network;

/// `tabiya bench` prints it, and commits that change play carry it.
const SIGNATURE: u64 = 1_439_442;

#[test]
fn the_bench_counts_the_recorded_nodes_each_time() {
    for _ in 0..2 {
        assert_eq!(
            bench::run(BenchSettings::DEFAULT, Network::embedded())
                .unwrap()
                .nodes,
            SIGNATURE
        );
    }
}
