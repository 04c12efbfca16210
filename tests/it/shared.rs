//! Test data that is not part of the repository. Tests that need it are skipped, with a message,
//! where it is missing.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file below `../shared/data`, if it exists.
pub(crate) fn file(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/data")
        .join(name);
    if path.exists() {
        return Some(path);
    }
    // Written past the capture of `println!`, so that a skipped suite is visible.
    let _ = writeln!(io::stderr(), "skipped: ../shared/data/{name} is not here");
    None
}
