//! The bench signature: the number of nodes of a fixed search, which nearly every change of play
//! changes.

use tabiya::eval::Network;
use tabiya::search::bench::{self, BenchSettings};

/// `tabiya bench` prints this number, and the last line of every commit message has it.
const SIGNATURE: u64 = 652_015;

/// The recorded signature. Scripts read the line above.
pub(crate) const fn signature() -> u64 {
    SIGNATURE
}

#[test]
fn the_bench_has_the_recorded_signature() {
    // The second run must not depend on the first.
    for _ in 0..2 {
        assert_eq!(
            bench::run(BenchSettings::DEFAULT, Network::embedded())
                .unwrap()
                .nodes,
            SIGNATURE
        );
    }
}
