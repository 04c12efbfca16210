//! Test suites that are not part of the project. Tests that need them are skipped where they are
//! missing.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file of a suite, such as `perft/cozy_valid.sfens`, or `None` if it is missing.
///
/// Looks in the folder `TABIYA_SUITES`, without subfolders; if that is not set, below
/// `../shared/data`.
pub(crate) fn file(name: &str) -> Option<PathBuf> {
    let path = match std::env::var_os("TABIYA_SUITES") {
        Some(folder) => Path::new(&folder).join(Path::new(name).file_name()?),
        None => Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../shared/data")
            .join(name),
    };
    if path.exists() {
        return Some(path);
    }
    // Not `println!`, whose output the test runner captures.
    let _ = writeln!(io::stderr(), "skipped: {} is missing", path.display());
    None
}
