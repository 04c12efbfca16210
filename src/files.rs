//! Files named by people and programs. Only regular files are opened, because reading a pipe or a
//! device may block or never end. Some files of the system call themselves regular and wait all the
//! same, such as Linux's `/proc/kmsg`; so reading never waits, and fails where there is nothing to
//! read yet. A file is replaced only by a complete new one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Maximum number of symbolic links from a path to its file, as on Linux.
const MAX_LINKS: usize = 40;

/// Refuses a path that exists but is not a regular file.
fn refuse_special(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        )),
        _ => Ok(()),
    }
}

/// Opens a regular file for reading.
///
/// # Errors
/// If the file cannot be opened, or is a folder, a pipe, a device or the like.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_without_waiting(path, OpenOptions::new().read(true))
}

/// Opens a regular file for appending, and creates it if it does not exist.
///
/// # Errors
/// If the file cannot be opened or created, or is a folder, a pipe, a device or the like.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    open_without_waiting(path, OpenOptions::new().create(true).append(true))
}

/// Opens a regular file so that neither this nor reading waits.
fn open_without_waiting(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // First, because opening a device may already do something.
    refuse_special(path)?;
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    options.open(path)
}

/// Writes a file under a random name in its folder and then renames it, so that an older file is
/// replaced only by a complete one that is on the disk. After an error nothing has changed.
///
/// The file keeps its permissions. If the path is a symbolic link, the file that it names is
/// replaced, and the link stays.
///
/// # Errors
/// If the file cannot be written, is read-only, or is not a regular file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = Target::find(path)?;
    let (mut file, unfinished) = target.create_unfinished()?;
    let write = || {
        file.write_all(bytes)?;
        if let Some(permissions) = target.permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        fs::rename(&unfinished, &target.path)
    };
    let written = write();
    match written {
        Ok(()) => sync_folder(&target.path),
        // The first error is the one to report.
        Err(_) => drop(fs::remove_file(&unfinished)),
    }
    written
}

/// Checks that [`write_whole`] can write a file. The file is not changed or created.
///
/// # Errors
/// If the file cannot be written.
pub fn try_to_write(path: &Path) -> io::Result<()> {
    let (_, unfinished) = Target::find(path)?.create_unfinished()?;
    fs::remove_file(unfinished)
}

/// The file that a path names.
struct Target {
    path: PathBuf,
    /// The permissions of the file, if it exists.
    permissions: Option<Permissions>,
}

impl Target {
    /// Follows symbolic links, also to a file that does not exist yet.
    fn find(path: &Path) -> io::Result<Self> {
        refuse_special(path)?;
        // A file could be written beside it, but not renamed to it.
        if names_folder(path) {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "this names a folder, not a file",
            ));
        }
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            let Ok(next) = fs::read_link(&path) else {
                break;
            };
            path = path.parent().unwrap_or(Path::new("")).join(next);
        }
        let permissions = match fs::metadata(&path) {
            Ok(metadata) => {
                // A read-only file is not replaced, although its folder would allow it.
                drop(OpenOptions::new().write(true).open(&path)?);
                Some(metadata.permissions())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(Self { path, permissions })
    }

    /// Creates a new file in the folder of the target. On Unix it has at most the permissions of
    /// the target, so that nobody can read it who may not read the target.
    fn create_unfinished(&self) -> io::Result<(File, PathBuf)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Some(permissions) = &self.permissions {
            use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
            options.mode(permissions.mode() & 0o777);
        }
        loop {
            let path = self.path.with_file_name(random_name());
            match options.open(&path) {
                Ok(file) => return Ok((file, path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Whether a path can only name a folder, such as `games/`.
pub fn names_folder(path: &Path) -> bool {
    // `Path::file_name` looks past separators and dots at the end.
    let text = path.as_os_str().as_encoded_bytes();
    let is_separator = |&byte: &u8| std::path::is_separator(char::from(byte));
    let last = text.rsplit(is_separator).next();
    matches!(last, Some(b"" | b"." | b"..") | None)
}

/// A name that nobody else uses: `.tabiya-` and 64 random bits.
fn random_name() -> OsString {
    // The standard library seeds each state with random keys.
    let random = RandomState::new().build_hasher().finish();
    format!(".tabiya-{random:016x}").into()
}

/// Waits until the rename of this file is on the disk, where the system can: on Windows a folder
/// cannot be opened.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        // The file itself is complete; a system may refuse to sync folders.
        let _ = folder.sync_all();
    }
}

/// Whether both paths name the same file: through symbolic links, in another letter case if the
/// system allows it, on Unix also through hard links, or as a file that does not exist yet.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (fs::metadata(one), fs::metadata(other)) {
        use std::os::unix::fs::MetadataExt;
        return (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    let full = |path: &Path| {
        // The canonical path of a file that exists has its letters on the disk.
        fs::canonicalize(path).or_else(|_| {
            let path = Target::find(path).map_or(path.to_owned(), |target| target.path);
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
            folder.map(|folder| folder.join(path.file_name().unwrap_or_default()))
        })
    };
    match (full(one), full(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
