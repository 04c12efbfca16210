//! Files of the tools. Errors name the file, and a file is replaced only by a complete new one.

use crate::engine::{self, load_network};
use crate::eval::Network;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Adds the name of the file to an error.
pub fn named(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Reads a text file.
///
/// # Errors
/// If the file cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    fs::read_to_string(path).map_err(named(path))
}

/// Reads a file.
///
/// # Errors
/// If the file cannot be read.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path).map_err(named(path))
}

/// The network in `file`, or the built-in one.
///
/// # Errors
/// If the file cannot be read or is not a network.
pub fn network_or_embedded(file: Option<&Path>) -> io::Result<Arc<Network>> {
    Ok(match file {
        Some(file) => Arc::new(load_network(file)?),
        None => Network::embedded(),
    })
}

/// Writes a file as [`engine::write_whole`] does; the error names the file.
///
/// # Errors
/// If the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    engine::write_whole(path, bytes).map_err(named(path))
}

/// Checks that [`write_whole`] can write a file, and changes nothing.
///
/// # Errors
/// If the file cannot be written.
pub fn try_to_write(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(named(path)(io::ErrorKind::IsADirectory.into()));
    }
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, []).map_err(named(&unfinished))?;
    fs::remove_file(&unfinished).map_err(named(&unfinished))
}
