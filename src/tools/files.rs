//! Files of the tools: errors name them, and what is written over an older file takes its place only when it is whole.

use std::fs;
use std::io;
use std::path::Path;

/// An error that says of which file it is.
pub(super) fn named(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The text of a file.
///
/// # Errors
/// If it cannot be read, or is no text.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    fs::read_to_string(path).map_err(named(path))
}

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read.
pub(super) fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path).map_err(named(path))
}

/// Writes a file, in place of an older one only when it is whole.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, bytes).map_err(named(&unfinished))?;
    fs::rename(unfinished, path).map_err(named(path))
}

/// Finds out whether [`write_whole`] can write a file, and leaves everything as it is.
///
/// # Errors
/// If it cannot.
pub(super) fn try_to_write(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(named(path)(io::ErrorKind::IsADirectory.into()));
    }
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, []).map_err(named(&unfinished))?;
    fs::remove_file(&unfinished).map_err(named(&unfinished))
}
