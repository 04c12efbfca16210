//! `tabiya --version`: what a report of a bug needs to say about the program.

use super::processor;
use crate::eval::{Network, kernels};

/// Version, commit, processor level of the build, vector code of this machine, and network.
#[must_use]
pub fn describe() -> String {
    format!(
        "tabiya {}\ncommit     {}\nprocessor  built for {}\nkernels    {}\nnetwork    {:016x}\n",
        env!("CARGO_PKG_VERSION"),
        option_env!("TABIYA_COMMIT").unwrap_or("unknown"),
        processor::level(),
        kernels(),
        Network::embedded().fingerprint()
    )
}
