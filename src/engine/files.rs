//! Files that people name in options. Only ordinary ones are opened: a pipe or a device may keep whoever opens it waiting
//! for ever, or never end.

use crate::eval::Network;
use std::fs;
use std::io;
use std::path::Path;

/// No network has more bytes, with all that it says of how it was made.
const MAX_NETWORK_BYTES: u64 = 64 << 20;

/// Refuses what is there and is no ordinary file.
///
/// # Errors
/// If it is a folder, a pipe, a device or the like.
pub fn refuse_special(path: &Path) -> Result<(), &'static str> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err("it is no ordinary file"),
        _ => Ok(()),
    }
}

/// Reads a network from a file.
///
/// # Errors
/// If the file cannot be read, is too large, or is no network of this program's shape; the sentence names it.
pub fn load_network(path: &Path) -> io::Result<Network> {
    let refuse = |reason: &str| {
        let reason = format!("{}: {reason}", path.display());
        io::Error::new(io::ErrorKind::InvalidData, reason)
    };
    refuse_special(path).map_err(refuse)?;
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > MAX_NETWORK_BYTES) {
        return Err(refuse("it is too large for a network"));
    }
    Network::load(path)
}
