//! The files of the project, for tests that read sources and documents.

use std::fs;
use std::path::{Path, PathBuf};

/// The first folder of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Rust files below a folder.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    files_below(folder, "rs")
}

/// All Markdown files below a folder.
pub(crate) fn documents(folder: &Path) -> Vec<PathBuf> {
    files_below(folder, "md")
}

fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.expect("the folder can be read").path()) {
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The parts of a text between `open` and `close`.
pub(crate) fn between<'a>(
    text: &'a str,
    open: &'a str,
    close: &'a str,
) -> impl Iterator<Item = &'a str> {
    let parts = text.split(open).skip(1);
    parts.filter_map(move |part| part.split_once(close).map(|(inside, _)| inside))
}
