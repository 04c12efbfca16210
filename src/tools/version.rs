//! `tabiya --version`: what a report of a bug needs to say about the program.

use crate::eval::{Network, kernels};
use std::env::consts::ARCH;

/// Version, commit, processor level of the build, vector code of this machine, and network.
#[must_use]
pub fn describe() -> String {
    format!(
        "tabiya {}\ncommit     {}\nprocessor  built for {}\nkernels    {}\nnetwork    {:016x}\n",
        env!("CARGO_PKG_VERSION"),
        option_env!("TABIYA_COMMIT").unwrap_or("unknown"),
        processor_level(),
        kernels(),
        Network::embedded().fingerprint()
    )
}

/// The level of x86-64 that the build requires, or the name of another architecture.
const fn processor_level() -> &'static str {
    if !cfg!(target_arch = "x86_64") {
        ARCH
    } else if cfg!(target_feature = "avx512bw") {
        "x86-64-v4"
    } else if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
        "x86-64-v3"
    } else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
        "x86-64-v2"
    } else {
        "x86-64"
    }
}
