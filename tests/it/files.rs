//! Writing files: a file is replaced only by a complete one, and no other file is touched.

#[cfg(target_os = "linux")]
use crate::session::TIMEOUT;
#[cfg(target_os = "linux")]
use crate::shared;
use crate::temporary::Folder;
use std::fs;
use std::io::ErrorKind;
use tabiya::files::{is_same_file, open_regular, try_to_write, write_whole};

#[test]
fn a_file_is_written_and_replaced_and_nothing_else_is_touched() {
    let folder = Folder::new("files");
    folder.write("game.unfinished", "mine");
    let path = folder.path("game.pgn");
    for text in ["first", "second"] {
        try_to_write(&path).unwrap();
        write_whole(&path, text.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert_eq!(folder.names(), ["game.pgn", "game.unfinished"]);
    assert_eq!(
        fs::read_to_string(folder.path("game.unfinished")).unwrap(),
        "mine"
    );
}

#[test]
fn a_file_that_cannot_be_written_is_refused_and_nothing_changes() {
    let folder = Folder::new("files");
    fs::create_dir(folder.path("folder")).unwrap();
    for name in ["folder", "missing/game.pgn", "new/", "new/.", "new/.."] {
        let path = folder.path(name);
        assert!(try_to_write(&path).is_err(), "{name}");
        assert!(write_whole(&path, b"x").is_err(), "{name}");
    }
    assert_eq!(folder.names(), ["folder"]);
    try_to_write(&folder.path("new.pgn")).unwrap();
    assert_eq!(folder.names(), ["folder"]);
}

#[cfg(unix)]
#[test]
fn mode_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("files");
    let target = folder.write("target", "old");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("target", folder.path("link")).unwrap();
    symlink("link", folder.path("second")).unwrap();
    symlink("new", folder.path("dangling")).unwrap();
    for name in ["target", "link", "second"] {
        write_whole(&folder.path(name), name.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), name);
        let mode = fs::metadata(&target).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    assert!(
        fs::symlink_metadata(folder.path("link"))
            .unwrap()
            .is_symlink()
    );
    write_whole(&folder.path("dangling"), b"x").unwrap();
    assert_eq!(fs::read_to_string(folder.path("new")).unwrap(), "x");
    assert_eq!(
        folder.names(),
        ["dangling", "link", "new", "second", "target"]
    );
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_neither_read_nor_replaced() {
    let folder = Folder::new("files");
    let pipe = crate::process::named_pipe(&folder);
    for path in [pipe.as_path(), "/dev/zero".as_ref(), "/dev/null".as_ref()] {
        assert_eq!(
            open_regular(path).unwrap_err().kind(),
            ErrorKind::InvalidInput
        );
        assert_eq!(
            write_whole(path, b"x").unwrap_err().kind(),
            ErrorKind::InvalidInput
        );
    }
}

/// `/proc/kmsg` calls itself a regular file, and a reader waits for the next message of the kernel.
#[cfg(target_os = "linux")]
#[test]
fn a_file_of_the_system_that_waits_is_not_waited_for() {
    use std::{io, path::Path, sync::mpsc};
    let path = Path::new("/proc/kmsg");
    if let Err(error) = fs::File::open(path) {
        return shared::skipped(&format!("{}: {error}", path.display()));
    }
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let read = open_regular(path).and_then(|mut file| io::copy(&mut file, &mut io::sink()));
        sender.send(read.is_err()).unwrap();
    });
    assert_eq!(receiver.recv_timeout(TIMEOUT), Ok(true));
}

#[test]
fn one_file_is_known_by_all_its_names() {
    let folder = Folder::new("files");
    let one = folder.write("one", "x");
    let other = folder.write("other", "x");
    assert!(is_same_file(&one, &folder.path("./one")));
    assert!(!is_same_file(&one, &other));
    assert!(is_same_file(&folder.path("new"), &folder.path("./new")));
    assert!(!is_same_file(&folder.path("new"), &one));
    #[cfg(windows)]
    assert!(is_same_file(&one, &folder.path("ONE")));
}
