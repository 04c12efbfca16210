//! Files of the tools. Errors name the file, and a file is replaced only by a complete new one.

use crate::eval::Network;
use crate::files;
use crate::game::encoding::{Utf8, without_mark};
use serde_json::Value;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Standard input or output on the command line.
pub const STANDARD: &str = "-";

/// Standard input in messages.
pub const STANDARD_INPUT: &str = "standard input";

/// Standard output in messages.
pub const STANDARD_OUTPUT: &str = "standard output";

/// Standard output, whose errors say so. It is not locked, so any thread may write.
#[derive(Debug)]
pub struct StandardOutput(io::Stdout);

impl StandardOutput {
    /// Standard output of this process.
    #[must_use]
    pub fn open() -> Self {
        Self(io::stdout())
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .write(bytes)
            .map_err(named(Path::new(STANDARD_OUTPUT)))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(named(Path::new(STANDARD_OUTPUT)))
    }
}

/// Adds the name of the file to an error.
pub fn named(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Reads a text file in UTF-8 or UTF-16, without its byte order mark. Lines end with a line feed.
///
/// # Errors
/// If the file cannot be read or is in another encoding.
pub fn read_text(path: &Path) -> io::Result<String> {
    read_all(open(path)?).map_err(named(path))
}

/// Reads a text as [`read_text`] does.
///
/// # Errors
/// If the input cannot be read or is in another encoding; then the error names the line.
pub fn read_all(input: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    Utf8::new(BufReader::new(input)).read_to_end(&mut bytes)?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        let before = bytes.iter().take(error.valid_up_to());
        let line = 1 + before.filter(|&&byte| byte == b'\n').count();
        let reason = format!("line {line} is not text in UTF-8 or UTF-16");
        io::Error::new(io::ErrorKind::InvalidData, reason)
    })?;
    // Old programs end a text with ^Z or zeros, and lines with a carriage return alone.
    let text = without_mark(text).trim_end_matches(['\u{1A}', '\0']);
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Reads a file.
///
/// # Errors
/// If the file cannot be read.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(named(path))?;
    Ok(bytes)
}

/// Opens a file for reading.
///
/// # Errors
/// If the file cannot be opened, or is a folder, a pipe, a device or the like.
pub fn open(path: &Path) -> io::Result<File> {
    files::open_regular(path).map_err(named(path))
}

/// Opens a file for reading as [`open`] does, or standard input for `-`. Also returns its name for
/// messages.
///
/// # Errors
/// If the file cannot be opened.
pub fn open_input(path: &Path) -> io::Result<(Box<dyn Read>, &Path)> {
    if path.as_os_str() == STANDARD {
        return Ok((Box::new(io::stdin()), Path::new(STANDARD_INPUT)));
    }
    Ok((Box::new(open(path)?), path))
}

/// Creates the file of an argument `--out` that never replaces a file.
///
/// # Errors
/// If the file exists or cannot be created.
pub fn create_new(path: &Path) -> io::Result<File> {
    File::create_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let reason = format!("{} exists: choose another name for --out", path.display());
            io::Error::new(error.kind(), reason)
        }
        _ => named(path)(error),
    })
}

/// Opens a file to append to, and creates it if it does not exist. Until it is closed, no second
/// process can open it so.
///
/// # Errors
/// If the file cannot be opened or created, or is in use.
pub fn open_to_append_alone(path: &Path) -> io::Result<File> {
    let file = files::open_to_append(path).map_err(named(path))?;
    // On Windows nobody could read a locked file.
    if !cfg!(windows) {
        lock(&file, path)?;
    }
    Ok(file)
}

/// Locks a file until it is closed.
fn lock(file: &File, path: &Path) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let reason = format!("{} is in use by another process", path.display());
            Err(io::Error::new(io::ErrorKind::ResourceBusy, reason))
        }
        // Some network file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// A file whose only use is its lock. It goes with this value; one that a process leaves behind
/// when it is killed is unlocked.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    /// Keeps the lock.
    _file: File,
}

impl LockFile {
    /// Creates the file, if it does not exist, and locks it.
    ///
    /// # Errors
    /// If the file cannot be opened or created, is in use, or is not empty.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = files::open_to_append(path).map_err(named(path))?;
        lock(&file, path)?;
        if file.metadata().map_err(named(path))?.len() > 0 {
            let reason = format!("{} exists, and is not an empty lock file", path.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        Ok(Self {
            path: path.to_owned(),
            _file: file,
        })
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // An empty file that stays does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// The network in `file`, or the built-in one.
///
/// # Errors
/// If the file cannot be read or is not a network.
pub fn network_or_embedded(file: Option<&Path>) -> io::Result<Arc<Network>> {
    Ok(match file {
        Some(file) => Arc::new(Network::load(file)?),
        None => Network::embedded(),
    })
}

/// Writes a file as [`files::write_whole`] does; the error names the file.
///
/// # Errors
/// If the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    files::write_whole(path, bytes).map_err(named(path))
}

/// Writes a value as a line of JSON, in one write, so that a process that is killed leaves no part
/// of it.
///
/// # Errors
/// If the line cannot be written.
pub fn write_line(mut output: impl Write, value: &Value) -> io::Result<()> {
    output.write_all(format!("{value}\n").as_bytes())
}

/// Refuses `-` where only a file can be written. `option` is the argument of the file.
///
/// # Errors
/// If the path is `-`.
pub fn refuse_standard(path: &Path, option: &str) -> io::Result<()> {
    if path.as_os_str() == STANDARD {
        let reason = format!("{option} needs the name of a file, not {STANDARD}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    Ok(())
}

/// Checks that [`write_whole`] can write a file. The file is not changed or created.
///
/// # Errors
/// If the file cannot be written.
pub fn try_to_write(path: &Path) -> io::Result<()> {
    files::try_to_write(path).map_err(named(path))
}

/// Refuses an output file that is one of the inputs, because it would be lost while it is read,
/// and, unless `is_forced`, one that exists.
///
/// # Errors
/// If the file is refused.
pub fn refuse_to_replace(path: &Path, inputs: &[&Path], is_forced: bool) -> io::Result<()> {
    let refuse = |reason: String| Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
    let shown = path.display();
    if let Some(input) = inputs.iter().find(|input| files::is_same_file(path, input)) {
        return refuse(format!("{shown} would replace {}", input.display()));
    }
    if !is_forced && path.exists() {
        return refuse(format!("{shown} exists: --force replaces it"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps what each call of `write` gets.
    struct Writes(Vec<Vec<u8>>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_line_that_is_not_text_is_named() {
        for (bytes, expected) in [
            (&b"a\nb\xFF\n"[..], "line 2 is not text in UTF-8 or UTF-16"),
            (b"\xC3", "line 1 is not text in UTF-8 or UTF-16"),
        ] {
            assert_eq!(read_all(bytes).unwrap_err().to_string(), expected);
        }
        assert_eq!(read_all(&b"\xEF\xBB\xBF\xC3\xBC\n"[..]).unwrap(), "ü\n");
        assert_eq!(read_all(&b"a\rb\r\nc\n\x1A"[..]).unwrap(), "a\nb\nc\n");
        assert_eq!(read_all(&b"a\n\0\0"[..]).unwrap(), "a\n");
    }

    #[test]
    fn a_line_of_json_is_one_write() {
        let mut writes = Writes(Vec::new());
        write_line(&mut writes, &serde_json::json!({ "a": [1, "two"] })).unwrap();
        assert_eq!(writes.0, [b"{\"a\":[1,\"two\"]}\n"]);
    }
}
