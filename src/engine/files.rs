//! Files named by people and programs. Only regular files are opened: reading a pipe or a device
//! may block or never end. A file is replaced only by a complete new one.

use crate::eval::Network;
use std::fs;
use std::io;
use std::path::Path;

/// Maximum size of a network file, its header included.
const MAX_NETWORK_BYTES: u64 = 64 << 20;

/// Refuses a path that exists but is not a regular file.
///
/// # Errors
/// If the path is a folder, a pipe, a device or the like.
pub fn refuse_special(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        )),
        _ => Ok(()),
    }
}

/// Writes a file under a temporary name and then renames it, so that an older file is replaced only
/// by a complete one. After an error neither is left.
///
/// # Errors
/// If the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("unfinished");
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Reads a network from a file.
///
/// # Errors
/// If the file cannot be read, is too large, or is not a network of this program's shape. The error
/// names the file.
pub fn load_network(path: &Path) -> io::Result<Network> {
    let refuse = |reason: String| {
        let reason = format!("{}: {reason}", path.display());
        io::Error::new(io::ErrorKind::InvalidData, reason)
    };
    refuse_special(path).map_err(|error| refuse(error.to_string()))?;
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > MAX_NETWORK_BYTES) {
        return Err(refuse("too large for a network".to_owned()));
    }
    Network::load(path)
}
