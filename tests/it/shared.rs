//! Test suites and programs that are not part of the project. Tests that need them are skipped
//! where they are missing.

use crate::sources::root;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file of a suite, such as `perft/cozy_valid.sfens`, or `None` if it is missing.
///
/// Looks in the folder `TABIYA_SUITES` (default: `../shared/data`), with the subfolder and without.
pub(crate) fn file(name: &str) -> Option<PathBuf> {
    let default = root().join("../shared/data");
    let folder = std::env::var_os("TABIYA_SUITES").map_or(default, PathBuf::from);
    let found = find(&folder, name);
    if found.is_none() {
        skipped(&format!("{} is missing", folder.join(name).display()));
    }
    found
}

/// Says why a test is skipped, even where the test runner captures the output of `println!`.
pub(crate) fn skipped(reason: &str) {
    let _ = writeln!(io::stderr(), "skipped: {reason}");
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let flat = Path::new(name).file_name()?;
    let paths = [folder.join(name), folder.join(flat)];
    paths.into_iter().find(|path| path.exists())
}

#[test]
fn a_suite_is_found_with_its_subfolder_and_without() {
    let folder = crate::temporary::Folder::new("shared_suites");
    let flat = folder.write("a.epd", "");
    std::fs::create_dir(folder.path("suites")).unwrap();
    let nested = folder.write("suites/b.epd", "");
    let find = |name| find(&folder.path(""), name);
    assert_eq!(find("suites/a.epd"), Some(flat));
    assert_eq!(find("suites/b.epd"), Some(nested));
    assert_eq!(find("suites/c.epd"), None);
}
